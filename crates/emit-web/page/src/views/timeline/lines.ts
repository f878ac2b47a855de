// Values of the line rows: uArch rate of the TIU; DDR and L2M bandwidth of DMA engines; mean of each pixel's time.
import type { Track } from "../../data/page";
import type { LaneIndex } from "./laneindex";
import { type Metric, Pyramid, amountOf, spread } from "./pyramid";
import { type TrackData, bucketFrom } from "./trackdata";

/** Slices in view up to which they are summed one by one. */
const MANY = 30_000;

export interface Series {
  metric: Metric;
  /** Full height: 1 for the rate, the chip's peak in GB/s, or the highest value where the peak is not known. */
  values: Float64Array;
}

export class LineData {
  private pyramids: Map<Metric, Pyramid> | null = null;
  readonly metrics: Metric[];

  constructor(private readonly data: TrackData) {
    this.metrics = metricsOf(data.track);
  }

  /** By series one value for each of `columns` steps from `start`; null until it can tell. */
  values(start: number, step: number, columns: number): Series[] | null {
    const end = start + step * columns;
    const { track } = this.data;
    if (!track.head.facts) return this.fromMips(start, step, columns);
    const facts = this.data.wantFacts();
    const index = this.data.wantIndex();
    if (!facts || !index) return this.fromMips(start, step, columns);
    if (!this.pyramids) {
      this.pyramids = new Map();
      for (const metric of this.metrics) {
        const amount = amountOf(facts, metric, index.times);
        if (amount) this.pyramids.set(metric, new Pyramid(index.times, amount, track.page.head.span.length));
      }
    }
    const oneByOne = index.count(start, end) <= MANY;
    return this.metrics.map((metric) => {
      const values = new Float64Array(columns);
      const pyramid = this.pyramids!.get(metric);
      const amount = oneByOne ? amountOf(facts, metric, index.times) : null;
      if (amount && pyramid && pyramid.finest > step) sum(index, amount, values, start, step);
      else pyramid?.read(values, start, step);
      for (let i = 0; i < columns; i++) values[i]! /= step;
      return { metric, values };
    });
  }

  /** From the levels of detail, which know the rate, or a share of the peak, but not of which memory. */
  private fromMips(start: number, step: number, columns: number): Series[] | null {
    const { track } = this.data;
    const level = track.head.mips.findLastIndex((m) => m.bucketNs <= step * 2);
    const index = track.head.mips.length > 0 ? this.data.wantMip(Math.max(level, 0)) : null;
    const metric = this.metrics[0];
    if (!index?.mip.high || !metric) return null;
    // With facts to come, a bandwidth that mixes both memories would only mislead.
    if (metric !== "rate" && track.head.facts) return null;
    const { bucketNs, at, busy, high } = index.mip;
    const full = fullScale(track, metric) || 1;
    const values = new Float64Array(columns);
    for (let lane = 0; lane < track.head.lanes; lane++) {
      const stop = bucketFrom(index, lane, Math.ceil((start + step * columns) / bucketNs));
      for (let i = bucketFrom(index, lane, Math.floor(start / bucketNs)); i < stop; i++) {
        const x = (at[i]! * bucketNs - start) / step;
        spread(values, x, x + bucketNs / step, (busy[i]! * high[i]! * full) / step);
      }
    }
    return [{ metric, values }];
  }
}

function sum(index: LaneIndex, amount: (row: number) => number, into: Float64Array, start: number, step: number): void {
  const { start: starts, dur } = index.times;
  const end = start + step * into.length;
  for (let lane = 0; lane < index.lanes; lane++) {
    const last = index.to(lane, end);
    for (let place = index.from(lane, start); place < last; place++) {
      const row = index.row(place);
      const given = amount(row);
      // A slice of no length moves its bytes within 1 ns, as the tables count it.
      const x = (starts[row]! - start) / step;
      if (given > 0) spread(into, x, x + Math.max(dur[row]!, 1) / step, given);
    }
  }
}

/** The metrics that the track moves anything in. */
function metricsOf(track: Track): Metric[] {
  if (track.kind === "tiu") return ["rate"];
  if (track.kind === "cdma") return ["ddr"];
  if (track.kind === "sdma") return ["ddr"];
  const { cores } = track.page.head;
  return cores.some((core) => core.gdmaL2.bytes > 0) ? ["ddr", "l2"] : ["ddr"];
}

/** What the top of the row stands for; 0 where the chip's peak is not known. */
export function fullScale(track: Track, metric: Metric): number {
  const { ddrGbps, l2Gbps } = track.page.head.chip;
  return metric === "rate" ? 1 : metric === "ddr" ? ddrGbps : l2Gbps;
}
