// The kernels or layers that took most time: rows of the first screen where there are few cores, and what a folded topic says of them.
import type { Page } from "../../data/page";
import { stack } from "../../ui/bars";
import { cut } from "../../ui/cut";
import { h } from "../../ui/dom";
import { percent } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import { longestLaunch, longestRun } from "../../ui/launches";
import type { Shell, SliceRef } from "../view";
import { type Layer, numberOf, runLayers } from "./unitcolumns";

const TEXTS = {
  show: ["{0}: {1} of the time. Show the longest stretch in the timeline", "{0}：占 {1}。在时间线中显示最长的一段"],
} satisfies Record<string, Text>;

interface LongUnit {
  name: string;
  /** See {@link areSharesOfRun}. */
  share: number;
  find(): Promise<SliceRef | null>;
}

/** Whether the shares are of the wall time, as those of layers are; those of kernels are of all kernels' time. */
export function areSharesOfRun(page: Page): boolean {
  return runLayers(page).length > 0;
}

/** The greatest first; layers of a static model, else kernels. */
export function longestUnits(page: Page): LongUnit[] {
  const { head } = page;
  const layers = runLayers(page);
  const layerShare = numberOf(head.layerColumns, "wall_share");
  const kernelShare = numberOf(head.kernelColumns, "share");
  const layerName = distinctNames(page, layers);
  const units = layers.length > 0
    ? layers.map((layer) => ({ name: layerName(layer), share: layerShare(layer) ?? 0, find: () => longestRun(page, layer.at) }))
    : head.topKernels.map((kernel) => ({ name: page.text(head.kernels[kernel.kernel] ?? -1), share: kernelShare(kernel) ?? 0, find: () => longestLaunch(page, kernel.kernel) }));
  return units.filter(({ share }) => share > 0).toSorted((a, b) => b.share - a.share);
}

/** Labels of layers; where several have the same, with the number of the layer. */
function distinctNames(page: Page, layers: Layer[]): (layer: Layer) => string {
  const count = new Map<string, number>();
  for (const { at } of layers) count.set(page.layerLabel(at), (count.get(page.layerLabel(at)) ?? 0) + 1);
  return ({ at }) => {
    const label = page.layerLabel(at);
    return (count.get(label) ?? 0) > 1 ? page.numberedLayer(at) : label;
  };
}

/** A bar for each of the longest. */
export function longestLines(shell: Shell, most: number): HTMLElement[] {
  return longestUnits(shell.page).slice(0, most).map(({ name, share, find }) => {
    const title = t(TEXTS.show, name, percent(share));
    return h("button", { class: "phase-line", title, "data-unit": name, onclick: () => void find().then((slice) => slice && shell.showSlice(slice)) },
      h("span", { class: "unit" }, cut(name)), stack([{ share, color: "var(--kernel)", title }], title), h("span", { class: "num" }, percent(share)));
  });
}
