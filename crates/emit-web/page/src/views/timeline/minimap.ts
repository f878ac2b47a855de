// The whole run in one strip: how much TIU and DMA work over time, waits left out, the host's calls above, and the window that the plot shows.
import { cleared } from "./cleared";
import { BUCKETS, type Load, busyLoad } from "./load";
import { packed } from "./palette";
import type { Scene } from "./scene";
import type { Range } from "./viewport";

/** Share of the height that host threads take, where there are any. */
const HOST_PART = 0.28;

export class Minimap {
  readonly canvas = document.createElement("canvas");
  private readonly context = this.canvas.getContext("2d", { willReadFrequently: true })!;
  private load: Load | null = null;
  private counted = "";

  /** The counts no longer hold. */
  forget(): void {
    this.counted = "";
  }

  /** Counts the shown cores; decodes their coarsest levels of detail. */
  async count(scene: Scene): Promise<void> {
    const shown = scene.groups.filter((g) => !g.id.startsWith("core") || !scene.options.cores || scene.options.cores.includes(Number(g.id.slice(4))));
    const key = shown.map((g) => g.id).join();
    if (this.counted === key) return;
    this.counted = key;
    const load = await busyLoad(shown.flatMap((g) => g.tracks), Math.max(scene.page.head.span.length, 1), scene.paint.hatch);
    if (this.counted === key) this.load = load;
  }

  draw(scene: Scene, width: number, height: number): void {
    const { context } = this;
    cleared(context, width, height);
    const { ground } = scene.paint;
    const hosts = scene.page.tracks.some((track) => track.kind === "host" && track.head.events > 0) ? Math.round(height * HOST_PART) : 0;
    const half = hosts + (height - hosts) / 2;
    if (this.load) {
      if (hosts > 0) this.area(this.load.host, ground.muted, width, hosts, hosts - 2, -1);
      this.area(this.load.tiu, ground.tiu, width, half, half - hosts - 2, -1);
      this.area(this.load.dma, ground.gdma, width, half, half - hosts - 2, 1);
    }
    context.fillStyle = ground.line;
    context.fillRect(0, half, width, 1);
    const { x: left, w: wide } = windowOf(scene, scene.viewport, width);
    context.fillStyle = css(ground.bg, 0.72);
    context.fillRect(0, 0, left, height);
    context.fillRect(left + wide, 0, width, height);
    if (scene.range) {
      const range = windowOf(scene, scene.range, width);
      context.fillStyle = css(ground.accent, 0.3);
      context.fillRect(range.x, 0, range.w, height);
    }
    context.strokeStyle = ground.accent;
    context.lineWidth = 1.5;
    context.strokeRect(left + 0.75, 0.75, Math.max(wide - 1.5, 2), height - 1.5);
    context.fillStyle = ground.accent;
    for (const x of [left - 2, left + wide - 2]) context.fillRect(x, half - 8, 4, 16);
  }

  private area(shares: Float64Array, colour: string, width: number, base: number, room: number, way: number): void {
    const { context } = this;
    context.fillStyle = colour;
    context.beginPath();
    context.moveTo(0, base);
    shares.forEach((share, i) => {
      context.lineTo((i / BUCKETS) * width, base + way * share * room);
      context.lineTo(((i + 1) / BUCKETS) * width, base + way * share * room);
    });
    context.lineTo(width, base);
    context.fill();
  }
}

/** Where a time range is on the minimap, at least 3 pixels wide so that it can be seen. */
export function windowOf(scene: Scene, range: Range, width: number): { x: number; w: number } {
  const scale = width / Math.max(scene.page.head.span.length, 1);
  const left = Math.max(range.start * scale, 0);
  const right = Math.min(range.end * scale, width);
  return { x: Math.min(left, width - 3), w: Math.max(right - left, 3) };
}

function css(hex: string, alpha: number): string {
  const n = packed(hex);
  return `rgb(${n & 255} ${(n >>> 8) & 255} ${(n >>> 16) & 255} / ${alpha})`;
}
