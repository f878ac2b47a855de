// The layers of a static model that took most time, with what their commands did.
import type { Page } from "../../data/page";
import { stack } from "../../ui/bars";
import { cut } from "../../ui/cut";
import { h, put } from "../../ui/dom";
import { bytes, count, gbps, percent } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import { type Column, table } from "../../ui/table";
import type { Shell, SliceRef } from "../view";
import { layerTree } from "./layertree";

const TEXTS = {
  title: ["Layers", "层"],
  reading: ["Reading …", "读取中…"],
  note: ["Click a row to select the layer in the timeline: its panel lists engines, costs and commands. Times are sums over all cores; layers can overlap.", "点击一行可在时间线中选中该层，其面板列出引擎、代价和指令。时间为各核之和；层之间可能重叠。"],
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
  number: ["Layers", "层数"],
  path: ["On the critical path", "在关键路径上"],
  id: ["Id", "编号"],
  total: ["Total", "总计"],
  share: ["Share", "占比"],
  shareHint: ["Of the sum of all layers' totals", "占全部层总时间的比例"],
  cores: ["Cores", "核数"],
  tiu: ["TIU busy", "TIU 忙碌"],
  dma: ["DMA busy", "DMA 忙碌"],
  rate: ["uArch rate", "uArch 利用率"],
  rateHint: ["Requested operations / operations after padding, as in the summary", "算法运算 ÷ 补齐后的运算，与 summary 一致"],
  ops: ["Alg Ops", "Alg Ops"],
  moved: ["Bytes", "字节"],
  bandwidth: ["Bandwidth", "带宽"],
  bandwidthHint: ["Bytes over the time in which DMA engines moved them", "字节 ÷ DMA 搬运时间"],
  intensity: ["Ops / byte", "运算/字节"],
  intensityHint: ["Operations per moved byte; layers with low values are limited by memory", "每搬运一字节的运算数：值低则受内存限制"],
  commands: ["Commands", "指令"],
} satisfies Record<string, Text>;

export interface LayerTotals {
  layer: number;
  total: number;
  longest: number;
  slice: SliceRef;
  cores: Set<number>;
  tiuNs: number;
  dmaNs: number;
  ops: number;
  /** After padding. */
  uarch: number;
  bytes: number;
  commands: number;
}

/** Sums by layer: stretches from the layers' own tracks, work from the engines' commands. */
export async function layerTotals(page: Page): Promise<LayerTotals[]> {
  const totals = new Map<number, LayerTotals>();
  const of = (layer: number, slice: SliceRef): LayerTotals => {
    let found = totals.get(layer);
    if (!found) totals.set(layer, (found = { layer, total: 0, longest: -1, slice, cores: new Set(), tiuNs: 0, dmaNs: 0, ops: 0, uarch: 0, bytes: 0, commands: 0 }));
    return found;
  };
  for (const track of page.tracks.filter((x) => x.head.events > 0 && (x.kind === "layer" || x.isEngine))) {
    const { layer, alg, uarch, bytes: moved } = await track.facts();
    if (!layer) continue;
    const { dur, name } = await track.loadTimes();
    dur.forEach((ns, row) => {
      if (layer[row]! < 0) return;
      const slice = { track: track.index, row };
      const sum = of(layer[row]!, slice);
      if (track.kind === "layer") {
        sum.total += ns;
        sum.cores.add(track.head.core);
        if (ns > sum.longest) Object.assign(sum, { longest: ns, slice });
        return;
      }
      sum.commands++;
      if (page.name(name[row]!).role !== "work") return;
      if (track.kind === "tiu") {
        sum.tiuNs += ns;
        sum.ops += alg?.[row] ?? 0;
        sum.uarch += uarch?.[row] ?? 0;
      } else {
        sum.dmaNs += ns;
        sum.bytes += moved?.[row] ?? 0;
      }
    });
  }
  return [...totals.values()].filter((sum) => sum.longest >= 0);
}

