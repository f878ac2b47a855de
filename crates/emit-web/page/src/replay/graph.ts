// The run's graph, decoded. `WhatIfHead` says what the columns are; the tasks are in an order in which each is after all that it waits for.
import { readChunk } from "../data/decode";
import type { WhatIfHead } from "../data/generated";
import type { Page } from "../data/page";

/** What a lag is, as far as changes tell lags apart. */
export const LAG = { other: 0, order: 1, launch: 2, message: 3, handOver: 4 } as const;

const LAGS: Record<string, number> = {
  "engine order": LAG.order, "origin": LAG.order, "launch": LAG.launch, "launch group": LAG.launch,
  "message": LAG.message, "observed barrier": LAG.message, "command dependence": LAG.handOver, "observed hand-over": LAG.handOver,
};

export interface Graph {
  head: WhatIfHead;
  /** Names of the kernels by number. */
  kernels: string[];
  /** Number of tasks. */
  tasks: number;
  /** By task: number of its event, -1 for none. */
  event: Int32Array;
  duration: Float64Array;
  bandwidth: Float64Array;
  class: Int32Array;
  layer: Int32Array;
  /** By task its first dependence; one more at the end. */
  first: Uint32Array;
  /** By dependence the task that is waited for. */
  predecessor: Uint32Array;
  kind: Uint8Array;
  lag: Float64Array;
  /** By task the number of its wait, -1 for none. */
  waitOf: Int32Array;
  waitBefore: Uint32Array;
  waitLag: Float64Array;
  /** By core's part of a launch, index into `kernels`, -1 for none. */
  launchKernel: Float64Array;
  partLaunch: Float64Array;
  partFirst: Float64Array;
  partLast: Float64Array;
}

/** The page's graph; null where it has none. */
export async function readGraph(page: Page): Promise<Graph | null> {
  const head = page.head.whatIf;
  if (!head) return null;
  const [tasks, dependences, waits, launches, parts] = await Promise.all([head.tasks, head.dependences, head.waits, head.launches, head.parts].map((chunk) => readChunk(chunk)));
  const rows = head.tasks.rows;
  const lengths = await Promise.all(head.engines.map(async ([track]) => (track < 0 ? null : (await page.tracks[track]!.loadTimes()).dur)));
  const { class: classes, step, shorter, fixed } = tasks!;
  const event = new Int32Array(rows).fill(-1);
  const duration = new Float64Array(rows);
  const bandwidth = new Float64Array(rows);
  const next = head.engines.map(() => 0);
  for (let task = 0; task < rows; task++) {
    const of = head.classes[classes![task]!];
    if (!of) continue;
    const row = next[of.number]! + step![task]!;
    next[of.number] = row + 1;
    event[task] = head.engines[of.number]![1] + row;
    duration[task] = lengths[of.number]![row]! - shorter![task]!;
    bandwidth[task] = fixed![task]! < 0 ? 0 : duration[task]! - fixed![task]!;
  }
  const first = new Uint32Array(rows + 1);
  tasks!.count!.forEach((count, task) => (first[task + 1] = first[task]! + count));
  const { back, kind, lag } = dependences!;
  const predecessor = new Uint32Array(back!.length);
  for (let task = 0; task < rows; task++) for (let at = first[task]!; at < first[task + 1]!; at++) predecessor[at] = task - back![at]!;
  const lags = new Map(head.dependences.columns.flatMap((column) => (column.key === "kind" ? (column.map ?? []).map((text) => [text, LAGS[page.text(text)] ?? LAG.other] as const) : [])));
  const waitOf = new Int32Array(rows).fill(-1);
  waits!.task!.forEach((task, wait) => (waitOf[task] = wait));
  return {
    head, kernels: page.head.kernels.map((text) => page.text(text)), tasks: rows,
    event, duration, bandwidth, class: Int32Array.from(classes!), layer: Int32Array.from(tasks!.layer!),
    first, predecessor, kind: Uint8Array.from(kind!, (text) => lags.get(text) ?? LAG.other), lag: lag!,
    waitOf, waitBefore: Uint32Array.from(waits!.before!), waitLag: waits!.lag!,
    launchKernel: launches!.kernel!, partLaunch: parts!.launch!, partFirst: parts!.first!, partLast: parts!.last!,
  };
}
