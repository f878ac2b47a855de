// The time axis above the plot, and the minimap of the whole run above it.
import { cleared } from "./cleared";
import { moment, ticks } from "./axis";
import { tickWidth } from "./frame";
import { rangeText } from "./overlay";
import type { Scene } from "./scene";

/** Letters of a note that the ruler shows. */
const LONGEST_NOTE = 40;

export class Ruler {
  readonly canvas = document.createElement("canvas");
  private readonly context = this.canvas.getContext("2d", { willReadFrequently: true })!;

  /** Sizes in CSS pixels. */
  draw(scene: Scene, width: number, height: number): void {
    const { context } = this;
    cleared(context, width, height);
    const { viewport, unit } = scene;
    const { ground } = scene.paint;
    context.font = `${11 * unit}px ${ground.sans}`;
    context.textBaseline = "middle";
    context.textAlign = "left";
    const { first, step, minor, label } = ticks(viewport.start, viewport.end, width, tickWidth(unit));
    for (let time = first; time < viewport.end; time += step) {
      const x = Math.round(viewport.x(time));
      context.fillStyle = ground.line;
      for (let i = 1; i < minor; i++) context.fillRect(Math.round(viewport.x(time + (step * i) / minor)), height - 4, 1, 4);
      context.fillStyle = ground.muted;
      context.fillRect(x, height - 9 * unit, 1, 9 * unit);
      const text = label(time);
      if (x + 6 + context.measureText(text).width < width) context.fillText(text, x + 4, height / 2);
    }
    if (scene.range) this.range(scene, height);
    this.notes(scene, width, height);
    if (scene.cursor) this.cursor(scene, width, height);
  }

  private range(scene: Scene, height: number): void {
    const { context } = this;
    const { ground } = scene.paint;
    const { start, end } = scene.range!;
    const left = scene.viewport.x(start);
    const right = scene.viewport.x(end);
    context.fillStyle = ground.accent;
    context.globalAlpha = 0.25;
    context.fillRect(left, 0, right - left, height);
    context.globalAlpha = 1;
    context.fillRect(left - 1, 0, 2, height);
    context.fillRect(right - 1, 0, 2, height);
    const middle = (Math.max(left, 0) + Math.min(right, scene.viewport.width)) / 2;
    if (right > 0 && left < scene.viewport.width) this.tag(scene, rangeText(start, end), middle, height, scene.viewport.width);
  }

  private notes(scene: Scene, width: number, height: number): void {
    const { context } = this;
    for (const { time, text } of scene.notes) {
      const x = Math.round(scene.viewport.x(time));
      if (x < 0 || x > width) continue;
      context.fillStyle = scene.paint.ground.warn;
      context.fillRect(x, 0, 1, height);
      context.beginPath();
      context.moveTo(x, 1);
      context.lineTo(x + 8, 5);
      context.lineTo(x, 9);
      context.fill();
      context.fillText(text.length > LONGEST_NOTE ? `${text.slice(0, LONGEST_NOTE)}…` : text, x + 10, height / 2 - 2);
    }
  }

  private cursor(scene: Scene, width: number, height: number): void {
    this.tag(scene, moment(scene.viewport.time(scene.cursor!.x)), scene.cursor!.x, height, width);
  }

  /** A text on a ground of its own. */
  private tag(scene: Scene, text: string, middle: number, height: number, width: number): void {
    const { context } = this;
    const { ground } = scene.paint;
    const w = context.measureText(text).width + 12;
    const x = Math.min(Math.max(middle - w / 2, 0), Math.max(width - w, 0));
    context.fillStyle = ground.text;
    context.beginPath();
    context.roundRect(x, 2, w, height - 4, 4);
    context.fill();
    context.fillStyle = ground.panel;
    context.fillText(text, x + 6, height / 2);
  }
}
