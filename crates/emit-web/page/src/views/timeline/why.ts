// "Why did this wait?": from a command back along what each one waited for, to work.
import { h } from "../../ui/dom";
import { duration } from "../../ui/format";
import { t } from "../../ui/i18n";
import { whyText } from "../../ui/pathwords";
import type { SliceRef } from "../view";
import { firstAfter } from "./pathlines";
import type { Scene } from "./scene";
import { type Fact, trackName } from "./slicefacts";
import { WHY } from "./texts";

/** One cause: `slice` had to end before the command of the step before could start. */
export interface Step {
  slice: SliceRef;
  /** Kind of dependence: index into `strings`. */
  why: number;
  /** ns from the cause's end to the start of what waited for it; for a wait, to its end. */
  lag: number;
  name: number;
}

/** Steps that are shown at most. */
const MOST = 40;

/** The causes, nearest first; the last one is work, or nothing is known of what it waited for. */
export async function chainOf(scene: Scene, slice: SliceRef): Promise<Step[]> {
  const { page } = scene;
  const steps: Step[] = [];
  let at = slice;
  while (steps.length < MOST) {
    const causes = await scene.track(at.track).causes();
    const track = causes?.track[at.row] ?? -1;
    if (!causes || track < 0) break;
    const cause: SliceRef = { track, row: causes.row[at.row]! };
    if (!scene.exists(cause)) break;
    const own = await scene.sliceRange(at);
    const range = await scene.sliceRange(cause);
    const ownName = scene.track(at.track).times!.name[at.row]!;
    const name = scene.track(track).times!.name[cause.row]!;
    const from = page.name(ownName).role === "wait" ? own.end : own.start;
    steps.push({ slice: cause, why: causes.why[at.row]!, lag: from - range.end, name });
    if (page.name(name).role === "work") break;
    at = cause;
  }
  return steps;
}

/** Slack of a command, and whether the critical path goes through it. */
export async function pathFacts(scene: Scene, slice: SliceRef): Promise<Fact[]> {
  const causes = await scene.track(slice.track).causes();
  if (!causes) return [];
  return [causes.onPath[slice.row] ? [t(WHY.onPath), t(WHY.yes)] : [t(WHY.slack), duration(causes.slack[slice.row]!)]];
}

/** The chain as buttons that lead to its commands. */
export async function whyPanel(scene: Scene, slice: SliceRef, goTo: (slice: SliceRef) => void, title = ""): Promise<HTMLElement | null> {
  const causes = scene.track(slice.track).isEngine ? await scene.track(slice.track).causes() : null;
  if (!causes) return null;
  const steps = await chainOf(scene, slice);
  const { page } = scene;
  await scene.track(slice.track).loadTimes();
  const own = scene.track(slice.track).times!.name[slice.row]!;
  const isWait = page.name(own).role === "wait";
  // What is not known is said: of a wait, and where the chain ends before work.
  const last = steps.at(-1);
  const endsInWork = last !== undefined && page.name(last.name).role === "work";
  if (!last && !isWait && title === "") return null;
  return h("details", { class: "tl-why", open: title !== "" || isWait || steps[0]!.lag > 0 },
    h("summary", null, title || t(isWait ? WHY.wait : WHY.start)),
    h("ol", null, ...[...steps.map((step) => h("li", null, h("button", { class: "tl-flow", "data-why": page.text(step.why), onclick: () => goTo(step.slice) },
      h("span", { class: "muted" }, `${whyText(page.text(step.why))} ← `), `${trackName(scene.track(step.slice.track))} · ${page.nameText(step.name)} · ${step.slice.row}`,
      step.lag > 0 && h("span", { class: "muted" }, ` · ${t(WHY.lag, duration(step.lag))}`)))), ...(endsInWork || steps.length >= MOST ? [] : [h("li", { class: "muted", "data-why": "unknown" }, t(WHY.unknown))])]));
}

/** The command of the piece of the path before or after the slice; null where it is not on the path. */
export async function alongPath(scene: Scene, slice: SliceRef, by: -1 | 1): Promise<SliceRef | null> {
  const path = await scene.page.path();
  const causes = await scene.track(slice.track).causes();
  if (!path || !causes?.onPath[slice.row]) return null;
  const { start } = await scene.sliceRange(slice);
  const isOwn = (i: number) => path.track[i] === slice.track && path.row[i] === slice.row;
  let at = firstAfter(path, start);
  while (at > 0 && isOwn(at - 1)) at--;
  for (let i = at; i >= 0 && i < path.end.length; i += by) {
    if (path.track[i]! >= 0 && !isOwn(i)) return { track: path.track[i]!, row: path.row[i]! };
  }
  return null;
}
