// The timeline as a tab of the page.
import type { View } from "../view";
import { Timeline } from "./controller";
import { TEXTS } from "./texts";

/** At most one is alive: a change of language builds the views anew. */
let alive: Timeline | null = null;

export function timelineView(): View {
  let timeline: Timeline | null = null;
  return {
    id: "timeline",
    title: TEXTS.title,
    mount(root, shell) {
      alive?.destroy();
      alive = timeline = new Timeline(root, shell);
    },
    show: () => timeline?.show(),
    redraw: () => timeline?.redraw(),
    goTo: (target) => void timeline?.goTo(target),
  };
}

