// The results of an analysis: the page of the run, and its files.
import { h, put } from "../ui/dom";
import { current, t } from "../ui/i18n";
import { theme } from "../ui/theme";
import { openInPerfetto } from "./perfetto";
import type { Output, Results } from "./protocol";
import { WORDS } from "./words";

const PAGE = "PerfWeb/result.html";
const OVERVIEW = "devices.html";
/** Of two dumps. */
const COMPARISON = "diff/diff.html";
/** Of the ranks of a call that links join; the page of one of several calls is in a directory of its own. */
const CLUSTER = /^((?:.+\/)?)cluster\.html$/;
const TYPES: Record<string, string> = {
  html: "text/html",
  json: "application/json",
  txt: "text/plain",
  md: "text/plain",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

/** The bar with the run's files, and the frame with its page. `say` shows a sentence. */
export function mountOutputs(bar: HTMLElement, main: HTMLElement, results: Results, say: (text: string) => void): void {
  const { files, dumps } = results;
  const find = (name: string): Output | undefined => files.find((file) => file.name === name);
  const named = (test: RegExp): Output[] => files.filter((file) => test.test(file.name));
  const link = (file: Output | undefined, label: string): HTMLElement | undefined => file && saveLink(file, label, results.name);
  const texts = named(/RegInfo_\d+\.txt$/);
  const trace = find("perfetto.pftrace");
  const page = h("div", { class: "page" });
  const pages = pagesOf(files, dumps);
  const choice = dumps.length > 1 && h("select", {
    "aria-label": t(WORDS.dump),
    onchange: (event: Event) => show((event.target as HTMLSelectElement).value),
  }, ...pages.map(({ name, label }) => h("option", { value: name }, label)));
  const show = (name: string): void => {
    if (choice) choice.value = name;
    put(page, frame(find(name), (linked) => pages.some((other) => other.name === linked) && (show(linked), true)));
  };
  put(
    bar,
    h("b", { class: "run" }, results.name),
    results.hasLoss && h("span", { class: "loss" }, t(WORDS.loss)),
    choice,
    link(trace, t(WORDS.trace)),
    trace && h("button", { id: "perfetto", title: t(WORDS.perfettoHint), onclick: () => handOver(trace, results.name, say) }, t(WORDS.perfetto)),
    ...named(/^PerfDoc\/.*\.xlsx$/).map((file) => link(file, t(WORDS.workbook))),
    link(find("summary.txt"), t(WORDS.summary)),
    link(find("report.json"), t(WORDS.report)),
    link(find(PAGE), t(WORDS.page)),
    menu(t(WORDS.texts, texts.length), texts, results.name),
    menu(t(WORDS.files, files.length), files, results.name),
    results.notes.length > 0 && h("details", { class: "notes" }, h("summary", null, t(WORDS.notes, results.notes.length)), h("ul", null, ...results.notes.map((note) => h("li", null, note)))),
  );
  put(main, page);
  show(results.firstPage);
}

function handOver(trace: Output, title: string, say: (text: string) => void): void {
  void openInPerfetto(trace.bytes, title).then((isTaken) => {
    if (!isTaken) say(t(WORDS.perfettoSilent));
  });
}

/** The pages of the results. */
function pagesOf(files: Output[], dumps: string[]): { name: string; label: string }[] {
  if (dumps.length < 2) return [{ name: PAGE, label: "" }];
  const clusters = files.filter(({ name }) => CLUSTER.test(name)).map(({ name }) => ({ name, label: t(WORDS.cluster, name.replace(CLUSTER, "$1").slice(0, -1)).trim() }));
  const isCompared = files.some(({ name }) => name === COMPARISON);
  return [
    { name: OVERVIEW, label: t(WORDS.overview) },
    ...clusters,
    ...(isCompared ? [{ name: COMPARISON, label: t(WORDS.comparison) }] : []),
    ...dumps.map((dump) => ({ name: `${dump}/${PAGE}`, label: dump })),
  ];
}

/** A page in a frame: its bytes as they are. `follow` shows the file that a link names, if it is among the results. */
function frame(file: Output | undefined, follow: (name: string) => boolean): HTMLElement {
  if (!file) return h("p", { class: "muted" }, t(WORDS.noPage));
  const frame = h("iframe", { title: t(WORDS.frame) });
  // The page of a run reads its language and theme here, see ui/state.ts.
  frame.name = `lang=${current()}&theme=${theme()}`;
  frame.srcdoc = new TextDecoder().decode(file.bytes);
  // On disk the page's links lead to files beside it; here these are in memory.
  frame.addEventListener("load", () => frame.contentDocument?.addEventListener("click", (event) => {
    const href = (event.target as Element | null)?.closest("a[href]")?.getAttribute("href") ?? "#";
    const isElsewhere = href.startsWith("#") || /^[a-z]+:/.test(href);
    if (!isElsewhere && follow(beside(file.name, href))) event.preventDefault();
  }));
  return frame;
}

/** The name of the file that a link of another file leads to. */
function beside(name: string, href: string): string {
  return new URL(href, `file:///${name.split("/").map(encodeURIComponent).join("/")}`).pathname.slice(1).split("/").map(decodeURIComponent).join("/");
}

function menu(label: string, files: Output[], run: string): HTMLElement | undefined {
  if (files.length === 0) return undefined;
  return h("details", { class: "files" }, h("summary", null, label), h("ul", null, ...files.map((file) => h("li", null, saveLink(file, `${file.name} (${size(file.bytes.length)})`, run)))));
}

/** A link that saves a file. The bytes become an address when they are asked for. */
function saveLink(file: Output, label: string, run: string): HTMLAnchorElement {
  const short = file.name.split("/").at(-1)!;
  const link = h("a", { class: "save", href: "#", download: `${run}-${short}`, "data-file": file.name }, label);
  const address = (): void => {
    if (link.href.startsWith("blob:")) return;
    const type = TYPES[short.split(".").at(-1)!] ?? "application/octet-stream";
    link.href = URL.createObjectURL(new Blob([file.bytes], { type }));
  };
  for (const event of ["pointerenter", "focus", "click"]) link.addEventListener(event, address);
  return link;
}

function size(bytes: number): string {
  const mib = bytes / 1_048_576;
  if (mib >= 1) return `${mib.toFixed(1)} MiB`;
  return bytes >= 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${bytes} B`;
}
