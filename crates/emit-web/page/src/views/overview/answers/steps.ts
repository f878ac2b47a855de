// Iterations: what each took, and which stand out.
import { h } from "../../../ui/dom";
import { duration, percent } from "../../../ui/format";
import { type Text, t } from "../../../ui/i18n";
import { type Column, table } from "../../../ui/table";
import type { Shell } from "../../view";
import type { Answers, Step } from "../../../data/generated";
import { sinceStart } from "../../../data/page";

const TEXTS = {
  title: ["Steps", "迭代步"],
  summary: ["{0} steps ({1}); p50 {2}, p95 {3}, spread {4}", "共 {0} 步（{1}）；p50 {2}，p95 {3}，离散 {4}"],
  warmUp: ["; warm-up: the first {0} took {1} longer", "；前 {0} 步多用 {1}（预热）"],
  outliers: ["; {0} outliers", "；{0} 个离群步"],
  repetition: ["found by repeating kernels", "核函数序列重复"],
  kernel: ["found by a kernel name", "按核函数名"],
  host: ["found by host markers", "按主机标记"],
  step: ["Step", "步"],
  at: ["At", "开始于"],
  time: ["Time", "时长"],
  compute: ["Compute only", "仅计算"],
  overlapped: ["Both", "重叠"],
  transfer: ["Exposed transfer", "未掩盖的搬运"],
  sync: ["Sync", "同步"],
  idle: ["Idle", "空闲"],
  launches: ["Launches", "启动次数"],
  remark: ["Remark", "备注"],
  isWarmUp: ["warm-up", "预热"],
  isOutlier: ["outlier", "离群"],
  isIrregular: ["other kernels", "核函数不同"],
  open: ["Show it in the timeline", "在时间线中显示"],
} satisfies Record<string, Text>;

export function stepsPanel(shell: Shell, { steps }: Answers): HTMLElement | null {
  if (!steps) return null;
  const { head } = shell.page;
  const { times } = steps;
  const length = (s: Step): number => s.end_ns - s.start_ns;
  const phase = (key: string, title: Text, of: (s: Step) => number): Column<Step> => ({ key, title: t(title), num: true, value: of, time: (s) => of(s) });
  const remark = (s: Step): string => [!s.is_regular && TEXTS.isIrregular, s.is_warm_up && TEXTS.isWarmUp, s.is_outlier && TEXTS.isOutlier].filter((x) => x !== false).map((x) => t(x)).join(", ");
  const columns: Column<Step>[] = [
    { key: "step", title: t(TEXTS.step), num: true, value: (s) => s.number, cell: (s) => s.name || String(s.number) },
    phase("at", TEXTS.at, (s) => sinceStart(head, s.start_ns)),
    phase("time", TEXTS.time, length),
    phase("compute", TEXTS.compute, (s) => s.compute_only_ns),
    phase("overlapped", TEXTS.overlapped, (s) => s.overlapped_ns),
    phase("transfer", TEXTS.transfer, (s) => s.transfer_only_ns),
    phase("sync", TEXTS.sync, (s) => s.sync_ns),
    phase("idle", TEXTS.idle, (s) => s.idle_ns),
    { key: "launches", title: t(TEXTS.launches), num: true, value: (s) => s.launches },
    { key: "remark", title: t(TEXTS.remark), value: remark },
  ];
  const summary = [t(TEXTS.summary, times.count, t(TEXTS[steps.source]), duration(times.p50_ns), duration(times.p95_ns), percent(times.spread)),
    times.warm_up > 0 ? t(TEXTS.warmUp, times.warm_up, duration(times.warm_up_ns)) : "", times.outliers > 0 ? t(TEXTS.outliers, times.outliers) : ""];
  return h("section", { class: "panel wide", id: "steps" }, h("h2", null, t(TEXTS.title)), h("p", null, summary.join("")),
    table({
      id: "steps-table", label: t(TEXTS.title), columns, rows: steps.steps, most: 12, openHint: t(TEXTS.open),
      open: (s) => shell.showRange(sinceStart(head, s.start_ns), sinceStart(head, s.end_ns)),
    }));
}
