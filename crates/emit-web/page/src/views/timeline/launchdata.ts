// A launch of a kernel: what its engines did, and all launches of the same kernel.
import type { Track } from "../../data/page";
import type { SliceRef } from "../view";
import type { Scene } from "./scene";
import { type Sums, addSums, noSums, trackStats } from "./stats";
import type { Range } from "./viewport";

export interface EngineShare {
  track: Track;
  sums: Sums;
}

export interface LaunchTimes {
  track: Track;
  /** By launch, in the track's order. */
  rows: number[];
  ns: number[];
}

/** Commands of the kernel in the time of a launch, by engine of its core or port. */
export async function enginesOf(scene: Scene, slice: SliceRef, range: Range): Promise<EngineShare[]> {
  const { page } = scene;
  const own = scene.track(slice.track);
  const name = await nameOf(scene, slice);
  const isBeside = (track: Track) => (own.head.port === undefined ? track.kind !== "cdma" && track.head.core === own.head.core : track.head.port === own.head.port || (track.kind === "cdma" && track.head.core === own.head.port));
  const engines = page.tracks.filter((track) => track.isEngine && track.head.events > 0 && isBeside(track));
  const shares = await Promise.all(engines.map(async (track) => {
    const sums = noSums();
    for (const [kernel, part] of (await trackStats(scene, track, range)).byKernel) if (page.text(page.head.kernels[kernel] ?? -1) === name) addSums(sums, part);
    return { track, sums };
  }));
  return shares.filter(({ sums }) => sums.count > 0);
}

/** The launches of the slice's kernel on each core. */
export async function sameKernel(scene: Scene, slice: SliceRef): Promise<LaunchTimes[]> {
  const { page } = scene;
  const wanted = await nameOf(scene, slice);
  const found: LaunchTimes[] = [];
  for (const track of page.tracks.filter((t) => t.kind === "kernel" && t.head.events > 0)) {
    const { name, dur } = await track.loadTimes();
    const rows = Array.from(dur.keys()).filter((row) => page.nameText(name[row]!) === wanted);
    if (rows.length > 0) found.push({ track, rows, ns: rows.map((row) => dur[row]!) });
  }
  return found;
}

async function nameOf(scene: Scene, slice: SliceRef): Promise<string> {
  const { name } = await scene.track(slice.track).loadTimes();
  return scene.page.nameText(name[slice.row]!);
}

/** The number below which the share lies, of ascending numbers. */
export function quantile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? 0;
}
