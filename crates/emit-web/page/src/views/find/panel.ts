// The find view's parts together: filter, matches, order, selection.
import { copyText, download } from "../../ui/copy";
import { h, put } from "../../ui/dom";
import { explained } from "../../ui/explain";
import { bytes, count, duration } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import { Grid } from "../../ui/grid";
import * as state from "../../ui/state";
import type { Shell } from "../view";
import { chooser } from "./chooser";
import { COLUMNS, cellText, type Column, titleOf } from "../../query/columns";
import { Controls } from "./controls";
import { toCsv } from "./export";
import { type Filter, findState, readFilter } from "./filter";
import { Groups } from "./groups";
import { sortRows } from "./order";
import { Rows } from "../../query/rows";
import { bytesOf, search, tracksOf } from "./search";

const TEXTS = {
  title: ["Commands", "指令"],
  reading: ["Reading …", "读取中…"],
  matches: ["{0} of {1} match, total time {2}", "{1} 条中 {0} 条匹配，合计 {2}"],
  moved: [", {0} moved", "，搬运 {0}"],
  unread: ["The search cannot be read; see above.", "无法解读该查询，见上方说明。"],
  none: ["No match. Remove a filter to see more.", "没有匹配项。清除某个筛选条件可看到更多。"],
  copy: ["Copy CSV", "复制 CSV"],
  save: ["Save CSV", "保存 CSV"],
  go: ["Show in timeline", "在时间线中显示"],
  copied: ["{0} rows copied", "已复制 {0} 行"],
  cut: ["The first {0} rows are copied; \"Save CSV\" saves all rows", "已复制前 {0} 行；保存 CSV 可得全部"],
  failed: ["The browser does not allow copying; use \"Save CSV\"", "浏览器不允许；请用保存 CSV"],
  open: ["Enter or a double click shows the command in the timeline", "回车或双击可在时间线中显示该指令"],
} satisfies Record<string, Text>;

/** Rows that go into the clipboard at once. */
const MOST_COPIED = 100_000;
/** The order unless another is asked for. */
const LONGEST_FIRST = "-dur";

export class FindPanel {
  readonly elements: HTMLElement[];
  readonly grid: Grid;
  private readonly controls: Controls;
  private readonly groups: Groups;
  private readonly counted = h("b", { id: "find-count", "aria-live": "polite" }, t(TEXTS.reading));
  private readonly said = h("span", { class: "muted", role: "status" });
  private readonly go = h("button", { id: "find-go", disabled: true, onclick: () => this.open(this.selected) }, t(TEXTS.go));
  private rows: Rows | null = null;
  /** In the order shown. */
  private matches: Uint32Array = new Uint32Array();
  private selected = -1;
  /** What was asked last; an older search that ends later is dropped. */
  private asked = "";
  private timer = 0;

  constructor(private readonly shell: Shell) {
    this.controls = new Controls(shell.page, (filter) => this.change(filter));
    this.groups = new Groups((key) => this.groupBy(key), (clause) => this.narrow(clause));
    this.grid = new Grid({
      id: "find-grid", label: t(TEXTS.title), openHint: t(TEXTS.open),
      cell: (row, column) => this.cell(row, column.key),
      sort: (key) => this.sortBy(key),
      select: (row) => this.select(row),
      open: (row) => this.open(row),
    });
    this.controls.element.addEventListener("keydown", (e) => {
      if (e.key !== "ArrowDown" || (e.target as Element).id !== "find-q") return;
      this.grid.focus();
      e.preventDefault();
    });
    this.elements = [h("div", { class: "find-layout" }, this.controls.element,
      h("div", { class: "find-bar" }, this.counted, explained("find-grid", shell), this.said, this.go,
        h("button", { id: "find-copy", onclick: () => void this.copy() }, t(TEXTS.copy)),
        h("button", { id: "find-save", onclick: () => this.save() }, t(TEXTS.save)),
        this.groups.choice,
        chooser(() => this.columns(), (keys) => this.choose(keys))),
      this.groups.element,
      this.grid.element)];
  }

  /** Takes over what the page's state says. */
  show(): void {
    const filter = readFilter();
    this.controls.fill(filter);
    void this.run(filter);
  }

