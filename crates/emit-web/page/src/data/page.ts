// The page's data as the views see it: tracks with columns that are decoded when first asked for.
import { type Columns, readChunk, remap } from "./decode";
import { type Causes, type PathPieces, causesOf, readPath } from "./path";
import { type RegisterField, readRegister } from "./registers";
import type { Chunk, Head, L2mHead, LiveHead, LmemCore, NameHead, TrackHead, TrackKind } from "./generated";

export type { Head } from "./generated";

/** What a command belongs to, a row of `Head.tags`; -1 where not known. */
export interface TagHead {
  /** Index into `kernels`. */
  kernel: number;
  scope: number;
  batch: number;
  /** Index into `strings`. */
  mode: number;
}

/** A moment of a text, which counts from the first start of the device, on the page's time line. */
export function sinceFirst(head: Head, ns: number): number {
  return head.device.start + ns;
}

/** A time of the answers, which is device time, as ns since the span's start. */
export function sinceStart(head: Head, ns: number): number {
  return ns + head.device.zero;
}

/** A value of a command's field: a number, or a text. */
export interface FieldValue {
  key: string;
  value: string | number;
}

/** The track's start, duration, name and lane by row. Decoded before anything is drawn. */
export interface Times {
  start: Float64Array;
  dur: Float64Array;
  name: Float64Array;
  lane: Float64Array | null;
}

/** A level of detail; see `MipHead`. */
export interface Mip {
  bucketNs: number;
  lane: Float64Array | null;
  at: Float64Array;
  busy: Float64Array;
  count: Float64Array;
  name: Float64Array;
  tag: Float64Array;
  /** Of engines only, as are `ddr` and `l2`. */
  high: Float64Array | null;
  ddr: Float64Array | null;
  l2: Float64Array | null;
  /** ns beyond what the bits explain. */
  lost: Float64Array | null;
}

const ENGINE_NAMES: Partial<Record<TrackKind, string>> = { tiu: "TIU", gdma: "GDMA", sdma: "SDMA", cdma: "CDMA" };

export class Track {
  private loading = new Map<number, Promise<Columns>>();
  private ranks: Promise<Ranks> | null = null;
  private loadedFacts: Promise<Columns> | null = null;
  private mips: Promise<Mip>[] = [];
  private loadedCauses: Promise<Causes> | null = null;
  private loadedRegisters = new Map<string, Promise<RegisterField | null>>();
  /** Set once `loadTimes` is done. */
  times: Times | null = null;

  constructor(
    readonly page: Page,
    readonly index: number,
    readonly head: TrackHead,
  ) {}

  get kind(): TrackKind {
    return this.head.kind;
  }

  /** An engine: its slices are commands. */
  get isEngine(): boolean {
    return this.head.kind in ENGINE_NAMES;
  }

  /** Name of the engine, such as TIU; of gaps that of their engine; else the kind. */
  get engine(): string {
    const { of, kind } = this.head;
    return (of === undefined ? ENGINE_NAMES[kind] : this.page.tracks[of]?.engine) ?? kind;
  }

  private chunk(head: Chunk): Promise<Columns> {
    let loading = this.loading.get(head.id);
    if (!loading) this.loading.set(head.id, (loading = readChunk(head)));
    return loading;
  }

  async loadTimes(): Promise<Times> {
    if (this.times) return this.times;
    const c = await this.chunk(this.head.times);
    return (this.times ??= { start: c.start!, dur: c.dur!, name: remap(c.name!, this.head.names), lane: c.lane ?? null });
  }

  /** Further columns, see `TrackHead.facts`; empty where the track has none. */
  async facts(): Promise<Columns> {
    return (this.loadedFacts ??= this.loadFacts());
  }

  private async loadFacts(): Promise<Columns> {
    if (!this.head.facts) return {};
    const columns = await this.chunk(this.head.facts);
    return { ...columns, tag: this.pageTags(columns.tag!) };
  }

  /** What each command waited for; null where that is not known. */
  async causes(): Promise<Causes | null> {
    const { causes } = this.head;
    return causes && (this.loadedCauses ??= this.chunk(causes).then((columns) => causesOf(columns, this.index)));
  }

  private pageTags(tags: Float64Array): Float64Array {
    return tags.map((tag) => tag + this.head.tagBase);
  }

  /** A level of detail. */
  mip(level: number): Promise<Mip> {
    return (this.mips[level] ??= this.loadMip(level));
  }

  private async loadMip(level: number): Promise<Mip> {
    const head = this.head.mips[level]!;
    const c = await this.chunk(head.chunk);
    return {
      bucketNs: head.bucketNs, lane: c.lane ?? null, at: c.at!, busy: c.busy!, count: c.count!,
      name: remap(c.name!, this.head.names), tag: this.pageTags(c.tag!), high: this.kind === "cdma" ? null : (c.high ?? null), ddr: c.ddr ?? null, l2: c.l2 ?? null, lost: c.lost ?? null,
    };
  }

  /** The command's other fields in printing order; empty where the page has none. */
  async fields(row: number): Promise<FieldValue[]> {
    const fields = this.head.fields;
    if (!fields) return [];
    const ranks = await (this.ranks ??= this.loadRanks());
    const layout = fields.layouts[ranks.layout[row]!];
    if (!layout) return [];
    const columns = await this.chunk(layout.chunk);
    const at = ranks.rank[row]!;
    return layout.chunk.columns.map((column) => {
      const n = columns[column.key]![at]!;
      return { key: column.key, value: column.map ? this.page.text(n) : n };
    });
  }

