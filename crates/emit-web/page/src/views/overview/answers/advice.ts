// Advice with the numbers that it rests on.
import { h } from "../../../ui/dom";
import { binaryBytes, bytes, count, alignedDuration, gbps, percent } from "../../../ui/format";
import { localized, type Text, t } from "../../../ui/i18n";
import type { Advice, Answers, Evidence, Together } from "../../../data/generated";
import type { Shell } from "../../view";
import { linkOf } from "./places";
import { statedAdvice } from "./verdict";
import { markName, unitName } from "./words";

const TEXTS = {
  title: ["Advice", "建议"],
  none: ["No rule found a problem.", "没有规则发现可改进之处。"],
  gain: ["saves {0} ({1})", "可节省 {0}（{1}）"],
  bound: ["bound: {0} ({1})", "上界：{0}（{1}）"],
  estimate: ["estimate: {0} ({1})", "估计：{0}（{1}）"],
  range: ["saves {0} to {1} (up to {2})", "可节省 {0} 至 {1}（最多 {2}）"],
  atLeast: ["saves at least {0}; bound: {1} ({2})", "至少可节省 {0}；上界：{1}（{2}）"],
  beyondFirst: ["{0} of it once the first is fixed", "解决第一项之后还剩 {0}"],
  nothingBeyond: ["nothing of it once the first is fixed", "解决第一项之后无剩余"],
  rule: ["rule: {0}", "规则：{0}"],
  place: ["Where", "位置"],
  link: ["Show it in the timeline", "在时间线中显示"],
  together: ["All together: {0} ({1}).", "全部合计：{0}（{1}）。"],
  togetherRange: ["All together: {0} to {1} (up to {2}).", "全部合计：{0} 至 {1}（最多 {2}）。"],
  replayed: ["Each saving comes from a replay of the run without the problem. Two rules can count the same time: do not sum savings.", "每项节省来自去除该问题后对运行的重放。不同规则可能重复计入同一段时间，不可相加。"],
  estimated: ["The run could not be replayed: each saving is an estimate. Two rules can count the same time: do not sum savings.", "该运行无法重放：每项节省均为估计值。不同规则可能重复计入同一段时间，不可相加。"],
} satisfies Record<string, Text>;

export function advicePanel(shell: Shell, answers: Answers): HTMLElement {
  const { advice, advice_together: together, verdict } = answers;
  // Of the ns, as the verdict does it: what is rounded twice can differ from it.
  const share = (ns: number): string => percent(ns / Math.max(1, verdict.wall_ns));
  const stated = statedAdvice(answers);
  const gained = advice.filter((a) => a.gain_ns);
  const note = t(gained.some((a) => a.replayed) ? TEXTS.replayed : TEXTS.estimated);
  const all = together && advice.length > 1 ? togetherText(together, share) : "";
  return h("section", { class: "panel", id: "advice" }, h("h2", null, t(TEXTS.title)),
    advice.length === 0 && h("p", { class: "muted" }, t(TEXTS.none)),
    ...advice.map((a) => piece(shell, a, share, a === (stated ?? advice[0]), a === stated)),
    gained.length > 0 && h("p", { class: "key muted" }, all !== "" && h("b", { id: "advice-together" }, all, " "), note));
}

/** What all pieces would save at once; with the bounds among them it is no less than each of these. */
function togetherText({ gain_ns, gain_range_ns: range }: Together, share: (ns: number) => string): string {
  return range ? t(TEXTS.togetherRange, alignedDuration(range[0]), alignedDuration(range[1]), share(range[1])) : t(TEXTS.together, alignedDuration(gain_ns), share(gain_ns));
}

