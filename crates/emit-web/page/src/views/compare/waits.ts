// The longest waits, and what released them.
import { h } from "../../ui/dom";
import { percent } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import { type Column, table } from "../../ui/table";
import type { Messages } from "./messages";

const TEXTS = {
  title: ["Longest waits", "最长的等待"],
  engine: ["Waiting", "等待方"],
  index: ["Global Idx", "Global Idx"],
  start: ["From", "开始"],
  waited: ["Waited", "等待时长"],
  share: ["Share of the duration", "占总时长"],
  by: ["Released by", "释放方"],
  sent: ["Sent at", "发送于"],
  after: ["Delay after the send", "发送后"],
  afterHint: ["From the end of the send to the end of the wait", "从发送结束到等待结束"],
  open: ["Show the wait in the timeline", "在时间线中显示该等待"],
  openSend: ["Show the send in the timeline", "在时间线中显示该发送"],
} satisfies Record<string, Text>;

/** Rows of the table at most. */
const MOST = 50;

export function waitsTable(m: Messages, shown: Uint8Array, totalNs: number, laneName: (lane: number) => string, go: (i: number) => void): HTMLElement {
  const waited = (i: number): number => m.end[i]! - m.start[i]!;
  const rows: number[] = [];
  for (let i = 0; i < shown.length; i++) if (shown[i] && m.isWait[i]) rows.push(i);
  rows.sort((a, b) => waited(b) - waited(a));
  const sender = (i: number): number => m.send[m.releasedBy[i]!] ?? -1;
  const columns: Column<number>[] = [
    { key: "engine", title: t(TEXTS.engine), value: (i) => laneName(m.lane[i]!) },
    { key: "index", title: t(TEXTS.index), num: true, value: (i) => m.row[i]! },
    { key: "start", title: t(TEXTS.start), num: true, value: (i) => m.start[i]!, time: (i) => m.start[i]! },
    { key: "waited", title: t(TEXTS.waited), num: true, value: waited, time: (i) => waited(i) },
    { key: "share", title: t(TEXTS.share), num: true, value: waited, cell: (i) => percent(waited(i) / Math.max(totalNs, 1), 2) },
  ];
  if (m.send.length > 0) {
    columns.push(
      { key: "by", title: t(TEXTS.by), value: (i) => (sender(i) < 0 ? "–" : laneName(m.lane[sender(i)]!)), cell: (i) => senderLink(sender(i)) },
      { key: "sent", title: t(TEXTS.sent), num: true, value: (i) => m.end[sender(i)] ?? -1, time: (i) => (sender(i) < 0 ? null : m.end[sender(i)]!) },
      { key: "after", title: t(TEXTS.after), hint: t(TEXTS.afterHint), num: true, value: (i) => (sender(i) < 0 ? -1 : m.end[i]! - m.end[sender(i)]!), time: (i) => (sender(i) < 0 ? null : m.end[i]! - m.end[sender(i)]!) },
    );
  }

  function senderLink(send: number): Node | string {
    return send < 0 ? "–" : h("button", { class: "link", title: t(TEXTS.openSend), onclick: () => go(send) }, `${laneName(m.lane[send]!)} #${m.row[send]}`);
  }

  return h("div", { class: "waits" }, h("h3", null, t(TEXTS.title)),
    table({ id: "longest-waits", label: t(TEXTS.title), columns, rows: rows.slice(0, MOST), most: 12, sort: { key: "waited", down: true }, open: go, openHint: t(TEXTS.open) }));
}
