// The critical path over the rows: a line under each of its commands, dashed where nothing ran, and where it goes to another row.
import type { PathPieces } from "../../data/path";
import type { Page } from "../../data/page";
import type { Plot } from "./frame";
import type { Scene } from "./scene";

/** What runs while the path goes through it; all other reasons are gaps. */
const WORKS = new Set(["compute", "DDR transfer", "L2M transfer", "link transfer", "local transfer", "system command", "wait"]);
/** Pieces in view up to which gaps and the steps from row to row are drawn: more would be a curtain. */
const MOST_STEPS = 400;
/** Pieces in view up to which they are drawn as they are. */
const MOST_PIECES = 2000;
/** Thickness in CSS pixels. */
const THICK = 2.5;

export function drawPath(context: CanvasRenderingContext2D, scene: Scene, plot: Plot): void {
  const { path, viewport } = scene;
  if (!path) return;
  const bottoms = bottomsOf(scene);
  const works = worksOf(scene.page, path);
  const first = firstAfter(path, viewport.start);
  const last = Math.min(firstAfter(path, viewport.end) + 1, path.end.length);
  context.fillStyle = context.strokeStyle = scene.paint.ground.bad;
  if (last - first <= MOST_STEPS) drawSteps(context, scene, plot, path, bottoms, works, first, last);
  const { track, start, end } = last - first <= MOST_PIECES ? stretches(path, works, first, last, 0) : merged(path, works, 1 / viewport.scale);
  for (let i = 0; i < end.length; i++) {
    const bottom = bottoms[track[i]!]!;
    if (bottom < 0 || end[i]! < viewport.start || start[i]! > viewport.end) continue;
    const x = Math.max(viewport.x(start[i]!), 0);
    context.fillRect(x, bottom - THICK, Math.max(Math.min(viewport.x(end[i]!), plot.width) - x, 0.75), THICK);
  }
}

/** Where the path works on a track without a gap that could be seen. */
interface Stretches {
  track: number[];
  start: number[];
  end: number[];
}

/** Pieces `first` to `last`, those of a track that are closer than `near` ns as one. */
function stretches(path: PathPieces, works: Uint8Array, first: number, last: number, near: number): Stretches {
  const found: Stretches = { track: [], start: [], end: [] };
  const open: number[] = [];
  for (let i = first; i < last; i++) {
    const track = path.track[i]!;
    if (track < 0 || works[i] === 0) continue;
    const before = open[track] ?? -1;
    if (before >= 0 && path.start[i]! - found.end[before]! <= near) found.end[before] = path.end[i]!;
    else {
      open[track] = found.end.length;
      found.track.push(track);
      found.start.push(path.start[i]!);
      found.end.push(path.end[i]!);
    }
  }
  return found;
}

const levels = new WeakMap<PathPieces, Map<number, Stretches>>();

/** The whole path for a scale of `pixel` ns: merged once for scales that are alike. */
function merged(path: PathPieces, works: Uint8Array, pixel: number): Stretches {
  const level = Math.floor(Math.log2(pixel));
  let known = levels.get(path);
  if (!known) levels.set(path, (known = new Map()));
  let found = known.get(level);
  if (!found) known.set(level, (found = stretches(path, works, 0, path.end.length, 2 ** level)));
  return found;
}

function drawSteps(context: CanvasRenderingContext2D, { viewport }: Scene, plot: Plot, path: PathPieces, bottoms: Float64Array, works: Uint8Array, first: number, last: number): void {
  context.lineWidth = THICK / 2;
  context.setLineDash([3, 3]);
  context.beginPath();
  let before = -1;
  for (let i = first; i < last; i++) {
    const y = (bottoms[path.track[i]!] ?? -1) - THICK / 2;
    if (y < 0) continue;
    const from = Math.max(viewport.x(path.start[i]!), 0);
    if (before >= 0 && before !== y) {
      context.moveTo(from, before);
      context.lineTo(from, y);
    }
    if (works[i] === 0) {
      context.moveTo(from, y);
      context.lineTo(Math.min(viewport.x(path.end[i]!), plot.width), y);
    }
    before = y;
  }
  context.stroke();
  context.setLineDash([]);
}

/** By track: where the row that shows it ends on the plot, -1 for none. */
function bottomsOf(scene: Scene): Float64Array {
  const bottoms = new Float64Array(scene.page.tracks.length).fill(-1);
  for (const row of scene.rows) {
    const bottom = row.y - scene.scroll + row.height;
    if (row.kind === "slices") bottoms[row.track!.index] = bottom;
    else if (row.folded) for (const track of row.engines) bottoms[track.index] = bottom;
  }
  return bottoms;
}

const worksKnown = new WeakMap<PathPieces, Uint8Array>();

/** By piece: 1 where something runs. */
function worksOf(page: Page, path: PathPieces): Uint8Array {
  let works = worksKnown.get(path);
  if (!works) {
    const byText = new Map<number, number>();
    for (const text of new Set(path.reason)) byText.set(text, WORKS.has(page.text(text)) ? 1 : 0);
    worksKnown.set(path, (works = Uint8Array.from(path.reason, (text) => byText.get(text)!)));
  }
  return works;
}

/** The first piece that ends after a time. */
export function firstAfter({ end }: PathPieces, time: number): number {
  let [low, high] = [0, end.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (end[middle]! > time) high = middle;
    else low = middle + 1;
  }
  return low;
}
