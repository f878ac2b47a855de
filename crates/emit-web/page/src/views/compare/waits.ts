// The longest waits, and what released them.
import { h } from "../../ui/dom";
import { percent } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import { type Column, table } from "../../ui/table";
import type { SliceRef } from "../view";
import type { Messages } from "./messages";

const TEXTS = {
  title: ["Longest waits", "最长的等待"],
  engine: ["Waiting", "等待方"],
  index: ["Global Idx", "Global Idx"],
  start: ["From", "开始"],
  waited: ["Waited", "等待时长"],
  share: ["Share of the duration", "占总时长"],
  by: ["Released by", "释放方"],
  unknown: ["not known", "未知"],
  sent: ["At", "时刻"],
  after: ["Delay", "延迟"],
  afterHint: ["From the end of the command that released the wait to the end of the wait. A command that ended longer before the wait's end than a hand-over takes is no releaser", "从释放等待的指令结束到等待结束。早于等待结束超过一次交接时间的指令不算释放者"],
  open: ["Show the wait in the timeline", "在时间线中显示该等待"],
  openReleaser: ["Show the command in the timeline", "在时间线中显示该指令"],
} satisfies Record<string, Text>;

/** Rows of the table at most. */
const MOST = 50;

export function waitsTable(m: Messages, shown: Uint8Array, totalNs: number, laneName: (lane: number) => string, trackName: (track: number) => string, go: (slice: SliceRef) => void): HTMLElement {
  const waited = (i: number): number => m.end[i]! - m.start[i]!;
  const rows: number[] = [];
  for (let i = 0; i < shown.length; i++) if (shown[i] && m.isWait[i]) rows.push(i);
  rows.sort((a, b) => waited(b) - waited(a));
  const isKnown = (i: number): boolean => m.releaserTrack[i]! >= 0;
  const releaser = (i: number): string => (isKnown(i) ? `${trackName(m.releaserTrack[i]!)} #${m.releaserRow[i]}` : t(TEXTS.unknown));
  const columns: Column<number>[] = [
    { key: "engine", title: t(TEXTS.engine), value: (i) => laneName(m.lane[i]!) },
    { key: "index", title: t(TEXTS.index), num: true, value: (i) => m.row[i]! },
    { key: "start", title: t(TEXTS.start), num: true, value: (i) => m.start[i]!, time: (i) => m.start[i]! },
    { key: "waited", title: t(TEXTS.waited), num: true, value: waited, time: (i) => waited(i) },
    { key: "share", title: t(TEXTS.share), num: true, value: waited, cell: (i) => percent(waited(i) / Math.max(totalNs, 1), 2) },
  ];
  columns.push(
    { key: "by", title: t(TEXTS.by), value: releaser, cell: (i) => (isKnown(i) ? h("button", { class: "link", title: t(TEXTS.openReleaser), onclick: () => go({ track: m.releaserTrack[i]!, row: m.releaserRow[i]! }) }, releaser(i)) : h("span", { class: "muted" }, releaser(i))) },
    { key: "sent", title: t(TEXTS.sent), num: true, value: (i) => (isKnown(i) ? m.releaserEnd[i]! : -1), time: (i) => (isKnown(i) ? m.releaserEnd[i]! : null) },
    { key: "after", title: t(TEXTS.after), hint: t(TEXTS.afterHint), num: true, value: (i) => (isKnown(i) ? m.end[i]! - m.releaserEnd[i]! : -1), time: (i) => (isKnown(i) ? m.end[i]! - m.releaserEnd[i]! : null) },
  );

  return h("div", { class: "waits" }, h("h3", null, t(TEXTS.title)),
    table({ id: "longest-waits", label: t(TEXTS.title), columns, rows: rows.slice(0, MOST), most: 12, sort: { key: "waited", down: true }, open: (i) => go({ track: m.lanes[m.lane[i]!]!.index, row: m.row[i]! }), openHint: t(TEXTS.open) }));
}
