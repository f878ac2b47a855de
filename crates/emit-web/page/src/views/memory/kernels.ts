// The strip of kernels above the addresses: which kernel ran when on the core.
import type { Page } from "../../data/page";
import { css } from "../../ui/colors";
import type { Plot } from "../../ui/plot";
import type { SliceRef } from "../view";
import { packed, wantsWhite } from "../timeline/palette";
import { palettes } from "../timeline/paint";

/** Height of the strip in the plot's units. */
export const STRIP = 20;

export interface Launches {
  track: number;
  start: Float64Array;
  dur: Float64Array;
  /** Name and colour of each. */
  name: string[];
  colour: string[];
}

/** The launches on a core (of a static model its layers); null where the page has none. */
export async function readLaunches(page: Page, core: number): Promise<Launches | null> {
  const of = (kind: "kernel" | "layer") => page.tracks.find((t) => t.kind === kind && t.head.core === core && t.head.port === undefined && t.head.events > 0);
  const track = of("kernel") ?? of("layer");
  if (!track) return null;
  const { start, dur, name } = await track.loadTimes();
  const { of: colourOf } = palettes(page);
  const names = Array.from(name, (n) => page.nameText(n));
  return { track: track.index, start, dur, name: names, colour: names.map((text) => colourOf(track.kind, text) ?? css("--muted")) };
}

export function drawKernels(plot: Plot, c: CanvasRenderingContext2D, { start, dur, name, colour }: Launches): void {
  const top = plot.top + 2;
  const height = STRIP * plot.unit - 5;
  c.save();
  c.beginPath();
  c.rect(plot.left, top, plot.width - plot.left, height);
  c.clip();
  c.textAlign = "left";
  let drawn = -1;
  for (let i = 0; i < start.length; i++) {
    const left = Math.max(plot.x(start[i]!), plot.left);
    const right = plot.x(start[i]! + dur[i]!);
    if (right < plot.left || left > plot.width || right < drawn + 0.5) continue;
    drawn = right;
    c.fillStyle = colour[i]!;
    c.fillRect(left, top, Math.max(right - left - 1, 1), height);
    if (right - left < 40 * plot.unit) continue;
    c.fillStyle = wantsWhite(packed(colour[i]!)) ? "#ffffff" : "#12161d";
    c.fillText(cut(c, name[i]!, right - left - 8), left + 4, top + height / 2 + 1);
  }
  c.restore();
}

/** A text that is cut to its room. */
export function cut(c: CanvasRenderingContext2D, text: string, room: number): string {
  const width = c.measureText(text).width;
  if (width <= room) return text;
  const fits = Math.floor((text.length * room) / width) - 1;
  return fits < 2 ? "" : `${text.slice(0, fits)}…`;
}

/** The launch at a point of the strip. */
export function launchAt(plot: Plot, { track, start, dur, name }: Launches, x: number, y: number): { slice: SliceRef; name: string; ns: number } | null {
  if (x < plot.left || y < plot.top || y > plot.top + STRIP * plot.unit) return null;
  const time = plot.time(x);
  const row = start.findIndex((s, i) => s <= time && time < s + dur[i]!);
  return row < 0 ? null : { slice: { track, row }, name: name[row]!, ns: dur[row]! };
}
