// Colours of drawings: the engines' from the style sheet, those of function types as in the timeline.
import type { Page } from "../data/page";
import { palettes } from "../views/timeline/paint";

/** The value of a custom property of the style sheet in the theme in use, such as --tiu. */
export function css(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** A CSS colour for each function type (index into `strings`); grey if nothing of it is work. */
export function typeColors(page: Page): (type: number) => string {
  const { types } = palettes(page);
  return (type) => types.get(page.text(type)) ?? "var(--system)";
}
