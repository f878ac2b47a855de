// The layers of a static model that took most time, with what their commands did.
import type { BlockHead, LayerHead } from "../../data/generated";
import type { Page } from "../../data/page";
import { cut } from "../../ui/cut";
import { h, put } from "../../ui/dom";
import { count } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import { longestRun } from "../../ui/launches";
import { type Column, table } from "../../ui/table";
import type { Shell } from "../view";
import { layerTree } from "./layertree";
import { numberOf, shareBar, unitColumn } from "./unitcolumns";

const TEXTS = {
  title: ["Layers", "层"],
  note: ["Click a row to select the layer in the timeline: its panel lists engines, costs and commands. Layers can overlap: the total of a block is the time in which any of its layers ran.", "点击一行可在时间线中选中该层，其面板列出引擎、代价和指令。层之间可能重叠：模块的总计是其任一层执行的时间。"],
  open: ["Show the longest part in the timeline", "在时间线中显示最长的一段"],
  layer: ["Layer", "层"],
  operation: ["Operation", "运算"],
  shape: ["Result", "结果"],
  line: ["Line", "行"],
  lineHint: ["Line in final.mlir", "final.mlir 中的行号"],
  block: ["Block", "模块"],
  blockHint: ["The part of the model that the layer belongs to by its name, or by the names of its weights", "按层名或其权重名所属的模型部分"],
  byLayer: ["by layer", "按层"],
  byBlock: ["by block", "按模块"],
  asTree: ["as a tree", "树形"],
  id: ["Id", "编号"],
} satisfies Record<string, Text>;

/** A layer that has commands; `at`: its place in the page's list. */
export type Layer = LayerHead & { at: number };

/** The layers that have commands, in the order of the model. */
export function runLayers(page: Page): Layer[] {
  return page.head.layers.map((layer, at) => ({ ...layer, at })).filter((layer) => layer.cells.length > 0);
}

/** Columns of layers by id, after those of their names; and those of blocks. */
const OF_LAYERS = ["total_ns", "path_ns", "core", "tiu_ns", "gdma_ns", "sdma_ns", "uarch_rate", "mac_utilization", "ops", "bytes", "ddr_gbps", "ddr_intensity", "expected_ns", "events"];
const OF_BLOCKS = ["layers", "total_ns", "wall_share", "path_ns", "tiu_ns", "gdma_ns", "sdma_ns", "uarch_rate", "mac_utilization", "ops", "bytes", "events"];

/** Nothing where the dump folder describes no layers. */
export function layersPanel(shell: Shell): HTMLElement | false {
  const { page } = shell;
  if (page.head.layers.length === 0) return false;
  const layers = runLayers(page);
  const views = [["byLayer", () => layerTable(shell, layers)], ...(page.head.blocks.length > 1 ? [["byBlock", () => blockTable(shell, layers)] as const] : []), ["asTree", () => layerTree(shell, layers)]] as const;
  const room = h("div", null, layerTable(shell, layers));
  const buttons = views.map(([key, make]) => {
    const button: HTMLButtonElement = h("button", { class: "tl-chip", id: `layers-${key}`, "aria-pressed": String(key === "byLayer"), onclick: () => {
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      put(room, make());
    } }, t(TEXTS[key]));
    return button;
  });
  return h("section", { class: "panel wide", id: "layers-panel" }, h("h2", null, t(TEXTS.title), " ", h("span", { class: "tl-chips" }, ...buttons)), room, h("p", { class: "key muted" }, t(TEXTS.note)));
}

/** Whether a column says anything: no column is empty from top to bottom. */
function isKnown(page: Page, id: string, rows: { cells: LayerHead["cells"] }[]): boolean {
  const of = numberOf(page.head.layerColumns, id);
  return rows.some((row) => (of(row) ?? 0) !== 0) || id === "core";
}

function layerTable(shell: Shell, rows: Layer[]): HTMLElement {
  const { page } = shell;
  const heads = page.head.layerColumns;
  const name = (row: Layer): string => page.text(row.label);
  const result = (row: Layer): string => row.writes.map((text) => page.text(text)).join("; ");
  /** Its shape and type without its name, which is the layer's. */
  const shape = (row: Layer): string => result(row).split("; ").map((text) => text.split(" ").slice(-2).join(" ")).join("; ");
  const share = numberOf(heads, "wall_share");
  const columns: Column<Layer>[] = [
    { key: "layer", title: t(TEXTS.layer), value: name, mark: () => "name", cell: (row) => cut(name(row)) },
    { key: "operation", title: t(TEXTS.operation), value: (row) => page.text(row.name) },
    ...(rows.some((row) => result(row) !== "") ? [{ key: "result", title: t(TEXTS.shape), value: shape, cell: (row: Layer) => h("span", { title: result(row) }, shape(row)) }] : []),
    { key: "id", title: t(TEXTS.id), num: true, value: (row) => row.id },
    ...(rows.some((row) => row.line !== null) ? [{ key: "line", title: t(TEXTS.line), hint: t(TEXTS.lineHint), num: true, value: (row: Layer) => row.line ?? 0 }] : []),
    unitColumn(heads, "wall_share", { mark: () => "share", cell: (row) => shareBar(share(row) ?? 0) }),
    ...OF_LAYERS.filter((id) => isKnown(page, id, rows)).map((id) => unitColumn<Layer>(heads, id)),
  ];
  return table({
    id: "layers", label: t(TEXTS.title), columns, rows, most: 15, sort: { key: "total_ns", down: true }, openHint: t(TEXTS.open),
    open: (row) => void showLayer(shell, row.at),
  });
}

/** Shows the longest run of a layer in the timeline. */
export async function showLayer(shell: Shell, at: number): Promise<void> {
  const slice = await longestRun(shell.page, at);
  if (slice) shell.showSlice(slice);
}

/** The blocks of the model, with what the layers in each did. */
function blockTable(shell: Shell, layers: Layer[]): HTMLElement {
  const { page } = shell;
  const { blocks, layerColumns: heads } = page.head;
  const total = numberOf(heads, "total_ns");
  const isWithin = (block: number, at: number): boolean => at >= 0 && (at === block || isWithin(block, blocks[at]!.parent));
  const within = (row: BlockHead): Layer[] => layers.filter((layer) => isWithin(blocks.indexOf(row), layer.parent));
  const own: Partial<Column<BlockHead>> = { cell: (row) => h("span", { title: within(row).map((layer) => page.text(layer.label)).join("\n") }, count(numberOf(heads, "layers")(row) ?? 0)) };
  const rows = blocks.slice(1);
  const columns: Column<BlockHead>[] = [
    { key: "block", title: t(TEXTS.block), hint: t(TEXTS.blockHint), value: (row) => page.text(row.name), mark: () => "name" },
    ...OF_BLOCKS.filter((id) => isKnown(page, id, rows)).map((id) => unitColumn(heads, id, id === "layers" ? own : undefined)),
  ];
  return table({
    id: "blocks", label: t(TEXTS.title), columns, rows, most: 15, sort: { key: "total_ns", down: true }, openHint: t(TEXTS.open),
    open: (row) => void showLayer(shell, within(row).reduce((best, of) => ((total(of) ?? 0) > (total(best) ?? 0) ? of : best)).at),
  });
}
