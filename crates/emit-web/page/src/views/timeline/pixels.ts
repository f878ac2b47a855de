// The same rectangles written into the pixels of a 2D canvas, for browsers without WebGL2 and those that only
// imitate it: there, a list of plain writes takes a fraction of the time.
import { AREA, QUAD_FIELDS, type QuadList, STYLE } from "./quads";
import type { Renderer } from "./renderer";

export class PixelRenderer implements Renderer {
  readonly kind = "canvas";
  readonly canvas = document.createElement("canvas");
  /** The canvas stays in main memory, where its pixels are written. */
  readonly context = this.canvas.getContext("2d", { willReadFrequently: true })!;
  private image = new ImageData(1, 1);
  private pixels = new Uint32Array(this.image.data.buffer);
  private readonly stripe = Math.round(8 * devicePixelRatio);

  resize(width: number, height: number): void {
    this.canvas.width = width;
    this.canvas.height = height;
    this.image = new ImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
  }

  /** `ground` is below all rectangles, so that every pixel ends opaque. */
  draw(quads: QuadList, ground: number): void {
    const { floats, words } = quads;
    const { width, height } = this.image;
    this.pixels.fill(ground);
    for (let i = 0; i < quads.length; i++) {
      const at = i * QUAD_FIELDS;
      const left = Math.max(Math.round(floats[at]!), 0);
      const right = Math.min(Math.round(floats[at]! + floats[at + 2]!), width);
      const top = Math.max(Math.round(floats[at + 1]!), 0);
      const bottom = Math.min(Math.round(floats[at + 1]! + floats[at + 3]!), height);
      if (right <= left || bottom <= top) continue;
      const colour = words[at + 4]!;
      const style = floats[at + 5]!;
      if (style === STYLE.plain) this.fill(left, top, right, bottom, colour, 1);
      else if (style === STYLE.hatch) this.hatch(left, top, right, bottom, colour);
      else {
        const edge = Math.min(Math.max(Math.round(floats[at + 1]! + style - STYLE.line), top), bottom);
        this.fill(left, top, right, edge, colour, 1);
        this.fill(left, edge, right, bottom, colour, AREA);
      }
    }
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    this.context.putImageData(this.image, 0, 0);
  }

  private fill(left: number, top: number, right: number, bottom: number, colour: number, fade: number): void {
    const { pixels } = this;
    const { width } = this.image;
    const alpha = (colour >>> 24) * fade;
    if (alpha >= 254.5) {
      for (let row = top * width; row < bottom * width; row += width) {
        if (right - left > 16) pixels.fill(colour, row + left, row + right);
        else for (let at = row + left; at < row + right; at++) pixels[at] = colour;
      }
      return;
    }
    // Most of a translucent rectangle lies on one ground: what was mixed last is kept.
    let under = -1;
    let mixed = 0;
    for (let row = top * width; row < bottom * width; row += width)
      for (let at = row + left; at < row + right; at++) {
        const pixel = pixels[at]!;
        if (pixel !== under) mixed = mix((under = pixel), colour, alpha);
        pixels[at] = mixed;
      }
  }

  private hatch(left: number, top: number, right: number, bottom: number, colour: number): void {
    const { pixels, stripe } = this;
    const { width } = this.image;
    const alpha = colour >>> 24;
    for (let y = top; y < bottom; y++)
      for (let x = left; x < right; x++) {
        const at = y * width + x;
        pixels[at] = mix(pixels[at]!, colour, (x + y) % stripe < stripe / 2 ? alpha * 0.55 : alpha);
      }
  }

  destroy(): void {}
}

/** The colour over an opaque one; `alpha` up to 255. */
function mix(under: number, over: number, alpha: number): number {
  const a = Math.round((alpha * 256) / 255);
  const redBlue = ((under & 0xff00ff) * (256 - a) + (over & 0xff00ff) * a) / 256;
  const green = ((under & 0xff00) * (256 - a) + (over & 0xff00) * a) / 256;
  return (0xff000000 | (redBlue & 0xff00ff) | (green & 0xff00)) >>> 0;
}
