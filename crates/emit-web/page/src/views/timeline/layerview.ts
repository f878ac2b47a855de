// The panel of a layer: its engines, what it costs, and its commands.
import { h, put } from "../../ui/dom";
import { bytes, columnDuration, count, duration, gbps, percent } from "../../ui/format";
import { t } from "../../ui/i18n";
import { type Column, table } from "../../ui/table";
import type { SliceRef } from "../view";
import { moment } from "./axis";
import { type LayerCommand, type LayerUnit, layerUnit } from "./layerdata";
import type { Scene } from "./scene";
import { type Fact, trackName } from "./slicefacts";
import { LAUNCH, LAYER, STATS } from "./texts";
import { list } from "./tooltip";

/** Fills the room with a layer's engines and commands. */
export async function showLayer(scene: Scene, slice: SliceRef, room: HTMLElement, goTo: (slice: SliceRef) => void): Promise<void> {
  const at = (await scene.data[slice.track]!.loadFacts()).layer![slice.row]!;
  const unit = await layerUnit(scene.page, at);
  if (!scene.isSelected(slice)) return;
  put(room, list(costs(scene, unit), "layer-cost"), engineTable(unit), commandTable(scene, unit, goTo));
}

/** What the layer costs. */
function costs(scene: Scene, unit: LayerUnit): Fact[] {
  const { totalNs } = scene.page.head;
  const facts: Fact[] = [];
  if (!Number.isNaN(unit.path)) facts.push([t(LAYER.path), `${duration(unit.path)} (${percent(unit.path / Math.max(totalNs, 1), 1)})`]);
  if (!Number.isNaN(unit.slack)) facts.push([t(LAYER.slack), duration(unit.slack)]);
  if (unit.expected > 0) facts.push([t(LAYER.expected), `${duration(unit.expected)} → ${duration(unit.measured)} (×${(unit.measured / unit.expected).toFixed(2)})`]);
  const sum = (of: (engine: LayerUnit["engines"][number]) => number): number => unit.engines.reduce((n, engine) => n + of(engine), 0);
  for (const [label, moved] of [[LAYER.ddr, sum(({ sums }) => sums.ddr)], [LAYER.l2, sum(({ sums }) => sums.l2)], [LAYER.local, sum(({ other }) => other)]] as const) {
    if (moved > 0) facts.push([t(label), bytes(moved)]);
  }
  return facts;
}

function engineTable({ engines }: LayerUnit): HTMLElement {
  const head = [LAUNCH.engine, STATS.count, STATS.busy, STATS.waits, STATS.bytes, LAUNCH.ddr, LAUNCH.l2, STATS.rate];
  const some = (value: number, show: (n: number) => string): string => (value > 0 ? show(value) : "");
  const busy = columnDuration(engines.map(({ sums: s }) => s.busy));
  return h("table", { id: "layer-engines" }, h("caption", null, t(LAYER.engines)),
    h("thead", null, h("tr", null, ...head.map((title, i) => h("th", { class: i > 0 ? "num" : "" }, t(title))))),
    h("tbody", null, ...engines.map(({ track, sums: s }) => h("tr", null, ...[
      trackName(track), count(s.count), busy(s.busy), some(s.waits, duration), some(s.bytes, bytes),
      some(s.ddr / Math.max(s.busy, 1), gbps), some(s.l2 / Math.max(s.busy, 1), gbps), some(s.alg / Math.max(s.uarch, 1), (rate) => percent(rate, 2)),
    ].map((text, i) => h("td", { class: i > 0 ? "num" : "" }, text))))));
}

function commandTable(scene: Scene, { commands }: LayerUnit, goTo: (slice: SliceRef) => void): HTMLElement {
  const { page } = scene;
  const hex = (n: number): string => (Number.isNaN(n) ? "" : `0x${n.toString(16)}`);
  const columns: Column<LayerCommand>[] = [
    { key: "start", title: t(LAYER.start), num: true, value: (c) => c.start, cell: (c) => moment(c.start) },
    { key: "engine", title: t(LAUNCH.engine), value: (c) => trackName(scene.track(c.slice.track)) },
    { key: "row", title: "Global Idx", num: true, value: (c) => c.slice.row },
    { key: "name", title: t(STATS.function), value: (c) => page.nameText(c.name) },
    { key: "ns", title: t(LAYER.duration), num: true, value: (c) => c.ns, time: (c) => c.ns },
    { key: "expected", title: t(LAYER.expectedShort), num: true, value: (c) => c.expected, time: (c) => (Number.isNaN(c.expected) ? null : c.expected) },
    { key: "path", title: t(LAYER.onPath), value: (c) => (c.onPath ? "●" : "") },
    { key: "bytes", title: t(STATS.bytes), num: true, value: (c) => c.bytes, cell: (c) => (c.bytes > 0 ? bytes(c.bytes) : "") },
    { key: "src", title: t(LAYER.source), num: true, value: (c) => c.src, cell: (c) => hex(c.src) },
    { key: "dst", title: t(LAYER.destination), num: true, value: (c) => c.dst, cell: (c) => hex(c.dst) },
  ];
  return h("div", null, h("p", { class: "muted" }, t(LAYER.commands, count(commands.length))),
    table({ id: "layer-commands", label: t(LAYER.commandsTitle), columns, rows: commands, most: 12, sort: { key: "start", down: false }, open: (c) => goTo(c.slice) }));
}
