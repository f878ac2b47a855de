// What happens in a time range, by track and by function.
import type { Track } from "../../data/page";
import { amountOf } from "./spread";
import type { Scene } from "./scene";
import type { Range } from "./viewport";

/** Sums over the part of the slices that lies in the range; times in ns. */
export interface Sums {
  /** Slices that touch the range. */
  count: number;
  /** Work: what is neither a wait nor a send nor another system command. */
  busy: number;
  /** Waits, sends and other system commands. */
  waits: number;
  bytes: number;
  ddr: number;
  l2: number;
  /** Operations asked for, and those after padding: their quotient is the uArch rate. */
  alg: number;
  uarch: number;
}

export interface TrackStats extends Sums {
  track: Track;
  /** No slice at all. */
  idle: number;
  gaps: number;
  longestGap: number;
  /** By index into `names`. */
  byName: Map<number, Sums>;
  /** By index into the page's `kernels`; commands without one are left out. */
  byKernel: Map<number, Sums>;
  /** By index into the page's `layers`. */
  byLayer: Map<number, Sums>;
}

export function noSums(): Sums {
  return { count: 0, busy: 0, waits: 0, bytes: 0, ddr: 0, l2: 0, alg: 0, uarch: 0 };
}

export function addSums(into: Sums, from: Sums): void {
  into.count += from.count;
  into.busy += from.busy;
  into.waits += from.waits;
  into.bytes += from.bytes;
  into.ddr += from.ddr;
  into.l2 += from.l2;
  into.alg += from.alg;
  into.uarch += from.uarch;
}

/** Counts one track; decodes its facts. */
export async function trackStats(scene: Scene, track: Track, range: Range): Promise<TrackStats> {
  const data = scene.data[track.index]!;
  const index = await data.loadIndex();
  const facts = await data.loadFacts();
  const { start, dur, name } = index.times;
  const names = scene.page.head.names;
  const stats: TrackStats = { ...noSums(), track, idle: 0, gaps: 0, longestGap: 0, byName: new Map(), byKernel: new Map(), byLayer: new Map() };
  const kernels = new Map<number, number>();
  const kernelOf = (tag: number): number => {
    let kernel = kernels.get(tag);
    if (kernel === undefined) kernels.set(tag, (kernel = tag < 0 ? -1 : scene.page.tag(tag).kernel));
    return kernel;
  };
  const bytes = facts.bytes ?? null;
  const ddr = amountOf(facts, "ddr", index.times);
  const l2 = amountOf(facts, "l2", index.times);
  const { alg, uarch } = facts;
  const all: Span[] = [];
  const work: Span[] = [];
  for (let lane = 0; lane < index.lanes; lane++) {
    const last = index.to(lane, range.end);
    for (let place = index.from(lane, range.start); place < last; place++) {
      const row = index.row(place);
      const from = Math.max(start[row]!, range.start);
      const to = Math.min(start[row]! + dur[row]!, range.end);
      const part = dur[row]! > 0 ? (to - from) / dur[row]! : 1;
      const works = (names[name[row]!]?.role ?? "work") === "work";
      all.push([from, to]);
      if (works) work.push([from, to]);
      const found = noSums();
      found.count = 1;
      found[works ? "busy" : "waits"] = to - from;
      if (bytes) found.bytes = bytes[row]! * part;
      if (ddr) found.ddr = ddr(row) * part;
      if (l2) found.l2 = l2(row) * part;
      if (alg && uarch) {
        found.alg = Math.max(alg[row]!, 0) * part;
        found.uarch = Math.max(uarch[row]!, 0) * part;
      }
      addTo(stats.byName, name[row]!, found);
      if (!track.isEngine) continue;
      if (facts.tag) addTo(stats.byKernel, kernelOf(facts.tag[row]!), found);
      if (facts.layer) addTo(stats.byLayer, facts.layer[row]!, found);
    }
  }
  for (const sums of stats.byName.values()) addSums(stats, sums);
  stats.busy = range.end - range.start - gapsOf(work, range).idle;
  return Object.assign(stats, gapsOf(all, range));
}

/** -1 represents none. */
function addTo(sums: Map<number, Sums>, key: number, found: Sums): void {
  if (key < 0) return;
  const old = sums.get(key);
  if (old) addSums(old, found);
  else sums.set(key, { ...found });
}

type Span = [from: number, to: number];

/** The time of the range that no span covers; where slices overlap, their time counts once. */
function gapsOf(spans: Span[], range: Range): Pick<TrackStats, "idle" | "gaps" | "longestGap"> {
  const found = { idle: 0, gaps: 0, longestGap: 0 };
  let reached = range.start;
  const gap = (ns: number) => {
    if (ns <= 0) return;
    found.gaps++;
    found.idle += ns;
    found.longestGap = Math.max(found.longestGap, ns);
  };
  for (const [from, to] of spans.sort((a, b) => a[0] - b[0])) {
    gap(from - reached);
    reached = Math.max(reached, to);
  }
  gap(range.end - reached);
  return found;
}
