// Tables of up to some thousand rows: sorted by a click on a column's title, walked with the arrow keys.
import { h, put } from "./dom";
import { columnDuration } from "./format";
import { type Text, t } from "./i18n";

export interface Column<Row> {
  key: string;
  title: string;
  /** What the column means. */
  hint?: string;
  /** What it is sorted by. */
  value(row: Row): number | string;
  /** What is shown; the value if absent. */
  cell?(row: Row): Node | string;
  /** A duration in ns that is shown in the column's unit; null where there is none. */
  time?(row: Row): number | null;
  /** Numbers are at the right. */
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
  /** A click on a row, Enter or the space bar. */
  open?(row: Row): void;
  /** What `open` does, as the rows' title. */
  openHint?: string;
  /** Rows that are shown at first; a button shows the others. All if absent. */
  most?: number;
  /** How many there are at all, where `rows` are the first of more. */
  total?: number;
}

const TEXTS = {
  more: ["{0} of {1} rows: show {2}", "{1} 行中的 {0} 行：显示 {2} 行"],
  all: ["{0} of {1} rows: show all", "{1} 行中的 {0} 行：显示全部"],
  first: ["{0} of {1}: show the first {2}", "{1} 项中的 {0} 项：显示前 {2} 项"],
  rest: ["The first {0} of {1}", "共 {1} 项，此处为前 {0} 项"],
} satisfies Record<string, Text>;

/** Rows that are shown at once when all are asked for. */
const AT_ONCE = 2000;

export function table<Row>(options: TableOptions<Row>): HTMLElement {
  const { columns } = options;
  let sort = options.sort;
  let most = options.most ?? Infinity;
  const listed = options.rows.length;
  const total = Math.max(options.total ?? 0, listed);
  const body = h("tbody", { onkeydown: (e: KeyboardEvent) => walk(e, body) });
  const head = h("tr");
  // Thousands of rows come step by step.
  const next = (): number => (most * 10 < listed && listed > AT_ONCE ? most * 10 : listed);
  const more = h("button", { class: "more", onclick: () => {
    most = next();
    fill();
  } });
  const rest = h("p", { class: "muted rest" }, t(TEXTS.rest, listed, total));

  function fill(): void {
    put(head, ...columns.map((column) => {
      const on = sort?.key === column.key;
      return h("th", { class: column.num && "num", "aria-sort": on ? (sort!.down ? "descending" : "ascending") : "none" },
        h("button", { title: column.hint, "data-sort": column.key, onclick: () => sortBy(column) },
          column.title, h("span", { "aria-hidden": "true" }, on ? (sort!.down ? " ▾" : " ▴") : "")));
    }));
    put(body, ...sorted().slice(0, most).map(row));
    more.hidden = listed <= most;
    const text = next() < listed ? t(TEXTS.more, most, total, next()) : total > listed ? t(TEXTS.first, most, total, listed) : t(TEXTS.all, most, listed);
    put(more, text);
    rest.hidden = total === listed || !more.hidden;
  }

  const times = new Map(columns.map((column) => [column, column.time ? columnDuration(options.rows.map((row) => column.time!(row) ?? 0)) : null]));

  function show(column: Column<Row>, row: Row): Node | string {
    const ns = column.time?.(row);
    if (column.time) return ns == null ? "–" : times.get(column)!(ns);
    return column.cell?.(row) ?? String(column.value(row));
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
      h("td", { class: [c.num && "num", c.mark?.(data)].filter(Boolean).join(" ") || null, "data-key": c.key }, show(c, data)));
    if (!open) return h("tr", null, ...cells);
    return h("tr", {
      class: "open", tabindex: at === 0 ? 0 : -1, title: options.openHint,
      onclick: (e: MouseEvent) => (e.target as Element).closest("button, a") || open(data),
      onkeydown: (e: KeyboardEvent) => {
        if (e.target !== e.currentTarget || (e.key !== "Enter" && e.key !== " ")) return;
        e.preventDefault();
        open(data);
      },
    }, ...cells);
  }

  fill();
  return h("div", { class: "scroll" }, h("table", { id: options.id, class: "data", "aria-label": options.label }, h("thead", null, head), body), more, rest);
}

function compare(a: number | string, b: number | string): number {
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
}

/** Arrow keys: up and down from row to row, and from button to button in cells. */
function walk(event: KeyboardEvent, body: HTMLElement): void {
  const [down, right] = ({ ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] } as Record<string, [number, number]>)[event.key] ?? [0, 0];
  const here = document.activeElement as HTMLElement;
  const row = here.closest("tr");
  const rows = [...body.children] as HTMLElement[];
  const next = rows[rows.indexOf(row!) + down];
  if (!row || !next || (down === 0 && right === 0)) return;
  const cell = here.closest("td");
  if (!cell) {
    if (down !== 0) next.focus();
  } else {
    next.children[cell.cellIndex + right]?.querySelector("button")?.focus();
  }
  event.preventDefault();
}
