// The tables of a selected time range.
import { copyText } from "../../ui/copy";
import { h, put } from "../../ui/dom";
import { bytes, count, duration, percent } from "../../ui/format";
import { t } from "../../ui/i18n";
import { moment } from "./axis";
import type { Scene } from "./scene";
import { trackName } from "./slicefacts";
import { type Sums, type TrackStats, addSums, noSums, trackStats } from "./stats";
import { STATS, TEXTS } from "./texts";
import type { Range } from "./viewport";

type Table = { head: string[]; rows: string[][] };

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
  const byTrack = trackTable(stats, length);
  const byName = nameTable(scene, stats, length);
  const copy = h("button", { onclick: () => void copyText([byTrack, byName].map(tsv).join("\n\n")).then(() => put(copy, t(TEXTS.copied))) }, t(TEXTS.copy));
  put(root,
    h("div", { class: "tl-bar" },
      h("b", { class: "tl-title" }, `${moment(range.start)} – ${moment(range.end)} (${duration(length)})`),
      h("button", { onclick: () => void scene.zoomToSelection() }, t(TEXTS.zoomSelection)),
      copy,
      h("span", { class: "muted tl-note", title: t(STATS.note) }, t(STATS.note)),
      h("button", { class: "quiet tl-close", title: `${t(TEXTS.close)} (Esc)`, "aria-label": t(TEXTS.close), onclick: close }, "✕"),
    ),
    h("div", { class: "tl-stats" }, table(t(STATS.byTrack), byTrack), table(t(STATS.byFunction), byName)),
  );
}

function trackTable(stats: TrackStats[], length: number): Table {
  const head = [STATS.track, STATS.count, STATS.busy, STATS.share, STATS.waits, STATS.idle, STATS.gaps, STATS.longest, STATS.bytes, STATS.ddr, STATS.l2, STATS.rate].map((text) => t(text));
  const cells = (label: string, s: Sums, tracks: number) => [label, count(s.count), duration(s.busy), percent(s.busy / Math.max(length * tracks, 1)), s.waits > 0 ? duration(s.waits) : ""];
  // `rated`: busy time of what has a uArch rate.
  const moved = (s: Sums, rated: number) => [s.bytes > 0 ? bytes(Math.round(s.bytes)) : "", s.ddr > 0 ? (s.ddr / length).toFixed(2) : "", s.l2 > 0 ? (s.l2 / length).toFixed(2) : "", s.rate > 0 ? percent(s.rate / rated) : ""];
  const rows = stats.map((s) => [...cells(trackName(s.track), s, 1), duration(s.idle), count(s.gaps), s.longestGap > 0 ? duration(s.longestGap) : "", ...moved(s, s.busy)]);
  const engines = stats.filter((s) => s.track.isEngine);
  if (engines.length > 1) {
    const all = noSums();
    for (const s of engines) addSums(all, s);
    const tiuBusy = engines.reduce((sum, s) => sum + (s.track.kind === "tiu" ? s.busy : 0), 0);
    const idle = engines.reduce((sum, s) => sum + s.idle, 0);
    rows.push([...cells(t(STATS.all), all, engines.length), duration(idle), count(engines.reduce((n, s) => n + s.gaps, 0)), duration(Math.max(...engines.map((s) => s.longestGap))), ...moved(all, tiuBusy)]);
  }
  return { head, rows };
}

/** Functions of all engines, the longest first. */
function nameTable(scene: Scene, stats: TrackStats[], length: number): Table {
  const byName = new Map<number, Sums & { engine: string }>();
  for (const { track, byName: names } of stats) {
    if (!track.isEngine) continue;
    for (const [name, sums] of names) {
      const all = byName.get(name) ?? { ...noSums(), engine: track.engine };
      addSums(all, sums);
      byName.set(name, all);
    }
  }
  const busy = [...byName.values()].reduce((sum, s) => sum + s.busy, 0);
  const head = [STATS.function, STATS.track, STATS.count, STATS.busy, STATS.ofBusy, STATS.mean, STATS.bytes, STATS.ddr, STATS.l2].map((text) => t(text));
  const total = (s: Sums) => s.busy + s.waits;
  const rows = [...byName].sort(([a, x], [b, y]) => y.busy - x.busy || total(y) - total(x) || a - b).map(([name, s]) => [
    scene.page.nameText(name), s.engine, count(s.count), duration(total(s)), s.busy > 0 && busy > 0 ? percent(s.busy / busy) : "", duration(total(s) / s.count),
    s.bytes > 0 ? bytes(Math.round(s.bytes)) : "", s.ddr > 0 ? (s.ddr / length).toFixed(2) : "", s.l2 > 0 ? (s.l2 / length).toFixed(2) : "",
  ]);
  return { head, rows };
}

/** Columns that nothing stands in are left out. */
function table(caption: string, { head, rows }: Table): HTMLElement {
  const used = head.map((_, i) => rows.some((row) => row[i] !== ""));
  const cells = (row: string[], tag: "th" | "td") => row.map((text, i) => used[i] && h(tag, { class: i > 0 && !/^[A-Z]{3,4}$/.test(rows[0]?.[i] ?? "") ? "num" : "", title: i === 0 ? text : null }, text));
  return h("table", null, h("caption", null, caption), h("thead", null, h("tr", null, ...cells(head, "th"))), h("tbody", null, ...rows.map((row) => h("tr", null, ...cells(row, "td")))));
}

function tsv({ head, rows }: Table): string {
  return [head, ...rows].map((row) => row.join("\t")).join("\n");
}
