// Puts the timeline's scene, stage, panels and input together.
import { h } from "../../ui/dom";
import { t } from "../../ui/i18n";
import type { Shell, SliceRef } from "../view";
import { Bottom } from "./bottom";
import { flowsOf } from "./flows";
import { Help } from "./help";
import { hitAt } from "./hit";
import { makeHook } from "./hook";
import { isTyping, keyAction } from "./keys";
import { fillLabels, fillScale } from "./labels";
import { firstInView, goToSlice, neighbour, neighbourGap } from "./navigate";
import { minimapPointers, plotPointers, rulerPointers } from "./pointer";
import type { Options } from "./options";
import { ALONE, Scene, type Setup } from "./scene";
import { Stage } from "./stage";
import { TEXTS } from "./texts";
import { Toolbar } from "./toolbar";
import { Tooltip } from "./tooltip";
import type { Range } from "./viewport";

/** A timeline next to another one: what it says to both, and where its parts go. */
export interface Link extends Setup {
  /** The last one that the user touched: keys are for it. */
  isActive(timeline: Timeline): boolean;
  touched(timeline: Timeline): void;
  moved(timeline: Timeline): void;
  chose(timeline: Timeline, changes: Partial<Options>): void;
  selected(timeline: Timeline): void;
  scrolled(timeline: Timeline, top: number): void;
  fit(): void;
  /** Where the choices go; null where the other timeline has them. */
  toolbar: HTMLElement | null;
  /** Where the panel of the selection goes. */
  drawer: HTMLElement;
}

export class Timeline {
  readonly scene: Scene;
  private readonly stage: Stage;
  private readonly toolbar: Toolbar;
  private readonly tooltip: Tooltip;
  private readonly bottom: Bottom;
  private readonly help = new Help();
  private readonly labels = h("div", { class: "tl-labels" });
  private readonly rows: HTMLElement;
  private readonly scroller: HTMLElement;
  private ready = false;
  private readonly ended = new AbortController();

  constructor(private readonly root: HTMLElement, shell: Pick<Shell, "page">, private readonly link: Link | null = null) {
    this.stage = new Stage(() => this.scene, (gbps) => fillScale(this.labels, gbps));
    this.scene = new Scene(shell.page, {
      draw: () => this.stage.draw(),
      layout: () => this.ready && this.layout(),
      selection: () => this.selection(),
      range: (done) => done && this.bottom.update("range"),
      moved: () => link?.moved(this),
      chose: (changes) => link?.chose(this, changes),
      fit: () => {
        link?.fit();
        return link !== null;
      },
    }, link ?? ALONE);
    const { scene, stage } = this;
    this.tooltip = new Tooltip(scene, stage.frame);
    this.bottom = new Bottom(scene, { step: (by) => void this.step(by), center: (slice) => void this.goTo(slice), close: () => scene.select(null) });
    const toolbar = link?.toolbar ?? h("div", { class: "tl-toolbar" });
    this.rows = h("div", { class: "tl-rows" }, this.labels, stage.plot, h("p", { class: "tl-nothing muted" }, t(TEXTS.empty)));
    this.scroller = h("div", { class: "tl-scroll" }, this.rows);
    const head = h("div", { class: "tl-head" }, stage.minimapBox, stage.rulerBox);
    if (!link) root.append(toolbar);
    root.append(head, this.scroller, this.tooltip.element, this.help.element);
    (link?.drawer ?? root).append(this.bottom.element);
    this.toolbar = new Toolbar(toolbar, scene, () => this.help.toggle(), (slice) => void this.goTo(slice, false));
    stage.hook = makeHook(scene, stage.plot, stage.renderer.kind);
    if (link) (window.bigtpuBoth ??= []).push(stage.hook);
    else window.bigtpu = stage.hook;
    this.input();
    this.ready = true;
    this.resized();
    stage.prepare();
  }

  private input(): void {
    const { scene, stage, ended } = this;
    const hit = (x: number, y: number) => hitAt(scene, x, y);
    plotPointers(stage.plot, scene, {
      scrollBy: (pixels) => this.scroller.scrollBy(0, pixels),
      hover: (x, y, event) => {
        scene.cursor = { x, y };
        scene.hover = hit(x, y);
        stage.plot.style.cursor = scene.hover?.kind === "slice" ? "pointer" : "default";
        this.tooltip.show(scene.hover, event.clientX, event.clientY);
        stage.draw();
      },
      leave: () => {
        scene.cursor = scene.hover = null;
        this.tooltip.hide();
        stage.draw();
      },
      click: (x, y) => {
        const found = hit(x, y);
        stage.plot.focus();
        // It would cover what was clicked; the panel has all of it.
        this.tooltip.dismiss();
        scene.select(found?.kind === "slice" ? { track: found.track, row: found.row } : null);
      },
      zoomTo: (x, y) => {
        const found = hit(x, y);
        if (found?.kind !== "slice") return;
        const air = Math.max((found.end - found.start) * 0.5, 10);
        scene.viewport.set(found.start - air, found.end + air);
        scene.moved();
      },
    });
    rulerPointers(stage.rulerBox, scene);
    minimapPointers(stage.minimapBox, scene);
    this.root.addEventListener("pointerenter", () => this.link?.touched(this));
    this.scroller.addEventListener("scroll", () => {
      scene.scroll = this.scroller.scrollTop;
      this.link?.scrolled(this, scene.scroll);
      this.tooltip.hide();
      stage.draw();
    });
    document.addEventListener("keydown", (event) => this.key(event), { signal: ended.signal });
    const observer = new ResizeObserver(() => this.resized());
    observer.observe(this.scroller);
    ended.signal.addEventListener("abort", () => observer.disconnect());
  }

