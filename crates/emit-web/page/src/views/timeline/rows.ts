// The rows of the plot, from top to bottom, in CSS pixels.
import type { Page, Track } from "../../data/page";
import { t } from "../../ui/i18n";
import { arranged, trackKey } from "./arrange";
import { kindName, ORDER } from "./kindnames";
import type { Options } from "./options";
import { TEXTS } from "./texts";

export interface Row {
  /** `core0`, `ports`, `host` for groups; `slices7`, `line7` for the track with index 7. */
  id: string;
  /** A group's header; slices; lines below the slices of their engine. */
  kind: "group" | "slices" | "line";
  /** Of slices and lines. */
  track: Track | null;
  /** Of a group: its tracks, drawn as one row while it is folded. */
  engines: Track[];
  group: string;
  folded: boolean;
  label: string;
  /** Busy share of the whole time, 0..1; -1 where it says nothing. */
  share: number;
  y: number;
  height: number;
  laneHeight: number;
}

/** Heights at a root font of 14 px. */
const HEIGHT = { group: 24, one: 44, line: 30, kernel: 20, layer: 19, block: 17, step: 19, host: 15, lane: 22, lanes: 17, air: 4, end: 8 };
/** The same in compact rows: steps and eight cores of four tracks fit on a screen of 800 px, below two notices. */
const COMPACT: typeof HEIGHT = { group: 14, one: 34, line: 22, kernel: 12, layer: 12, block: 12, step: 12, host: 13, lane: 12, lanes: 10, air: 2, end: 1 };

export interface Group {
  id: string;
  label: string;
  tracks: Track[];
}

