// The model as a tree: its blocks, their layers, the layers' commands; each node with the sums of what is below it.
import type { Page } from "../../data/page";
import { h, put } from "../../ui/dom";
import { bytes, columnDuration, count, percent } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import { findState } from "../find/filter";
import type { Shell, SliceRef } from "../view";
import type { LayerTotals } from "./layers";

const TEXTS = {
  name: ["Model, block, layer, command", "模型、模块、层、指令"],
  model: ["Model", "模型"],
  layers: ["Layers", "层数"],
  total: ["Total", "总计"],
  share: ["Share", "占比"],
  path: ["On the critical path", "在关键路径上"],
  tiu: ["TIU busy", "TIU 忙碌"],
  dma: ["DMA busy", "DMA 忙碌"],
  moved: ["Bytes", "字节"],
  rate: ["uArch rate", "uArch 利用率"],
  commands: ["Commands", "指令"],
  unfold: ["Show what is in it", "展开"],
  fold: ["Hide what is in it", "收起"],
  more: ["{0} more commands: show them in Find", "另有 {0} 条指令：在查找中显示"],
} satisfies Record<string, Text>;

/** Commands of a layer that the tree lists; Find has the others. */
const MOST_COMMANDS = 40;

/** What the commands of a part of the model did. */
type Sums = Pick<LayerTotals, "total" | "tiuNs" | "dmaNs" | "ops" | "uarch" | "bytes" | "commands"> & { layers: number; path: number };

/** What a cell shows. */
type Shown = Node | string;

interface Part {
  name: string;
  sums: Sums;
  /** Of a layer: its place in the page's list. */
  layer: number | null;
  slice: SliceRef | null;
  children: Part[];
}

const NOTHING: Sums = { layers: 0, total: 0, path: 0, tiuNs: 0, dmaNs: 0, ops: 0, uarch: 0, bytes: 0, commands: 0 };

function add(to: Sums, other: Sums): void {
  for (const key of Object.keys(to) as (keyof Sums)[]) to[key] += other[key];
}

/** The tree of the layers; `path` has the ns of the critical path by a layer's id. */
export function modelTree(page: Page, rows: LayerTotals[], path: Map<number, number>): Part {
  const model: Part = { name: t(TEXTS.model), sums: { ...NOTHING }, layer: null, slice: null, children: [] };
  const blocks = new Map<string, Part>();
  const ordered = [...rows].sort((a, b) => (page.head.layers[a.layer]?.id ?? 0) - (page.head.layers[b.layer]?.id ?? 0));
  for (const row of ordered) {
    const head = page.head.layers[row.layer];
    const sums = { ...row, layers: 1, path: path.get(head?.id ?? 0) ?? 0 };
    const leaf: Part = { name: page.layerLabel(row.layer), sums, layer: row.layer, slice: row.slice, children: [] };
    let at = model;
    add(at.sums, sums);
    for (const key of branches(page.text(head?.block ?? -1))) {
      let block = blocks.get(key);
      if (!block) {
        blocks.set(key, (block = { name: key, sums: { ...NOTHING }, layer: null, slice: null, children: [] }));
        at.children.push(block);
      }
      add(block.sums, sums);
      at = block;
    }
    at.children.push(leaf);
  }
  model.children = model.children.map(joined);
  return model;
}

/** A block of blocks, such as `/model/layers.3`, is a branch of its own: `/model`, `/model/layers`, `/model/layers.3`. */
function branches(block: string): string[] {
  const ends = [...block.matchAll(/[./]/g)].map((mark) => mark.index).filter((at) => at > 0);
  return block === "" ? [] : [...ends.map((at) => block.slice(0, at)), block];
}

/** Without blocks that hold one block and nothing else. */
function joined(part: Part): Part {
  const [only, ...others] = part.children;
  if (only && others.length === 0 && only.layer === null) return joined(only);
  return { ...part, children: part.children.map(joined) };
}

/** A command of a layer. */
interface Command {
  name: string;
  slice: SliceRef;
  start: number;
  dur: number;
  bytes: number;
  isTiu: boolean;
}

