// Which function types took an engine's time: over all cores as a ring with its numbers, per core as bars.
import type { TypeTotals } from "../../data/generated";
import type { Page, Track } from "../../data/page";
import { stack, swatch } from "../../ui/bars";
import { typeColors } from "../../ui/colors";
import { h, svg } from "../../ui/dom";
import { columnDuration, count, duration, percent } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import { chartPicture, pictureButtons } from "../../ui/picture";
import { findState } from "../find/filter";
import type { Shell } from "../view";

const TEXTS = {
  title: ["{0}: time by function type", "{0}：按功能类型的时间"],
  core: ["Core {0}", "核 {0}"],
  port: ["Port {0}", "端口 {0}"],
  type: ["Function type", "功能类型"],
  commands: ["Commands", "指令数"],
  time: ["Time", "时间"],
  share: ["Share", "占比"],
  list: ["List these commands", "列出这些指令"],
  others: ["{0} others", "其他 {0} 种"],
} satisfies Record<string, Text>;

/** Types in the legend; the rest is in one line. */
const SHOWN = 9;

export function typePanels(shell: Shell): HTMLElement[] {
  const kinds = ["tiu", "gdma", "sdma", "cdma"] as const;
  return kinds.flatMap((kind) => {
    const tracks = shell.page.tracks.filter((track) => track.kind === kind && totals(shell.page, track).length > 0);
    return tracks.length > 0 ? [panel(shell, tracks)] : [];
  });
}

function totals(page: Page, track: Track): TypeTotals[] {
  return page.head.types[track.index] ?? [];
}

function merged(page: Page, tracks: Track[]): TypeTotals[] {
  const sums = new Map<number, TypeTotals>();
  for (const track of tracks) {
    for (const { type, count, ns } of totals(page, track)) {
      const sum = sums.get(type) ?? { type, count: 0, ns: 0 };
      sums.set(type, { type, count: sum.count + count, ns: sum.ns + ns });
    }
  }
  return [...sums.values()].sort((a, b) => b.ns - a.ns || a.type - b.type);
}

function panel(shell: Shell, tracks: Track[]): HTMLElement {
  const { page } = shell;
  const { engine, kind } = tracks[0]!;
  const color = typeColors(page);
  const all = merged(page, tracks);
  const whole = Math.max(all.reduce((sum, x) => sum + x.ns, 0), 1);
  const shown = all.length > SHOWN + 1 ? all.slice(0, SHOWN) : all;
  const rest = all.slice(shown.length);
  const time = columnDuration(all.map((x) => x.ns), 1);
  const row = (x: TypeTotals): HTMLElement => h("tr", null,
    h("td", null, h("button", { class: "link", title: t(TEXTS.list), onclick: () => shell.find(findState({ engine: kind, type: page.text(x.type) })) },
      swatch(color(x.type)), page.text(x.type))),
    h("td", { class: "num" }, count(x.count)), h("td", { class: "num" }, time(x.ns)), h("td", { class: "num" }, percent(x.ns / whole)));
  const restNs = rest.reduce((sum, x) => sum + x.ns, 0);
  const legend = h("table", { class: "legend" },
    h("thead", null, h("tr", null, h("th", null, t(TEXTS.type)), h("th", { class: "num" }, t(TEXTS.commands)), h("th", { class: "num" }, t(TEXTS.time)), h("th", { class: "num" }, t(TEXTS.share)))),
    h("tbody", null, ...shown.map(row),
      rest.length > 0 && h("tr", { class: "muted" }, h("td", null, t(TEXTS.others, rest.length)),
        h("td", { class: "num" }, count(rest.reduce((sum, x) => sum + x.count, 0))), h("td", { class: "num" }, time(restNs)), h("td", { class: "num" }, percent(restNs / whole)))));
  const circle = ring(all.map((x) => ({ share: x.ns / whole, color: color(x.type), title: `${page.text(x.type)} ${percent(x.ns / whole)}` })), duration(whole, 1));
  return h("section", { class: "panel types", id: `types-${kind}` }, h("h2", null, t(TEXTS.title, engine), pictureButtons(`${page.head.source}-${kind}`, () => chartPicture(circle))),
    h("div", { class: "ring-row" }, circle, legend),
    tracks.length > 1 && h("div", { class: "per-core" }, ...tracks.map((track) => bar(page, track, all, color, time))));
}

/** A track's types in the order of all tracks' types, so that bars compare. */
function bar(page: Page, track: Track, order: TypeTotals[], color: (type: number) => string, time: (ns: number) => string): HTMLElement {
  const mine = order.flatMap((x) => totals(page, track).filter((y) => y.type === x.type));
  const whole = Math.max(mine.reduce((sum, x) => sum + x.ns, 0), 1);
  const name = t(track.kind === "cdma" ? TEXTS.port : TEXTS.core, track.head.core);
  return h("div", { class: "core-bar" }, h("span", null, name),
    stack(mine.map((x) => ({ share: x.ns / whole, color: color(x.type), title: `${page.text(x.type)}: ${percent(x.ns / whole)}, ${duration(x.ns)}` })), name),
    h("span", { class: "num muted" }, time(whole)));
}

/** Shares as arcs of a ring, with a text in its middle. */
function ring(parts: { share: number; color: string; title: string }[], middle: string): SVGElement {
  const RADIUS = 40;
  const around = 2 * Math.PI * RADIUS;
  let at = 0;
  const arcs = parts.map((part) => {
    const arc = svg("circle", {
      cx: 60, cy: 60, r: RADIUS, fill: "none", stroke: part.color, "stroke-width": 20,
      "stroke-dasharray": `${part.share * around} ${around}`, "stroke-dashoffset": -at * around, transform: "rotate(-90 60 60)",
    }, svg("title", null, part.title));
    at += part.share;
    return arc;
  });
  return svg("svg", { viewBox: "0 0 120 120", class: "ring", role: "img", "aria-label": middle }, ...arcs,
    svg("text", { x: 60, y: 64, "text-anchor": "middle", "font-size": 11, fill: "currentColor" }, middle));
}
