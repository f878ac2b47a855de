// The colours in use, always in sight: functions by time, or kernels where these give the colours.
import { h, put } from "../../ui/dom";
import { t } from "../../ui/i18n";
import type { Scene } from "./scene";
import { HEAT, SLOW, heatColour } from "./heat";
import { typeKey } from "./palette";
import { TEXTS } from "./texts";

/** Names that the strip holds at most; the menu of functions has all. */
const MOST = 14;

interface Key {
  text: string;
  /** What is shown; the text if absent. */
  words?: string;
  colour: string | undefined;
}

export class LegendStrip {
  readonly element = h("div", { class: "tl-strip", "aria-label": t(TEXTS.legend) });
  private readonly types: { text: string; key: string }[];
  private readonly kernels: string[];

  constructor(private readonly scene: Scene) {
    const { page } = scene;
    const totals = new Map<string, number>();
    for (const { type, ns } of page.head.types.flat()) {
      const text = page.text(type);
      if (scene.palettes.types.get(text)) totals.set(text, (totals.get(text) ?? 0) + ns);
    }
    const ways = new Map<string, Set<string>>();
    for (const { type, role, way } of page.head.names) {
      const text = page.text(type);
      if (role === "work") ways.set(text, (ways.get(text) ?? new Set()).add(typeKey(text, way)));
    }
    this.types = [...totals].sort(([, a], [, b]) => b - a).flatMap(([text]) => [...(ways.get(text) ?? [text])].sort().map((key) => ({ text, key })));
    this.kernels = page.head.topKernels.map((k) => page.text(page.head.kernels[k.kernel] ?? -1));
  }

  update(): void {
    const { scene } = this;
    const { colour, only } = scene.options;
    if (colour === "expected") return this.heat();
    const byKernel = colour === "kernel";
    const all: Key[] = byKernel
      ? this.kernels.map((text) => ({ text, colour: scene.palettes.kernels.get(text) }))
      : this.types.map(({ text, key }) => ({ text, words: key, colour: scene.palettes.types.get(key) }));
    const shown = all.slice(0, MOST);
    put(this.element,
      h("span", { class: "tl-key" }, h("i", { class: "tl-system" }), t(TEXTS.systemKey)),
      ...shown.map((key) => (byKernel ? this.key(key) : this.button(key, only))),
      all.length > shown.length && h("span", { class: "muted" }, t(TEXTS.moreKeys, all.length - shown.length)));
    this.element.title = t(byKernel ? TEXTS.legendKernels : TEXTS.legend);
  }

  private heat(): void {
    const { paint, options } = this.scene;
    const { dark } = paint.ground;
    const isOn = options.slower > 0;
    const slower = h("button", { class: "tl-chip", "aria-pressed": String(isOn), title: t(TEXTS.onlySlowerHint, SLOW), onclick: () => this.scene.choose({ slower: isOn ? 0 : SLOW }) }, t(TEXTS.onlySlower));
    const steps = HEAT.map(({ from }, at) => this.key({ text: at === 0 ? t(TEXTS.asExpected) : t(TEXTS.timesExpected, from), colour: heatColour(dark, from) }));
    put(this.element, h("span", { class: "tl-key" }, h("i", { class: "tl-system" }), t(TEXTS.systemKey)), ...steps, slower);
    this.element.title = t(TEXTS.byExpectedHint);
  }

  private key({ text, colour }: Key): HTMLElement {
    return h("span", { class: "tl-key" }, h("i", { style: { background: colour ?? "" } }), text);
  }

  private button({ text, words, colour }: Key, only: string[]): HTMLElement {
    const toggle = () => this.scene.choose({ only: only.includes(text) ? only.filter((o) => o !== text) : [...only, text] });
    return h("button", { class: "tl-key quiet", "aria-pressed": String(only.includes(text)), onclick: toggle }, h("i", { style: { background: colour ?? "" } }), words ?? text);
  }
}
