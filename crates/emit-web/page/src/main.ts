// Starts the page.
//
// For tests: `window.bigtpuPage` is the page's data once it is decoded, `window.bigtpuRuns` that of two runs.
import { Page } from "./data/page";
import { Runs } from "./data/runs";
import { mountShell } from "./shell";
import { h, put } from "./ui/dom";

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

void start();
