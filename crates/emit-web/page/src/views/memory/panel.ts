// The view's parts together: the choice of core, lane and bank, the chart, what is missing and why.
import { legendKey } from "../../ui/bars";
import { h, put } from "../../ui/dom";
import { explained } from "../../ui/explain";
import { binaryBytes, count, duration } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import { type Fields, follow, keep, choice } from "../../ui/fields";
import { deviceRange, Plot } from "../../ui/plot";
import { noticeText } from "../../ui/notices";
import { pictureButtons } from "../../ui/picture";
import * as state from "../../ui/state";
import type { Shell } from "../view";
import type { L2mHead } from "../../data/generated";
import { type Accesses, SHARED, filterAccesses, readAccesses, usedWindow } from "./accesses";
import { GUTTER, MemoryChart } from "./chart";
import { Contents } from "./contents";
import { type Held, readHeld } from "./held";
import { type Launches, launchAt, readLaunches } from "./kernels";
import { liveBytes } from "./live";

const TEXTS = {
  title: ["Local memory over time", "本地内存随时间的读写"],
  reading: ["Reading …", "读取中…"],
  missing: ["The addresses are not known for this dump.", "此转储无法得知使用了哪些地址。"],
  dropped: ["The dump is too large for this view: the page does not store its memory accesses.", "转储过大，无法显示此视图：访问是已知的，但未包含在页面中。"],
  why: [
    "Addresses are part of the full bits of a command. A dump has them if it was captured in profile mode 2, or if it is a dump of a static model with its command files. In the other modes, a record has only the type and the time of a command.",
    "地址在指令的完整指令内容中。以 profile 模式 2 录制、或文件夹中带有静态模型指令的转储才有这些内容。其他模式的记录只说明哪条指令在何时运行。",
  ],
  missingCore: ["The dump does not have the full bits of the commands of core {0}, so its memory accesses are not known. Choose another core.", "核 {0} 的本地内存情况未知：转储中没有其指令的完整指令内容。请选择其他核。"],
  core: ["Core", "核"],
  show: ["Show", "显示"],
  readsWrites: ["reads and writes", "读和写"],
  reads: ["reads", "读"],
  writes: ["writes", "写"],
  held: ["what stays", "驻留内容"],
  shared: ["L2M", "L2M"],
  heldNote: ["A rectangle is data of a lane from the end of the write to the end of its last read before the next write, in the colour of the layer or kernel that writes it. An address counts once, also if several lanes use it.", "矩形表示每个 lane 中的数据：从写入结束到下次写入前最后一次读取结束，颜色为写入它的层或核函数。无论位于哪些 lane，同一地址只计一次。"],
  both: ["reads and writes in one pixel", "同一像素内读写"],
  lane: ["Lane", "Lane"],
  bank: ["Bank", "Bank"],
  all: ["all", "全部"],
  used: ["all banks in use", "已使用的全部"],
  fit: ["Whole run", "全程"],
  counted: ["{0} reads and {1} writes shown, of {2} accesses. {3} lanes with {4} each; {5} per bank", "显示 {0} 次读、{1} 次写，共 {2} 次访问；{3} 个 lane，每个 {4}，每 bank {5}"],
  countedShared: ["{0} reads and {1} writes shown, of {2} accesses of all cores", "显示所有核共 {2} 次访问中的 {0} 次读、{1} 次写"],
  bankName: ["Bank {0}", "Bank {0}"],
  live: ["Live bytes", "存活字节"],
  most: ["maximum {0}", "最多 {0}"],
  liveNow: ["{0} live in a lane", "每 lane 存活 {0}"],
  lanes: ["lanes {0} to {1}", "lane {0} 至 {1}"],
  definition: [
    "Live bytes: addresses of a lane that hold data which a command will still read. An address is live from the end of a write to the end of the last read before the next write. It counts once, also if several lanes use it. Data written before the recording does not count.",
    "存活字节：每个 lane 中已写入、且在下次写入前还会被读取的地址；无论位于哪些 lane，同一地址只计一次。从写入结束算起，到最后一次读取结束为止。录制之前写入的内容不计。",
  ],
  keys: ["Wheel: zoom. Drag: move. Double click: whole run. Click: show in the timeline. Keys: arrows or A D, W S or + −, 0.", "滚轮缩放，拖动平移，双击显示全程；点击跳到时间线。按键：方向键或 A D、W S 或 + −、0。"],
} satisfies Record<string, Text>;

