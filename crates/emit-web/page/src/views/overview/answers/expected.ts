// Commands that took longer than their bits explain, by kernel or layer, engine and memory.
import type { Answers, SlowCause, Slower } from "../../../data/generated";
import { h } from "../../../ui/dom";
import { alignedDuration, count, duration, percent } from "../../../ui/format";
import { type Text, t } from "../../../ui/i18n";
import { type Column, table } from "../../../ui/table";

const TEXTS = {
  title: ["Slower than their bits explain", "慢于指令位所解释的时间"],
  owner: ["Kernel or layer", "核函数或层"],
  none: ["(outside kernels)", "（核函数之外）"],
  engine: ["Engine", "引擎"],
  memory: ["Memory", "内存"],
  slower: ["Slower", "偏慢"],
  slowerHint: ["Commands that took longer, of all", "偏慢的指令 ÷ 全部指令"],
  expected: ["Expected", "预期"],
  measured: ["Measured", "实测"],
  lost: ["Lost", "损失"],
  share: ["Of wall", "占总时间"],
  cause: ["Cause", "原因"],
  rule: ["Rule", "规则"],
  ruleHint: ["How well the expected time is known", "预期时间的可信度"],
  note: ["{0} commands took {1}; their bits explain {2}. What is more is memory that others use, or a slow engine.", "{0} 条指令耗时 {1}，指令位可解释 {2}；其余来自内存竞争或引擎变慢。"],
  even: ["No kernel or layer lost more than 0.1 % of the wall time.", "没有核函数或层的损失超过总时间的 0.1 %。"],
} satisfies Record<string, Text>;

const CAUSES: Record<SlowCause, Text> = {
  "first-transfer": ["first transfer of the run", "运行的首次搬运"],
  "other-core": ["another core's transfer", "其他核的搬运"],
  unknown: ["not known", "未知"],
};

export function expectedPanel({ expected, intervals }: Answers): HTMLElement | null {
  if (!expected) return null;
  const wall = Math.max(intervals.overall.wall_ns, 1);
  const columns: Column<Slower>[] = [
    { key: "owner", title: t(TEXTS.owner), value: (s) => (s.layer_id === null ? s.name || t(TEXTS.none) : `${s.layer_id} ${s.name}`), mark: () => "name" },
    { key: "engine", title: t(TEXTS.engine), value: (s) => s.engine },
    { key: "memory", title: t(TEXTS.memory), value: (s) => s.memory, cell: (s) => s.memory || "–" },
    { key: "slower", title: t(TEXTS.slower), hint: t(TEXTS.slowerHint), num: true, value: (s) => s.slower, cell: (s) => `${count(s.slower)} / ${count(s.commands)}` },
    { key: "expected", title: t(TEXTS.expected), num: true, value: (s) => s.expected_ns, cell: (s) => alignedDuration(s.expected_ns) },
    { key: "measured", title: t(TEXTS.measured), num: true, value: (s) => s.measured_ns, cell: (s) => alignedDuration(s.measured_ns) },
    { key: "lost", title: t(TEXTS.lost), num: true, value: (s) => s.lost_ns, cell: (s) => alignedDuration(s.lost_ns) },
    { key: "share", title: t(TEXTS.share), num: true, value: (s) => s.lost_ns / wall, cell: (s) => percent(s.lost_ns / wall) },
    { key: "cause", title: t(TEXTS.cause), value: (s) => t(CAUSES[s.cause]) },
    { key: "rule", title: t(TEXTS.rule), hint: t(TEXTS.ruleHint), value: (s) => s.mark },
  ];
  return h("section", { class: "panel wide", id: "expected" }, h("h2", null, t(TEXTS.title)),
    expected.slower.length === 0
      ? h("p", { class: "muted" }, t(TEXTS.even))
      : table({ id: "slower", label: t(TEXTS.title), columns, rows: expected.slower, most: 8, sort: { key: "lost", down: true } }),
    h("p", { class: "key muted" }, t(TEXTS.note, count(expected.commands), duration(expected.measured_ns), duration(expected.expected_ns))));
}
