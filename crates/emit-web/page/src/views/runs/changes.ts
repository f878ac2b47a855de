// What changed from one run to the other: the numbers of `diff.json`.
//
// For tests: #changes-headline [data-change], tables #changes-total, #changes-kernel and so on.
import type { Change as DiffChange, Row as DiffRow, Subject } from "../../data/generated";
import type { Runs } from "../../data/runs";
import { h, put } from "../../ui/dom";
import { alignedDuration, bytes, count, duration, gbps, percent } from "../../ui/format";
import { localized, t, type Text } from "../../ui/i18n";
import { reasonName, reasonText } from "../../ui/pathwords";
import { type Column, table } from "../../ui/table";
import { signedPercent } from "./change";
import { type Reading, readingOf } from "./reading";
import { METRICS, RUNS, SUBJECTS } from "./texts";

/** Causes that are shown. */
const MOST_CAUSES = 5;

/** Subjects with a row for each name, in the order in which they are shown; those after the kernels are folded. The path is named by the kind of the runs. */
const SUBJECT_TITLES: [subject: Subject, title: Text | null, isFolded: boolean][] = [
  ["kernel", RUNS.kernels, false], ["critical_path", null, false], ["engine", RUNS.engines, false], ["core", RUNS.cores, false],
  ["opcode", RUNS.opcodes, true], ["data_type", RUNS.types, true], ["shape", RUNS.shapes, true], ["direction", RUNS.directions, true], ["step", RUNS.step, true],
];

export function showChanges(root: HTMLElement, runs: Runs, names: [string, string], openKernel: (name: string) => void): void {
  const { diff } = runs.head;
  const reading = readingOf(runs.head.kind);
  const singles = [["total", RUNS.whole], ["steps", RUNS.steps], ["loss", RUNS.losses]] as const;
  put(root, h("div", { class: "grid" },
    headline(runs, names),
    ...singles.map(([subject, title]) => metrics(runs, subject, t(title), names)),
    ...SUBJECT_TITLES.map(([subject, title, isFolded]) => rows(runs, subject, t(title ?? reading.pathTitle), isFolded, names, subject === "kernel" ? openKernel : null)),
    runs.head.verdicts.length > 0 && h("section", { class: "panel wide" }, h("h2", null, t(RUNS.limits)), h("ul", { id: "changes-limits" }, ...runs.head.verdicts.map((line) => h("li", null, localized(line))))),
    reading.remark && h("p", { class: "muted wide", id: "changes-remark" }, t(reading.remark)),
    !diff.noise_is_known && h("p", { class: "muted wide" }, t(RUNS.noNoise))));
}

function headline(runs: Runs, names: [string, string]): HTMLElement {
  const { diff } = runs.head;
  const time = runs.rows("total")[0]?.changes[0];
  const by = time?.relative ?? 0;
  const reading = readingOf(runs.head.kind);
  const files = (paths: string[]) => h("span", { class: "muted", title: paths.join("\n") }, paths.length === 1 ? paths[0]! : t(RUNS.runs, paths.length));
  const side = (name: string, stat: DiffChange["before"], from: HTMLElement) => h("p", null,
    h("b", null, name), " ", stat && h("span", { class: "runs-time" }, duration(stat.median)), " ", from);
  const second = reading.madeFrom ? h("span", { class: "muted" }, t(reading.madeFrom)) : files(diff.after);
  return h("section", { class: "panel wide", id: "changes-headline", "data-change": by },
    side(names[0], time?.before ?? null, files(diff.before)), side(names[1], time?.after ?? null, second),
    diff.verdict?.shared === undefined && h("p", { class: `runs-verdict ${reading.differenceClass(time?.absolute ?? 0, time?.before?.median ?? 0)}` }, reading.verdict(by)),
    ...why(runs),
    ...diff.warnings.map((warning) => h("p", { class: "warn-text" }, warningText(warning))));
}

/** The verdict, and further causes of the change; a prediction has its own. */
function why(runs: Runs): (HTMLElement | false)[] {
  const { verdict } = runs.head.diff;
  if (!verdict || runs.head.kind !== "change") return [];
  const [, ...more] = verdict.causes.slice(0, MOST_CAUSES);
  return [
    h("p", { id: "changes-verdict" }, h("b", null, localized(verdict))),
    more.length > 0 && h("ul", { id: "changes-causes" }, ...more.map((cause) => h("li", null, localized(cause)))),
  ];
}

function warningText(text: string): string {
  const differ = /^the runs differ in (.+?): (.*)$/.exec(text);
  if (differ) return t(RUNS.differ, SUBJECTS[differ[1]!] ? t(SUBJECTS[differ[1]!]!) : differ[1]!, differ[2]!);
  const lost = /^(.*): data was lost, see its ledger$/.exec(text);
  return lost ? t(RUNS.lost, lost[1]!) : text;
}

function value(n: number, unit: string, metric: string): string {
  if (unit === "ns") return alignedDuration(n);
  if (unit === "B") return bytes(Math.round(n));
  if (unit === "GB/s") return gbps(n);
  if (unit === "TOPS") return n.toFixed(3);
  return /ratio|rate|utilization|spread/.test(metric) ? percent(n, 2) : count(Math.round(n * 100) / 100);
}

const metricName = (metric: string): string => (METRICS[metric] ? t(METRICS[metric]!) : metric);

/** Colour of a change: of times only. */
const colour = (c: DiffChange, reading: Reading): string => (c.unit === "ns" && c.noise !== "within" ? reading.differenceClass(c.absolute, c.before?.median ?? 0) : "");

