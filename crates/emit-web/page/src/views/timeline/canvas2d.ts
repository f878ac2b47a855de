// The same rectangles with a 2D canvas, for browsers without WebGL2.
import { QUAD_BYTES, type QuadList } from "./quads";
import type { Renderer } from "./renderer";

export class CanvasRenderer implements Renderer {
  readonly kind = "canvas";
  readonly canvas = document.createElement("canvas");
  private readonly context = this.canvas.getContext("2d")!;
  private styles = new Map<number, string | CanvasPattern>();

  resize(width: number, height: number): void {
    this.canvas.width = width;
    this.canvas.height = height;
    this.styles.clear();
  }

  draw(quads: QuadList): void {
    const { context } = this;
    const { floats, words } = quads;
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    let last = -1;
    for (let i = 0; i < quads.length; i++) {
      const at = (i * QUAD_BYTES) / 4;
      const colour = words[at + 4]!;
      const hatch = floats[at + 5]!;
      const key = colour + hatch * 2 ** 32;
      if (key !== last) context.fillStyle = this.style((last = key), colour, hatch > 0);
      context.fillRect(floats[at]!, floats[at + 1]!, floats[at + 2]!, floats[at + 3]!);
    }
  }

  private style(key: number, colour: number, hatch: boolean): string | CanvasPattern {
    let style = this.styles.get(key);
    if (!style) this.styles.set(key, (style = hatch ? this.hatched(colour) : css(colour)));
    return style;
  }

  private hatched(colour: number): string | CanvasPattern {
    const step = Math.round(8 * devicePixelRatio);
    const tile = document.createElement("canvas");
    tile.width = tile.height = step;
    const context = tile.getContext("2d")!;
    for (let y = 0; y < step; y++)
      for (let x = 0; x < step; x++) {
        context.fillStyle = css(colour, (x + y) % step < step / 2 ? 0.55 : 1);
        context.fillRect(x, y, 1, 1);
      }
    return this.context.createPattern(tile, "repeat") ?? css(colour);
  }

  destroy(): void {}
}

function css(colour: number, fade = 1): string {
  return `rgb(${colour & 255} ${(colour >>> 8) & 255} ${(colour >>> 16) & 255} / ${((colour >>> 24) / 255) * fade})`;
}
