// Where the cause of the verdict is: launches of the kernel or layer that its sentence names, or the gaps that its numbers point to.
import { type Page, sinceFirst } from "../../../data/page";
import type { Advice, Arg, Message } from "../../../data/generated";
import { type Visit, eachLaunch, eachRun } from "../../../ui/launches";
import type { SliceRef } from "../../view";

export interface Culprit {
  /** The kernel or layer; empty where the cause is gaps. */
  name: string;
  /** Stretches of the run, ns since the span's start; of several tracks, so they can overlap. None where the cause is all over the run. */
  ranges: { start: number; end: number }[];
  /** The longest of them that is a launch. */
  longest: SliceRef | null;
  /** Cores that the headline names. */
  cores: number[];
}

/** From this share of the run on a mark shows nothing. */
const MOST_MARKED = 0.6;

/** Null where the cause names no core, no kernel, no layer and no gap that the page shows. */
export async function findCulprit(page: Page, cause: Advice): Promise<Culprit | null> {
  const headline = cause.headline.messages ?? [];
  const cores = headline.flatMap(coresOf);
  // A gap is marked itself, and not the kernels beside it.
  const gaps = gapsOf(page, cause);
  if (gaps.length > 0) return { name: "", ranges: gaps, longest: null, cores };
  for (const name of new Set([...headline, ...(cause.messages ?? [])].flatMap(namesOf))) {
    const found = await runsOf(page, name);
    if (found) return { ...found, ranges: covered(found.ranges) < MOST_MARKED * page.head.span.length ? found.ranges : [], cores };
  }
  return cores.length > 0 ? { name: "", ranges: [], longest: null, cores } : null;
}

/** Gaps and stalls that are numbers of the cause. */
function gapsOf(page: Page, cause: Advice): { start: number; end: number }[] {
  return cause.evidence.flatMap(({ place_message: place, unit, value }) => {
    const at = place?.args?.at;
    if (!at || !("time_ns" in at) || unit !== "us" || value <= 0) return [];
    const start = sinceFirst(page.head, at.time_ns);
    return [{ start, end: start + value * 1000 }];
  });
}

/** ns in any of these stretches. */
function covered(ranges: { start: number; end: number }[]): number {
  let [sum, until] = [0, -Infinity];
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    sum += Math.max(end - Math.max(start, until), 0);
    until = Math.max(until, end);
  }
  return sum;
}

/** Arguments that are cores at fault. */
const CORES: ReadonlySet<string> = new Set(["core", "cores", "most"]);

function coresOf(message: Message): number[] {
  return Object.entries(message.args ?? {}).flatMap(([name, arg]) => {
    if ("message" in arg) return coresOf(arg.message);
    if (!CORES.has(name)) return [];
    return "number" in arg ? [arg.number] : "numbers" in arg ? arg.numbers : [];
  });
}

/** All names in a message, also in messages that are its arguments. */
function namesOf(message: Message): string[] {
  return Object.values(message.args ?? {}).flatMap((arg: Arg) => ("name" in arg ? [arg.name] : "message" in arg ? namesOf(arg.message) : []));
}

/** All launches of a kernel, or runs of a layer, of this name; null where there is none. */
async function runsOf(page: Page, name: string): Promise<Omit<Culprit, "cores"> | null> {
  const layer = page.head.layers.findIndex((_, at) => page.layerLabel(at) === name || page.numberedLayer(at) === name);
  const kernel = page.head.kernels.findIndex((text) => page.text(text) === name);
  if (layer < 0 && kernel < 0) return null;
  const found: Omit<Culprit, "cores"> = { name, ranges: [], longest: null };
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
