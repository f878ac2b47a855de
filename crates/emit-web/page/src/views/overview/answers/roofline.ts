// Kernels under the chip's roofs: the chart where operations are known, and what holds each kernel back.
import { BOUNDS } from "../../../ui/bounds";
import { h, svg } from "../../../ui/dom";
import { alignedDuration, percent } from "../../../ui/format";
import { type Text, t } from "../../../ui/i18n";
import { chartPicture, pictureButtons } from "../../../ui/picture";
import { type Column, table } from "../../../ui/table";
import { findState } from "../../find/filter";
import type { Shell } from "../../view";
import type { Answers, Roofline } from "../../../data/generated";

const TEXTS = {
  title: ["Roofline of a core", "单核 Roofline"],
  noOps: ["There is no chart, because the operations of the kernels are not known: the dump does not have the full bits of TIU commands.", "没有核函数的运算量信息，因此没有图：转储缺少 TIU 指令的完整指令内容。"],
  x: ["operations per byte of DDR traffic", "每字节 DDR 流量的运算数"],
  y: ["TOPS", "TOPS"],
  kernel: ["Kernel or layer", "核函数或层"],
  whole: ["whole run", "整次运行"],
  time: ["Time", "时间"],
  coreTime: ["Core time", "核时间"],
  coreTimeHint: ["Summed over the cores: of a run on two cores twice its wall time", "各核之和：双核运行为总时间的两倍"],
  bound: ["Bound by", "受限于"],
  roof: ["Share of the roof", "达到上限"],
  roofHint: ["Ideal time at the nearest roof / measured time", "最近上限下的理想时间 ÷ 实际时间"],
  past: ["More operations or bytes were counted than the time allows", "统计到的运算或字节多于该时间内可能完成的数量"],
  dots: ["Each dot is a kernel or a layer; its area shows its time. The dot in the text colour is the whole run. Point at a dot to see its numbers.", "一个圆点是一个核函数或一层，面积表示其时间；与文字同色的点是整次运行。指向圆点可查看数值。"],
  list: ["List its commands", "列出其指令"],
} satisfies Record<string, Text>;

export function rooflinePanel(shell: Shell, { roofline }: Answers): HTMLElement {
  const rows = [roofline.overall, ...roofline.kernels, ...roofline.layers];
  const layers = new Set(roofline.layers);
  const name = (r: Roofline): string => r.kernel || t(TEXTS.whole);
  const isOfCores = shell.page.tracks.filter(({ kind }) => kind === "tiu").length > 1;
  const columns: Column<Roofline>[] = [
    { key: "kernel", title: t(TEXTS.kernel), value: name, mark: () => "name", cell: (r) => h(r.kernel ? "span" : "b", { title: name(r) }, name(r)) },
    { key: "time", title: t(isOfCores ? TEXTS.coreTime : TEXTS.time), hint: isOfCores ? t(TEXTS.coreTimeHint) : undefined, num: true, value: (r) => r.ns, time: (r) => r.ns },
    { key: "bound", title: t(TEXTS.bound), value: (r) => t(BOUNDS[r.bound]) },
    { key: "roof", title: t(TEXTS.roof), hint: t(TEXTS.roofHint), num: true, value: (r) => r.roof ?? -1, cell: roofCell },
    { key: "tops", title: "TOPS", num: true, value: (r) => r.tops ?? -1, cell: (r) => r.tops?.toFixed(3) ?? "–" },
    { key: "ddr", title: "DDR GB/s", num: true, value: (r) => r.ddr_gbps, cell: (r) => r.ddr_gbps.toFixed(1) },
    { key: "l2", title: "L2M GB/s", num: true, value: (r) => r.l2m_gbps, cell: (r) => r.l2m_gbps.toFixed(1) },
  ];
  const points = rows.flatMap((r) => (r.ddr_intensity && r.tops ? { ...r, intensity: r.ddr_intensity, rate: r.tops } : []));
  const graph = points.length > 0 && chart(points, roofline.hardware, name);
  return h("section", { class: "panel", id: "roofline" }, h("h2", null, t(TEXTS.title), graph && pictureButtons(`${shell.page.head.source}-roofline`, () => chartPicture(graph))),
    points.length > 0 ? h("div", null, graph, h("p", { class: "key muted" }, t(TEXTS.dots))) : h("p", { class: "muted" }, t(TEXTS.noOps)),
    table({
      id: "roofs", label: t(TEXTS.title), columns, rows, most: 10, sort: { key: "time", down: true }, openHint: t(TEXTS.list),
      open: (r) => shell.find(findState(layers.has(r) ? { q: `layer:${wordOf(shell, r.kernel)}` } : { kernel: r.kernel })),
    }));
}

