// Finds the slices of a time range: rows by lane, and in a lane by start.
import type { Times } from "../../data/page";

export class LaneIndex {
  /** Row at each place; null where places are rows. */
  private readonly order: Uint32Array | null;
  /** First place of each lane, and the number of places. */
  readonly bounds: Uint32Array;

  constructor(
    readonly times: Times,
    readonly lanes: number,
    sorted: boolean,
  ) {
    const { start, lane } = times;
    const rows = start.length;
    this.bounds = new Uint32Array(lanes + 1);
    if (!lane) this.bounds[1] = rows;
    else {
      for (let row = 0; row < rows; row++) this.bounds[lane[row]! + 1]!++;
      for (let i = 0; i < lanes; i++) this.bounds[i + 1]! += this.bounds[i]!;
    }
    if (!lane && sorted) {
      this.order = null;
      return;
    }
    this.order = new Uint32Array(rows);
    const next = this.bounds.slice();
    for (let row = 0; row < rows; row++) this.order[next[lane?.[row] ?? 0]!++] = row;
    if (!sorted) for (let i = 0; i < lanes; i++) this.order.subarray(this.bounds[i]!, this.bounds[i + 1]!).sort((a, b) => start[a]! - start[b]! || a - b);
  }

  row(place: number): number {
    return this.order ? this.order[place]! : place;
  }

  /** First place of the lane whose slice starts at the time or later. */
  private lower(lane: number, time: number): number {
    let low = this.bounds[lane]!;
    let high = this.bounds[lane + 1]!;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.times.start[this.row(middle)]! < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** First place of the lane whose slice ends after the time. Slices of a lane do not overlap, so at most a few steps back. */
  from(lane: number, time: number): number {
    const { start, dur } = this.times;
    let place = this.lower(lane, time);
    while (place > this.bounds[lane]!) {
      const row = this.row(place - 1);
      if (start[row]! + dur[row]! <= time) break;
      place--;
    }
    return place;
  }

  /** The place after the lane's last slice that starts before the time. */
  to(lane: number, time: number): number {
    return this.lower(lane, time);
  }

  /** Slices that touch the range, in all lanes. */
  count(start: number, end: number): number {
    let sum = 0;
    for (let lane = 0; lane < this.lanes; lane++) sum += Math.max(0, this.to(lane, end) - this.from(lane, start));
    return sum;
  }
}

/** Rows by start over all lanes, to step from one to the next. */
export function rowsByStart(times: Times): Uint32Array {
  const { start, dur } = times;
  return Uint32Array.from(start.keys()).sort((a, b) => start[a]! - start[b]! || dur[b]! - dur[a]! || a - b);
}
