// How long a changed run takes: one pass over the tasks, as in `crates/replay/src/prediction.rs`. Times are ns from the run's first event.
import { type Change, isBandwidth, nameMatches, timeFactor } from "./change";
import { AS_PREDICTED, type Hidden, type Unknown, durations, lags } from "./costs";
import type { Graph } from "./graph";

/** A kernel's time: from the first start to the last end, summed over the launches of all cores. */
export interface KernelTime {
  kernel: string;
  launches: number;
  measuredNs: number;
  predictedNs: number;
}

export interface Prediction {
  measuredNs: number;
  predictedNs: number;
  /** Those that took longest first. */
  kernels: KernelTime[];
}

interface Span {
  start: number;
  end: number;
}

export class Replay {
  readonly measuredNs: number;
  private readonly measured: Span[];
  /** Of the last prediction, by task. */
  private readonly duration: Float64Array;
  private readonly end: Float64Array;
  private readonly lag: Float64Array;
  /** Of a run that nobody looks at but for its length. */
  private readonly otherDuration: Float64Array;
  private readonly otherEnd: Float64Array;

  constructor(readonly graph: Graph) {
    [this.duration, this.end, this.otherDuration, this.otherEnd] = Array.from({ length: 4 }, () => new Float64Array(graph.tasks)) as [Float64Array, Float64Array, Float64Array, Float64Array];
    this.lag = new Float64Array(graph.lag.length);
    this.measuredNs = this.run([], "nothing", AS_PREDICTED, this.duration, this.end);
    this.measured = this.launches();
  }

  private run(changes: Change[], hidden: Hidden, unknown: Unknown, duration: Float64Array, end: Float64Array): number {
    const { first, predecessor, tasks } = this.graph;
    durations(this.graph, changes, hidden, unknown, duration);
    const lag = lags(this.graph, changes, unknown, this.lag);
    let last = 0;
    let from = 0;
    for (let task = 0; task < tasks; task++) {
      let start = 0;
      const until = first[task + 1]!;
      for (; from < until; from++) {
        const earliest = end[predecessor[from]!]! + lag[from]!;
        if (earliest > start) start = earliest;
      }
      const ended = start + duration[task]!;
      end[task] = ended;
      if (ended > last) last = ended;
    }
    return last;
  }

  /** Wall time in ns of a changed run. */
  wall(changes: Change[], hidden: Hidden = "nothing", unknown = AS_PREDICTED): number {
    return this.run(changes, hidden, unknown, this.otherDuration, this.otherEnd);
  }

  /** Runs with all changes together; `start` and `times` then tell of this run. */
  predict(changes: Change[]): Prediction {
    const predictedNs = this.run(changes, "nothing", AS_PREDICTED, this.duration, this.end);
    return { measuredNs: this.measuredNs, predictedNs, kernels: this.kernels() };
  }

  /** Shortest and longest time of the run with these changes, by what is not known: as in `crates/replay/src/prediction.rs`. */
  range(changes: Change[], predictedNs: number): [number, number] {
    const times = changes.map(timeFactor).filter((time) => time !== 1);
    const least = Math.min(1, ...times.map((time) => (time > 1 ? 1 / time : time)));
    const most = Math.max(1, ...times);
    const { knowsWaits, bandwidthError, unsure: share, limits } = this.graph.head;
    const error = changes.some(({ resource }) => isBandwidth(resource)) ? bandwidthError : 0;
    const walls = [least, most].flatMap((idle) => [1 - error, 1 + error].map((bandwidth) =>
      idle === 1 && bandwidth === 1 ? predictedNs : this.wall(changes, "nothing", { idle, bandwidth })));
    if (least !== 1 || most !== 1) {
      const unsure = Math.ceil(share * Math.abs(predictedNs - this.measuredNs) + limits.cycles * predictedNs);
      walls.push(Math.max(predictedNs - unsure, 0), predictedNs + unsure);
    }
    // Any command may be a wait for what is changed.
    if (!knowsWaits) walls.push(Math.trunc(this.measuredNs * least), Math.trunc(this.measuredNs * most));
    return [Math.min(...walls), Math.max(...walls)];
  }

  /** When a task started in the last prediction. */
  private start(task: number): number {
    const { waitOf, waitBefore, waitLag } = this.graph;
    const wait = waitOf[task]!;
    const end = this.end[task]!;
    return wait < 0 ? end - this.duration[task]! : Math.min(this.end[waitBefore[wait]!]! + waitLag[wait]!, end);
  }

  /** Starts and lengths of all events in the last prediction, by their numbers. */
  times(start: Float64Array, length: Float64Array): void {
    const { event, tasks } = this.graph;
    for (let task = 0; task < tasks; task++) {
      const at = event[task]!;
      if (at < 0) continue;
      start[at] = this.start(task);
      length[at] = this.end[task]! - start[at]!;
    }
  }

  private launches(): Span[] {
    const { launchKernel, partLaunch, partFirst, partLast } = this.graph;
    const spans = Array.from(launchKernel, () => ({ start: Infinity, end: -Infinity }));
    partLaunch.forEach((launch, part) => {
      const span = spans[launch]!;
      span.start = Math.min(span.start, this.start(partFirst[part]!));
      span.end = Math.max(span.end, this.end[partLast[part]!]!);
    });
    return spans;
  }

  private kernels(): KernelTime[] {
    const times = new Map<number, KernelTime>();
    this.launches().forEach((span, launch) => {
      const of = this.graph.launchKernel[launch]!;
      if (of < 0) return;
      let time = times.get(of);
      if (!time) times.set(of, (time = { kernel: this.graph.kernels[of] ?? "", launches: 0, measuredNs: 0, predictedNs: 0 }));
      const measured = this.measured[launch]!;
      time.launches++;
      time.measuredNs += measured.end - measured.start;
      time.predictedNs += span.end - span.start;
    });
    return [...times].sort(([a], [b]) => a - b).map(([, time]) => time).sort((a, b) => b.measuredNs - a.measuredNs);
  }

  /** Whether something in the run changes with it. */
  isKnown({ resource }: Change): boolean {
    const { classes, layers } = this.graph.head;
    if (resource.kind === "core") return classes.some((of) => of.engine !== "cdma" && of.index === resource.core);
    if (resource.kind === "kernel") return this.graph.kernels.some((name) => name !== "" && nameMatches(resource.pattern, name));
    if (resource.kind === "layer") return layers.some((names) => names.some((name) => nameMatches(resource.pattern, name)));
    return true;
  }
}
