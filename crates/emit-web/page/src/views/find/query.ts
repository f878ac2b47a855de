// The words of a search, made ready for a million rows.
//
// Words are parted by blanks and must all hold. `name:`, `type:`, `kernel:`, `layer:` (part of its name, or `#` and its id), `engine:`, `core:`, `idx:`, `id:`, `addr:`, `slower:`, `quality:` before a
// word say where to look. `gap` asks for gaps, `gap:` and a text for those with such a cause; a layer or kernel of a gap is that of the command after it.
// Without: a text is looked for in function names, types, kernels and layers; a decimal number also is a global index or command id;
// 0x… is an address: a command matches whose source or destination is at it, or whose first `bytes` from there hold it.
import type { Track } from "../../data/page";
import type { Rows } from "./rows";

/** Whether a row of the track at hand matches. */
type Matcher = (row: number) => boolean;

/** Makes a matcher for each track. */
export interface Term {
  facts: boolean;
  on(rows: Rows, at: number): Matcher;
}

const PREFIXES = ["name", "type", "kernel", "layer", "engine", "core", "idx", "id", "addr", "slower", "quality"] as const;
type Prefix = (typeof PREFIXES)[number];

export function readQuery(query: string): Term[] {
  return query.split(/\s+/).filter(Boolean).map(readTerm);
}

function readTerm(word: string): Term {
  const colon = word.indexOf(":");
  const prefix = PREFIXES.find((p) => colon > 0 && word.slice(0, colon).toLowerCase() === p);
  const rest = prefix ? word.slice(colon + 1) : word;
  const number = /^(0x[0-9a-f]+|\d+)$/i.test(rest) ? Number(rest) : NaN;
  const isAddress = /^0x/i.test(rest);
  const looks: Term[] = [];
  if (isGap(word)) return onGaps(word.slice("gap:".length));
  if (prefix === "core") return onTracks((track) => String(track.head.core) === rest);
  if (prefix === "engine") return onTracks((track) => track.engine.toLowerCase() === rest.toLowerCase());
  if (prefix === "type") return inTypes(rest);
  if (prefix === "slower") return slowerThan(Number(rest) || 1);
  if (prefix === "quality") return ofQuality(rest);
  const at = (p: Prefix): boolean => prefix === p || prefix === undefined;
  if (at("name")) looks.push(inNames(rest));
  if (at("kernel")) looks.push(inKernels(rest));
  if (at("layer")) looks.push(inLayers(rest));
  if (at("idx") && !isAddress && !Number.isNaN(number)) looks.push({ facts: false, on: () => (row) => row === number });
  if (at("id") && !isAddress && !Number.isNaN(number)) looks.push(equals("id", number));
  if (!Number.isNaN(number) && (prefix === "addr" || (prefix === undefined && isAddress))) looks.push(atAddress(number));
  return any(looks);
}

/** Whether a word asks for gaps: `gap`, or `gap:` and a part of the cause. */
export function isGap(word: string): boolean {
  return /^gap(:|$)/i.test(word);
}

/** Gaps whose cause holds the text. */
function onGaps(text: string): Term {
  const wanted = text.toLowerCase().replaceAll("_", " ");
  return {
    facts: false,
    on: ({ page, tracks, times }, at) => {
      if (tracks[at]!.kind !== "gap") return () => false;
      const { name } = times[at]!;
      return (row) => page.nameText(name[row]!).includes(wanted);
    },
  };
}

/** All rows of the tracks that suit. */
function onTracks(suits: (track: Track) => boolean): Term {
  return { facts: false, on: ({ tracks }, at) => (suits(tracks[at]!) ? () => true : () => false) };
}

/** Rows that took at least so many times what their bits explain. */
function slowerThan(times: number): Term {
  return {
    facts: true,
    on: ({ facts, times: all }, at) => {
      const expected = facts[at]?.expected;
      const { dur } = all[at]!;
      return expected ? (row) => expected[row]! > 0 && dur[row]! >= times * expected[row]! : () => false;
    },
  };
}

/** Commands that are known so well. Where a track does not say, all are sure. */
function ofQuality(text: string): Term {
  const wanted = text.toLowerCase();
  return {
    facts: true,
    on: ({ page, tracks, facts }, at) => {
      const column = facts[at]?.quality;
      if (!column) return tracks[at]!.isEngine && wanted === "sure" ? () => true : () => false;
      return (row) => page.text(column[row]!) === wanted;
    },
  };
}

function inTypes(text: string): Term {
  const wanted = text.toLowerCase();
  return {
    facts: false,
    on: ({ page, times }, at) => {
      const hits = page.head.names.map((_, name) => page.typeText(name).toLowerCase().includes(wanted));
      const { name } = times[at]!;
      return (row) => hits[name[row]!] === true;
    },
  };
}

function any(terms: Term[]): Term {
  return {
    facts: terms.some((term) => term.facts),
    on: (rows, at) => {
      const matchers = terms.map((term) => term.on(rows, at));
      if (matchers.length === 1) return matchers[0]!;
      return (row) => matchers.some((m) => m(row));
    },
  };
}

function inNames(text: string): Term {
  const wanted = text.toLowerCase();
  return {
    facts: false,
    on: ({ page, times }, at) => {
      const hits = page.head.names.map((n) => page.text(n.name).toLowerCase().includes(wanted) || page.text(n.type).toLowerCase().includes(wanted));
      const { name } = times[at]!;
      return (row) => hits[name[row]!] === true;
    },
  };
}

function inKernels(text: string): Term {
  const wanted = text.toLowerCase();
  return { facts: true, on: (rows, at) => withKernel(rows, at, (name) => name.toLowerCase().includes(wanted)) };
}

/** Rows whose layer's name or block holds the text; `#12` is the layer with this id. */
function inLayers(text: string): Term {
  const wanted = text.toLowerCase();
  const id = /^#(\d+)$/.exec(text)?.[1];
  return {
    facts: true,
    on: ({ page, facts }, at) => {
      const column = facts[at]?.layer;
      if (!column) return () => false;
      const hits = page.head.layers.map((layer, n) => (id !== undefined ? layer.id === Number(id) : `${page.layerTitle(n)} ${page.text(layer.block)}`.toLowerCase().includes(wanted)));
      return (row) => hits[column[row]!] === true;
    },
  };
}

/** Rows whose kernel's name suits. */
export function withKernel({ page, facts }: Rows, at: number, suits: (name: string) => boolean): Matcher {
  const { tag: tags, kernel: own } = facts[at] ?? {};
  if (!tags) return () => false;
  const hits = page.head.kernels.map((kernel) => suits(page.text(kernel)));
  if (own) return (row) => hits[own[row]!] === true;
  return (row) => hits[page.tag(tags[row]!).kernel] === true;
}

function equals(key: string, number: number): Term {
  return {
    facts: true,
    on: ({ facts }, at) => {
      const column = facts[at]?.[key];
      return column ? (row) => column[row] === number : () => false;
    },
  };
}

function atAddress(address: number): Term {
  return {
    facts: true,
    on: ({ facts }, at) => {
      const { src, dst, bytes } = facts[at] ?? {};
      const holds = (start: Float64Array | undefined, row: number): boolean => {
        const from = start?.[row] ?? -1;
        return from >= 0 && address >= from && address < from + Math.max(bytes?.[row] ?? 1, 1);
      };
      return (row) => holds(src, row) || holds(dst, row);
    },
  };
}
