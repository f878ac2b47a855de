// What is over the slices: their names, the range, the cursor, outlines of the slice under it and of the chosen one.
import { duration } from "../../ui/format";
import type { LabelSpot } from "./fill";
import type { Flow } from "./flows";
import type { Frame, Plot } from "./frame";
import { wantsWhite } from "./palette";
import { drawPath } from "./pathlines";
import type { Scene } from "./scene";

/** Widths of texts, by font: measuring each anew would take most of a frame. */
const widths = new Map<string, number>();

export class Overlay {
  /** A canvas over the plot; null where it draws on the plot itself. */
  readonly canvas: HTMLCanvasElement | null;
  private readonly context: CanvasRenderingContext2D;

  constructor(plot: CanvasRenderingContext2D | null) {
    this.canvas = plot ? null : document.createElement("canvas");
    this.context = plot ?? this.canvas!.getContext("2d")!;
  }

  resize(width: number, height: number): void {
    if (this.canvas) Object.assign(this.canvas, { width, height });
  }

  draw(scene: Scene, plot: Plot, frame: Frame, flows: Flow[]): void {
    const { context } = this;
    const ratio = devicePixelRatio;
    context.setTransform(1, 0, 0, 1, 0, 0);
    if (this.canvas) context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.names(scene, frame.labels, ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (scene.options.path) drawPath(context, scene, plot);
    this.outlines(scene);
    // Strongest last, so that it lies on top.
    for (const flow of flows.toReversed()) this.arrow(scene, flow);
    this.range(scene, plot);
    this.notes(scene, plot);
    this.cursor(scene, plot);
  }

  private names(scene: Scene, labels: LabelSpot[], ratio: number): void {
    const { context } = this;
    const { page, unit } = scene;
    const { ground } = scene.paint;
    const size = Math.round(11.5 * unit * ratio);
    context.font = `${size}px ${ground.sans}`;
    context.textBaseline = "middle";
    context.textAlign = "left";
    for (const { x, y, w, h, name, colour } of labels) {
      if (h < size) continue;
      const left = Math.max(x, 0);
      const room = x + w - left - 8 * ratio;
      const text = this.cut(page.nameText(name), room, size);
      if (text === "") continue;
      context.fillStyle = colour >>> 24 < 255 ? ground.muted : wantsWhite(colour) ? "#ffffff" : "#12161d";
      if (colour === 0) context.fillStyle = ground.text;
      context.fillText(text, left + 4 * ratio, y + h / 2 + ratio * 0.5);
    }
  }

  private measure(text: string, size: number): number {
    const key = `${size} ${text}`;
    let width = widths.get(key);
    if (width === undefined) widths.set(key, (width = this.context.measureText(text).width));
    return width;
  }

  /** The text, cut to the room with an ellipsis; "" if nothing sensible is left. */
  private cut(text: string, room: number, size: number): string {
    const width = this.measure(text, size);
    if (width <= room) return text;
    let fits = Math.floor((text.length * room) / width) - 1;
    while (fits >= 2 && this.measure(`${text.slice(0, fits)}…`, size) > room) fits--;
    return fits < 2 ? "" : `${text.slice(0, fits)}…`;
  }

  private outlines(scene: Scene): void {
    const { hover, selected, paint } = scene;
    if (hover && hover.kind === "slice") this.outline(scene, hover.track, hover.lane, hover.start, hover.end, paint.ground.text, 1);
    const times = selected && scene.data[selected.track]?.wantIndex()?.times;
    if (!times) return;
    const { row, track } = selected;
    const start = times.start[row]!;
    this.outline(scene, track, times.lane?.[row] ?? 0, start, start + times.dur[row]!, paint.ground.accent, 2.5);
  }

  private outline(scene: Scene, track: number, lane: number, start: number, end: number, colour: string, width: number): void {
    const shown = scene.rowTrack(track);
    const row = scene.rows.find((r) => r.kind === "slices" && r.track?.index === shown);
    if (!row) return;
    const { context } = this;
    const { viewport } = scene;
    // A gap is one of all lanes.
    const lanes = shown === track ? 1 : row.track!.head.lanes;
    const left = Math.max(viewport.x(start), -10);
    const right = Math.min(viewport.x(end), viewport.width + 10);
    if (right < 0 || left > viewport.width) return;
    context.strokeStyle = colour;
    context.lineWidth = width;
    const y = row.y - scene.scroll + 2 + lane * row.laneHeight;
    context.setLineDash(shown === track ? [] : [5, 3]);
    context.strokeRect(left - width / 2, y - width / 2, Math.max(right - left, 1) + width, lanes * row.laneHeight - 1 + width);
    context.setLineDash([]);
  }

  /** A curve from the end of a send to the end of the wait that it released. */
  private arrow(scene: Scene, { from, to, releases }: Flow): void {
    const { context } = this;
    const y = (p: Flow["from"]) => {
      const row = scene.rows.find((r) => r.kind === "slices" && r.track?.index === p.track);
      return row ? row.y - scene.scroll + 2 + (p.lane + 0.5) * row.laneHeight : null;
    };
    const [y0, y1] = [y(from), y(to)];
    if (y0 === null || y1 === null) return;
    const [x0, x1] = [scene.viewport.x(from.time), scene.viewport.x(to.time)];
    if (Math.max(x0, x1) < -2000 || Math.min(x0, x1) > scene.viewport.width + 2000) return;
    const bend = Math.max(24, Math.min(90, Math.abs(x1 - x0) / 2));
    // The send that came last released the wait; the others were there before and keep out of the way.
    context.strokeStyle = context.fillStyle = releases ? scene.paint.ground.accent : scene.paint.ground.muted;
    context.lineWidth = releases ? 2.2 : 1;
    context.globalAlpha = releases ? 1 : 0.55;
    context.setLineDash(releases ? [] : [4, 4]);
    context.beginPath();
    context.moveTo(x0, y0);
    context.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1 - 6, y1);
    context.stroke();
    context.setLineDash([]);
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x1 - 8, y1 - 4.5);
    context.lineTo(x1 - 8, y1 + 4.5);
    context.fill();
    context.globalAlpha = 1;
  }

  private range(scene: Scene, plot: Plot): void {
    if (!scene.range) return;
    const { context } = this;
    const { ground } = scene.paint;
    const left = scene.viewport.x(scene.range.start);
    const right = scene.viewport.x(scene.range.end);
    context.fillStyle = ground.bg;
    context.globalAlpha = 0.55;
    if (left > 0) context.fillRect(0, 0, Math.min(left, plot.width), plot.height);
    if (right < plot.width) context.fillRect(Math.max(right, 0), 0, plot.width, plot.height);
    context.globalAlpha = 1;
    context.fillStyle = ground.accent;
    context.fillRect(left - 0.5, 0, 1, plot.height);
    context.fillRect(right - 0.5, 0, 1, plot.height);
  }

  private notes(scene: Scene, plot: Plot): void {
    this.context.fillStyle = scene.paint.ground.warn;
    for (const { time } of scene.notes) this.context.fillRect(Math.round(scene.viewport.x(time)), 0, 1, plot.height);
  }

  private cursor(scene: Scene, plot: Plot): void {
    if (!scene.cursor) return;
    this.context.fillStyle = scene.paint.ground.muted;
    this.context.globalAlpha = 0.6;
    this.context.fillRect(Math.round(scene.cursor.x), 0, 1, plot.height);
    this.context.globalAlpha = 1;
  }
}

/** Length of a range as its mark on the ruler shows it. */
export function rangeText(start: number, end: number): string {
  return duration(end - start);
}
