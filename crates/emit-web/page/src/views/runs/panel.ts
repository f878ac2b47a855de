// The kernels (or layers) that changed, and the launches of the chosen one: a click shows a launch in both timelines.
import { type Pair, change } from "../../data/runs";
import { h, put } from "../../ui/dom";
import { columnDuration, count } from "../../ui/format";
import { t } from "../../ui/i18n";
import { type Column, table } from "../../ui/table";
import { signed } from "./change";
import type { Reading } from "./reading";
import { RUNS } from "./texts";

interface Totals {
  name: string;
  before: number;
  after: number;
  pairs: Pair[];
}

/** Launches that are listed of one kernel; those with the greatest change. */
const MOST_LAUNCHES = 200;

export class KernelPanel {
  readonly element = h("aside", { class: "runs-panel" });
  private readonly launches = h("div", { id: "both-launches-room" });

  constructor(
    pairs: Pair[],
    title: string,
    sides: [string, string],
    private readonly show: (pair: Pair) => void,
    private readonly reading: Reading,
  ) {
    const kernels = totals(pairs);
    // Both sides in one unit: they are compared.
    const time = columnDuration(kernels.flatMap((row) => [row.before, row.after]), 2);
    const difference = columnDuration(kernels.map((row) => row.after - row.before), 2);
    const columns: Column<Totals>[] = [
      { key: "name", title, value: (row) => row.name, mark: () => "name", cell: (row) => h("span", { title: row.name }, row.name) },
      { key: "before", title: sides[0], num: true, value: (row) => row.before, cell: (row) => (row.before > 0 ? time(row.before) : "–") },
      { key: "after", title: sides[1], num: true, value: (row) => row.after, cell: (row) => (row.after > 0 ? time(row.after) : "–") },
      { key: "change", title: t(reading.difference), num: true, value: (row) => Math.abs(row.after - row.before), cell: (row) => signed(row.after - row.before, difference), mark: (row) => reading.differenceClass(row.after - row.before, row.before) },
      { key: "relative", title: t(RUNS.relative), num: true, value: (row) => row.after / Math.max(row.before, 1), cell: (row) => reading.relativeText(row.before, row.after), mark: (row) => reading.differenceClass(row.after - row.before, row.before) },
    ];
    put(this.element, pairs.length === 0
      ? h("p", { class: "muted" }, t(RUNS.none))
      : table({ id: "both-kernels", label: title, columns, rows: kernels, most: 60, sort: { key: "change", down: true }, openHint: t(RUNS.show), open: (row) => this.open(row, sides) }), this.launches);
  }

  /** Lists the kernel's launches and shows the one that changed most. */
  private open(kernel: Totals, sides: [string, string]): void {
    const sorted = [...kernel.pairs].sort((a, b) => Math.abs(change(b)) - Math.abs(change(a)));
    const number = (pair: Pair): number => (pair.before ?? pair.after!).row;
    const time = columnDuration(sorted.flatMap((pair) => [pair.before?.ns ?? 0, pair.after?.ns ?? 0]), 2);
    const difference = columnDuration(sorted.map(change), 2);
    const side = (ns: number | undefined) => (ns === undefined ? "–" : time(ns));
    const columns: Column<Pair>[] = [
      { key: "core", title: t(RUNS.core), num: true, value: (pair) => (pair.before ?? pair.after!).core },
      { key: "number", title: t(RUNS.number), num: true, value: number, cell: (pair) => count(number(pair)) },
      { key: "before", title: sides[0], num: true, value: (pair) => pair.before?.ns ?? 0, cell: (pair) => side(pair.before?.ns) },
      { key: "after", title: sides[1], num: true, value: (pair) => pair.after?.ns ?? 0, cell: (pair) => side(pair.after?.ns) },
      { key: "change", title: t(this.reading.difference), num: true, value: (pair) => Math.abs(change(pair)), cell: (pair) => signed(change(pair), difference), mark: (pair) => this.reading.differenceClass(change(pair), pair.before?.ns ?? 0) },
    ];
    const gone = sorted.filter((pair) => pair.after === null).length;
    const fresh = sorted.filter((pair) => pair.before === null).length;
    put(this.launches,
      h("p", { class: "muted" }, t(this.reading.launchesOf, kernel.name, count(sorted.length - gone - fresh), count(gone), count(fresh))),
      table({ id: "both-launches", label: kernel.name, columns, rows: sorted.slice(0, MOST_LAUNCHES), most: 30, openHint: t(RUNS.show), open: (pair) => this.show(pair) }));
    if (sorted[0]) this.show(sorted[0]);
  }

  /** Does what a click on the kernel's row does. */
  choose(name: string, pairs: Pair[], sides: [string, string]): void {
    const kernel = totals(pairs).find((row) => row.name === name);
    if (kernel) this.open(kernel, sides);
  }
}

function totals(pairs: Pair[]): Totals[] {
  const all = new Map<string, Totals>();
  for (const pair of pairs) {
    const name = (pair.before ?? pair.after!).name;
    const row = all.get(name) ?? { name, before: 0, after: 0, pairs: [] };
    row.before += pair.before?.ns ?? 0;
    row.after += pair.after?.ns ?? 0;
    row.pairs.push(pair);
    all.set(name, row);
  }
  return [...all.values()];
}
