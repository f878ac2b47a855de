// The kernels that took most time.
import type { KernelHead } from "../../data/generated";
import { stack } from "../../ui/bars";
import { h } from "../../ui/dom";
import { bytes, count, gbps, percent } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import { longestLaunch } from "../../ui/launches";
import { type Column, table } from "../../ui/table";
import { findState } from "../find/filter";
import type { Shell } from "../view";

const TEXTS = {
  title: ["Top kernels", "耗时最多的核函数"],
  none: ["The dump has no kernel names. The view Find lists all commands.", "没有核函数名：转储中没有记录。仍可在“查找”中列出指令。"],
  note: ["Click a row to show the kernel's longest launch in the timeline. Times are sums over all cores, so they can be longer than the run.", "点击一行可在时间线中查看该核函数最长的一次执行。各核的执行时间相加，因此可能超过总时长。"],
  open: ["Show the longest launch in the timeline", "在时间线中显示最长的一次执行"],
  list: ["Commands", "指令"],
  listHint: ["List its commands", "列出其指令"],
  kernel: ["Kernel", "核函数"],
  count: ["Launches", "次数"],
  incomplete: ["*: {0} launches have missing commands because records were lost; p50, p95 and max do not include them", "*：{0} 次执行因记录丢失而缺少指令，不计入 p50、p95 和最大值"],
  total: ["Total", "总计"],
  mean: ["Mean", "平均"],
  max: ["Max", "最大"],
  p50: ["Median time of a launch", "单次时间的中位数"],
  p95: ["95 % of the launches take at most this time", "95 % 的执行不超过此时间"],
  share: ["Share", "占比"],
  shareHint: ["Of the sum of all kernels' totals", "占全部核函数总时间的比例"],
  cores: ["Cores", "核数"],
  busy: ["Engines", "引擎"],
  busyHint: ["Working time of TIU, GDMA, SDMA and CDMA / total time; engines can work at the same time", "TIU、GDMA、SDMA、CDMA 为其工作的时间与总时间之比；可能重叠"],
  moved: ["DDR bytes", "DDR 字节"],
  rate: ["Bandwidth", "带宽"],
  rateHint: ["All bytes moved / time of all launches", "全部搬运字节 ÷ 全部执行时间"],
} satisfies Record<string, Text>;

const ENGINES = ["TIU", "GDMA", "SDMA", "CDMA"] as const;

export function kernelsPanel(shell: Shell): HTMLElement {
  const { page } = shell;
  const rows = page.head.topKernels;
  const name = (k: KernelHead): string => page.text(page.head.kernels[k.kernel] ?? -1);
  const columns: Column<KernelHead>[] = [
    { key: "kernel", title: t(TEXTS.kernel), value: name, mark: () => "name", cell: (k) => h("span", { title: name(k) }, name(k)) },
    { key: "share", title: t(TEXTS.share), hint: t(TEXTS.shareHint), num: true, value: (k) => k.share, mark: () => "share", cell: (k) => share(k.share) },
    { key: "total", title: t(TEXTS.total), num: true, value: (k) => k.total, time: (k) => k.total },
    { key: "count", title: t(TEXTS.count), num: true, value: (k) => k.count, cell: launches },
    { key: "mean", title: t(TEXTS.mean), num: true, value: (k) => k.mean, time: (k) => k.mean },
    { key: "p50", title: "p50", hint: t(TEXTS.p50), num: true, value: (k) => k.p50, time: (k) => k.p50 },
    { key: "p95", title: "p95", hint: t(TEXTS.p95), num: true, value: (k) => k.p95, time: (k) => k.p95 },
    { key: "max", title: t(TEXTS.max), num: true, value: (k) => k.max, time: (k) => k.max },
    { key: "cores", title: t(TEXTS.cores), num: true, value: (k) => k.cores },
    { key: "busy", title: t(TEXTS.busy), hint: t(TEXTS.busyHint), value: (k) => k.busy.reduce((a, b) => a + b, 0), mark: () => "engines", cell: engines },
    { key: "ddr", title: t(TEXTS.moved), num: true, value: (k) => k.ddrBytes, cell: (k) => bytes(k.ddrBytes) },
    { key: "gbps", title: t(TEXTS.rate), hint: t(TEXTS.rateHint), num: true, value: (k) => k.gbps, cell: (k) => gbps(k.gbps) },
    { key: "list", title: t(TEXTS.list), num: true, value: (k) => k.events, cell: (k) => list(shell, name(k), k.events) },
  ];
  return h("section", { class: "panel wide" }, h("h2", null, t(TEXTS.title)),
    rows.length === 0
      ? h("p", { class: "muted", id: "top-kernels" }, t(TEXTS.none))
      : table({
        id: "top-kernels", label: t(TEXTS.title), columns, rows, most: 15, sort: { key: "total", down: true }, openHint: t(TEXTS.open),
        open: (k) => void longestLaunch(page, k.kernel).then((slice) => slice && shell.showSlice(slice)),
      }),
    rows.length > 0 && h("p", { class: "key muted" }, t(TEXTS.note)));
}

function launches(k: KernelHead): Node | string {
  if (k.incomplete === 0) return count(k.count);
  return h("span", { title: t(TEXTS.incomplete, count(k.incomplete)) }, `${count(k.count)} *${count(k.incomplete)}`);
}

function share(of: number): HTMLElement {
  return h("div", { class: "share-cell" }, stack([{ share: of, color: "var(--accent)", title: percent(of) }], percent(of)), percent(of));
}

function engines(k: KernelHead): HTMLElement {
  const shares = k.busy.map((ns, i) => ({ engine: ENGINES[i]!, share: ns / Math.max(k.total, 1) })).filter((e) => e.share > 0);
  const label = shares.map((e) => `${e.engine} ${percent(e.share)}`).join(", ");
  return h("div", { class: "mini-bars", title: label }, ...shares.map((e) => stack([{ share: e.share, color: `var(--${e.engine.toLowerCase()})`, title: label }], label)));
}

function list(shell: Shell, kernel: string, events: number): HTMLElement {
  return h("button", { class: "link", title: t(TEXTS.listHint), onclick: () => shell.find(findState({ kernel })) }, count(events));
}
