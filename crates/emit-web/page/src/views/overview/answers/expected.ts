// Commands that took longer than their bits explain, by kernel or layer, engine and memory.
import type { Answers, SlowCause, Slower } from "../../../data/generated";
import { h } from "../../../ui/dom";
import { count, duration, percent } from "../../../ui/format";
import { type Text, t } from "../../../ui/i18n";
import * as state from "../../../ui/state";
import { type Column, table } from "../../../ui/table";
import { findState } from "../../find/filter";
import { SLOW } from "../../timeline/heat";
import type { Shell } from "../../view";
import { markName } from "./words";

const TEXTS = {
  title: ["Slower than their bits explain", "慢于指令位所解释的时间"],
  owner: ["Kernel or layer", "核函数或层"],
  none: ["(outside kernels)", "（核函数之外）"],
  noLayer: ["(in no layer)", "（不属于任何层）"],
  engine: ["Engine", "引擎"],
  memory: ["Memory", "内存"],
  slower: ["Slower", "偏慢"],
  list: ["List its slower commands", "列出其偏慢的指令"],
  timeline: ["Show them in the timeline", "在时间线中显示"],
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

export function expectedPanel(shell: Shell, { expected, intervals }: Answers): HTMLElement | null {
  if (!expected) return null;
  const { page } = shell;
  const outside = t(page.head.layers.length > 0 ? TEXTS.noLayer : TEXTS.none);
  const wall = Math.max(intervals.overall.wall_ns, 1);
  const layerOf = ({ layer_id, name }: Slower): string => {
    const layer = layer_id === null ? -1 : page.layerOfId(layer_id);
    return layer < 0 ? name : page.layerLabel(layer);
  };
  const columns: Column<Slower>[] = [
    { key: "owner", title: t(TEXTS.owner), value: (s) => (s.layer_id === null ? s.name || outside : layerOf(s)), mark: () => "name" },
    { key: "engine", title: t(TEXTS.engine), value: (s) => s.engine },
    { key: "memory", title: t(TEXTS.memory), value: (s) => s.memory, cell: (s) => s.memory || "–" },
    { key: "slower", title: t(TEXTS.slower), hint: t(TEXTS.slowerHint), num: true, value: (s) => s.slower, cell: (s) => `${count(s.slower)} / ${count(s.commands)}` },
    { key: "expected", title: t(TEXTS.expected), num: true, value: (s) => s.expected_ns, time: (s) => s.expected_ns },
    { key: "measured", title: t(TEXTS.measured), num: true, value: (s) => s.measured_ns, time: (s) => s.measured_ns },
    { key: "lost", title: t(TEXTS.lost), num: true, value: (s) => s.lost_ns, mark: (s) => (s.lost_ns > s.expected_ns * (SLOW - 1) ? "longer" : ""), time: (s) => s.lost_ns },
    { key: "share", title: t(TEXTS.share), num: true, value: (s) => s.lost_ns / wall, cell: (s) => percent(s.lost_ns / wall) },
    { key: "cause", title: t(TEXTS.cause), value: (s) => t(CAUSES[s.cause]) },
    { key: "rule", title: t(TEXTS.rule), hint: t(TEXTS.ruleHint), value: (s) => markName(s.mark) },
  ];
  return h("section", { class: "panel wide", id: "expected" }, h("h2", null, t(TEXTS.title)),
    expected.slower.length === 0
      ? h("p", { class: "muted" }, t(TEXTS.even))
      : table({ id: "slower", label: t(TEXTS.title), columns, rows: expected.slower, most: 8, sort: { key: "lost", down: true }, openHint: t(TEXTS.list), open: (s) => shell.find(findState({ engine: s.engine.toLowerCase(), ...(s.layer_id === null ? { kernel: s.name, q: `slower:${SLOW}` } : { q: `slower:${SLOW} layer:#${s.layer_id}` }) })) }),
    expected.slower.length > 0 && h("p", null, h("button", { class: "tl-chip", id: "slower-timeline", onclick: () => {
      state.set({ "tl.colour": "expected", "tl.slower": String(SLOW) });
      shell.open("timeline");
    } }, t(TEXTS.timeline))),
    h("p", { class: "key muted" }, t(TEXTS.note, count(expected.commands), duration(expected.measured_ns), duration(expected.expected_ns))));
}
