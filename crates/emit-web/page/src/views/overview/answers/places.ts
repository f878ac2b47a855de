// Where a piece of evidence points to: links into the timeline.
import { sinceStart } from "../../../data/page";
import { longestLaunch } from "../../../ui/launches";
import type { Shell } from "../../view";

/** What a click on the place does; null where it names no moment, launch or command. `ns`: the evidence as a time, 0 if it is none. */
export function linkOf(shell: Shell, place: string, ns: number): (() => void) | null {
  const { page } = shell;
  const at = /at (\d+) ns$/.exec(place);
  if (at && ns > 0) {
    const start = sinceStart(page.head, Number(at[1]));
    return () => shell.showRange(start, start + ns);
  }
  const launch = /^kernel (.+) on core (\d+)$/.exec(place);
  if (launch) {
    const kernel = page.head.kernels.findIndex((text) => page.text(text) === launch[1]);
    return kernel < 0 ? null : () => void longestLaunch(page, kernel, Number(launch[2])).then((slice) => slice && shell.showSlice(slice));
  }
  const event = /^(?:core (\d+) )?(TIU|GDMA|SDMA|CDMA) ?(\d*), event (\d+) /.exec(place);
  if (event) {
    const index = Number(event[1] ?? event[3]);
    const track = page.tracks.find((t) => t.isEngine && t.engine === event[2] && t.head.core === index && t.head.events > Number(event[4]));
    return track ? () => shell.showSlice({ track: track.index, row: Number(event[4]) }) : null;
  }
  return null;
}
