// What stays in a memory: from the write that puts it there to the last read. Computed by crates/measure/src/residency.rs.
import type { Columns } from "../../data/decode";
import type { Page } from "../../data/page";
import { css } from "../../ui/colors";
import { palettes } from "../timeline/paint";
import type { Accesses } from "./accesses";
import type { Live } from "./live";

/** Whose data it is: the layer or kernel of the command that writes it, else that command's function. */
export interface Owner {
  name: string;
  colour: string;
}

/** By piece of data. */
export interface Held {
  start: Float64Array;
  end: Float64Array;
  addr: Float64Array;
  bytes: Float64Array;
  /** The access that writes it. */
  write: Float64Array;
  owner: Owner[];
  /** Pieces by start, and the longest: how far before a time one must look. */
  order: Uint32Array;
  longest: number;
  live: Live;
  /** When most is there; of several such times the first. */
  peak: number;
}

export async function readHeld(page: Page, a: Accesses, { write, last, addr, bytes }: Columns): Promise<Held> {
  const start = Float64Array.from(write!, (i) => a.end[i]!);
  const end = Float64Array.from(last!, (i) => a.end[i]!);
  const live = total(start, end, bytes!);
  const peak = live.bytes.indexOf(live.most);
  return {
    start, end, addr: addr!, bytes: bytes!, write: write!, owner: await owners(page, a, write!),
    order: Uint32Array.from(start.keys()).sort((x, y) => start[x]! - start[y]!),
    longest: start.reduce((most, at, i) => Math.max(most, end[i]! - at), 0),
    live, peak: peak < 0 ? 0 : live.time[peak]!,
  };
}

async function owners(page: Page, a: Accesses, write: Float64Array): Promise<Owner[]> {
  const facts = new Map(await Promise.all([...new Set(a.track)].map(async (track) => [track, await page.tracks[track]!.facts()] as const)));
  const { of, kernels, types } = palettes(page);
  const known = new Map<string, Owner>();
  const owner = (name: string, colour: string | undefined): Owner => {
    let found = known.get(name);
    if (!found) known.set(name, (found = { name, colour: colour ?? css("--muted") }));
    return found;
  };
  return Array.from(write, (access) => {
    const [track, row] = [a.track[access]!, a.row[access]!];
    const { layer, tag } = facts.get(track)!;
    const title = layer ? page.layerLabel(layer[row]!) : "";
    if (title !== "") return owner(title, of("layer", title));
    const kernel = tag ? page.kernelOfTag(tag[row]!) : "";
    if (kernel !== "") return owner(kernel, kernels.get(kernel));
    const name = page.tracks[track]!.times!.name[row]!;
    return owner(page.nameText(name), types.get(page.typeText(name)));
  });
}

/** Bytes over time. */
function total(start: Float64Array, end: Float64Array, bytes: Float64Array): Live {
  const changes = new Map<number, number>();
  const add = (at: number, by: number) => changes.set(at, (changes.get(at) ?? 0) + by);
  bytes.forEach((n, i) => (add(start[i]!, n), add(end[i]!, -n)));
  const times = [...changes.keys()].sort((a, b) => a - b);
  let now = 0;
  const sums = Float64Array.from(times, (at) => (now += changes.get(at)!));
  return { time: Float64Array.from(times), bytes: sums, most: sums.reduce((most, n) => Math.max(most, n), 0) };
}

/** Pieces that are there at a time, the largest first. */
export function contentsAt(held: Held, time: number): number[] {
  const found: number[] = [];
  for (const i of held.order) {
    if (held.start[i]! > time) break;
    if (time < held.end[i]!) found.push(i);
  }
  return found.sort((a, b) => held.bytes[b]! - held.bytes[a]! || held.addr[a]! - held.addr[b]!);
}

/** Sums by owner, the greatest first. */
export function byOwner(held: Held, pieces: number[]): { owner: Owner; bytes: number }[] {
  const sums = new Map<Owner, number>();
  for (const i of pieces) sums.set(held.owner[i]!, (sums.get(held.owner[i]!) ?? 0) + held.bytes[i]!);
  return [...sums].map(([owner, bytes]) => ({ owner, bytes })).sort((a, b) => b.bytes - a.bytes);
}
