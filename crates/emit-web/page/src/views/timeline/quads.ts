// Rectangles of a frame, as the renderers take them: x, y, w, h in device pixels, colour, style; 8 numbers each.

export const QUAD_FIELDS = 8;

/** How a rectangle is filled. */
export const STYLE = {
  plain: 0,
  /** Stripes: waits, sends and other system commands. */
  hatch: 1,
  /** This and more: a step of a line. So many pixels less `line` at the top are opaque, the area below is thin. */
  line: 2,
} as const;

/** Opacity of the area under a line. */
export const AREA = 0.26;

export class QuadList {
  length = 0;
  private capacity = 4096;
  floats = new Float32Array(this.capacity * QUAD_FIELDS);
  words = new Uint32Array(this.floats.buffer);

  clear(): void {
    this.length = 0;
  }

  /** `colour`: bytes r, g, b, a from the low end. */
  push(x: number, y: number, w: number, h: number, colour: number, style: number = STYLE.plain): void {
    if (this.length === this.capacity) this.grow();
    const at = this.length++ * QUAD_FIELDS;
    this.floats[at] = x;
    this.floats[at + 1] = y;
    this.floats[at + 2] = w;
    this.floats[at + 3] = h;
    this.words[at + 4] = colour;
    this.floats[at + 5] = style;
  }

  /** The same, but lengthens the last rectangle if this one continues where it ends. */
  pushRun(x: number, y: number, w: number, h: number, colour: number, style: number = STYLE.plain): void {
    const at = (this.length - 1) * QUAD_FIELDS;
    if (
      at >= 0 && this.words[at + 4] === colour >>> 0 && this.floats[at + 5] === style && this.floats[at + 1] === y &&
      this.floats[at + 3] === h && this.floats[at]! + this.floats[at + 2]! === x
    ) this.floats[at + 2]! += w;
    else this.push(x, y, w, h, colour, style);
  }

  private grow(): void {
    this.capacity *= 2;
    const floats = new Float32Array(this.capacity * QUAD_FIELDS);
    floats.set(this.floats);
    this.floats = floats;
    this.words = new Uint32Array(floats.buffer);
  }
}

/** The colour with its opacity multiplied, in 16 steps so that neighbours can be joined. */
export function faded(colour: number, share: number): number {
  const alpha = Math.round((colour >>> 24) * (Math.ceil(share * 16) / 16));
  return ((alpha << 24) | (colour & 0xffffff)) >>> 0;
}
