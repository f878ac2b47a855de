// Why the run takes as long as it does: the first thing on the page.
import { h } from "../../../ui/dom";
import { duration, percent } from "../../../ui/format";
import { localized, type Text, t } from "../../../ui/i18n";
import type { Advice, Answers } from "../../../data/generated";

const TEXTS = {
  title: ["Verdict", "结论"],
  without: ["Without this the run would take {0} instead of {1} ({2}).", "否则该运行只需 {0}，而不是 {1}（{2}）。"],
  range: ["{0} to {1}", "{0} 至 {1}"],
} satisfies Record<string, Text>;

/** Wall time without the cause, with it, and the change; from and to where the gain is known within bounds only. */
function withoutCause(cause: Advice, without: number, wall: number): string[] {
  const [least, most] = cause.gain_range_ns ?? [wall - without, wall - without];
  const change = (gain: number): string => percent(-gain / Math.max(1, wall));
  return least === most
    ? [duration(without), duration(wall), change(most)]
    : [t(TEXTS.range, duration(wall - most), duration(wall - least)), duration(wall), t(TEXTS.range, change(most), change(least))];
}

/** The sentence of the cause, and what the run would be without it; where nothing stands out, what bounds the run. */
export function verdictPanel({ verdict, advice }: Answers): HTMLElement {
  const cause = advice.find((a) => a.id === verdict.rule);
  const without = verdict.without_ns;
  const words = cause && without !== null
    ? `${localized(cause)} ${t(TEXTS.without, ...withoutCause(cause, without, verdict.wall_ns))}`
    : localized(verdict);
  return h("section", { class: "panel wide", id: "verdict", "data-rule": verdict.rule ?? "" }, h("h2", null, t(TEXTS.title)), h("p", null, h("b", null, words)));
}
