// What the writer puts into the page, besides columns of numbers: the shape of the JSON element `head`.
// The Rust side is `crates/emit-web/src/head.rs`; both change together.

import type { Answers } from "./answers";

/** A column inside a chunk. */
export interface ColumnHead {
  key: string;
  /**
   * How the numbers are in the chunk:
   * `d` differences to the one before, zigzag varints; `v` varints; `z` zigzag varints;
   * `c` all the same, nothing is in the chunk.
   */
  enc: "d" | "v" | "z" | "c";
  /** The number, where all are the same. */
  value?: number;
  /** The numbers are texts: index into `strings` of each. */
  map?: number[];
  /** Divide the numbers by this; 1 if absent. */
  scale?: number;
  /** Bytes of the column in the chunk. */
  bytes: number;
}

/** Columns of one length: raw deflate, then base64, in the element `c{id}`. */
export interface ChunkHead {
  id: number;
  /** Numbers in each column. */
  rows: number;
  columns: ColumnHead[];
}

/** Slices of a track merged into buckets of one width; see `MipRow` for the columns. */
export interface MipHead {
  /** Width of a bucket in ns. */
  bucketNs: number;
  /**
   * Columns, one row a bucket that holds anything, sorted by (lane, at):
   * `lane`, `at` (bucket number: starts at `span[0] + at * bucketNs`), `busy` (ns in the bucket covered by slices),
   * `count` (slices that start in it), `name` and `tag` (of the slice that takes most of it),
   * and for engines `high` (uArch rate, or share of peak bandwidth: mean over busy time, 0..1), `ddr` and `l2` (bytes that count for bandwidth;
   * GB/s over the bucket are bytes / bucketNs).
   */
  chunk: ChunkHead;
}

export type TrackKind = "tiu" | "gdma" | "sdma" | "cdma" | "kernel" | "layer" | "host";

/** Register fields of the commands that have the same keys in the same order. */
export interface FieldsHead {
  /** Keys in printing order. Columns of the chunk have the same keys in the same order. */
  chunk: ChunkHead;
}

export interface TrackHead {
  kind: TrackKind;
  /** Core; port of `cdma`; for kernels of a CDMA port `port` is set instead. -1 for the host. */
  core: number;
  port?: number;
  /** Of host tracks: index into `strings`, name of process and thread. */
  label?: number;
  /** Of host tracks: `cpu` or `tpudnn`. */
  side?: "cpu" | "tpudnn";
  events: number;
  /** Overlapping slices are in lanes of their own; depth of nesting for the host. At least 1. */
  lanes: number;
  /** The page's number of each of the track's names (`Track` applies it). */
  names: number[];
  /** Added to the track's tags it makes the page's (`Track` applies it). */
  tagBase: number;
  /** Columns `start` (ns since `span[0]`), `dur` (ns), `name` (index into `names`), and `lane` if lanes > 1. In the track's own order: a row is a Global Idx. Not always sorted. */
  times: ChunkHead;
  /** start is ascending. */
  sorted: boolean;
  /**
   * Further columns by kind:
   * all: `tag` (index into `tags`); `layer` where layers are known (index into `layers`, -1 none).
   * tiu: `id` (Cmd Id), `cycles`, `rate` (uArch rate, 0..1), `alg`, `uarch` (operations), `conflict` (bank conflict cycles).
   * gdma, sdma, cdma: `id`, `cycles`, `bytes` (moved), `ddr` and `l2` (bytes that count for DDR and L2M bandwidth; bandwidth is bytes / max(dur, 1) GB/s),
   *   `stall` (cycles), `dir` (text, e.g. DDR->LMEM), `dtype` (text), `src`, `dst` (addresses, where full bits are known, else 0), cdma: `owner` (core, -1 unknown).
   * kernel: `scope` (-1 none), `batch` (text), `mode` (text), `events`.
   * layer: `layer`.
   * host: `cat` (text).
   */
  facts: ChunkHead | null;
  /**
   * All other fields of each command, as in the register texts. Column `layout` of `which` says for each row the index into `layouts`; the row's place in it
   * is its rank among the rows of the same layout. Null where they were left out (see notices).
   */
  fields: { which: ChunkHead; layouts: FieldsHead[] } | null;
  /**
   * Of engines, where the run could be replayed and the page has facts; else null. A row for each command:
   * `slack` (ns by which it could have ended later without the run taking longer), `onPath` (1: the critical path goes through it),
   * `why` (text: the kind of what it waited for longest, as in docs/prediction/replay.md; empty: nothing known),
   * `track` (index into `tracks` of the command that it waited for, -1 none) and `row` (that command's row: on the own track
   * this row minus `row`; on another one the row of the cause before it on that other track plus `row`, the first counts from 0).
   * A wait waited for what released it; any other command for what ended last before it started.
   */
  causes: ChunkHead | null;
  /** Finest first. Empty for short tracks. */
  mips: MipHead[];
}

/** What an event is. */
export interface NameHead {
  /** Function Type (or category), index into `strings`. */
  type: number;
  /** Function Name (or kernel, layer, host operator), index into `strings`. */
  name: number;
  /** What it counts as: work, a wait for a message, a send, another system command. */
  role: "work" | "wait" | "send" | "system";
}

/** What a command belongs to; -1 where not known. */
export interface TagHead {
  kernel: number; // index into `kernels`
  scope: number;
  batch: number;
  mode: number; // index into `strings`
}

export interface TypeTotals {
  /** Index into `strings`. */
  type: number;
  count: number;
  ns: number;
}

