// Launches of kernels on the tracks of kernels, runs of layers and blocks on those of layers and blocks.
import type { Page } from "../data/page";
import type { SliceRef } from "../views/view";

/** A launch or a run: its place, and its start and duration in ns since the span's start. */
export type Visit = (track: number, row: number, start: number, dur: number) => void;

/** Goes through all launches of a kernel (index into `kernels`), on one core or anywhere. */
export async function eachLaunch(page: Page, kernel: number, visit: Visit, core?: number): Promise<void> {
  const text = page.head.kernels[kernel];
  const tracks = page.tracks.filter((t) => t.kind === "kernel" && (core === undefined || (t.head.core === core && t.head.port === undefined)));
  for (const track of tracks) {
    const { start, dur, name } = await track.loadTimes();
    for (let row = 0; row < dur.length; row++) {
      if (page.name(name[row]!).name === text) visit(track.index, row, start[row]!, dur[row]!);
    }
  }
}

/** Goes through all runs of a layer (its place in `layers`), or of a block (in `blocks`). */
export async function eachRun(page: Page, place: number, visit: Visit, kind: "layer" | "block" = "layer"): Promise<void> {
  for (const track of page.tracks.filter((t) => t.kind === kind)) {
    const { [kind]: of } = await track.facts();
    const { start, dur } = await track.loadTimes();
    of?.forEach((at, row) => {
      if (at === place) visit(track.index, row, start[row]!, dur[row]!);
    });
  }
}

/** The longest of what is gone through, the first of equals; null if there is nothing. */
async function longest(each: (visit: Visit) => Promise<void>): Promise<SliceRef | null> {
  let best: SliceRef | null = null;
  let most = -1;
  await each((track, row, _, dur) => {
    if (dur <= most) return;
    most = dur;
    best = { track, row };
  });
  return best;
}

/** The longest launch of a kernel (index into `kernels`), on one core or anywhere; null if no track shows one. */
export function longestLaunch(page: Page, kernel: number, core?: number): Promise<SliceRef | null> {
  return longest((visit) => eachLaunch(page, kernel, visit, core));
}

/** The longest run of a layer (its place in `layers`); null if no track shows one. */
export function longestRun(page: Page, layer: number): Promise<SliceRef | null> {
  return longest((visit) => eachRun(page, layer, visit));
}

/** The longest run of a block (its place in `blocks`); null if no track shows one. */
export function longestBlock(page: Page, block: number): Promise<SliceRef | null> {
  return longest((visit) => eachRun(page, block, visit, "block"));
}
