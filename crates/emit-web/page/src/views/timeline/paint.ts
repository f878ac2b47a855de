// What colour a slice has, by the options in use.
import type { Page, Track } from "../../data/page";
import { type Query, readQuery } from "../../query/query";
import type { Hits } from "./hits";
import type { Options } from "./options";
import type { TrackData } from "./trackdata";
import { heatColour } from "./heat";
import { type ColourSet, Colours, type Ground, packed, systemColour, typeKey } from "./palette";

/** 1 for waits, sends and the like, by index into `names`. */
export function waitNames(page: Page): Uint8Array {
  return Uint8Array.from(page.head.names, (n) => (n.role === "work" ? 0 : 1));
}

/** Opacity of what a filter leaves out. */
const DIMMED = 0.14;

export class Paint {
  /** Colour by index into `names`, for commands and for all else. */
  private readonly command: Uint32Array;
  private readonly other: Uint32Array;
  /** Colour by index into `tags`; null unless colours go by kernel. */
  private readonly byTag: Uint32Array | null;
  /** Colours go by what the bits explain. */
  readonly byExpected: boolean;
  /** Below this many times what the bits explain a command is dimmed. */
  readonly slower: number;
  private readonly unknown: number;
  /** What is searched for. */
  readonly query: Query;
  readonly searched: string;
  /** 1 for waits, sends and the like, by index into `names`. */
  readonly hatch: Uint8Array;

  constructor(
    page: Page,
    readonly ground: Ground,
    options: Options,
    colourOf: Palettes,
  ) {
    const { names } = page.head;
    const grey = packed(systemColour(ground.dark));
    const only = new Set(options.only);
    this.searched = options.mark;
    this.query = readQuery(page, options.mark);
    const marks = this.query.names ?? (() => true);
    this.hatch = waitNames(page);
    const make = (ofCommand: boolean) =>
      Uint32Array.from(names, (name, i) => {
        const hex = ofCommand ? colourOf.types.get(typeKey(page.text(name.type), name.way)) : colourOf.of(page.text(name.type), page.text(name.name));
        const stands = (!ofCommand || only.size === 0 || only.has(page.text(name.type))) && marks(page.text(name.name));
        const full = this.hatch[i] ? grey : packed(hex ?? "#888888");
        return stands ? full : ((Math.round(255 * DIMMED) << 24) | (full & 0xffffff)) >>> 0;
      });
    this.command = make(true);
    this.other = make(false);
    const unknown = (this.unknown = packed(ground.muted));
    this.byExpected = options.colour === "expected";
    this.slower = options.slower;
    this.byTag = options.colour === "kernel" ? Uint32Array.from({ length: page.head.tags.rows }, (_, tag) => {
      const hex = colourOf.kernels.get(page.kernelOfTag(tag));
      return hex ? packed(hex) : unknown;
    }) : null;
  }

  /** Which of the track's slices are searched for; null where their names say it, and until it is known. */
  hits(data: TrackData): Hits | null {
    const { names, problems } = this.query;
    return names || problems.length > 0 ? null : data.wantHits(this.searched, this.query);
  }

  /** The colour of what is not searched for. */
  dimmed(colour: number): number {
    return withOpacity(colour, DIMMED);
  }

  /** Whether the colour of the track's commands depends on what their bits explain. */
  needsExpected(track: Track): boolean {
    return track.isEngine && (this.byExpected || this.slower > 0);
  }

  /** The colour of a command that took so many times what its bits explain; 0: not known. `colour` is what it has else. */
  heat(colour: number, times: number): number {
    const own = !this.byExpected ? colour : times === 0 ? withOpacity(this.unknown, 0.35) : packed(heatColour(this.ground.dark, times));
    return this.slower > 0 && times < this.slower ? withOpacity(own, DIMMED) : own;
  }

  /** Whether the colour of the track's commands depends on their tag. */
  needsTag(track: Track): boolean {
    return this.byTag !== null && track.isEngine;
  }

  /** Colours by name of the track's slices. */
  names(track: Track): Uint32Array {
    return track.isEngine ? this.command : this.other;
  }

  /** Of a name and tag; `tag` is -1 where it is not known (yet). */
  of(names: Uint32Array, name: number, tag: number): number {
    const colour = names[name] ?? 0xff888888;
    if (tag < 0 || !this.byTag || this.hatch[name]) return colour;
    return ((colour & 0xff000000) | (this.byTag[tag]! & 0xffffff)) >>> 0;
  }
}

function withOpacity(colour: number, opacity: number): number {
  return ((Math.round(255 * opacity) << 24) | (colour & 0xffffff)) >>> 0;
}

/** Colours that stay for as long as the page is open: a set for each kind of thing. */
export interface Palettes {
  types: Colours;
  kernels: Colours;
  /** Of a slice that is no command: a kernel, a layer or a host operator. */
  of(type: string, name: string): string | undefined;
}

export function palettes(page: Page): Palettes {
  const texts: Record<ColourSet, string[]> = { function: [], kernel: page.head.kernels.map((kernel) => page.text(kernel)), layer: [], host: [] };
  const engineTypes = new Set(page.head.types.flat().map((t) => t.type));
  for (const { type, name, role, way } of page.head.names) {
    if (!engineTypes.has(type)) texts[setOf(page.text(type))].push(page.text(name));
    else if (role === "work") texts.function.push(typeKey(page.text(type), way));
  }
  const colours = { kernel: new Colours("kernel", texts.kernel), layer: new Colours("layer", texts.layer), host: new Colours("host", texts.host) };
  return { types: new Colours("function", texts.function), kernels: colours.kernel, of: (type, name) => colours[setOf(type)].get(name) };
}

/** What a slice that is no command is, by its type: kernels and steps, layers and blocks share colours, host operators have any other type. */
function setOf(type: string): "kernel" | "layer" | "host" {
  if (type === "layer" || type === "block") return "layer";
  return type === "kernel" || type === "step" ? "kernel" : "host";
}
