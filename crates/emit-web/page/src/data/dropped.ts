// Another run's page, dropped on this one: both are compared, without the program.
import { Page } from "./page";
import type { Change, PairsHead, Row, Stat } from "./generated";
import { type Both, Runs } from "./runs";

/** Chunks of dropped pages are numbered from here on, each page's apart. */
const APART = 1_000_000;
let dropped = 0;

/** Reads the run of a page. Its chunks become elements of this page. Throws where the file is no page of one run. */
export async function readDropped(file: File): Promise<Page> {
  const other = new DOMParser().parseFromString(await file.text(), "text/html");
  const head = other.getElementById("head");
  if (!head || other.getElementById("runs")) throw new Error(`${file.name} is not a result.html of one run`);
  const offset = ++dropped * APART;
  const data: unknown = JSON.parse(head.textContent ?? "");
  renumber(data, offset);
  for (const chunk of other.querySelectorAll<HTMLScriptElement>('script[type="text/plain"][id^="c"]')) {
    append(`c${Number(chunk.id.slice(1)) + offset}`, "text/plain", chunk.textContent ?? "");
  }
  const id = `head-dropped${dropped}`;
  append(id, "application/json", JSON.stringify(data));
  return Page.read(id);
}

function append(id: string, type: string, text: string): void {
  const element = document.createElement("script");
  element.type = type;
  element.id = id;
  element.textContent = text;
  document.body.append(element);
}

/** Chunks are all objects with a number and columns. */
function renumber(data: unknown, offset: number): void {
  if (data === null || typeof data !== "object") return;
  const chunk = data as { id?: unknown; columns?: unknown };
  if (typeof chunk.id === "number" && Array.isArray(chunk.columns)) chunk.id += offset;
  for (const value of Object.values(data)) renumber(value, offset);
}

/** Both runs as the page of `diff` has them; the numbers of the whole run and the kernels, launches paired by name and order. */
export function compared(pages: Both<Page>): Runs {
  const [before, after] = pages;
  const rows = [row("total", "", before.head.totalNs, after.head.totalNs), ...kernels(pages)];
  const warnings = before.head.chip.name === after.head.chip.name ? [] : [`the runs differ in chip: ${before.head.chip.name}, ${after.head.chip.name}`];
  const diff = { schema_version: 1, before: [before.head.source], after: [after.head.source], noise_is_known: false, warnings, rows };
  return Runs.dropped({ kind: "change", diff, verdicts: [], tracks: tracks(pages) }, pages);
}

function tracks([before, after]: Both<Page>): Omit<PairsHead, "pairs">[] {
  const of = (page: Page) => new Map(page.tracks.flatMap((track) => (track.kind === "kernel" && track.head.core >= 0 ? [[track.head.core, track.index] as const] : [])));
  const others = of(after);
  return [...of(before)].flatMap(([core, track]) => (others.has(core) ? [{ core, before: track, after: others.get(core)! }] : []));
}

function kernels(pages: Both<Page>): Row[] {
  const totals = pages.map((page) => new Map(page.head.topKernels.map((k) => [page.text(page.head.kernels[k.kernel] ?? -1), Number(k.cells[page.head.kernelColumns.findIndex(({ id }) => id === "total_ns")] ?? 0)])));
  const names = [...new Set(totals.flatMap((of) => [...of.keys()]))];
  const rows = names.map((name) => row("kernel", name, totals[0]!.get(name), totals[1]!.get(name)));
  return rows.sort((a, b) => Math.abs(b.changes[0]!.absolute) - Math.abs(a.changes[0]!.absolute));
}

function row(subject: Row["subject"], name: string, before: number | undefined, after: number | undefined): Row {
  const stat = (value: number | undefined): Stat | null => (value === undefined ? null : { median: value, min: value, max: value, runs: 1 });
  const absolute = (after ?? 0) - (before ?? 0);
  const relative = before !== undefined && after !== undefined && before !== 0 ? absolute / before : null;
  const time: Change = { metric: "time", unit: "ns", before: stat(before), after: stat(after), absolute, relative, interval: null, p_value: null, noise: "unknown" };
  return { subject, name, presence: before === undefined ? "new" : after === undefined ? "gone" : "both", changes: [time] };
}
