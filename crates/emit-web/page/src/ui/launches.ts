// Launches of kernels on the tracks of kernels, runs of layers on those of layers.
import type { Page } from "../data/page";
import type { SliceRef } from "../views/view";

/** The longest launch of a kernel (index into `kernels`), on one core or anywhere; null if no track shows one. */
export async function longestLaunch(page: Page, kernel: number, core?: number): Promise<SliceRef | null> {
  const text = page.head.kernels[kernel];
  const tracks = page.tracks.filter((t) => t.kind === "kernel" && (core === undefined || (t.head.core === core && t.head.port === undefined)));
  let best: SliceRef | null = null;
  let longest = -1;
  for (const track of tracks) {
    const { dur, name } = await track.loadTimes();
    for (let row = 0; row < dur.length; row++) {
      if (dur[row]! > longest && page.name(name[row]!).name === text) {
        longest = dur[row]!;
        best = { track: track.index, row };
      }
    }
  }
  return best;
}

/** The longest run of a layer (its place in `layers`); null if no track shows one. */
export async function longestRun(page: Page, layer: number): Promise<SliceRef | null> {
  let best: SliceRef | null = null;
  let longest = -1;
  for (const track of page.tracks.filter((t) => t.kind === "layer")) {
    const { layer: of } = await track.facts();
    const { dur } = await track.loadTimes();
    of?.forEach((at, row) => {
      if (at === layer && dur[row]! > longest) {
        longest = dur[row]!;
        best = { track: track.index, row };
      }
    });
  }
  return best;
}
