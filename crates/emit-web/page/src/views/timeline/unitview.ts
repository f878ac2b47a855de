// The panel of a unit of work, which is a launch of a kernel, a layer, a block or a step: its engines, what it costs, what it reads and
// writes, its commands, and how long its like took.
import type { Bound } from "../../data/generated";
import { BOUNDS } from "../../ui/bounds";
import { h, put, svg } from "../../ui/dom";
import { bytes, columnDuration, count, duration, gbps, percent } from "../../ui/format";
import { t } from "../../ui/i18n";
import { chartPicture, pictureButtons } from "../../ui/picture";
import { type Column, table } from "../../ui/table";
import type { SliceRef } from "../view";
import { moment } from "./axis";
import type { Scene } from "./scene";
import { type Fact, trackName } from "./slicefacts";
import { STATS, UNIT } from "./texts";
import { list } from "./tooltip";
import { type TrackTimes, type Unit, type UnitCommand, layersOf, quantile, sameUnits, unitOf } from "./unitdata";

type GoTo = (slice: SliceRef) => void;

/** Fills the room. */
export async function showUnit(scene: Scene, slice: SliceRef, room: HTMLElement, goTo: GoTo): Promise<void> {
  const { page } = scene;
  const range = await scene.sliceRange(slice);
  const [unit, all, tensors] = await Promise.all([unitOf(page, slice, range), sameUnits(page, slice), tensorsOf(scene, slice)]);
  if (!scene.isSelected(slice)) return;
  const own = range.end - range.start;
  const ns = isOfAllRuns(scene, slice) ? all.reduce((sum, { ns: of }) => sum + of.reduce((a, b) => a + b, 0), 0) : own;
  const runs = all.reduce((sum, { rows }) => sum + rows.length, 0);
  put(room, list([...costs(scene, unit), ...(await roofFacts(scene, slice)), ...tensors], "unit-cost"), engineTable(unit, ns), runs > 1 && distribution(scene, all, slice, own, goTo), commandTable(scene, unit, goTo));
}

/** Whether the unit of a slice has the commands of all its runs. */
function isOfAllRuns(scene: Scene, slice: SliceRef): boolean {
  const { kind } = scene.track(slice.track);
  return kind === "layer" || kind === "block";
}

/** What the unit costs. */
function costs(scene: Scene, unit: Unit): Fact[] {
  const { totalNs } = scene.page.head;
  const facts: Fact[] = [];
  if (!Number.isNaN(unit.path)) facts.push([t(UNIT.path), `${duration(unit.path)} (${percent(unit.path / Math.max(totalNs, 1), 1)})`]);
  if (!Number.isNaN(unit.slack)) facts.push([t(UNIT.slack), duration(unit.slack)]);
  if (unit.expected > 0) facts.push([t(UNIT.expected), `${duration(unit.expected)} → ${duration(unit.measured)} (×${(unit.measured / unit.expected).toFixed(2)})`]);
  const sum = (of: (engine: Unit["engines"][number]) => number): number => unit.engines.reduce((n, engine) => n + of(engine), 0);
  for (const [label, moved] of [[UNIT.ddr, sum(({ sums }) => sums.ddr)], [UNIT.l2, sum(({ sums }) => sums.l2)], [UNIT.local, sum(({ other }) => other)]] as const) {
    if (moved > 0) facts.push([t(label), bytes(moved)]);
  }
  return facts;
}

/** What bounds a kernel or a layer, and how near it is to its roof. */
async function roofFacts(scene: Scene, { track, row }: SliceRef): Promise<Fact[]> {
  const { roofline } = scene.page.head.answers;
  const { kind } = scene.track(track);
  const all = kind === "kernel" ? roofline.kernels : kind === "layer" ? roofline.layers : [];
  const name = scene.page.nameText((await scene.track(track).loadTimes()).name[row]!);
  const found = all.find(({ kernel }) => kernel === name);
  if (!found || found.bound === "unknown") return [];
  const of = found.roof === null ? "" : ` (${t(UNIT.ofRoof, percent(found.roof))})`;
  return [[t(UNIT.bound), `${t(BOUNDS[found.bound as Bound])}${of}`]];
}