/** A word that finds the layer of a label: its id, since labels may have blanks. */
function wordOf({ page }: Shell, label: string): string {
  const layer = page.head.layers.find((of) => page.text(of.label) === label);
  return layer ? `#${layer.id}` : label;
}

/** Of implausible counts no share. */
function roofCell(r: Roofline): Node | string {
  return r.bound === "implausible" ? h("span", { title: t(TEXTS.past) }, "> 100%") : share(r);
}

/** Of the nearest roof; a dash where none is known. */
function share({ roof }: Roofline): string {
  return roof === null ? "–" : percent(roof);
}

const WIDTH = 620;
const HEIGHT = 300;
const LEFT = 48;
const BOTTOM = 36;
/** Radius of the least and of the longest kernel's dot. */
const DOT = { least: 2.5, most: 11 };

/** What has a place in the chart: operations a byte, and tera-operations a second. */
interface Point extends Roofline {
  intensity: number;
  rate: number;
}

function chart(points: Point[], hardware: Answers["roofline"]["hardware"], name: (r: Roofline) => string): SVGElement {
  const peaks = distinctPeaks(hardware.peak_tops);
  const highest = Math.max(...peaks.map((p) => p.tops), ...points.map((p) => p.rate), 1e-6);
  const lowest = Math.min(...points.map((p) => p.rate), highest / 100);
  const ddr = hardware.ddr_gbps;
  const ridge = ddr ? (highest * 1000) / ddr : 1;
  const intensities = [...points.map((p) => p.intensity), ridge];
  const x = scale(Math.min(...intensities) / 2, Math.max(...intensities) * 4, LEFT, WIDTH - 8);
  const y = scale(lowest / 2, highest * 2, HEIGHT - BOTTOM, 8);
  const text = (at: number, to: number, words: string, anchor = "middle"): SVGElement =>
    svg("text", { x: at, y: to, "text-anchor": anchor, "font-size": 11, fill: "var(--muted)" }, words);
  const line = (x1: number, y1: number, x2: number, y2: number, stroke: string, dash = ""): SVGElement => svg("line", { x1, y1, x2, y2, stroke, "stroke-dasharray": dash || null });
  const marks: SVGElement[] = [];
  for (const n of powers(x.low, x.high)) marks.push(line(x.at(n), 8, x.at(n), HEIGHT - BOTTOM, "var(--line)"), text(x.at(n), HEIGHT - BOTTOM + 14, String(n)));
  for (const n of powers(y.low, y.high)) marks.push(line(LEFT, y.at(n), WIDTH - 8, y.at(n), "var(--line)"), text(LEFT - 5, y.at(n) + 4, String(n), "end"));
  for (const peak of peaks) {
    const from = ddr ? Math.max((peak.tops * 1000) / ddr, x.low) : x.low;
    marks.push(line(x.at(Math.min(from, x.high)), y.at(peak.tops), WIDTH - 8, y.at(peak.tops), "var(--tiu)"), text(WIDTH - 10, y.at(peak.tops) - 4, peak.types, "end"));
  }
  if (ddr) {
    const from = Math.max(x.low, (y.low * 1000) / ddr);
    // The name is at the middle, above the roof: dots are below it.
    const middle = Math.sqrt(from * ridge);
    marks.push(line(x.at(from), y.at((from * ddr) / 1000), x.at(ridge), y.at(highest), "var(--gdma)"),
      text(x.at(middle) - 8, y.at((middle * ddr) / 1000) - 6, `DDR ${ddr} GB/s`, "end"));
  }
  // Small dots lie on large ones, so that each can be pointed at.
  const longest = Math.max(...points.filter((p) => p.kernel).map((p) => p.ns), 1);
  const radius = (p: Point): number => (p.kernel ? Math.max(DOT.least, DOT.most * Math.sqrt(p.ns / longest)) : 4);
  for (const p of [...points].sort((a, b) => radius(b) - radius(a))) {
    marks.push(svg("circle", { cx: x.at(p.intensity), cy: y.at(p.rate), r: radius(p), fill: p.kernel ? "var(--accent)" : "var(--text)", "fill-opacity": p.kernel ? 0.6 : 1, "data-kernel": p.kernel },
      svg("title", null, dotTitle(p, name(p)))));
  }
  marks.push(...dotNames(points.map((p) => ({ x: x.at(p.intensity), y: y.at(p.rate), radius: radius(p), name: name(p), ns: p.ns }))));
  marks.push(text((LEFT + WIDTH) / 2, HEIGHT - 6, t(TEXTS.x)), svg("text", { x: 12, y: HEIGHT / 2, "font-size": 11, fill: "var(--muted)", transform: `rotate(-90 12 ${HEIGHT / 2})`, "text-anchor": "middle" }, t(TEXTS.y)));
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "roof-chart", role: "img", "aria-label": t(TEXTS.title) }, ...marks);
}

