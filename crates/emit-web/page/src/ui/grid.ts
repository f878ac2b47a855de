// A table of any number of rows: only those in view are elements. Walked with the keys.
import { h, put } from "./dom";

export interface GridColumn {
  key: string;
  title: string;
  hint?: string;
  /** Width in characters. */
  width: number;
  num?: boolean;
}

export interface GridOptions {
  id: string;
  label: string;
  cell(row: number, column: GridColumn): string;
  sort(key: string): void;
  select(row: number): void;
  /** Enter, or a double click. */
  open(row: number): void;
  openHint: string;
}

/** The height at which browsers still place elements exactly; beyond it the scroll bar represents more rows a pixel. */
const TALLEST = 8_000_000;

export class Grid {
  readonly element: HTMLElement;
  private readonly head = h("div", { role: "row", class: "grid-head" });
  private readonly body = h("div", { class: "grid-body", role: "presentation" });
  private readonly space = h("div", { class: "grid-space", role: "presentation" });
  private columns: GridColumn[] = [];
  private rows = 0;
  private selected = -1;
  private frame = 0;

  constructor(private readonly options: GridOptions) {
    this.element = h("div", { id: options.id, class: "grid-view", role: "grid", tabindex: 0, "aria-label": options.label, title: options.openHint }, this.head, this.space);
    this.space.append(this.body);
    this.element.addEventListener("scroll", () => this.redraw());
    this.element.addEventListener("keydown", (e) => this.key(e));
    new ResizeObserver(() => this.redraw()).observe(this.element);
  }

  /** Shows columns and a number of rows; the selected row is one of them, or -1. */
  show(columns: GridColumn[], rows: number, selected: number, sort: { key: string; down: boolean } | null): void {
    Object.assign(this, { columns, rows, selected });
    this.element.style.setProperty("--columns", columns.map((c) => `minmax(0, ${c.width}fr)`).join(" "));
    this.element.style.setProperty("--least", `${columns.reduce((sum, c) => sum + c.width + 2, 0)}ch`);
    this.element.setAttribute("aria-rowcount", String(rows));
    put(this.head, ...columns.map((c) => {
      const on = sort?.key === c.key;
      return h("div", { role: "columnheader", "aria-sort": on ? (sort!.down ? "descending" : "ascending") : "none" },
        h("button", { class: c.num && "num", title: c.hint, "data-sort": c.key, onclick: () => this.options.sort(c.key) },
          c.title, h("span", { "aria-hidden": "true" }, on ? (sort!.down ? " ▾" : " ▴") : "")));
    }));
    this.redraw();
  }

  /** Brings a row into view. */
  reveal(row: number): void {
    const { first, fits } = this.window();
    if (row >= 0 && (row < first || row >= first + fits - 1)) this.element.scrollTop = this.scrollOf(Math.max(row - Math.floor(fits / 2), 0));
    this.redraw();
  }

  redraw(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.paint());
  }

  private get rowHeight(): number {
    return Math.round(parseFloat(getComputedStyle(this.element).fontSize) * 1.7);
  }

  private window(): { first: number; fits: number; range: number } {
    const fits = Math.max(Math.floor((this.element.clientHeight - this.head.offsetHeight) / this.rowHeight), 1);
    const range = Math.max(Math.min(this.rows * this.rowHeight, TALLEST) + this.head.offsetHeight - this.element.clientHeight, 0);
    const last = Math.max(this.rows - fits, 0);
    const first = range > 0 ? Math.min(Math.round((this.element.scrollTop / range) * last), last) : 0;
    return { first, fits, range };
  }

  private scrollOf(first: number): number {
    const { fits, range } = this.window();
    return (first / Math.max(this.rows - fits, 1)) * range;
  }

  private paint(): void {
    const height = this.rowHeight;
    this.element.style.setProperty("--row", `${height}px`);
    this.space.style.height = `${Math.min(this.rows * height, TALLEST)}px`;
    const { first, fits } = this.window();
    this.body.style.transform = `translateY(${this.element.scrollTop}px)`;
    const rows: HTMLElement[] = [];
    for (let row = first; row < Math.min(first + fits, this.rows); row++) rows.push(this.row(row));
    put(this.body, ...rows);
    this.element.setAttribute("aria-activedescendant", this.selected >= 0 ? `${this.options.id}-${this.selected}` : "");
  }

  private row(row: number): HTMLElement {
    return h("div", {
      role: "row", id: `${this.options.id}-${row}`, "data-row": row, "aria-rowindex": row + 1, "aria-selected": String(row === this.selected),
      onclick: () => this.choose(row), ondblclick: () => this.options.open(row),
    }, ...this.columns.map((c) => {
      const text = this.options.cell(row, c);
      return h("span", { role: "gridcell", class: c.num && "num", "data-key": c.key, title: text.length > c.width ? text : null }, text);
    }));
  }

  /** Takes the keys; the first row is selected if none is. */
  focus(): void {
    this.element.focus();
    if (this.selected < 0 && this.rows > 0) this.choose(0);
  }

  private choose(row: number): void {
    this.selected = row;
    this.options.select(row);
    this.reveal(row);
  }

  private key(event: KeyboardEvent): void {
    if (event.target !== this.element || this.rows === 0) return;
    const page = this.window().fits - 1;
    const at = this.selected;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: this.rows - 1 }[event.key];
    if (event.key === "Enter" && at >= 0) this.options.open(at);
    else if (to === undefined) return;
    else this.choose(Math.min(Math.max(to, 0), this.rows - 1));
    event.preventDefault();
  }
}
