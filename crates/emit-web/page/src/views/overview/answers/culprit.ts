// Where the cause of the verdict is: launches of the kernel or layer that its sentence names, or the gaps that its numbers point to.
import { type Page, sinceStart } from "../../../data/page";
import type { Advice, Arg, Message } from "../../../data/generated";
import { type Visit, eachLaunch, eachRun } from "../../../ui/launches";
import type { SliceRef } from "../../view";

export interface Culprit {
  /** The kernel or layer; empty where the cause is gaps. */
  name: string;
  /** Stretches of the run, ns since the span's start; of several tracks, so they can overlap. */
  ranges: { start: number; end: number }[];
  /** The longest of them that is a launch. */
  longest: SliceRef | null;
}

/** Null where the cause names no kernel, no layer and no gap that the page shows. */
export async function findCulprit(page: Page, cause: Advice): Promise<Culprit | null> {
  const said = [...(cause.messages ?? []), ...cause.evidence.map((evidence) => evidence.place_message)].filter((message) => message != null);
  for (const name of new Set(said.flatMap(namesOf))) {
    const found = await runsOf(page, name);
    if (found) return found;
  }
  const gaps = cause.evidence.flatMap(({ place_message: place, unit, value }) => {
    const from = place?.args?.start;
    if (!from || !("time_ns" in from) || unit !== "us" || value <= 0) return [];
    const start = sinceStart(page.head, from.time_ns);
    return [{ start, end: start + value * 1000 }];
  });
  return gaps.length > 0 ? { name: "", ranges: gaps, longest: null } : null;
}

/** All names in a message, also in messages that are its arguments. */
function namesOf(message: Message): string[] {
  return Object.values(message.args ?? {}).flatMap((arg: Arg) => ("name" in arg ? [arg.name] : "message" in arg ? namesOf(arg.message) : []));
}

/** All launches of a kernel, or runs of a layer, of this name; null where there is none. */
async function runsOf(page: Page, name: string): Promise<Culprit | null> {
  const layer = page.head.layers.findIndex((_, at) => page.layerLabel(at) === name || `${page.head.layers[at]!.id} ${page.layerLabel(at)}` === name);
  const kernel = page.head.kernels.findIndex((text) => page.text(text) === name);
  if (layer < 0 && kernel < 0) return null;
  const found: Culprit = { name, ranges: [], longest: null };
  let most = -1;
  const add: Visit = (track, row, start, dur) => {
    found.ranges.push({ start, end: start + dur });
    if (dur <= most) return;
    most = dur;
    found.longest = { track, row };
  };
  await (layer < 0 ? eachLaunch(page, kernel, add) : eachRun(page, layer, add));
  return found.ranges.length > 0 ? found : null;
}
