// The fields that a query may name on a page: the columns, an address, and the register fields of this dump.
import type { Page } from "../data/page";
import { registerNames } from "../data/registers";
import type { Text } from "../ui/i18n";
import { COLUMNS, type Column } from "./columns";
import type { Kind } from "./units";

/** A field that is no column: it looks at more than one value of a command. */
export interface Special {
  name: "addr" | "slower" | "gap";
  kind: Kind;
  title: Text;
}

export const SPECIAL: Special[] = [
  { name: "addr", kind: "address", title: ["Address within the source or the destination", "源或目的范围内的地址"] },
  { name: "slower", kind: "times", title: ["At least so many times what the bits explain", "至少为指令位所解释时间的若干倍"] },
  { name: "gap", kind: "text", title: ["Gaps with this cause", "该原因的间隙"] },
];

export type Field = { column: Column } | { special: Special } | { register: string; isShadowed: boolean };

/** Names are the same with blanks or `_`, and with capital or small letters. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(" ", "_");
}

const known = new WeakMap<Page, Map<string, Field>>();

/** By plain name: all fields. A register field that has the name of a column is `reg.NAME`. */
export function fieldsOf(page: Page): Map<string, Field> {
  let fields = known.get(page);
  if (fields) return fields;
  fields = new Map<string, Field>();
  for (const column of COLUMNS) for (const name of [column.key, ...(column.also ?? [])]) fields.set(plainName(name), { column });
  for (const special of SPECIAL) fields.set(special.name, { special });
  for (const register of registersOf(page)) {
    const plain = plainName(register);
    const isShadowed = fields.has(plain);
    fields.set(isShadowed ? `reg.${plain}` : plain, { register, isShadowed });
  }
  known.set(page, fields);
  return fields;
}

/** Names of the register fields that the page's commands have, in the order of the panel. */
export function registersOf(page: Page): string[] {
  return [...new Set(page.tracks.flatMap(({ head }) => registerNames(head.fields)))];
}

/** How a field is written in a query. */
export function nameOf(field: Field): string {
  if ("column" in field) return field.column.key;
  if ("special" in field) return field.special.name;
  const { register, isShadowed } = field;
  if (isShadowed) return `reg.${plainName(register)}`;
  return /^[A-Za-z_][\w.]*$/.test(register) ? register : plainName(register);
}

export function kindOf(field: Field): Kind | "register" {
  return "column" in field ? field.column.kind : "special" in field ? field.special.kind : "register";
}
