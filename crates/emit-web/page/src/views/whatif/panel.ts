// Beside the timelines: the prediction in words, sliders, the sensitivity to each part, the kernels.
import { type Change, changeText, faster, readChange, resourceName } from "../../replay/change";
import type { Prediction, Replay } from "../../replay/replay";
import { type SensitivityRow, parts, sensitivity } from "../../replay/sensitivity";
import { copyText } from "../../ui/copy";
import { h, put } from "../../ui/dom";
import { explained } from "../../ui/explain";
import { alignedDuration, count, duration, percent } from "../../ui/format";
import { t } from "../../ui/i18n";
import * as state from "../../ui/state";
import { type Column, table } from "../../ui/table";
import type { Shell } from "../view";
import { readingOf } from "../runs/reading";
import { Sliders } from "./sliders";
import { WHATIF } from "./texts";

const CHANGED = readingOf("prediction");

/** Key of the changes in the address: as `--scale` takes them, one a line. */
export const KEY = "w.scale";
/** ms without a change after which the range is computed. */
const CALM = 200;
/** Names of kernels and layers that can be chosen besides the heaviest. */
const MOST_NAMES = 500;

export class WhatIfPanel {
  readonly element = h("aside", { class: "runs-panel wi-panel" });
  private readonly sliders: Sliders;
  private readonly headline = h("div", { id: "wi-headline", role: "status" });
  private readonly kernels = h("div");
  private readonly sensitivities = h("div", null, h("p", { class: "muted" }, t(WHATIF.reading)));
  private readonly range = h("p", { class: "muted", id: "wi-range" });
  private timer = 0;
  private isAlive = true;

  /** `predict` is called with the changes whenever they are others. */
  constructor(
    private readonly replay: Replay,
    private readonly shell: Shell,
    private readonly predict: (changes: Change[]) => void,
  ) {
    const { graph } = replay;
    const listed = parts(replay);
    const named = [
      ...graph.kernels.filter((name) => name !== "").map((pattern) => ({ kind: "kernel", pattern }) as const),
      ...[...new Set(graph.head.layers.map(([label]) => label))].map((pattern) => ({ kind: "layer", pattern }) as const),
    ];
    this.sliders = new Sliders(listed, named.slice(0, MOST_NAMES), this.asked(), () => this.changed());
    const copy: HTMLButtonElement = h("button", { id: "wi-copy", title: t(WHATIF.copyHint), onclick: () => void copyText(this.command()).then((done) => done && (copy.textContent = "✓")) }, t(WHATIF.copy));
    put(this.element, this.headline,
      this.sliders.element,
      h("p", { class: "wi-buttons" }, h("button", { id: "wi-reset", onclick: () => this.take([]) }, t(WHATIF.reset)), " ", copy),
      h("h2", null, t(WHATIF.sensitivity), " ", explained("whatif", shell)), this.sensitivities, this.kernels, h("p", { class: "muted" }, t(WHATIF.rules)));
    void sensitivity(replay, () => this.isAlive).then((rows) => rows && this.showSensitivity(rows));
  }

  /** The changes of the address that mean something in this run. */
  private asked(): Change[] {
    return state.get(KEY).split("\n").flatMap((text) => {
      const change = readChange(text);
      return change && this.replay.isKnown(change) ? [change] : [];
    });
  }

  /** The fragment changed: takes what it says. */
  follow(): void {
    if (state.get(KEY) === this.sliders.changes().map(changeText).join("\n")) return;
    this.sliders.set(this.asked());
    this.predict(this.sliders.changes());
  }

  private changed(): void {
    state.set({ [KEY]: this.sliders.changes().map(changeText).join("\n") });
    this.predict(this.sliders.changes());
  }

  private take(changes: Change[]): void {
    this.sliders.set(changes);
    this.changed();
  }

  changes(): Change[] {
    return this.sliders.changes();
  }

