// Text out of the page: clipboard, CSV, files.
import { h } from "./dom";

/** Puts a text into the clipboard; false if the browser did not let it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** The old way, for browsers that have no clipboard interface for files from disk. */
function copyBySelection(text: string): boolean {
  const area = h("textarea", { readonly: true, style: { position: "fixed", left: "-100vw" } });
  area.value = text;
  const focused = document.activeElement as HTMLElement | null;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  focused?.focus();
  return done;
}

/** A line of CSV as in RFC 4180. */
export function csvLine(cells: (string | number)[]): string {
  return `${cells.map((c) => (/[",\r\n]/.test(String(c)) ? `"${String(c).replaceAll('"', '""')}"` : c)).join(",")}\r\n`;
}

/** Saves a text as a file; the mark at its start lets Excel read it as UTF-8. */
export function download(name: string, parts: string[]): void {
  saveBlob(name, new Blob(["\ufeff", ...parts], { type: "text/csv;charset=utf-8" }));
}

/** Saves a file. */
export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
