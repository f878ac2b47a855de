// Language and theme: their buttons in a page's header, and links that take both along to another page.
import { h } from "./dom";
import * as i18n from "./i18n";
import { t } from "./i18n";
import * as theme from "./theme";

const TEXTS = {
  language: ["中文", "English"],
  languageHint: ["用中文显示", "Show in English"],
  theme: ["Light or dark theme", "浅色或深色"],
} as const;

/** The buttons; `changed` draws anew what does not follow by itself. */
export function choiceButtons(changed: { language(): void; theme(): void }): HTMLElement[] {
  const language = (): void => {
    i18n.choose(i18n.current() === "en" ? "zh" : "en");
    changed.language();
  };
  const toggle = (): void => {
    theme.toggle();
    changed.theme();
  };
  return [
    h("button", { class: "quiet", title: t(TEXTS.languageHint), onclick: language }, t(TEXTS.language)),
    h("button", { class: "quiet", title: t(TEXTS.theme), "aria-label": t(TEXTS.theme), onclick: toggle }, "◐"),
  ];
}

/** A link to another of our pages, which then has this page's language and theme: those of when it is followed. */
export function pageLink(address: string, props: Record<string, unknown>, text: string): HTMLAnchorElement {
  const chosen = (): string => `${address}${address.includes("#") ? "&" : "#"}${new URLSearchParams({ lang: i18n.current(), theme: theme.theme() })}`;
  const link: HTMLAnchorElement = h("a", { ...props, href: chosen() }, text);
  for (const event of ["pointerdown", "focus", "click"]) link.addEventListener(event, () => link.setAttribute("href", chosen()));
  return link;
}
