// The heat table: ranks by time, coloured by state. Only the rows in sight are drawn.
import { roundStep, timeLabel } from '../../emit-web/page/src/ui/axis';
import { MEANING, REDRAWN, colorOf, css, el, stateName, stateRow, swatch } from './base.js';
import { C, DATA } from './data.js';
import { selectedOperation } from './details.js';
import { Levels } from './levels.js';
import { listen } from './pointing.js';
import { phrase } from './words.js';

const ROW_HEIGHTS = [1, 2, 4, 8, 14, 22];
/** px; of the part in sight, and of a name. */
const SIGHT = 600, NAME = 14;
/** Where a pixel of a thin row looks into the shares: each state shows as often as it is there. */
const DITHER = [0.125, 0.625, 0.375, 0.875, 0.25, 0.75];

export class Heat {
  constructor() {
    const { bins, ranks, islands, windows } = DATA.heat;
    Object.assign(this, { bins, ranks, islands, windows, n: ranks.length, states: DATA.states, levels: null });
    this.from = 0; this.to = 1; this.order = [...this.ranks.keys()]; this.selected = null; this.pointed = null;
    this.rowHeight = Math.max(2, Math.min(22, Math.floor(560 / this.n)));
    this.canvas = el('canvas', { class: 'heat', tabindex: 0, role: 'img', 'aria-label': 'States of the ranks over time; arrows up and down choose a rank, Enter opens it' });
    this.axis = el('canvas', { class: 'axis', height: 40 });
    this.tip = el('div', { class: 'tip', 'aria-live': 'polite' });
    this.inSight = el('span', { class: 'muted' });
    this.spacer = el('div', {}, this.canvas);
    this.scroll = el('div', { class: 'rows' }, this.spacer);
    listen(this);
    REDRAWN.push(() => {
      this.colors = null;
      this.draw();
    });
  }

  node() {
    const button = (label, act) => el('button', { onclick: act }, label);
    const by = (label, order) => button(label, () => { this.order = order(); this.draw(); });
    const index = [...this.ranks.keys()];
    const exposed = at => -(stateRow.get(this.ranks[at])?.exposed_ns ?? 0);
    const tools = el('p', { class: 'tools' },
      by('order by rank', () => index.slice()),
      by('by exposed communication', () => index.slice().sort((a, b) => exposed(a) - exposed(b) || a - b)),
      button('zoom in', () => this.zoom(0.5, 0.5)),
      button('zoom out', () => this.zoom(0.5, 2)),
      button('all', () => { this.from = 0; this.to = 1; this.draw(); }),
      button('higher rows', () => this.rows(1)),
      button('lower rows', () => this.rows(-1)), this.inSight);
    const legend = el('p', { class: 'legend-row' }, this.states.filter(s => C.states.some(r => r[s + '_ns'] > 0)).map(s =>
      el('span', { title: MEANING[s] }, swatch(colorOf(s)), stateName(s))));
    return el('div', { class: 'heatbox' }, tools, legend, this.tip, this.axis, this.scroll);
  }

  /** Takes the shares of the states, and draws. */
  fill(shares) {
    this.levels = new Levels(shares, this.n, this.bins, this.states.length);
    this.draw();
  }

  /** ns of the reference of a rank's island at a place of the view, 0 to 1. */
  moment(at, x) {
    const [start, end] = this.windows[this.islands[at]];
    return start + (end - start) * (this.from + (this.to - this.from) * x);
  }

  zoom(x, factor) {
    const middle = this.from + (this.to - this.from) * x;
    const least = 8 / this.bins;
    const width = Math.min(1, Math.max(least, (this.to - this.from) * factor));
    this.from = Math.max(0, Math.min(1 - width, middle - width * x));
    this.to = this.from + width;
    this.draw();
  }

  pan(part) {
    const width = this.to - this.from;
    this.from = Math.max(0, Math.min(1 - width, this.from + part * width));
    this.to = this.from + width;
    this.draw();
  }

  /** Higher or lower rows; the selected rank, else the middle of the part in sight, stays there. */
  rows(change) {
    const now = this.rowHeight, steps = ROW_HEIGHTS;
    const next = change > 0 ? steps.find(h => h > now) ?? now : steps.findLast(h => h < now) ?? now;
    const selected = this.rowOf(this.selected), sight = this.scroll.clientHeight;
    const row = selected >= 0 ? selected : (this.scroll.scrollTop + sight / 2) / now;
    this.rowHeight = next;
    this.draw();
    this.scroll.scrollTop = (row + 0.5) * next - sight / 2;
  }

  rowOf(rank) {
    return rank === null ? -1 : this.order.findIndex(i => this.ranks[i] === rank);
  }

  /** Brings a row into sight. */
  reveal(row) {
    const top = row * this.rowHeight, sight = this.scroll.clientHeight;
    if (top < this.scroll.scrollTop) this.scroll.scrollTop = top;
    else if (top + this.rowHeight > this.scroll.scrollTop + sight) this.scroll.scrollTop = top + this.rowHeight - sight;
  }

  /** Sums of the states of a rank at a place of the view, 0 to 1. */
  sums(rank, x) {
    const width = (this.to - this.from) / (this.canvas.width - this.gutter), from = this.from + x * (this.to - this.from);
    return this.levels.between(this.levels.fitting(width), rank, from, from + width);
  }

  /** Draws once, before the next frame. */
  soon() {
    if (!this.waiting) requestAnimationFrame(() => { this.waiting = false; this.draw(); });
    this.waiting = true;
  }

