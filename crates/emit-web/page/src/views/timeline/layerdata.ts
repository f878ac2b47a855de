// A layer of a static model: what its commands did, on all cores and engines.
import type { Page, Track } from "../../data/page";
import type { SliceRef } from "../view";
import { type Sums, addSums, noSums } from "./stats";

/** A command of a layer. */
export interface LayerCommand {
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

export interface LayerUnit {
  engines: { track: Track; sums: Sums; other: number }[];
  commands: LayerCommand[];
  /** ns of work that the bits explain, and what this work took. */
  expected: number;
  measured: number;
  /** The least slack of its commands, ns; NaN where it is not known. */
  slack: number;
  /** ns of the critical path in it; NaN where the run can't be replayed. */
  path: number;
}

/** `at`: place of the layer in `head.layers`. */
export async function layerUnit(page: Page, at: number): Promise<LayerUnit> {
  const unit: LayerUnit = { engines: [], commands: [], expected: 0, measured: 0, slack: NaN, path: pathOf(page, at) };
  for (const track of page.tracks.filter((of) => of.isEngine && of.head.events > 0)) {
    const facts = await track.facts();
    if (!facts.layer) continue;
    const { start, dur, name } = await track.loadTimes();
    const causes = await track.causes();
    const sums = noSums();
    let other = 0;
    facts.layer.forEach((layer, row) => {
      if (layer !== at) return;
      const works = page.name(name[row]!).role === "work";
      const ns = dur[row]!;
      const own = noSums();
      own.count = 1;
      own[works ? "busy" : "waits"] = ns;
      if (works) {
        own.bytes = facts.bytes?.[row] ?? 0;
        own.ddr = facts.ddr?.[row] ?? 0;
        own.l2 = facts.l2?.[row] ?? 0;
        own.alg = Math.max(facts.alg?.[row] ?? 0, 0);
        own.uarch = Math.max(facts.uarch?.[row] ?? 0, 0);
        if (own.ddr === 0 && own.l2 === 0) other += own.bytes;
      }
      addSums(sums, own);
      const expected = facts.expected?.[row] ?? -1;
      if (works && expected >= 0) {
        unit.expected += expected;
        unit.measured += ns;
      }
      const slack = causes?.slack[row];
      if (slack !== undefined) unit.slack = Number.isNaN(unit.slack) ? slack : Math.min(unit.slack, slack);
      const address = (of: number | undefined) => (of === undefined || of < 0 ? NaN : of);
      unit.commands.push({
        slice: { track: track.index, row }, start: start[row]!, ns, name: name[row]!, expected: expected < 0 ? NaN : expected, bytes: own.bytes,
        src: address(facts.src?.[row]), dst: address(facts.dst?.[row]), onPath: causes?.onPath[row] === 1,
      });
    });
    if (sums.count > 0) unit.engines.push({ track, sums, other });
  }
  unit.commands.sort((a, b) => a.start - b.start || a.slice.track - b.slice.track);
  return unit;
}

/** ns of the critical path in a layer. */
function pathOf(page: Page, at: number): number {
  const { pieces } = page.head.answers.critical_path;
  const id = page.head.layers[at]?.id;
  return pieces.length === 0 ? NaN : pieces.reduce((sum, piece) => sum + (piece.layer_id === id ? piece.ns : 0), 0);
}
