// A track's columns as drawing wants them: at once if they are there, else asked for and drawn when they come.
import type { Columns } from "../../data/decode";
import type { Mip, Track } from "../../data/page";
import type { Query } from "../../query/query";
import { Hits } from "./hits";
import { LaneIndex } from "./laneindex";
import { peakOf } from "./lines";

/** A level of detail with the first bucket of each lane. */
export interface MipIndex {
  mip: Mip;
  bounds: Uint32Array;
}

export class TrackData {
  index: LaneIndex | null = null;
  facts: Columns | null = null;
  private readonly mips: (MipIndex | null)[];
  private asked = new Set<string>();
  private shares: Float32Array | null = null;
  private hits: { text: string; hits: Hits | null } | null = null;

  /** `arrived` is called whenever something asked for has come. */
  constructor(
    readonly track: Track,
    private readonly arrived: () => void,
  ) {
    this.mips = track.head.mips.map(() => null);
  }

  private ask(key: string, load: () => Promise<void>): void {
    if (this.asked.has(key)) return;
    this.asked.add(key);
    void load().then(this.arrived);
  }

  async loadIndex(): Promise<LaneIndex> {
    const times = await this.track.loadTimes();
    return (this.index ??= new LaneIndex(times, this.track.head.lanes, this.track.head.sorted));
  }

  /** The slices have other times now, which are there. */
  retimed(): void {
    const { times, head } = this.track;
    this.index = times && new LaneIndex(times, head.lanes, head.sorted);
    this.shares = null;
    this.hits = null;
  }

  async loadFacts(): Promise<Columns> {
    return (this.facts ??= await this.track.facts());
  }

  wantIndex(): LaneIndex | null {
    if (!this.index) this.ask("times", async () => void (await this.loadIndex()));
    return this.index;
  }

  wantFacts(): Columns | null {
    if (!this.facts) this.ask("facts", async () => void (await this.loadFacts()));
    return this.facts;
  }

  /** Which slices a query finds; null until that is known. */
  wantHits(text: string, query: Query): Hits | null {
    if (this.hits?.text !== text) void this.loadHits(text, query).then(this.arrived);
    return this.hits!.hits;
  }

  /** The same, once it is known. */
  async loadHits(text: string, query: Query): Promise<Hits> {
    if (this.hits?.text === text && this.hits.hits) return this.hits.hits;
    const mine = (this.hits = { text, hits: null as Hits | null });
    return (mine.hits = await Hits.find(this.track, query));
  }

  /** The level, or until it is there the one nearest to it that is. */
  wantMip(level: number): MipIndex | null {
    if (!this.mips[level]) this.ask(`mip${level}`, async () => void (this.mips[level] = indexed(await this.track.mip(level), this.track.head.lanes)));
    for (let away = 0; away < this.mips.length; away++) {
      const found = this.mips[level + away] ?? this.mips[level - away];
      if (found) return found;
    }
    return null;
  }

  /**
   * By row: uArch rate or share of the peak bandwidth, 0..1; null where the page does not hold it (yet).
   */
  wantShares(): Float32Array | null {
    if (this.shares) return this.shares;
    const facts = this.wantFacts();
    const dur = this.wantIndex()?.times.dur;
    if (!facts || !dur) return null;
    const { rate, ddr, l2 } = facts;
    if (rate) return (this.shares = Float32Array.from(rate));
    // What share of a port's link a transfer used is not known.
    if (!ddr || !l2 || this.track.kind === "cdma") return null;
    const part = (bytes: number, ns: number, peak: number | null) => (peak ? bytes / Math.max(ns, 1) / peak : 0);
    return (this.shares = Float32Array.from(dur, (ns, row) => Math.min(1, Math.max(part(ddr[row]!, ns, peakOf(this.track, "ddr")), part(l2[row]!, ns, peakOf(this.track, "l2"))))));
  }
}

function indexed(mip: Mip, lanes: number): MipIndex {
  const bounds = new Uint32Array(lanes + 1);
  if (!mip.lane) bounds.fill(mip.at.length, 1);
  else {
    for (const lane of mip.lane) bounds[lane + 1]!++;
    for (let i = 0; i < lanes; i++) bounds[i + 1]! += bounds[i]!;
  }
  return { mip, bounds };
}

/** First bucket of the lane at `at` or later. */
export function bucketFrom({ mip, bounds }: MipIndex, lane: number, at: number): number {
  let low = bounds[lane]!;
  let high = bounds[lane + 1]!;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (mip.at[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
