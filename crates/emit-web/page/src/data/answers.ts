// The answers on the run that the page shows: parts of `report.json` as they are there, with its names and units; its schema and
// docs/analysis.md say what they mean. Times are absolute ns: see `sinceStart`.
import type { Head } from "./head";

export interface Phases {
  /** null: all cores and ports together. */
  core: number | null;
  wall_ns: number;
  compute_only_ns: number;
  overlapped_ns: number;
  transfer_only_ns: number;
  sync_ns: number;
  idle_ns: number;
  overlap_ratio: number;
}

export interface Gap {
  engine: string;
  /** Core, or port of CDMA. */
  index: number;
  start_ns: number;
  end_ns: number;
  /** The three sum to the gap. */
  sync_ns: number;
  other_engine_ns: number;
  idle_ns: number;
  /** Of it no engine of the core worked. */
  cost_ns: number;
  cause: string;
  before: Edge | null;
  after: Edge | null;
}

export interface Edge {
  event: number;
  name: string;
  kernel: string;
}

export interface Roof {
  /** "" the whole run. */
  kernel: string;
  ns: number;
  ddr_intensity: number | null;
  tops: number;
  ddr_gbps: number;
  l2m_gbps: number;
  bound: string;
  /** Ideal time at the nearest roof / measured time. */
  roof: number;
  /** Share of the commands whose operations are known. */
  known: number;
}

export interface Advice {
  id: string;
  text: string;
  evidence: { what: string; value: number; unit: string; place: string }[];
  gain_ns?: number | null;
  gain?: number | null;
}

/** A message that several cores meet at, once. */
export interface Barrier {
  /** The last send's end: the barrier opens. */
  at_ns: number;
  /** From the first send's end to the last one's. */
  skew_ns: number;
  last_core: number;
  /** Of all its waits together. */
  waited_ns: number;
  cores: number;
}

export interface Barriers {
  count: number;
  skew_ns: number;
  mean_skew_ns: number;
  waited_ns: number;
  /** How often each core came last. */
  last: [core: number, times: number][];
  /** Those with the greatest skew. */
  worst: Barrier[];
}

/** Pieces of the critical path that have kernel, engine and reason in common. */
export interface PathPiece {
  /** "" outside of kernels. */
  kernel: string;
  engine: string;
  reason: string;
  ns: number;
  share: number;
  count: number;
  /** ns that such work took on all cores together, on the path or not; 0 for what is no work. */
  all_ns: number;
}

export interface PathReport {
  wall_ns: number;
  /** Share that is idle and that nothing explains. */
  unexplained: number;
  /** Why there is no path. */
  refusal: string | null;
  /** Heaviest first. */
  pieces: PathPiece[];
}

export interface Answers {
  critical_path: PathReport;
  intervals: { overall: Phases; cores: Phases[] };
  gaps: { longest: Gap[] };
  roofline: { hardware: { ddr_gbps: number; l2m_gbps: number; peak_tops: Record<string, number> }; overall: Roof; kernels: Roof[] };
  advice: Advice[];
  balance: { barriers: Barriers };
}

/** An absolute time as ns since the span's start. Host clocks exceed doubles, so of one some hundred ns may be lost. */
export function sinceStart(head: Head, ns: number): number {
  return Number(BigInt(ns) - BigInt(head.span.start));
}
