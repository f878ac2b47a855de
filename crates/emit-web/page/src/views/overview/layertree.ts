// The model as a tree: its blocks, their layers, the layers' commands; each node with the sums of what is below it.
import type { Page } from "../../data/page";
import { h, put } from "../../ui/dom";
import { bytes, columnDuration, count } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import { findState } from "../find/filter";
import type { Shell, SliceRef } from "../view";
import { type Layer, showLayer } from "./layers";
import { type Cells, numberOf, unitText, unitTitle } from "./unitcolumns";

const TEXTS = {
  name: ["Model, block, layer, command", "模型、模块、层、指令"],
  model: ["Model", "模型"],
  unfold: ["Show what is in it", "展开"],
  fold: ["Hide what is in it", "收起"],
  more: ["{0} more commands: show them in Find", "另有 {0} 条指令：在查找中显示"],
} satisfies Record<string, Text>;

/** Commands of a layer that the tree lists; Find has the others. */
const MOST_COMMANDS = 40;

/** Columns of the tree by id, after the name. */
const COLUMNS = ["total_ns", "wall_share", "path_ns", "tiu_ns", "gdma_ns", "sdma_ns", "uarch_rate", "bytes", "events"];

/** What a cell shows. */
type Shown = Node | string;

/** A block, or a layer of it. */
type Part = { block: number } | { layer: Layer };

/** By block what is in it, in the order of the model: a block is where its first layer is. */
function partsOf(page: Page, layers: Layer[]): Part[][] {
  const parts: Part[][] = page.head.blocks.map(() => []);
  const isPlaced = new Set<number>();
  for (const layer of layers) {
    let part: Part = { layer };
    for (let block = layer.parent; block >= 0; block = page.head.blocks[block]!.parent) {
      parts[block]!.push(part);
      if (isPlaced.has(block)) break;
      isPlaced.add(block);
      part = { block };
    }
  }
  return parts;
}

/** A command of a layer. */
interface Command {
  name: string;
  slice: SliceRef;
  start: number;
  dur: number;
  bytes: number;
  /** `tiu`, `gdma` or `sdma`. */
  engine: string;
}

/** The commands of a layer in the order of their starts. */
async function commandsOf(page: Page, layer: number): Promise<Command[]> {
  const found: Command[] = [];
  for (const track of page.tracks.filter((x) => x.isEngine && x.head.events > 0)) {
    const { layer: of, bytes: moved } = await track.facts();
    const { start, dur, name } = await track.loadTimes();
    of?.forEach((is, row) => {
      if (is !== layer) return;
      found.push({ name: page.nameText(name[row]!), slice: { track: track.index, row }, start: start[row]!, dur: dur[row]!, bytes: moved?.[row] ?? 0, engine: track.kind });
    });
  }
  return found.sort((a, b) => a.start - b.start);
}

