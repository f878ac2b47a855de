// A canvas with time from left to right: zoom at the pointer, drag, keys, a tip at what the pointer rests on.
import { Context as SvgContext } from "svgcanvas";
import type { Page } from "../data/page";
import { roundStep, timeLabel } from "./axis";
import { css } from "./colors";
import { type Picture, framed } from "./picture";
import { h, put } from "./dom";
import * as state from "./state";

export interface PlotOptions {
  id: string;
  /** What it shows, for readers of the screen. */
  label: string;
  /** All of the time, ns. */
  range: [number, number];
  /** Room at the left for names of rows, in units (see `Plot.unit`). */
  gutter: number;
  /** Draws everything but the axis; coordinates are CSS pixels. */
  draw(plot: Plot, context: CanvasRenderingContext2D): void;
  /** What to show at a point; null for nothing. */
  tip(plot: Plot, x: number, y: number): (Node | string)[] | null;
  click(plot: Plot, x: number, y: number): void;
  /** Key of the page's state that holds the visible range, as `start-end`; none while all is shown. */
  key: string;
}

/** Height of the axis at the top, in units. */
export const AXIS = 22;
/** Units of a line of text: what the plot's font size is. */
export const FONT = 12;

/** All of the device's time, ns since the span's start. */
export function deviceRange(page: Page): [number, number] {
  const { start, end } = page.head.device;
  return [start, Math.max(end, start + 1)];
}

export class Plot {
  readonly element: HTMLElement;
  readonly canvas = h("canvas", { tabindex: 0 });
  private readonly tip = h("div", { class: "tip", hidden: true });
  private frame = 0;
  start: number;
  end: number;
  width = 0;
  height = 0;
  /** CSS pixels of a unit: 1 at the usual font size, more on large screens. */
  unit = 1;

  constructor(readonly options: PlotOptions) {
    [this.start, this.end] = options.range;
    this.canvas.id = options.id;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label", options.label);
    this.element = h("div", { class: "plot" }, this.canvas, this.tip);
    this.listen();
    new ResizeObserver(() => this.redraw()).observe(this.element);
    this.follow();
  }

  /** x of a time. */
  x(ns: number): number {
    return this.left + ((ns - this.start) / (this.end - this.start)) * (this.width - this.left);
  }

  /** x at which time starts, and y at which the axis ends. */
  get left(): number {
    return this.options.gutter * this.unit;
  }

  get top(): number {
    return AXIS * this.unit;
  }

  /** The time at an x. */
  time(x: number): number {
    return this.start + ((x - this.left) / Math.max(this.width - this.left, 1)) * (this.end - this.start);
  }

  /** Shows a range, cut to all of the time. */
  show(start: number, end: number): void {
    const [first, last] = this.options.range;
    const length = Math.min(Math.max(end - start, 10), last - first);
    this.start = Math.min(Math.max(start, first), last - length);
    this.end = this.start + length;
    state.set({ [this.options.key]: length >= last - first ? "" : `${Math.round(this.start)}-${Math.round(this.end)}` });
    this.redraw();
  }

  /** Takes over the range that the page's state holds; all of the time if it has none. */
  follow(): void {
    const [start, end] = state.get(this.options.key).split("-").map(Number);
    if (start !== undefined && end !== undefined && end > start) this.show(start, end);
    else this.fit();
  }

  fit(): void {
    this.show(...this.options.range);
  }

  zoom(factor: number, at = (this.start + this.end) / 2): void {
    this.show(at - (at - this.start) * factor, at + (this.end - at) * factor);
  }

