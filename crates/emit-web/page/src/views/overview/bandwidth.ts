// How fast the transfer engines read from off-chip memory and wrote to it: of each sort of engine, and of the chip.
import type { DdrBandwidth } from "../../data/generated";
import type { Page } from "../../data/page";
import { h } from "../../ui/dom";
import { bytes, gbps } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import { type Column, table } from "../../ui/table";

const TEXTS = {
  title: ["Bandwidth of off-chip memory", "片外内存带宽"],
  engine: ["Engine", "引擎"],
  chip: ["chip", "芯片"],
  read: ["Read", "读"],
  written: ["Written", "写"],
  busy: ["Busy", "忙碌"],
  busyHint: ["Time in which any of its engines ran such a transfer", "其任一引擎在进行这类搬运的时间"],
  readRate: ["Read rate", "读速率"],
  writeRate: ["Write rate", "写速率"],
  rate: ["Together", "合计"],
} satisfies Record<string, Text>;

export function bandwidthPanel(page: Page): HTMLElement | null {
  const rows = page.head.answers.ddr_bandwidth;
  if (rows.length === 0) return null;
  const amount = (key: "read_bytes" | "written_bytes", title: Text): Column<DdrBandwidth> => ({ key, title: t(title), num: true, value: (row) => row[key], cell: (row) => bytes(row[key]) });
  const rate = (key: "read_gbps" | "write_gbps" | "gbps", title: Text): Column<DdrBandwidth> => ({ key, title: t(title), num: true, value: (row) => row[key], cell: (row) => gbps(row[key]) });
  const columns: Column<DdrBandwidth>[] = [
    { key: "engine", title: t(TEXTS.engine), value: (row) => (row.engine === "chip" ? t(TEXTS.chip) : row.engine), mark: () => "name" },
    amount("read_bytes", TEXTS.read), amount("written_bytes", TEXTS.written),
    { key: "busy", title: t(TEXTS.busy), hint: t(TEXTS.busyHint), num: true, value: (row) => row.busy_ns, time: (row) => row.busy_ns },
    rate("read_gbps", TEXTS.readRate), rate("write_gbps", TEXTS.writeRate), rate("gbps", TEXTS.rate),
  ];
  return h("section", { class: "panel", id: "bandwidth-panel" }, h("h2", null, t(TEXTS.title)), table({ id: "bandwidth", label: t(TEXTS.title), columns, rows }));
}
