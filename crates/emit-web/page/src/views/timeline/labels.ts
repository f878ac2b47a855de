// The column left of the plot: what each row is, and how busy.
import { h, put } from "../../ui/dom";
import { percent } from "../../ui/format";
import { t } from "../../ui/i18n";
import { lineColour } from "./frame";
import { fullScale } from "./lines";
import type { Row } from "./rows";
import type { Scene } from "./scene";
import { TEXTS } from "./texts";

export function fillLabels(root: HTMLElement, scene: Scene): void {
  put(root, ...scene.rows.map((row) => h("div", { class: `tl-label ${row.kind} ${row.track?.kind ?? ""}`, style: { top: `${row.y}px`, height: `${row.height}px` } }, ...parts(scene, row))));
}

function parts(scene: Scene, row: Row): (Node | false)[] {
  if (row.kind === "group") {
    return [h("button", { class: "quiet", "aria-expanded": String(!row.folded), "data-group": row.group, onclick: () => scene.fold(row.group) }, h("span", { class: "tl-fold" }, row.folded ? "▸" : "▾"), h("b", null, row.label))];
  }
  if (row.kind === "line") {
    const { metrics } = scene.lines[row.track!.index]!;
    return [h("span", { class: "tl-legend" }, ...metrics.map((metric) => h("span", null,
      h("i", { style: { background: lineColour(scene, row.track!.kind, metric) } }), metric === "rate" ? t(TEXTS.rate) : metric === "ddr" ? "DDR" : "L2M"))), h("span", { class: "tl-full" }, top(scene, row))];
  }
  const share = row.share >= 0 && h("span", { class: "tl-share", title: t(TEXTS.busy, row.label, percent(row.share, 2)) }, percent(row.share), h("i", null, h("i", { style: { width: percent(Math.min(row.share, 1)) } })));
  return [h("span", { class: "tl-name", title: row.label }, row.label), share];
}

/** What the top of a line's row stands for. */
function top(scene: Scene, row: Row): string {
  const { metrics } = scene.lines[row.track!.index]!;
  if (metrics[0] === "rate") return "100%";
  const peak = Math.max(...metrics.map((metric) => fullScale(row.track!, metric)));
  return peak > 0 ? `${Number(peak.toFixed(1))} GB/s` : "";
}
