// What browser tests read: numbers behind the picture. Not an interface for users.
import type { SliceRef } from "../view";
import type { Scene } from "./scene";
import type { Range } from "./viewport";

export interface TimelineHook {
  /** Which renderer draws. */
  renderer: "webgl2" | "canvas";
  /** Time range on the screen, ns since the span's start. */
  visible(): Range;
  selected(): SliceRef | null;
  range(): Range | null;
  /** The slice under the cursor. */
  hovered(): SliceRef | null;
  /** Rows on the plot; `y` and `height` in CSS pixels of the window, `track` -1 for groups. */
  rows(): { id: string; kind: string; track: number; y: number; height: number; laneHeight: number }[];
  /** Middle of a slice in CSS pixels of the window, once its times are decoded and nothing moves; it may lie outside of the screen. */
  locate(slice: SliceRef): Promise<{ x: number; y: number; width: number }>;
  /** Of the last frames, newest last: ms that the script took, and ms since the frame before. */
  frames: { script: number; apart: number }[];
  /** ms from the page's start to the first frame in which each row on the screen had data; 0 before. */
  firstPicture: number;
  /** Rectangles of the last frame. */
  rectangles: number;
}

declare global {
  interface Window {
    /** Set while the timeline is open. */
    bigtpu?: TimelineHook;
    /** Of two timelines next to one another. */
    bigtpuBoth?: TimelineHook[];
  }
}

/** Frames without a change after which nothing moves: a panel that closes makes the plot wider a frame or two later. */
const STILL = 3;
const MOST_FRAMES = 300;

/** Waits until nothing moves. */
async function untilStill(scene: Scene, plot: HTMLElement): Promise<void> {
  let last = "";
  for (let frame = 0, same = 0; frame < MOST_FRAMES && same < STILL; frame++) {
    await new Promise(requestAnimationFrame);
    const { left, top, width, height } = plot.getBoundingClientRect();
    const { start, end, scale } = scene.viewport;
    const now = [left, top, width, height, start, end, scale, scene.scroll].join();
    same = now === last ? same + 1 : 0;
    last = now;
  }
}

export function makeHook(scene: Scene, plot: HTMLElement, renderer: "webgl2" | "canvas"): TimelineHook {
  const top = (y: number) => plot.getBoundingClientRect().top + y - scene.scroll;
  return {
    renderer,
    visible: () => ({ start: scene.viewport.start, end: scene.viewport.end }),
    selected: () => scene.selected,
    range: () => scene.range,
    hovered: () => (scene.hover?.kind === "slice" ? { track: scene.hover.track, row: scene.hover.row } : null),
    rows: () => scene.rows.map((row) => ({ id: row.id, kind: row.kind, track: row.track?.index ?? -1, y: top(row.y), height: row.height, laneHeight: row.laneHeight })),
    locate: async (slice) => {
      const { start, end } = await scene.sliceRange(slice);
      await untilStill(scene, plot);
      const lane = scene.track(slice.track).times?.lane?.[slice.row] ?? 0;
      const row = scene.rows.find((r) => r.kind === "slices" && r.track?.index === scene.rowTrack(slice.track));
      const width = (end - start) * scene.viewport.scale;
      return { x: plot.getBoundingClientRect().left + scene.viewport.x(start) + width / 2, y: top((row?.y ?? 0) + 2 + (lane + 0.5) * (row?.laneHeight ?? 0)), width };
    },
    frames: [],
    firstPicture: 0,
    rectangles: 0,
  };
}