/** Host threads, which launch what runs below; then steps, then cores, then CDMA ports. Tracks without events are left out. */
export function groupsOf(page: Page): Group[] {
  const groups = new Map<string, Group>();
  const add = (id: string, label: string, track: Track) => {
    const group = groups.get(id) ?? { id, label, tracks: [] };
    group.tracks.push(track);
    groups.set(id, group);
  };
  // Gaps are shown on the rows of their engines.
  const tracks = page.tracks.filter((track) => track.head.events > 0 && track.kind !== "gap");
  const isPort = (track: Track) => track.kind === "cdma" || (track.head.port ?? -1) >= 0;
  for (const track of tracks) if (track.kind !== "host" && track.kind !== "step" && !isPort(track)) add(`core${track.head.core}`, t(TEXTS.core, track.head.core), track);
  for (const track of tracks) if (isPort(track)) add("ports", t(TEXTS.ports), track);
  for (const track of tracks) if (track.kind === "host") add("host", t(TEXTS.host), track);
  for (const track of tracks) if (track.kind === "step") add("run", t(TEXTS.run), track);
  for (const group of groups.values()) group.tracks.sort((a, b) => (a.head.port ?? -1) - (b.head.port ?? -1) || ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  const first = (group: Group): number => ["host", "run"].indexOf(group.id) + 1 || Infinity;
  return [...groups.values()].sort((a, b) => (first(a) === first(b) ? coreOf(a) - coreOf(b) : first(a) - first(b)));
}

const coreOf = (group: Group): number => (group.id.startsWith("core") ? Number(group.id.slice(4)) : Infinity);

function shows(group: Group, options: Options): boolean {
  return !options.cores || coreOf(group) === Infinity || options.cores.includes(coreOf(group));
}

/** The group of the tracks that the user pinned. */
export const PINNED = "pinned";

/** The shown groups with their shown tracks, in the order that was chosen. */
export function shownGroups(page: Page, groups: Group[], options: Options): Group[] {
  const { hidden, least, order } = options;
  const isShown = (track: Track) => !hidden.includes(track.kind) && !options.pinned.includes(track.index) && !isIdle(page, track, least);
  const pinned = options.pinned.flatMap((index) => page.tracks[index] ?? []).filter((track) => track.head.events > 0);
  const rest = arranged(groups, (group) => group.id, order).filter((group) => shows(group, options))
    .map((group) => ({ ...group, tracks: arranged(group.tracks.filter(isShown), (track) => trackKey(track.index), order) }));
  return [{ id: PINNED, label: t(TEXTS.pinned), tracks: pinned }, ...rest].filter((group) => group.tracks.length > 0);
}

function isIdle(page: Page, track: Track, least: number): boolean {
  const share = shareOf(page, track);
  return share >= 0 && share * 100 < least;
}

/** `unit`: CSS pixels for one of `HEIGHT`; `stretch`: factor for all heights but those of headers. */
export function layRows(page: Page, groups: Group[], options: Options, unit: number, stretch: number): Row[] {
  const rows: Row[] = [];
  const heights = options.compact ? COMPACT : HEIGHT;
  let y = 0;
  const add = (row: Partial<Row> & Pick<Row, "id" | "kind" | "label" | "group">, height: number, laneHeight = height) => {
    const tall = row.kind === "group" && !row.folded ? 1 : stretch;
    const whole = { track: null, engines: [], folded: false, share: -1, ...row, y, height: Math.round(height * unit * tall), laneHeight: Math.round(laneHeight * unit * tall) };
    rows.push(whole);
    y += whole.height;
  };
  for (const group of shownGroups(page, groups, options)) {
    const { tracks } = group;
    const folded = options.folded.includes(group.id);
    // A compact row of steps says what it is by itself.
    const isPlain = options.compact && !folded && group.id === "run" && tracks.length === 1;
    if (!isPlain) add({ id: group.id, kind: "group", group: group.id, label: group.label, folded, engines: folded ? tracks : [] }, folded ? heights.one : heights.group);
    if (folded) continue;
    const nameOf = (track: Track) => (group.id === PINNED ? pinnedLabel(page, track) : labelOf(page, track));
    for (const track of tracks) {
      const lane = track.kind in heights ? heights[track.kind as "kernel" | "layer" | "block" | "step" | "host"] : track.head.lanes > 1 ? heights.lanes : heights.lane;
      add({ id: `slices${track.index}`, kind: "slices", group: group.id, track, label: nameOf(track), share: shareOf(page, track) }, lane * track.head.lanes + heights.air, lane);
      if (options.lines && hasLine(track)) add({ id: `line${track.index}`, kind: "line", group: group.id, track, label: t(track.kind === "tiu" ? TEXTS.rate : TEXTS.bandwidth) }, heights.line);
    }
    y += Math.round(heights.end * unit);
  }
  return rows;
}

/** A line of what is known: no row for uArch rates where the dump has none, as in mode 1. */
function hasLine(track: Track): boolean {
  if (!track.isEngine || (track.head.facts === null && track.head.mips.length === 0)) return false;
  return track.kind !== "tiu" || track.page.head.cores.some((core) => core.core === track.head.core && core.uarchRate > 0);
}

function labelOf(page: Page, track: Track): string {
  const { kind, port } = track.head;
  if (kind === "host") return page.text(track.head.label ?? -1);
  if (kind === "kernel" && port !== undefined && port >= 0) return t(TEXTS.kernelsOf, port);
  if (!track.isEngine) return kindName(track.kind);
  return kind === "cdma" ? `CDMA ${port ?? track.head.core}` : track.engine;
}

function pinnedLabel(page: Page, track: Track): string {
  const own = labelOf(page, track);
  return track.head.core < 0 || track.kind === "cdma" ? own : `${t(TEXTS.core, track.head.core)} · ${own}`;
}

function shareOf(page: Page, track: Track): number {
  const { cores, ports, totalNs } = page.head;
  if (totalNs <= 0) return -1;
  if (track.kind === "cdma") return (ports.find((p) => p.port === (track.head.port ?? track.head.core))?.busyNs ?? -totalNs) / totalNs;
  const core = cores.find((c) => c.core === track.head.core);
  const ns = track.kind === "tiu" ? core?.tiuNs : track.kind === "gdma" ? core?.gdmaNs : track.kind === "sdma" ? core?.sdmaNs : undefined;
  return ns === undefined ? -1 : ns / totalNs;
}

/** Row at a height, -1 for none. */
export function rowAt(rows: Row[], y: number): number {
  return rows.findIndex((row) => y >= row.y && y < row.y + row.height);
}

export function heightOf(rows: Row[]): number {
  const last = rows.at(-1);
  return last ? last.y + last.height : 0;
}
