// Draws the accesses as rectangles of time and address, and the live total under them; finds the access at a point.
import { binaryBytes } from "../../ui/format";
import { css } from "../../ui/colors";
import { h } from "../../ui/dom";
import type { Plot } from "../../ui/plot";
import { type Accesses, placeOf } from "./accesses";
import { packed, wantsWhite } from "../timeline/palette";
import { type Launches, STRIP, cut, drawKernels } from "./kernels";
import type { Held } from "./held";
import type { Live } from "./live";

/** Width of the names at the left, height of the live total and of the gap above it, in the plot's units. */
export const GUTTER = 120;
const LIVE = 90;
const GAP = 26;

export interface Window {
  /** Bytes of a lane shown: from, to. */
  from: number;
  to: number;
}

export class MemoryChart {
  hot = -1;
  window: Window;
  /** What stays in memory is drawn instead of the accesses, and the moment whose contents are listed. */
  held: Held | null = null;
  moment = 0;

  constructor(
    readonly a: Accesses,
    readonly laneBytes: number,
    readonly bankBytes: number,
    public shown: Uint8Array,
    public live: Live,
    private readonly kernels: Launches | null,
    private readonly texts: { bank(n: number): string; address(n: number): string; live: string; most(text: string): string },
  ) {
    this.window = { from: 0, to: laneBytes };
  }

  /** Where the addresses start, below the strip of kernels. */
  private top(plot: Plot): number {
    return plot.top + (this.kernels ? STRIP * plot.unit : 0);
  }

  private bottom(plot: Plot): number {
    return plot.height - (LIVE + GAP) * plot.unit;
  }

  private y(plot: Plot, addr: number): number {
    const { from, to } = this.window;
    return this.top(plot) + ((addr - from) / (to - from)) * (this.bottom(plot) - this.top(plot));
  }

  draw(plot: Plot, c: CanvasRenderingContext2D): void {
    if (this.kernels) drawKernels(plot, c, this.kernels);
    this.banks(plot, c);
    if (this.held) this.pieces(plot, c, this.held);
    else this.rectangles(plot, c);
    if (this.hot >= 0 && !this.held) this.outline(plot, c, this.hot);
    this.total(plot, c);
  }

  private banks(plot: Plot, c: CanvasRenderingContext2D): void {
    const bank = this.bankBytes > 0 ? this.bankBytes : this.laneBytes;
    const { from, to } = this.window;
    const height = (bank / (to - from)) * (this.bottom(plot) - this.top(plot));
    const every = Math.max(1, Math.ceil((15 * plot.unit) / height));
    c.textAlign = "left";
    for (let n = Math.floor(from / bank); n * bank < to; n++) {
      const y = Math.round(this.y(plot, n * bank));
      c.fillStyle = css("--line");
      c.fillRect(0, y, plot.width, 1);
      if (n % every !== 0) continue;
      c.fillStyle = css("--text");
      c.fillText(this.texts.bank(n), 4, y + Math.min(height / 2, 12 * plot.unit));
      c.fillStyle = css("--muted");
      c.textAlign = "right";
      c.fillText(this.texts.address(n * bank), plot.left - 8, y + Math.min(height / 2, 12 * plot.unit));
      c.textAlign = "left";
    }
    c.fillStyle = css("--line");
    c.fillRect(0, this.bottom(plot), plot.width, 1);
  }

