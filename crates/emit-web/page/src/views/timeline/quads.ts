// Rectangles of a frame, as the renderers take them: x, y, w, h in device pixels, colour, hatch; 24 bytes each.

export const QUAD_BYTES = 24;
const FIELDS = QUAD_BYTES / 4;

export class QuadList {
  length = 0;
  private capacity = 4096;
  floats = new Float32Array(this.capacity * FIELDS);
  words = new Uint32Array(this.floats.buffer);

  clear(): void {
    this.length = 0;
  }

  /** `colour`: bytes r, g, b, a from the low end. */
  push(x: number, y: number, w: number, h: number, colour: number, hatch = 0): void {
    if (this.length === this.capacity) this.grow();
    const at = this.length++ * FIELDS;
    this.floats[at] = x;
    this.floats[at + 1] = y;
    this.floats[at + 2] = w;
    this.floats[at + 3] = h;
    this.words[at + 4] = colour;
    this.floats[at + 5] = hatch;
  }

  /** The same, but lengthens the last rectangle if this one goes on where it ends. */
  pushRun(x: number, y: number, w: number, h: number, colour: number, hatch = 0): void {
    const at = (this.length - 1) * FIELDS;
    if (
      at >= 0 && this.words[at + 4] === colour >>> 0 && this.floats[at + 5] === hatch && this.floats[at + 1] === y &&
      this.floats[at + 3] === h && this.floats[at]! + this.floats[at + 2]! === x
    ) this.floats[at + 2]! += w;
    else this.push(x, y, w, h, colour, hatch);
  }

  private grow(): void {
    this.capacity *= 2;
    const floats = new Float32Array(this.capacity * FIELDS);
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
