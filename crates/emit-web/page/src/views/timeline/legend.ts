// The colours in use, with a choice of what stands out.
import { h, put } from "../../ui/dom";
import { duration } from "../../ui/format";
import { t } from "../../ui/i18n";
import { closeOutside } from "./menu";
import type { Scene } from "./scene";
import { TEXTS } from "./texts";

/** A button that opens the list of function types, the longest first, and of kernels where they give the colours. */
export class Legend {
  private readonly summary = h("summary", { class: "tl-chip", title: t(TEXTS.functionsHint) });
  private readonly clear: HTMLElement;
  private readonly kernels: HTMLElement;
  private readonly boxes: { text: string; box: HTMLInputElement; swatch: HTMLElement }[] = [];
  private readonly marks: (() => void)[] = [];
  readonly element: HTMLDetailsElement;

  constructor(private readonly scene: Scene) {
    const { page } = scene;
    const totals = new Map<number, number>();
    for (const { type, ns } of page.head.types.flat()) totals.set(type, (totals.get(type) ?? 0) + ns);
    const rows = [...totals].sort(([, a], [, b]) => b - a).map(([type, ns]) => this.row(page.text(type), ns));
    const names = [...new Set(page.head.kernels.map((kernel) => page.text(kernel)))].sort();
    this.kernels = h("div", null, ...names.map((text) => h("div", { class: "tl-key" }, this.mark(() => scene.palettes.kernels.get(text)), h("span", { class: "tl-name", title: text }, text))), h("hr"));
    this.clear = h("button", { class: "quiet", onclick: () => scene.choose({ only: [] }) }, t(TEXTS.clear));
    this.element = h("details", { class: "tl-menu" }, this.summary, h("div", { class: "tl-list" }, this.kernels, ...rows, this.clear));
    closeOutside(this.element);
  }

  private row(text: string, ns: number): HTMLElement {
    const box = h("input", { type: "checkbox", onchange: () => this.toggle(text) });
    const mark = this.mark(() => this.scene.palettes.types.get(text));
    this.boxes.push({ text, box, swatch: mark });
    return h("label", { class: "tl-key" }, box, mark, h("span", { class: "tl-name" }, text), h("span", { class: "num muted" }, duration(ns, 1)));
  }

  /** A square in a colour, which follows the theme. */
  private mark(colour: () => string | undefined): HTMLElement {
    const element = h("i");
    this.marks.push(() => {
      const now = colour();
      // Without a colour it is that of waits and sends.
      element.className = now ? "" : "tl-system";
      element.style.background = now ?? "";
    });
    return element;
  }

  private toggle(text: string): void {
    const { only } = this.scene.options;
    this.scene.choose({ only: only.includes(text) ? only.filter((o) => o !== text) : [...only, text] });
  }

  update(): void {
    const { only, colour } = this.scene.options;
    put(this.summary, `${t(TEXTS.functions)}${only.length > 0 ? ` (${only.length})` : ""} ▾`);
    this.summary.setAttribute("aria-pressed", String(only.length > 0));
    this.clear.hidden = only.length === 0;
    this.kernels.hidden = colour !== "kernel";
    for (const mark of this.marks) mark();
    for (const { text, box, swatch } of this.boxes) {
      box.checked = only.includes(text);
      swatch.hidden = colour === "kernel";
    }
  }
}
