// Draws sends, waits and the arrows between them; finds the one at a point.
import type { Plot } from "../../ui/plot";
import { AXIS } from "../../ui/plot";
import { css } from "../../ui/colors";
import { spread } from "../timeline/spread";
import { gather } from "./gather";
import type { Messages } from "./messages";

/** Releases in view up to which each has its arrow; more are gathered: see `gather.ts`. */
const MOST_ARROWS = 400;
/** A lane with more than one send or wait in so many pixels shows shares instead. */
const DENSE = 3;
/** Height of a row, and width of the names at the left, in the plot's units. */
export const ROW = 26;
export const GUTTER = 132;

export class Chart {
  /** Lanes shown, from the top. */
  lanes: number[] = [];
  /** By send and wait: whether it is shown. */
  shown: Uint8Array;
  /** The wait or send that is pointed at; -1 none. */
  hot = -1;
  /** Releases in view, and by how many arrows they are drawn: fewer where arrows are gathered. */
  arrows = { inView: 0, drawn: 0 };
  private rowOf = new Map<number, number>();

  constructor(
    readonly m: Messages,
    private readonly nameOf: (lane: number) => string,
  ) {
    this.shown = new Uint8Array(m.row.length).fill(1);
  }

  show(shown: Uint8Array): void {
    this.shown = shown;
    const { m } = this;
    this.lanes = m.lanes.map((_, lane) => lane).filter((lane) => {
      for (let i = m.first[lane]!; i < m.first[lane + 1]!; i++) if (shown[i]) return true;
      return false;
    });
    this.rowOf = new Map(this.lanes.map((lane, row) => [lane, row]));
  }

  /** In the plot's units. */
  get height(): number {
    return AXIS + Math.max(this.lanes.length, 1) * ROW;
  }

  private middle(plot: Plot, lane: number): number {
    return plot.top + ((this.rowOf.get(lane) ?? 0) + 0.5) * ROW * plot.unit;
  }

  draw(plot: Plot, c: CanvasRenderingContext2D): void {
    this.names(plot, c);
    c.save();
    c.beginPath();
    c.rect(plot.left, plot.top, plot.width - plot.left, plot.height - plot.top);
    c.clip();
    for (const lane of this.lanes) this.lane(plot, c, lane);
    this.pairs(plot, c);
    c.restore();
  }

  private names(plot: Plot, c: CanvasRenderingContext2D): void {
    c.textAlign = "left";
    for (const [row, lane] of this.lanes.entries()) {
      const y = plot.top + row * ROW * plot.unit;
      c.fillStyle = css("--line");
      c.fillRect(0, y, plot.width, 1);
      c.fillStyle = css("--text");
      c.fillText(this.nameOf(lane), 4, y + (ROW / 2) * plot.unit + 1, plot.left - 8);
    }
  }

