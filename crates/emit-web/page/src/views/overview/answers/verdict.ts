// Why the run takes as long as it does: the first thing on the page.
import { h } from "../../../ui/dom";
import { alignedDuration, columnDuration, percent } from "../../../ui/format";
import { localized, type Text, t } from "../../../ui/i18n";
import type { Advice, Answers } from "../../../data/generated";
import type { Shell } from "../../view";
import type { Culprit } from "./culprit";
import { linkOf } from "./places";

const TEXTS = {
  title: ["Verdict", "结论"],
  without: ["{0}: {2} → {1} without this ({3})", "{0}：若无此问题 {2} → {1}（{3}）"],
  bound: ["{0}: at most {1} less (-{2}), a bound", "{0}：最多减少 {1}（-{2}），仅为上界"],
  estimate: ["{0}: about {1} less (-{2}), an estimate", "{0}：约减少 {1}（-{2}），估计值"],
  known: ["Known to be won: {0}: {1} less (-{2})", "可确定的收益：{0}：减少 {1}（-{2}）"],
  show: ["Show it in the timeline", "在时间线中显示"],
  whatIf: ["Try it in What-if", "在假设分析中尝试"],
  range: ["{0} to {1}", "{0} 至 {1}"],
} satisfies Record<string, Text>;

/** Wall time without the cause, with it, and the change; from and to where the gain is known within bounds only. */
function withoutCause(cause: Advice, without: number, wall: number): string[] {
  const [least, most] = (!cause.most_is_bound && cause.gain_range_ns) || [wall - without, wall - without];
  const time = columnDuration([wall]);
  const change = (gain: number): string => percent(-gain / Math.max(1, wall));
  return least === most
    ? [time(without), time(wall), change(most)]
    : [t(TEXTS.range, time(wall - most), time(wall - least)), time(wall), t(TEXTS.range, change(most), change(least))];
}

/** The piece of advice that the verdict states, whose sentence is not said again; undefined where nothing stands out. */
export function statedAdvice({ verdict, advice }: Answers): Advice | undefined {
  return verdict.without_ns === null ? undefined : advice.find((a) => a.id === verdict.rule);
}

function boundOf(advice: Advice): Text {
  return advice.is_estimate ? TEXTS.estimate : TEXTS.bound;
}

/** The headline with its number, the sentences of the cause, and what to do next; where nothing stands out, what bounds the run. A bound that is above
 * what the cause saves is the cause; the greatest gain that is known has a line of its own then. */
export function verdictPanel(shell: Shell, answers: Answers, culprit: Promise<Culprit | null>): HTMLElement {
  const { verdict } = answers;
  const cause = statedAdvice(answers);
  const gainOf = (text: Text, a: Advice): string => t(text, localized(a.headline), alignedDuration(a.gain_ns!), percent(a.gain_ns! / Math.max(1, verdict.wall_ns)));
  const headline = !cause ? localized(verdict.headline) || localized(verdict)
    : cause.is_bound ? gainOf(boundOf(cause), cause)
      : t(TEXTS.without, localized(verdict.headline), ...withoutCause(cause, verdict.without_ns!, verdict.wall_ns));
  const bound = answers.advice.find((a) => a.id === verdict.bound_rule);
  const known = answers.advice.find((a) => a.id === verdict.known_rule);
  const show = h("button", { class: "tl-chip", hidden: true }, t(TEXTS.show));
  const leadTo = (go: () => void): void => {
    show.addEventListener("click", go);
    show.hidden = false;
  };
  // A number that names a moment or a command leads there; else the longest launch of what the sentence names.
  const go = cause?.evidence.map((evidence) => linkOf(shell, evidence)).find((link) => link !== null);
  if (go) leadTo(go);
  else void culprit.then((found) => found?.longest && leadTo(() => shell.showSlice(found.longest!)));
  return h("section", { class: "panel wide", id: "verdict", "data-rule": verdict.rule ?? "" },
    h("h2", { class: "headline", title: t(TEXTS.title) }, headline),
    bound && h("p", { id: "greater-bound", class: "headline" }, gainOf(boundOf(bound), bound)),
    known && h("p", { id: "known-gain", class: "headline" }, gainOf(TEXTS.known, known)),
    !cause && verdict.headline.text !== "" && h("p", null, localized(verdict)),
    cause && h("p", null, localized(cause), " ", show, " ",
      shell.page.head.whatIf !== null && h("button", { class: "tl-chip", onclick: () => shell.open("whatif") }, t(TEXTS.whatIf))));
}