  /** A register field of all the track's commands; null where none has it, or the page does not hold them. */
  async register(name: string): Promise<RegisterField | null> {
    const { fields } = this.head;
    if (!fields) return null;
    let loading = this.loadedRegisters.get(name);
    if (!loading) {
      const { layout } = await this.chunk(fields.which);
      this.loadedRegisters.set(name, (loading = readRegister(fields, name, layout!, (chunk) => this.loading.get(chunk.id))));
    }
    return loading;
  }

  private async loadRanks(): Promise<Ranks> {
    const { layout } = await this.chunk(this.head.fields!.which);
    const seen = new Uint32Array(this.head.fields!.layouts.length);
    return { layout: layout!, rank: Uint32Array.from(layout!, (l) => seen[l]!++) };
  }
}

/** Accesses to a core's local memory, and its live bytes. */
export interface LocalMemory {
  accesses: Columns;
  live: LiveHead;
  /** Columns of `live`. */
  totals: Columns;
  /** What stays in it. */
  residency: Columns;
}

/** Accesses to the memory that the cores share, and what stays in it. */
export interface SharedMemory {
  head: L2mHead;
  accesses: Columns;
  residency: Columns;
}

interface Ranks {
  layout: Float64Array;
  rank: Uint32Array;
}

export class Page {
  readonly tracks: Track[];
  private tags: Columns = {};
  private flowColumns: Promise<Columns> | null = null;
  private loadedPath: Promise<PathPieces> | null = null;
  private lmem = new Map<number, Promise<LocalMemory>>();
  private shared: Promise<SharedMemory> | null = null;

  constructor(readonly head: Head, tracksOf = (page: Page) => head.tracks.map((track, index) => new Track(page, index, track))) {
    this.tracks = tracksOf(this);
  }

  /** Reads the data of the element with this id. */
  static async read(id = "head"): Promise<Page> {
    const element = document.getElementById(id);
    if (!element) throw new Error("the page has no data");
    const page = new Page(JSON.parse(element.textContent ?? "") as Head);
    page.tags = await readChunk(page.head.tags);
    return page;
  }

  /** What a command belongs to. */
  tag(index: number): TagHead {
    const of = (key: string) => this.tags[key]?.[index] ?? -1;
    return { kernel: of("kernel"), scope: of("scope"), batch: of("batch"), mode: of("mode") };
  }

  /** One of the things that commands belong to, by tag. */
  tagColumn(key: keyof TagHead): Float64Array {
    return this.tags[key] ?? new Float64Array();
  }

  text(index: number): string {
    return this.head.strings[index] ?? "";
  }

  name(index: number): NameHead {
    return this.head.names[index] ?? { type: -1, name: -1, role: "work" };
  }

  /** Function Name, kernel, layer or operator of a name. */
  nameText(index: number): string {
    return this.text(this.name(index).name);
  }

  typeText(index: number): string {
    return this.text(this.name(index).type);
  }

  /** Name of a tag's kernel; "" if it has none. */
  kernelOfTag(tag: number): string {
    const kernel = this.tag(tag).kernel;
    return kernel < 0 ? "" : this.text(this.head.kernels[kernel] ?? -1);
  }

  /** A layer's name in the model with its operation, such as `81_Conv (Conv2D)`; "" for no layer. Its number stands apart. */
  layerLabel(index: number): string {
    return this.text(this.head.layers[index]?.label ?? -1);
  }

  /** A layer's label behind its number, as sentences name it; a layer without a name has its number in the label. */
  numberedLayer(index: number): string {
    const [id, label] = [this.head.layers[index]?.id ?? -1, this.layerLabel(index)];
    return !label.endsWith(")") && label.startsWith(`${id} `) ? label : `${id} ${label}`;
  }

  /** What a layer may be asked for by: its label, its operation, its block. */
  layerWords(index: number): string[] {
    const layer = this.head.layers[index];
    return layer ? [layer.label, layer.name, layer.block].map((text) => this.text(text)) : [];
  }

  /** Place of the layer with an id, in `head.layers`; -1 for none. */
  layerOfId(id: number): number {
    return this.head.layers.findIndex((layer) => layer.id === id);
  }

  /** The track of an engine's gaps; undefined where it has none. */
  gapsOf(engine: number): Track | undefined {
    return this.tracks.find((track) => track.head.of === engine && track.head.events > 0);
  }

  /** Which send released which wait. */
  flows(): Promise<Columns> {
    return (this.flowColumns ??= readChunk(this.head.flows));
  }

  /** The critical path; null where the run could not be replayed. */
  async path(): Promise<PathPieces | null> {
    const { path, device } = this.head;
    return path && (this.loadedPath ??= readPath(path, device.start));
  }

  /** A core's local memory; null where its accesses are not known. */
  async localMemory(core: number): Promise<LocalMemory | null> {
    const head = this.head.lmem?.cores.find((c) => c.core === core);
    if (!head) return null;
    let loading = this.lmem.get(core);
    if (!loading) this.lmem.set(core, (loading = readLocalMemory(head)));
    return loading;
  }

  /** The memory that the cores share; null where nothing is known of it. */
  async sharedMemory(): Promise<SharedMemory | null> {
    const head = this.head.lmem?.l2m;
    return head ? (this.shared ??= readSharedMemory(head)) : null;
  }
}

async function readLocalMemory({ chunk, live, residency }: LmemCore): Promise<LocalMemory> {
  const [accesses, totals, held] = await Promise.all([readChunk(chunk), readChunk(live.chunk), readChunk(residency)]);
  return { accesses: accesses!, live, totals: totals!, residency: held! };
}

async function readSharedMemory(head: L2mHead): Promise<SharedMemory> {
  const [accesses, residency] = await Promise.all([readChunk(head.chunk), readChunk(head.residency)]);
  return { head, accesses: accesses!, residency: residency! };
}