  private command(): string {
    const quoted = (text: string) => (/^[\w.:=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
    const scales = this.sliders.changes().map((change) => ` --scale ${quoted(changeText(change))}`);
    return `bigtpuprofile whatif ${quoted(this.shell.page.head.source)}${scales.join("")} -o out`;
  }

  show({ measuredNs, predictedNs, kernels }: Prediction): void {
    const isChanged = this.sliders.changes().length > 0;
    put(this.headline,
      h("p", { class: "runs-verdict", "data-predicted": predictedNs }, isChanged ? t(WHATIF.headline, duration(predictedNs), duration(measuredNs)) : t(WHATIF.unchanged, duration(measuredNs))),
      isChanged && h("p", { class: `runs-time ${CHANGED.differenceClass(predictedNs - measuredNs, measuredNs) ?? ""}` }, saved(measuredNs, predictedNs)),
      this.range);
    put(this.range);
    // Two more replays, which nobody waits for while a slider moves.
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      const range = this.replay.range(this.sliders.changes(), predictedNs);
      put(this.range, range[0] < range[1] && t(WHATIF.range, duration(range[0]), duration(range[1])));
    }, CALM);
    const columns: Column<Prediction["kernels"][number]>[] = [
      { key: "kernel", title: t(WHATIF.kernel), value: (row) => row.kernel, mark: () => "name", cell: (row) => h("span", { title: `${row.kernel}: ${t(WHATIF.launches)} ${count(row.launches)}` }, row.kernel) },
      { key: "measured", title: t(WHATIF.measured), hint: t(WHATIF.kernelsHint), num: true, value: (row) => row.measuredNs, time: (row) => row.measuredNs },
      { key: "predicted", title: t(WHATIF.predicted), hint: t(WHATIF.kernelsHint), num: true, value: (row) => row.predictedNs, time: (row) => row.predictedNs },
      { key: "change", title: t(WHATIF.change), num: true, value: (row) => row.predictedNs / Math.max(row.measuredNs, 1), cell: (row) => CHANGED.relativeText(row.measuredNs, row.predictedNs), mark: (row) => CHANGED.differenceClass(row.predictedNs - row.measuredNs, row.measuredNs) },
    ];
    put(this.kernels, kernels.length > 0 && h("h2", null, t(WHATIF.kernels)), kernels.length > 0 && table({ id: "wi-kernels", label: t(WHATIF.kernels), columns, rows: kernels, most: 12 }));
  }

  private showSensitivity(rows: SensitivityRow[]): void {
    const base = this.replay.measuredNs;
    const cell = (ns: number) => h("span", { "data-ns": ns, title: alignedDuration(ns) }, CHANGED.relativeText(base, ns));
    const columns: Column<SensitivityRow>[] = [
      { key: "part", title: t(WHATIF.part), value: (row) => resourceName(row.resource), mark: () => "name", cell: (row) => h("span", { title: resourceName(row.resource) }, resourceName(row.resource)) },
      { key: "faster11", title: "1.1x", num: true, value: (row) => row.faster11Ns, cell: (row) => cell(row.faster11Ns) },
      { key: "faster2", title: "2x", num: true, value: (row) => row.faster2Ns, cell: (row) => cell(row.faster2Ns) },
      { key: "infinite", title: t(WHATIF.infinite), num: true, value: (row) => row.infiniteNs, cell: (row) => cell(row.infiniteNs) },
    ];
    put(this.sensitivities,
      table({ id: "wi-sensitivity", label: t(WHATIF.sensitivity), columns, rows, openHint: t(WHATIF.show), open: (row) => this.take([faster(row.resource, 2)]) }),
      h("p", { class: "muted", id: "wi-bounds" }, t(WHATIF.sensitivityNote), " ", t(WHATIF.bounds, duration(this.replay.wall([], "transfers")), duration(this.replay.wall([], "work")))));
  }

  destroy(): void {
    this.isAlive = false;
    clearTimeout(this.timer);
  }
}

/** What is saved in words: `28.95 % less time (1.41x)`. */
function saved(before: number, after: number): string {
  if (before === after || before <= 0 || after <= 0) return t(WHATIF.same);
  const share = percent(Math.abs(after - before) / before, 2);
  return after < before ? t(WHATIF.less, share, (before / after).toFixed(2)) : t(WHATIF.more, share, (after / before).toFixed(2));
}
