// The panel under the plot: the pinned slice, the selected range, or a choice of both.
import { h, put } from "../../ui/dom";
import { t } from "../../ui/i18n";
import { type DetailsActions, showDetails } from "./details";
import type { Scene } from "./scene";
import { showStats } from "./statsview";
import { TEXTS } from "./texts";

type Tab = "slice" | "range";

export class Bottom {
  readonly element = h("section", { class: "tl-bottom", hidden: true });
  private readonly tabs = h("div", { class: "tl-tabs" });
  private body = h("div", { class: "tl-body" });
  private shown: Tab = "slice";
  private tab: Tab = "slice";

  constructor(
    private readonly scene: Scene,
    private readonly actions: DetailsActions,
  ) {
    const grip = h("div", { class: "tl-grip" });
    grip.addEventListener("pointerdown", (event) => grip.setPointerCapture(event.pointerId));
    grip.addEventListener("pointermove", (event) => {
      if (!grip.hasPointerCapture(event.pointerId)) return;
      this.element.style.height = `${Math.max(80, this.element.getBoundingClientRect().bottom - event.clientY)}px`;
    });
    this.element.append(grip, this.tabs, this.body);
  }

  /** Shows what is selected; `tab` is what changed just now. */
  update(tab: Tab | null): void {
    const { scene } = this;
    const present: Record<Tab, boolean> = { slice: scene.selected !== null, range: scene.range !== null };
    if (tab && present[tab]) this.tab = tab;
    if (!present[this.tab]) this.tab = this.tab === "slice" ? "range" : "slice";
    this.element.hidden = !present[this.tab];
    const both = present.slice && present.range;
    this.tabs.hidden = !both;
    if (both) put(this.tabs, this.choice("slice"), this.choice("range"));
    if (this.shown !== this.tab) {
      // What the other tab still loads must not come here.
      const body = h("div", { class: "tl-body" });
      this.body.replaceWith(body);
      this.body = body;
      this.shown = this.tab;
    }
    if (this.element.hidden) put(this.body);
    else if (this.tab === "slice") void showDetails(scene, scene.selected!, this.body, this.actions);
    else void showStats(scene, scene.range!, this.body, () => scene.setRange(null));
  }

  private choice(tab: Tab): HTMLElement {
    const text = tab === "range" ? TEXTS.rangeTab : isCommand(this.scene) ? TEXTS.selection : TEXTS.slice;
    return h("button", { class: "tl-chip", "aria-pressed": String(tab === this.tab), onclick: () => this.update(tab) }, t(text));
  }
}

function isCommand(scene: Scene): boolean {
  return scene.selected !== null && scene.track(scene.selected.track).isEngine;
}