/** Nothing where the dump folder describes no layers. */
export function layersPanel(shell: Shell): HTMLElement | false {
  const { page } = shell;
  if (page.head.layers.length === 0) return false;
  const room = h("div", null, h("p", { class: "muted" }, t(TEXTS.reading)));
  const hasBlocks = page.head.layers.some((layer) => page.text(layer.block) !== "");
  const totals = layerTotals(page);
  const views = [["byLayer", layerTable], ...(hasBlocks ? [["byBlock", blockTable] as const] : []), ["asTree", (of: Shell, rows: LayerTotals[]) => layerTree(of, rows, pathByLayer(page))]] as const;
  const buttons = views.map(([key, make]) => {
    const button: HTMLButtonElement = h("button", { class: "tl-chip", id: `layers-${key}`, "aria-pressed": String(key === "byLayer"), onclick: () => {
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      void totals.then((rows) => put(room, make(shell, rows)));
    } }, t(TEXTS[key]));
    return button;
  });
  void totals.then((rows) => put(room, layerTable(shell, rows)));
  return h("section", { class: "panel wide", id: "layers-panel" }, h("h2", null, t(TEXTS.title), " ", h("span", { class: "tl-chips" }, ...buttons)), room, h("p", { class: "key muted" }, t(TEXTS.note)));
}

function layerTable(shell: Shell, rows: LayerTotals[]): HTMLElement {
  const { page } = shell;
  const all = rows.reduce((sum, row) => sum + row.total, 0);
  const head = (row: LayerTotals) => page.head.layers[row.layer];
  const name = (row: LayerTotals): string => page.text(head(row)?.label ?? -1);
  const result = (row: LayerTotals): string => (head(row)?.writes ?? []).map((text) => page.text(text)).join("; ");
  /** Its shape and type without its name, which is the layer's. */
  const shape = (row: LayerTotals): string => result(row).split("; ").map((text) => text.split(" ").slice(-2).join(" ")).join("; ");
  const path = pathByLayer(page);
  const isKnown = (text: (row: LayerTotals) => unknown) => rows.some((row) => text(row) !== "" && text(row) !== undefined && text(row) !== null);
  const share = (row: LayerTotals): number => row.total / Math.max(all, 1);
  const intensity = (row: LayerTotals): number => (row.bytes > 0 ? row.ops / row.bytes : 0);
  const columns: Column<LayerTotals>[] = [
    { key: "layer", title: t(TEXTS.layer), value: name, mark: () => "name", cell: (row) => cut(name(row)) },
    { key: "operation", title: t(TEXTS.operation), value: (row) => page.text(head(row)?.name ?? -1) },
    ...(isKnown(result) ? [{ key: "result", title: t(TEXTS.shape), value: shape, cell: (row: LayerTotals) => h("span", { title: result(row) }, shape(row)) }] : []),
    { key: "id", title: t(TEXTS.id), num: true, value: (row) => head(row)?.id ?? row.layer },
    ...(isKnown((row) => head(row)?.line) ? [{ key: "line", title: t(TEXTS.line), hint: t(TEXTS.lineHint), num: true, value: (row: LayerTotals) => head(row)?.line ?? 0 }] : []),
    { key: "share", title: t(TEXTS.share), hint: t(TEXTS.shareHint), num: true, value: share, mark: () => "share", cell: (row) => h("div", { class: "share-cell" }, stack([{ share: share(row), color: "var(--accent)", title: percent(share(row)) }], percent(share(row))), percent(share(row))) },
    { key: "total", title: t(TEXTS.total), num: true, value: (row) => row.total, time: (row) => row.total },
    { key: "path", title: t(TEXTS.path), num: true, value: (row) => path.get(head(row)?.id ?? 0) ?? 0, time: (row) => path.get(head(row)?.id ?? 0) ?? null },
    { key: "cores", title: t(TEXTS.cores), num: true, value: (row) => row.cores.size },
    { key: "tiu", title: t(TEXTS.tiu), num: true, value: (row) => row.tiuNs, time: (row) => row.tiuNs },
    { key: "dma", title: t(TEXTS.dma), num: true, value: (row) => row.dmaNs, time: (row) => row.dmaNs },
    { key: "rate", title: t(TEXTS.rate), hint: t(TEXTS.rateHint), num: true, value: (row) => row.ops / Math.max(row.uarch, 1), cell: (row) => (row.ops > 0 ? percent(row.ops / Math.max(row.uarch, 1)) : "–") },
    { key: "ops", title: t(TEXTS.ops), num: true, value: (row) => row.ops, cell: (row) => count(row.ops) },
    { key: "bytes", title: t(TEXTS.moved), num: true, value: (row) => row.bytes, cell: (row) => bytes(row.bytes) },
    { key: "gbps", title: t(TEXTS.bandwidth), hint: t(TEXTS.bandwidthHint), num: true, value: (row) => row.bytes / Math.max(row.dmaNs, 1), cell: (row) => gbps(row.bytes / Math.max(row.dmaNs, 1)) },
    { key: "intensity", title: t(TEXTS.intensity), hint: t(TEXTS.intensityHint), num: true, value: intensity, cell: (row) => (row.bytes > 0 ? intensity(row).toFixed(1) : "–") },
    { key: "commands", title: t(TEXTS.commands), num: true, value: (row) => row.commands, cell: (row) => count(row.commands) },
  ];
  return table({
    id: "layers", label: t(TEXTS.title), columns, rows, most: 15, sort: { key: "total", down: true }, openHint: t(TEXTS.open),
    open: (row) => shell.showSlice(row.slice),
  });
}

