// Colours of drawings: the engines' from the style sheet, those of function types from one palette.
import type { Page } from "../data/page";

/** The value of a custom property of the style sheet in the theme in use, such as --tiu. */
export function css(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

const PALETTE = [
  "#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#76b7b2", "#e15759", "#d4a72c", "#9c755f", "#ff9da7", "#8cd17d",
  "#2f8f9d", "#d37295", "#6a5acd", "#a0cbe8", "#b07d2b", "#86bcb6", "#c94f7c", "#7f9e3f", "#c49c94", "#5574d6",
];
const SYSTEM = "#8c95a3";

const cache = new WeakMap<Page, Map<number, string>>();

/** The colour of each function type (index into `strings`): those that take most time first; grey if nothing of it is work. */
export function typeColors(page: Page): Map<number, string> {
  let colors = cache.get(page);
  if (!colors) cache.set(page, (colors = assign(page)));
  return colors;
}

function assign(page: Page): Map<number, string> {
  const work = new Set(page.head.names.filter((n) => n.role === "work").map((n) => n.type));
  const time = new Map<number, number>();
  for (const totals of page.head.types) for (const { type, ns } of totals) time.set(type, (time.get(type) ?? 0) + ns);
  const colors = new Map<number, string>();
  let next = 0;
  for (const [type] of [...time].sort((a, b) => b[1] - a[1] || a[0] - b[0])) {
    colors.set(type, work.has(type) ? PALETTE[next++ % PALETTE.length]! : SYSTEM);
  }
  return colors;
}
