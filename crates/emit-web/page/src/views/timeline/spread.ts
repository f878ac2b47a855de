// Amounts over time: the uArch rate times ns, or bytes. An amount a ns is the value that is drawn.
import type { Columns } from "../../data/decode";
import type { Times } from "../../data/page";

export type Metric = "rate" | "ddr" | "l2";

/** What a slice adds to the metric over its whole length; null where the track's facts have none. */
export function amountOf(facts: Columns, metric: Metric, times: Times): ((row: number) => number) | null {
  const column = facts[metric];
  if (!column) return null;
  return metric === "rate" ? (row) => column[row]! * times.dur[row]! : (row) => column[row]!;
}

/** Adds an amount to the buckets that [start, end) covers, in proportion. `start` and `end` in buckets. */
export function spread(into: Float64Array, start: number, end: number, amount: number): void {
  const first = Math.floor(start);
  if (end <= first + 1) {
    if (first >= 0 && first < into.length) into[first]! += amount;
    return;
  }
  const rate = amount / (end - start);
  const last = Math.min(Math.ceil(end), into.length);
  for (let i = Math.max(first, 0); i < last; i++) into[i]! += rate * (Math.min(end, i + 1) - Math.max(start, i));
}
