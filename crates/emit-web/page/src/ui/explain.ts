// What the numbers of a panel are: the sentences of docs/analysis.md that define them, and the commands that they are made of.
//
// For tests: .explain[data-section] in a panel's title.
import type { Shell } from "../views/view";
import { findState } from "../views/find/filter";
import DEFINITIONS from "./definitions.json";
import { h } from "./dom";
import { type Text, current, t } from "./i18n";

const TEXTS = {
  hint: ["What these numbers are", "这些数值的定义"],
  source: ["Definition: {0}", "定义见 {0}"],
  events: ["Show the commands that they are made of", "显示构成它们的指令"],
  rows: ["A click on a row shows the commands.", "点击一行可查看指令。"],
} satisfies Record<string, Text>;

interface Definition {
  /** Id of the panel, or of something in it. */
  at: string;
  /** Its section in docs/analysis.md. */
  section: string;
  /** Filter of the commands, as keys of the find view; null where rows lead to them. */
  events: Record<string, string> | null;
  en: string;
  zh: string;
}

/** Puts the definitions into the titles of a view's panels. */
export function explainPanels(root: HTMLElement, shell: Shell): void {
  for (const definition of DEFINITIONS as Definition[]) {
    const place = root.querySelector(`#${definition.at}`);
    const panel = place?.closest(".panel") ?? place;
    if (!panel) continue;
    const title = panel.querySelector("h2");
    if (title) title.append(" ", explain(definition, shell));
    else panel.append(explain(definition, shell));
  }
}

function explain({ section, events, en, zh }: Definition, shell: Shell): HTMLElement {
  const text = (current() === "zh" ? zh : en).replaceAll("`", "").replace(/[:：]$/, ".");
  return h("details", { class: "explain", "data-section": section },
    h("summary", { title: t(TEXTS.hint), "aria-label": t(TEXTS.hint) }, "?"),
    h("div", { class: "explain-text" },
      h("p", null, text),
      h("p", { class: "muted" }, t(TEXTS.source, `docs/analysis.md#${section}`)),
      events ? h("button", { onclick: () => shell.find({ ...findState({}), ...events }) }, t(TEXTS.events)) : h("p", { class: "muted" }, t(TEXTS.rows))));
}
