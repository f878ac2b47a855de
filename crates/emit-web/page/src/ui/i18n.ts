// English and Chinese. Field names of commands stay as the register texts have them.
import type { Message } from "../data/generated";
import * as state from "./state";

export type Language = "en" | "zh";

let language: Language = initial();

function initial(): Language {
  const asked = state.get("lang");
  if (asked === "en" || asked === "zh") return asked;
  // What the program was asked for when it wrote the page.
  const written = document.documentElement.dataset.lang;
  if (written === "en" || written === "zh") return written;
  return navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
}

export function current(): Language {
  return language;
}

export function choose(to: Language): void {
  language = to;
  state.set({ lang: to });
  document.documentElement.lang = to === "zh" ? "zh-CN" : "en";
}

/** Sentences of the analysis in both languages; `messages`: what they are made of. */
export interface Localized { text: string; text_zh?: string; messages?: readonly Message[] }

/** Counts of a sentence that a page writes in groups of three digits, as it does all its own. */
function longCounts(messages: readonly Message[]): number[] {
  return messages.flatMap(({ args }) => Object.values(args ?? {})).flatMap((arg) =>
    "count" in arg ? (arg.count >= 1000 ? [arg.count] : []) : "message" in arg ? longCounts([arg.message]) : []);
}

/** The sentences in the language in use; English where a file of an older version has no Chinese ones. Files and the console
 * write "us", which every terminal can show; a page has one form of times, percents and counts, that of its own numbers. */
export function localized({ text, text_zh, messages }: Localized): string {
  const sentences = language === "zh" && text_zh ? text_zh : text;
  const grouped = longCounts(messages ?? []).reduce((told, count) => told.replace(new RegExp(`(?<![\\d.])${count}(?![\\d.]*\\d)`, "g"), count.toLocaleString("en-US")), sentences);
  return grouped.replace(/(\d) us\b/g, "$1 µs").replace(/(\d) %/g, "$1%");
}

/** A text in both languages, with {0}, {1} … for arguments. */
export type Text = readonly [en: string, zh: string];

/** The text in the language in use. */
export function t(text: Text, ...args: (string | number)[]): string {
  const pattern = language === "zh" ? text[1] : text[0];
  return pattern.replace(/\{(\d)\}/g, (_, n: string) => String(args[Number(n)] ?? ""));
}