  private change(filter: Filter): void {
    state.set(findState(filter));
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.run(filter), 120);
  }

  private columns(): Column[] {
    const keys = state.get("f.cols").split(" ").filter(Boolean);
    const tracks = this.rows?.tracks ?? [];
    const isDma = tracks.some((x) => x.isEngine && x.kind !== "tiu");
    const isTiu = tracks.some((x) => x.kind === "tiu");
    // By default, what none of the tracks can have is not shown.
    const pointless = new Set([...(isDma ? [] : ["bytes", "ddr", "l2", "dir", "src", "dst"]), ...(isTiu ? [] : ["rate"])]);
    if (keys.length > 0) return COLUMNS.filter((c) => keys.includes(c.key));
    // A static model has layers where others have kernels.
    const { head } = this.shell.page;
    const layers = head.layers.length > 0;
    if (!head.kernels.some((kernel) => this.shell.page.text(kernel) !== "")) pointless.add("kernel");
    const isDamaged = tracks.some((x) => x.head.facts?.columns.some((column) => column.key === "quality"));
    const wanted = new Set([...(isDamaged ? ["quality"] : []), ...(layers ? ["layerId", "layer"] : []), ...(head.layers.some((layer) => this.shell.page.text(layer.block ?? -1) !== "") ? ["block"] : []), ...(head.answers?.steps?.steps.length ? ["step"] : []), ...(tracks.some((x) => x.kind === "gap") ? ["saved", "endedBy"] : [])]);
    return COLUMNS.filter((c) => (!c.extra || wanted.has(c.key)) && !pointless.has(c.key));
  }

  private sort(): { key: string; down: boolean; column: Column } {
    const asked = state.get("f.sort") || LONGEST_FIRST;
    const key = asked.replace(/^-/, "");
    const column = COLUMNS.find((c) => c.key === key);
    return column ? { key, down: asked.startsWith("-"), column } : { key: "start", down: false, column: COLUMNS.find((c) => c.key === "start")! };
  }

  private async run(filter: Filter): Promise<void> {
    const question = JSON.stringify([filter, this.sort(), state.get("f.cols"), state.get("f.by")]);
    if (question === this.asked) return this.restore();
    this.asked = question;
    const tracks = tracksOf(this.shell.page, filter);
    const same = this.rows && tracks.length === this.rows.tracks.length && tracks.every((x, i) => x === this.rows!.tracks[i]);
    const rows = same ? this.rows! : await Rows.load(this.shell.page, tracks);
    const found = await search(rows, filter);
    if (question !== this.asked) return;
    this.rows = rows;
    const { column, down } = this.sort();
    const by = COLUMNS.find(({ key }) => key === state.get("f.by"));
    const needed = [...this.columns(), column, ...(by ? [by] : [])];
    if (by || needed.some((c) => c.facts)) await rows.loadFacts();
    if (needed.some((c) => c.causes)) await rows.loadCauses();
    if (question !== this.asked) return;
    this.matches = sortRows(rows, found.rows, column, down);
    const moved = rows.facts.length > 0 ? bytesOf(rows, found.rows) : null;
    Object.assign(this.counted.dataset, { count: found.rows.length, ns: found.total, bytes: moved ?? "" });
    this.counted.textContent = this.controls.isUnread ? t(TEXTS.unread) : found.rows.length === 0 ? t(TEXTS.none)
      : t(TEXTS.matches, count(found.rows.length), count(rows.total), duration(found.total)) + (moved === null ? "" : t(TEXTS.moved, bytes(moved)));
    this.said.textContent = "";
    this.groups.show(rows, this.matches, by);
    this.restore();
  }

  /** The selection that the page's state holds. */
  private restore(): void {
    if (!this.rows) return;
    const [track, row] = state.get("f.row").split(".").map(Number);
    const number = track !== undefined && row !== undefined ? this.rows.numberOf({ track, row }) : -1;
    this.selected = number < 0 ? -1 : this.matches.indexOf(number);
    this.go.disabled = this.selected < 0;
    this.grid.show(this.columns().map((c) => ({ ...c, title: titleOf(c), hint: c.hint && t(c.hint) })), this.matches.length, this.selected, this.sort());
    if (this.selected >= 0) requestAnimationFrame(() => this.grid.reveal(this.selected));
  }

  private cell(row: number, key: string): string {
    const number = this.matches[row]!;
    const at = this.rows!.trackOf(number);
    return cellText(this.rows!, COLUMNS.find((c) => c.key === key)!, at, number - this.rows!.first[at]!);
  }

  private sortBy(key: string): void {
    const now = this.sort();
    const down = now.key === key ? !now.down : Boolean(COLUMNS.find((c) => c.key === key)?.num);
    state.set({ "f.sort": `${down ? "-" : ""}${key}` });
    void this.run(readFilter());
  }

  private groupBy(key: string): void {
    state.set({ "f.by": key });
    void this.run(readFilter());
  }

  /** Adds a part to the query. */
  private narrow(clause: string): void {
    const filter = readFilter();
    const q = `${filter.q} ${clause}`.trim();
    state.set(findState({ ...filter, q }));
    this.show();
  }

  private choose(keys: string[]): void {
    state.set({ "f.cols": keys.join(" ") });
    void this.run(readFilter());
  }

  private select(row: number): void {
    this.selected = row;
    const slice = this.rows!.slice(this.matches[row]!);
    state.set({ "f.row": `${slice.track}.${slice.row}` });
    this.go.disabled = false;
  }

  private open(row: number): void {
    const number = this.matches[row];
    if (number === undefined || !this.rows) return;
    this.select(row);
    this.shell.showSlice(this.rows.slice(number));
  }

  private async copy(): Promise<void> {
    if (!this.rows) return;
    const some = this.matches.subarray(0, MOST_COPIED);
    const done = await copyText(toCsv(this.rows, some, this.columns()).join(""));
    const text = some.length < this.matches.length ? TEXTS.cut : TEXTS.copied;
    put(this.said, done ? t(text, count(some.length)) : t(TEXTS.failed));
  }

  private save(): void {
    if (this.rows) download(`${this.shell.page.head.source}-commands.csv`, toCsv(this.rows, this.matches, this.columns()));
  }
}
