// The panel of a gap: how long, what it costs, what ended it, what ran meanwhile.
import { h } from "../../ui/dom";
import { columnDuration, count, duration, percent } from "../../ui/format";
import { t } from "../../ui/i18n";
import type { SliceRef } from "../view";
import type { Scene } from "./scene";
import { type Fact, trackName } from "./slicefacts";
import { trackStats } from "./stats";
import { CAUSES, GAP, STATS } from "./texts";
import type { Range } from "./viewport";
import { whyPanel } from "./why";

export interface GapParts {
  title: string;
  facts: Fact[];
  /** Links and the chain of causes. */
  links: HTMLElement[];
  /** What ran meanwhile. */
  meanwhile: HTMLElement;
}

/** What a gap's cause reads as. */
export function causeText(cause: string): string {
  return CAUSES[cause] ? t(CAUSES[cause]!) : cause;
}

/** Facts of a gap for panel and tooltip. */
export async function gapFacts(scene: Scene, { track, row }: SliceRef): Promise<Fact[]> {
  const facts = await scene.data[track]!.loadFacts();
  const { times } = await scene.data[track]!.loadIndex();
  const saved = facts.saved![row]!;
  const ns = times.dur[row]!;
  const found: Fact[] = [[t(GAP.cause), causeText(scene.page.nameText(times.name[row]!))]];
  found.push([t(GAP.saved), saved < 0 ? t(GAP.most, duration(ns)) : saved === 0 ? t(GAP.noCost) : duration(saved)]);
  const end = facts.endTrack![row]!;
  const unknown = facts.after![row]! < 0 ? GAP.runEnd : GAP.unknown;
  found.push([t(GAP.ended), end < 0 ? t(unknown) : await commandName(scene, { track: end, row: facts.endRow![row]! })]);
  found.push([t(GAP.cost), duration(facts.cost![row]!)]);
  if (facts.sync![row]! > 0) found.push([t(GAP.sync), duration(facts.sync![row]!)]);
  return found;
}

async function commandName(scene: Scene, { track, row }: SliceRef): Promise<string> {
  const { name } = await scene.track(track).loadTimes();
  return `${trackName(scene.track(track))} · ${scene.page.nameText(name[row]!)} · ${row}`;
}

export async function gapParts(scene: Scene, slice: SliceRef, goTo: (slice: SliceRef) => void): Promise<GapParts> {
  const { page } = scene;
  const own = scene.track(slice.track);
  const engine = own.head.of!;
  const facts = await scene.data[slice.track]!.loadFacts();
  const range = await scene.sliceRange(slice);
  const link = async (label: readonly [string, string], target: SliceRef): Promise<HTMLElement | null> =>
    target.track < 0 || target.row < 0 ? null
      : h("button", { class: "tl-flow", onclick: () => goTo(target) }, h("span", { class: "muted" }, `${t(label)} `), await commandName(scene, target));
  const [before, after] = [facts.before![slice.row]!, facts.after![slice.row]!];
  const links = await Promise.all([
    link(GAP.ended, { track: facts.endTrack![slice.row]!, row: facts.endRow![slice.row]! }),
    link(GAP.before, { track: engine, row: before }),
    link(GAP.after, { track: engine, row: after }),
  ]);
  const chain = after < 0 ? noneAfter() : await whyPanel(scene, { track: engine, row: after }, goTo, t(GAP.chain));
  const name = trackName(page.tracks[engine]!);
  return {
    title: `${t(GAP.title, name)} · ${duration(range.end - range.start)}`,
    facts: await gapFacts(scene, slice),
    links: [...links, chain].filter((element): element is HTMLElement => element !== null),
    meanwhile: await meanwhile(scene, engine, range, goTo),
  };
}

/** Instead of the chain of causes, after the engine's last work. */
function noneAfter(): HTMLElement {
  return h("details", { class: "tl-why", open: true }, h("summary", null, t(GAP.chain)), h("p", { class: "muted" }, t(GAP.last)));
}

/** Engines that worked in the gap, those that worked most first. */
async function meanwhile(scene: Scene, own: number, range: Range, goTo: (slice: SliceRef) => void): Promise<HTMLElement> {
  const ns = Math.max(range.end - range.start, 1);
  const engines = scene.page.tracks.filter((track) => track.isEngine && track.index !== own && track.head.events > 0);
  const all = await Promise.all(engines.map(async (track) => ({ track, sums: await trackStats(scene, track, range), longest: await longestIn(scene, track.index, range) })));
  const worked = all.filter(({ sums }) => sums.busy > 0).sort((a, b) => b.sums.busy - a.sums.busy || a.track.index - b.track.index);
  if (worked.length === 0) return h("p", { id: "gap-meanwhile", class: "muted" }, t(GAP.nothing));
  const busy = columnDuration(worked.map(({ sums }) => sums.busy));
  const head = [GAP.engine, STATS.count, STATS.busy, GAP.share, GAP.longest];
  return h("table", { id: "gap-meanwhile" }, h("caption", null, t(GAP.elsewhere)),
    h("thead", null, h("tr", null, ...head.map((text, i) => h("th", { class: i > 0 && i < 4 ? "num" : "" }, t(text))))),
    h("tbody", null, ...worked.map(({ track, sums, longest }) => h("tr", null,
      h("td", null, trackName(track)), h("td", { class: "num" }, count(sums.count)), h("td", { class: "num" }, busy(sums.busy)), h("td", { class: "num" }, percent(sums.busy / ns)),
      h("td", null, longest && h("button", { class: "link", onclick: () => goTo(longest.slice) }, longest.name))))));
}

/** The command with most of the range. */
async function longestIn(scene: Scene, track: number, range: Range): Promise<{ slice: SliceRef; name: string } | null> {
  const index = await scene.data[track]!.loadIndex();
  const { start, dur, name } = index.times;
  let found: { row: number; ns: number } | null = null;
  for (let lane = 0; lane < index.lanes; lane++) {
    const last = index.to(lane, range.end);
    for (let place = index.from(lane, range.start); place < last; place++) {
      const row = index.row(place);
      if (scene.page.name(name[row]!).role !== "work") continue;
      const ns = Math.min(start[row]! + dur[row]!, range.end) - Math.max(start[row]!, range.start);
      if (ns > (found?.ns ?? 0)) found = { row, ns };
    }
  }
  return found && { slice: { track, row: found.row }, name: `${scene.page.nameText(name[found.row]!)} · ${found.row}` };
}
