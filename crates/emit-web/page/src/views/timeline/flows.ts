// Which sends released which waits, around one slice.
import type { SliceRef } from "../view";
import type { Scene } from "./scene";

interface End {
  track: number;
  row: number;
  lane: number;
  time: number;
}

export interface Flow {
  from: End;
  to: End;
}

/** Flows that start or end at the slice; the times are those where send and wait end. */
export async function flowsOf(scene: Scene, slice: SliceRef): Promise<Flow[]> {
  if (scene.page.head.flows.rows === 0) return [];
  const { sendTrack, sendRow, waitTrack, waitRow } = await scene.page.flows();
  const found: Flow[] = [];
  for (let i = 0; i < sendRow!.length; i++) {
    const sends = sendRow![i] === slice.row && sendTrack![i] === slice.track;
    const waits = waitRow![i] === slice.row && waitTrack![i] === slice.track;
    if (sends || waits) found.push({ from: await end(scene, sendTrack![i]!, sendRow![i]!), to: await end(scene, waitTrack![i]!, waitRow![i]!) });
  }
  return found;
}

async function end(scene: Scene, track: number, row: number): Promise<End> {
  const { start, dur, lane } = (await scene.data[track]!.loadIndex()).times;
  return { track, row, lane: lane?.[row] ?? 0, time: start[row]! + dur[row]! };
}
