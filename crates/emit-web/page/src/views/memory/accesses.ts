// Accesses to a core's local memory, as columns with their times.
import type { LiveHead } from "../../data/generated";
import type { Columns } from "../../data/decode";
import type { Page } from "../../data/page";

export interface Accesses {
  /** Index into `tracks`, and the event's row there. */
  track: Float64Array;
  row: Float64Array;
  /** 1 writes, 0 reads. */
  write: Float64Array;
  /** Byte in the lane, and bytes in each lane. */
  addr: Float64Array;
  bytes: Float64Array;
  /** First lane, and how many. */
  lane: Float64Array;
  lanes: Float64Array;
  /** Index into `strings`. */
  operand: Float64Array;
  start: Float64Array;
  end: Float64Array;
  /** Places of the accesses, by start and by end. */
  byStart: Uint32Array;
  byEnd: Uint32Array;
  /** The longest access, ns: how far before a time one must look. */
  longest: number;
  /** Which total of the live bytes each lane has; and by total how each access changes it when it ends. */
  live: LiveHead;
  totals: Float64Array[];
}

/** Stands for the memory that the cores share, where a core is asked for. */
export const SHARED = -2;

/** The accesses of a core, and what stays there; null where they are not known. */
export async function readAccesses(page: Page, core: number): Promise<{ accesses: Accesses; residency: Columns } | null> {
  if (core === SHARED) {
    const shared = await page.sharedMemory();
    if (!shared) return null;
    const none = new Float64Array(shared.accesses.track!.length);
    const columns = { ...shared.accesses, lane: none, lanes: none.map(() => 1), operand: none.map(() => -1) };
    return { accesses: await timed(page, columns, { live: { chunk: shared.head.residency, most: [0], lanes: [[0, 0]] }, totals: [none] }), residency: shared.residency };
  }
  const memory = await page.localMemory(core);
  if (!memory) return null;
  const { live, totals, residency } = memory;
  return { accesses: await timed(page, memory.accesses, { live, totals: live.most.map((_, n) => totals[String(n)]!) }), residency };
}

/** The accesses with their times. */
async function timed(page: Page, accesses: Columns, live: Pick<Accesses, "live" | "totals">): Promise<Accesses> {
  const { track, row } = accesses;
  const count = track!.length;
  const start = new Float64Array(count);
  const end = new Float64Array(count);
  let longest = 0;
  for (const index of new Set(track)) await page.tracks[index]!.loadTimes();
  for (let i = 0; i < count; i++) {
    const times = page.tracks[track![i]!]!.times!;
    start[i] = times.start[row![i]!]!;
    end[i] = start[i]! + times.dur[row![i]!]!;
    longest = Math.max(longest, end[i]! - start[i]!);
  }
  const by = (times: Float64Array): Uint32Array => Uint32Array.from(times, (_, i) => i).sort((a, b) => times[a]! - times[b]!);
  return {
    ...(accesses as unknown as Pick<Accesses, "track" | "row" | "write" | "addr" | "bytes" | "lane" | "lanes" | "operand">),
    start, end, byStart: by(start), byEnd: by(end), longest, ...live,
  };
}

export interface AccessFilter {
  reads: boolean;
  writes: boolean;
  /** Only accesses that touch this lane; -1 all. */
  lane: number;
  /** Only accesses that touch these bytes of the lanes: from, to. */
  from: number;
  to: number;
}

/** 1 for each access that a filter shows. */
export function filterAccesses(a: Accesses, filter: AccessFilter): Uint8Array {
  const shown = new Uint8Array(a.start.length);
  for (let i = 0; i < shown.length; i++) {
    const inLane = filter.lane < 0 || (filter.lane >= a.lane[i]! && filter.lane < a.lane[i]! + a.lanes[i]!);
    const inWindow = a.addr[i]! < filter.to && a.addr[i]! + a.bytes[i]! > filter.from;
    shown[i] = inLane && inWindow && (a.write[i] ? filter.writes : filter.reads) ? 1 : 0;
  }
  return shown;
}

/** The bytes of the lanes that are used at all, rounded out to whole banks. */
export function usedWindow(a: Accesses, laneBytes: number, bankBytes: number): { from: number; to: number } {
  let [from, to] = [laneBytes, 0];
  for (let i = 0; i < a.addr.length; i++) {
    from = Math.min(from, a.addr[i]!);
    to = Math.max(to, a.addr[i]! + a.bytes[i]!);
  }
  if (to <= from) return { from: 0, to: laneBytes };
  return { from: Math.floor(from / bankBytes) * bankBytes, to: Math.min(Math.ceil(to / bankBytes) * bankBytes, laneBytes) };
}

/** Place in `byStart` of the first access that starts at or after a time. */
export function placeOf(a: Accesses, time: number): number {
  let low = 0;
  let high = a.byStart.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (a.start[a.byStart[middle]!]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
