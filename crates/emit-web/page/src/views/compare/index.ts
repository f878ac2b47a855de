// The comparison of cores: their totals, the same kernel across them, and the messages by which they wait for each other.
//
// For tests: #core-totals [data-core][data-engine][data-ns] and [data-imbalance], #kernel-heat (td[data-core][data-value]), #heat-metric,
// #messages canvas[data-start][data-end][data-waits][data-sends][data-pairs], #message-core, #message-engine, #message-least, #longest-waits, #barriers [data-core][data-times].
// In the URL: `heat` (metric), `m.core`, `m.engine`, `m.least`, `m.message`, `m.range`.
import { h, put } from "../../ui/dom";
import { explainPanels } from "../../ui/explain";
import type { View } from "../view";
import { barriersPanel } from "./barriers";
import { heatPanel } from "./heat";
import { MessagesPanel } from "./messages-panel";
import { totalsPanel } from "./totals";

export function compare(): View {
  let messages: MessagesPanel | null = null;
  return {
    id: "compare",
    title: ["Compare cores", "多核对比"],
    mount(root, shell) {
      messages = new MessagesPanel(shell);
      put(root, h("div", { class: "rows" }, totalsPanel(shell.page), heatPanel(shell), barriersPanel(shell), messages.element));
      explainPanels(root, shell);
    },
    show: () => messages?.show(),
    redraw: () => messages?.redraw(),
  };
}
