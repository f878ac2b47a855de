// What the user chose to see, kept in the URL's fragment.
import type { TrackKind } from "../../data/generated";
import * as state from "../../ui/state";
import type { SliceRef } from "../view";
import type { Range } from "./viewport";

export interface Options {
  /** Cores to show; null for all. */
  cores: number[] | null;
  /** Kinds of tracks that are not shown. */
  hidden: TrackKind[];
  /** `expected`: by how much longer than its bits explain. */
  colour: "type" | "kernel" | "expected";
  /** Commands that took less than this many times what their bits explain are dimmed; 0 dims none. */
  slower: number;
  /** Bars as high as the command's uArch rate or share of the peak bandwidth. */
  bars: boolean;
  /** Lines of uArch rate and bandwidth under the engines. */
  lines: boolean;
  /** The critical path is drawn. */
  path: boolean;
  /** Low rows, so that many cores fit. */
  compact: boolean;
  /** Function types to highlight, the rest is dimmed; empty for all. */
  only: string[];
  /** Text that a slice's name must hold to be highlighted. */
  mark: string;
  /** Groups that are folded. */
  folded: string[];
  /** Engines that are busy for less than this share of the time, in percent, are not shown. */
  least: number;
  /** Indices of the tracks that are at the top, apart from their groups. */
  pinned: number[];
  /** Names of groups and tracks whose order was chosen, see `arranged`. */
  order: string[];
}

/** How the keys of a timeline start in the fragment: of what timelines next to one another share, and of its own. */
export interface Prefixes {
  shared: string;
  own: string;
}

export const SINGLE: Prefixes = { shared: "tl", own: "tl" };

/** The keys in the fragment. */
function keysOf({ shared, own }: Prefixes) {
  return {
    cores: `${shared}.cores`, hidden: `${shared}.hide`, colour: `${shared}.colour`, bars: `${shared}.bars`, lines: `${shared}.lines`, path: `${shared}.path`, compact: `${shared}.compact`,
    slower: `${shared}.slower`, only: `${shared}.only`, mark: `${shared}.mark`, folded: `${shared}.fold`, least: `${shared}.least`,
    pinned: `${own}.pin`, order: `${own}.order`, view: `${own}.view`, range: `${own}.range`, slice: `${own}.slice`,
  };
}

const list = (text: string): string[] => (text === "" ? [] : text.split("|"));

/** What holds where the fragment says nothing. */
export interface Defaults {
  folded: string[];
  compact: boolean;
}

export function readOptions(prefixes: Prefixes, { folded, compact }: Defaults): Options {
  const keys = keysOf(prefixes);
  const dense = state.get(keys.compact) === "" ? compact : state.get(keys.compact) === "1";
  const lines = state.get(keys.lines);
  const cores = state.get(keys.cores);
  const fold = state.get(keys.folded);
  return {
    cores: cores === "" ? null : list(cores).map(Number),
    hidden: list(state.get(keys.hidden)) as TrackKind[],
    colour: colourOf(state.get(keys.colour)),
    slower: Number(state.get(keys.slower)) || 0,
    bars: state.get(keys.bars) === "1",
    lines: lines === "" ? !dense : lines === "1",
    path: state.get(keys.path) !== "0",
    compact: dense,
    only: list(state.get(keys.only)),
    mark: state.get(keys.mark),
    folded: fold === "" ? folded : fold === "-" ? [] : list(fold),
    least: Number(state.get(keys.least)) || 0,
    pinned: list(state.get(keys.pinned)).map(Number),
    order: list(state.get(keys.order)),
  };
}

function colourOf(text: string): Options["colour"] {
  return text === "kernel" || text === "expected" ? text : "type";
}

export function writeOptions(prefixes: Prefixes, options: Options, defaults: Defaults): void {
  const keys = keysOf(prefixes);
  state.set({
    [keys.cores]: options.cores ? options.cores.join("|") : "",
    [keys.hidden]: options.hidden.join("|"),
    [keys.colour]: options.colour === "type" ? "" : options.colour,
    [keys.slower]: options.slower > 0 ? String(options.slower) : "",
    [keys.bars]: options.bars ? "1" : "",
    [keys.lines]: options.lines === !options.compact ? "" : options.lines ? "1" : "0",
    [keys.path]: options.path ? "" : "0",
    [keys.compact]: options.compact === defaults.compact ? "" : options.compact ? "1" : "0",
    [keys.only]: options.only.join("|"),
    [keys.mark]: options.mark,
    [keys.folded]: options.folded.join("|") || "-",
    [keys.least]: options.least > 0 ? String(options.least) : "",
    [keys.pinned]: options.pinned.join("|"),
    [keys.order]: options.order.join("|"),
  });
}

/** The renderer that the fragment asks for (`tl.renderer=webgl2` or `canvas`); null for the one that suits. */
export function rendererAsked(): "webgl2" | "canvas" | null {
  const asked = state.get("tl.renderer");
  return asked === "webgl2" || asked === "canvas" ? asked : null;
}

function readRange(key: string): Range | null {
  const [start, end] = state.get(key).split("~").map(Number);
  return start !== undefined && end !== undefined && end > start ? { start, end } : null;
}

const writeRange = (range: Range | null): string => (range ? `${Number(range.start.toFixed(2))}~${Number(range.end.toFixed(2))}` : "");

export interface Place {
  view: Range | null;
  range: Range | null;
  slice: SliceRef | null;
}

export function readPlace(prefixes: Prefixes): Place {
  const keys = keysOf(prefixes);
  const [track, row] = state.get(keys.slice).split(".").map(Number);
  return {
    view: readRange(keys.view),
    range: readRange(keys.range),
    slice: track !== undefined && row !== undefined && track >= 0 && row >= 0 ? { track, row } : null,
  };
}

export function writePlace(prefixes: Prefixes, place: Place): void {
  const keys = keysOf(prefixes);
  state.set({
    [keys.view]: writeRange(place.view),
    [keys.range]: writeRange(place.range),
    [keys.slice]: place.slice ? `${place.slice.track}.${place.slice.row}` : "",
  });
}
