// An empty canvas of a size in CSS pixels, whatever the screen's density.

export function cleared(context: CanvasRenderingContext2D, width: number, height: number): void {
  const { canvas } = context;
  const ratio = devicePixelRatio;
  const w = Math.round(width * ratio);
  const h = Math.round(height * ratio);
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
}
