// Draws rectangles: with WebGL2 on a graphics card, else on a 2D canvas.
import { GlRenderer } from "./gl";
import { PixelRenderer } from "./pixels";
import type { QuadList } from "./quads";

export interface Renderer {
  readonly kind: "webgl2" | "canvas";
  readonly canvas: HTMLCanvasElement;
  /** Where texts can be drawn over the rectangles; null where they need a canvas of their own. */
  readonly context: CanvasRenderingContext2D | null;
  /** Size in device pixels. */
  resize(width: number, height: number): void;
  /** Draws over an empty ground of the colour. */
  draw(quads: QuadList, ground: number): void;
  /** Frees what the graphics card holds. */
  destroy(): void;
}

/** `asked`: what the fragment asks for, whatever the browser has. */
export function makeRenderer(asked: "webgl2" | "canvas" | null): Renderer {
  return (asked === "canvas" ? null : GlRenderer.make(asked === "webgl2")) ?? new PixelRenderer();
}
