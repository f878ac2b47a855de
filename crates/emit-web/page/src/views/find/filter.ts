// What the find view is asked for, and how it is in the URL's fragment: keys with `f.` before them.
import type { NameHead } from "../../data/generated";
import * as state from "../../ui/state";

export interface Filter {
  /** Words and numbers, see `query.ts`. */
  q: string;
  /** Name of a kernel, exactly. */
  kernel: string;
  /** Number of a core or port. */
  core: string;
  /** Kind of a track; "" all engines. */
  engine: string;
  /** Function type, exactly. */
  type: string;
  role: NameHead["role"] | "";
  /** Bounds: durations such as `10us`, bandwidths in GB/s, rates in %. */
  dmin: string;
  dmax: string;
  bmin: string;
  bmax: string;
  umin: string;
  umax: string;
}

const KEYS: (keyof Filter)[] = ["q", "kernel", "core", "engine", "type", "role", "dmin", "dmax", "bmin", "bmax", "umin", "umax"];

/** A filter as keys of the page's state; all that is not given is removed, so is a selection. */
export function findState(filter: Partial<Filter>): Record<string, string> {
  return { ...Object.fromEntries(KEYS.map((key) => [`f.${key}`, filter[key] ?? ""])), "f.row": "" };
}

/** The filter that the page's state holds. */
export function readFilter(): Filter {
  return Object.fromEntries(KEYS.map((key) => [key, state.get(`f.${key}`)])) as unknown as Filter;
}

const UNITS: Record<string, number> = { "": 1, ns: 1, us: 1e3, "µs": 1e3, ms: 1e6, s: 1e9 };

/** A duration in ns, such as `250`, `10us`, `1.5 ms`; null if it is none. */
export function readDuration(text: string): number | null {
  const found = /^\s*(\d+(?:\.\d+)?)\s*([a-zµ]*)\s*$/i.exec(text);
  const unit = found && UNITS[found[2]!.toLowerCase()];
  return found && unit ? Number(found[1]) * unit : null;
}

/** A number, with or without %; null if it is none. */
export function readNumber(text: string): number | null {
  const found = /^\s*(\d+(?:\.\d+)?)\s*%?\s*$/.exec(text);
  return found ? Number(found[1]) : null;
}
