// The row of choices above the plot. It is built once and updated in place, so that the focus stays where it is.
import type { TrackKind } from "../../data/head";
import { h, put } from "../../ui/dom";
import { t } from "../../ui/i18n";
import { Legend } from "./legend";
import type { Scene } from "./scene";
import { TEXTS } from "./texts";

const KINDS: TrackKind[] = ["layer", "kernel", "tiu", "gdma", "sdma", "cdma", "host"];

export class Toolbar {
  private readonly updates: (() => void)[] = [];

  constructor(
    root: HTMLElement,
    private readonly scene: Scene,
    help: () => void,
  ) {
    const mark = h("input", { type: "search", class: "tl-mark", placeholder: t(TEXTS.mark), "aria-label": t(TEXTS.mark), oninput: () => scene.choose({ mark: mark.value }) });
    this.updates.push(() => {
      if (document.activeElement !== mark) mark.value = scene.options.mark;
    });
    const legend = new Legend(scene);
    this.updates.push(() => legend.update());
    put(root,
      this.cores(),
      this.kinds(),
      this.set(
        this.chip(t(TEXTS.lines), () => scene.options.lines, () => scene.choose({ lines: !scene.options.lines }), t(TEXTS.linesHint)),
        this.chip(t(TEXTS.bars), () => scene.options.bars, () => scene.choose({ bars: !scene.options.bars }), t(TEXTS.barsHint)),
      ),
      this.set(
        this.chip(t(TEXTS.byType), () => scene.options.colour === "type", () => scene.choose({ colour: "type" }), t(TEXTS.colourHint)),
        this.chip(t(TEXTS.byKernel), () => scene.options.colour === "kernel", () => scene.choose({ colour: "kernel" }), t(TEXTS.colourHint)),
      ),
      legend.element,
      mark,
      h("span", { class: "tl-set tl-end" },
        h("button", { class: "tl-chip", title: t(TEXTS.fitHint), onclick: () => scene.fit() }, t(TEXTS.fit)),
        h("button", { class: "tl-chip", title: t(TEXTS.zoomSelectionHint), onclick: () => void scene.zoomToSelection() }, t(TEXTS.zoomSelection)),
        h("button", { class: "tl-chip", title: t(TEXTS.help), "aria-label": t(TEXTS.help), onclick: help }, "?"),
      ),
    );
    this.update();
  }

  update(): void {
    for (const update of this.updates) update();
  }

  private set(...children: (Node | false)[]): HTMLElement {
    return h("span", { class: "tl-set", role: "group" }, ...children);
  }

  /** A button that is on or off. */
  private chip(text: string, on: () => boolean, onclick: (event: MouseEvent) => void, title?: string): HTMLElement {
    const button = h("button", { class: "tl-chip", title, onclick }, text);
    this.updates.push(() => button.setAttribute("aria-pressed", String(on())));
    return button;
  }

  private cores(): HTMLElement | false {
    const { scene } = this;
    const all = scene.groups.filter((g) => g.id.startsWith("core")).map((g) => Number(g.id.slice(4)));
    if (all.length < 2) return false;
    const toggle = (core: number) => {
      const now = scene.options.cores ?? [];
      const next = now.includes(core) ? now.filter((c) => c !== core) : [...now, core].sort((a, b) => a - b);
      scene.choose({ cores: next.length === 0 || next.length === all.length ? null : next });
    };
    return this.set(
      h("span", { class: "muted" }, t(TEXTS.cores)),
      this.chip(t(TEXTS.all), () => scene.options.cores === null, () => scene.choose({ cores: null })),
      ...all.map((core) => this.chip(String(core), () => scene.options.cores?.includes(core) ?? false, () => toggle(core), t(TEXTS.coreHint, core))),
    );
  }

  private kinds(): HTMLElement {
    const { scene } = this;
    const present = KINDS.filter((kind) => scene.page.tracks.some((track) => track.kind === kind && track.head.events > 0));
    const name = (kind: TrackKind) => (kind === "layer" ? t(TEXTS.layers) : kind === "kernel" ? t(TEXTS.kernels) : kind === "host" ? t(TEXTS.host) : kind.toUpperCase());
    const toggle = (kind: TrackKind) => {
      const { hidden } = scene.options;
      scene.choose({ hidden: hidden.includes(kind) ? hidden.filter((k) => k !== kind) : [...hidden, kind] });
    };
    return this.set(...present.map((kind) => this.chip(name(kind), () => !scene.options.hidden.includes(kind), () => toggle(kind), t(TEXTS.kindHint, name(kind)))));
  }
}
