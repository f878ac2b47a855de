// Starts the page.
import { Page } from "./data/page";
import { mountShell } from "./shell";
import { h, put } from "./ui/dom";

async function start(): Promise<void> {
  const app = document.getElementById("app")!;
  try {
    mountShell(app, await Page.read());
  } catch (error) {
    put(app, h("p", { class: "broken" }, `This page cannot be shown: ${error instanceof Error ? error.message : String(error)}`));
    throw error;
  }
}

void start();
