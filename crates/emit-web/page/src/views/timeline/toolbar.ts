// The row of choices above the plot. It is built once and updated in place, so that the focus stays where it is.
import type { TrackKind } from "../../data/generated";
import { suggest } from "../../query/complete";
import { sentenceOf } from "../../query/problems";
import { completer } from "../../ui/completer";
import { h, put } from "../../ui/dom";
import { count } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import type { SliceRef } from "../view";
import { kindName, ORDER } from "./kindnames";
import { Legend } from "./legend";
import { LegendStrip } from "./legendstrip";
import { Matches } from "./matches";
import { NotesMenu } from "./notesmenu";
import { RowsMenu } from "./rowsmenu";
import type { Scene } from "./scene";
import { TEXTS } from "./texts";


export class Toolbar {
  private readonly updates: (() => void)[] = [];
  private readonly matches: Matches;
  private readonly notes: NotesMenu;
  private readonly counted = h("span", { class: "muted tl-found", role: "status" });
  private readonly mark: HTMLInputElement = h("input", {
    type: "search", class: "tl-mark", placeholder: t(TEXTS.mark), "aria-label": t(TEXTS.mark), title: t(TEXTS.markHint), autocomplete: "off", spellcheck: "false",
    oninput: () => this.scene.choose({ mark: this.mark.value }),
    onkeydown: (event: KeyboardEvent) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      void this.found(event.shiftKey ? -1 : 1);
    },
  });

  constructor(
    root: HTMLElement,
    private readonly scene: Scene,
    help: () => void,
    private readonly goTo: (slice: SliceRef) => void,
  ) {
    const mark = this.mark;
    const knowsExpected = scene.page.head.answers.expected !== undefined;
    this.matches = new Matches(scene);
    this.updates.push(() => {
      if (document.activeElement !== mark) mark.value = scene.options.mark;
      void this.countMatches();
    });
    const legend = new Legend(scene);
    const strip = new LegendStrip(scene);
    const rows = new RowsMenu(scene);
    const notes = (this.notes = new NotesMenu(scene));
    for (const part of [legend, strip, rows, notes]) this.updates.push(() => part.update());
    put(root,
      this.cores(),
      this.kinds(),
      this.set(TEXTS.draw,
        this.chip(t(TEXTS.lines), () => scene.options.lines, () => scene.choose({ lines: !scene.options.lines }), t(TEXTS.linesHint)),
        scene.page.head.path !== null && this.chip(t(TEXTS.path), () => scene.options.path, () => scene.choose({ path: !scene.options.path }), t(TEXTS.pathHint)),
        this.chip(t(TEXTS.bars), () => scene.options.bars, () => scene.choose({ bars: !scene.options.bars }), t(TEXTS.barsHint)),
      ),
      this.set(TEXTS.colour,
        this.chip(t(TEXTS.byType), () => scene.options.colour === "type", () => scene.choose({ colour: "type", slower: 0 }), t(TEXTS.colourHint)),
        this.chip(t(TEXTS.byKernel), () => scene.options.colour === "kernel", () => scene.choose({ colour: "kernel", slower: 0 }), t(TEXTS.colourHint)),
        knowsExpected && this.chip(t(TEXTS.byExpected), () => scene.options.colour === "expected", () => scene.choose({ colour: "expected" }), t(TEXTS.byExpectedHint)),
      ),
      this.set(TEXTS.layout,
        this.chip(t(TEXTS.compact), () => scene.options.compact, () => scene.choose({ compact: !scene.options.compact, lines: scene.options.compact }), t(TEXTS.compactHint)),
        this.foldAll(),
      ),
      legend.element, rows.element,
      h("span", { class: "tl-set tl-search", role: "search" }, mark, completer(mark, t(TEXTS.suggestions), (text, caret) => suggest(scene.page, text, caret)), this.counted,
        this.matchButton("‹", TEXTS.previousFound, -1), this.matchButton("›", TEXTS.nextFound, 1)),
      strip.element,
      h("span", { class: "tl-set tl-end" },
        notes.element,
        h("button", { class: "tl-chip", title: t(TEXTS.fitHint), onclick: () => scene.fit() }, t(TEXTS.fit)),
        h("button", { class: "tl-chip", title: t(TEXTS.zoomSelectionHint), onclick: () => void scene.zoomToSelection() }, t(TEXTS.zoomSelection)),
        h("button", { class: "tl-chip", title: t(TEXTS.help), "aria-label": t(TEXTS.help), onclick: help }, "?"),
      ),
    );
    this.update();
  }

  /** Puts the focus into the search field. */
  search(): void {
    this.mark.focus();
    this.mark.select();
  }

  addNote(): void {
    this.notes.add();
  }

  /** Goes to the next match after the selected slice, else after the start of what is in view; or to the one before. */
  async found(by: -1 | 1): Promise<void> {
    const { scene, matches } = this;
    if (!(await matches.search(scene.options.mark))) return;
    const { selected, viewport } = scene;
    const from = selected
      ? { time: (await scene.sliceRange(selected)).start, track: selected.track }
      : { time: by > 0 ? viewport.start : viewport.end, track: by > 0 ? -1 : Infinity };
    const slice = matches.next(from, by);
    if (slice) this.goTo(slice);
  }

  private async countMatches(): Promise<void> {
    const { mark } = this.scene.options;
    if (!(await this.matches.search(mark))) return;
    const { problem } = this.matches;
    this.mark.setAttribute("aria-invalid", String(problem !== null));
    put(this.counted, mark.trim() === "" ? "" : problem ? sentenceOf(problem) : t(TEXTS.found, count(this.matches.count)));
    Object.assign(this.counted.dataset, { count: this.matches.count });
  }

  private matchButton(text: string, title: Text, by: -1 | 1): HTMLElement {
    const button = h("button", { class: "tl-chip", title: t(title), "aria-label": t(title), onclick: () => void this.found(by) }, text);
    this.updates.push(() => (button.hidden = this.scene.options.mark.trim() === ""));
    return button;
  }

  private foldAll(): HTMLElement {
    const { scene } = this;
    const button = h("button", { class: "tl-chip", onclick: () => scene.foldAll() });
    this.updates.push(() => put(button, t(scene.allFolded() ? TEXTS.unfoldAll : TEXTS.foldAll)));
    return button;
  }

  update(): void {
    for (const update of this.updates) update();
  }

  /** Buttons of one purpose, named by it. */
  private set(purpose: Text, ...children: (Node | false)[]): HTMLElement {
    return h("span", { class: "tl-set", role: "group", "aria-label": t(purpose) }, h("span", { class: "muted tl-purpose", "aria-hidden": "true" }, t(purpose)), ...children);
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
    return this.set(TEXTS.cores,
      this.chip(t(TEXTS.all), () => scene.options.cores === null, () => scene.choose({ cores: null })),
      ...all.map((core) => this.chip(String(core), () => scene.options.cores?.includes(core) ?? false, () => toggle(core), t(TEXTS.coreHint, core))),
    );
  }

  private kinds(): HTMLElement {
    const { scene } = this;
    const present = ORDER.filter((kind) => scene.page.tracks.some((track) => track.kind === kind && track.head.events > 0));
    const toggle = (kind: TrackKind) => {
      const { hidden } = scene.options;
      scene.choose({ hidden: hidden.includes(kind) ? hidden.filter((k) => k !== kind) : [...hidden, kind] });
    };
    return this.set(TEXTS.kinds, ...present.map((kind) => this.chip(kindName(kind), () => !scene.options.hidden.includes(kind), () => toggle(kind), t(TEXTS.kindHint, kindName(kind)))));
  }
}
