// The measured and the predicted run, one above the other, at one scale. Both have the same rows: a command that is selected in one is
// selected in the other.
//
// For tests: `window.bigtpuBoth` has the hooks of both timelines.
import type { Page } from "../../data/page";
import type { PredictedPage } from "../../replay/predicted";
import { h, put } from "../../ui/dom";
import { duration } from "../../ui/format";
import { t } from "../../ui/i18n";
import * as state from "../../ui/state";
import { type Link, Timeline } from "../timeline/controller";
import { WHATIF } from "./texts";

/** The longest run that can be shown is so many times the measured one. */
const REACH = 8;

export class WhatIfTimelines {
  readonly element = h("div", { class: "runs-lines" });
  private readonly lines: [Timeline, Timeline];
  private readonly lengths = [h("span", { class: "muted" }), h("span", { class: "muted" })] as const;
  private active: Timeline | null = null;
  private isFollowing = false;
  /** All of both runs is shown, and is to be so after the next change. */
  private isFitted = true;
  private fitted = 0;

  constructor(private readonly pages: [Page, PredictedPage], toolbar: HTMLElement) {
    const drawers = h("div", { class: "runs-drawers" });
    const rooms = pages.map(() => h("section", { class: "runs-line timeline" })) as [HTMLElement, HTMLElement];
    const link = (side: 0 | 1): Link => ({
      prefixes: { shared: "tw", own: `tw${side}` }, reach: pages[0].head.span.length * REACH, isDense: true, drawer: drawers, toolbar: side === 0 ? toolbar : null,
      isActive: (line) => (this.active ?? this.lines[0]) === line,
      touched: (line) => (this.active = line),
      moved: (line) => this.moved(line),
      chose: (line, changes) => this.other(line).scene.adopt(changes),
      selected: (line) => this.selected(line),
      scrolled: (line, top) => line === (this.active ?? this.lines?.[0]) && this.other(line).scrollTo(top),
      fit: () => this.fit(),
    });
    window.bigtpuBoth = [];
    this.lines = [new Timeline(rooms[0], { page: pages[0] }, link(0)), new Timeline(rooms[1], { page: pages[1] }, link(1))];
    const side = (n: 0 | 1) => h("div", { class: "runs-side" }, h("p", { class: "runs-name" }, h("b", null, t([WHATIF.measured, WHATIF.predicted][n]!)), " ", this.lengths[n]), rooms[n]);
    put(this.element, toolbar, side(0), side(1), drawers);
  }

  private other(line: Timeline): Timeline {
    return this.lines[line === this.lines[0] ? 1 : 0];
  }

  private moved(line: Timeline): void {
    if (!this.lines) return;
    this.isFitted = false;
    this.other(line).scene.follow(line.scene.viewport);
  }

  private selected(line: Timeline): void {
    if (!this.lines || this.isFollowing) return;
    this.isFollowing = true;
    this.other(line).scene.select(line.scene.selected);
    this.isFollowing = false;
  }

  /** The end of the longer run. */
  private longest(): number {
    return Math.max(this.pages[0].head.device.end, this.pages[1].end);
  }

  private fit(): void {
    const { start } = this.pages[0].head.device;
    const longest = (this.fitted = this.longest());
    const air = (longest - start) * 0.01;
    for (const line of this.lines) line.scene.follow({ start: start - air, end: longest + air });
    this.isFitted = true;
  }

  /** The predicted run has other times now. */
  retimed(measuredNs: number, predictedNs: number): void {
    [measuredNs, predictedNs].forEach((ns, side) => put(this.lengths[side]!, duration(ns)));
    this.lines[1].retimed();
    if (this.isFitted && this.longest() !== this.fitted) this.fit();
  }

  /** It became visible, or the fragment changed. */
  show(): void {
    const isNew = state.get("tw0.view") === "";
    this.isFollowing = true;
    for (const line of this.lines) line.show();
    this.isFollowing = false;
    if (isNew) this.fit();
  }

  redraw(): void {
    for (const line of this.lines) line.redraw();
  }

  destroy(): void {
    for (const line of this.lines) line.destroy();
    delete window.bigtpuBoth;
  }
}
