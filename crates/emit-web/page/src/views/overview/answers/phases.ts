// Where the wall time went, of all cores together and of each.
import { stack, swatch } from "../../../ui/bars";
import { h } from "../../../ui/dom";
import { columnDuration, duration, percent } from "../../../ui/format";
import { type Text, t } from "../../../ui/i18n";
import type { Answers, Intervals } from "../../../data/generated";
import type { Shell } from "../../view";
import { longestLines } from "../longest";

const TEXTS = {
  title: ["Where the time went", "时间去向"],
  all: ["Chip", "芯片"],
  mean: ["Core, mean", "核平均"],
  meanHint: ["A core on average: time in which a core computes and transfers at once / what is possible on that core", "各核平均：某核同时计算与搬运的时间 ÷ 该核可能的重叠时间"],
  chipHint: ["All cores together: one core computes while any core transfers", "所有核合计：某核计算的同时任一核在搬运"],
  core: ["Core {0}", "核 {0}"],
  compute_only_ns: ["compute only", "仅计算"],
  overlapped_ns: ["compute and transfer", "计算与搬运重叠"],
  transfer_only_ns: ["transfer only (exposed)", "仅搬运（暴露）"],
  sync_ns: ["waiting for sync", "等待同步"],
  idle_ns: ["idle", "空闲"],
  overlap: ["Overlap", "重叠率"],
  overlapHint: ["Time in which both run / the smaller of compute time and transfer time; 100 % is full overlap", "重叠时间 ÷ 计算与搬运中较短者：100 % 表示已全部掩盖"],
  longest: ["Longest", "耗时最多"],
  share: ["Share", "占比"],
  whole: ["Over time", "随时间"],
  note: ["The chip: every moment of {0} counts once: work has priority over sync, sync over idle.", "芯片：{0} 中的每一刻只计一次：工作优先于同步，同步优先于空闲。"],
} satisfies Record<string, Text>;

const PHASES = [
  ["compute_only_ns", "var(--tiu)"], ["overlapped_ns", "var(--good)"], ["transfer_only_ns", "var(--gdma)"], ["sync_ns", "var(--wait)"], ["idle_ns", "var(--line)"],
] as const;

/** Bars that the picture has room for. */
const MOST_BARS = 10;

/** The picture of the first screen: bars of the cores and, where there are few, of the longest layers or kernels; `whole` is the strip of the whole run below. */
export function phasesPanel(shell: Shell, { intervals }: Answers, whole: HTMLElement): HTMLElement {
  const { overall, cores, core_mean: mean } = intervals;
  const isMany = cores.length > 1;
  const room = MOST_BARS - (isMany ? cores.length + 2 : 1);
  const units = room > 2 ? longestLines(shell, room) : [];
  const time = columnDuration(PHASES.map(([key]) => overall[key]));
  return h("section", { class: "panel", id: "phases" }, h("h2", null, t(TEXTS.title)),
    h("ul", { class: "phase-key", title: t(TEXTS.note, duration(overall.wall_ns)) }, ...PHASES.map(([key, color]) =>
      h("li", { "data-phase": key }, swatch(color), t(TEXTS[key]), " ", h("b", null, percent(overall[key] / Math.max(overall.wall_ns, 1))), " ", h("span", { class: "muted" }, time(overall[key]))))),
    h("div", { class: "phase-line phase-head muted" }, h("span"), h("span"), h("span", { class: "num", title: t(TEXTS.overlapHint) }, t(TEXTS.overlap))),
    isMany && h("div", { class: "phase-line", id: "overlap-mean", title: t(TEXTS.meanHint) }, h("b", null, t(TEXTS.mean)), meanStack(cores), h("b", { class: "num" }, percent(mean.overlap_ratio))),
    ...(isMany ? [overall, ...cores] : [overall]).map(line),
    h("div", { class: "phase-line" }, h("span", null, t(TEXTS.whole)), whole),
    units.length > 0 && h("div", { class: "phase-line muted" }, h("span", null, t(TEXTS.longest)), h("span"), h("span", { class: "num" }, t(TEXTS.share))), ...units);
}

/** The phases of all cores that ran anything, one on average. */
function meanStack(cores: Intervals[]): HTMLElement {
  const active = cores.filter((core) => core.engines.length > 0);
  const wall = active.reduce((sum, core) => sum + core.wall_ns, 0);
  const parts = PHASES.map(([key, color]) => {
    const share = active.reduce((sum, core) => sum + core[key], 0) / Math.max(wall, 1);
    return { share, color, title: `${t(TEXTS[key])}: ${percent(share)}` };
  });
  return stack(parts, `${t(TEXTS.mean)}: ${parts.map((p) => p.title).join("; ")}`);
}

function line(phases: Intervals): HTMLElement {
  const name = phases.core === null ? t(TEXTS.all) : t(TEXTS.core, phases.core);
  const parts = PHASES.map(([key, color]) => {
    const share = phases[key] / Math.max(phases.wall_ns, 1);
    return { share, color, title: `${t(TEXTS[key])}: ${percent(share)}, ${duration(phases[key])}` };
  });
  return h("div", { class: "phase-line", title: phases.core === null ? t(TEXTS.chipHint) : "" }, phases.core === null ? h("b", null, name) : h("span", null, name),
    stack(parts, `${name}: ${parts.map((p) => p.title).join("; ")}`), h("span", { class: "num" }, percent(phases.overlap_ratio)));
}
