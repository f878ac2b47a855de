// Starts the page.
import { Page } from "./data/page";
import { mountShell } from "./shell";
import { h, put } from "./ui/dom";

function start(): void {
  const app = document.getElementById("app")!;
  try {
    mountShell(app, Page.read());
  } catch (error) {
    put(app, h("p", { class: "broken" }, `This page cannot be shown: ${error instanceof Error ? error.message : String(error)}`));
    throw error;
  }
}

start();