  draw() {
    if (!this.levels) return;
    const h = this.rowHeight, width = Math.max(320, this.scroll.clientWidth || 900), all = this.n * h;
    this.scroll.style.height = `${Math.min(SIGHT, all) + 2}px`;
    this.spacer.style.height = `${all}px`;
    const height = Math.min(SIGHT, all), context = this.canvas.getContext('2d');
    this.canvas.width = width;
    this.canvas.height = height;
    context.font = '11px system-ui';
    this.gutter = Math.ceil(Math.max(...this.ranks.map(rank => String(rank).length)) * 7 + 16);
    const first = Math.floor(this.scroll.scrollTop / h), last = Math.min(this.n, Math.ceil((this.scroll.scrollTop + height) / h));
    this.top = this.scroll.scrollTop;
    this.inSight.textContent = all > SIGHT ? phrase(`rows ${first + 1} to ${last} of ${this.n}: scroll for the others`, `${this.n} 行中的第 ${first + 1} 至 ${last} 行：滚动查看其余`) : '';
    const wide = width - this.gutter, image = context.createImageData(wide, height);
    for (let row = first; row < last; row++) this.drawRow(image, row * h - Math.round(this.top), this.order[row]);
    context.putImageData(image, this.gutter, 0);
    this.drawNames(context, first, last, width);
    this.drawAxis(width);
  }

  /** A row of the image: in high rows the states fill each column from top to bottom, thin ones are dithered. */
  drawRow(image, top, rank) {
    const { width, height } = image, pixels = new Uint32Array(image.data.buffer), h = this.rowHeight, states = this.states.length;
    const step = (this.to - this.from) / width, level = this.levels.fitting(step), isThin = h < 6, filled = isThin ? h : h - 1;
    const colors = this.pixels();
    for (let x = 0; x < width; x++) {
      const from = this.from + x * step, sums = this.levels.between(level, rank, from, from + step);
      let sum = 0;
      for (let k = 0; k < states; k++) sum += sums[k];
      const unit = (sum || 1) / filled;
      for (let y = 0, state = 0, until = sums[0]; y < filled; y++) {
        const place = y + (isThin ? DITHER[(x + 2 * rank) % DITHER.length] : 0.5);
        while (place * unit > until && state < states - 1) until += sums[++state];
        if (top + y >= 0 && top + y < height) pixels[(top + y) * width + x] = colors[state];
      }
    }
  }

  /** The states' colours as pixels. */
  pixels() {
    const bytes = () => this.states.map(s => [1, 3, 5].map(i => parseInt(css(`--${s}`).slice(i, i + 2), 16)));
    return this.colors ??= new Uint32Array(new Uint8Array(bytes().flatMap(c => [...c, 255])).buffer);
  }

  /** Names beside the rows: of every n-th where rows are thin, and always of the selected rank and the one pointed at. */
  drawNames(context, first, last, width) {
    const h = this.rowHeight;
    let each = 1;
    while (each * h < NAME) each *= 2;
    const baseline = row => row * h - this.top + (h >= NAME ? h / 2 + 4 : 10);
    context.fillStyle = css('--text');
    for (let row = Math.ceil(first / each) * each; row < last; row += each) {
      context.fillText(`r${this.ranks[this.order[row]]}`, 2, Math.min(baseline(row), this.canvas.height - 2));
      if (each > 1) context.fillRect(this.gutter - 4, row * h - this.top, 4, 1);
    }
    for (const [rank, color] of [[this.pointed, css('--accent')], [this.selected, css('--bad')]]) {
      const row = this.rowOf(rank), y = row * h - this.top;
      if (row < first || row >= last) continue;
      context.strokeStyle = color;
      context.lineWidth = 1.5;
      context.strokeRect(this.gutter + 0.5, y - 0.5, width - this.gutter - 1, h + 1);
      const at = Math.max(0, Math.min(this.canvas.height - NAME, y + h / 2 - NAME / 2));
      context.fillStyle = color;
      context.fillRect(0, at, this.gutter - 2, NAME);
      context.fillStyle = css('--panel');
      context.fillText(`r${rank}`, 2, at + 11);
    }
  }

  /** Times, and the operations of the first island above the ranks. */
  drawAxis(width) {
    this.axis.width = width;
    const wide = width - this.gutter;
    const context = this.axis.getContext('2d');
    const [start, end] = [this.moment(0, 0), this.moment(0, 1)], origin = this.windows[this.islands[0]]?.[0] ?? 0;
    context.font = '11px system-ui';
    context.translate(this.gutter, 0);
    const island = this.islands[0];
    C.operations.forEach((o, number) => {
      if (o.island !== island || o.end_ns < start || o.start_ns > end) return;
      const x = Math.max(0, (o.start_ns - start) / (end - start) * wide), w = (o.end_ns - start) / (end - start) * wide - x;
      context.fillStyle = css(number === selectedOperation ? '--bad' : '--cdma');
      context.fillRect(x, 22, Math.max(1, w - 0.5), 14);
      if (w > 60) { context.fillStyle = css('--panel'); context.fillText(o.kind, x + 3, 33, w - 4); }
    });
    context.fillStyle = css('--text');
    const step = roundStep((end - start) * 90 / wide);
    for (let t = Math.ceil((start - origin) / step) * step; t + origin < end; t += step) {
      const x = (t + origin - start) / (end - start) * wide;
      context.fillRect(x, 14, 1, 6);
      // A name that would be cut at the end is left out.
      const label = timeLabel(t, step, end - origin);
      if (x + 3 + context.measureText(label).width <= wide) context.fillText(label, x + 3, 12);
    }
  }
}
