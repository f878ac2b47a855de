// Which sends released which waits, and which host call launched which kernel, around one slice.
import type { SliceRef } from "../view";
import { launches } from "./hostcalls";
import type { Scene } from "./scene";

interface End {
  track: number;
  row: number;
  lane: number;
  time: number;
}

export interface Flow {
  kind: "sync" | "launch";
  from: End;
  to: End;
  /** Of all sends that the wait needs this one came last: it released the wait. A launch always counts. */
  releases: boolean;
}

/** Flows that start or end at the slice, those that released a wait first; the times are those where send and wait end. */
export async function flowsOf(scene: Scene, slice: SliceRef): Promise<Flow[]> {
  const { kind } = scene.track(slice.track);
  if (kind === "host" || kind === "kernel") return launchesOf(scene, slice);
  if (scene.page.head.flows.rows === 0) return [];
  const { sendTrack, sendRow, waitTrack, waitRow, releases } = await scene.page.flows();
  const isSlice = (tracks: Float64Array, rows: Float64Array, i: number) => rows[i] === slice.row && tracks[i] === slice.track;
  const found: Flow[] = [];
  for (let i = 0; i < sendRow!.length; i++) {
    if (!isSlice(sendTrack!, sendRow!, i) && !isSlice(waitTrack!, waitRow!, i)) continue;
    const [from, to] = await Promise.all([end(scene, sendTrack![i]!, sendRow![i]!), end(scene, waitTrack![i]!, waitRow![i]!)]);
    found.push({ from, to, kind: "sync", releases: releases![i] === 1 });
  }
  return found.sort((a, b) => Number(b.releases) - Number(a.releases) || b.from.time - a.from.time);
}

async function launchesOf(scene: Scene, slice: SliceRef): Promise<Flow[]> {
  const isSlice = ({ track, row }: SliceRef) => track === slice.track && row === slice.row;
  const own = (await launches(scene.page)).filter(({ call, kernel }) => isSlice(call) || isSlice(kernel));
  return Promise.all(own.map(async ({ call, kernel }) => ({
    kind: "launch" as const, from: await end(scene, call.track, call.row), to: await start(scene, kernel.track, kernel.row), releases: true,
  })));
}

async function start(scene: Scene, track: number, row: number): Promise<End> {
  const { start: starts, lane } = (await scene.data[track]!.loadIndex()).times;
  return { track, row, lane: lane?.[row] ?? 0, time: starts[row]! };
}

async function end(scene: Scene, track: number, row: number): Promise<End> {
  const { start, dur, lane } = (await scene.data[track]!.loadIndex()).times;
  return { track, row, lane: lane?.[row] ?? 0, time: start[row]! + dur[row]! };
}
