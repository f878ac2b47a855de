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
  if (!scene.rows.some((row) => row.kind === "slices" && row.track?.index === slice.track)) scene.uncover(slice.track);
  if (!scene.isSelected(slice)) scene.select(slice);
  const range = await scene.sliceRange(slice);
  scene.viewport.reveal(range, closer);
  scene.moved();
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
