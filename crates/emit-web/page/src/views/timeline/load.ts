// How much work there was at each moment of the run, waits left out: what a strip of the whole run shows.
import type { Track } from "../../data/page";

/** Parts of equal length that the run is cut into. */
export const BUCKETS = 480;

/** Share of busy tracks in each bucket of the run. */
export interface Load {
  host: Float64Array;
  tiu: Float64Array;
  dma: Float64Array;
}

/** Counts tracks' work from their coarsest levels of detail. `length`: ns of the run; `waits`: 1 for names of no work, by index into `names`. */
export async function busyLoad(all: readonly Track[], length: number, waits: Uint8Array): Promise<Load> {
  const load: Load = { host: new Float64Array(BUCKETS), tiu: new Float64Array(BUCKETS), dma: new Float64Array(BUCKETS) };
  const tracks = { host: 0, tiu: 0, dma: 0 };
  for (const track of all) {
    if (!track.isEngine && track.kind !== "host") continue;
    const side = track.kind === "host" ? "host" : track.kind === "tiu" ? "tiu" : "dma";
    tracks[side]++;
    const add = (start: number, end: number, ns: number) => spreadBusy(load[side], (start / length) * BUCKETS, (end / length) * BUCKETS, (ns / length) * BUCKETS);
    // A wait covers time without any work. Of a bucket its longest slice shows what it was.
    const level = track.head.mips.findLastIndex((m) => m.bucketNs <= length / BUCKETS);
    if (track.head.mips.length > 0) {
      const { at, busy, bucketNs, name, lane } = await track.mip(Math.max(level, 0));
      at.forEach((a, i) => waits[name[i]!] || isInner(side, lane, i) || add(a * bucketNs, (a + 1) * bucketNs, busy[i]!));
    } else {
      const { start, dur, name, lane } = await track.loadTimes();
      start.forEach((s, i) => waits[name[i]!] || isInner(side, lane, i) || add(s, s + dur[i]!, dur[i]!));
    }
  }
  for (const side of ["host", "tiu", "dma"] as const) load[side].forEach((n, i) => (load[side][i] = Math.min(1, n / Math.max(tracks[side], 1))));
  return load;
}

/** A call within another call: its time is counted there. */
function isInner(side: keyof Load, lane: Float64Array | null, row: number): boolean {
  return side === "host" && (lane?.[row] ?? 0) > 0;
}

/** Adds busy buckets' worth in proportion to each bucket that the stretch touches. */
function spreadBusy(into: Float64Array, start: number, end: number, busy: number): void {
  const length = Math.max(end - start, 1e-9);
  const last = Math.min(Math.ceil(end), into.length);
  for (let i = Math.max(Math.floor(start), 0); i < last; i++) into[i]! += (busy * (Math.min(end, i + 1) - Math.max(start, i))) / length;
}