/** The tree as a table whose rows unfold. */
export function layerTree(shell: Shell, layers: Layer[]): HTMLElement {
  const { page } = shell;
  const { blocks, layerColumns: heads } = page.head;
  const parts = partsOf(page, layers);
  const total = numberOf(heads, "total_ns");
  const shown = columnDuration([...blocks, ...layers].map((unit) => total(unit) ?? 0));
  const ids = COLUMNS.filter((id) => id !== "sdma_ns" || (numberOf(heads, id)(blocks[0]!) ?? 0) > 0);
  const body = h("tbody", { onkeydown: (event: KeyboardEvent) => walk(event, body) });
  const cells = (unit: Cells): Shown[] => ids.map((id) => {
    const value = numberOf(heads, id)(unit);
    const { unit: kind } = heads.find((head) => head.id === id)!;
    return kind === "duration" && value !== null ? shown(value) : unitText(kind, value);
  });

  /** A row, and what unfolds it. */
  function line(level: number, name: Shown, values: Shown[], options: { unfold?: () => Promise<HTMLTableRowElement[]>; open?: () => void }): HTMLTableRowElement {
    const { unfold, open } = options;
    const toggle = unfold && h("button", { class: "tree-toggle", tabindex: -1, "aria-label": t(TEXTS.unfold), onclick: () => void change() }, "▸");
    const row: HTMLTableRowElement = h("tr", {
      class: open || unfold ? "open" : null, "aria-level": level, "aria-expanded": unfold ? "false" : null, tabindex: level === 1 ? 0 : -1,
      onclick: (e: MouseEvent) => (e.target as Element).closest("button, a") || (open ? open() : void change()),
      onkeydown: (e: KeyboardEvent) => {
        if (e.target !== row) return;
        if (e.key === "Enter" && open) open();
        else if (e.key === "Enter" || (e.key === "ArrowRight" && !isOpen()) || (e.key === "ArrowLeft" && isOpen())) void change();
        else return;
        e.preventDefault();
      },
    }, h("td", { class: "name", style: { paddingLeft: `${0.6 + (level - 1) * 1.1}rem` } }, toggle ?? h("span", { class: "tree-toggle" }), " ", name), ...values.map((value) => h("td", { class: "num" }, value)));
    const isOpen = (): boolean => row.getAttribute("aria-expanded") === "true";
    async function change(): Promise<void> {
      if (!unfold || !toggle) return;
      if (isOpen()) for (let next = row.nextElementSibling; next && Number(next.getAttribute("aria-level")) > level; next = row.nextElementSibling) next.remove();
      else row.after(...(await unfold()));
      const opened = !isOpen();
      row.setAttribute("aria-expanded", String(opened));
      put(toggle, opened ? "▾" : "▸");
      toggle.setAttribute("aria-label", t(opened ? TEXTS.fold : TEXTS.unfold));
    }
    return row;
  }

  const node = (part: Part, level: number): HTMLTableRowElement => {
    if ("layer" in part) {
      const { layer } = part;
      return line(level, page.text(layer.label), cells(layer), { unfold: () => commands(layer, level + 1), open: () => void showLayer(shell, layer.at) });
    }
    const block = blocks[part.block]!;
    const number = unitText("count", numberOf(heads, "layers")(block));
    const name = h("b", null, page.text(block.name) || t(TEXTS.model), " ", h("span", { class: "muted" }, `${unitTitle(heads, "layers")} ${number}`));
    return line(level, name, cells(block), { unfold: async () => parts[part.block]!.map((child) => node(child, level + 1)) });
  };

  async function commands(layer: Layer, level: number): Promise<HTMLTableRowElement[]> {
    const all = await commandsOf(page, layer.at);
    const of = (one: Command): HTMLTableRowElement => {
      const known: Record<string, string> = { total_ns: shown(one.dur), [`${one.engine}_ns`]: shown(one.dur), bytes: one.bytes > 0 ? bytes(one.bytes) : "" };
      return line(level, one.name, ids.map((id) => known[id] ?? ""), { open: () => shell.showSlice(one.slice) });
    };
    const lines = all.slice(0, MOST_COMMANDS).map(of);
    if (all.length > MOST_COMMANDS) {
      const more = h("button", { class: "more", onclick: () => shell.find(findState({ q: `layer:#${layer.id}` })) }, t(TEXTS.more, count(all.length - MOST_COMMANDS)));
      lines.push(h("tr", { "aria-level": level, tabindex: -1 }, h("td", { colspan: ids.length + 1 }, more)));
    }
    return lines;
  }

  const root = node({ block: 0 }, 1);
  put(body, root);
  root.querySelector("button")!.click();
  return h("div", { class: "scroll" }, h("table", { id: "layer-tree", class: "data", role: "treegrid", "aria-label": t(TEXTS.name) },
    h("thead", null, h("tr", null, h("th", null, t(TEXTS.name)), ...ids.map((id) => h("th", { class: "num" }, unitTitle(heads, id))))), body));
}

/** Arrow keys: up and down from row to row. */
function walk(event: KeyboardEvent, body: HTMLElement): void {
  const down = ({ ArrowDown: 1, ArrowUp: -1 } as Record<string, number>)[event.key];
  const row = (event.target as Element).closest("tr");
  if (!down || !row) return;
  const rows = [...body.children] as HTMLElement[];
  rows[rows.indexOf(row) + down]?.focus();
  event.preventDefault();
}
