// Which rows a filter lets through.
import type { Page, Track } from "../../data/page";
import { COLUMNS } from "../../query/columns";
import { prepare, readQuery } from "../../query/query";
import type { Rows } from "../../query/rows";
import { kernelTerm } from "../../query/special";
import type { Term } from "../../query/terms";
import { type Filter, readDuration, readNumber } from "./filter";

/** The tracks that a filter is about: engines, unless it asks for kernels, layers or the host. */
export function tracksOf(page: Page, filter: Filter): Track[] {
  const { gaps } = readQuery(page, filter.q);
  return page.tracks.filter((t) =>
    (gaps ? t.kind === "gap" && (filter.engine === "" || filter.engine === "gap" || t.engine.toLowerCase() === filter.engine) : filter.engine === "" ? t.isEngine : t.kind === filter.engine) && (filter.core === "" || String(t.head.core) === filter.core));
}

/** The terms of a filter, those that leave most rows out first. */
function terms(page: Page, filter: Filter): Term[] {
  const list: Term[] = [];
  const { type, role, kernel } = filter;
  if (type !== "") list.push(byName((page, name) => page.typeText(name) === type));
  if (role !== "") list.push(byName((page, name) => page.name(name).role === role));
  list.push(...between(filter.dmin, filter.dmax, readDuration, 1, false, ({ times }, at) => times[at]!.dur));
  if (kernel !== "") list.push(kernelTerm((name) => name === kernel));
  list.push(...between(filter.umin, filter.umax, readNumber, 0.01, true, ({ facts }, at) => facts[at]?.rate));
  const least = readNumber(filter.bmin);
  const most = readNumber(filter.bmax);
  if (least !== null || most !== null) list.push(byBandwidth(least ?? 0, most ?? Infinity));
  list.push(...readQuery(page, filter.q).terms);
  return list;
}

function byName(suits: (page: Page, name: number) => boolean): Term {
  return {
    facts: false,
    on: ({ page, times }, at) => {
      const hits = page.head.names.map((_, name) => suits(page, name));
      const { name } = times[at]!;
      return (row) => hits[name[row]!] === true;
    },
  };
}

function between(
  least: string, most: string, read: (text: string) => number | null, unit: number, facts: boolean,
  column: (rows: Rows, at: number) => Float64Array | undefined,
): Term[] {
  const low = read(least);
  const high = read(most);
  if (low === null && high === null) return [];
  const from = (low ?? -Infinity) * unit;
  const to = (high ?? Infinity) * unit;
  return [{
    facts,
    on: (rows, at) => {
      const values = column(rows, at);
      return values ? (row) => values[row]! >= from && values[row]! <= to : () => false;
    },
  }];
}

/** The greater of the DDR and the L2M bandwidth; commands that move nothing never match. */
function byBandwidth(least: number, most: number): Term {
  return {
    facts: true,
    on: ({ facts, times }, at) => {
      const { ddr, l2 } = facts[at] ?? {};
      const { dur } = times[at]!;
      if (!ddr && !l2) return () => false;
      return (row) => {
        const moved = Math.max(ddr?.[row] ?? 0, l2?.[row] ?? 0);
        const rate = moved / Math.max(dur[row]!, 1);
        return moved > 0 && rate >= least && rate <= most;
      };
    },
  };
}

export interface Matches {
  rows: Uint32Array;
  /** Sum of their durations, ns. */
  total: number;
}

/** The matching rows in the order of tracks and rows; none where the query can't be read. Reads further columns first if the filter needs them. */
export async function search(rows: Rows, filter: Filter): Promise<Matches> {
  if (readQuery(rows.page, filter.q).problems.length > 0) return { rows: new Uint32Array(), total: 0 };
  const list = terms(rows.page, filter);
  await prepare(rows, list);
  const found = new Uint32Array(rows.total);
  let n = 0;
  let total = 0;
  for (let at = 0; at < rows.tracks.length; at++) {
    const matchers = list.map((term) => term.on(rows, at));
    const { dur } = rows.times[at]!;
    const first = rows.first[at]!;
    const [matches, ...others] = matchers;
    for (let row = 0; row < dur.length; row++) {
      if ((matches && !matches(row)) || (others.length > 0 && !others.every((other) => other(row)))) continue;
      found[n++] = first + row;
      total += dur[row]!;
    }
  }
  return { rows: found.slice(0, n), total };
}

/** Sum of the bytes that rows move; null where no row has any. `loadFacts` must be done. */
export function bytesOf(rows: Rows, matches: Uint32Array): number | null {
  const column = COLUMNS.find(({ key }) => key === "bytes")!;
  let sum: number | null = null;
  for (let at = 0, i = 0; at < rows.tracks.length; at++) {
    const read = column.read(rows, at);
    for (const [first, last] = [rows.first[at]!, rows.first[at + 1]!]; i < matches.length && matches[i]! < last; i++) {
      const bytes = read(matches[i]! - first);
      if (!Number.isNaN(bytes)) sum = (sum ?? 0) + bytes;
    }
  }
  return sum;
}
