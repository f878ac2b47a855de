// Which slices of a track a query finds, for drawing: by row, and by bucket of each level of detail.
import type { Track } from "../../data/page";
import { prepare, type Query } from "../../query/query";
import { Rows } from "../../query/rows";
import { bucketFrom, type MipIndex } from "./trackdata";

export class Hits {
  private readonly buckets = new WeakMap<MipIndex, Uint8Array>();

  private constructor(
    private readonly track: Track,
    /** 1 for a row that is found. */
    readonly rows: Uint8Array,
  ) {}

  static async find(track: Track, { terms }: Query): Promise<Hits> {
    const rows = await Rows.load(track.page, [track]);
    await prepare(rows, terms);
    const matchers = terms.map((term) => term.on(rows, 0));
    const found = new Uint8Array(rows.total);
    for (let row = 0; row < found.length; row++) found[row] = matchers.every((matches) => matches(row)) ? 1 : 0;
    return new Hits(track, found);
  }

  /** 1 for a bucket in which a found slice lies. */
  of(index: MipIndex): Uint8Array {
    const known = this.buckets.get(index);
    if (known) return known;
    const { bucketNs, at } = index.mip;
    const found = new Uint8Array(at.length);
    const { start, dur, lane } = this.track.times!;
    for (let row = 0; row < this.rows.length; row++) {
      if (!this.rows[row]) continue;
      const own = lane?.[row] ?? 0;
      const stop = index.bounds[own + 1]!;
      const last = (start[row]! + dur[row]!) / bucketNs;
      for (let i = bucketFrom(index, own, Math.floor(start[row]! / bucketNs)); i < stop && at[i]! <= last; i++) found[i] = 1;
    }
    this.buckets.set(index, found);
    return found;
  }
}