export interface CoreHead {
  core: number;
  /** ns in which the engine ran anything but system commands (TIU, GDMA) or waits (SDMA): what the summary counts. */
  tiuNs: number;
  gdmaNs: number;
  sdmaNs: number;
  /** Working shares as in summary.txt: of the whole time. */
  tiuRatio: number;
  parallelism: number;
  uarchRate: number;
  gdmaDdr: Moved;
  gdmaL2: Moved;
  sdmaDdr: Moved;
}

export interface Moved {
  bytes: number;
  /** Mean while such transfers ran. */
  gbps: number;
}

export interface PortHead {
  port: number;
  events: number;
  sent: Moved & { count: number };
  received: Moved & { count: number };
  other: Moved & { count: number };
  syncNs: number;
  busyNs: number;
}

export interface KernelHead {
  /** Index into `kernels`. */
  kernel: number;
  count: number;
  /** Launches with missing commands: percentiles leave them out. */
  incomplete: number;
  total: number; // ns
  mean: number;
  p50: number;
  p95: number;
  max: number;
  /** Of the sum of all kernels' totals, 0..1. */
  share: number;
  cores: number;
  events: number;
  /** ns by engine: TIU, GDMA, SDMA, CDMA. */
  busy: [number, number, number, number];
  ddrBytes: number;
  otherBytes: number;
  gbps: number;
  /** By core that ran it: launches, their total and longest in ns; `work`: ns within them in which an engine worked, null where only one core ran it. */
  byCore: { core: number; count: number; total: number; max: number; work: number | null }[];
}

export interface LedgerHead {
  /** Titles of the counts, in order. */
  titles: string[];
  lines: { place: string; counts: number[] }[];
  notes: { severity: "note" | "warning" | "loss"; file: string; offset: number | null; text: string }[];
  /** The runtime's own copies and barriers around a static model; times in ns, negative before the model's first command. */
  runtime: { place: string; what: string; start: number; end: number; bytes: number }[];
}

export interface LmemHead {
  /** Bytes of local memory in each lane. */
  laneBytes: number;
  bankBytes: number;
  lanes: number;
  /**
   * By core: columns `track` (index into `tracks`), `row` (of the event), `write` (0 read, 1 write), `addr` (byte in the lane),
   * `bytes` (in each lane), `lane` (first), `lanes` (how many), `operand` (text, e.g. res0, opd0, src, dst). In order of (track, row).
   */
  cores: { core: number; chunk: ChunkHead }[];
}

export interface Head {
  version: 1;
  /** Name and version of the writer. */
  tool: string;
  /** Name of the dump's directory. */
  source: string;
  chip: {
    /** AKS, AKSV, BM1688, CV84X6. */
    name: string;
    /** Configuration table, in order. */
    facts: [string, string | number][];
    cores: number;
    /** GB/s of one core; 0 where there is none. */
    ddrGbps: number;
    l2Gbps: number;
    /** GB/s of a CDMA port's link; 0 where it is not known. */
    linkGbps: number;
  };
  clocks: { tiuMhz: number; dmaMhz: number };
  isStatic: boolean;
  /** ns: first start and last end on the page, host included. Exact decimal text of the first, since host clocks exceed doubles; the length in ns. */
  span: { start: string; length: number };
  /** ns from span's start to the first device event, to the last one's end, and to device time 0. */
  device: { start: number; end: number; zero: number };
  /** Wall time that the summary counts, ns. */
  totalNs: number;
  events: number;
  strings: string[];
  names: NameHead[];
  kernels: number[]; // indices into strings
  /** Columns as in `TagHead`. */
  tags: ChunkHead;
  layers: { id: number; name: number }[]; // name: index into strings
  tracks: TrackHead[];
  cores: CoreHead[];
  overall: CoreHead | null;
  ports: PortHead[];
  /** Same order as `tracks`; empty for kernels, layers, host. */
  types: TypeTotals[][];
  topKernels: KernelHead[];
  /** Columns and rows of the first table of summary.txt. */
  table: { columns: string[]; rows: string[][] };
  /** The columns `sendTrack`, `sendRow`, `waitTrack`, `waitRow` (tracks: indices into `tracks`), and `message` (its number). */
  flows: ChunkHead;
  /**
   * The critical path, null where the run could not be replayed: its pieces in time order without gaps, from `device.start` on. Columns `end` (ns since
   * `span[0]`; a piece starts where the one before ended), `reason` (text, the `reason` names of summary.txt), `kernel` (index into `kernels`, -1 none),
   * `track` and `row` (the command, or the one that follows a gap).
   */
  path: ChunkHead | null;
  ledger: LedgerHead;
  lmem: LmemHead | null;
  answers: Answers;
  /** What this page leaves out, and why: always shown. Keys of the dictionary with their arguments. */
  notices: { key: string; args: (string | number)[] }[];
}

/** A number of a row on both sides; see `Change` of the crate `answers`. */
export interface DiffChange {
  metric: string;
  unit: string;
  before: { runs: number; median: number; min: number; max: number } | null;
  after: { runs: number; median: number; min: number; max: number } | null;
  absolute: number;
  relative: number | null;
  interval: { low: number; high: number; confidence: number } | null;
  noise: "unknown" | "within" | "beyond";
}

export interface DiffRow {
  subject: string;
  name: string;
  presence: "both" | "new" | "gone";
  changes: DiffChange[];
}

/** What a page of two runs has besides the two heads: the element `runs`. */
export interface RunsHead {
  kind: "change" | "prediction";
  diff: { before: string[]; after: string[]; noise_is_known: boolean; warnings: string[]; rows: DiffRow[] };
  verdicts: string[];
  /** Columns `before` and `after`: rows of launches that belong together, on tracks of the two heads. */
  tracks: { core: number; before: number; after: number; pairs: ChunkHead }[];
}
