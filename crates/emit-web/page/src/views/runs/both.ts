// Both timelines at one scale, the second where the first is: aligned by launches of the same kernels.
//
// For tests: `window.bigtpuBoth` has the hooks of both timelines; #both-kernels, #both-launches, .runs-ribbon[data-bands].
import { type Both, type Launch, type Pair, type Runs } from "../../data/runs";
import { h, put } from "../../ui/dom";
import { choice } from "../../ui/fields";
import { duration } from "../../ui/format";
import { t } from "../../ui/i18n";
import * as state from "../../ui/state";
import { type Link, Timeline } from "../timeline/controller";
import { Alignment, isMatch, type Match, type Mode, sides } from "./align";
import { KernelPanel } from "./panel";
import { readingOf } from "./reading";
import { Ribbon } from "./ribbon";
import { RUNS } from "./texts";

const MODES = { launches: RUNS.byLaunch, start: RUNS.byStart, off: RUNS.off } as const;

export class BothTimelines {
  private readonly lines: Both<Timeline>;
  private readonly ribbon: Ribbon;
  private readonly panel: KernelPanel;
  private readonly alignment: Alignment;
  private readonly matchOf: Both<Map<string, Match>> = [new Map(), new Map()];
  private active: Timeline | null = null;
  private chosen: Match | null = null;
  /** One timeline follows the other; what it does then is no wish of the user. */
  private isFollowing = false;

  constructor(root: HTMLElement, private readonly runs: Runs, private readonly pairs: Pair[], names: [string, string]) {
    const { pages } = runs;
    const reading = readingOf(runs.head.kind);
    const device = pages.map((page) => page.head.device) as Both<{ start: number; end: number; zero: number }>;
    this.alignment = new Alignment(pairs, [device[0].start, device[1].start]);
    for (const match of pairs.filter(isMatch)) sides(match).forEach((launch, side) => this.matchOf[side]!.set(key(launch), match));
    const drawers = h("div", { class: "runs-drawers" });
    const toolbar = h("div", { class: "tl-toolbar" });
    const rooms = pages.map(() => h("section", { class: "runs-line timeline" })) as Both<HTMLElement>;
    this.ribbon = new Ribbon(reading, (match) => void this.show(match));
    this.ribbon.element.title = t(reading.ribbon, this.alignment.core);
    const isLayers = pairs.length > 0 && pages[0].tracks[(pairs[0]!.before ?? pairs[0]!.after!).track]?.kind === "layer";
    this.panel = new KernelPanel(pairs, t(isLayers ? RUNS.layer : RUNS.kernel), names, (pair) => void this.show(pair), reading);
    const titled = (side: 0 | 1) => h("div", { class: "runs-side" },
      h("p", { class: "runs-name" }, h("b", null, names[side]), " ", h("span", { class: "muted", title: runs.head.diff[side === 0 ? "before" : "after"][0] }, `${pages[side].head.source} · ${duration(pages[side].head.totalNs)}`)), rooms[side]);
    put(root, toolbar, h("div", { class: "runs-main" }, this.panel.element,
      h("div", { class: "runs-lines" }, titled(0), this.ribbon.element, titled(1), drawers)));
    const reach = Math.max(...pages.map((page) => page.head.span.length));
    const link = (side: 0 | 1): Link => ({
      prefixes: { shared: "tb", own: `tb${side}` }, reach, isDense: true, drawer: drawers, toolbar: side === 0 ? toolbar : null,
      isActive: (line) => (this.active ?? this.lines[0]) === line,
      touched: (line) => (this.active = line),
      moved: (line) => this.moved(line),
      chose: (line, { pinned, order, ...shared }) => this.other(line).scene.adopt(shared),
      selected: (line) => void this.selected(line),
      scrolled: (line, top) => line === (this.active ?? this.lines[0]) && this.other(line).scrollTo(top),
      fit: () => this.fit(),
    });
    window.bigtpuBoth = [];
    this.lines = [new Timeline(rooms[0], { page: pages[0] }, link(0)), new Timeline(rooms[1], { page: pages[1] }, link(1))];
    toolbar.prepend(this.choices());
  }

