// Durations and lags of a changed run. The same rules as in `crates/replay/src/costs.rs`, to the last bit of the doubles: tests/whatif.test.mjs
// compares the results with those of the command.
import type { TaskKind, WhatIfClass } from "../data/generated";
import { type Change, nameMatches, product, timeFactor } from "./change";
import { type Graph, LAG } from "./graph";

/** Whose time is taken away altogether. */
export type Hidden = "nothing" | "transfers" | "work";

/** What a prediction does not know, and assumes: other values give its range. */
export interface Unknown {
  /** What idle time that no dependence explains is multiplied by. */
  idle: number;
  /** What the part of a transfer's time that depends on a bandwidth is multiplied by. */
  bandwidth: number;
}

/** Idle time stays, and the fit of the transfers is right. */
export const AS_PREDICTED: Unknown = { idle: 1, bandwidth: 1 };

const TRANSFERS: TaskKind[] = ["ddr", "l2m", "link", "local"];

export function isWork(task: TaskKind): boolean {
  return task === "compute" || TRANSFERS.includes(task);
}

/** The nearest whole number, halves away from 0. */
function rounded(time: number): number {
  const whole = Math.trunc(time);
  const rest = time - whole;
  return whole + (rest >= 0.5 ? 1 : 0) - (rest <= -0.5 ? 1 : 0);
}

function scaled(time: number, factor: number): number {
  return factor === 1 ? time : rounded(time * factor);
}

/** What the times of a class are multiplied by: all of them, and what depends on a bandwidth. */
function factorsOf(graph: Graph, of: WhatIfClass, changes: Change[], hidden: Hidden): [fixed: number, bandwidth: number] {
  const kernel = of.kernel === null ? "" : (graph.kernels[of.kernel] ?? "");
  const work = isWork(of.task);
  if (hidden === "work" ? work : hidden === "transfers" && TRANSFERS.includes(of.task)) return [0, 0];
  let fixed = 1;
  let bandwidth = 1;
  for (const change of changes) {
    const { resource } = change;
    const all = work && (
      resource.kind === "engine" ? of.engine === resource.engine
        : resource.kind === "core" ? of.engine !== "cdma" && of.index === resource.core
          : resource.kind === "kernel" && nameMatches(resource.pattern, kernel));
    const moves = (resource.kind === "ddr" || resource.kind === "l2m" || resource.kind === "link") && of.task === resource.kind;
    const time = timeFactor(change);
    if (all) fixed *= time;
    if (all || moves) bandwidth *= time;
  }
  const { mostFactor } = graph.head.limits;
  return [Math.min(fixed, mostFactor), Math.min(bandwidth, mostFactor)];
}

/** By task its duration in ns, written to `into`. */
export function durations(graph: Graph, changes: Change[], hidden: Hidden, unknown: Unknown, into: Float64Array): void {
  const { classes, layers } = graph.head;
  const factors = classes.map((of) => factorsOf(graph, of, changes, hidden));
  const fixed = Float64Array.from(factors, ([of]) => of);
  const bandwidth = Float64Array.from(factors, ([, of]) => of);
  const works = Uint8Array.from(classes, (of) => Number(isWork(of.task)));
  const ofLayers = changes.flatMap((change) => (change.resource.kind === "layer" ? [{ change, pattern: change.resource.pattern }] : []));
  const byLayer = Float64Array.from(layers, (names) => product(ofLayers.flatMap(({ change, pattern }) => (names.some((name) => nameMatches(pattern, name)) ? [change] : []))));
  const anyLayer = byLayer.some((factor) => factor !== 1);
  for (let task = 0; task < graph.tasks; task++) {
    let time = graph.duration[task]!;
    const of = graph.class[task]!;
    if (of >= 0) {
      if (anyLayer && works[of] && graph.layer[task]! >= 0) time = scaled(time, byLayer[graph.layer[task]!]!);
      if (fixed[of] !== 1 || bandwidth[of] !== 1) {
        const moving = Math.min(scaled(graph.bandwidth[task]!, unknown.bandwidth), time);
        time = Math.trunc((time - moving) * fixed[of]! + moving * bandwidth[of]! + 0.5);
      }
    }
    into[task] = time;
  }
}

/** By dependence its lag in ns: those of the graph, or written to `into`. */
export function lags(graph: Graph, changes: Change[], { idle }: Unknown, into: Float64Array): Float64Array {
  const of = (kind: "launch" | "sync") => product(changes.filter(({ resource }) => resource.kind === kind));
  const launch = of("launch");
  const sync = of("sync");
  if (launch === 1 && sync === 1 && idle === 1) return graph.lag;
  const { handOverNs, longestPauseNs } = graph.head.limits;
  for (let at = 0; at < into.length; at++) {
    const time = graph.lag[at]!;
    const kind = graph.kind[at];
    if (kind === LAG.launch) into[at] = scaled(time, launch);
    else if (kind === LAG.message || kind === LAG.handOver) {
      // A hand-over that takes longer than any does was a wait for something else, all of it.
      const idleOfAll = time > handOverNs ? idle : 1;
      const handOver = kind === LAG.message ? time : Math.min(time, handOverNs);
      into[at] = scaled(scaled(handOver, sync), idleOfAll) + scaled(time - handOver, idle);
    } else into[at] = kind === LAG.order && time > longestPauseNs ? scaled(time, idle) : time;
  }
  return into;
}
