// The order of groups and tracks that the user chose.

/** Items in the chosen order: those that it names are as there, all others where they were. */
export function arranged<T>(items: T[], nameOf: (item: T) => string, order: string[]): T[] {
  const chosen = items.filter((item) => order.includes(nameOf(item))).sort((a, b) => order.indexOf(nameOf(a)) - order.indexOf(nameOf(b)));
  let next = 0;
  return items.map((item) => (order.includes(nameOf(item)) ? chosen[next++]! : item));
}

/** The order after one of the items moved up (-1) or down (1) among the shown ones; null where it cannot move. */
export function movedOrder(shown: string[], name: string, by: -1 | 1, order: string[]): string[] | null {
  const from = shown.indexOf(name);
  const to = from + by;
  if (from < 0 || to < 0 || to >= shown.length) return null;
  const next = shown.slice();
  [next[from], next[to]] = [next[to]!, next[from]!];
  return [...order.filter((other) => !shown.includes(other)), ...next];
}

/** Name of a track in the order; groups go by their ids. */
export function trackKey(index: number): string {
  return `t${index}`;
}
