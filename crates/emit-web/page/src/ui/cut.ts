// Names that may be longer than their place: the middle is left out, since names that are alike differ at their ends.
import { h } from "./dom";

/** Letters at the end that always stay. */
const END = 10;
/** Shorter names are not cut. */
const SHORT = 2 * END;

/** A name whose middle is left out where there is no room for all of it; its text is whole. */
export function cut(name: string): Node | string {
  if (name.length <= SHORT) return name;
  return h("span", { class: "cut", title: name }, h("span", null, name.slice(0, -END)), h("span", null, name.slice(-END)));
}
