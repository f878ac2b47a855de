// Where the wall time went, of all cores together and of each.
import { stack, swatch } from "../../../ui/bars";
import { h } from "../../../ui/dom";
import { columnDuration, duration, percent } from "../../../ui/format";
import { type Text, t } from "../../../ui/i18n";
import type { Answers, Intervals } from "../../../data/generated";
import type { Shell } from "../../view";
import { areSharesOfRun, longestLines } from "../longest";
import type { Culprit } from "./culprit";

const TEXTS = {
  title: ["Where the time went", "时间去向"],
  all: ["Whole chip", "整个芯片"],
  mean: ["Mean", "平均"],
  owner: ["Mean of {0} cores:", "{0} 个核的平均："],
  unused: ["unused", "未使用"],
  meanHint: ["A core on average: time in which a core computes and transfers at once / what is possible on that core", "各核平均：某核同时计算与搬运的时间 ÷ 该核可能的重叠时间"],
  chipHint: ["The chip, all cores together: one core computes while any core transfers. Overlap of this kind: {0}", "整个芯片，所有核合计：某核计算的同时任一核在搬运。此种重叠率：{0}"],
  core: ["Core {0}", "核 {0}"],
  compute_only_ns: ["compute only", "仅计算"],
  overlapped_ns: ["compute and transfer", "计算与搬运重叠"],
  transfer_only_ns: ["transfer only (exposed)", "仅搬运（暴露）"],
  sync_ns: ["waiting for sync", "等待同步"],
  idle_ns: ["idle", "空闲"],
  overlap: ["Overlap", "重叠率"],
  overlapHint: ["Time in which both run / the smaller of compute time and transfer time; 100 % is full overlap", "重叠时间 ÷ 计算与搬运中较短者：100 % 表示已全部掩盖"],
  longest: ["Longest", "耗时最多"],
  share: ["Of the run", "占运行"],
  kernelShare: ["Of kernels", "占核函数"],
  whole: ["Over time", "随时间"],
  wholeKey: ["↑ TIU  ↓ DMA", "↑ TIU  ↓ DMA"],
} satisfies Record<string, Text>;

const PHASES = [
  ["compute_only_ns", "var(--tiu)"], ["overlapped_ns", "var(--good)"], ["transfer_only_ns", "var(--gdma)"], ["sync_ns", "var(--wait)"], ["idle_ns", "var(--line)"],
] as const;

/** Bars that the picture has room for. */
const MOST_BARS = 10;

/** The picture of the first screen: bars of the cores and, where there are few, of the longest layers or kernels; `whole` is the strip of the whole run
 * below. The numbers of the legend are those of one row, which is named: of the cores on average, as those of the measures above. */
export function phasesPanel(shell: Shell, { intervals }: Answers, whole: HTMLElement, culprit: Promise<Culprit | null>): HTMLElement {
  const { overall, cores } = intervals;
  const isMany = cores.length > 1;
  const room = MOST_BARS - (isMany ? cores.length + 2 : 1);
  const units = room > 2 ? longestLines(shell, room) : [];
  const active = cores.filter((core) => core.engines.length > 0);
  const shown = isMany ? meanPhases(active) : overall;
  const time = columnDuration([overall.wall_ns]);
  const rows = cores.map((core) => line(core));
  void culprit.then((found) => rows.forEach((row, at) => row.classList.toggle("culprit", isMany && found !== null && found.cores.includes(cores[at]!.core!))));
  return h("section", { class: "panel", id: "phases" }, h("h2", null, t(TEXTS.title)),
    h("ul", { class: "phase-key" }, isMany && h("li", { id: "phase-owner" }, h("b", null, t(TEXTS.owner, active.length))), ...PHASES.map(([key, color]) =>
      h("li", { "data-phase": key }, swatch(color), t(TEXTS[key]), " ", h("b", null, percent(rounded(shown[key] / Math.max(shown.wall_ns, 1)))), " ", h("span", { class: "muted" }, time(shown[key]))))),
    h("div", { class: "phase-line phase-head muted" }, h("span"), h("span"), h("span", { class: "num", title: t(TEXTS.overlapHint) }, t(TEXTS.overlap))),
    ...(isMany ? [meanLine(shown, intervals.core_mean.overlap_ratio), ...rows, chipLine(overall)] : [line(overall)]),
    h("div", { class: "phase-line" }, h("span"), h("p", { class: "share-axis muted" }, h("span", null, "0 %"), h("span", null, "100 %"))),
    h("div", { class: "phase-line" }, h("span", null, t(TEXTS.whole), h("br"), h("small", { class: "muted" }, t(TEXTS.wholeKey))), whole),
    units.length > 0 && h("div", { class: "phase-line muted" }, h("span", null, t(TEXTS.longest)), h("span"), h("span", { class: "num" }, t(areSharesOfRun(shell.page) ? TEXTS.share : TEXTS.kernelShare))), ...units);
}

type Phases = Record<(typeof PHASES)[number][0] | "wall_ns", number>;

/** A share as the report has it, with four decimals: the measures above are rounded from these. */
const rounded = (share: number): number => Math.round(share * 1e4) / 1e4;

/** The phases of one of these cores on average. */
function meanPhases(cores: Intervals[]): Phases {
  const mean = (key: keyof Phases): number => cores.reduce((sum, core) => sum + core[key], 0) / Math.max(cores.length, 1);
  return { compute_only_ns: mean("compute_only_ns"), overlapped_ns: mean("overlapped_ns"), transfer_only_ns: mean("transfer_only_ns"), sync_ns: mean("sync_ns"), idle_ns: mean("idle_ns"), wall_ns: mean("wall_ns") };
}

/** A bar of phases, with its numbers where the pointer rests. */
function bar(phases: Phases, name: string): HTMLElement {
  const parts = PHASES.map(([key, color]) => {
    const share = phases[key] / Math.max(phases.wall_ns, 1);
    return { share, color, title: `${t(TEXTS[key])}: ${percent(share)}, ${duration(phases[key])}` };
  });
  return stack(parts, `${name}: ${parts.map((p) => p.title).join("; ")}`);
}

function meanLine(phases: Phases, overlap: number): HTMLElement {
  return h("div", { class: "phase-line", id: "overlap-mean", title: t(TEXTS.meanHint) }, h("b", null, t(TEXTS.mean)), bar(phases, t(TEXTS.mean)), h("b", { class: "num" }, percent(overlap)));
}

/** All cores together: another measure than that of a core, so that its overlap has no place in the column. */
function chipLine(overall: Intervals): HTMLElement {
  return h("div", { class: "phase-line", id: "phases-chip", title: t(TEXTS.chipHint, percent(overall.overlap_ratio)) }, h("span", null, t(TEXTS.all)), bar(overall, t(TEXTS.all)), h("span"));
}

function line(phases: Intervals): HTMLElement {
  const name = phases.core === null ? t(TEXTS.all) : t(TEXTS.core, phases.core);
  const isUnused = phases.core !== null && phases.engines.length === 0;
  return h("div", { class: "phase-line" }, h("span", null, name), bar(phases, name), h("span", { class: "num" }, isUnused ? t(TEXTS.unused) : percent(phases.overlap_ratio)));
}
