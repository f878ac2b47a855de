// Which call of the host launched which kernel.
//
// A host trace has no numbers that tie its calls to launches. The runtime's queue keeps their order: where the host made as many
// tpudnn calls as a core ran kernels, the n-th call launched the n-th kernel. With any other count, or where a kernel would
// start before its call, nothing is tied.
import type { Page, Track } from "../../data/page";
import type { SliceRef } from "../view";
import { rowsByStart } from "./laneindex";

export interface Launch {
  call: SliceRef;
  kernel: SliceRef;
}

const found = new WeakMap<Page, Promise<Launch[]>>();

/** All launches that are certain, by core and time. */
export function launches(page: Page): Promise<Launch[]> {
  let all = found.get(page);
  if (!all) found.set(page, (all = find(page)));
  return all;
}

async function find(page: Page): Promise<Launch[]> {
  const hosts = page.tracks.filter((track) => track.kind === "host" && track.head.side === "tpudnn");
  // Calls of several threads have no common order.
  if (hosts.length !== 1 || page.head.notices.some(({ key }) => key === "host-unaligned")) return [];
  const calls = await outermost(hosts[0]!);
  const all: Launch[] = [];
  for (const track of page.tracks.filter((t) => t.kind === "kernel" && t.head.port === undefined && t.head.events === calls.length)) {
    const kernels = await outermost(track);
    const fits = kernels.length === calls.length && kernels.every((kernel, i) => startOf(track, kernel.row) >= startOf(hosts[0]!, calls[i]!.row));
    if (fits) kernels.forEach((kernel, i) => all.push({ call: calls[i]!, kernel }));
  }
  return all;
}

async function outermost(track: Track): Promise<SliceRef[]> {
  const times = await track.loadTimes();
  return [...rowsByStart(times)].filter((row) => (times.lane?.[row] ?? 0) === 0).map((row) => ({ track: track.index, row }));
}

const startOf = (track: Track, row: number): number => track.times!.start[row]!;
