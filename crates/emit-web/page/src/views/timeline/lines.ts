// Values of the line rows: uArch rate of the TIU; DDR and L2M bandwidth of DMA engines; mean of each pixel's time.
import type { Mip, Track } from "../../data/page";
import type { LaneIndex } from "./laneindex";
import { type Metric, amountOf, spread } from "./spread";
import { type MipIndex, type TrackData, bucketFrom } from "./trackdata";

/** Slices in view up to which they are summed one by one. */
const MANY = 30_000;
/** Widest bucket in columns of the line that represents its slices. */
const BUCKET_WIDTH = 2;

export interface Series {
  metric: Metric;
  /** The rate, 0..1, or GB/s. */
  values: Float64Array;
}

/** By metric of the track, one value for each of `columns` steps of `step` ns from `start`; null until it can show. */
export function lineValues(data: TrackData, start: number, step: number, columns: number): Series[] | null {
  const { level, few } = detailOf(data, start, step, columns);
  const wantsSlices = few && data.track.head.facts !== null;
  const loaded = wantsSlices ? data.wantFacts() : null;
  const index = wantsSlices ? data.wantIndex() : null;
  const mip = loaded && index ? null : wantedMip(data, level);
  if (!mip && !(loaded && index)) return null;
  return metricsOf(data.track).map((metric) => {
    const values = new Float64Array(columns);
    if (mip) sumBuckets(mip, bucketAmount(mip.mip, metric), values, start, step);
    else {
      const amount = amountOf(loaded!, metric, index!.times);
      if (amount) sumSlices(index!, amount, values, start, step);
    }
    for (let i = 0; i < columns; i++) values[i]! /= step;
    return { metric, values };
  });
}

/** Adds the share of each step in which the track works; `hatch` is 1 for names that are no work. False until it can show. */
export function addBusy(data: TrackData, hatch: Uint8Array, into: Float64Array, start: number, step: number): boolean {
  const { level, few } = detailOf(data, start, step, into.length);
  const index = few ? data.wantIndex() : null;
  const mip = index ? null : wantedMip(data, level);
  if (!mip && !index) return false;
  const found = new Float64Array(into.length);
  if (mip) {
    const { name, busy } = mip.mip;
    sumBuckets(mip, (i) => (hatch[name[i]!] ? 0 : busy[i]!), found, start, step);
  } else {
    const { name, dur } = index!.times;
    sumSlices(index!, (row) => (hatch[name[row]!] ? 0 : dur[row]!), found, start, step);
  }
  // Commands may overlap: a track is busy for at most the whole step.
  for (let i = 0; i < into.length; i++) into[i]! += Math.min(1, found[i]! / step);
  return true;
}

/** The level of detail that suits the steps (-1: none is fine enough), and whether slices in view are few enough to be summed one by one. */
function detailOf(data: TrackData, start: number, step: number, columns: number): { level: number; few: boolean } {
  const { mips, events } = data.track.head;
  const end = start + step * columns;
  const share = Math.min(1, (end - start) / Math.max(data.track.page.head.span.length, 1));
  const inView = data.index?.count(start, end) ?? events * share;
  const level = mips.findLastIndex((m) => m.bucketNs <= step * BUCKET_WIDTH);
  return { level, few: mips.length === 0 || (level < 0 && inView <= MANY) };
}

function wantedMip(data: TrackData, level: number): MipIndex | null {
  return data.track.head.mips.length > 0 ? data.wantMip(Math.max(level, 0)) : null;
}

function sumBuckets(index: MipIndex, amount: (bucket: number) => number, into: Float64Array, start: number, step: number): void {
  const { mip, bounds } = index;
  const wide = mip.bucketNs / step;
  for (let lane = 0; lane < bounds.length - 1; lane++) {
    const stop = bucketFrom(index, lane, Math.ceil((start + step * into.length) / mip.bucketNs));
    for (let i = bucketFrom(index, lane, Math.floor(start / mip.bucketNs)); i < stop; i++) {
      const x = (mip.at[i]! * mip.bucketNs - start) / step;
      const given = amount(i);
      if (given > 0) spread(into, x, x + wide, given);
    }
  }
}

function bucketAmount({ busy, high, ddr, l2 }: Mip, metric: Metric): (bucket: number) => number {
  if (metric === "rate") return (i) => busy[i]! * (high?.[i] ?? 0);
  const bytes = metric === "ddr" ? ddr : l2;
  return (i) => bytes?.[i] ?? 0;
}

function sumSlices(index: LaneIndex, amount: (row: number) => number, into: Float64Array, start: number, step: number): void {
  const { start: starts, dur } = index.times;
  for (let lane = 0; lane < index.lanes; lane++) {
    const last = index.to(lane, start + step * into.length);
    for (let place = index.from(lane, start); place < last; place++) {
      const row = index.row(place);
      const given = amount(row);
      // A slice of no length moves its bytes within 1 ns, as the tables count it.
      const x = (starts[row]! - start) / step;
      if (given > 0) spread(into, x, x + Math.max(dur[row]!, 1) / step, given);
    }
  }
}

/** The metrics that the track's line row shows. */
export function metricsOf(track: Track): Metric[] {
  if (track.kind === "tiu") return ["rate"];
  const { cores } = track.page.head;
  return track.kind === "gdma" && cores.some((core) => core.gdmaL2.bytes > 0) ? ["ddr", "l2"] : ["ddr"];
}

/** The chip's peak in GB/s, 1 for the rate; null where it is not known, as of the link of a CDMA port. */
export function peakOf(track: Track, metric: Metric): number | null {
  const { ddrGbps, l2Gbps, linkGbps } = track.page.head.chip;
  // A port moves data over its own link: a core's ceilings say nothing of it.
  if (track.kind === "cdma") return linkGbps;
  return metric === "rate" ? 1 : metric === "ddr" ? ddrGbps : l2Gbps;
}