  /** Marks pixels, so that a million accesses cost no more than their area: 1 read, 2 written, 3 both. */
  private rectangles(plot: Plot, c: CanvasRenderingContext2D): void {
    const scale = devicePixelRatio;
    const width = Math.floor((plot.width - plot.left) * scale);
    const top = this.top(plot) + 1;
    const height = Math.floor((this.bottom(plot) - top) * scale);
    if (width <= 0 || height <= 0) return;
    const marks = new Uint8Array(width * height);
    const { a, window } = this;
    const perNs = width / (plot.end - plot.start);
    const perByte = height / (window.to - window.from);
    for (let p = placeOf(a, plot.start - a.longest); p < a.byStart.length; p++) {
      const i = a.byStart[p]!;
      if (a.start[i]! > plot.end) break;
      if (!this.shown[i]) continue;
      const left = Math.max(Math.floor((a.start[i]! - plot.start) * perNs), 0);
      const right = Math.min(Math.max(Math.ceil((a.end[i]! - plot.start) * perNs), left + 1), width);
      const above = Math.max(Math.floor((a.addr[i]! - window.from) * perByte), 0);
      const below = Math.min(Math.max(Math.ceil((a.addr[i]! + a.bytes[i]! - window.from) * perByte), above + 2), height);
      const mark = a.write[i] ? 2 : 1;
      for (let y = above; y < below; y++) for (let x = y * width + left, end = y * width + right; x < end; x++) marks[x]! |= mark;
    }
    const colors = [0, rgba(css("--read")), rgba(css("--write")), rgba(css("--both"))];
    const image = new ImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    for (let i = 0; i < marks.length; i++) if (marks[i]) pixels[i] = colors[marks[i]!]!;
    // An image put there replaces what is below; drawn through a canvas it keeps the grid's lines.
    const layer = h("canvas", { width, height });
    layer.getContext("2d")!.putImageData(image, 0, 0);
    c.drawImage(layer, plot.left, top, width / scale, height / scale);
  }

  /** What stays in memory, coloured and named by its owner; of small pieces the later ones are on top. */
  private pieces(plot: Plot, c: CanvasRenderingContext2D, held: Held): void {
    c.save();
    c.beginPath();
    c.rect(plot.left, this.top(plot), plot.width - plot.left, this.bottom(plot) - this.top(plot));
    c.clip();
    c.textAlign = "left";
    for (let p = firstPiece(held, plot.start - held.longest); p < held.order.length; p++) {
      const i = held.order[p]!;
      if (held.start[i]! > plot.end) break;
      if (held.end[i]! < plot.start) continue;
      const left = Math.max(plot.x(held.start[i]!), plot.left - 1);
      const right = Math.min(plot.x(held.end[i]!), plot.width + 1);
      const top = this.y(plot, held.addr[i]!);
      const bottom = this.y(plot, held.addr[i]! + held.bytes[i]!);
      const { name, colour } = held.owner[i]!;
      c.fillStyle = colour;
      c.fillRect(left, top, Math.max(right - left - 0.5, 0.7), Math.max(bottom - top - 0.5, 0.7));
      if (bottom - top < 11 * plot.unit || right - left < 34 * plot.unit) continue;
      c.fillStyle = wantsWhite(packed(colour)) ? "#ffffff" : "#12161d";
      c.fillText(cut(c, name, right - left - 8), left + 4, (top + bottom) / 2);
    }
    c.fillStyle = css("--text");
    c.fillRect(plot.x(this.moment), this.top(plot), 1, this.bottom(plot) - this.top(plot));
    c.restore();
  }

  /** The piece of data at a point; -1 if there is none. */
  pieceAt(plot: Plot, x: number, y: number): number {
    const { held, window } = this;
    if (!held || x < plot.left || y < this.top(plot) || y > this.bottom(plot)) return -1;
    const time = plot.time(x);
    const addr = window.from + ((y - this.top(plot)) / (this.bottom(plot) - this.top(plot))) * (window.to - window.from);
    let best = -1;
    for (let p = firstPiece(held, time - held.longest); p < held.order.length; p++) {
      const i = held.order[p]!;
      if (held.start[i]! > time) break;
      if (time < held.end[i]! && held.addr[i]! <= addr && addr < held.addr[i]! + held.bytes[i]!) best = i;
    }
    return best;
  }

