// Starts the page.
//
// For tests: `window.bigtpuPage` is the page's data once it is decoded, `window.bigtpuRuns` that of two runs.
import { compared, readDropped } from "./data/dropped";
import { Page } from "./data/page";
import { Runs } from "./data/runs";
import { mountShell } from "./shell";
import { h, put } from "./ui/dom";
import * as state from "./ui/state";

declare global {
  interface Window {
    bigtpuPage?: Page;
    bigtpuRuns?: Runs;
  }
}

async function start(): Promise<void> {
  const app = document.getElementById("app")!;
  try {
    const runs = await Runs.read();
    const pages = runs?.pages ?? [await Page.read()];
    window.bigtpuPage = pages[0];
    if (runs) window.bigtpuRuns = runs;
    mountShell(app, pages, runs);
  } catch (error) {
    put(app, h("p", { class: "broken" }, `This page cannot be shown: ${error instanceof Error ? error.message : String(error)}`));
    throw error;
  }
}

/** Esc leaves a text field; another result.html that is dropped is compared with this one. */
function listen(): void {
  document.addEventListener("keydown", (event) => {
    const field = event.target instanceof Element ? event.target.closest<HTMLElement>("input:not([type=checkbox]), textarea") : null;
    if (event.key === "Escape") field?.blur();
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) void compareWith(file);
  });
}

async function compareWith(file: File): Promise<void> {
  const app = document.getElementById("app")!;
  const own = window.bigtpuPage;
  if (!own) return;
  try {
    const runs = compared([own, await readDropped(file)]);
    window.bigtpuRuns = runs;
    state.set({ tab: "changes" });
    mountShell(app, [...runs.pages], runs);
  } catch (error) {
    alert(error instanceof Error ? error.message : String(error));
  }
}

listen();
void start();
