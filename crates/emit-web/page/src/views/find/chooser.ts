// Which columns the table has.
import { h, put } from "../../ui/dom";
import { type Text, t } from "../../ui/i18n";
import { COLUMNS, type Column, titleOf } from "../../query/columns";

const TEXTS = {
  columns: ["Columns", "列"],
  usual: ["Default", "默认"],
} satisfies Record<string, Text>;

/** A menu of columns; `choose` gets the keys, none for the default. */
export function chooser(shown: () => Column[], choose: (keys: string[]) => void): HTMLElement {
  const list = h("div", { class: "chooser-list" });
  const menu = h("details", { id: "find-columns", class: "chooser", ontoggle: fill }, h("summary", null, t(TEXTS.columns)), list);

  function fill(): void {
    const keys = new Set(shown().map((c) => c.key));
    put(list, ...COLUMNS.map((column) => h("label", null, h("input", {
      type: "checkbox", value: column.key, checked: keys.has(column.key),
      onchange: (e: Event) => {
        if ((e.target as HTMLInputElement).checked) keys.add(column.key);
        else keys.delete(column.key);
        choose([...keys]);
      },
    }), titleOf(column))),
    h("button", { type: "button", onclick: () => {
      choose([]);
      fill();
    } }, t(TEXTS.usual)));
  }

  document.addEventListener("pointerdown", (e) => {
    if (menu.open && !menu.contains(e.target as Node)) menu.open = false;
  });
  menu.addEventListener("keydown", (e) => {
    if (e.key === "Escape") menu.open = false;
  });
  return menu;
}