function valueColumns<Row>(of: (row: Row) => DiffChange, names: [string, string], noise: boolean, reading: Reading): Column<Row>[] {
  const show = (c: DiffChange, stat: DiffChange["before"]) => {
    if (!stat) return "–";
    const spread = (stat.max - stat.min) / 2;
    return value(stat.median, c.unit, c.metric) + (stat.runs > 1 ? ` ±${value(spread, c.unit, c.metric)}` : "");
  };
  const relative = (c: DiffChange) => (c.relative !== null ? signedPercent(c.relative) : c.absolute === 0 ? "–" : reading.relativeText(c.before?.median ?? 0, c.after?.median ?? 0));
  const sign = (n: number) => (n > 0 ? "+" : n < 0 ? "−" : "");
  return [
    { key: "before", title: names[0], num: true, value: (row) => of(row).before?.median ?? 0, cell: (row) => show(of(row), of(row).before) },
    { key: "after", title: names[1], num: true, value: (row) => of(row).after?.median ?? 0, cell: (row) => show(of(row), of(row).after) },
    { key: "change", title: t(reading.difference), num: true, value: (row) => Math.abs(of(row).absolute), cell: (row) => sign(of(row).absolute) + value(Math.abs(of(row).absolute), of(row).unit, of(row).metric), mark: (row) => colour(of(row), reading) },
    { key: "relative", title: t(RUNS.relative), num: true, value: (row) => of(row).relative ?? Infinity, cell: (row) => relative(of(row)), mark: (row) => colour(of(row), reading) },
    ...(noise ? [
      { key: "interval", title: t(RUNS.interval), num: true, value: (row: Row) => of(row).interval?.low ?? 0, cell: (row: Row) => intervalText(of(row)) },
      { key: "noise", title: t(RUNS.noise), value: (row: Row) => of(row).noise, cell: (row: Row) => (of(row).absolute === 0 || of(row).noise === "unknown" ? "" : t(of(row).noise === "within" ? RUNS.isNoise : RUNS.isChange)) },
    ] : []),
  ];
}

function intervalText({ interval, before }: DiffChange): string {
  if (!interval || interval.low === interval.high || !before || before.median === 0) return "";
  return `${signedPercent(interval.low / Math.abs(before.median))} … ${signedPercent(interval.high / Math.abs(before.median))}`;
}

function metrics(runs: Runs, subject: string, title: string, names: [string, string]): HTMLElement | false {
  const reading = readingOf(runs.head.kind);
  const all = runs.rows(subject).flatMap((row) => row.changes).filter(({ metric }) => reading.compares(metric));
  if (all.length === 0 || (subject === "loss" && all.every((c) => c.absolute === 0 && !c.before?.median))) return false;
  const columns: Column<DiffChange>[] = [
    { key: "metric", title: t(RUNS.metric), value: (c) => metricName(c.metric), mark: () => "name" },
    ...valueColumns<DiffChange>((c) => c, names, runs.head.diff.noise_is_known, reading),
  ];
  return h("section", { class: "panel" }, h("h2", null, title), table({ id: `changes-${subject}`, label: title, columns, rows: all }));
}

/** The name of a row: the reason that the name of a piece of the critical path ends with is a word of the page. */
function rowName({ name, reason }: DiffRow): string {
  const end = reason && reasonName(reason);
  return end && name.endsWith(end) ? name.slice(0, -end.length) + reasonText(reason) : name;
}

function rows(runs: Runs, subject: string, title: string, isFolded: boolean, names: [string, string], open: ((name: string) => void) | null): HTMLElement | false {
  const reading = readingOf(runs.head.kind);
  const all = runs.rows(subject).filter((row) => row.changes.length > 0 && (subject !== "critical_path" || row.changes[0]!.absolute !== 0));
  if (all.length === 0) return false;
  const path = (row: DiffRow) => row.changes.find((c) => c.metric === "critical_path");
  const onPath = (row: DiffRow): string => {
    const change = path(row);
    if (!change || !(change.before?.max || change.after?.max)) return "–";
    return (change.absolute > 0 ? "+" : change.absolute < 0 ? "−" : "") + alignedDuration(Math.abs(change.absolute));
  };
  const others = (row: DiffRow) => row.changes.slice(1).filter((c) => c.metric !== "critical_path" && reading.compares(c.metric) && c.absolute !== 0 && c.relative !== null && c.noise !== "within").slice(0, 3)
    .map((c) => `${metricName(c.metric)} ${signedPercent(c.relative!)}`).join(", ");
  const columns: Column<DiffRow>[] = [
    { key: "name", title: t(RUNS.name), value: (row) => row.name, mark: () => "name", cell: (row) => h("span", { title: row.name }, rowName(row)) },
    ...valueColumns<DiffRow>((row) => row.changes[0]!, names, runs.head.diff.noise_is_known, reading),
    ...(all.some((row) => path(row)?.before || path(row)?.after) ? [
      { key: "path", title: t(RUNS.onPath), num: true, value: (row: DiffRow) => Math.abs(path(row)?.absolute ?? 0), cell: onPath, mark: (row: DiffRow) => (path(row) ? colour(path(row)!, reading) : "") },
    ] : []),
    { key: "also", title: t(RUNS.also), value: others },
  ];
  const body = table({ id: `changes-${subject}`, label: title, columns, rows: all, most: 20, openHint: open ? t(RUNS.show) : undefined, open: open ? (row) => open(row.name) : undefined });
  const wide = subject === "kernel" || subject === "critical_path" || isFolded;
  return isFolded
    ? h("details", { class: "panel wide" }, h("summary", null, h("h2", null, title)), body)
    : h("section", { class: wide ? "panel wide" : "panel" }, h("h2", null, title), body);
}
