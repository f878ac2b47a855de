// The kernels that took most time.
import type { KernelHead } from "../../data/generated";
import { stack } from "../../ui/bars";
import { cut } from "../../ui/cut";
import { h } from "../../ui/dom";
import { count, percent } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import { longestLaunch } from "../../ui/launches";
import { type Column, table } from "../../ui/table";
import { findState } from "../find/filter";
import type { Shell } from "../view";
import { numberOf, shareBar, unitColumn } from "./unitcolumns";

const TEXTS = {
  title: ["Top kernels", "耗时最多的核函数"],
  none: ["The dump has no kernel names. The view Find lists all commands.", "没有核函数名：转储中没有记录。仍可在“查找”中列出指令。"],
  note: ["Click a row to show the kernel's longest launch in the timeline. Times are sums over all cores, so they can be longer than the run.", "点击一行可在时间线中查看该核函数最长的一次执行。各核的执行时间相加，因此可能超过总时长。"],
  open: ["Show the longest launch in the timeline", "在时间线中显示最长的一次执行"],
  listHint: ["List its commands", "列出其指令"],
  incomplete: ["*: {0} launches have missing commands because records were lost; p50, p95 and max do not include them", "*：{0} 次执行因记录丢失而缺少指令，不计入 p50、p95 和最大值"],
  busy: ["Engines", "引擎"],
  busyHint: ["Working time of TIU, GDMA, SDMA and CDMA / total time; engines can work at the same time", "TIU、GDMA、SDMA、CDMA 为其工作的时间与总时间之比；可能重叠"],
} satisfies Record<string, Text>;

const ENGINES = ["TIU", "GDMA", "SDMA", "CDMA"] as const;

/** Columns that are shown, by id; the engines' shares are one column. */
const SHOWN = ["kernel", "share", "total_ns", "path_ns", "launches", "mean_ns", "p50_ns", "p95_ns", "max_ns", "cores", "busy", "ddr_bytes", "gbps", "events"];

export function kernelsPanel(shell: Shell): HTMLElement {
  const { page } = shell;
  const rows = page.head.topKernels;
  const name = (k: KernelHead): string => page.text(page.head.kernels[k.kernel] ?? -1);
  const { kernelColumns: heads } = page.head;
  const value = (id: string): ((k: KernelHead) => number) => {
    const of = numberOf(heads, id);
    return (k) => of(k) ?? 0;
  };
  const busy = ENGINES.map((engine) => value(`${engine.toLowerCase()}_busy`));
  const incomplete = value("incomplete_launches");
  const cells: Record<string, Partial<Column<KernelHead>>> = {
    kernel: { value: name, mark: () => "name", cell: (k) => cut(name(k)) },
    share: { mark: () => "share", cell: (k) => shareBar(value("share")(k)) },
    launches: { cell: (k) => launches(value("launches")(k), incomplete(k)) },
    events: { cell: (k) => list(shell, name(k), value("events")(k)) },
  };
  const columns = SHOWN.map((id): Column<KernelHead> => {
    if (id === "busy") return { key: id, title: t(TEXTS.busy), hint: t(TEXTS.busyHint), value: (k) => busy.reduce((sum, of) => sum + of(k), 0), mark: () => "engines", cell: (k) => engines(busy.map((of) => of(k))) };
    return unitColumn(heads, id, cells[id]);
  });
  return h("section", { class: "panel wide" }, h("h2", null, t(TEXTS.title)),
    rows.length === 0
      ? h("p", { class: "muted", id: "top-kernels" }, t(TEXTS.none))
      : table({
        id: "top-kernels", label: t(TEXTS.title), columns, rows, most: 15, sort: { key: "total_ns", down: true }, openHint: t(TEXTS.open),
        open: (k) => void longestLaunch(page, k.kernel).then((slice) => slice && shell.showSlice(slice)),
      }),
    rows.length > 0 && h("p", { class: "key muted" }, t(TEXTS.note)));
}

function launches(all: number, incomplete: number): Node | string {
  if (incomplete === 0) return count(all);
  return h("span", { title: t(TEXTS.incomplete, count(incomplete)) }, `${count(all)} *${count(incomplete)}`);
}

function engines(busy: number[]): HTMLElement {
  const shares = busy.map((of, i) => ({ engine: ENGINES[i]!, share: of })).filter((e) => e.share > 0);
  const label = shares.map((e) => `${e.engine} ${percent(e.share)}`).join(", ");
  return h("div", { class: "mini-bars", title: label }, ...shares.map((e) => stack([{ share: e.share, color: `var(--${e.engine.toLowerCase()})`, title: label }], label)));
}

function list(shell: Shell, kernel: string, events: number): HTMLElement {
  return h("button", { class: "link", title: t(TEXTS.listHint), onclick: () => shell.find(findState({ kernel })) }, count(events));
}
