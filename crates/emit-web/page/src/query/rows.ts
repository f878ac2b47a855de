// The rows of many tracks as one list: a row's number counts through the tracks, in their order.
import type { Columns } from "../data/decode";
import type { Page, Times, Track } from "../data/page";
import type { Causes } from "../data/path";
import type { RegisterField } from "../data/registers";
import type { SliceRef } from "../views/view";

export class Rows {
  /** Number of the first row of each track, and of all at the end. */
  readonly first: Uint32Array;
  /** By track: its further columns, once `loadFacts` is done. */
  facts: Columns[] = [];
  /** By track: what each command waited for, once `loadCauses` is done; null where that is not known. */
  causes: (Causes | null)[] = [];
  /** By name of a register field: its values by track, once `loadRegister` is done; null where the track has no such field. */
  readonly registers = new Map<string, (RegisterField | null)[]>();
  private loadingFacts: Promise<void> | null = null;
  private loadingCauses: Promise<void> | null = null;

  private constructor(
    readonly page: Page,
    readonly tracks: Track[],
    readonly times: Times[],
  ) {
    this.first = new Uint32Array(tracks.length + 1);
    for (const [i, t] of times.entries()) this.first[i + 1] = this.first[i]! + t.start.length;
  }

  /** Reads the times of tracks. */
  static async load(page: Page, tracks: Track[]): Promise<Rows> {
    const times: Times[] = [];
    for (const track of tracks) times.push(await track.loadTimes());
    return new Rows(page, tracks, times);
  }

  get total(): number {
    return this.first[this.tracks.length]!;
  }

  /** Reads the further columns of all tracks; once. */
  loadFacts(): Promise<void> {
    return (this.loadingFacts ??= (async () => {
      const facts: Columns[] = [];
      for (const track of this.tracks) facts.push(await track.facts());
      this.facts = facts;
    })());
  }

  /** Reads slack and critical path of all tracks; once. */
  loadCauses(): Promise<void> {
    return (this.loadingCauses ??= (async () => {
      const causes: (Causes | null)[] = [];
      for (const track of this.tracks) causes.push(await track.causes());
      this.causes = causes;
    })());
  }

  /** Reads a register field of all tracks; once. */
  async loadRegister(name: string): Promise<void> {
    if (this.registers.has(name)) return;
    const values: (RegisterField | null)[] = [];
    for (const track of this.tracks) values.push(await track.register(name));
    this.registers.set(name, values);
  }

  /** Which of `tracks` a row belongs to. */
  trackOf(row: number): number {
    let low = 0;
    let high = this.tracks.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.first[middle]! <= row) low = middle;
      else high = middle;
    }
    return low;
  }

  slice(row: number): SliceRef {
    const at = this.trackOf(row);
    return { track: this.tracks[at]!.index, row: row - this.first[at]! };
  }

  /** The number of a slice; -1 if its track is not among these. */
  numberOf(slice: SliceRef): number {
    const at = this.tracks.findIndex((t) => t.index === slice.track);
    return at < 0 || slice.row >= this.times[at]!.start.length ? -1 : this.first[at]! + slice.row;
  }
}
