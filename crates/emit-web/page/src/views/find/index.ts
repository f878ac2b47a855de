// The find view: a search over all commands, as a table.
//
// In the URL: the filter (see filter.ts), `f.by` (column of the sums), `f.sort` (column, `-` before it for descending), `f.cols` (keys parted by blanks), `f.row` (track.row).
// For tests: #find-q and the other #find-KEY fields, #find-count[data-count][data-ns], #find-grid (role row[data-row], cells [data-key],
// headers [data-sort]), #find-copy, #find-save, #find-columns input[value], #find-go, #find-by, #find-group-table.
import type { View } from "../view";
import { FindPanel } from "./panel";

export function find(): View {
  let panel: FindPanel | null = null;
  return {
    id: "find",
    title: ["Find", "查找"],
    mount(root, shell) {
      panel = new FindPanel(shell);
      root.replaceChildren(...panel.elements);
    },
    show: () => panel?.show(),
    redraw: () => panel?.grid.redraw(),
  };
}
