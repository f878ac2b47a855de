// The answers on the run that the page shows: parts of `report.json` as they are there, with its names and units; its schema and
// docs/analysis.md say what they mean. Times are ns of the device: see `sinceStart`.
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

/** An iteration. */
export interface Step {
  number: number;
  /** Of its marker in the host's trace; else empty. */
  name: string;
  start_ns: number;
  end_ns: number;
  launches: number;
  compute_only_ns: number;
  overlapped_ns: number;
  transfer_only_ns: number;
  sync_ns: number;
  idle_ns: number;
  is_regular: boolean;
  is_warm_up: boolean;
  is_outlier: boolean;
}

export interface Steps {
  source: "repetition" | "kernel" | "host";
  first_kernel: string;
  times: { count: number; steady: number; p50_ns: number; p95_ns: number; spread: number; warm_up: number; warm_up_ns: number; outliers: number };
  steps: Step[];
}

/** What an SDMA or a CDMA port transferred. */
export interface Channel {
  engine: string;
  index: number;
  commands: number;
  bytes: number;
  busy_ns: number;
  sync_ns: number;
  gbps: number;
  link_share: number | null;
  overlapped_ns: number;
  exposed_ns: number;
}

interface Latency { count: number; p50_ns: number; p95_ns: number; max_ns: number }

export interface HostGap { start_ns: number; end_ns: number; host: string }

export interface HostOperator { name: string; launches: number; device_ns: number; self_device_ns: number }

/** Host and device; only with a host trace. */
export interface HostAnswers {
  launches: number;
  matching: "names" | "order" | "time" | null;
  matched: number;
  latency: Latency;
  free_latency: Latency;
  queue: { mean: number; max: number };
  idle: { idle_ns: number; host_bound_ns: number; device_bound_ns: number; longest: HostGap[] };
  operators: HostOperator[];
}

export interface Answers {
  critical_path: PathReport;
  steps?: Steps;
  host?: HostAnswers;
  communication: { busy_ns: number; overlapped_ns: number; channels: Channel[] };
  intervals: { overall: Phases; cores: Phases[] };
  gaps: { longest: Gap[] };
  roofline: { hardware: { ddr_gbps: number; l2m_gbps: number; peak_tops: Record<string, number> }; overall: Roof; kernels: Roof[] };
  advice: Advice[];
  balance: { barriers: Barriers };
}

/** A time of the answers, which is device time, as ns since the span's start. */
export function sinceStart(head: Head, ns: number): number {
  return ns + head.device.zero;
}
