// Panels of one topic, folded below the first screen. A link keeps which are open; on paper all are.
import { h } from "../../ui/dom";
import * as state from "../../ui/state";

/** Key in the URL: ids of the open topics. */
const OPEN = "o.open";

const openTopics = (): string[] => state.get(OPEN).split(",").filter((id) => id !== "");

/** Null where there is nothing in it. `note`: what it would say first. */
export function topic(id: string, title: string, note: string, panels: (HTMLElement | false | null)[]): HTMLElement | null {
  const shown = panels.filter((panel) => panel !== null && panel !== false);
  if (shown.length === 0) return null;
  const details = h("details", { class: "topic wide", id: `topic-${id}`, open: openTopics().includes(id) },
    h("summary", null, h("h2", null, title), h("span", { class: "muted" }, note)), h("div", { class: "grid" }, ...shown));
  details.addEventListener("toggle", () => {
    // Not by the reader.
    if (details.dataset.forced !== undefined) return;
    const others = openTopics().filter((other) => other !== id);
    state.set({ [OPEN]: (details.open ? [...others, id] : others).join(",") });
  });
  return details;
}

/** Opens what is folded around an element, so that one can go there. */
export function unfold(element: Element): void {
  for (let around = element.closest("details"); around; around = around.parentElement?.closest("details") ?? null) around.open = true;
}

window.addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll<HTMLDetailsElement>("details.topic:not([open])")) {
    details.dataset.forced = "";
    details.open = true;
  }
});
window.addEventListener("afterprint", () => {
  for (const details of document.querySelectorAll<HTMLDetailsElement>("details.topic[data-forced]")) {
    details.open = false;
    // The event of the change comes later.
    setTimeout(() => delete details.dataset.forced, 100);
  }
});
