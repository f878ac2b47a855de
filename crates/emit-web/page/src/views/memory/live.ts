// The live bytes of the chosen lane as a line over time. What they are, and how they are counted: crates/measure/src/live_bytes.rs.
import type { Accesses } from "./accesses";

export interface Live {
  /** Times of change, ascending, and the total from each on. */
  time: Float64Array;
  bytes: Float64Array;
  most: number;
}

/** The live bytes of a lane; -1: of all lanes together. */
export function liveBytes(a: Accesses, lane: number): Live {
  const { lanes, most } = a.live;
  const place = lane < 0 ? 0 : lanes.findLast(([first]) => first <= lane)![1];
  const changes = a.totals[place]!;
  const time = new Float64Array(changes.length);
  const bytes = new Float64Array(changes.length);
  let points = 0;
  let total = 0;
  for (const i of a.byEnd) {
    if (changes[i] === 0) continue;
    total += changes[i]!;
    time[points] = a.end[i]!;
    bytes[points++] = total;
  }
  return { time: time.subarray(0, points), bytes: bytes.subarray(0, points), most: most[place]! };
}
