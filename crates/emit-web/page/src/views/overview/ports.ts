// What the CDMA ports moved between chips.
import type { PortHead } from "../../data/generated";
import type { Page } from "../../data/page";
import { h } from "../../ui/dom";
import { bytes, count, gbps, percent } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import { type Column, table } from "../../ui/table";

const TEXTS = {
  title: ["CDMA ports", "CDMA 端口"],
  port: ["Port", "端口"],
  events: ["Events", "事件"],
  sent: ["Sent", "发送"],
  received: ["Received", "接收"],
  other: ["Other", "其他"],
  sync: ["Sync", "同步"],
  syncHint: ["Time in system commands: sends and waits of messages", "系统指令的时间：消息的发送和等待"],
  busy: ["Busy", "忙碌"],
  busyHint: ["Share of the duration in which the port moved data, without waits", "搬运数据的时间占总时长的比例，不含等待"],
  groupHint: ["Bytes, mean bandwidth while they moved, commands", "字节、搬运期间的平均带宽、指令数"],
} satisfies Record<string, Text>;

export function portsPanel(page: Page): HTMLElement | null {
  const { ports, totalNs } = page.head;
  if (ports.length === 0) return null;
  const group = (key: "sent" | "received" | "other"): Column<PortHead> => ({
    key, title: t(TEXTS[key]), hint: t(TEXTS.groupHint), num: true, value: (p) => p[key].bytes,
    cell: (p) => (p[key].count === 0 ? "–" : h("span", null, bytes(p[key].bytes), h("small", { class: "muted" }, `${gbps(p[key].gbps)} · ${count(p[key].count)}`))),
  });
  const columns: Column<PortHead>[] = [
    { key: "port", title: t(TEXTS.port), num: true, value: (p) => p.port },
    { key: "events", title: t(TEXTS.events), num: true, value: (p) => p.events, cell: (p) => count(p.events) },
    group("sent"), group("received"), group("other"),
    { key: "sync", title: t(TEXTS.sync), hint: t(TEXTS.syncHint), num: true, value: (p) => p.syncNs, time: (p) => p.syncNs },
    { key: "busy", title: t(TEXTS.busy), hint: t(TEXTS.busyHint), num: true, value: (p) => p.busyNs, cell: (p) => percent(p.busyNs / Math.max(totalNs, 1)) },
  ];
  return h("section", { class: "panel" }, h("h2", null, t(TEXTS.title)), table({ id: "ports", label: t(TEXTS.title), columns, rows: ports, sort: { key: "port", down: false } }));
}
