// The menu of rows: which engines are left out, and the way back from pins and order.
import { h, put } from "../../ui/dom";
import { choice } from "../../ui/fields";
import { t } from "../../ui/i18n";
import { closeOutside } from "./menu";
import type { Scene } from "./scene";
import { TEXTS } from "./texts";

/** Shares of the time in percent. */
const SHARES = [0, 1, 5, 10, 25, 50];

export class RowsMenu {
  private readonly summary = h("summary", { class: "tl-chip", title: t(TEXTS.rowsHint) });
  private readonly least: HTMLSelectElement;
  private readonly reset: HTMLElement;
  readonly element: HTMLDetailsElement;

  constructor(private readonly scene: Scene) {
    this.least = choice("tl-least", SHARES.map((share) => [String(share), share === 0 ? t(TEXTS.none) : `${share}%`]), "0", (value) => scene.choose({ least: Number(value) }));
    this.reset = h("button", { class: "tl-chip", id: "tl-reset-rows", onclick: () => scene.choose({ pinned: [], order: [] }) }, t(TEXTS.resetRows));
    this.element = h("details", { class: "tl-menu" }, this.summary,
      h("div", { class: "tl-list" }, h("label", { class: "tl-key" }, h("span", { class: "tl-name" }, t(TEXTS.least)), this.least), h("p", { class: "muted" }, t(TEXTS.rowsHelp)), this.reset));
    closeOutside(this.element);
  }

  update(): void {
    const { least, pinned, order } = this.scene.options;
    const changed = least > 0 || pinned.length > 0 || order.length > 0;
    put(this.summary, `${t(TEXTS.rows)} ▾`);
    this.summary.setAttribute("aria-pressed", String(changed));
    if (![...this.least.options].some((option) => Number(option.value) === least)) this.least.append(h("option", { value: least }, `${least}%`));
    this.least.value = String(least);
    this.reset.hidden = pinned.length === 0 && order.length === 0;
  }
}
