// One frame of the plot: grounds, slices and lines as rectangles.
import { ticks } from "./axis";
import { type LabelSpot, type Place, fillTrack } from "./fill";
import { type Series, lineValues, peakOf } from "./lines";
import { KERNELS_PART, drawBusy } from "./onerow";
import { packed } from "./palette";
import { QuadList, STYLE } from "./quads";
import type { Row } from "./rows";
import { Scale } from "./scale";
import type { Scene } from "./scene";

export interface Plot {
  /** Size of the plot in CSS pixels. */
  width: number;
  height: number;
}

export class Frame {
  readonly quads = new QuadList();
  readonly labels: LabelSpot[] = [];
  /** Values of the line rows as they were drawn last, by track. */
  readonly drawn = new Map<number, Series[]>();
  readonly scale = new Scale();
  /** Rows on the screen that had nothing decoded to draw from. */
  waiting = 0;

  /** Tells whether the lines' scale changed. What is not decoded yet is asked for. */
  build(scene: Scene, plot: Plot): boolean {
    const { quads } = this;
    const ratio = devicePixelRatio;
    quads.clear();
    this.labels.length = 0;
    this.waiting = 0;
    this.scale.begin();
    this.grid(scene, plot, ratio);
    for (const row of scene.rows) {
      const y = row.y - scene.scroll;
      if (y + row.height < 0 || y > plot.height) continue;
      if (row.kind === "group") this.group(scene, plot, row, ratio);
      else if (row.kind === "slices") this.slices(scene, plot, row, ratio);
      else this.line(scene, plot, row, ratio);
    }
    return this.scale.end();
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

  /** A folded group: of a core its kernels (or layers) and how busy it is, of others a thin stripe for each track. */
  private group(scene: Scene, plot: Plot, row: Row, ratio: number): void {
    const isCore = row.engines.some((track) => track.isEngine && track.kind !== "cdma") && row.group.startsWith("core");
    const named = row.engines.find((track) => track.kind === "kernel") ?? row.engines.find((track) => track.kind === "layer");
    const stripes = isCore ? (named ? [named] : []) : row.engines;
    const whole = row.height - 6;
    const high = isCore ? Math.round(whole * (named ? KERNELS_PART : 0)) : whole;
    const shown = this.labels.length;
    const height = high / Math.max(stripes.length, 1);
    stripes.forEach((track, i) => {
      const place = this.place(scene, plot, ratio, row.y - scene.scroll + 3 + i * height, Math.max(height - 1, 1));
      if (!fillTrack(this.quads, this.labels, scene.data[track.index]!, scene.paint, false, () => place)) this.waiting++;
    });
    if (!isCore) {
      this.labels.length = shown;
      return;
    }
    const box = { y: Math.round((row.y - scene.scroll + 3 + high) * ratio), height: Math.round((whole - high) * ratio), width: plot.width, ratio };
    if (!drawBusy(this.quads, scene, row.engines, box)) this.waiting++;
  }

  private line(scene: Scene, plot: Plot, row: Row, ratio: number): void {
    const track = row.track!;
    const series = lineValues(scene.data[track.index]!, scene.viewport.start, 1 / scene.viewport.scale, Math.ceil(plot.width));
    if (!series) {
      this.drawn.delete(track.index);
      return;
    }
    this.drawn.set(track.index, series);
    const isRate = series[0]?.metric === "rate";
    if (!isRate) for (const { values } of series) this.scale.see(values);
    const full = isRate ? 1 : this.scale.full;
    const base = Math.round((row.y - scene.scroll + row.height - 2) * ratio);
    const room = (row.height - 5) * ratio;
    for (const { metric, values } of series) this.curve(values, full, base, room, ratio, packed(lineColour(scene, track.kind, metric)));
    if (!isRate) for (const { metric } of series) this.peak((peakOf(track, metric) ?? 0) / full, plot, base, room, ratio, packed(lineColour(scene, track.kind, metric)));
  }

  /** The chip's peak as a dashed line, where it is within the row. */
  private peak(share: number, plot: Plot, base: number, room: number, ratio: number, colour: number): void {
    if (share <= 0 || share > 1) return;
    const dash = Math.round(6 * ratio);
    for (let x = 0; x < plot.width * ratio; x += 2 * dash) this.quads.push(x, base - Math.round(share * room), dash, Math.max(1, Math.round(ratio)), colour);
  }

  /** A step line over an area; where it rises or falls, the higher column is opaque down to the lower one. */
  private curve(values: Float64Array, full: number, base: number, room: number, ratio: number, colour: number): void {
    const stroke = Math.max(1, Math.round(ratio));
    const height = (i: number) => {
      const value = values[i] ?? 0;
      return value > 0 ? Math.max(stroke, Math.round(Math.min(1, value / full) * room)) : 0;
    };
    let before = height(0);
    let h = before;
    for (let i = 0; i < values.length; i++) {
      const after = height(i + 1);
      const x = Math.round(i * ratio);
      if (h > 0) this.quads.pushRun(x, base - h, Math.round((i + 1) * ratio) - x, h, colour, STYLE.line + Math.max(stroke, h - Math.min(before, after)));
      before = h;
      h = after;
    }
  }
}

/** Room for a tick's label in CSS pixels. */
export function tickWidth(unit: number): number {
  return 120 * unit;
}

/** L2M is apart from DDR by the colour of another engine. */
export function lineColour(scene: Scene, kind: string, metric: string): string {
  const { ground } = scene.paint;
  if (metric === "rate") return ground.tiu;
  if (metric === "l2") return ground.cdma;
  return kind === "sdma" ? ground.sdma : kind === "cdma" ? ground.cdma : ground.gdma;
}
