// The time range on the screen. Times are ns since the span's start, x is in CSS pixels from the plot's left edge.

export interface Range {
  start: number;
  end: number;
}

/** No closer than this: a clock cycle of the slowest chip is a little over 1 ns. */
const SHORTEST = 20;

export class Viewport {
  start: number;
  end: number;
  /** Width of the plot in CSS pixels. */
  width = 1;

  /** Panning ends a little outside of `whole`, or `reach` ns outside. */
  constructor(
    readonly whole: Range,
    private readonly reach = 0,
  ) {
    this.start = whole.start;
    this.end = whole.end;
  }

  get length(): number {
    return this.end - this.start;
  }

  /** CSS pixels a ns. */
  get scale(): number {
    return this.width / this.length;
  }

  x(time: number): number {
    return (time - this.start) * this.scale;
  }

  time(x: number): number {
    return this.start + x / this.scale;
  }

  set(start: number, end: number): void {
    const margin = Math.max((this.whole.end - this.whole.start) * 0.02 + 1, this.reach);
    const low = this.whole.start - margin;
    const high = this.whole.end + margin;
    const length = Math.min(Math.max(end - start, SHORTEST), high - low);
    const middle = (start + end) / 2;
    this.start = Math.min(Math.max(middle - length / 2, low), high - length);
    this.end = this.start + length;
  }

  /** Shows `factor` times the time, with the given time staying where it is. */
  zoom(factor: number, at: number): void {
    const length = Math.max(this.length * factor, SHORTEST);
    const left = (at - this.start) / this.length;
    this.set(at - left * length, at - left * length + length);
  }

  pan(ns: number): void {
    this.set(this.start + ns, this.end + ns);
  }

  /** The range with some air on both sides. */
  fit(range: Range): void {
    const air = Math.max((range.end - range.start) * 0.01, 1);
    this.set(range.start - air, range.end + air);
  }

  /** Moves so that the range is seen; shows less time if `closer` is set and it is hardly to be seen, more if it does not fit. */
  reveal(range: Range, closer: boolean): void {
    const length = range.end - range.start;
    const middle = (range.start + range.end) / 2;
    const seen = this.length;
    const wanted = length > seen * 0.8 ? length * 1.6 : closer && length < seen / 400 ? Math.max(length * 12, 400) : seen;
    if (wanted === seen && range.start >= this.start && range.end <= this.end) return;
    this.set(middle - wanted / 2, middle + wanted / 2);
  }
}
