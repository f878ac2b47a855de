// The mark that opens what the numbers beside it are: a sentence of the docs.
import { h } from "./dom";
import { type Text, current, t } from "./i18n";

const TEXTS = {
  hint: ["What these numbers are", "这些数值的定义"],
  source: ["Definition: {0}", "定义见 {0}"],
} satisfies Record<string, Text>;

export interface Defined {
  /** Id of the panel, or of something in it. */
  at: string;
  /** File in docs; analysis.md if none is given. */
  file?: string;
  /** Its section there. */
  section: string;
  en: string;
  zh: string;
}

/** `more`: what follows the sentence. */
export function mark({ file, section, en, zh }: Defined, ...more: (HTMLElement | false)[]): HTMLElement {
  const [sentence, stop] = current() === "zh" ? [zh, "。"] : [en, "."];
  const plain = sentence.replace(/`|\*\*/g, "").replace(/[:：.。]$/, "");
  const text = plain.charAt(0).toUpperCase() + plain.slice(1) + stop;
  return h("details", { class: "explain", "data-section": section },
    h("summary", { title: t(TEXTS.hint), "aria-label": t(TEXTS.hint) }, "?"),
    h("div", { class: "explain-text" },
      h("p", null, text),
      h("p", { class: "muted" }, t(TEXTS.source, `docs/${file ?? "analysis.md"}#${section}`)),
      ...more));
}
