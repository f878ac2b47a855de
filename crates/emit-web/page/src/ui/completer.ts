// A list of suggestions under a text field: arrow keys and Enter, or a click, take one.
import { h, put } from "./dom";

export interface Choice {
  text: string;
  hint: string;
}

/** What could stand at the caret: each choice replaces the letters from `from` to `to`. */
export interface Choices {
  from: number;
  to: number;
  list: Choice[];
}

let made = 0;

/** Makes a field a combobox. Returns the list, which has to stand next to the field in an element with a position. */
export function completer(field: HTMLInputElement, label: string, choicesOf: (text: string, caret: number) => Promise<Choices>): HTMLElement {
  const list = h("ul", { role: "listbox", id: `completer-${made++}`, class: "completer", "aria-label": label, hidden: true });
  let choices: Choices = { from: 0, to: 0, list: [] };
  let active = -1;
  let asked = 0;
  for (const [key, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": list.id })) field.setAttribute(key, value);

  const close = () => {
    asked++;
    list.hidden = true;
    active = -1;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  };
  const show = async () => {
    const mine = ++asked;
    const caret = field.selectionStart ?? 0;
    const found = caret === field.selectionEnd ? await choicesOf(field.value, caret) : { from: 0, to: 0, list: [] };
    if (mine !== asked || document.activeElement !== field) return;
    if (found.list.length === 0) return close();
    choices = found;
    active = -1;
    put(list, ...found.list.map(({ text, hint }, at) => h("li", {
      role: "option", id: `${list.id}-${at}`, "aria-selected": "false",
      onpointerdown: (event: Event) => {
        event.preventDefault();
        take(at);
      },
    }, h("b", null, text), h("span", { class: "muted" }, hint))));
    list.hidden = false;
    field.setAttribute("aria-expanded", "true");
    field.removeAttribute("aria-activedescendant");
  };
  const take = (at: number) => {
    const { from, to, list: all } = choices;
    const { text } = all[at]!;
    field.value = field.value.slice(0, from) + text + field.value.slice(to);
    field.setSelectionRange(from + text.length, from + text.length);
    close();
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const mark = (at: number) => {
    active = (at + choices.list.length) % choices.list.length;
    [...list.children].forEach((option, i) => option.setAttribute("aria-selected", String(i === active)));
    list.children[active]?.scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", `${list.id}-${active}`);
  };
  field.addEventListener("input", () => void show());
  field.addEventListener("blur", close);
  // Before the field's own keys: while the list is open, they are the list's.
  field.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    if (event.key === "ArrowDown") mark(active + 1);
    else if (event.key === "ArrowUp") mark(active < 0 ? -1 : active - 1);
    else if (event.key === "Enter" && active >= 0) take(active);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
  return list;
}
