// What is changed in a prediction, as `bigtpuprofile whatif --scale` takes it.
import type { TrackKind } from "../data/generated";

/** What can be made faster or slower: `ddr`, `core:2`, `kernel:rope`. */
export type Resource =
  | { kind: "engine"; engine: TrackKind }
  | { kind: "ddr" | "l2m" | "link" | "launch" | "sync" }
  | { kind: "core"; core: number }
  | { kind: "kernel" | "layer"; pattern: string };

export interface Change {
  resource: Resource;
  /** Of speed or bandwidth; of time for what `isTime` says. May be infinite. */
  factor: number;
}

/** All but cores, kernels and layers, in the order of the command. */
export const NAMED: Resource[] = [
  ...(["tiu", "gdma", "sdma", "cdma"] as const).map((engine) => ({ kind: "engine", engine }) as const),
  ...(["ddr", "l2m", "link", "launch", "sync"] as const).map((kind) => ({ kind })),
];

/** Whether a factor is one of time; else it is one of speed. */
export function isTime({ kind }: Resource): boolean {
  return ["launch", "sync", "core", "kernel", "layer"].includes(kind);
}

/** Whether only the part of a transfer's time changes that depends on a bandwidth. */
export function isBandwidth({ kind }: Resource): boolean {
  return ["ddr", "l2m", "link"].includes(kind);
}

/** Its name on the command line. */
export function resourceName(resource: Resource): string {
  switch (resource.kind) {
    case "engine": return resource.engine;
    case "core": return `core:${resource.core}`;
    case "kernel":
    case "layer": return `${resource.kind}:${resource.pattern}`;
    default: return resource.kind;
  }
}

/** The change that makes a resource `speed` times as fast. */
export function faster(resource: Resource, speed: number): Change {
  return { resource, factor: isTime(resource) ? 1 / speed : speed };
}

/** What the times that the resource is responsible for are multiplied by. */
export function timeFactor({ resource, factor }: Change): number {
  return isTime(resource) ? factor : 1 / factor;
}

/** Of several changes of a resource together. */
export function product(changes: Change[]): number {
  return changes.reduce((all, change) => all * timeFactor(change), 1);
}

/** Whether a name is as a pattern says, in which `*` is any text and `?` any character. */
export function nameMatches(pattern: string, name: string): boolean {
  const source = Array.from(pattern, (c) => (c === "*" ? "[^]*" : c === "?" ? "[^]" : c.replace(/[\\^$.|+()[\]{}/-]/, "\\$&"))).join("");
  return new RegExp(`^${source}$`, "u").test(name);
}

/** `ddr=2` as a change; null where it is none. */
export function readChange(text: string): Change | null {
  const at = text.lastIndexOf("=");
  const [what, factor] = [text.slice(0, at), Number(text.slice(at + 1))];
  const resource = at > 0 && readResource(what);
  if (!resource || text.slice(at + 1) === "" || !(factor >= 0)) return null;
  return factor > 0 || isTime(resource) ? { resource, factor } : null;
}

function readResource(what: string): Resource | null {
  const named = NAMED.find((resource) => resourceName(resource) === what);
  if (named) return named;
  const core = /^core:(\d+)$/.exec(what);
  if (core) return { kind: "core", core: Number(core[1]) };
  const of = /^(kernel|layer):(.+)$/s.exec(what);
  return of ? { kind: of[1] as "kernel" | "layer", pattern: of[2]! } : null;
}

/** A change as `--scale` takes it. */
export function changeText({ resource, factor }: Change): string {
  return `${resourceName(resource)}=${factor}`;
}
