// How many bytes of a lane hold something that will still be read.
//
// A byte is live from the end of the write that filled it to the end of the last read before it is written again (or before the run's
// end). Bytes that are read but were not written within the run are not counted, nor are those written and never read. The live total
// at a time is the number of live byte addresses of a lane; an address counts once, whichever lanes hold it. All accesses count, shown or
// not, unless a lane is chosen: then those that touch it.
import type { Accesses } from "./accesses";

export interface Live {
  /** Times of change, ascending, and the total from each on. */
  time: Float64Array;
  bytes: Float64Array;
  most: number;
  /** Addresses are rounded out to this many bytes; 1 is exact. */
  grain: number;
}

/** Distinct addresses up to which the count is exact; with more, addresses are rounded to as many blocks. */
const EXACT = 4096;

export function liveBytes(a: Accesses, laneBytes: number, lane: number): Live {
  const touches = (i: number): boolean => lane < 0 || (lane >= a.lane[i]! && lane < a.lane[i]! + a.lanes[i]!);
  const { edges, grain } = addresses(a, laneBytes, touches);
  const places = new Map<number, number>(Array.from(edges, (edge, place) => [edge, place]));
  const from = (i: number): number => places.get(Math.floor(a.addr[i]! / grain) * grain) ?? 0;
  const to = (i: number): number => places.get(Math.min(Math.ceil((a.addr[i]! + a.bytes[i]!) / grain) * grain, laneBytes)) ?? edges.length - 1;

  // By segment between two edges: when it was filled, and when it was last read since; -1 never.
  const filled = new Float64Array(edges.length).fill(-1);
  const read = new Float64Array(edges.length).fill(-1);
  const change = new Map<number, number>();
  const add = (time: number, bytes: number): void => void change.set(time, (change.get(time) ?? 0) + bytes);
  const close = (segment: number): void => {
    if (filled[segment]! < 0 || read[segment]! <= filled[segment]!) return;
    const size = edges[segment + 1]! - edges[segment]!;
    add(filled[segment]!, size);
    add(read[segment]!, -size);
  };
  // In order of ends: a command that reads and writes the same bytes reads first.
  const order = Uint32Array.from(a.end, (_, i) => i).sort((x, y) => a.end[x]! - a.end[y]! || a.write[x]! - a.write[y]!);
  for (const i of order) {
    if (!touches(i)) continue;
    const last = to(i);
    for (let segment = from(i); segment < last; segment++) {
      if (a.write[i]) {
        close(segment);
        filled[segment] = a.end[i]!;
        read[segment] = -1;
      } else if (filled[segment]! >= 0) read[segment] = a.end[i]!;
    }
  }
  for (let segment = 0; segment < edges.length - 1; segment++) close(segment);
  return { ...totals(change), grain };
}

/** Addresses at which anything starts or ends, ascending. */
function addresses(a: Accesses, laneBytes: number, touches: (i: number) => boolean): { edges: Float64Array; grain: number } {
  const seen = new Set<number>([0, laneBytes]);
  for (let i = 0; i < a.addr.length && seen.size <= EXACT; i++) {
    if (touches(i)) seen.add(a.addr[i]!).add(Math.min(a.addr[i]! + a.bytes[i]!, laneBytes));
  }
  if (seen.size <= EXACT) return { edges: Float64Array.from(seen).sort(), grain: 1 };
  const grain = Math.ceil(laneBytes / EXACT);
  return { edges: Float64Array.from({ length: Math.ceil(laneBytes / grain) + 1 }, (_, i) => Math.min(i * grain, laneBytes)), grain };
}

function totals(change: Map<number, number>): { time: Float64Array; bytes: Float64Array; most: number } {
  const time = Float64Array.from(change.keys()).sort();
  let sum = 0;
  let most = 0;
  const bytes = time.map((at) => {
    sum += change.get(at)!;
    most = Math.max(most, sum);
    return sum;
  });
  return { time, bytes, most };
}