  redraw(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.paint());
  }

  private paint(): void {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth === 0) return;
    const scale = devicePixelRatio;
    const size = parseFloat(getComputedStyle(this.element).fontSize);
    this.unit = size / FONT;
    this.width = clientWidth;
    this.height = clientHeight;
    this.canvas.width = Math.round(clientWidth * scale);
    this.canvas.height = Math.round(clientHeight * scale);
    const context = this.canvas.getContext("2d")!;
    context.scale(scale, scale);
    this.drawOn(context, size);
    this.canvas.dataset.start = String(Math.round(this.start));
    this.canvas.dataset.end = String(Math.round(this.end));
  }

  /** The chart as it is, in shapes. */
  picture(): Picture {
    const context = new SvgContext({ width: this.width, height: this.height });
    this.drawOn(context as unknown as CanvasRenderingContext2D, FONT * this.unit);
    return framed(context.getSvg().innerHTML.replaceAll("xlink:href", "href"), this.width, this.height);
  }

  private drawOn(context: CanvasRenderingContext2D, size: number): void {
    context.font = `${size}px ${css("--sans").replaceAll('"', "")}`;
    context.textBaseline = "middle";
    this.axis(context);
    this.options.draw(this, context);
  }

  private axis(context: CanvasRenderingContext2D): void {
    const step = roundStep((this.end - this.start) / Math.max((this.width - this.left) / (120 * this.unit), 1));
    context.textAlign = "center";
    for (let at = Math.ceil(this.start / step) * step; at <= this.end; at += step) {
      const x = Math.round(this.x(at)) + 0.5;
      context.fillStyle = css("--line");
      context.fillRect(x, this.top, 1, this.height - this.top);
      const text = timeLabel(at, step, this.end);
      const half = context.measureText(text).width / 2;
      if (x + half > this.width || x - half < this.left - 40) continue;
      context.fillStyle = css("--muted");
      context.fillText(text, x, this.top / 2);
    }
  }

  private listen(): void {
    let dragged: { x: number; start: number; end: number; moved: boolean } | null = null;
    this.canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.pan((event.deltaX || event.deltaY) / 800);
      else this.zoom(Math.exp(event.deltaY / 400), this.time(event.offsetX));
    }, { passive: false });
    this.canvas.addEventListener("pointerdown", (event) => {
      dragged = { x: event.offsetX, start: this.start, end: this.end, moved: false };
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (!dragged) return this.rest(event.offsetX, event.offsetY);
      const by = event.offsetX - dragged.x;
      if (Math.abs(by) > 3) dragged.moved = true;
      const ns = (by / Math.max(this.width - this.left, 1)) * (dragged.end - dragged.start);
      if (dragged.moved) this.show(dragged.start - ns, dragged.end - ns);
    });
    this.canvas.addEventListener("pointerup", (event) => {
      if (dragged && !dragged.moved) this.options.click(this, event.offsetX, event.offsetY);
      dragged = null;
    });
    this.canvas.addEventListener("pointerleave", () => (this.tip.hidden = true));
    this.canvas.addEventListener("dblclick", () => this.fit());
    this.canvas.addEventListener("keydown", (event) => this.key(event));
  }

  private pan(share: number): void {
    const by = (this.end - this.start) * share;
    this.show(this.start + by, this.end + by);
  }

  private key(event: KeyboardEvent): void {
    const actions: Record<string, () => void> = {
      ArrowLeft: () => this.pan(-0.2), ArrowRight: () => this.pan(0.2), a: () => this.pan(-0.2), d: () => this.pan(0.2),
      "+": () => this.zoom(0.7), "=": () => this.zoom(0.7), w: () => this.zoom(0.7), "-": () => this.zoom(1.4), s: () => this.zoom(1.4),
      "0": () => this.fit(), Home: () => this.fit(),
    };
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : actions[event.key];
    if (!action) return;
    action();
    event.preventDefault();
  }

  private rest(x: number, y: number): void {
    const content = this.options.tip(this, x, y);
    this.tip.hidden = !content;
    this.canvas.style.cursor = content ? "pointer" : "default";
    if (!content) return;
    put(this.tip, ...content);
    const { offsetWidth, offsetHeight } = this.tip;
    this.tip.style.left = `${Math.min(x + 14, Math.max(this.width - offsetWidth - 4, 0))}px`;
    this.tip.style.top = `${y + 18 + offsetHeight > this.height ? Math.max(y - offsetHeight - 10, 0) : y + 18}px`;
  }
}
