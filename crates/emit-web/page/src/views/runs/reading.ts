// How the difference of two runs reads: a change, which is good or bad, or the error of a model, which is neither.
import type { RunsKind } from "../../data/generated";
import { percent } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import { signedPercent } from "./change";
import { ERROR, RUNS } from "./texts";

/** A difference below this share is not coloured. */
const SAME = 0.005;

/** Metrics of a simulated run that are not those of the measured one by definition: docs/prediction/simulate.md. */
const OTHER_BY_DEFINITION = ["bytes", "bandwidth"];

export interface Reading {
  /** Names of the two runs. */
  names: [Text, Text];
  /** How the second run came about, where it has no file; null: the files of `diff` say it. */
  madeFrom: Text | null;
  tab: Text;
  difference: Text;
  ribbon: Text;
  launchesOf: Text;
  pathTitle: Text;
  /** Colours of the ribbon's launches, as style variables. */
  colours: { longer: string; shorter: string };
  /** The verdict on the whole run. */
  verdict(by: number): string;
  /** In percent; in words where a side has none. */
  relativeText(before: number, after: number): string;
  /** Class of a difference of time. */
  differenceClass(difference: number, before: number): string;
  /** Whether the runs' numbers of a metric mean the same. */
  compares(metric: string): boolean;
  /** What is left out of the tables. */
  remark: Text | null;
}

const CHANGE: Reading = {
  names: [RUNS.before, RUNS.after], madeFrom: null, tab: RUNS.changes, difference: RUNS.change, ribbon: RUNS.ribbon, launchesOf: RUNS.launchesOf, pathTitle: RUNS.path,
  colours: { longer: "--bad", shorter: "--good" },
  verdict: (by) => (by === 0 ? t(RUNS.same) : t(by > 0 ? RUNS.slower : RUNS.faster, percent(Math.abs(by), 2))),
  relativeText: (before, after) => relative(before, after, [RUNS.gone, RUNS.new]),
  differenceClass: (difference, before) => (isSame(difference, before) ? "" : difference > 0 ? "longer" : "shorter"),
  compares: () => true,
  remark: null,
};

const PREDICTION: Reading = { ...CHANGE, names: [RUNS.measured, RUNS.predicted] };

const SIMULATION: Reading = {
  names: [RUNS.measured, ERROR.simulated], madeFrom: ERROR.madeFrom, tab: ERROR.tab, difference: ERROR.error, ribbon: ERROR.ribbon, launchesOf: ERROR.launchesOf, pathTitle: ERROR.path,
  colours: { longer: "--warn", shorter: "--warn" },
  verdict: (by) => (by === 0 ? t(ERROR.none) : t(by > 0 ? ERROR.above : ERROR.below, signedPercent(by))),
  relativeText: (before, after) => relative(before, after, [ERROR.onlyMeasured, ERROR.onlySimulated]),
  differenceClass: (difference, before) => (isSame(difference, before) ? "" : "model-error"),
  compares: (metric) => !OTHER_BY_DEFINITION.includes(metric),
  remark: ERROR.bytes,
};

export function readingOf(kind: RunsKind): Reading {
  return { change: CHANGE, prediction: PREDICTION, simulation: SIMULATION }[kind];
}

function isSame(difference: number, before: number): boolean {
  return Math.abs(difference) <= Math.abs(before) * SAME;
}

function relative(before: number, after: number, [first, second]: [Text, Text]): string {
  if (before === 0) return after === 0 ? "–" : t(second);
  return after === 0 ? t(first) : signedPercent(after / before - 1);
}
