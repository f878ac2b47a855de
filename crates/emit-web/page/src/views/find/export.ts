// Matches as CSV.
import { csvLine } from "../../ui/copy";
import { type Column, cellValue } from "../../query/columns";
import type { Rows } from "../../query/rows";

/** Lines a part, so that a million rows never are one string. */
const PART = 20_000;

export function toCsv(rows: Rows, matches: Uint32Array, columns: Column[]): string[] {
  const parts = [csvLine(columns.map((c) => c.csv))];
  for (let from = 0; from < matches.length; from += PART) {
    let part = "";
    for (const row of matches.subarray(from, from + PART)) {
      const at = rows.trackOf(row);
      part += csvLine(columns.map((c) => cellValue(rows, c, at, row - rows.first[at]!)));
    }
    parts.push(part);
  }
  return parts;
}
