// The run time with one part faster, for each part, as in `crates/replay/src/sensitivity.rs`.
import type { TaskKind, TrackKind } from "../data/generated";
import { type Resource, NAMED, faster } from "./change";
import { isWork } from "./costs";
import { type Graph, LAG } from "./graph";
import type { Replay } from "./replay";

/** The run with one part made faster; times in ns. */
export interface SensitivityRow {
  resource: Resource;
  faster11Ns: number;
  faster2Ns: number;
  /** If the part took no time. */
  infiniteNs: number;
}

/** Kernels and layers looked at: the heaviest. */
const HEAVIEST = 10;
/** ms of work before others get their turn. */
const TURN = 24;

/** What can be changed in this run: resources that it uses, cores, and the kernels and layers with most work. */
export function parts({ graph }: Replay): Resource[] {
  const all = cores(graph);
  return [
    ...NAMED.filter((resource) => uses(graph, resource)),
    ...(all.length > 1 ? all.map((core) => ({ kind: "core", core }) as const) : []),
    ...heaviest(graph, (task) => graph.head.classes[graph.class[task]!]?.kernel ?? -1, graph.kernels).map((pattern) => ({ kind: "kernel", pattern }) as const),
    ...heaviest(graph, (task) => graph.layer[task]!, graph.head.layers.map(([label]) => label)).map((pattern) => ({ kind: "layer", pattern }) as const),
  ];
}

/** The sensitivity to every part; those that save most first. `isWanted` turns false once nobody waits for it. */
export async function sensitivity(replay: Replay, isWanted: () => boolean): Promise<SensitivityRow[] | null> {
  const rows: SensitivityRow[] = [];
  let began = performance.now();
  for (const resource of parts(replay)) {
    if (performance.now() - began > TURN) {
      await new Promise((next) => setTimeout(next));
      if (!isWanted()) return null;
      began = performance.now();
    }
    const [faster11Ns, faster2Ns, infiniteNs] = [1.1, 2, Infinity].map((speed) => replay.wall([faster(resource, speed)])) as [number, number, number];
    // One core of many that are alike is no answer.
    if (resource.kind !== "core" || faster2Ns < replay.measuredNs) rows.push({ resource, faster11Ns, faster2Ns, infiniteNs });
  }
  return rows.sort((a, b) => a.faster2Ns - b.faster2Ns || a.infiniteNs - b.infiniteNs);
}

/** Cores that ran, in order. */
function cores({ head }: Graph): number[] {
  return [...new Set(head.classes.flatMap((of) => (of.engine === "cdma" ? [] : [of.index])))].sort((a, b) => a - b);
}

/** Whether a run without the resource would be another one. */
function uses(graph: Graph, resource: Resource): boolean {
  const any = (is: (task: TaskKind, engine: TrackKind) => boolean) => graph.head.classes.some((of) => is(of.task, of.engine));
  switch (resource.kind) {
    case "engine": return any((task, engine) => engine === resource.engine && isWork(task));
    case "ddr":
    case "l2m":
    case "link": return any((task) => task === resource.kind);
    case "launch": return graph.kind.includes(LAG.launch);
    case "sync": return graph.kind.includes(LAG.message) || graph.kind.includes(LAG.handOver);
    default: return false;
  }
}

/** Names of the owners with most work, heaviest first. */
function heaviest(graph: Graph, ownerOf: (task: number) => number, names: string[]): string[] {
  const work = new Map<number, number>();
  for (let task = 0; task < graph.tasks; task++) {
    const of = graph.head.classes[graph.class[task]!];
    const owner = ownerOf(task);
    if (of && owner >= 0 && isWork(of.task)) work.set(owner, (work.get(owner) ?? 0) + graph.duration[task]!);
  }
  return [...work].sort(([a, aNs], [b, bNs]) => bNs - aNs || a - b).map(([owner]) => names[owner] ?? "").filter((name) => name !== "").slice(0, HEAVIEST);
}
