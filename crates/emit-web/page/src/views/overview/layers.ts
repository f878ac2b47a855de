// The layers of a static model that took most time, with what their commands did.
import type { Page } from "../../data/page";
import { stack } from "../../ui/bars";
import { h, put } from "../../ui/dom";
import { bytes, count, gbps, percent } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import { type Column, table } from "../../ui/table";
import type { Shell, SliceRef } from "../view";

const TEXTS = {
  title: ["Layers", "层"],
  reading: ["Reading …", "读取中…"],
  note: ["Click a row to show the longest part of the layer in the timeline. Times are sums over all cores; layers can overlap.", "点击一行可在时间线中查看该层最长的一段。时间为各核之和；层之间可能重叠。"],
  open: ["Show the longest part in the timeline", "在时间线中显示最长的一段"],
  layer: ["Layer", "层"],
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

interface LayerTotals {
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
  void layerTotals(page).then((rows) => put(room, layerTable(shell, rows)));
  return h("section", { class: "panel wide" }, h("h2", null, t(TEXTS.title)), room, h("p", { class: "key muted" }, t(TEXTS.note)));
}

function layerTable(shell: Shell, rows: LayerTotals[]): HTMLElement {
  const { page } = shell;
  const all = rows.reduce((sum, row) => sum + row.total, 0);
  const name = (row: LayerTotals): string => page.text(page.head.layers[row.layer]?.name ?? -1);
  const share = (row: LayerTotals): number => row.total / Math.max(all, 1);
  const intensity = (row: LayerTotals): number => (row.bytes > 0 ? row.ops / row.bytes : 0);
  const columns: Column<LayerTotals>[] = [
    { key: "layer", title: t(TEXTS.layer), value: name, mark: () => "name", cell: (row) => h("span", { title: name(row) }, name(row)) },
    { key: "id", title: t(TEXTS.id), num: true, value: (row) => page.head.layers[row.layer]?.id ?? row.layer },
    { key: "share", title: t(TEXTS.share), hint: t(TEXTS.shareHint), num: true, value: share, mark: () => "share", cell: (row) => h("div", { class: "share-cell" }, stack([{ share: share(row), color: "var(--accent)", title: percent(share(row)) }], percent(share(row))), percent(share(row))) },
    { key: "total", title: t(TEXTS.total), num: true, value: (row) => row.total, time: (row) => row.total },
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
