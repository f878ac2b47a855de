// Bars that show shares, as elements.
import { h } from "./dom";

export interface Part {
  /** Of the bar's whole length, 0..1. */
  share: number;
  /** A CSS colour. */
  color: string;
  /** Shown when the pointer rests on it. */
  title: string;
}

/** A horizontal bar of parts, one after the other; what is left stays empty. */
export function stack(parts: Part[], label: string): HTMLElement {
  return h("div", { class: "bar", role: "img", "aria-label": label },
    ...parts.filter((p) => p.share > 0).map((p) =>
      h("i", { title: p.title, style: { width: `${Math.min(p.share, 1) * 100}%`, background: p.color } })));
}

/** A square in a colour, for legends. */
export function swatch(color: string): HTMLElement {
  return h("i", { class: "swatch", style: { background: color } });
}

/** What a colour of the style sheet stands for. */
export function legendKey(color: string, text: string): HTMLElement {
  return h("span", null, swatch(`var(${color})`), text);
}
