// Colours of drawings: the engines' from the style sheet, those of function types as in the timeline.
import type { Page } from "../data/page";
import { palettes } from "../views/timeline/paint";

export { css } from "./css";

/** A CSS colour for each function type (index into `strings`); grey if nothing of it is work. */
export function typeColors(page: Page): (type: number) => string {
  const { types } = palettes(page);
  return (type) => types.get(page.text(type)) ?? "var(--system)";
}
