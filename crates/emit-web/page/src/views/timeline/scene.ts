// What the timeline shows now, and what happens to it. Everything that draws or lists reads it here.
import type { Page, Track } from "../../data/page";
import type { PathPieces } from "../../data/path";
import type { SliceRef } from "../view";
import { movedOrder, trackKey } from "./arrange";
import type { Hit } from "./hit";
import { type Defaults, type Options, type Prefixes, readOptions, readPlace, SINGLE, writeOptions, writePlace } from "./options";
import { type Note, readNotes, writeNotes } from "./notes";
import { Paint, type Palettes, palettes } from "./paint";
import { readGround } from "./palette";
import { type Group, type Row, groupsOf, heightOf, layRows, PINNED, shownGroups } from "./rows";
import { TrackData } from "./trackdata";
import { type Range, Viewport } from "./viewport";

export interface Watcher {
  /** Something in view changed: draw a frame. */
  draw(): void;
  /** Rows or options changed. */
  layout(): void;
  /** Another slice is selected, or none. */
  selection(): void;
  /** Another range is selected, or none. `done` is false while it is being dragged. */
  range(done: boolean): void;
  /** The user moved the view; not called for `follow`. */
  moved(): void;
  /** The user changed options; not called for `adopt`. */
  chose(changes: Partial<Options>): void;
  /** Shows everything in a way of its own; false if it has none. */
  fit(): boolean;
}

/** How a timeline differs from the one that has a tab for itself. */
export interface Setup {
  prefixes: Prefixes;
  /** ns before and after the run that can be shown. */
  reach: number;
  /** Rows are low and most groups folded at first: there is little room. */
  isDense: boolean;
}

export const ALONE: Setup = { prefixes: SINGLE, reach: 0, isDense: false };

/** Rows grow by at most so much. */
const MOST_STRETCH = 6;

/** Share of all time that the device's must have so that the page opens with the host's time in view as well. */
const LEAST_DEVICE = 0.04;
/** Cores from which on groups start folded, but for the first. */
const MANY_CORES = 9;
/** The same where there is little room. */
const MANY_CORES_DENSE = 3;
/** Cores up to which rows have their full height. */
const FULL_ROWS = 4;

export class Scene {
  readonly data: TrackData[];
  readonly groups: Group[];
  readonly viewport: Viewport;
  readonly palettes: Palettes;
  options: Options;
  paint: Paint;
  rows: Row[] = [];
  height = 0;
  /** CSS pixels for one unit of `rows`: 1 at a root font of 14 px. */
  unit = 1;
  scroll = 0;
  /** Height of the plot without panels, in CSS pixels. */
  room = 0;
  hover: Hit | null = null;
  /** Cursor on the plot in CSS pixels, null when it is elsewhere. */
  cursor: { x: number; y: number } | null = null;
  selected: SliceRef | null = null;
  range: Range | null = null;
  notes: Note[] = [];
  /** Null until it is decoded, and where there is none. */
  path: PathPieces | null = null;

  constructor(
    readonly page: Page,
    private readonly watcher: Watcher,
    private readonly setup: Setup = ALONE,
  ) {
    this.data = page.tracks.map((track) => new TrackData(track, () => watcher.draw()));
    this.groups = groupsOf(page);
    this.viewport = new Viewport({ start: 0, end: Math.max(page.head.span.length, 1) }, setup.reach);
    this.palettes = palettes(page);
    this.options = readOptions(this.setup.prefixes, this.defaults());
    this.paint = this.newPaint();
    this.restore();
    void page.path().then((path) => {
      this.path = path;
      watcher.draw();
    });
  }

  private defaults(): Defaults {
    const cores = this.groups.filter((g) => g.id.startsWith("core"));
    const { isDense } = this.setup;
    const isMany = cores.length >= (isDense ? MANY_CORES_DENSE : MANY_CORES);
    return { folded: isMany ? cores.slice(1).map((g) => g.id) : [], compact: isDense || cores.length > FULL_ROWS };
  }

  private newPaint(): Paint {
    return new Paint(this.page, readGround(), this.options, this.palettes);
  }

  /** Takes view, range, slice and options from the fragment. */
  restore(): void {
    const place = readPlace(this.setup.prefixes);
    this.options = readOptions(this.setup.prefixes, this.defaults());
    if (place.view) this.viewport.set(place.view.start, place.view.end);
    else this.viewport.fit(this.home());
    this.range = this.withinRun(place.range);
    this.notes = readNotes(this.setup.prefixes.own);
    this.selected = place.slice && this.exists(place.slice) ? place.slice : null;
    this.repaint();
  }

  isSelected({ track, row }: SliceRef): boolean {
    return this.selected?.track === track && this.selected.row === row;
  }

  exists({ track, row }: SliceRef): boolean {
    return row < (this.page.tracks[track]?.head.events ?? 0);
  }

  /** What the page opens with: the device's time, and the host's where the device is still to be seen in it. */
  home(): Range {
    const { device, span } = this.page.head;
    const whole = { start: 0, end: Math.max(span.length, 1) };
    if (device.end <= device.start) return whole;
    return device.end - device.start >= whole.end * LEAST_DEVICE ? whole : device;
  }

  track(index: number): Track {
    return this.page.tracks[index]!;
  }

  /** The track of an engine's gaps; undefined where it has none. */
  gapsOf(engine: number): Track | undefined {
    return this.page.gapsOf(engine);
  }

  /** The track on whose row a track's slices are shown: of gaps that of their engine. */
  rowTrack(track: number): number {
    return this.page.tracks[track]?.head.of ?? track;
  }

  /** Theme or options changed. */
  repaint(): void {
    this.paint = this.newPaint();
    this.relay();
  }

