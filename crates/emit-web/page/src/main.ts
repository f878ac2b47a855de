// Starts the page.
//
// For tests: `window.bigtpuPage` is the page's data once it is decoded.
import { Page } from "./data/page";
import { mountShell } from "./shell";
import { h, put } from "./ui/dom";

declare global {
  interface Window {
    bigtpuPage?: Page;
  }
}

async function start(): Promise<void> {
  const app = document.getElementById("app")!;
  try {
    const page = await Page.read();
    window.bigtpuPage = page;
    mountShell(app, page);
  } catch (error) {
    put(app, h("p", { class: "broken" }, `This page cannot be shown: ${error instanceof Error ? error.message : String(error)}`));
    throw error;
  }
}

void start();
