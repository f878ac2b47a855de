// The critical path over the rows: a line under each of its commands, dashed where nothing ran, and where it goes to another row.
import type { PathPieces } from "../../data/path";
import type { Plot } from "./frame";
import type { Row } from "./rows";
import type { Scene } from "./scene";

/** What runs while the path goes through it; all other reasons are gaps. */
export const WORKS = new Set(["compute", "DDR transfer", "L2M transfer", "link transfer", "local transfer", "system command", "wait"]);
/** Pieces in view up to which the steps from row to row are drawn: more would be a curtain. */
const MOST_STEPS = 400;

export function drawPath(context: CanvasRenderingContext2D, scene: Scene, plot: Plot): void {
  const { path, viewport, page } = scene;
  if (!path) return;
  const rows = new Map<number, Row>();
  for (const row of scene.rows) {
    if (row.kind === "slices") rows.set(row.track!.index, row);
    else if (row.folded) for (const track of row.engines) rows.set(track.index, row);
  }
  const first = firstAfter(path, viewport.start);
  let last = first;
  while (last < path.end.length && path.start[last]! < viewport.end) last++;
  const steps = last - first <= MOST_STEPS;
  const gaps = new Path2D();
  const works = new Path2D();
  const ends = new Map<number, number>();
  let before: { x: number; y: number } | null = null;
  for (let i = first; i < last; i++) {
    const row = rows.get(path.track[i]!);
    const to = Math.min(viewport.x(path.end[i]!), plot.width);
    const from = Math.max(viewport.x(path.start[i]!), 0);
    // What ends on the same pixel as the piece before on that row adds nothing.
    if (!row || (!steps && to - (ends.get(path.track[i]!) ?? -1) < 0.5)) continue;
    ends.set(path.track[i]!, to);
    const y = row.y - scene.scroll + row.height - 1.5;
    const line = WORKS.has(page.text(path.reason[i]!)) ? works : gaps;
    line.moveTo(from, y);
    line.lineTo(Math.max(to, from + 0.75), y);
    if (steps && before && before.y !== y) {
      gaps.moveTo(from, before.y);
      gaps.lineTo(from, y);
    }
    before = { x: to, y };
  }
  context.strokeStyle = scene.paint.ground.bad;
  context.lineWidth = 2.5;
  context.stroke(works);
  context.lineWidth = 1.25;
  context.setLineDash([3, 3]);
  context.stroke(gaps);
  context.setLineDash([]);
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
