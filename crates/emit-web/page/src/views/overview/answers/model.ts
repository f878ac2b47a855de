// The answers that the overview shows, where the page has them: `answers` of the head. Names and units are those of `report.json`;
// times are ns since the span's start.
import type { Page } from "../../../data/page";

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
  /** Ideal time under the nearest roof over the time it took. */
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

export interface Answers {
  intervals: { overall: Phases; cores: Phases[] };
  gaps: { longest: Gap[] };
  roofline: { hardware: { ddr_gbps: number; l2m_gbps: number; peak_tops: Record<string, number> }; overall: Roof; kernels: Roof[] };
  advice: Advice[];
}

/** The answers; null on pages without. */
export function answersOf(page: Page): Answers | null {
  return (page.head as { answers?: Answers }).answers ?? null;
}
