// What the user chose to see, kept in the URL's fragment.
import type { TrackKind } from "../../data/head";
import * as state from "../../ui/state";
import type { SliceRef } from "../view";
import type { Range } from "./viewport";

export interface Options {
  /** Cores to show; null for all. */
  cores: number[] | null;
  /** Kinds of tracks that are not shown. */
  hidden: TrackKind[];
  colour: "type" | "kernel";
  /** Bars as high as the command's uArch rate or share of the peak bandwidth. */
  bars: boolean;
  /** Lines of uArch rate and bandwidth under the engines. */
  lines: boolean;
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

const KEYS = {
  cores: "tl.cores", hidden: "tl.hide", colour: "tl.colour", bars: "tl.bars", lines: "tl.lines", compact: "tl.compact",
  only: "tl.only", mark: "tl.mark", folded: "tl.fold", least: "tl.least", pinned: "tl.pin", order: "tl.order", view: "tl.view", range: "tl.range", slice: "tl.slice", renderer: "tl.renderer",
} as const;

const list = (text: string): string[] => (text === "" ? [] : text.split("|"));

/** What holds where the fragment says nothing. */
export interface Defaults {
  folded: string[];
  compact: boolean;
}

export function readOptions({ folded, compact }: Defaults): Options {
  const dense = state.get(KEYS.compact) === "" ? compact : state.get(KEYS.compact) === "1";
  const lines = state.get(KEYS.lines);
  const cores = state.get(KEYS.cores);
  const fold = state.get(KEYS.folded);
  return {
    cores: cores === "" ? null : list(cores).map(Number),
    hidden: list(state.get(KEYS.hidden)) as TrackKind[],
    colour: state.get(KEYS.colour) === "kernel" ? "kernel" : "type",
    bars: state.get(KEYS.bars) === "1",
    lines: lines === "" ? !dense : lines === "1",
    compact: dense,
    only: list(state.get(KEYS.only)),
    mark: state.get(KEYS.mark),
    folded: fold === "" ? folded : fold === "-" ? [] : list(fold),
    least: Number(state.get(KEYS.least)) || 0,
    pinned: list(state.get(KEYS.pinned)).map(Number),
    order: list(state.get(KEYS.order)),
  };
}

export function writeOptions(options: Options, defaults: Defaults): void {
  state.set({
    [KEYS.cores]: options.cores ? options.cores.join("|") : "",
    [KEYS.hidden]: options.hidden.join("|"),
    [KEYS.colour]: options.colour === "type" ? "" : options.colour,
    [KEYS.bars]: options.bars ? "1" : "",
    [KEYS.lines]: options.lines === !options.compact ? "" : options.lines ? "1" : "0",
    [KEYS.compact]: options.compact === defaults.compact ? "" : options.compact ? "1" : "0",
    [KEYS.only]: options.only.join("|"),
    [KEYS.mark]: options.mark,
    [KEYS.folded]: options.folded.join("|") || "-",
    [KEYS.least]: options.least > 0 ? String(options.least) : "",
    [KEYS.pinned]: options.pinned.join("|"),
    [KEYS.order]: options.order.join("|"),
  });
}

/** The renderer that the fragment asks for (`tl.renderer=webgl2` or `canvas`); null for the one that suits. */
export function rendererAsked(): "webgl2" | "canvas" | null {
  const asked = state.get(KEYS.renderer);
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

export function readPlace(): Place {
  const [track, row] = state.get(KEYS.slice).split(".").map(Number);
  return {
    view: readRange(KEYS.view),
    range: readRange(KEYS.range),
    slice: track !== undefined && row !== undefined && track >= 0 && row >= 0 ? { track, row } : null,
  };
}

export function writePlace(place: Place): void {
  state.set({
    [KEYS.view]: writeRange(place.view),
    [KEYS.range]: writeRange(place.range),
    [KEYS.slice]: place.slice ? `${place.slice.track}.${place.slice.row}` : "",
  });
}
