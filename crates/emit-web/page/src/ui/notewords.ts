// Notes on a dump's data in Chinese. The analysis writes English; `notes.json` has a pattern for each sentence, in which `{}` is any text.
import { current } from "./i18n";
import NOTES from "./notes.json";

const PATTERNS = (NOTES as [string, string][]).map(([english, chinese]) => ({
  pattern: new RegExp(`^${english.split("{}").map((part) => part.replace(/[.*+?^$()|[\]{}\\]/g, "\\$&")).join("(.+?)")}$`, "s"),
  chinese,
}));

/** The Chinese sentence; null where no pattern knows the English one. Parts of a sentence that are sentences themselves are translated as well. */
export function chineseNote(text: string): string | null {
  for (const { pattern, chinese } of PATTERNS) {
    const parts = pattern.exec(text);
    if (parts) return chinese.replace(/\{(\d)\}/g, (_, n: string) => chineseNote(parts[Number(n) + 1]!) ?? parts[Number(n) + 1]!);
  }
  return null;
}

export function noteText(text: string): string {
  return current() === "en" ? text : (chineseNote(text) ?? text);
}