  private key(event: KeyboardEvent): void {
    if (this.root.closest("[hidden]") || !this.root.isConnected || this.link?.isActive(this) === false) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "f") {
      // The browser's own search can't see what is drawn.
      event.preventDefault();
      return this.toolbar.search();
    }
    if (isTyping(event)) return;
    const act = keyAction(event.key, this.scene, {
      help: () => this.help.toggle(),
      search: () => this.toolbar.search(),
      found: (by) => void this.toolbar.found(by),
      step: (by) => void this.step(by),
      gap: (by) => void neighbourGap(this.scene, by).then((gap) => gap && this.goTo(gap, false)),
      scrollBy: (pixels) => this.scroller.scrollBy(0, pixels),
      escape: () => this.escape(),
      addNote: () => this.toolbar.addNote(),
      rangeOfSelection: () => this.scene.selected && void this.scene.sliceRange(this.scene.selected).then((range) => this.scene.setRange(range)),
    });
    if (!act) return;
    event.preventDefault();
    this.tooltip.hide();
    act();
  }

  /** Takes away one thing at a time: the slice, then the range. */
  private escape(): void {
    if (this.scene.selected) this.scene.select(null);
    else this.scene.setRange(null);
  }

  private async step(by: -1 | 1): Promise<void> {
    const { selected } = this.scene;
    const next = selected ? await neighbour(this.scene, selected, by) : await firstInView(this.scene);
    if (next) await this.goTo(next, false);
  }

  private selection(): void {
    const { scene, stage } = this;
    const slice = scene.selected;
    this.link?.selected(this);
    stage.flows = [];
    this.bottom.update("slice");
    // The panel takes a part of the plot: when that is laid out, the slice may be out of sight.
    if (slice) requestAnimationFrame(() => this.revealRow());
    if (slice) void flowsOf(scene, slice).then((flows) => {
      if (!scene.isSelected(slice)) return;
      stage.flows = flows;
      stage.draw();
    });
  }

  private layout(): void {
    const { scene } = this;
    const focused = document.activeElement?.getAttribute("data-group");
    fillLabels(this.labels, scene);
    fillScale(this.labels, this.stage.frame.scale.full);
    if (focused) this.labels.querySelector<HTMLElement>(`[data-group="${focused}"]`)?.focus();
    this.rows.style.height = `${Math.max(scene.height, this.scroller.clientHeight)}px`;
    this.root.classList.toggle("tl-empty", scene.rows.length === 0);
    this.toolbar.update();
    this.stage.recount();
  }

  private resized(): void {
    const { scene, scroller } = this;
    if (scroller.clientHeight === 0) return;
    this.root.style.setProperty("--scrollbar", `${scroller.offsetWidth - scroller.clientWidth}px`);
    this.stage.plot.style.height = `${scroller.clientHeight}px`;
    scene.room = this.root.clientHeight - this.scroller.offsetTop;
    scene.unit = parseFloat(getComputedStyle(document.documentElement).fontSize) / 14;
    scene.relay();
  }

  async goTo(target: SliceRef | (Range & { slice?: SliceRef | null }), closer = true): Promise<void> {
    const { scene } = this;
    if ("row" in target) {
      await goToSlice(scene, target, closer);
      return this.revealRow();
    }
    scene.viewport.fit(target);
    scene.setRange(target);
    if (target.slice && scene.exists(target.slice)) scene.select(target.slice);
    scene.moved();
  }

  /** The page's slices have other times now, which are there. */
  retimed(): void {
    this.scene.retimed();
    this.stage.recount(true);
    if (this.scene.selected || this.scene.range) this.bottom.update(null);
  }

  /** Scrolls where another timeline has gone. */
  scrollTo(top: number): void {
    this.scroller.scrollTop = top;
  }

  /** Scrolls to the selected slice's row if it is out of sight. */
  private revealRow(): void {
    const { selected } = this.scene;
    const shown = selected && this.scene.rowTrack(selected.track);
    const row = this.scene.rows.find((r) => r.kind === "slices" && r.track?.index === shown);
    if (!row) return;
    const { scrollTop, clientHeight } = this.scroller;
    if (row.y < scrollTop || row.y + row.height > scrollTop + clientHeight) this.scroller.scrollTop = row.y - clientHeight / 3;
  }

  /** It became visible, or the fragment changed. */
  show(): void {
    this.scene.restore();
    this.resized();
    this.selection();
    this.revealRow();
  }

  redraw(): void {
    this.scene.repaint();
    this.resized();
  }

  destroy(): void {
    this.ended.abort();
    this.stage.destroy();
    this.bottom.element.remove();
    if (!this.link) delete window.bigtpu;
  }
}
