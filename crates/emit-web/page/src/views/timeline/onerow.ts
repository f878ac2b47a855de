// A folded core as one row: its kernels, and below them how busy the TIU (up) and the DMA engines (down) are.
import type { Track } from "../../data/page";
import { addBusy } from "./lines";
import { packed } from "./palette";
import type { QuadList } from "./quads";
import type { Scene } from "./scene";

/** Share of the row's height that the kernels take. */
export const KERNELS_PART = 0.42;

export interface Box {
  /** Device pixels. */
  y: number;
  height: number;
  /** CSS pixels. */
  width: number;
  ratio: number;
}

/** Draws both shares; false while a track has nothing decoded. */
export function drawBusy(quads: QuadList, scene: Scene, tracks: Track[], { y, height, width, ratio }: Box): boolean {
  const columns = Math.ceil(width);
  const { start, scale } = scene.viewport;
  const { ground, hatch } = scene.paint;
  const middle = y + Math.round(height / 2);
  const room = Math.max(Math.floor(height / 2) - 1, 1);
  let known = true;
  for (const side of ["tiu", "gdma"] as const) {
    const own = tracks.filter((track) => track.isEngine && (track.kind === "tiu") === (side === "tiu"));
    if (own.length === 0) continue;
    const shares = new Float64Array(columns);
    for (const track of own) known = addBusy(scene.data[track.index]!, hatch, shares, start, 1 / scale) && known;
    const colour = packed(ground[side]);
    for (let i = 0; i < columns; i++) {
      const tall = Math.round((shares[i]! / own.length) * room);
      if (shares[i]! <= 0) continue;
      const x = Math.round(i * ratio);
      quads.pushRun(x, side === "tiu" ? middle - Math.max(tall, 1) : middle + 1, Math.round((i + 1) * ratio) - x, Math.max(tall, 1), colour, 0);
    }
  }
  quads.push(0, middle, width * ratio, 1, packed(ground.line));
  return known;
}