interface Dot {
  x: number;
  y: number;
  radius: number;
  name: string;
  ns: number;
}

/** Names next to the dots, those of the longest first; one that would lie on another name or dot is left out. */
function dotNames(dots: Dot[]): SVGElement[] {
  const taken = dots.map((d) => ({ left: d.x - d.radius, right: d.x + d.radius, top: d.y - d.radius, bottom: d.y + d.radius }));
  const names: SVGElement[] = [];
  for (const dot of [...dots].sort((a, b) => b.ns - a.ns)) {
    const words = dot.name.length > LONGEST ? `${dot.name.slice(0, LONGEST - 1)}…` : dot.name;
    const wide = words.length * 5.6 + 4;
    const places = [dot.x + dot.radius + 3, dot.x - dot.radius - 3 - wide].flatMap((left) => [0, 10, -10].map((off) => ({ left, right: left + wide, top: dot.y - 6 + off, bottom: dot.y + 6 + off })));
    const place = places.find((p) => p.left > LEFT && p.right < WIDTH - 6 && p.top > 8 && p.bottom < HEIGHT - BOTTOM && !taken.some((o) => p.left < o.right && o.left < p.right && p.top < o.bottom && o.top < p.bottom));
    if (!place) continue;
    taken.push(place);
    names.push(svg("text", { x: place.left, y: place.bottom - 2.5, "font-size": 10, fill: "var(--text)", class: "dot-name" }, words));
  }
  return names;
}

const LONGEST = 24;

function dotTitle(p: Point, name: string): string {
  const reached = p.bound === "implausible" ? "> 100%" : share(p);
  const bound = t(BOUNDS[p.bound]);
  return `${name}: ${alignedDuration(p.ns)}, ${p.intensity.toFixed(2)} op/B, ${p.rate.toFixed(3)} TOPS, ${t(TEXTS.bound)} ${bound}, ${t(TEXTS.roof)} ${reached}`;
}

/** Peaks with the types that have them, greatest first. */
function distinctPeaks(peaks: Record<string, number>): { tops: number; types: string }[] {
  const types = new Map<number, string[]>();
  for (const [type, tops] of Object.entries(peaks)) if (tops > 0) types.set(tops, [...(types.get(tops) ?? []), type]);
  return [...types].sort((a, b) => b[0] - a[0]).map(([tops, names]) => ({ tops, types: names.join(", ") }));
}

function scale(low: number, high: number, from: number, to: number): { low: number; high: number; at(n: number): number } {
  return { low, high, at: (n) => from + (Math.log(n / low) / Math.log(high / low)) * (to - from) };
}

function powers(low: number, high: number): number[] {
  const first = Math.ceil(Math.log10(low));
  return Array.from({ length: Math.max(Math.floor(Math.log10(high)) - first + 1, 0) }, (_, i) => Number(`1e${first + i}`));
}