  /** Index of the first of a lane that may reach into the view: waits of one engine hardly overlap. */
  private from(lane: number, start: number): number {
    const { m } = this;
    let low = m.first[lane]!;
    let high = m.first[lane + 1]!;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (m.end[middle]! < start) low = middle + 1;
      else high = middle;
    }
    return Math.max(low - 1, m.first[lane]!);
  }

  private lane(plot: Plot, c: CanvasRenderingContext2D, lane: number): void {
    const { m } = this;
    const y = this.middle(plot, lane);
    const inView = this.from(lane, plot.end) - this.from(lane, plot.start);
    if (inView > (plot.width - plot.left) / DENSE) return this.shares(plot, c, lane, y);
    const colors = { wait: css("--wait"), send: css("--send") };
    let drawn = -1;
    for (let i = this.from(lane, plot.start); i < m.first[lane + 1]! && m.start[i]! <= plot.end; i++) {
      if (!this.shown[i]) continue;
      const left = plot.x(m.start[i]!);
      const right = plot.x(m.end[i]!);
      // What falls into the pixel that is drawn already would not be seen.
      if (right < drawn + 0.5 && i !== this.hot) continue;
      drawn = Math.max(right, left + 1);
      const wait = m.isWait[i] === 1;
      c.fillStyle = wait ? colors.wait : colors.send;
      if (wait) c.fillRect(left, y - 7, Math.max(right - left, 1.5), 14);
      else c.fillRect(left, y - 9, Math.max(right - left, 2), 18);
      if (i === this.hot) {
        c.strokeStyle = css("--text");
        c.lineWidth = 1.5;
        c.strokeRect(left - 1, y - 9, Math.max(right - left, 1.5) + 2, 18);
      }
    }
  }

  /** Of many: by pixel the share of the time that the engine waits. */
  private shares(plot: Plot, c: CanvasRenderingContext2D, lane: number, y: number): void {
    const { m } = this;
    const columns = Math.ceil(plot.width - plot.left);
    const share = new Float64Array(columns);
    const step = (plot.end - plot.start) / columns;
    for (let i = this.from(lane, plot.start); i < m.first[lane + 1]! && m.start[i]! <= plot.end; i++) {
      if (!this.shown[i] || !m.isWait[i]) continue;
      spread(share, (m.start[i]! - plot.start) / step, (m.end[i]! - plot.start) / step, (m.end[i]! - m.start[i]!) / step);
    }
    c.fillStyle = css("--wait");
    const most = (ROW - 6) * plot.unit;
    for (let x = 0; x < columns; x++) {
      const tall = Math.min(share[x]!, 1) * most;
      if (tall > 0) c.fillRect(plot.left + x, y + most / 2 - Math.max(tall, 1), 1, Math.max(tall, 1));
    }
  }

  private pairs(plot: Plot, c: CanvasRenderingContext2D): void {
    const { m } = this;
    c.lineWidth = 1;
    c.strokeStyle = c.fillStyle = css("--arrow");
    const hot: number[] = [];
    const seen: number[] = [];
    for (let p = 0; p < m.send.length; p++) {
      const send = m.send[p]!;
      const wait = m.wait[p]!;
      if (!this.shown[send] || !this.shown[wait]) continue;
      if (Math.max(m.end[send]!, m.end[wait]!) < plot.start || Math.min(m.end[send]!, m.end[wait]!) > plot.end) continue;
      const touched = send === this.hot || wait === this.hot;
      if (touched) hot.push(p);
      // Arrows of sends that did not release the wait only show when it is pointed at.
      if (m.releasedBy[wait] !== p) continue;
      seen.push(p);
    }
    this.arrows = { inView: seen.length, drawn: seen.length };
    if (seen.length <= MOST_ARROWS) {
      for (const p of seen) if (!hot.includes(p)) this.arrow(plot, c, p);
    } else {
      const bundles = gather(plot, m, seen);
      this.arrows.drawn = bundles.length;
      for (const { from, to, x0, x1, width } of bundles) {
        c.lineWidth = width;
        this.curve(c, x0, this.middle(plot, from), x1, this.middle(plot, to), 3 + width);
      }
    }
    c.lineWidth = 2;
    c.strokeStyle = c.fillStyle = css("--accent");
    for (const p of hot) this.arrow(plot, c, p);
  }

  private arrow(plot: Plot, c: CanvasRenderingContext2D, pair: number): void {
    const { m } = this;
    const x0 = plot.x(m.end[m.send[pair]!]!);
    const x1 = plot.x(m.end[m.wait[pair]!]!);
    const y0 = this.middle(plot, m.lane[m.send[pair]!]!);
    const y1 = this.middle(plot, m.lane[m.wait[pair]!]!);
    this.curve(c, x0, y0, x1, y1, 3);
  }

  private curve(c: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number, head: number): void {
    const down = Math.sign(y1 - y0);
    const tip = y1 - down * 8;
    c.beginPath();
    c.moveTo(x0, y0 + down * 9);
    c.bezierCurveTo(x0, (y0 + tip) / 2, x1, (y0 + tip) / 2, x1, tip);
    c.stroke();
    c.beginPath();
    c.moveTo(x1, tip);
    c.lineTo(x1 - head, tip - down * 2 * head);
    c.lineTo(x1 + head, tip - down * 2 * head);
    c.fill();
  }

  /** The shown send or wait at a point, or the nearest within some pixels; -1 if there is none. */
  at(plot: Plot, x: number, y: number): number {
    const lane = this.lanes[Math.floor((y - plot.top) / (ROW * plot.unit))];
    if (lane === undefined || y < plot.top || x < plot.left) return -1;
    const { m } = this;
    const near = plot.time(x + 5) - plot.time(x);
    const time = plot.time(x);
    let best = -1;
    let distance = near;
    for (let i = this.from(lane, time - near); i < m.first[lane + 1]! && m.start[i]! <= time + near; i++) {
      const off = Math.max(m.start[i]! - time, time - m.end[i]!, 0);
      if (this.shown[i] && (off < distance || (off === distance && best < 0))) {
        best = i;
        distance = off;
      }
    }
    return best;
  }
}