export class MemoryPanel {
  readonly element = h("section", { class: "panel memory-panel" });
  private plot: Plot | null = null;
  private core = -1;
  private fields: Fields | null = null;
  private apply: () => void = () => {};

  constructor(private readonly shell: Shell) {
    const lmem = shell.page.head.lmem;
    if (!lmem || lmem.cores.length === 0) this.missing();
    else void this.load(this.startCore());
  }

  /** Takes over what the page's state says. */
  show(): void {
    if (this.core >= 0 && this.startCore() !== this.core) return void this.load(this.startCore());
    if (this.fields && follow(this.fields)) this.apply();
    this.plot?.follow();
    this.redraw();
  }

  redraw(): void {
    this.plot?.redraw();
  }

  private startCore(): number {
    const cores = this.shell.page.head.lmem!.cores;
    const asked = state.get("l.core");
    if (asked === "l2m") return SHARED;
    return asked !== "" && Number.isInteger(Number(asked)) ? Number(asked) : cores[0]!.core;
  }

  private title(): HTMLElement {
    return h("h2", null, t(TEXTS.title), " ", explained("memory", this.shell));
  }

  private missing(): void {
    // What the page's limit left out is known, only not here.
    const dropped = this.shell.page.head.notices.find(({ key }) => key === "lmem-dropped");
    if (dropped) return put(this.element, this.title(), h("div", { id: "memory-missing", class: "missing" }, h("p", null, h("b", null, t(TEXTS.dropped))), h("p", { class: "muted" }, noticeText(dropped.key, dropped.args))));
    put(this.element, this.title(), h("div", { id: "memory-missing", class: "missing" }, h("p", null, h("b", null, t(TEXTS.missing))), h("p", { class: "muted" }, t(TEXTS.why))));
  }

  private async load(core: number): Promise<void> {
    this.core = core;
    this.fields = this.plot = null;
    // The choice of the core is built anew: the focus goes back to it.
    const focused = document.activeElement?.id ?? "";
    put(this.element, this.title(), h("p", { class: "muted" }, t(TEXTS.reading)));
    const [memory, launches] = await Promise.all([readAccesses(this.shell.page, core), readLaunches(this.shell.page, core)]);
    const held = memory && (await readHeld(this.shell.page, memory.accesses, memory.residency));
    if (core !== this.core) return;
    if (memory) this.build(core, memory.accesses, held!, launches, focused);
    else put(this.element, this.bar(core), h("p", { id: "memory-missing", class: "missing" }, t(TEXTS.missingCore, core)));
  }

  private bar(core: number, ...more: (Node | string)[]): HTMLElement {
    const known = this.shell.page.head.cores.map((c) => c.core);
    const cores = [...new Set([...known, core])].filter((c) => c >= 0).map((c): [string, string] => [String(c), String(c)]);
    if (this.shell.page.head.lmem!.l2m) cores.push(["l2m", t(TEXTS.shared)]);
    const choose = choice("memory-core", cores, core === SHARED ? "l2m" : String(core), (value) => {
      state.set({ "l.core": value });
      void this.load(this.startCore());
    });
    return h("div", { class: "bar-row" }, this.title(), h("label", null, t(TEXTS.core), " ", choose), ...more);
  }

