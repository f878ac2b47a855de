// The whole run in one strip: how much TIU and DMA work over time, waits left out, the host's calls above, and the window that the plot shows.
import { cleared } from "./cleared";
import { packed } from "./palette";
import type { Scene } from "./scene";
import type { Range } from "./viewport";

const BUCKETS = 480;
/** Share of the height that host threads take, where there are any. */
const HOST_PART = 0.28;

/** Share of busy tracks in each bucket of the run. */
interface Load {
  host: Float64Array;
  tiu: Float64Array;
  dma: Float64Array;
}

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
    const load: Load = { host: new Float64Array(BUCKETS), tiu: new Float64Array(BUCKETS), dma: new Float64Array(BUCKETS) };
    const tracks = { host: 0, tiu: 0, dma: 0 };
    const length = Math.max(scene.page.head.span.length, 1);
    for (const track of shown.flatMap((g) => g.tracks)) {
      if (!track.isEngine && track.kind !== "host") continue;
      const side = track.kind === "host" ? "host" : track.kind === "tiu" ? "tiu" : "dma";
      tracks[side]++;
      const add = (start: number, end: number, ns: number) => spreadBusy(load[side], (start / length) * BUCKETS, (end / length) * BUCKETS, (ns / length) * BUCKETS);
      // A wait covers time without any work. Of a bucket its longest slice shows what it was.
      const { hatch } = scene.paint;
      const level = track.head.mips.findLastIndex((m) => m.bucketNs <= length / BUCKETS);
      if (track.head.mips.length > 0) {
        const { at, busy, bucketNs, name, lane } = await track.mip(Math.max(level, 0));
        at.forEach((a, i) => hatch[name[i]!] || isInner(side, lane, i) || add(a * bucketNs, (a + 1) * bucketNs, busy[i]!));
      } else {
        const { start, dur, name, lane } = await track.loadTimes();
        start.forEach((s, i) => hatch[name[i]!] || isInner(side, lane, i) || add(s, s + dur[i]!, dur[i]!));
      }
    }
    for (const side of ["host", "tiu", "dma"] as const) load[side].forEach((n, i) => (load[side][i] = Math.min(1, n / Math.max(tracks[side], 1))));
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

/** A call within another call: its time is counted there. */
function isInner(side: keyof Load, lane: Float64Array | null, row: number): boolean {
  return side === "host" && (lane?.[row] ?? 0) > 0;
}

/** Where a time range is on the minimap, at least 3 pixels wide so that it can be seen. */
export function windowOf(scene: Scene, range: Range, width: number): { x: number; w: number } {
  const scale = width / Math.max(scene.page.head.span.length, 1);
  const left = Math.max(range.start * scale, 0);
  const right = Math.min(range.end * scale, width);
  return { x: Math.min(left, width - 3), w: Math.max(right - left, 3) };
}

/** Adds busy buckets' worth in proportion to each bucket that the stretch touches. */
function spreadBusy(into: Float64Array, start: number, end: number, busy: number): void {
  const length = Math.max(end - start, 1e-9);
  const last = Math.min(Math.ceil(end), into.length);
  for (let i = Math.max(Math.floor(start), 0); i < last; i++) into[i]! += (busy * (Math.min(end, i + 1) - Math.max(start, i))) / length;
}

function css(hex: string, alpha: number): string {
  const n = packed(hex);
  return `rgb(${n & 255} ${(n >>> 8) & 255} ${(n >>> 16) & 255} / ${alpha})`;
}
