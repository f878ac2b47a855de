// The page of the predicted run: the measured one with other times. All else is shared with the measured page.
import type { Columns } from "../data/decode";
import { type LocalMemory, type Mip, Page, type SharedMemory, type TagHead, type Times, Track, type FieldValue } from "../data/page";
import type { Replay } from "./replay";

class PredictedTrack extends Track {
  constructor(page: Page, private readonly measured: Track) {
    // The levels of detail are those of the measured times.
    super(page, measured.index, { ...measured.head, mips: [], causes: null });
  }

  override facts(): Promise<Columns> {
    return this.measured.facts();
  }

  override fields(row: number): Promise<FieldValue[]> {
    return this.measured.fields(row);
  }

  override mip(level: number): Promise<Mip> {
    return this.measured.mip(level);
  }
}

/** Slices that are stretches of commands: kernels, layers and blocks. By engine's track the slice of each command, -1 for none; of blocks, which
 *  stand in each other, once for each level. */
interface Stretches {
  track: PredictedTrack;
  slices: number;
  members: [engine: number, slice: Int32Array][];
}

export class PredictedPage extends Page {
  /** When the predicted run ends, ns since the span's start. */
  end = 0;
  private stretches: Stretches[] = [];
  private readonly start: Float64Array;
  private readonly length: Float64Array;

  private constructor(readonly measured: Page, private readonly replay: Replay) {
    // Without the total, rows show no shares: those of the head are of the measured run.
    super({ ...measured.head, totalNs: 0, path: null, span: { ...measured.head.span } }, (page) => measured.tracks.map((track) => new PredictedTrack(page, track)));
    const events = replay.graph.event.reduce((most, event) => Math.max(most, event + 1), 0);
    this.start = new Float64Array(events);
    this.length = new Float64Array(events);
  }

  static async of(measured: Page, replay: Replay): Promise<PredictedPage> {
    const page = new PredictedPage(measured, replay);
    await Promise.all(page.tracks.map(async (track) => {
      const { start, dur, name, lane } = await measured.tracks[track.index]!.loadTimes();
      track.times = { start: start.slice(), dur: dur.slice(), name, lane };
    }));
    page.stretches = await Promise.all(page.tracks.filter((track) => ["kernel", "layer", "block"].includes(track.kind)).map((track) => page.stretchesOf(track as PredictedTrack)));
    return page;
  }

  /** Gaps are those of the measured run. */
  override gapsOf(): undefined {
    return undefined;
  }

  override tag(index: number): TagHead {
    return this.measured.tag(index);
  }

  override flows(): Promise<Columns> {
    return this.measured.flows();
  }

  override localMemory(core: number): Promise<LocalMemory | null> {
    return this.measured.localMemory(core);
  }

  override sharedMemory(): Promise<SharedMemory | null> {
    return this.measured.sharedMemory();
  }

  /** Takes the times of the replay's last prediction. `predictedNs`: how long the run takes then. */
  retime(predictedNs: number): void {
    const { head, replay, start, length } = this;
    const { start: origin, engines } = replay.graph.head;
    replay.times(start, length);
    for (const [track, first] of engines) {
      if (track < 0) continue;
      const times = this.tracks[track]!.times!;
      const rows = times.start.length;
      times.dur.set(length.subarray(first, first + rows));
      let ascending = true;
      for (let row = 0; row < rows; row++) {
        times.start[row] = origin + start[first + row]!;
        ascending &&= row === 0 || times.start[row]! >= times.start[row - 1]!;
      }
      this.tracks[track]!.head.sorted = ascending;
    }
    for (const of of this.stretches) this.restretch(of);
    this.end = origin + predictedNs;
    head.span.length = Math.max(this.end, this.measured.head.span.length);
  }

  private restretch({ track, slices, members }: Stretches): void {
    const from = new Float64Array(slices).fill(Infinity);
    const until = new Float64Array(slices).fill(-Infinity);
    for (const [engine, slice] of members) {
      const { start, dur } = this.tracks[engine]!.times!;
      for (let row = 0; row < slice.length; row++) {
        const of = slice[row]!;
        if (of < 0) continue;
        if (start[row]! < from[of]!) from[of] = start[row]!;
        if (start[row]! + dur[row]! > until[of]!) until[of] = start[row]! + dur[row]!;
      }
    }
    const times = track.times!;
    for (let of = 0; of < slices; of++) {
      if (until[of]! < from[of]!) continue;
      times.start[of] = from[of]!;
      times.dur[of] = until[of]! - from[of]!;
    }
    track.head.sorted = false;
  }

  /** By layer the blocks that it is in, from the inside. */
  private blocksAbove(): number[][] {
    const { layers, blocks } = this.head;
    return layers.map(({ parent }) => {
      const above: number[] = [];
      for (let at = parent; at >= 0; at = blocks[at]!.parent) above.push(at);
      return above;
    });
  }

  /** Which commands make each slice of a track of kernels, layers or blocks: those of its launch, layer or block that ran in it. */
  private async stretchesOf(track: PredictedTrack): Promise<Stretches> {
    const { start, dur } = track.times!;
    const facts = await track.facts();
    const isKernel = track.kind === "kernel";
    const own = isKernel ? facts.scope : track.kind === "layer" ? facts.layer : facts.block;
    const above = track.kind === "block" ? this.blocksAbove() : null;
    const levels = above ? Math.max(0, ...above.map((blocks) => blocks.length)) : 1;
    const order = Uint32Array.from(start.keys()).sort((a, b) => start[a]! - start[b]!);
    const byOwner = new Map<number, number[]>();
    for (const slice of order) {
      const of = own?.[slice] ?? -1;
      if (!byOwner.has(of)) byOwner.set(of, []);
      byOwner.get(of)!.push(slice);
    }
    const engines = this.tracks.filter((other) => other.isEngine && (track.head.port === undefined ? other.kind !== "cdma" && other.head.core === track.head.core : other.kind === "cdma" && other.head.core === track.head.port));
    const places = engines.flatMap((engine) => Array.from({ length: levels }, (_, level) => ({ engine, level })));
    const members = await Promise.all(places.map(async ({ engine, level }): Promise<[number, Int32Array]> => {
      const times = this.measured.tracks[engine.index]!.times!;
      const { tag, layer } = await engine.facts();
      const layerOf = (row: number): number => layer?.[row] ?? -1;
      const ownerOf = (row: number): number => {
        if (isKernel) return tag ? this.tag(tag[row]!).scope : -1;
        return above ? (above[layerOf(row)]?.[level] ?? -1) : layerOf(row);
      };
      return [engine.index, Int32Array.from(times.start, (at, row) => {
        const slices = byOwner.get(ownerOf(row));
        if (!slices) return -1;
        const end = at + times.dur[row]!;
        const slice = slices[lastFrom(slices, start, at)];
        return slice !== undefined && end <= start[slice]! + dur[slice]! ? slice : -1;
      })];
    }));
    return { track, slices: start.length, members };
  }
}

/** Place of the last slice that starts at the time or before; the slices are in order. -1 for none. */
function lastFrom(slices: number[], start: Times["start"], time: number): number {
  let [low, high] = [0, slices.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (start[slices[middle]!]! <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
