// Going to slices: centring, the neighbours on the same track, links from other views.
import type { SliceRef } from "../view";
import { rowsByStart } from "./laneindex";
import type { Scene } from "./scene";

const orders = new WeakMap<Float64Array, Uint32Array>();

/** The slice before or after on the same track by start; null at the ends. */
export async function neighbour(scene: Scene, slice: SliceRef, by: -1 | 1): Promise<SliceRef | null> {
  const { times } = await scene.data[slice.track]!.loadIndex();
  if (scene.track(slice.track).head.sorted) {
    const row = slice.row + by;
    return row >= 0 && row < times.start.length ? { track: slice.track, row } : null;
  }
  let order = orders.get(times.start);
  if (!order) orders.set(times.start, (order = rowsByStart(times)));
  const row = order[order.indexOf(slice.row) + by];
  return row === undefined ? null : { track: slice.track, row };
}

/** Selects the slice, shows its row, and brings it into view; `closer` zooms in on short ones. */
export async function goToSlice(scene: Scene, slice: SliceRef, closer: boolean): Promise<void> {
  if (!scene.exists(slice)) return;
  const shown = scene.rowTrack(slice.track);
  if (!scene.rows.some((row) => row.kind === "slices" && row.track?.index === shown)) scene.uncover(shown);
  if (!scene.isSelected(slice)) scene.select(slice);
  const range = await scene.sliceRange(slice);
  scene.viewport.reveal(range, closer);
  scene.moved();
}

/**
 * The gap before or after on the same engine: of a selected command or gap; without one the costliest gap in view.
 * Null at the ends.
 */
export async function neighbourGap(scene: Scene, by: -1 | 1): Promise<SliceRef | null> {
  const { selected } = scene;
  if (!selected) return costliestGapInView(scene);
  const gaps = scene.gapsOf(scene.rowTrack(selected.track));
  if (!gaps) return null;
  if (gaps.index === selected.track) return neighbour(scene, selected, by);
  const { times } = await scene.data[gaps.index]!.loadIndex();
  const { start, end } = await scene.sliceRange(selected);
  const row = by > 0 ? times.start.findIndex((at) => at >= end) : times.start.findLastIndex((at, i) => at + times.dur[i]! <= start);
  return row < 0 ? null : { track: gaps.index, row };
}

/**
 * By the order of the overview's gaps: what the run would save, then the time in which nothing on the core worked, then the length in
 * view, then the first. Before an engine's first command and after its last one there is no gap to close: these come last.
 */
async function costliestGapInView(scene: Scene): Promise<SliceRef | null> {
  const { start, end } = scene.viewport;
  let found: { slice: SliceRef; rank: number[] } | null = null;
  for (const row of scene.rows) {
    const gaps = row.kind === "slices" ? scene.gapsOf(row.track!.index) : undefined;
    if (!gaps) continue;
    const { times } = await scene.data[gaps.index]!.loadIndex();
    const { before, after, saved, cost } = await scene.data[gaps.index]!.loadFacts();
    for (let i = 0; i < times.start.length; i++) {
      const at = times.start[i]!;
      const ns = Math.min(at + times.dur[i]!, end) - Math.max(at, start);
      const isInner = before![i]! >= 0 && after![i]! >= 0;
      const rank = [Number(isInner), Math.max(saved![i]!, 0), cost![i]!, ns, -at];
      if (ns > 0 && (!found || isGreater(rank, found.rank))) found = { slice: { track: gaps.index, row: i }, rank };
    }
  }
  return found?.slice ?? null;
}

/** Whether the first numbers that differ are in this order. */
function isGreater(one: number[], other: number[]): boolean {
  const at = one.findIndex((value, i) => value !== other[i]);
  return at >= 0 && one[at]! > other[at]!;
}

/** The gap of the engine that ends where a command starts; null where it has none. */
export async function gapBefore(scene: Scene, slice: SliceRef): Promise<SliceRef | null> {
  const gaps = scene.gapsOf(slice.track);
  if (!gaps) return null;
  const { after } = await scene.data[gaps.index]!.loadFacts();
  const row = after?.indexOf(slice.row) ?? -1;
  return row < 0 ? null : { track: gaps.index, row };
}

/** Where the keyboard starts: the earliest slice in view on the first row of slices that has one. */
export async function firstInView(scene: Scene): Promise<SliceRef | null> {
  const { start, end } = scene.viewport;
  for (const row of scene.rows) {
    if (row.kind !== "slices") continue;
    const track = row.track!.index;
    const { times } = await scene.data[track]!.loadIndex();
    let first = -1;
    times.start.forEach((at, i) => {
      const isIn = at < end && at + times.dur[i]! > start;
      if (isIn && (first < 0 || at < times.start[first]!)) first = i;
    });
    if (first >= 0) return { track, row: first };
  }
  return null;
}