  private outline(plot: Plot, c: CanvasRenderingContext2D, i: number): void {
    const { a } = this;
    const left = Math.max(plot.x(a.start[i]!), plot.left);
    const right = Math.max(plot.x(a.end[i]!), left + 2);
    const top = Math.max(this.y(plot, a.addr[i]!), this.top(plot));
    const bottom = Math.min(Math.max(this.y(plot, a.addr[i]! + a.bytes[i]!), top + 2), this.bottom(plot));
    c.strokeStyle = css("--text");
    c.lineWidth = 1.5;
    c.strokeRect(left - 1, top - 1, right - left + 2, bottom - top + 2);
  }

  private total(plot: Plot, c: CanvasRenderingContext2D): void {
    const bottom = plot.height - 1;
    const top = bottom - LIVE * plot.unit;
    const { time, bytes, most } = this.live;
    c.fillStyle = css("--text");
    c.textAlign = "left";
    c.fillText(this.texts.live, 4, top + 8 * plot.unit);
    c.fillStyle = css("--muted");
    c.fillText(this.texts.most(binaryBytes(most)), 4, top + 26 * plot.unit);
    c.fillStyle = css("--line");
    c.fillRect(plot.left, bottom, plot.width - plot.left, 1);
    if (most === 0) return;
    const y = (n: number): number => bottom - (n / most) * (LIVE * plot.unit - 6);
    c.beginPath();
    c.moveTo(plot.left, bottom);
    let at = firstAfter(time, plot.start) - 1;
    let level = at >= 0 ? bytes[at]! : 0;
    c.lineTo(plot.left, y(level));
    // Of the changes within a pixel, the greatest total is drawn.
    for (let x = plot.left; x < plot.width; x++) {
      const until = plot.time(x + 1);
      let high = level;
      while (at + 1 < time.length && time[at + 1]! < until) {
        level = bytes[++at]!;
        high = Math.max(high, level);
      }
      c.lineTo(x, y(high));
      c.lineTo(x + 1, y(high));
    }
    c.strokeStyle = css("--accent");
    c.lineWidth = 1.5;
    c.stroke();
    c.lineTo(plot.width, bottom);
    c.globalAlpha = 0.15;
    c.fillStyle = css("--accent");
    c.fill();
    c.globalAlpha = 1;
  }

  /** The live total at a time. */
  liveAt(time: number): number {
    return this.live.bytes[firstAfter(this.live.time, time) - 1] ?? 0;
  }

  /** The shown access at a point: of several, the one that starts last; -1 if there is none. */
  at(plot: Plot, x: number, y: number): number {
    if (x < plot.left || y < this.top(plot) || y > this.bottom(plot)) return -1;
    const { a, window } = this;
    const near = plot.time(x + 2) - plot.time(x);
    const time = plot.time(x);
    const addr = window.from + ((y - this.top(plot)) / (this.bottom(plot) - this.top(plot))) * (window.to - window.from);
    const slack = (2 / (this.bottom(plot) - this.top(plot))) * (window.to - window.from);
    let best = -1;
    for (let p = placeOf(a, time - a.longest - near); p < a.byStart.length; p++) {
      const i = a.byStart[p]!;
      if (a.start[i]! > time + near) break;
      if (this.shown[i] && a.end[i]! >= time - near && a.addr[i]! - slack <= addr && addr < a.addr[i]! + a.bytes[i]! + slack) best = i;
    }
    return best;
  }

  /** Whether a point is on the live total. */
  onLive(plot: Plot, x: number, y: number): boolean {
    return x >= plot.left && y >= plot.height - LIVE * plot.unit - 1;
  }
}

/** Place in the order of the first piece that starts at a time or later. */
function firstPiece({ order, start }: Held, time: number): number {
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (start[order[middle]!]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Place of the first number above another, in ascending ones. */
function firstAfter(numbers: Float64Array, than: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! <= than) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A colour such as #aabbcc as the pixel of an image. */
function rgba(color: string): number {
  const bytes = new Uint8ClampedArray(4);
  for (let i = 0; i < 3; i++) bytes[i] = parseInt(color.slice(1 + 2 * i, 3 + 2 * i), 16);
  bytes[3] = 235;
  return new Uint32Array(bytes.buffer)[0]!;
}
