// One frame of the plot: grounds, slices and lines as rectangles.
import { ticks } from "./axis";
import { type LabelSpot, type Place, fillTrack } from "./fill";
import { type Series, fullScale } from "./lines";
import { packed } from "./palette";
import { QuadList } from "./quads";
import type { Row } from "./rows";
import type { Scene } from "./scene";

export interface Plot {
  /** Size of the plot in CSS pixels. */
  width: number;
  height: number;
}

/** Values of a line row as they were drawn last, for its label and the cursor. */
export interface DrawnLine {
  series: Series[];
  /** What the row's full height stands for. */
  full: number;
}

export class Frame {
  readonly quads = new QuadList();
  readonly labels: LabelSpot[] = [];
  readonly drawn = new Map<number, DrawnLine>();
  /** Rows on the screen that had nothing decoded to draw from. */
  waiting = 0;

  /** `withLines`: facts may be decoded for the lines. */
  build(scene: Scene, plot: Plot, withLines: boolean): void {
    const { quads } = this;
    const ratio = devicePixelRatio;
    quads.clear();
    this.labels.length = 0;
    this.waiting = 0;
    this.grid(scene, plot, ratio);
    for (const row of scene.rows) {
      const y = row.y - scene.scroll;
      if (y + row.height < 0 || y > plot.height) continue;
      if (row.kind === "group") this.group(scene, plot, row, ratio);
      else if (row.kind === "slices") this.slices(scene, plot, row, ratio);
      else if (withLines) this.line(scene, plot, row, ratio);
    }
  }

  private grid(scene: Scene, plot: Plot, ratio: number): void {
    const { ground } = scene.paint;
    const { viewport } = scene;
    const line = packed(ground.line, 0.55);
    const { first, step } = ticks(viewport.start, viewport.end, plot.width, tickWidth(scene.unit));
    for (let time = first; time < viewport.end; time += step) this.quads.push(Math.round(viewport.x(time) * ratio), 0, 1, plot.height * ratio, line);
    const header = packed(ground.bg);
    for (const row of scene.rows) {
      const y = Math.round((row.y - scene.scroll) * ratio);
      if (row.kind === "group") this.quads.push(0, y, plot.width * ratio, row.height * ratio, header);
      this.quads.push(0, y, plot.width * ratio, 1, packed(ground.line, row.kind === "group" ? 1 : 0.5));
    }
  }

  private place(scene: Scene, plot: Plot, ratio: number, y: number, height: number): Place {
    const { viewport } = scene;
    return { y: Math.round(y * ratio), height: Math.max(1, Math.round(height * ratio)), start: viewport.start, end: viewport.end, scale: viewport.scale * ratio, width: plot.width * ratio };
  }

  private slices(scene: Scene, plot: Plot, row: Row, ratio: number): void {
    const data = scene.data[row.track!.index]!;
    const place = (lane: number) => this.place(scene, plot, ratio, row.y - scene.scroll + 2 + lane * row.laneHeight, row.laneHeight - 1);
    if (!fillTrack(this.quads, this.labels, data, scene.paint, scene.options.bars, place)) this.waiting++;
  }

  /** The engines of a folded group, one thin stripe each. */
  private group(scene: Scene, plot: Plot, row: Row, ratio: number): void {
    const height = (row.height - 6) / Math.max(row.engines.length, 1);
    const shown = this.labels.length;
    row.engines.forEach((track, i) => {
      const place = this.place(scene, plot, ratio, row.y - scene.scroll + 3 + i * height, Math.max(height - 1, 1));
      if (!fillTrack(this.quads, this.labels, scene.data[track.index]!, scene.paint, false, () => place)) this.waiting++;
    });
    this.labels.length = shown;
  }

  private line(scene: Scene, plot: Plot, row: Row, ratio: number): void {
    const track = row.track!;
    const columns = Math.ceil(plot.width);
    const series = scene.lines[track.index]!.values(scene.viewport.start, 1 / scene.viewport.scale, columns);
    if (!series) {
      this.drawn.delete(track.index);
      return;
    }
    const known = Math.max(...series.map((s) => fullScale(track, s.metric)));
    const full = known > 0 ? known : series.reduce((most, s) => s.values.reduce((a, b) => Math.max(a, b), most), 1e-9);
    this.drawn.set(track.index, { series, full });
    const base = Math.round((row.y - scene.scroll + row.height - 2) * ratio);
    const room = (row.height - 6) * ratio;
    const stroke = Math.max(1, Math.round(1.2 * ratio));
    series.forEach(({ metric, values }, order) => {
      const hex = lineColour(scene, track.kind, metric);
      const area = packed(hex, order === 0 ? 0.3 : 0.12);
      const edge = packed(hex);
      for (let i = 0; i < columns; i++) {
        const value = values[i]!;
        if (value <= 0) continue;
        const h = Math.max(stroke, Math.round(Math.min(1, value / full) * room));
        const x = Math.round(i * ratio);
        const w = Math.round((i + 1) * ratio) - x;
        this.quads.push(x, base - h, w, h, area);
        this.quads.push(x, base - h, w, stroke, edge);
      }
    });
  }
}

/** Room for a tick's label in CSS pixels. */
export function tickWidth(unit: number): number {
  return 120 * unit;
}

/** L2M stands apart from DDR by the colour of another engine. */
export function lineColour(scene: Scene, kind: string, metric: string): string {
  const { ground } = scene.paint;
  if (metric === "rate") return ground.tiu;
  if (metric === "l2") return ground.cdma;
  return kind === "sdma" ? ground.sdma : kind === "cdma" ? ground.cdma : ground.gdma;
}
