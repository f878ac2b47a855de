// uArch rate and bandwidth over the whole run, at several bucket widths, from a track's facts.
import type { Columns } from "../../data/decode";
import type { Times } from "../../data/page";

/** A value that is drawn over time: the rate times ns, or bytes, are its amounts; amount a ns is its value. */
export type Metric = "rate" | "ddr" | "l2";

const FINEST = 65_536;
const STEP = 4;

/** What a slice adds to the metric over its whole length. */
export function amountOf(facts: Columns, metric: Metric, times: Times): ((row: number) => number) | null {
  const column = facts[metric];
  if (!column) return null;
  return metric === "rate" ? (row) => column[row]! * times.dur[row]! : (row) => column[row]!;
}

/** Adds an amount to the buckets that [start, end) covers, in proportion. `start` and `end` in buckets. */
export function spread(into: Float32Array | Float64Array, start: number, end: number, amount: number): void {
  const first = Math.floor(start);
  if (end <= first + 1) {
    if (first >= 0 && first < into.length) into[first]! += amount;
    return;
  }
  const rate = amount / (end - start);
  const last = Math.min(Math.ceil(end), into.length);
  for (let i = Math.max(first, 0); i < last; i++) into[i]! += rate * (Math.min(end, i + 1) - Math.max(start, i));
}

export class Pyramid {
  /** Amounts by bucket, finest first. */
  private readonly levels: { bucketNs: number; amounts: Float32Array }[] = [];

  /** `length`: ns of the whole run. */
  constructor(times: Times, amount: (row: number) => number, length: number) {
    const rows = times.start.length;
    let buckets = Math.max(64, Math.min(FINEST, 2 ** Math.ceil(Math.log2(rows + 1))));
    let bucketNs = Math.max(length, 1) / buckets;
    let amounts = new Float32Array(buckets);
    for (let row = 0; row < rows; row++) {
      const given = amount(row);
      if (given > 0) spread(amounts, times.start[row]! / bucketNs, (times.start[row]! + times.dur[row]!) / bucketNs, given);
    }
    this.levels.push({ bucketNs, amounts });
    while (buckets > 1024) {
      buckets /= STEP;
      bucketNs *= STEP;
      const finer = amounts;
      amounts = Float32Array.from({ length: buckets }, (_, i) => finer[i * STEP]! + finer[i * STEP + 1]! + finer[i * STEP + 2]! + finer[i * STEP + 3]!);
      this.levels.push({ bucketNs, amounts });
    }
  }

  /** Width of the finest bucket in ns. */
  get finest(): number {
    return this.levels[0]!.bucketNs;
  }

  /** Adds the amounts of the range to `into`, whose buckets are `step` ns wide and start at `start`. */
  read(into: Float64Array, start: number, step: number): void {
    const level = this.levels.findLast((l) => l.bucketNs <= step) ?? this.levels[0]!;
    const { bucketNs, amounts } = level;
    const last = Math.min(Math.ceil((start + step * into.length) / bucketNs), amounts.length);
    for (let i = Math.max(Math.floor(start / bucketNs), 0); i < last; i++) {
      const amount = amounts[i]!;
      if (amount > 0) spread(into, (i * bucketNs - start) / step, ((i + 1) * bucketNs - start) / step, amount);
    }
  }
}