/** Of a block what its layers read from outside of it, and what it leaves; its lines. A layer's own are among its facts. */
async function tensorsOf(scene: Scene, slice: SliceRef): Promise<Fact[]> {
  if (scene.track(slice.track).kind !== "block") return [];
  const { page } = scene;
  const layers = [...(await layersOf(page, slice))].map((at) => page.head.layers[at]!);
  const writes = new Set(layers.flatMap((layer) => layer.writes));
  const reads = new Set(layers.flatMap((layer) => layer.reads));
  const texts = (all: Set<number>, inner: Set<number>) => [...all].filter((text) => !inner.has(text)).map((text) => page.text(text)).join("; ");
  const lines = layers.flatMap(({ line }) => line ?? []);
  const facts: Fact[] = [
    [t(UNIT.layers), count(layers.length)],
    [t(UNIT.reads), texts(reads, writes)],
    [t(UNIT.writes), texts(writes, reads)],
    [t(UNIT.lines), lines.length > 0 ? `final.mlir:${Math.min(...lines)}–${Math.max(...lines)}` : ""],
  ];
  return facts.filter(([, value]) => value !== "");
}

function engineTable({ engines }: Unit, ns: number): HTMLElement | null {
  if (engines.length === 0) return null;
  const head = [UNIT.engine, STATS.count, STATS.busy, UNIT.share, STATS.waits, STATS.bytes, UNIT.ddrRate, UNIT.l2Rate, STATS.rate];
  const some = (value: number, show: (n: number) => string): string => (value > 0 ? show(value) : "");
  const busy = columnDuration(engines.map(({ sums: s }) => s.busy));
  const waits = columnDuration(engines.map(({ sums: s }) => s.waits));
  return h("table", { id: "unit-engines" }, h("caption", null, t(UNIT.engines)),
    h("thead", null, h("tr", null, ...head.map((title, i) => h("th", { class: i > 0 ? "num" : "" }, t(title))))),
    h("tbody", null, ...engines.map(({ track, sums: s }) => h("tr", null, ...[
      trackName(track), count(s.count), busy(s.busy), percent(s.busy / Math.max(ns, 1)), some(s.waits, waits), some(s.bytes, bytes),
      some(s.ddr / Math.max(s.busy, 1), gbps), some(s.l2 / Math.max(s.busy, 1), gbps), some(s.alg / Math.max(s.uarch, 1), (rate) => percent(rate, 2)),
    ].map((text, i) => h("td", { class: i > 0 ? "num" : "" }, text))))));
}

function commandTable(scene: Scene, { commands, count: all }: Unit, goTo: GoTo): HTMLElement {
  const { page } = scene;
  const hex = (n: number): string => (Number.isNaN(n) ? "" : `0x${n.toString(16)}`);
  const columns: Column<UnitCommand>[] = [
    { key: "start", title: t(UNIT.start), num: true, value: (c) => c.start, cell: (c) => moment(c.start) },
    { key: "engine", title: t(UNIT.engine), value: (c) => trackName(scene.track(c.slice.track)) },
    { key: "row", title: "Global Idx", num: true, value: (c) => c.slice.row },
    { key: "name", title: t(STATS.function), value: (c) => page.nameText(c.name) },
    { key: "ns", title: t(UNIT.duration), num: true, value: (c) => c.ns, time: (c) => c.ns },
    { key: "expected", title: t(UNIT.expectedShort), num: true, value: (c) => c.expected, time: (c) => (Number.isNaN(c.expected) ? null : c.expected) },
    { key: "path", title: t(UNIT.onPath), value: (c) => (c.onPath ? "●" : "") },
    { key: "bytes", title: t(STATS.bytes), num: true, value: (c) => c.bytes, cell: (c) => (c.bytes > 0 ? bytes(c.bytes) : "") },
    { key: "src", title: t(UNIT.source), num: true, value: (c) => c.src, cell: (c) => hex(c.src) },
    { key: "dst", title: t(UNIT.destination), num: true, value: (c) => c.dst, cell: (c) => hex(c.dst) },
  ];
  return h("div", null, h("p", { class: "muted" }, t(UNIT.commands, count(all))),
    table({ id: "unit-commands", label: t(UNIT.commandsTitle), columns, rows: commands, total: all, most: 12, sort: { key: "start", down: false }, open: (c) => goTo(c.slice) }));
}

