// The data of a page of two runs: both pages, what changed, and which launches belong together.
import { readChunk } from "./decode";
import type { Row as DiffRow, PairsHead, RunsHead } from "./generated";
import { Page } from "./page";

export type Both<T> = [before: T, after: T];

/** A stretch on a track of kernels or layers. */
export interface Launch {
  name: string;
  core: number;
  track: number;
  row: number;
  start: number;
  ns: number;
}

/** The same launch in both runs, or one that only one of them has. */
export interface Pair {
  before: Launch | null;
  after: Launch | null;
}

/** What two runs are to each other; a dropped run has no pairs that the program found. */
type Head = Omit<RunsHead, "tracks"> & { tracks: (Omit<PairsHead, "pairs"> & Partial<PairsHead>)[] };

export class Runs {
  private loading: Promise<Pair[]> | null = null;

  private constructor(
    readonly head: Head,
    readonly pages: Both<Page>,
  ) {}

  /** Null where the page is of one run. */
  static async read(): Promise<Runs | null> {
    const element = document.getElementById("runs");
    if (!element) return null;
    const pages = await Promise.all([Page.read("head"), Page.read("head1")]);
    return new Runs(JSON.parse(element.textContent ?? "") as RunsHead, pages);
  }

  /** Of a run and one that was dropped on its page. */
  static dropped(head: Head, pages: Both<Page>): Runs {
    return new Runs(head, pages);
  }

  rows(subject: string): DiffRow[] {
    return this.head.diff.rows.filter((row) => row.subject === subject);
  }

  /** All launches, those of a core one after another in the order of the first run; new ones follow where they were found. */
  pairs(): Promise<Pair[]> {
    return (this.loading ??= this.loadPairs());
  }

  private async loadPairs(): Promise<Pair[]> {
    const all: Pair[] = [];
    for (const head of this.head.tracks) {
      const [columns, before, after] = await Promise.all([
        head.pairs ? readChunk(head.pairs) : null, launches(this.pages[0], head.before), launches(this.pages[1], head.after),
      ]);
      const pairs: Pair[] = columns ? Array.from(columns.before!, (row, i) => ({ before: before[row]!, after: after[columns.after![i]!]! })) : byName(before, after);
      const known: Both<Set<Launch | null>> = [new Set(pairs.map((p) => p.before)), new Set(pairs.map((p) => p.after))];
      const gone = before.filter((launch) => !known[0].has(launch)).map((launch) => ({ before: launch, after: null }));
      const fresh = after.filter((launch) => !known[1].has(launch)).map((launch) => ({ before: null, after: launch }));
      all.push(...pairs, ...gone, ...fresh);
    }
    return all;
  }
}

/** The n-th launches of a name belong together. */
function byName(before: Launch[], after: Launch[]): Pair[] {
  const others = new Map<string, Launch[]>();
  for (const launch of after) others.set(launch.name, [...(others.get(launch.name) ?? []), launch]);
  return before.flatMap((launch) => {
    const other = others.get(launch.name)?.shift();
    return other ? [{ before: launch, after: other }] : [];
  });
}

async function launches(page: Page, index: number): Promise<Launch[]> {
  const track = page.tracks[index]!;
  const { start, dur, name } = await track.loadTimes();
  return Array.from(start, (at, row) => ({ name: page.nameText(name[row]!), core: track.head.core, track: index, row, start: at, ns: dur[row]! }));
}

/** Change in ns; a missing side took no time. */
export function change({ before, after }: Pair): number {
  return (after?.ns ?? 0) - (before?.ns ?? 0);
}
