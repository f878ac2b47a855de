// Changes as people read them. More time is bad; of other numbers nobody says what is good.
import { t } from "../../ui/i18n";
import { RUNS } from "./texts";

/** A change below this share is not coloured. */
const SAME = 0.005;

/** With a sign; `show` gives the unit. */
export function signed(ns: number, show: (ns: number) => string): string {
  return `${ns > 0 ? "+" : ns < 0 ? "−" : ""}${show(Math.abs(ns))}`;
}

/** In percent; `new` or `gone` where a side has none. */
export function relativeText(before: number, after: number): string {
  if (before === 0) return after === 0 ? "–" : t(RUNS.new);
  if (after === 0) return t(RUNS.gone);
  return signedPercent(after / before - 1);
}

export function signedPercent(share: number): string {
  return `${share > 0 ? "+" : share < 0 ? "−" : ""}${(Math.abs(share) * 100).toFixed(2)}%`;
}

/** Colour of a change of time. */
export function changeClass(change: number, before: number): string {
  if (Math.abs(change) <= Math.abs(before) * SAME) return "";
  return change > 0 ? "longer" : "shorter";
}
