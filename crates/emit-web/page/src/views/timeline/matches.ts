// The slices that the search finds, words in their names only: how many, and the next or previous one in time.
import type { Problem } from "../../query/problems";
import { readQuery } from "../../query/query";
import type { SliceRef } from "../view";
import { rowsByStart } from "./laneindex";
import type { Scene } from "./scene";

interface Found {
  time: number;
  track: number;
  row: number;
}

interface TrackMatches {
  track: number;
  /** Matching rows by start, and their starts. */
  rows: Uint32Array;
  starts: Float64Array;
}

export class Matches {
  private asked = "";
  /** What is wrong with the search. */
  problem: Problem | null = null;
  private tracks: TrackMatches[] = [];

  constructor(private readonly scene: Scene) {}

  get count(): number {
    return this.tracks.reduce((sum, { rows }) => sum + rows.length, 0);
  }

  /** Looks through the tracks on the plot; false where a later call took over. */
  async search(text: string): Promise<boolean> {
    const { scene } = this;
    const wanted = text.trim();
    const shown = scene.rows.filter((row) => row.kind === "slices").map((row) => row.track!.index);
    const question = `${wanted}|${shown.join()}`;
    if (question === this.asked) return true;
    this.asked = question;
    const found: TrackMatches[] = [];
    const query = readQuery(scene.page, wanted);
    this.problem = query.problems[0] ?? null;
    if (wanted !== "" && !this.problem) {
      const { names } = query;
      const hits = names && scene.page.head.names.map((name) => names(scene.page.text(name.name)));
      for (const track of shown) {
        const data = scene.data[track]!;
        const { times } = await data.loadIndex();
        const own = hits ? null : (await data.loadHits(text, query)).rows;
        if (question !== this.asked) return false;
        const rows = rowsByStart(times).filter((row) => (own ? own[row] : hits![times.name[row]!]));
        if (rows.length > 0) found.push({ track, rows, starts: Float64Array.from(rows, (row) => times.start[row]!) });
      }
    }
    this.tracks = found;
    return true;
  }

  /** The match after (or before) a moment; the same moment counts on later (earlier) tracks. Around the end it starts anew. */
  next(from: { time: number; track: number }, by: -1 | 1): SliceRef | null {
    let best: Found | null = null;
    let first: Found | null = null;
    const before = (a: { time: number; track: number }, b: { time: number; track: number }) => by * (a.time - b.time || a.track - b.track) < 0;
    for (const { track, rows, starts } of this.tracks) {
      const edge = by > 0 ? 0 : rows.length - 1;
      const at = (i: number) => ({ time: starts[i]!, track, row: rows[i]! });
      if (!first || before(at(edge), first)) first = at(edge);
      let low = 0;
      let high = starts.length;
      // First match behind the moment, or, going back, first that is not before it.
      while (low < high) {
        const middle = (low + high) >> 1;
        const isBehind = by > 0 ? before(from, at(middle)) : !before(from, at(middle));
        if (isBehind) high = middle;
        else low = middle + 1;
      }
      const i = by > 0 ? low : low - 1;
      if (i >= 0 && i < starts.length && (!best || before(at(i), best))) best = at(i);
    }
    const found = best ?? first;
    return found && { track: found.track, row: found.row };
  }
}
