// Where the wall time went, of all cores together and of each.
import { stack, swatch } from "../../../ui/bars";
import { h } from "../../../ui/dom";
import { columnDuration, duration, percent } from "../../../ui/format";
import { type Text, t } from "../../../ui/i18n";
import type { Answers, Intervals } from "../../../data/generated";

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
  note: ["Every moment of {0} counts once: work has priority over sync, sync over idle.", "{0} 中的每一刻只计一次：工作优先于同步，同步优先于空闲。"],
} satisfies Record<string, Text>;

const PHASES = [
  ["compute_only_ns", "var(--tiu)"], ["overlapped_ns", "var(--good)"], ["transfer_only_ns", "var(--gdma)"], ["sync_ns", "var(--wait)"], ["idle_ns", "var(--line)"],
] as const;

export function phasesPanel({ intervals }: Answers): HTMLElement {
  const rows = intervals.cores.length > 1 ? [intervals.overall, ...intervals.cores] : [intervals.overall];
  const time = columnDuration(PHASES.map(([key]) => intervals.overall[key]));
  return h("section", { class: "panel", id: "phases" }, h("h2", null, t(TEXTS.title)),
    h("div", { class: "phase-line phase-head muted" }, h("span"), h("span"), h("span", { class: "num", title: t(TEXTS.overlapHint) }, t(TEXTS.overlap))),
    intervals.cores.length > 1 && h("div", { class: "phase-line", id: "overlap-mean", title: t(TEXTS.meanHint) }, h("b", null, t(TEXTS.mean)), meanStack(intervals.cores), h("b", { class: "num" }, percent(intervals.core_mean.overlap_ratio))),
    ...rows.map(line),
    h("table", { class: "legend" }, h("tbody", null, ...PHASES.map(([key, color]) => h("tr", { "data-phase": key }, h("td", null, swatch(color), t(TEXTS[key])),
      h("td", { class: "num" }, time(intervals.overall[key])), h("td", { class: "num" }, percent(intervals.overall[key] / Math.max(intervals.overall.wall_ns, 1))))))),
    h("p", { class: "key muted" }, t(TEXTS.note, duration(intervals.overall.wall_ns))));
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
