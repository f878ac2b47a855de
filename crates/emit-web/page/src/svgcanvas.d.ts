// The part of svgcanvas that the page uses; the package has no types.
declare module "svgcanvas" {
  /** A CanvasRenderingContext2D that makes SVG elements. */
  export class Context {
    constructor(options: { width: number; height: number });
    getSvg(): SVGSVGElement;
  }
}