  private build(core: number, a: Accesses, held: Held, launches: Launches | null, focused: string): void {
    const { page } = this.shell;
    const isShared = core === SHARED;
    const base = isShared ? page.head.lmem!.l2m!.base : 0;
    const local = page.head.lmem!;
    const lmem = isShared ? sharedSizes(local.l2m!) : local;
    const bankBytes = lmem.bankBytes > 0 ? lmem.bankBytes : lmem.laneBytes;
    const kinds: [string, string][] = [["", t(TEXTS.held)], ["all", t(TEXTS.readsWrites)], ["reads", t(TEXTS.reads)], ["writes", t(TEXTS.writes)]];
    // Links of older pages name what is shown first now.
    const asked = state.get("l.show") === "held" ? "" : state.get("l.show");
    const show = choice("memory-show", kinds, asked, () => this.apply());
    const numbers = (id: string, key: string, most: number, first: [string, string][]): HTMLSelectElement =>
      choice(id, [...first, ...Array.from({ length: most }, (_, n): [string, string] => [String(n), String(n)])], state.get(key), () => this.apply());
    const lane = numbers("memory-lane", "l.lane", isShared ? 0 : lmem.lanes, [["", t(TEXTS.all)]]);
    const bank = numbers("memory-bank", "l.bank", Math.ceil(lmem.laneBytes / bankBytes), [["", t(TEXTS.used)], ["all", t(TEXTS.all)]]);
    const counted = h("p", { class: "muted", id: "memory-counted" });
    const note = h("p", { class: "key muted" });
    const contents = new Contents(this.shell, a, held, isShared ? null : local.cores.find((of) => of.core === core)!.spilled, base, (at) => toMoment(at));
    const numberOf = (field: HTMLSelectElement): number => (field.value === "" ? -1 : Number(field.value));

    const chart = new MemoryChart(a, lmem.laneBytes, bankBytes, new Uint8Array(a.start.length), isShared ? held.live : liveBytes(a, numberOf(lane)), launches, {
      bank: (n) => (isShared ? "" : t(TEXTS.bankName, n)), address: (n) => `0x${(base + n).toString(16)}`, live: t(TEXTS.live), most: (text) => t(TEXTS.most, text),
    });
    const plot = (this.plot = new Plot({
      id: "memory-chart", label: t(TEXTS.title), range: deviceRange(page), gutter: GUTTER, key: "l.range",
      draw: (p, context) => chart.draw(p, context),
      tip: (p, x, y) => {
        const piece = chart.pieceAt(p, x, y);
        if (piece >= 0) return this.describePiece(a, held, piece, base);
        if (chart.onLive(p, x, y)) return [h("b", null, duration(p.time(x))), h("div", null, t(TEXTS.liveNow, binaryBytes(chart.liveAt(p.time(x)))))];
        const launch = launches && launchAt(p, launches, x, y);
        if (launch) return [h("b", null, launch.name), h("div", null, duration(launch.ns))];
        if (chart.held) return null;
        const at = chart.at(p, x, y);
        if (at !== chart.hot) {
          chart.hot = at;
          p.redraw();
        }
        return at < 0 ? null : this.describe(a, at, bankBytes);
      },
      click: (p, x, y) => {
        const launch = launches && launchAt(p, launches, x, y);
        if (launch) return this.shell.showSlice(launch.slice);
        if (chart.held) return toMoment(p.time(x));
        const at = chart.at(p, x, y);
        if (at >= 0) this.shell.showSlice({ track: a.track[at]!, row: a.row[at]! });
      },
    }));

    const toMoment = (at: number): void => {
      chart.moment = at;
      state.set({ "l.at": String(Math.round(at)) });
      contents.show(at);
      plot.redraw();
    };
    chart.moment = Number(state.get("l.at")) || held.peak;
    contents.show(chart.moment);
    const used = usedWindow(a, lmem.laneBytes, bankBytes);
    let lastLane = numberOf(lane);
    const fields: Fields = (this.fields = [["l.show", show], ["l.lane", lane], ["l.bank", bank]]);
    this.apply = () => {
      chart.window = isShared ? used : bank.value === "" ? used : bank.value === "all" ? { from: 0, to: lmem.laneBytes } : { from: Number(bank.value) * bankBytes, to: Math.min((Number(bank.value) + 1) * bankBytes, lmem.laneBytes) };
      const shown = filterAccesses(a, { reads: show.value !== "writes", writes: show.value !== "reads", lane: numberOf(lane), ...chart.window });
      chart.held = show.value === "" ? held : null;
      this.element.classList.toggle("memory-held", show.value === "");
      note.textContent = `${t(show.value === "" ? TEXTS.heldNote : TEXTS.definition)} ${t(TEXTS.keys)}`;
      if (!isShared && numberOf(lane) !== lastLane) chart.live = liveBytes(a, (lastLane = numberOf(lane)));
      chart.shown = shown;
      keep(fields);
      const number = [0, 0];
      for (let i = 0; i < shown.length; i++) if (shown[i]) number[a.write[i]!]!++;
      counted.textContent = isShared ? t(TEXTS.countedShared, count(number[0]!), count(number[1]!), count(shown.length)) : t(TEXTS.counted, count(number[0]!), count(number[1]!), count(shown.length), lmem.lanes, binaryBytes(lmem.laneBytes), binaryBytes(bankBytes));
      Object.assign(plot.canvas.dataset, { accesses: shown.length, shown: number[0]! + number[1]!, liveMost: chart.live.most });
      plot.redraw();
    };
    put(this.element,
      this.bar(core,
        h("label", null, t(TEXTS.show), " ", show), ...(isShared ? [] : [h("label", null, t(TEXTS.lane), " ", lane), h("label", null, t(TEXTS.bank), " ", bank)]),
        h("button", { onclick: () => plot.fit() }, t(TEXTS.fit)), pictureButtons(`${page.head.source}-memory-core${core}`, () => plot.picture()),
        h("span", { class: "legend-row muted" }, legendKey("--read", t(TEXTS.reads)), legendKey("--write", t(TEXTS.writes)), legendKey("--both", t(TEXTS.both)))),
      counted, h("div", { class: "memory-room" }, plot.element, contents.element), note);
    this.apply();
    if (focused !== "") this.element.querySelector<HTMLElement>(`[id="${CSS.escape(focused)}"]`)?.focus();
  }