  private get mode(): Mode {
    const asked = state.get("tb.align");
    return asked === "start" || asked === "off" ? asked : "launches";
  }

  private choices(): HTMLElement {
    const choose = choice("both-align", Object.entries(MODES).map(([value, text]) => [value, t(text)]), this.mode, (value) => {
      state.set({ "tb.align": value === "launches" ? "" : value });
      this.moved(this.lines[0]);
    });
    return h("label", { class: "tl-set", title: t(RUNS.alignHint) }, h("span", { class: "muted" }, t(RUNS.align)), choose);
  }

  private other(line: Timeline): Timeline {
    return this.lines[line === this.lines[0] ? 1 : 0];
  }

  private sideOf(line: Timeline): 0 | 1 {
    return line === this.lines[0] ? 0 : 1;
  }

  /** Takes the other timeline along. */
  private moved(line: Timeline): void {
    // The first timeline is built before the second is there.
    if (!this.lines) return;
    const { mode } = this;
    if (mode !== "off") this.other(line).scene.follow(this.alignment.range(line.scene.viewport, this.sideOf(line), mode, this.chosen));
    this.drawRibbon();
  }

  private drawRibbon(): void {
    this.ribbon.draw(this.alignment.matches, [this.lines[0].scene.viewport, this.lines[1].scene.viewport], this.chosen);
  }

  /** Selects the same launch in the other timeline. */
  private async selected(line: Timeline): Promise<void> {
    if (!this.lines || this.isFollowing) return;
    const slice = line.scene.selected;
    const side = this.sideOf(line);
    this.chosen = (slice && this.matchOf[side].get(key(slice))) ?? null;
    this.isFollowing = true;
    const partner = this.chosen && sides(this.chosen)[1 - side]!;
    this.other(line).scene.select(partner && { track: partner.track, row: partner.row });
    this.isFollowing = false;
    this.moved(line);
  }

  /** Shows a launch in each run that has it. */
  private async show(pair: Pair): Promise<void> {
    const side = pair.before ? 0 : 1;
    const launch = (pair.before ?? pair.after)!;
    const line = this.lines[side];
    const other = this.other(line);
    this.chosen = isMatch(pair) ? pair : null;
    this.isFollowing = true;
    await line.goTo({ track: launch.track, row: launch.row });
    const partner: Launch | null = side === 0 ? pair.after : pair.before;
    other.scene.select(null);
    if (partner) await other.goTo({ track: partner.track, row: partner.row }, false);
    this.isFollowing = false;
    const { start, end } = line.scene.viewport;
    // The longer of the two has to fit.
    const room = Math.max(launch.ns, partner?.ns ?? 0) * 1.6;
    if (end - start < room) line.scene.follow({ start: launch.start - room * 0.2, end: launch.start + room * 0.8 });
    this.moved(line);
  }

  /** The launch of this kernel that changed most. */
  showKernel(name: string, names: [string, string]): void {
    this.panel.choose(name, this.pairs, names);
  }

  private fit(): void {
    const [before, after] = this.runs.pages.map((page) => page.head.device.end) as Both<number>;
    this.lines[0].scene.follow(this.alignment.whole([before, after], this.mode));
    this.moved(this.lines[0]);
  }

  /** It became visible, or the fragment changed. */
  unveil(): void {
    const isNew = state.get("tb0.view") === "";
    this.isFollowing = true;
    for (const line of this.lines) line.show();
    this.isFollowing = false;
    const { selected } = this.lines[0].scene;
    this.chosen = (selected && this.matchOf[0].get(key(selected))) ?? null;
    if (isNew) this.fit();
    else this.moved(this.lines[0]);
  }

  redraw(): void {
    for (const line of this.lines) line.redraw();
    this.drawRibbon();
  }

  destroy(): void {
    for (const line of this.lines) line.destroy();
    delete window.bigtpuBoth;
  }
}

function key({ track, row }: { track: number; row: number }): string {
  return `${track}.${row}`;
}