function piece(shell: Shell, a: Advice, share: (ns: number) => string, open: boolean, isStated: boolean): HTMLElement {
  const [least, most] = a.gain_range_ns ?? [0, 0];
  const gain = a.gain_range_ns ? t(a.most_is_bound ? TEXTS.atLeast : TEXTS.range, alignedDuration(least), alignedDuration(most), share(most)) : a.gain_ns ? t(a.is_estimate ? TEXTS.estimate : a.is_bound ? TEXTS.bound : TEXTS.gain, alignedDuration(a.gain_ns), share(a.gain_ns)) : "";
  return h("details", { open, "data-advice": a.id },
    h("summary", null, h("span", null, h("b", null, localized(a.headline) || a.id), " ", h("code", { class: "muted" }, a.id), " ", gain !== "" && h("span", { class: "chip" }, gain), a.beyond_first_ns !== undefined && h("span", { class: "chip beyond" }, a.beyond_first_ns === 0 ? t(TEXTS.nothingBeyond) : t(TEXTS.beyondFirst, alignedDuration(a.beyond_first_ns))), a.mark ? h("span", { class: "chip" }, t(TEXTS.rule, markName(a.mark))) : ""),
      // What to do is read without opening it.
      !isStated && h("div", { class: "remedy" }, localized(a))),
    ...evidence(shell, a.evidence));
}

/** The numbers of a piece: those that several places share as a table of places, the others in lines. */
function evidence(shell: Shell, all: Evidence[]): HTMLElement[] {
  const { places, others } = byPlace(all);
  const what = (e: Evidence): string => localized({ text: e.what, text_zh: e.what_zh });
  const lines = others.map((e, at) => h("tr", null, h("td", null, what(e)), h("td", { class: "num" }, amount(e)), h("td", { class: "muted place" }, e.place === others[at - 1]?.place ? "" : placeCell(shell, e))));
  const [first] = places;
  return [
    ...(first ? [h("table", { class: "legend places" },
      h("thead", null, h("tr", null, h("th", null, t(TEXTS.place)), ...first.map((e) => h("th", { class: "num" }, what(e))))),
      h("tbody", null, ...places.map((row) => h("tr", null, h("td", { class: "place" }, placeCell(shell, row[0]!)), ...row.map((e) => h("td", { class: "num" }, amount(e)))))))] : []),
    ...(lines.length > 0 ? [h("table", { class: "legend" }, h("tbody", null, ...lines))] : []),
  ];
}

function grouped<T>(all: Iterable<T>, keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}

/** Numbers of the most places that have the same ones, two at least, place by place; and the others. */
function byPlace(all: Evidence[]): { places: Evidence[][]; others: Evidence[] } {
  const ofPlace = grouped(all.filter(({ place }) => place !== ""), ({ place }) => place);
  const alike = grouped(ofPlace.values(), (own) => own.map(({ id }) => id).join());
  const [most] = [...alike.values()].filter((rows) => rows.length > 1 && rows[0]!.length > 1).toSorted((a, b) => b.length - a.length);
  const places = most ?? [];
  const shown = new Set(places.flat());
  return { places, others: all.filter((e) => !shown.has(e)) };
}

function placeCell(shell: Shell, evidence: Evidence): Node | string {
  const go = linkOf(shell, evidence);
  const text = localized({ text: evidence.place, text_zh: evidence.place_zh });
  return go ? h("button", { class: "link", title: t(TEXTS.link), onclick: go }, text) : text;
}

/** A number in the unit that suits it. */
function amount({ id, value, unit }: Evidence): string {
  if (unit === "us") return alignedDuration(value * 1000);
  if (unit === "B") return (MEMORY.has(id) ? binaryBytes : bytes)(Math.round(value));
  if (unit === "GB/s") return gbps(value);
  if (unit === "" && SHARES.has(id)) return percent(value);
  return `${Number.isInteger(value) ? count(value) : value} ${unitName(unit)}`.trim();
}

/** Sizes of memory on the chip. */
const MEMORY: ReadonlySet<string> = new Set(["evidence-second-buffers", "evidence-memory-in-use", "evidence-memory-highest", "evidence-local-memory", "evidence-mean-size"]);
const SHARES: ReadonlySet<string> = new Set(["evidence-uarch-rate", "evidence-overlap-ratio", "evidence-share-of-cycles", "evidence-share-of-one"]);
