// What colour a slice has, by the options in use.
import type { Page, Track } from "../../data/page";
import type { Options } from "./options";
import { type Ground, colours, packed, systemColour } from "./palette";

/** Opacity of what a filter leaves out. */
const DIMMED = 0.14;

export class Paint {
  /** Colour by index into `names`, for commands and for all else. */
  private readonly command: Uint32Array;
  private readonly other: Uint32Array;
  /** Colour by index into `tags`; null unless colours go by kernel. */
  private readonly byTag: Uint32Array | null;
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
    const mark = options.mark.toLowerCase();
    this.hatch = Uint8Array.from(names, (n) => (n.role === "work" ? 0 : 1));
    const make = (ofCommand: boolean) =>
      Uint32Array.from(names, (name, i) => {
        const hex = ofCommand ? colourOf.types.get(page.text(name.type)) : colourOf.own.get(page.text(name.name));
        const stands = (!ofCommand || only.size === 0 || only.has(page.text(name.type))) && (mark === "" || page.text(name.name).toLowerCase().includes(mark));
        const full = this.hatch[i] ? grey : packed(hex ?? "#888888");
        return stands ? full : ((Math.round(255 * DIMMED) << 24) | (full & 0xffffff)) >>> 0;
      });
    this.command = make(true);
    this.other = make(false);
    const unknown = packed(ground.muted);
    this.byTag = options.colour === "kernel" ? Uint32Array.from({ length: page.head.tags.rows }, (_, tag) => {
      const hex = colourOf.own.get(page.kernelOfTag(tag));
      return hex ? packed(hex) : unknown;
    }) : null;
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

/** Colours that stay for as long as the page is open: of function types; of kernels, layers and host operators. */
export interface Palettes {
  types: Map<string, string>;
  own: Map<string, string>;
}

export function palettes(page: Page): Palettes {
  const types: string[] = [];
  const own: string[] = [];
  const engineTypes = new Set(page.head.types.flat().map((t) => t.type));
  for (const { type, name, role } of page.head.names) {
    if (engineTypes.has(type)) {
      if (role === "work") types.push(page.text(type));
    } else own.push(page.text(name));
  }
  for (const kernel of page.head.kernels) own.push(page.text(kernel));
  return { types: colours(types), own: colours(own) };
}
