// Beside the chart of what stays in a memory: its peak and whose it is, what was stored and loaded again, and the contents at a moment.
//
// For tests: #memory-peak [data-bytes][data-at], #memory-spilled, #memory-contents [data-at][data-bytes].
import type { SpilledHead } from "../../data/generated";
import { h, put } from "../../ui/dom";
import { binaryBytes, bytes, count, duration, percent } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import { type Column, table } from "../../ui/table";
import type { Shell } from "../view";
import type { Accesses } from "./accesses";
import { type Held, byOwner, contentsAt } from "./held";

const TEXTS = {
  peak: ["Peak: {0} at {1}. Most of it: {2}", "峰值：{0}，于 {1}。主要来自：{2}"],
  nothing: ["Nothing that was written is read again.", "写入的内容均未被再次读取。"],
  toPeak: ["Show the peak", "显示峰值"],
  spilled: ["Stored to DDR and loaded again: {0} ({1} in loads). To L2M and back: {2} ({3} in loads).", "存到 DDR 后又加载：{0}（加载共 {1}）。经 L2M 往返：{2}（加载共 {3}）。"],
  contents: ["Contents at {0}: {1}", "{0} 时的内容：{1}"],
  hint: ["Click the chart to see the contents at another moment. Bytes of a lane; a click on a row shows the command that writes it.", "点击图可查看其他时刻的内容。字节数为每个 lane；点击一行可跳到写入它的指令。"],
  owner: ["Layer or kernel", "层或核函数"],
  size: ["Bytes", "字节"],
  share: ["Share", "占比"],
  addr: ["Address", "地址"],
  since: ["Written", "写入"],
  until: ["Last read", "最后读取"],
} satisfies Record<string, Text>;

/** Owners that are named at the peak. */
const NAMED = 3;

export class Contents {
  readonly element = h("aside", { class: "memory-contents" });
  private readonly room = h("div");

  /** `moved`: another moment is shown. */
  constructor(
    private readonly shell: Shell,
    private readonly a: Accesses,
    private readonly held: Held,
    spilled: [SpilledHead, SpilledHead] | null,
    private readonly base: number,
    private readonly moved: (at: number) => void,
  ) {
    const { live, peak } = held;
    const names = byOwner(held, contentsAt(held, peak)).slice(0, NAMED).map(({ owner, bytes: n }) => `${owner.name} ${binaryBytes(n)}`).join(", ");
    put(this.element,
      live.most === 0 ? h("p", { id: "memory-peak" }, t(TEXTS.nothing)) : h("p", { id: "memory-peak", "data-bytes": live.most, "data-at": peak }, t(TEXTS.peak, binaryBytes(live.most), duration(peak), names), " ",
        h("button", { class: "tl-chip", onclick: () => this.moved(peak) }, t(TEXTS.toPeak))),
      spilled && h("p", { class: "muted", id: "memory-spilled" }, t(TEXTS.spilled, ...spilled.flatMap((of) => [bytes(of.storedBytes), bytes(of.loadedBytes)]))),
      this.room);
  }

  /** Shows what is there at a time. */
  show(at: number): void {
    const { held, a } = this;
    const pieces = contentsAt(held, at);
    const sum = pieces.reduce((all, i) => all + held.bytes[i]!, 0);
    const hex = (n: number) => `0x${n.toString(16)}`;
    const columns: Column<number>[] = [
      { key: "owner", title: t(TEXTS.owner), value: (i) => held.owner[i]!.name, mark: () => "name", cell: (i) => h("span", { title: held.owner[i]!.name }, h("i", { class: "dot", style: { background: held.owner[i]!.colour } }), held.owner[i]!.name) },
      { key: "bytes", title: t(TEXTS.size), num: true, value: (i) => held.bytes[i]!, cell: (i) => count(held.bytes[i]!) },
      { key: "share", title: t(TEXTS.share), num: true, value: (i) => held.bytes[i]!, cell: (i) => percent(held.bytes[i]! / Math.max(sum, 1)) },
      { key: "addr", title: t(TEXTS.addr), num: true, value: (i) => held.addr[i]!, cell: (i) => hex(this.base + held.addr[i]!) },
      { key: "since", title: t(TEXTS.since), num: true, value: (i) => held.start[i]!, time: (i) => held.start[i]! },
      { key: "until", title: t(TEXTS.until), num: true, value: (i) => held.end[i]!, time: (i) => held.end[i]! },
    ];
    put(this.room,
      h("p", { id: "memory-contents", "data-at": at, "data-bytes": sum }, h("b", null, t(TEXTS.contents, duration(at), binaryBytes(sum)))),
      table({ id: "memory-pieces", label: t(TEXTS.contents, duration(at), binaryBytes(sum)), columns, rows: pieces, most: 30, sort: { key: "bytes", down: true }, open: (i) => this.shell.showSlice({ track: a.track[held.write[i]!]!, row: a.row[held.write[i]!]! }) }),
      h("p", { class: "key muted" }, t(TEXTS.hint)));
  }
}
