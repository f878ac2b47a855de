// Form fields that represent keys of the page's state.
import { h } from "./dom";
import * as state from "./state";

export type Fields = (readonly [key: string, field: HTMLInputElement | HTMLSelectElement])[];

/** Sets fields to what the state says; whether any was different. A link may have changed the state. */
export function follow(fields: Fields): boolean {
  let changed = false;
  for (const [key, field] of fields) {
    if (field.value === state.get(key)) continue;
    field.value = state.get(key);
    changed = true;
  }
  return changed;
}

/** Puts the fields' values into the state. */
export function keep(fields: Fields): void {
  state.set(Object.fromEntries(fields.map(([key, field]) => [key, field.value])));
}

/** A field with choices, the chosen one shown; `chosen` gets the value of another choice. */
export function choice(id: string, options: [value: string, text: string][], value: string, chosen: (value: string) => void): HTMLSelectElement {
  const field = h("select", { id, onchange: () => chosen(field.value) }, ...options.map(([of, text]) => h("option", { value: of, selected: of === value }, text)));
  return field;
}
