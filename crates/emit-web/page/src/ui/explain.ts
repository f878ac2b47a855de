// What the numbers of a panel are: the sentences of the docs that define them, and the commands that they are made of.
//
// For tests: .explain[data-section] in a panel's title.
import type { Shell } from "../views/view";
import { findState } from "../views/find/filter";
import DEFINITIONS from "./definitions.json";
import { h } from "./dom";
import { type Text, t } from "./i18n";
import { type Defined, mark } from "./mark";

const TEXTS = {
  events: ["Show the commands that they are made of", "显示构成它们的指令"],
  rows: ["A click on a row shows the commands.", "点击一行可查看指令。"],
} satisfies Record<string, Text>;

interface Definition extends Defined {
  /** Filter of the commands, as keys of the find view; `rows` if a click on a row leads to them, `none` if the numbers are not made of commands. */
  events: Record<string, string> | "rows" | "none";
}

/** Puts the definitions into the titles of a view's panels. */
export function explainPanels(root: HTMLElement, shell: Shell): void {
  for (const { at } of DEFINITIONS as Definition[]) {
    const place = root.querySelector(`#${at}`);
    const panel = place?.closest(".panel") ?? place;
    if (!panel) continue;
    const title = panel.querySelector("h2") ?? panel;
    if (panel.querySelector(":scope > .explain, h2 .explain")) continue;
    // A summary is a button: what opens something else can't be in it.
    const summary = title.closest("summary");
    if (summary) summary.after(explained(at, shell));
    else title.append(" ", explained(at, shell));
  }
}

/** The mark that opens the definition of a panel. */
export function explained(at: string, shell: Shell): HTMLElement {
  const definition = (DEFINITIONS as Definition[]).find((one) => one.at === at)!;
  return mark(definition, commands(definition.events, shell));
}

function commands(events: Definition["events"], shell: Shell): HTMLElement | false {
  if (events === "none") return false;
  if (events === "rows") return h("p", { class: "muted" }, t(TEXTS.rows));
  return h("button", { onclick: () => shell.find({ ...findState({}), ...events }) }, t(TEXTS.events));
}
