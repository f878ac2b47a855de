// Local memory: which addresses of the lanes are read and written over time on a core.
//
// In the URL: `l.core`, `l.show` (reads, writes; both if absent), `l.lane`, `l.bank`, `l.range`.
// For tests: #memory-missing where nothing is known, else #memory-core, #memory-show, #memory-lane, #memory-bank,
// #memory-chart canvas[data-start][data-end][data-accesses][data-shown][data-live-most], #memory-counted.
import type { View } from "../view";
import { MemoryPanel } from "./panel";

export function memory(): View {
  let panel: MemoryPanel | null = null;
  return {
    id: "memory",
    title: ["Local memory", "本地内存"],
    mount(root, shell) {
      panel = new MemoryPanel(shell);
      root.replaceChildren(panel.element);
    },
    show: () => panel?.show(),
    redraw: () => panel?.redraw(),
  };
}