  private describePiece(a: Accesses, held: Held, piece: number, base: number): (Node | string)[] {
    const from = base + held.addr[piece]!;
    const track = this.shell.page.tracks[a.track[held.write[piece]!]!]!;
    return [
      h("b", null, held.owner[piece]!.name),
      h("div", null, `0x${from.toString(16)} – 0x${(from + held.bytes[piece]! - 1).toString(16)}: ${count(held.bytes[piece]!)} B`),
      h("div", null, `${duration(held.start[piece]!)} + ${duration(held.end[piece]! - held.start[piece]!)}`),
      h("div", { class: "muted" }, `${track.engine} ${track.head.core} #${a.row[held.write[piece]!]}`),
    ];
  }

  private describe(a: Accesses, at: number, bankBytes: number): (Node | string)[] {
    const { page } = this.shell;
    const track = page.tracks[a.track[at]!]!;
    const name = page.nameText(track.times!.name[a.row[at]!]!);
    const from = a.addr[at]!;
    const line = (text: string): HTMLElement => h("div", null, text);
    return [
      h("b", null, `${track.engine} · ${name} #${a.row[at]}`),
      line(`${page.text(a.operand[at]!)}: ${t(a.write[at] ? TEXTS.writes : TEXTS.reads)} ${count(a.bytes[at]!)} B`),
      line(`0x${from.toString(16)} – 0x${(from + a.bytes[at]! - 1).toString(16)} (${t(TEXTS.bankName, Math.floor(from / bankBytes))})`),
      line(t(TEXTS.lanes, a.lane[at]!, a.lane[at]! + a.lanes[at]! - 1)),
      line(`${duration(a.start[at]!)} + ${duration(a.end[at]! - a.start[at]!)}`),
    ];
  }
}

/** The shared memory as if it had one lane and 16 banks. */
function sharedSizes({ bytes }: L2mHead): { laneBytes: number; bankBytes: number; lanes: number } {
  const bankBytes = 2 ** Math.max(Math.ceil(Math.log2(Math.max(bytes, 1) / 16)), 0);
  return { laneBytes: Math.ceil(bytes / bankBytes) * bankBytes, bankBytes, lanes: 1 };
}
