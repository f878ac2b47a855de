// Tables of up to some thousand rows: sorted by a click on a column's title, walked with the arrow keys.
import { h, put } from "./dom";

export interface Column<Row> {
  key: string;
  title: string;
  /** What the column means. */
  hint?: string;
  /** What it is sorted by. */
  value(row: Row): number | string;
  /** What is shown; the value if absent. */
  cell?(row: Row): Node | string;
  /** Numbers stand at the right. */
  num?: boolean;
  /** Class of the cell. */
  mark?(row: Row): string;
}

export interface TableOptions<Row> {
  id: string;
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  sort?: { key: string; down: boolean };
  /** A click on a row, or Enter. */
  open?(row: Row): void;
  /** What `open` does, as the rows' title. */
  openHint?: string;
}

export function table<Row>(options: TableOptions<Row>): HTMLElement {
  const { columns } = options;
  let sort = options.sort;
  const body = h("tbody", { onkeydown: (e: KeyboardEvent) => walk(e, body) });
  const head = h("tr");

  function fill(): void {
    put(head, ...columns.map((column) => {
      const on = sort?.key === column.key;
      return h("th", { class: column.num && "num", "aria-sort": on ? (sort!.down ? "descending" : "ascending") : "none" },
        h("button", { title: column.hint, "data-sort": column.key, onclick: () => sortBy(column) },
          column.title, h("span", { "aria-hidden": "true" }, on ? (sort!.down ? " ▾" : " ▴") : "")));
    }));
    put(body, ...sorted().map(row));
  }

  function sortBy(column: Column<Row>): void {
    sort = { key: column.key, down: sort?.key === column.key ? !sort.down : Boolean(column.num) };
    fill();
    head.querySelector<HTMLElement>(`[data-sort="${CSS.escape(column.key)}"]`)?.focus();
  }

  function sorted(): Row[] {
    const column = columns.find((c) => c.key === sort?.key);
    if (!column) return options.rows;
    const sign = sort!.down ? -1 : 1;
    return [...options.rows].sort((a, b) => sign * compare(column.value(a), column.value(b)));
  }

  function row(data: Row, at: number): HTMLElement {
    const open = options.open;
    const cells = columns.map((c) =>
      h("td", { class: [c.num && "num", c.mark?.(data)].filter(Boolean).join(" ") || null, "data-key": c.key }, c.cell?.(data) ?? String(c.value(data))));
    if (!open) return h("tr", null, ...cells);
    return h("tr", {
      class: "open", tabindex: at === 0 ? 0 : -1, title: options.openHint,
      onclick: (e: MouseEvent) => (e.target as Element).closest("button, a") || open(data),
      onkeydown: (e: KeyboardEvent) => e.key === "Enter" && e.target === e.currentTarget && open(data),
    }, ...cells);
  }

  fill();
  return h("div", { class: "scroll" }, h("table", { id: options.id, class: "data", "aria-label": options.label }, h("thead", null, head), body));
}

function compare(a: number | string, b: number | string): number {
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
}

function walk(event: KeyboardEvent, body: HTMLElement): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const rows = [...body.children] as HTMLElement[];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  if (!step || at < 0) return;
  rows[Math.min(Math.max(at + step, 0), rows.length - 1)]?.focus();
  event.preventDefault();
}