  /** The slices have other times now. */
  retimed(): void {
    for (const data of this.data) data.retimed();
    this.viewport.whole.end = Math.max(this.page.head.span.length, 1);
    this.watcher.draw();
  }

  relay(): void {
    this.rows = layRows(this.page, this.groups, this.options, this.unit, 1);
    // Few rows take more of the room, so that a small run is not a strip at the top of an empty screen.
    const stretch = Math.min(this.room / Math.max(heightOf(this.rows), 1), MOST_STRETCH);
    if (stretch > 1.05) this.rows = layRows(this.page, this.groups, this.options, this.unit, stretch);
    this.height = heightOf(this.rows);
    this.watcher.layout();
    this.watcher.draw();
  }

  choose(changes: Partial<Options>): void {
    this.adopt(changes);
    this.watcher.chose(changes);
  }

  /** The same for a choice that was made elsewhere. */
  adopt(changes: Partial<Options>): void {
    this.options = { ...this.options, ...changes };
    writeOptions(this.setup.prefixes, this.options, this.defaults());
    this.repaint();
  }

  /** Folds all groups, or unfolds them where all are folded. */
  foldAll(): void {
    this.choose({ folded: this.allFolded() ? [] : this.groups.map((group) => group.id) });
  }

  allFolded(): boolean {
    return this.groups.every((group) => this.options.folded.includes(group.id));
  }

  fold(group: string): void {
    const { folded } = this.options;
    this.choose({ folded: folded.includes(group) ? folded.filter((id) => id !== group) : [...folded, group] });
  }

  /** Puts a track to the top, or back to its group. */
  pin(track: number): void {
    const { pinned } = this.options;
    this.choose({ pinned: pinned.includes(track) ? pinned.filter((other) => other !== track) : [...pinned, track] });
  }

  /** Moves a group (`track` null) or one of its tracks up or down. */
  move(group: string, track: number | null, by: -1 | 1): void {
    const shown = shownGroups(this.page, this.groups, this.options);
    const { pinned, order } = this.options;
    if (track !== null && pinned.includes(track)) {
      const next = movedOrder(pinned.map(trackKey), trackKey(track), by, []);
      if (next) this.choose({ pinned: next.map((key) => Number(key.slice(1))) });
      return;
    }
    const names = track === null ? shown.map(({ id }) => id) : (shown.find(({ id }) => id === group)?.tracks ?? []).map(({ index }) => trackKey(index));
    const next = movedOrder(names.filter((name) => name !== PINNED), track === null ? group : trackKey(track), by, order);
    if (next) this.choose({ order: next });
  }

  /** Call after `viewport` was changed. */
  moved(): void {
    this.remember();
    this.watcher.draw();
    this.watcher.moved();
  }

  /** Goes where another timeline has gone. */
  follow(range: Range): void {
    this.viewport.set(range.start, range.end);
    this.remember();
    this.watcher.draw();
  }

  private remember(): void {
    const home = new Viewport(this.viewport.whole, this.setup.reach);
    home.fit(this.home());
    const { start, end } = this.viewport;
    const away = Math.abs(start - home.start) + Math.abs(end - home.end) > 0.01;
    writePlace(this.setup.prefixes, { view: away ? { start, end } : null, range: this.range, slice: this.selected });
  }

  select(slice: SliceRef | null): void {
    this.selected = slice;
    this.remember();
    this.watcher.selection();
    this.watcher.draw();
  }

  /** The part of a range that is on the page; null if there is none. */
  private withinRun(range: Range | null): Range | null {
    const { whole } = this.viewport;
    const cut = range && { start: Math.max(range.start, whole.start), end: Math.min(range.end, whole.end) };
    return cut && cut.end - cut.start >= 1 ? cut : null;
  }

  setRange(range: Range | null, done = true): void {
    this.range = this.withinRun(range);
    if (done) this.remember();
    this.watcher.range(done);
    this.watcher.draw();
  }

  setNotes(notes: Note[]): void {
    this.notes = notes;
    writeNotes(this.setup.prefixes.own, notes);
    this.watcher.layout();
    this.watcher.draw();
  }

  /** What the page opens with; once more: the other of the device's time and all time. */
  fit(): void {
    if (this.watcher.fit()) return;
    const { device, span } = this.page.head;
    const before = this.viewport.length;
    this.viewport.fit(this.home());
    if (before === this.viewport.length) {
      const isWhole = this.home().end - this.home().start >= span.length;
      this.viewport.fit(isWhole && device.end > device.start ? device : { start: 0, end: this.viewport.whole.end });
    }
    this.moved();
  }

  /** Times of a slice; decodes the track if need be. */
  async sliceRange(slice: SliceRef): Promise<Range> {
    const { start, dur } = (await this.data[slice.track]!.loadIndex()).times;
    return { start: start[slice.row]!, end: start[slice.row]! + dur[slice.row]! };
  }

  async zoomToSelection(): Promise<void> {
    if (this.range) this.viewport.fit(this.range);
    else if (this.selected) {
      const { start, end } = await this.sliceRange(this.selected);
      const air = Math.max((end - start) * 0.5, 10);
      this.viewport.set(start - air, end + air);
    } else return;
    this.moved();
  }

  /** Makes the track's row one that is shown. */
  uncover(track: number): void {
    const group = this.groups.find((g) => g.tracks.some((t) => t.index === track));
    const { kind, head } = this.track(track);
    const { cores, hidden, folded, pinned } = this.options;
    this.choose({
      cores: cores && group?.id.startsWith("core") && !cores.includes(head.core) ? [...cores, head.core].sort((a, b) => a - b) : cores,
      hidden: hidden.filter((k) => k !== kind),
      folded: folded.filter((id) => id !== (pinned.includes(track) ? PINNED : group?.id)),
      least: 0,
    });
  }
}
