// The times in which an engine did no work, those that cost most first.
import { h } from "../../../ui/dom";
import { type Text, t } from "../../../ui/i18n";
import { type Column, table } from "../../../ui/table";
import { findState } from "../../find/filter";
import type { Shell, SliceRef } from "../../view";
import type { Answers, Cause, CauseCost, Edge, Gap } from "../../../data/generated";
import { sinceStart } from "../../../data/page";

const TEXTS = {
  title: ["Gaps with the highest cost", "代价最大的间隙"],
  none: ["No engine has a gap between its commands.", "各引擎的指令之间都没有间隙。"],
  engine: ["Engine", "引擎"],
  length: ["Length", "时长"],
  saved: ["Cost of the run", "运行代价"],
  savedHint: ["By how much the run would be shorter if the command after the gap had found all that it needed: replayed", "若间隙后的指令所需的一切都已就绪，运行可缩短多少（重放所得）"],
  cost: ["No engine of the core worked", "该核无引擎工作"],
  costHint: ["The part of the gap in which no engine of the core worked", "其中该核所有引擎均未工作的时间"],
  waited: ["Ended by", "结束于"],
  waitedHint: ["The command whose end ended the gap", "其结束使间隙结束的指令"],
  unknown: ["not known", "未知"],
  all: ["List all gaps", "列出全部间隙"],
  more: ["{0} and {1} more", "{0} 等另外 {1} 个"],
  withHint: ["They waited for the same: {0}", "等待同一事件：{0}"],
  at: ["At", "开始于"],
  cause: ["Cause", "原因"],
  before: ["After", "之前"],
  after: ["Before", "之后"],
  open: ["Select it in the timeline", "在时间线中选中"],
  start: ["before the first work", "首次工作之前"],
  end: ["after the last work", "最后工作之后"],
  sync: ["own sync", "自身同步"],
  other_engine: ["other engine", "其他引擎"],
  launch: ["kernel launch", "核函数启动"],
  idle: ["nothing ran", "无运行"],
} satisfies Record<string, Text>;

const CAUSES: Record<Cause, Text> = { start: TEXTS.start, end: TEXTS.end, sync: TEXTS.sync, other_engine: TEXTS.other_engine, launch: TEXTS.launch, idle: TEXTS.idle };

/** The engine, and how many others waited for the same. */
function engines(g: Gap): Node | string {
  const own = `${g.engine} ${g.index}`;
  if (g.with.length === 0) return own;
  return h("span", { title: t(TEXTS.withHint, g.with.map((other) => other.join(" ")).join(", ")) }, t(TEXTS.more, own, g.with.length));
}

/** The layer of an engine's command; "" where it has none. */
async function layerOf({ page }: Shell, engine: string, index: number, event: number): Promise<string> {
  const track = page.tracks.find((of) => of.isEngine && of.engine === engine && of.head.core === index);
  const { layer } = track ? await track.facts() : {};
  return layer ? page.layerLabel(layer[event]!) : "";
}

/** The gap as a slice of its own; null where the page does not have it. */
async function gapSlice({ page }: Shell, { engine, index, start_ns }: Gap): Promise<SliceRef | null> {
  const track = page.tracks.find((of) => of.kind === "gap" && of.engine === engine && of.head.core === index);
  if (!track) return null;
  const { start } = await track.loadTimes();
  const row = start.indexOf(sinceStart(page.head, start_ns));
  return row < 0 ? null : { track: track.index, row };
}

/** How many gaps are between commands: those before the first and after the last command are not ranked. */
function inner(causes: CauseCost[]): number {
  return causes.reduce((sum, { cause, count }) => (cause === "start" || cause === "end" ? sum : sum + count), 0);
}

export function gapsPanel(shell: Shell, { gaps }: Answers): HTMLElement {
  const { head } = shell.page;
  const length = (g: Gap): number => g.sync_ns + g.other_engine_ns + g.idle_ns;
  const following = ({ engine, index, after }: Gap) => {
    const track = after && shell.page.tracks.find((x) => x.isEngine && x.engine === engine && x.head.core === index);
    return track ? { track: track.index, row: after.event } : null;
  };
  const hasLayers = head.layers.length > 0;
  const edge = ({ engine, index }: Gap, e: Edge | null): Node | string => {
    if (!e) return "–";
    const owner = h("span", { class: "muted" });
    if (hasLayers) void layerOf(shell, engine, index, e.event).then((title) => title !== "" && owner.append(` ${title}`));
    return h("span", { title: `${e.name} #${e.event} ${e.kernel}` }, `${e.name} #${e.event}`, owner);
  };
  // The nearest work; behind it is what a sync waited for.
  const endOf = (g: Gap) => (g.waited_for ? (g.chain.find((link) => link.is_work) ?? g.chain.at(-1)) : undefined);
  const ended = (g: Gap): string => {
    const end = endOf(g);
    return end ? `${end.engine} ${end.index} ${end.name} #${end.event}` : t(TEXTS.unknown);
  };
  const columns: Column<Gap>[] = [
    { key: "engine", title: t(TEXTS.engine), value: (g) => `${g.engine} ${g.index}`, cell: engines },
    { key: "length", title: t(TEXTS.length), num: true, value: length, time: (g) => length(g) },
    { key: "saved", title: t(TEXTS.saved), hint: t(TEXTS.savedHint), num: true, value: (g) => g.saved_ns ?? -1, time: (g) => g.saved_ns },
    { key: "cost", title: t(TEXTS.cost), hint: t(TEXTS.costHint), num: true, value: (g) => g.cost_ns, time: (g) => g.cost_ns },
    { key: "at", title: t(TEXTS.at), num: true, value: (g) => g.start_ns, time: (g) => sinceStart(head, g.start_ns) },
    { key: "cause", title: t(TEXTS.cause), value: (g) => t(CAUSES[g.cause]) },
    { key: "waited", title: t(TEXTS.waited), hint: t(TEXTS.waitedHint), value: ended, cell: (g) => h("span", { class: endOf(g) ? "" : "muted" }, ended(g)) },
    { key: "before", title: t(TEXTS.before), mark: () => "edge", value: (g) => g.before?.name ?? "", cell: (g) => edge(g, g.before) },
    { key: "after", title: t(TEXTS.after), mark: () => "edge", value: (g) => g.after?.name ?? "", cell: (g) => edge(g, g.after) },
  ];
  return h("section", { class: "panel", id: "gaps" }, h("h2", null, t(TEXTS.title)),
    gaps.longest.length === 0 ? h("p", { class: "muted" }, t(TEXTS.none))
      : table({
        id: "longest-gaps", label: t(TEXTS.title), columns, rows: gaps.longest, most: 12, total: inner(gaps.causes), openHint: t(TEXTS.open),
        open: (g) => void gapSlice(shell, g).then((slice) => (slice ? shell.showSlice(slice) : shell.showRange(sinceStart(head, g.start_ns), sinceStart(head, g.start_ns) + length(g), following(g)))),
      }),
    shell.page.tracks.some((track) => track.kind === "gap") && h("p", null, h("button", { class: "tl-chip", id: "all-gaps", onclick: () => shell.find(findState({ q: "gap" })) }, t(TEXTS.all))));
}