const WIDTH = 560;
const LEFT = 72;
const ROW = 16;

function distribution(scene: Scene, all: TrackTimes[], slice: SliceRef, own: number, goTo: GoTo): HTMLElement {
  const sorted = all.flatMap(({ ns }) => ns).sort((a, b) => a - b);
  const [least, most] = [sorted[0] ?? 0, sorted.at(-1) ?? 1];
  // From 0 on, so that lengths can be compared.
  const x = (ns: number): number => LEFT + (ns / Math.max(most, 1)) * (WIDTH - LEFT - 8);
  const slower = sorted.filter((ns) => ns > own).length;
  const { kind } = scene.track(slice.track);
  const words = t(kind === "kernel" ? UNIT.launches : kind === "step" ? UNIT.steps : UNIT.runs, count(sorted.length), all.length);
  const facts = [[UNIT.least, least], [UNIT.median, quantile(sorted, 0.5)], [UNIT.p95, quantile(sorted, 0.95)], [UNIT.most, most]] as const;
  const height = all.length * ROW + 20;
  const chart = svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, class: "unit-chart", role: "img", "aria-label": words },
    ...all.flatMap((times, at) => row(times, at, slice, x, goTo)),
    text(LEFT, height - 4, "0", "start"), text(WIDTH - 8, height - 4, duration(most), "end"));
  return h("div", { id: "unit-distribution", "data-units": sorted.length, "data-slower": slower },
    h("p", null, pictureButtons("units", () => chartPicture(chart)), words, " ", h("span", { class: "muted" }, `${facts.map(([name, ns]) => `${t(name)} ${duration(ns)}`).join(" · ")} · ${t(UNIT.slower, count(slower))}`)), chart);
}

/** What a track shows: of those within a pixel one mark. */
function row({ track, rows, ns }: TrackTimes, at: number, slice: SliceRef, x: (ns: number) => number, goTo: GoTo): SVGElement[] {
  const y = at * ROW + 2;
  const marks = new Map<number, { row: number; ns: number; more: number }>();
  rows.forEach((row, i) => {
    const place = Math.round(x(ns[i]!) * 2);
    const before = marks.get(place);
    const isOwn = track.index === slice.track && row === slice.row;
    if (!before || isOwn) marks.set(place, { row, ns: ns[i]!, more: (before?.more ?? -1) + 1 });
    else before.more++;
  });
  const sorted = [...marks].sort(([a], [b]) => a - b);
  return [
    text(LEFT - 8, y + 10, trackName(track).split(" · ")[0]!, "end"),
    svg("line", { x1: LEFT, y1: y + 13, x2: WIDTH - 8, y2: y + 13, stroke: "var(--line)" }),
    ...sorted.map(([place, mark]) => {
      const isOwn = track.index === slice.track && mark.row === slice.row;
      return svg("rect", {
        x: place / 2 - (isOwn ? 2 : 1.25), y, width: isOwn ? 4 : 2.5, height: 13, fill: isOwn ? "var(--accent)" : "var(--muted)", "fill-opacity": isOwn ? 1 : 0.6, class: isOwn ? "own" : "",
        onclick: () => goTo({ track: track.index, row: mark.row }),
      }, svg("title", null, `${trackName(track)} #${mark.row}: ${duration(mark.ns)}${mark.more > 0 ? ` (+${mark.more})` : ""}`));
    }),
  ];
}

function text(x: number, y: number, words: string, anchor: string): SVGElement {
  return svg("text", { x, y, "text-anchor": anchor, "font-size": 10.5, fill: "var(--muted)" }, words);
}
