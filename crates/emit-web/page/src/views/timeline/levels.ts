// Which level of detail a track is drawn from.
import type { LaneIndex } from "./laneindex";
import type { MipIndex, TrackData } from "./trackdata";

/** Slices in view that are always drawn one by one, where their times are decoded. */
const FEW = 4_000;
/** Slices in view up to which they are drawn one by one where buckets would be wide. */
const MANY = 60_000;
/** Widest bucket, in device pixels, that represents its slices. */
const BUCKET_WIDTH = 2;

export type Source = { raw: LaneIndex } | { mip: MipIndex } | null;

/** `scale`: device pixels a ns. Null until something is decoded. */
export function sourceOf(data: TrackData, start: number, end: number, scale: number): Source {
  const { mips, events } = data.track.head;
  const known = data.index;
  if (mips.length === 0) {
    const raw = data.wantIndex();
    return raw && { raw };
  }
  const total = data.track.page.head.span.length || 1;
  const inView = known ? known.count(start, end) : events * Math.min(1, (end - start) / total);
  if (known && inView <= FEW) return { raw: known };
  const level = mips.findLastIndex((m) => m.bucketNs * scale <= BUCKET_WIDTH);
  if (level < 0 && inView <= MANY) {
    const raw = data.wantIndex();
    if (raw) return { raw };
  }
  const mip = data.wantMip(Math.max(level, 0));
  return mip && { mip };
}
