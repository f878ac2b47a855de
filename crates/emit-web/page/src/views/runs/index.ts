// The views that a page of two runs has before those of each run.
import type { Runs } from "../../data/runs";
import { put } from "../../ui/dom";
import { t } from "../../ui/i18n";
import type { View } from "../view";
import { BothTimelines } from "./both";
import { showChanges } from "./changes";
import { readingOf } from "./reading";
import { RUNS } from "./texts";

/** What the two runs are called. */
export function sideNames(runs: Runs): [string, string] {
  const [before, after] = readingOf(runs.head.kind).names;
  return [t(before), t(after)];
}

/** At most one is alive: a change of language builds the views anew. */
let alive: BothTimelines | null = null;

export function runsViews(runs: Runs): View[] {
  let both: Promise<BothTimelines> | null = null;
  const withBoth = (act: (both: BothTimelines) => void) => void both?.then(act);
  const timelines: View = {
    id: "both",
    title: RUNS.both,
    mount(root) {
      alive?.destroy();
      alive = null;
      put(root);
      both = runs.pairs().then((pairs) => (alive = new BothTimelines(root, runs, pairs, sideNames(runs))));
    },
    show: () => withBoth((b) => b.unveil()),
    redraw: () => withBoth((b) => b.redraw()),
  };
  const changes: View = {
    id: "changes",
    title: readingOf(runs.head.kind).tab,
    mount: (root, shell) => showChanges(root, runs, sideNames(runs), (name) => {
      shell.open("both");
      withBoth((b) => b.showKernel(name, sideNames(runs)));
    }),
  };
  return [changes, timelines];
}
