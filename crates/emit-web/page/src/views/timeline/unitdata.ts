// A unit of work, which is a launch of a kernel, a layer, a block or a step: what its commands did, on all its engines.
import type { Page, Track } from "../../data/page";
import type { SliceRef } from "../view";
import { type Sums, addSums, noSums } from "./stats";
import type { Range } from "./viewport";

/** A command of a unit. */
export interface UnitCommand {
  slice: SliceRef;
  start: number;
  ns: number;
  /** Index into `names`. */
  name: number;
  /** ns that its bits explain; NaN where they explain nothing. */
  expected: number;
  bytes: number;
  /** Address that it reads from, and writes to; NaN where it is not known. */
  src: number;
  dst: number;
  onPath: boolean;
}

export interface UnitEngine {
  track: Track;
  sums: Sums;
  /** Bytes of neither DDR nor L2M. */
  other: number;
}

export interface Unit {
  engines: UnitEngine[];
  /** The first of them by start, `MOST_COMMANDS` of each engine. */
  commands: UnitCommand[];
  /** How many there are. */
  count: number;
  /** ns of work that the bits explain, and what this work took. */
  expected: number;
  measured: number;
  /** The least slack of its commands, ns; NaN where it is not known. */
  slack: number;
  /** ns of the critical path in it; NaN where the run can't be replayed. */
  path: number;
}

/** Commands that the panel lists: of each engine the first. */
const MOST_COMMANDS = 2_000;

/** Whether a row of a track is a command of the unit. */
type Holds = (row: number) => boolean;

/** Which commands of an engine belong to the unit; null where none does. */
type Members = (track: Track) => Promise<Holds | null>;

/** Whether a track shows units of work. */
export function showsUnits({ kind }: Track): boolean {
  return kind === "kernel" || kind === "layer" || kind === "block" || kind === "step";
}

/** The places of the layers in a block, those of the blocks in it included. */
export function layersWithin(page: Page, block: number): Set<number> {
  const { layers, blocks } = page.head;
  const isWithin = (at: number): boolean => at >= 0 && (at === block || isWithin(blocks[at]!.parent));
  return new Set(layers.flatMap((layer, at) => (isWithin(layer.parent) ? [at] : [])));
}

/** The layers of a unit: of a layer itself, of a block those in it; places in `head.layers`. */
export async function layersOf(page: Page, { track, row }: SliceRef): Promise<Set<number>> {
  const { layer, block } = await page.tracks[track]!.facts();
  if (layer) return new Set([layer[row]!]);
  return block ? layersWithin(page, block[row]!) : new Set();
}

/** The tracks of the engines of a launch: those of its core, or its port. */
function isBeside(own: Track, track: Track): boolean {
  const { port, core } = own.head;
  if (port === undefined) return track.kind !== "cdma" && track.head.core === core;
  return track.head.port === port || (track.kind === "cdma" && track.head.core === port);
}

async function membersOf(page: Page, slice: SliceRef, { start, end }: Range): Promise<Members> {
  const own = page.tracks[slice.track]!;
  if (own.kind === "step") {
    return async (track) => {
      const times = await track.loadTimes();
      return (row) => times.start[row]! >= start && times.start[row]! < end;
    };
  }
  if (own.kind === "kernel") {
    const kernel = page.nameText((await own.loadTimes()).name[slice.row]!);
    return async (track) => {
      const [{ tag }, times] = [await track.facts(), await track.loadTimes()];
      if (!tag || !isBeside(own, track)) return null;
      return (row) => times.start[row]! < end && times.start[row]! + times.dur[row]! > start && page.kernelOfTag(tag[row]!) === kernel;
    };
  }
  const wanted = await layersOf(page, slice);
  return async (track) => {
    const { layer } = await track.facts();
    return layer ? (row) => wanted.has(layer[row]!) : null;
  };
}