/** By id of a layer the ns of the critical path in it. */
function pathByLayer(page: Page): Map<number, number> {
  const sums = new Map<number, number>();
  for (const { layer_id: id, ns } of page.head.answers.critical_path.pieces) if (id !== undefined && id !== null) sums.set(id, (sums.get(id) ?? 0) + ns);
  return sums;
}

interface BlockTotals {
  block: string;
  layers: LayerTotals[];
  total: number;
  path: number;
  tiuNs: number;
  dmaNs: number;
  bytes: number;
}

/** Layers summed by the block that they belong to. */
function blockTable(shell: Shell, rows: LayerTotals[]): HTMLElement {
  const { page } = shell;
  const path = pathByLayer(page);
  const blocks = new Map<string, BlockTotals>();
  for (const row of rows) {
    const layer = page.head.layers[row.layer];
    const block = page.text(layer?.block ?? -1);
    let sum = blocks.get(block);
    if (!sum) blocks.set(block, (sum = { block, layers: [], total: 0, path: 0, tiuNs: 0, dmaNs: 0, bytes: 0 }));
    sum.layers.push(row);
    sum.total += row.total;
    sum.path += path.get(layer?.id ?? 0) ?? 0;
    sum.tiuNs += row.tiuNs;
    sum.dmaNs += row.dmaNs;
    sum.bytes += row.bytes;
  }
  const columns: Column<BlockTotals>[] = [
    { key: "block", title: t(TEXTS.block), hint: t(TEXTS.blockHint), value: (row) => row.block || "–", mark: () => "name" },
    { key: "number", title: t(TEXTS.number), num: true, value: (row) => row.layers.length, cell: (row) => h("span", { title: row.layers.map((of) => page.layerLabel(of.layer)).join("\n") }, count(row.layers.length)) },
    { key: "total", title: t(TEXTS.total), num: true, value: (row) => row.total, time: (row) => row.total },
    { key: "path", title: t(TEXTS.path), num: true, value: (row) => row.path, time: (row) => row.path },
    { key: "tiu", title: t(TEXTS.tiu), num: true, value: (row) => row.tiuNs, time: (row) => row.tiuNs },
    { key: "dma", title: t(TEXTS.dma), num: true, value: (row) => row.dmaNs, time: (row) => row.dmaNs },
    { key: "bytes", title: t(TEXTS.moved), num: true, value: (row) => row.bytes, cell: (row) => bytes(row.bytes) },
  ];
  return table({
    id: "blocks", label: t(TEXTS.title), columns, rows: [...blocks.values()], most: 15, sort: { key: "total", down: true }, openHint: t(TEXTS.open),
    open: (row) => shell.showSlice(row.layers.reduce((best, of) => (of.longest > best.longest ? of : best)).slice),
  });
}
