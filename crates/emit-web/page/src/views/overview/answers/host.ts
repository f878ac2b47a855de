// Host and device: latency, queue, idle time, operators; and communication.
import { h } from "../../../ui/dom";
import { bytes, duration, percent } from "../../../ui/format";
import { type Text, t } from "../../../ui/i18n";
import { type Column, table } from "../../../ui/table";
import type { Shell } from "../../view";
import type { Answers, Channel, HostGap, HostOperator } from "../../../data/generated";
import { sinceStart } from "../../../data/page";

const TEXTS = {
  title: ["Host and device", "主机与设备"],
  latency: ["{0} of {1} launches are matched with host calls {2}. Launch latency: median {3}, p95 {4}; with an empty queue: {5}", "{1} 次启动中 {0} 次与主机调用匹配（{2}）；启动延迟 p50 {3}，p95 {4}；无排队时 {5}"],
  names: ["by name", "按名称"],
  order: ["in order", "按顺序"],
  time: ["by time", "按时间"],
  queue: ["Queue: {0} launches on average, at most {1}", "队列：平均 {0} 次启动，最多 {1} 次"],
  idle: ["The chip is idle for {0}: for {1} no launch was pending (host-bound), for {2} launches were pending but did not run", "芯片空闲 {0}：其中 {1} 没有任何启动（受限于主机），{2} 已启动但设备未运行"],
  gaps: ["Longest times without a pending launch", "最长的无启动时间"],
  at: ["At", "开始于"],
  length: ["Length", "时长"],
  meanwhile: ["What the host did", "主机当时在做"],
  operators: ["Host operators by device time", "主机算子引起的设备时间"],
  operator: ["Operator", "算子"],
  launches: ["Launches", "启动次数"],
  self: ["Self device time", "自身设备时间"],
  total: ["Device time", "设备时间"],
  open: ["Show it in the timeline", "在时间线中显示"],
  communication: ["Communication", "通信"],
  engine: ["Engine", "引擎"],
  commands: ["Commands", "指令数"],
  bytes: ["Bytes", "字节"],
  busy: ["Busy, without waits", "忙碌（不含等待）"],
  sync: ["Sync", "同步"],
  link: ["Share of link peak", "占链路"],
  overlapped: ["Overlapped with compute", "与计算重叠"],
  exposed: ["Exposed", "未掩盖"],
} satisfies Record<string, Text>;

export function hostPanel(shell: Shell, { host }: Answers): HTMLElement | null {
  if (!host?.matching) return null;
  const { head } = shell.page;
  const { latency, queue, idle } = host;
  const lines = [
    t(TEXTS.latency, host.matched, host.launches, t(TEXTS[host.matching]), duration(latency.p50_ns), duration(latency.p95_ns), host.free_latency.count > 0 ? duration(host.free_latency.p50_ns) : "–"),
    t(TEXTS.queue, queue.mean.toFixed(2), queue.max),
    t(TEXTS.idle, duration(idle.idle_ns), duration(idle.host_bound_ns), duration(idle.device_bound_ns)),
  ];
  const gaps: Column<HostGap>[] = [
    { key: "at", title: t(TEXTS.at), num: true, value: (g) => g.start_ns, time: (g) => sinceStart(head, g.start_ns) },
    { key: "length", title: t(TEXTS.length), num: true, value: (g) => g.end_ns - g.start_ns, time: (g) => g.end_ns - g.start_ns },
    { key: "host", title: t(TEXTS.meanwhile), value: (g) => g.host || "–" },
  ];
  const operators: Column<HostOperator>[] = [
    { key: "name", title: t(TEXTS.operator), value: (o) => o.name },
    { key: "launches", title: t(TEXTS.launches), num: true, value: (o) => o.launches },
    { key: "self", title: t(TEXTS.self), num: true, value: (o) => o.self_device_ns, time: (o) => o.self_device_ns },
    { key: "total", title: t(TEXTS.total), num: true, value: (o) => o.device_ns, time: (o) => o.device_ns },
  ];
  return h("section", { class: "panel", id: "host" }, h("h2", null, t(TEXTS.title)), ...lines.map((line) => h("p", null, line)),
    h("h3", null, t(TEXTS.operators)), table({ id: "host-operators", label: t(TEXTS.operators), columns: operators, rows: host.operators, most: 12 }),
    idle.longest.length > 0 && h("h3", null, t(TEXTS.gaps)), idle.longest.length > 0 && table({
      id: "host-gaps", label: t(TEXTS.gaps), columns: gaps, rows: idle.longest, most: 10, openHint: t(TEXTS.open),
      open: (g) => shell.showRange(sinceStart(head, g.start_ns), sinceStart(head, g.end_ns)),
    }));
}

export function communicationPanel({ communication }: Answers): HTMLElement | null {
  const { channels } = communication;
  if (!channels.some((c) => c.commands > 0)) return null;
  const time = (key: string, title: Text, of: (c: Channel) => number): Column<Channel> => ({ key, title: t(title), num: true, value: of, time: (c) => of(c) });
  const columns: Column<Channel>[] = [
    { key: "engine", title: t(TEXTS.engine), value: (c) => `${c.engine} ${c.index}` },
    { key: "commands", title: t(TEXTS.commands), num: true, value: (c) => c.commands },
    { key: "bytes", title: t(TEXTS.bytes), num: true, value: (c) => c.bytes, cell: (c) => bytes(c.bytes) },
    time("busy", TEXTS.busy, (c) => c.busy_ns),
    time("sync", TEXTS.sync, (c) => c.sync_ns),
    { key: "gbps", title: "GB/s", num: true, value: (c) => c.gbps, cell: (c) => c.gbps.toFixed(2) },
    { key: "link", title: t(TEXTS.link), num: true, value: (c) => c.link_share ?? -1, cell: (c) => (c.link_share === null ? "–" : percent(c.link_share)) },
    time("overlapped", TEXTS.overlapped, (c) => c.overlapped_ns),
    time("exposed", TEXTS.exposed, (c) => c.exposed_ns),
  ];
  return h("section", { class: "panel wide", id: "communication" }, h("h2", null, t(TEXTS.communication)),
    table({ id: "communication-table", label: t(TEXTS.communication), columns, rows: channels, most: 20 }));
}