/** `range`: the time of the slice. A layer and a block have the commands of all their runs. */
export async function unitOf(page: Page, slice: SliceRef, range: Range): Promise<Unit> {
  const unit: Unit = { engines: [], commands: [], count: 0, expected: 0, measured: 0, slack: NaN, path: NaN };
  const members = await membersOf(page, slice, range);
  const held = new Map<number, Holds>();
  for (const track of page.tracks.filter((of) => of.isEngine && of.head.events > 0)) {
    const holds = await members(track);
    if (!holds) continue;
    held.set(track.index, holds);
    await addEngine(page, unit, track, holds);
  }
  unit.commands.sort((a, b) => a.start - b.start || a.slice.track - b.slice.track);
  const path = await page.path();
  if (path) {
    const isStep = page.tracks[slice.track]!.kind === "step";
    unit.path = path.end.reduce((sum, end, i) => {
      const start = path.start[i]!;
      if (isStep) return sum + Math.max(Math.min(end, range.end) - Math.max(start, range.start), 0);
      return held.get(path.track[i]!)?.(path.row[i]!) ? sum + end - start : sum;
    }, 0);
  }
  return unit;
}

async function addEngine(page: Page, unit: Unit, track: Track, holds: Holds): Promise<void> {
  const facts = await track.facts();
  const { start, dur, name } = await track.loadTimes();
  const causes = await track.causes();
  const sums = noSums();
  let other = 0;
  for (let row = 0; row < start.length; row++) {
    if (!holds(row)) continue;
    const works = page.name(name[row]!).role === "work";
    const ns = dur[row]!;
    const own = noSums();
    own.count = 1;
    own[works ? "busy" : "waits"] = ns;
    const expected = facts.expected?.[row] ?? -1;
    if (works) {
      own.bytes = facts.bytes?.[row] ?? 0;
      own.ddr = facts.ddr?.[row] ?? 0;
      own.l2 = facts.l2?.[row] ?? 0;
      own.alg = Math.max(facts.alg?.[row] ?? 0, 0);
      own.uarch = Math.max(facts.uarch?.[row] ?? 0, 0);
      if (own.ddr === 0 && own.l2 === 0) other += own.bytes;
      if (expected >= 0) {
        unit.expected += expected;
        unit.measured += ns;
      }
    }
    addSums(sums, own);
    const slack = causes?.slack[row];
    if (slack !== undefined) unit.slack = Number.isNaN(unit.slack) ? slack : Math.min(unit.slack, slack);
    const address = (of: number | undefined) => (of === undefined || of < 0 ? NaN : of);
    if (sums.count <= MOST_COMMANDS) {
      unit.commands.push({
        slice: { track: track.index, row }, start: start[row]!, ns, name: name[row]!, expected: expected < 0 ? NaN : expected, bytes: own.bytes,
        src: address(facts.src?.[row]), dst: address(facts.dst?.[row]), onPath: causes?.onPath[row] === 1,
      });
    }
  }
  unit.count += sums.count;
  if (sums.count > 0) unit.engines.push({ track, sums, other });
}

/** Launches of a kernel, runs of a layer or a block, or steps on a track. */
export interface TrackTimes {
  track: Track;
  rows: number[];
  ns: number[];
}

/** All slices of what a slice shows: the launches of its kernel, the runs of its layer or block, all steps. By track, in its order. */
export async function sameUnits(page: Page, slice: SliceRef): Promise<TrackTimes[]> {
  const own = page.tracks[slice.track]!;
  const wanted = page.nameText((await own.loadTimes()).name[slice.row]!);
  const found: TrackTimes[] = [];
  for (const track of page.tracks.filter((of) => of.kind === own.kind && of.head.events > 0)) {
    const { name, dur } = await track.loadTimes();
    const rows = Array.from(dur.keys()).filter((row) => own.kind === "step" || page.nameText(name[row]!) === wanted);
    if (rows.length > 0) found.push({ track, rows, ns: rows.map((row) => dur[row]!) });
  }
  return found;
}

/** The number below which the share lies, of ascending numbers. */
export function quantile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? 0;
}
