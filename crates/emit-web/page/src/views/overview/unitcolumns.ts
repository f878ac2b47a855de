// Columns of units of work: kernels, steps, layers and blocks. What a value means, its unit and its title come with the data.
import type { Datum, LayerHead, TableColumnHead, Unit } from "../../data/generated";
import type { Page } from "../../data/page";
import { stack } from "../../ui/bars";
import { h } from "../../ui/dom";
import { bytes, count, gbps, percent } from "../../ui/format";
import { t } from "../../ui/i18n";
import type { Column } from "../../ui/table";
import type { Shell, SliceRef } from "../view";

/** A unit of work: its values, in the order of the columns. */
export interface Cells {
  cells: Datum[];
}

/** A layer that has commands; `at`: its place in the page's list. */
export type Layer = LayerHead & { at: number };

/** The layers that have commands, in the order of the model. */
export function runLayers(page: Page): Layer[] {
  return page.head.layers.map((layer, at) => ({ ...layer, at })).filter((layer) => layer.cells.length > 0);
}

/** Selects a slice in the timeline. */
export async function showUnit(shell: Shell, slice: Promise<SliceRef | null>): Promise<void> {
  const found = await slice;
  if (found) shell.showSlice(found);
}

/** The value of a column as a number; null where it is not known. */
export function numberOf(heads: TableColumnHead[], id: string): (unit: Cells) => number | null {
  const at = heads.findIndex((column) => column.id === id);
  return ({ cells }) => (typeof cells[at] === "number" ? cells[at] : null);
}

/** A column of a table. `own`: what is shown otherwise. */
export function unitColumn<Row extends Cells>(heads: TableColumnHead[], id: string, own?: Partial<Column<Row>>): Column<Row> {
  const head = heads.find((column) => column.id === id)!;
  const of = numberOf(heads, id);
  return { key: id, title: t(head.title), hint: t(head.definition), num: head.unit !== "text", value: (row) => of(row) ?? -1, ...shownAs(head.unit, of), ...own };
}

/** The title of a column. */
export function unitTitle(heads: TableColumnHead[], id: string): string {
  return t(heads.find((column) => column.id === id)!.title);
}

/** How a value of a unit is shown besides durations, which a column shows in one unit. */
export function unitText(unit: Unit, value: number | null): string {
  if (value === null) return "–";
  switch (unit) {
    case "bytes": return bytes(value);
    case "gbps": return gbps(value);
    case "share": return percent(value);
    case "number": return value.toFixed(1);
    default: return count(value);
  }
}

function shownAs<Row extends Cells>(unit: Unit, of: (row: Row) => number | null): Partial<Column<Row>> {
  return unit === "duration" ? { time: of } : { cell: (row) => unitText(unit, of(row)) };
}

/** A share as a bar with its number. */
export function shareBar(of: number): HTMLElement {
  return h("div", { class: "share-cell" }, stack([{ share: of, color: "var(--accent)", title: percent(of) }], percent(of)), percent(of));
}
