// The analyzer in one page: files are dropped or chosen, a worker analyzes them, and the page of the run is shown in place.
//
// For tests: `window.bigtpuResults` is what the worker made of the last files.
import { h, put } from "../ui/dom";
import { choose, current, t } from "../ui/i18n";
import * as theme from "../ui/theme";
import { analyze, prepare } from "./analysis";
import { chosen, dropped, type Given } from "./files";
import { mountOutputs } from "./outputs";
import type { Results } from "./protocol";
import { TASKS, WORDS } from "./words";

declare global {
  interface Window {
    bigtpuResults?: Results;
  }
}

const app = document.getElementById("app")!;
const bar = h("div", { class: "outputs" });
const main = h("main");
const message = h("p", { class: "message", role: "alert", hidden: true });
let stop: (() => void) | undefined;
let redraw = start;

function mount(): void {
  const language = current() === "en" ? "中文" : "English";
  const tools = h("div", { class: "tools" },
    h("button", { class: "quiet", id: "language", onclick: () => (choose(current() === "en" ? "zh" : "en"), mount(), redraw()) }, language),
    h("button", { class: "quiet", id: "theme", onclick: () => (theme.toggle(), redraw()) }, t(WORDS.theme)),
  );
  put(app, h("header", null, h("h1", null, "bigtpuprofile"), bar, tools), message, main);
}

function say(text: string): void {
  message.hidden = text === "";
  put(message, text);
}

/** The first screen: where files are dropped. */
function start(): void {
  redraw = start;
  put(bar);
  put(main, h("section", { class: "start" }, h("h2", null, t(WORDS.title)), ...choosers(), h("p", { class: "muted" }, t(WORDS.private))));
}

function choosers(): HTMLElement[] {
  const field = (id: string, props: Record<string, unknown>): HTMLInputElement =>
    h("input", { type: "file", id, multiple: true, hidden: true, ...props, onchange: (event: Event) => take(chosen((event.target as HTMLInputElement).files!)) });
  const directory = field("directory", { webkitdirectory: true });
  const files = field("files", {});
  return [
    h("p", { class: "drop" }, t(WORDS.drop)),
    h("p", null,
      h("button", { class: "choose", onclick: () => directory.click() }, t(WORDS.chooseDirectory)), " ",
      h("button", { class: "choose", onclick: () => files.click() }, t(WORDS.chooseFiles)), directory, files),
  ];
}

/** Analyzes files in place of those before. */
function take(files: Given[]): void {
  if (files.length === 0) return;
  stop?.();
  say("");
  put(bar);
  const status = h("p", { role: "status" }, t(WORDS.loading));
  const progress = h("progress", { max: 1 });
  const cancel = h("button", { id: "cancel", onclick: () => { stop?.(); stop = undefined; start(); } }, t(WORDS.cancel));
  const waiting = h("section", { class: "start" }, status, progress, cancel);
  redraw = () => put(main, waiting);
  redraw();
  cancel.focus();
  const fail = (text: string): void => {
    stop = undefined;
    start();
    say(`${t(WORDS.failed)}: ${text}`);
  };
  stop = analyze(files, current(), {
    file: (path) => put(status, t(WORDS.reading, path)),
    progress: (task, done, total) => {
      put(status, TASKS[task] ? t(TASKS[task]) : task);
      if (total > 0) progress.value = done / total;
      else progress.removeAttribute("value");
    },
    error: fail,
    stopped: (text) => fail(t(WORDS.stopped, text)),
    results: (results) => {
      stop = undefined;
      window.bigtpuResults = results;
      redraw = () => {
        mountOutputs(bar, main, results, say);
        bar.prepend(h("button", { id: "another", onclick: () => { delete window.bigtpuResults; start(); } }, t(WORDS.another)));
      };
      redraw();
    },
  });
}

document.addEventListener("dragover", (event) => {
  event.preventDefault();
  document.documentElement.dataset.over = "true";
});
document.addEventListener("dragleave", () => delete document.documentElement.dataset.over);
document.addEventListener("drop", (event) => {
  event.preventDefault();
  delete document.documentElement.dataset.over;
  if (event.dataTransfer) void dropped(event.dataTransfer).then(take, (error: unknown) => say(String(error)));
});

theme.apply();
choose(current());
mount();
start();
// The first screen is shown before the module is unpacked.
setTimeout(prepare, 0);
