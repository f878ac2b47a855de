// Where a moment of one run is in the other: launches that belong together start at the same place, and time between them is stretched.
import type { Both, Launch, Pair } from "../../data/runs";
import type { Range } from "../timeline/viewport";

export type Mode = "launches" | "start" | "off";

/** A launch that both runs have. */
export interface Match {
  before: Launch;
  after: Launch;
}

export const isMatch = (pair: Pair): pair is Match => pair.before !== null && pair.after !== null;

export function sides({ before, after }: Match): Both<Launch> {
  return [before, after];
}

export class Alignment {
  /** The core whose launches align the runs: the one with most of them. */
  readonly core: number;
  /** Its launches that both runs have, in the order of their starts. */
  readonly matches: Match[];
  /** Moments of both runs that belong together, ascending. */
  private readonly knots: Both<number[]> = [[], []];

  constructor(pairs: Pair[], private readonly starts: Both<number>) {
    const byCore = new Map<number, Match[]>();
    for (const match of pairs.filter(isMatch)) {
      const { core } = match.before;
      if (!byCore.has(core)) byCore.set(core, []);
      byCore.get(core)!.push(match);
    }
    const [core, matches] = [...byCore].sort((a, b) => b[1].length - a[1].length || a[0] - b[0])[0] ?? [-1, []];
    this.core = core;
    this.matches = [...matches].sort((a, b) => a.before.start - b.before.start);
    for (const { before, after } of this.matches) {
      for (const [a, b] of [[before.start, after.start], [before.start + before.ns, after.start + after.ns]] as const) {
        if (a > (this.knots[0].at(-1) ?? -Infinity) && b > (this.knots[1].at(-1) ?? -Infinity)) {
          this.knots[0].push(a);
          this.knots[1].push(b);
        }
      }
    }
  }

  /** The moment of the other run that belongs to a moment of run `from`. */
  private map(time: number, from: 0 | 1): number {
    const own = this.knots[from];
    const other = this.knots[1 - from]!;
    const next = upper(own, time);
    if (next === 0 || next === own.length) {
      const end = next === 0 ? 0 : own.length - 1;
      return time + other[end]! - own[end]!;
    }
    const share = (time - own[next - 1]!) / (own[next]! - own[next - 1]!);
    return other[next - 1]! + share * (other[next]! - other[next - 1]!);
  }

  /** The range of the other run that shows as much time, with the match, else what is at the left edge, at the same place. */
  range({ start, end }: Range, from: 0 | 1, mode: Mode, match: Match | null): Range {
    const by = this.shift(start, end, from, mode, match);
    return { start: start + by, end: end + by };
  }

  private shift(start: number, end: number, from: 0 | 1, mode: Mode, match: Match | null): number {
    const own = this.knots[from];
    if (mode === "start" || own.length === 0) return this.starts[1 - from]! - this.starts[from];
    if (match) {
      const both = sides(match).map((launch) => launch.start);
      if (both[from]! >= start && both[from]! <= end) return both[1 - from]! - both[from]!;
    }
    const at = Math.min(Math.max(start, own[0]!), own.at(-1)!);
    return this.map(at, from) - at;
  }

  /** The range of the first run in which both runs are seen from start to end. */
  whole(ends: Both<number>, mode: Mode): Range {
    const anchors = mode === "start" || this.matches.length === 0 ? this.starts : ([this.knots[0][0]!, this.knots[1][0]!] as Both<number>);
    const left = Math.max(anchors[0] - this.starts[0], anchors[1] - this.starts[1]);
    const right = Math.max(ends[0] - anchors[0], ends[1] - anchors[1]);
    const air = (left + right) * 0.01;
    return { start: anchors[0] - left - air, end: anchors[0] + right + air };
  }
}

/** Place of the first number greater than `n`. */
function upper(numbers: number[], n: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! > n) high = middle;
    else low = middle + 1;
  }
  return low;
}
