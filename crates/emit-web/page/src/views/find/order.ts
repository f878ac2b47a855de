// Sorting the matches by a column.
import { sortByKey } from "../../ui/sort";
import type { Column } from "../../query/columns";
import type { Rows } from "../../query/rows";

/** Sorted by a column's numbers, or by the texts that they represent. */
export function sortRows(rows: Rows, matches: Uint32Array, column: Column, down: boolean): Uint32Array {
  const keys = new Float64Array(matches.length);
  let at = 0;
  let read = column.read(rows, 0);
  for (let i = 0; i < matches.length; i++) {
    const row = matches[i]!;
    if (row < rows.first[at]! || row >= rows.first[at + 1]!) {
      at = rows.trackOf(row);
      read = column.read(rows, at);
    }
    keys[i] = read(row - rows.first[at]!);
  }
  if (column.text) rank(rows, keys, column);
  return sortByKey(matches, keys, down);
}

/** Replaces numbers that represent texts by the texts' places in the alphabet. */
function rank(rows: Rows, keys: Float64Array, column: Column): void {
  const texts = new Map<number, string>();
  for (const key of keys) if (!texts.has(key)) texts.set(key, Number.isNaN(key) ? "" : column.text!(rows, key));
  const compare = new Intl.Collator("en", { numeric: true }).compare;
  const ordered = [...new Set(texts.values())].filter((text) => text !== "").sort(compare);
  const places = new Map(ordered.map((text, place) => [text, place]));
  const rankOf = new Map([...texts].map(([key, text]) => [key, places.get(text) ?? NaN]));
  for (let i = 0; i < keys.length; i++) keys[i] = rankOf.get(keys[i]!)!;
}
