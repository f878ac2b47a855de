// The panel of a pinned launch of a kernel: its engines, and how long the same kernel took on other launches and cores.
import { h, put, svg } from "../../ui/dom";
import { bytes, columnDuration, count, duration, gbps, percent } from "../../ui/format";
import { t } from "../../ui/i18n";
import { chartPicture, pictureButtons } from "../../ui/picture";
import type { SliceRef } from "../view";
import { type EngineShare, type LaunchTimes, enginesOf, quantile, sameKernel } from "./launchdata";
import type { Scene } from "./scene";
import { trackName } from "./slicefacts";
import { LAUNCH, STATS } from "./texts";

/** Fills the room; a click on a mark of the chart goes to that launch. */
export async function showLaunch(scene: Scene, slice: SliceRef, room: HTMLElement, goTo: (slice: SliceRef) => void): Promise<void> {
  const range = await scene.sliceRange(slice);
  const [engines, all] = await Promise.all([enginesOf(scene, slice, range), sameKernel(scene, slice)]);
  if (!scene.isSelected(slice)) return;
  const ns = range.end - range.start;
  put(room, engineTable(engines, ns), distribution(all, slice, ns, goTo));
}

function engineTable(engines: EngineShare[], ns: number): HTMLElement | null {
  if (engines.length === 0) return null;
  const head = [LAUNCH.engine, STATS.count, STATS.busy, LAUNCH.ofLaunch, STATS.waits, STATS.bytes, LAUNCH.ddr, LAUNCH.l2, STATS.rate];
  const some = (value: number, show: (n: number) => string): string => (value > 0 ? show(value) : "");
  const busy = columnDuration(engines.map(({ sums: s }) => s.busy));
  const waits = columnDuration(engines.map(({ sums: s }) => s.waits));
  return h("table", { id: "launch-engines" }, h("caption", null, t(LAUNCH.engines)),
    h("thead", null, h("tr", null, ...head.map((title, i) => h("th", { class: i > 0 ? "num" : "" }, t(title))))),
    h("tbody", null, ...engines.map(({ track, sums: s }) => h("tr", null, ...[
      track.engine, count(s.count), busy(s.busy), percent(s.busy / Math.max(ns, 1)), some(s.waits, waits), some(s.bytes, (n) => bytes(Math.round(n))),
      some(s.ddr / Math.max(s.busy, 1), gbps), some(s.l2 / Math.max(s.busy, 1), gbps), some(s.alg / Math.max(s.uarch, 1), (rate) => percent(rate, 2)),
    ].map((text, i) => h("td", { class: i > 0 ? "num" : "" }, text))))));
}

const WIDTH = 560;
const LEFT = 72;
const ROW = 16;

function distribution(all: LaunchTimes[], slice: SliceRef, own: number, goTo: (slice: SliceRef) => void): HTMLElement {
  const sorted = all.flatMap(({ ns }) => ns).sort((a, b) => a - b);
  const [least, most] = [sorted[0] ?? 0, sorted.at(-1) ?? 1];
  // From 0 on, so that lengths can be compared.
  const x = (ns: number): number => LEFT + (ns / Math.max(most, 1)) * (WIDTH - LEFT - 8);
  const slower = sorted.filter((ns) => ns > own).length;
  const words = t(LAUNCH.distribution, count(sorted.length), all.length);
  const facts = [[LAUNCH.least, least], [LAUNCH.median, quantile(sorted, 0.5)], [LAUNCH.p95, quantile(sorted, 0.95)], [LAUNCH.most, most]] as const;
  const height = all.length * ROW + 20;
  const chart = svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, class: "launch-chart", role: "img", "aria-label": words },
    ...all.flatMap((launches, at) => row(launches, at, slice, x, goTo)),
    text(LEFT, height - 4, "0", "start"), text(WIDTH - 8, height - 4, duration(most), "end"));
  return h("div", { id: "launch-distribution", "data-launches": sorted.length, "data-slower": slower },
    h("p", null, pictureButtons("launches", () => chartPicture(chart)), words, " ", h("span", { class: "muted" }, `${facts.map(([name, ns]) => `${t(name)} ${duration(ns)}`).join(" · ")} · ${t(LAUNCH.slower, count(slower))}`)), chart);
}

/** A core's launches: of those within a pixel one mark. */
function row({ track, rows, ns }: LaunchTimes, at: number, slice: SliceRef, x: (ns: number) => number, goTo: (slice: SliceRef) => void): SVGElement[] {
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