/** The commands of a layer in the order of their starts. */
async function commandsOf(page: Page, layer: number): Promise<Command[]> {
  const found: Command[] = [];
  for (const track of page.tracks.filter((x) => x.isEngine && x.head.events > 0)) {
    const { layer: of, bytes: moved } = await track.facts();
    const { start, dur, name } = await track.loadTimes();
    of?.forEach((is, row) => {
      if (is !== layer) return;
      found.push({ name: page.nameText(name[row]!), slice: { track: track.index, row }, start: start[row]!, dur: dur[row]!, bytes: moved?.[row] ?? 0, isTiu: track.kind === "tiu" });
    });
  }
  return found.sort((a, b) => a.start - b.start);
}

/** The tree as a table whose rows unfold. */
export function layerTree(shell: Shell, rows: LayerTotals[], path: Map<number, number>): HTMLElement {
  const { page } = shell;
  const model = modelTree(page, rows, path);
  const shown = columnDuration([model.sums.total, ...rows.map((row) => row.total)]);
  const body = h("tbody", { onkeydown: (event: KeyboardEvent) => walk(event, body) });
  const cells = (sums: Sums): Shown[] => [
    shown(sums.total), percent(sums.total / Math.max(model.sums.total, 1)), shown(sums.path), shown(sums.tiuNs), shown(sums.dmaNs),
    sums.ops > 0 ? percent(sums.ops / Math.max(sums.uarch, 1)) : "–", bytes(sums.bytes), count(sums.commands),
  ];

  /** A row, and what unfolds it. */
  function line(level: number, name: Shown, values: Shown[], options: { unfold?: () => Promise<HTMLTableRowElement[]>; slice: SliceRef | null }): HTMLTableRowElement {
    const { unfold, slice } = options;
    const toggle = unfold && h("button", { class: "tree-toggle", tabindex: -1, "aria-label": t(TEXTS.unfold), onclick: () => void change() }, "▸");
    const row: HTMLTableRowElement = h("tr", {
      class: slice || unfold ? "open" : null, "aria-level": level, "aria-expanded": unfold ? "false" : null, tabindex: level === 1 ? 0 : -1,
      onclick: (e: MouseEvent) => (e.target as Element).closest("button, a") || (slice ? shell.showSlice(slice) : void change()),
      onkeydown: (e: KeyboardEvent) => {
        if (e.target !== row) return;
        if (e.key === "Enter" && slice) shell.showSlice(slice);
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
      const open = !isOpen();
      row.setAttribute("aria-expanded", String(open));
      put(toggle, open ? "▾" : "▸");
      toggle.setAttribute("aria-label", t(open ? TEXTS.fold : TEXTS.unfold));
    }
    return row;
  }

  const node = (of: Part, level: number): HTMLTableRowElement => {
    const { layer } = of;
    const unfold = async () => (layer === null ? of.children.map((child) => node(child, level + 1)) : await commands(layer, level + 1));
    const name = layer === null ? h("b", null, of.name, " ", h("span", { class: "muted" }, `${t(TEXTS.layers)} ${count(of.sums.layers)}`)) : of.name;
    return line(level, name, cells(of.sums), { unfold, slice: of.slice });
  };

  async function commands(layer: number, level: number): Promise<HTMLTableRowElement[]> {
    const all = await commandsOf(page, layer);
    const of = (one: Command): HTMLTableRowElement =>
      line(level, one.name, [shown(one.dur), "", "", one.isTiu ? shown(one.dur) : "", one.isTiu ? "" : shown(one.dur), "", one.bytes > 0 ? bytes(one.bytes) : "", ""], { slice: one.slice });
    const lines = all.slice(0, MOST_COMMANDS).map(of);
    if (all.length > MOST_COMMANDS) {
      const id = page.head.layers[layer]?.id ?? layer;
      const more = h("button", { class: "more", onclick: () => shell.find(findState({ q: `layer:#${id}` })) }, t(TEXTS.more, all.length - MOST_COMMANDS));
      lines.push(h("tr", { "aria-level": level, tabindex: -1 }, h("td", { colspan: 9 }, more)));
    }
    return lines;
  }

  const titles = [TEXTS.total, TEXTS.share, TEXTS.path, TEXTS.tiu, TEXTS.dma, TEXTS.rate, TEXTS.moved, TEXTS.commands];
  const root = node(model, 1);
  put(body, root);
  root.querySelector("button")!.click();
  return h("div", { class: "scroll" }, h("table", { id: "layer-tree", class: "data", role: "treegrid", "aria-label": t(TEXTS.name) },
    h("thead", null, h("tr", null, h("th", null, t(TEXTS.name)), ...titles.map((title) => h("th", { class: "num" }, t(title))))), body));
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
