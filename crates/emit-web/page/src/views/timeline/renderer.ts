// Draws rectangles: with WebGL2, or with a 2D canvas where there is none.
import { CanvasRenderer } from "./canvas2d";
import { GlRenderer } from "./gl";
import type { QuadList } from "./quads";

export interface Renderer {
  readonly kind: "webgl2" | "canvas";
  readonly canvas: HTMLCanvasElement;
  /** Size in device pixels. */
  resize(width: number, height: number): void;
  /** Clears and draws. */
  draw(quads: QuadList): void;
  /** Frees what the graphics card holds. */
  destroy(): void;
}

export function makeRenderer(canvasOnly: boolean): Renderer {
  return (canvasOnly ? null : GlRenderer.make()) ?? new CanvasRenderer();
}
