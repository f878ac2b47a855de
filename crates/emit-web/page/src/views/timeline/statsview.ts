// The tables of a selected time range.
import { copyText, csvLine, download } from "../../ui/copy";
import { h, put } from "../../ui/dom";
import { bytes, columnDuration, count, duration, percent } from "../../ui/format";
import { t } from "../../ui/i18n";
import { linkButton } from "../../ui/link";
import { moment } from "./axis";
import type { Scene } from "./scene";
import { trackName } from "./slicefacts";
import { type Sums, type TrackStats, addSums, noSums, trackStats } from "./stats";
import { STATS, TEXTS } from "./texts";
import type { Range } from "./viewport";

/** What a cell shows, and what the column is sorted by; a duration is shown in the unit of its column. */
type Made = readonly [text: string | null, value: number | string];
type Cell = readonly [text: string, value: number | string];
type Table = { head: string[]; rows: Cell[][] };

const cell = (value: number, text: string): Cell => [text, value];
const label = (text: string): Cell => [text, text];
const ns = (value: number): Made => [null, value];
const someNs = (value: number): Made => (value > 0 ? ns(value) : cell(value, ""));
/** Nothing where there is nothing. */
const some = (value: number, show: (value: number) => string): Cell => cell(value, value > 0 ? show(value) : "");

/** Counts the shown tracks over the range and fills the tables; stops when another range was chosen meanwhile. */
export async function showStats(scene: Scene, range: Range, root: HTMLElement, close: () => void): Promise<void> {
  put(root, h("p", { class: "muted" }, t(TEXTS.counting)));
  const tracks = [...new Set(scene.rows.flatMap((row) => (row.track && row.kind === "slices" ? [row.track] : row.engines)))];
  const stats: TrackStats[] = [];
  for (const track of tracks) {
    stats.push(await trackStats(scene, track, range));
    if (scene.range !== range) return;
  }
  const length = range.end - range.start;
  const { page } = scene;
  const all: [caption: string, table: Table][] = [
    [t(STATS.byTrack), trackTable(stats, length)],
    [t(STATS.byFunction), sumTable(stats, length, t(STATS.function), (s) => s.byName, (name) => page.nameText(name))],
    [t(STATS.byKernel), sumTable(stats, length, t(STATS.kernel), (s) => s.byKernel, (kernel) => page.text(page.head.kernels[kernel] ?? -1))],
    [t(STATS.byLayer), sumTable(stats, length, t(STATS.layer), (s) => s.byLayer, (layer) => page.layerLabel(layer))],
  ];
  const tables = all.filter(([, { rows }]) => rows.length > 0);
  const text = () => tables.map(([, table]) => tsv(table)).join("\n\n");
  const copy = h("button", { onclick: () => void copyText(text()).then(() => put(copy, t(TEXTS.copied))) }, t(TEXTS.copy));
  const save = h("button", { onclick: () => download(`${page.head.source}-range.csv`, tables.flatMap(([caption, { head, rows }]) => [csvLine([caption]), csvLine(head), ...rows.map((row) => csvLine(row.map(([, value]) => value)))])) }, t(STATS.save));
  put(root,
    h("div", { class: "tl-bar" },
      h("b", { class: "tl-title" }, `${moment(range.start)} – ${moment(range.end)} (${duration(length)})`),
      h("button", { onclick: () => void scene.zoomToSelection() }, t(TEXTS.zoomSelection)),
      copy,
      save,
      linkButton(),
      h("span", { class: "muted tl-note", title: t(STATS.note) }, t(STATS.note)),
      h("button", { class: "quiet tl-close", title: `${t(TEXTS.close)} (Esc)`, "aria-label": t(TEXTS.close), onclick: close }, "✕"),
    ),
    h("div", { class: "tl-stats" }, ...tables.map(([caption, content]) => table(caption, content))),
  );
}

function trackTable(stats: TrackStats[], length: number): Table {
  const head = [STATS.track, STATS.count, STATS.busy, STATS.share, STATS.waits, STATS.idle, STATS.gaps, STATS.longest, STATS.bytes, STATS.ddr, STATS.l2, STATS.rate].map((text) => t(text));
  const cells = (name: string, s: Sums, tracks: number): Made[] => {
    const share = s.busy / Math.max(length * tracks, 1);
    return [label(name), cell(s.count, count(s.count)), ns(s.busy), cell(share, percent(share)), someNs(s.waits)];
  };
  const moved = (s: Sums): Cell[] => [...traffic(s, length), uarchRate(s)];
  const rows: Made[][] = stats.map((s) => [...cells(trackName(s.track), s, 1), ns(s.idle), cell(s.gaps, count(s.gaps)), someNs(s.longestGap), ...moved(s)]);
  const engines = stats.filter((s) => s.track.isEngine);
  if (engines.length > 1) {
    const all = noSums();
    for (const s of engines) addSums(all, s);
    const idle = engines.reduce((sum, s) => sum + s.idle, 0);
    const gaps = engines.reduce((n, s) => n + s.gaps, 0);
    rows.push([...cells(t(STATS.all), all, engines.length), ns(idle), cell(gaps, count(gaps)), ns(Math.max(...engines.map((s) => s.longestGap))), ...moved(all)]);
  }
  return { head, rows: inOneUnit(rows) };
}

