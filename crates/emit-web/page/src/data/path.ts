// The critical path of the run, and what each command waited for. `Head.path` and `TrackHead.causes` say what the columns are.
import { type Columns, readChunk } from "./decode";
import type { Chunk } from "./generated";

/** Pieces of the path in time order: each starts where the one before ended. */
export interface PathPieces {
  start: Float64Array;
  end: Float64Array;
  /** Index into `strings`. */
  reason: Float64Array;
  /** Index into `kernels`, -1 for none. */
  kernel: Float64Array;
  /** The command, or the one that follows a gap. */
  track: Float64Array;
  row: Float64Array;
}

/** By row of a track: what the command waited for longest. */
export interface Causes {
  /** ns by which it could have ended later without the run taking longer. */
  slack: Float64Array;
  onPath: Float64Array;
  /** Index into `strings`. */
  why: Float64Array;
  /** The command that it waited for, -1 for none. */
  track: Float64Array;
  row: Float64Array;
}

export async function readPath(chunk: Chunk, start: number): Promise<PathPieces> {
  const c = await readChunk(chunk);
  const end = c.end!;
  const starts = new Float64Array(end.length);
  for (let i = 0; i < end.length; i++) starts[i] = i === 0 ? start : end[i - 1]!;
  return { start: starts, end, reason: c.reason!, kernel: c.kernel!, track: c.track!, row: c.row! };
}

/** `number` is the track whose causes these are. */
export function causesOf({ slack, onPath, why, track, row }: Columns, number: number): Causes {
  const last = new Map<number, number>();
  const rows = row!.map((n, at) => {
    const of = track![at]!;
    if (of < 0) return -1;
    const cause = of === number ? at - n : (last.get(of) ?? 0) + n;
    last.set(of, cause);
    return cause;
  });
  return { slack: slack!, onPath: onPath!, why: why!, track: track!, row: rows };
}