/** Durations of a column in one unit. */
function inOneUnit(rows: Made[][]): Cell[][] {
  const times = (at: number) => rows.flatMap((row) => (row[at]![0] === null ? [row[at]![1] as number] : []));
  const shows = (rows[0] ?? []).map((_, at) => columnDuration(times(at)));
  return rows.map((row) => row.map(([text, value], at): Cell => [text ?? shows[at]!(value as number), value]));
}

/** As the summary counts it: operations asked for over operations after padding. */
function uarchRate(s: Sums): Cell {
  return some(s.alg / Math.max(s.uarch, 1), (rate) => percent(rate, 2));
}

/** Bytes, and bandwidths over the range. */
function traffic(s: Sums, length: number): Cell[] {
  const rate = (amount: number) => some(amount / length, (gbps) => gbps.toFixed(2));
  return [some(s.bytes, (n) => bytes(Math.round(n))), rate(s.ddr), rate(s.l2)];
}

/** Sums of all engines by function, kernel or layer, the longest first. */
function sumTable(stats: TrackStats[], length: number, title: string, of: (stats: TrackStats) => Map<number, Sums>, nameOf: (key: number) => string): Table {
  const found = new Map<number, Sums & { engines: Set<string> }>();
  for (const one of stats) {
    if (!one.track.isEngine) continue;
    for (const [key, sums] of of(one)) {
      const all = found.get(key) ?? { ...noSums(), engines: new Set() };
      addSums(all, sums);
      all.engines.add(one.track.engine);
      found.set(key, all);
    }
  }
  const busy = [...found.values()].reduce((sum, s) => sum + s.busy, 0);
  const head = [title, ...[STATS.engines, STATS.count, STATS.busy, STATS.ofBusy, STATS.mean, STATS.bytes, STATS.ddr, STATS.l2, STATS.rate].map((text) => t(text))];
  const total = (s: Sums) => s.busy + s.waits;
  const rows = [...found].sort(([a, x], [b, y]) => y.busy - x.busy || total(y) - total(x) || a - b).map(([key, s]): Made[] => [
    label(nameOf(key)), label([...s.engines].join(" ")), cell(s.count, count(s.count)), ns(total(s)), some(s.busy / Math.max(busy, 1), percent), ns(total(s) / s.count), ...traffic(s, length), uarchRate(s),
  ]);
  return { head, rows: inOneUnit(rows) };
}

/** Columns that nothing is in are left out; a click on a column's title sorts by it. */
function table(caption: string, { head, rows }: Table): HTMLElement {
  const used = head.map((_, i) => rows.some((row) => row[i]![0] !== ""));
  const isText = head.map((_, i) => typeof rows[0]?.[i]?.[1] === "string");
  let sort: { at: number; down: boolean } | null = null;
  const body = h("tbody");
  const titles = h("tr");
  const fill = () => {
    const sign = sort?.down ? -1 : 1;
    const by = (row: Cell[]) => row[sort!.at]![1];
    const order = sort ? rows.toSorted((a, b) => sign * (typeof by(a) === "number" ? (by(a) as number) - (by(b) as number) : String(by(a)).localeCompare(String(by(b)), "en", { numeric: true }))) : rows;
    put(titles, ...head.map((text, i) => used[i] && h("th", { class: isText[i] ? "" : "num", "aria-sort": sort?.at === i ? (sort.down ? "descending" : "ascending") : "none" },
      h("button", { onclick: () => {
        sort = { at: i, down: sort?.at === i ? !sort.down : !isText[i] };
        fill();
      } }, text, sort?.at === i ? (sort.down ? " ▾" : " ▴") : ""))));
    put(body, ...order.map((row) => h("tr", null, ...row.map(([text], i) => used[i] && h("td", { class: isText[i] ? "" : "num", title: i === 0 ? text : null }, text)))));
  };
  fill();
  return h("table", null, h("caption", null, caption), h("thead", null, titles), body);
}

function tsv({ head, rows }: Table): string {
  return [head, ...rows.map((row) => row.map(([text]) => text))].map((row) => row.join("\t")).join("\n");
}
