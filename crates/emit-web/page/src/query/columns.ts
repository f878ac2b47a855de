// The values of a command, each described once: the columns of the table of commands, and the fields that a query asks for.
// docs/query.md lists them; a test compares it with this table.
import { type Page, sinceStart } from "../data/page";
import { bytes, count, percent } from "../ui/format";
import { type Text, t } from "../ui/i18n";
import type { Rows } from "./rows";
import type { Kind } from "./units";

/** Number of a row of a track; NaN where there is none. */
type Read = (row: number) => number;

export interface Column {
  key: string;
  title: Text;
  hint?: Text;
  /** Width in characters. */
  width: number;
  num?: boolean;
  /** Not shown unless chosen. */
  extra?: boolean;
  /** Needs more than the times. */
  facts?: boolean;
  /** Needs what the commands waited for. */
  causes?: boolean;
  /** What its values are, which says how a query compares them. */
  kind: Kind;
  /** Further names in a query: those of events.parquet and of earlier versions. */
  also?: string[];
  /** All texts of a number in which a query looks for a part, where there are more than the one that is shown. */
  searched?(rows: Rows, n: number): string[];
  /** Its numbers on a track (its place among `rows.tracks`). */
  read(rows: Rows, at: number): Read;
  /** What a number says, for columns whose numbers represent texts. */
  text?(rows: Rows, n: number): string;
  /** How a number reads in the table; as it is if absent. In CSV numbers are as they are. */
  format?(n: number): string;
  /** Name and unit in CSV. */
  csv: string;
}

const fact = (key: string) => (rows: Rows, at: number): Read => {
  const column = rows.facts[at]?.[key];
  return column ? (row) => column[row]! : () => NaN;
};

/** A fact of work alone: waits, sends and other system commands move and compute nothing, which is not the same as 0. */
const ofWork = (key: string) => (rows: Rows, at: number): Read => {
  const column = rows.facts[at]?.[key];
  if (!column) return () => NaN;
  const { name } = rows.times[at]!;
  const works = workOf(rows.page);
  return (row) => (works[name[row]!] ? column[row]! : NaN);
};

/** A number of work that is negative where it is not known. */
const knownOfWork = (key: string, marker = key) => (rows: Rows, at: number): Read => {
  const [own, marks] = [ofWork(key)(rows, at), rows.facts[at]?.[marker]];
  return (row) => ((marks?.[row] ?? 0) < 0 ? NaN : own(row));
};

const works = new WeakMap<Page, Uint8Array>();

/** 1 for work, by name. */
function workOf(page: Page): Uint8Array {
  let known = works.get(page);
  if (!known) works.set(page, (known = Uint8Array.from(page.head.names, ({ role }) => (role === "work" ? 1 : 0))));
  return known;
}

/** Of a command's tag. */
const ofTag = (key: "scope" | "batch" | "mode") => (rows: Rows, at: number): Read => {
  const tags = rows.facts[at]?.tag;
  if (!tags || !rows.tracks[at]!.isEngine) return () => NaN;
  const ofTag = rows.page.tagColumn(key);
  return (row) => {
    const n = ofTag[tags[row]!] ?? -1;
    return n < 0 ? NaN : n;
  };
};

/** Number of the step in which a row starts: the last one that starts there or before. */
const stepOf = (rows: Rows, at: number): Read => {
  const { head } = rows.page;
  const steps = head.answers?.steps?.steps ?? [];
  const { start } = rows.times[at]!;
  const starts = Float64Array.from(steps, ({ start_ns }) => sinceStart(head, start_ns));
  const end = steps.length > 0 ? sinceStart(head, steps.at(-1)!.end_ns) : -Infinity;
  return (row) => {
    const ns = start[row]!;
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= ns) low = middle + 1;
      else high = middle;
    }
    return low === 0 || ns >= end ? NaN : steps[low - 1]!.number;
  };
};

const cause = (key: "slack" | "onPath") => (rows: Rows, at: number): Read => {
  const column = rows.causes[at]?.[key];
  return column ? (row) => column[row]! : () => NaN;
};

/** An address; 0 is one. */
const hex = (n: number): string => `0x${n.toString(16)}`;
/** One unit for the whole column, exact to the ns: unequal times never look equal. */
const micros = (n: number): string => (n / 1e3).toLocaleString("en-US", { minimumFractionDigits: 3, maximumFractionDigits: 3 });
const rate = (n: number): string => n.toFixed(2);

/** Bytes over a row's time, GB/s. */
const bandwidth = (key: string) => (rows: Rows, at: number): Read => {
  const moved = ofWork(key)(rows, at);
  const { dur } = rows.times[at]!;
  return (row) => moved(row) / Math.max(dur[row]!, 1);
};

/** A number that is negative where it is not known. */
const known = (key: string) => (rows: Rows, at: number): Read => {
  const column = rows.facts[at]?.[key];
  return column ? (row) => (column[row]! < 0 ? NaN : column[row]!) : () => NaN;
};

/** ns that a row's bits explain. */
const expected = known("expected");

/** Stands for the text of a command that damage did not touch. */
const SURE = -1;

/** Number of a row's function type and name. */
const nameOf = (rows: Rows, at: number): Read => {
  const { name } = rows.times[at]!;
  return (row) => name[row]!;
};

export const COLUMNS: Column[] = [
  { key: "engine", kind: "text", title: ["Engine", "引擎"], width: 8, csv: "Engine", read: (_, at) => () => at, text: (rows, at) => rows.tracks[at]!.engine },
  { key: "core", kind: "count", title: ["Core", "核"], hint: ["Core, or port of CDMA", "核；CDMA 为端口"], width: 6, num: true, csv: "Core", read: (rows, at) => () => rows.tracks[at]!.head.core },
  { key: "idx", kind: "count", also: ["event"], title: ["Global Idx", "Global Idx"], hint: ["Row in the workbook's sheet", "工作簿中的行号"], width: 11, num: true, csv: "Global Idx", read: () => (row) => row },
  { key: "id", kind: "count", also: ["cmd_id"], title: ["Cmd Id", "Cmd Id"], width: 8, num: true, facts: true, csv: "Cmd Id", read: fact("id") },
  { key: "name", kind: "text", also: ["function_name"], title: ["Function", "功能名"], width: 18, csv: "Function Name", read: nameOf, text: (rows, n) => rows.page.nameText(n), searched: (rows, n) => [rows.page.nameText(n), rows.page.typeText(n)] },
  { key: "start", kind: "ns", title: ["Start µs", "开始 µs"], hint: ["Since the first event of the page", "相对页面第一个事件"], width: 13, num: true, csv: "Start (ns)", read: (rows, at) => (row) => rows.times[at]!.start[row]!, format: micros },
  { key: "dur", kind: "ns", also: ["duration", "duration_ns"], title: ["Duration µs", "时长 µs"], width: 12, num: true, csv: "Duration (ns)", read: (rows, at) => (row) => rows.times[at]!.dur[row]!, format: micros },
  {
    key: "kernel", kind: "text", title: ["Kernel", "核函数"], width: 24, facts: true, csv: "Kernel Function",
    read: (rows, at) => {
      const { tag: tags, kernel } = rows.facts[at] ?? {};
      if (kernel) return (row) => kernel[row]!;
      const ofTag = rows.page.tagColumn("kernel");
      return tags ? (row) => ofTag[tags[row]!] ?? -1 : () => -1;
    },
    text: (rows, n) => rows.page.text(rows.page.head.kernels[n] ?? -1),
  },
  { key: "rate", kind: "percent", also: ["uarch_rate"], title: ["uArch rate", "uArch 利用率"], width: 11, num: true, facts: true, csv: "uArch rate", read: knownOfWork("rate", "alg"), format: (n) => percent(n) },
  { key: "bytes", kind: "bytes", title: ["Bytes", "字节"], width: 9, num: true, facts: true, csv: "Bytes", read: ofWork("bytes"), format: bytes },
  { key: "ddr", kind: "gbps", title: ["DDR GB/s", "DDR GB/s"], width: 10, num: true, facts: true, csv: "DDR bandwidth (GB/s)", read: bandwidth("ddr"), format: rate },
  { key: "l2", kind: "gbps", title: ["L2M GB/s", "L2M GB/s"], width: 10, num: true, facts: true, csv: "L2M bandwidth (GB/s)", read: bandwidth("l2"), format: rate },
  { key: "type", kind: "text", also: ["function_type"], title: ["Type", "功能类型"], width: 12, csv: "Function Type", read: nameOf, text: (rows, n) => rows.page.typeText(n) },
  { key: "dir", kind: "text", also: ["direction"], title: ["Direction", "方向"], width: 14, facts: true, csv: "Direction", read: fact("dir"), text: (rows, n) => rows.page.text(n) },
  { key: "src", kind: "address", title: ["Source", "源地址"], width: 14, num: true, facts: true, csv: "Source address", read: known("src"), format: hex },
  { key: "dst", kind: "address", title: ["Destination", "目的地址"], width: 14, num: true, facts: true, csv: "Destination address", read: known("dst"), format: hex },
  { key: "dtype", kind: "text", also: ["data_type"], title: ["Data type", "数据类型"], width: 11, extra: true, facts: true, csv: "Data Type", read: ofWork("dtype"), text: (rows, n) => rows.page.text(n) },
  { key: "cycles", kind: "cycles", title: ["Cycles", "周期"], width: 10, num: true, extra: true, facts: true, csv: "Asic Cycle", read: fact("cycles"), format: count },
  { key: "stall", kind: "cycles", also: ["stall_cycles"], title: ["Stall cycles", "停顿周期"], width: 12, num: true, extra: true, facts: true, csv: "Stall Cycle", read: fact("stall"), format: count },
  { key: "conflict", kind: "cycles", also: ["bank_conflicts"], title: ["Bank conflicts", "Bank 冲突"], hint: ["Cycles lost to bank conflicts", "因 Bank 冲突损失的周期"], width: 14, num: true, extra: true, facts: true, csv: "Bank conflict cycles", read: fact("conflict"), format: count },
  { key: "expected", kind: "ns", also: ["expected_ns"], title: ["Expected µs", "预期 µs"], hint: ["What the command takes by its bits alone", "仅由指令位得出的耗时"], width: 12, num: true, extra: true, facts: true, csv: "Expected (ns)", read: expected, format: micros },
  {
    key: "times", kind: "times", title: ["Times expected", "预期的倍数"], hint: ["Duration / what the bits explain", "时长 ÷ 指令位所解释的时间"], width: 12, num: true, extra: true, facts: true, csv: "Times expected",
    read: (rows, at) => {
      const [bits, { dur }] = [expected(rows, at), rows.times[at]!];
      return (row) => dur[row]! / Math.max(bits(row), 1);
    },
    format: (n) => n.toFixed(2),
  },
  { key: "rule", kind: "text", also: ["expected_mark"], title: ["Rule", "规则"], hint: ["How well the expected time is known", "预期时间的可信度"], width: 12, extra: true, facts: true, csv: "Rule", read: fact("rule"), text: (rows, n) => rows.page.text(n) },
  {
    key: "quality", kind: "text", title: ["Quality", "可信度"], hint: ["How well command and times are known; the dump is damaged where it is not \"sure\"", "指令与时间的可信度；不是 sure 之处转储有损坏"], width: 10, extra: true, facts: true, csv: "Quality",
    // A track without the column has sure commands only.
    read: (rows, at) => (rows.facts[at]?.quality ? fact("quality")(rows, at) : () => (rows.tracks[at]!.isEngine ? SURE : NaN)),
    text: (rows, n) => (n === SURE ? "sure" : rows.page.text(n)),
  },
  { key: "waiting", kind: "ns", title: ["Peer wait µs", "等待对端 µs"], hint: ["A port's command waits for credit, or for its sender", "端口指令等待信用或发送方"], width: 12, num: true, extra: true, facts: true, csv: "Waiting for peer (ns)", read: known("waiting"), format: micros },
  { key: "moving", kind: "ns", title: ["Link transfer µs", "链路传输 µs"], width: 14, num: true, extra: true, facts: true, csv: "Link transfer (ns)", read: known("moving"), format: micros },
  { key: "completion", kind: "ns", title: ["Completion µs", "收尾 µs"], width: 13, num: true, extra: true, facts: true, csv: "Completion (ns)", read: known("completion"), format: micros },
  { key: "retries", kind: "count", title: ["Link retries", "链路重传"], hint: ["Packets that the link sent again", "链路重发的数据包"], width: 11, num: true, extra: true, facts: true, csv: "Link retries", read: known("retries"), format: count },
  { key: "alg", kind: "count", also: ["ops"], title: ["Alg ops", "算法运算"], width: 13, num: true, extra: true, facts: true, csv: "Alg Ops", read: knownOfWork("alg"), format: count },
  { key: "uarch", kind: "count", also: ["uarch_ops"], title: ["uArch ops", "uArch 运算"], width: 13, num: true, extra: true, facts: true, csv: "uArch Ops", read: knownOfWork("uarch"), format: count },
  {
    key: "layerId", kind: "count", also: ["layer_id"], title: ["Layer Id", "层编号"], width: 8, num: true, extra: true, facts: true, csv: "Layer Id",
    read: (rows, at) => {
      const column = rows.facts[at]?.layer;
      return column ? (row) => rows.page.head.layers[column[row]!]?.id ?? NaN : () => NaN;
    },
  },
  { key: "layer", kind: "text", title: ["Layer", "层"], width: 24, extra: true, facts: true, csv: "Layer", read: known("layer"), text: (rows, n) => rows.page.layerLabel(n), searched: (rows, n) => rows.page.layerWords(n) },
  { key: "saved", kind: "ns", title: ["Cost of run µs", "运行代价 µs"], hint: ["Of gaps: by how much the run would be shorter without it", "间隙：若没有它，运行可缩短多少"], width: 13, num: true, extra: true, facts: true, csv: "Cost of run (ns)", read: known("saved"), format: micros },
  {
    key: "endedBy", kind: "text", also: ["ended_by"], title: ["Ended by", "结束于"], hint: ["Of gaps: the command whose end ended it", "间隙：其结束使间隙结束的指令"], width: 16, extra: true, facts: true, csv: "Ended by",
    read: (rows, at) => {
      const column = rows.facts[at]?.endTrack;
      return column ? (row) => column[row]! : () => NaN;
    },
    text: (rows, n) => (rows.page.tracks[n] ? `${rows.page.tracks[n]!.engine} ${rows.page.tracks[n]!.head.core}` : ""),
  },
  { key: "end", kind: "ns", title: ["End µs", "结束 µs"], hint: ["Since the first event of the page", "相对页面第一个事件"], width: 13, num: true, extra: true, csv: "End (ns)", read: (rows, at) => {
    const { start, dur } = rows.times[at]!;
    return (row) => start[row]! + dur[row]!;
  }, format: micros },
  { key: "gbps", kind: "gbps", title: ["GB/s", "GB/s"], hint: ["Bytes moved / duration", "搬运字节 ÷ 时长"], width: 10, num: true, extra: true, facts: true, csv: "Bandwidth (GB/s)", read: bandwidth("bytes"), format: rate },
  { key: "role", kind: "text", also: ["activity"], title: ["Role", "角色"], hint: ["work, wait, send, system", "work（工作）、wait（等待）、send（发送）、system（系统）"], width: 8, extra: true, csv: "Role", read: nameOf, text: (rows, n) => rows.page.name(n).role },
  { key: "scope", kind: "count", title: ["Scope", "Scope"], width: 8, num: true, extra: true, facts: true, csv: "Scope", read: ofTag("scope") },
  { key: "batch", kind: "count", title: ["Batch", "Batch"], width: 8, num: true, extra: true, facts: true, csv: "Batch", read: ofTag("batch") },
  { key: "mode", kind: "text", title: ["Mode", "模式"], width: 8, extra: true, facts: true, csv: "Mode", read: ofTag("mode"), text: (rows, n) => rows.page.text(n) },
  { key: "block", kind: "text", title: ["Block", "模块"], hint: ["Part of the model that the layer belongs to", "层所属的模型部分"], width: 20, extra: true, facts: true, csv: "Block", read: known("layer"), text: (rows, n) => rows.page.text(rows.page.head.layers[n]?.block ?? -1) },
  { key: "step", kind: "count", title: ["Step", "步"], hint: ["Number of the step in which it starts", "开始时所在步的编号"], width: 6, num: true, extra: true, csv: "Step", read: stepOf },
  { key: "slack", kind: "ns", also: ["slack_ns"], title: ["Slack µs", "余量 µs"], hint: ["By how much later it could have ended without the run taking longer", "运行不变长时，可推迟结束的时间"], width: 11, num: true, extra: true, causes: true, csv: "Slack (ns)", read: cause("slack"), format: micros },
  { key: "critical", kind: "count", also: ["on_critical_path"], title: ["Critical path", "关键路径"], hint: ["1: on the critical path", "1：在关键路径上"], width: 11, num: true, extra: true, causes: true, csv: "Critical path", read: cause("onPath") },
];

/** What a cell shows. */
export function cellText(rows: Rows, column: Column, at: number, row: number): string {
  const n = column.read(rows, at)(row);
  if (Number.isNaN(n)) return "";
  return column.text ? column.text(rows, n) : column.format ? column.format(n) : String(n);
}

/** What a cell holds in CSV: texts, and numbers as they are. */
export function cellValue(rows: Rows, column: Column, at: number, row: number): string | number {
  const n = column.read(rows, at)(row);
  if (Number.isNaN(n)) return "";
  if (column.text) return column.text(rows, n);
  return column.key === "src" || column.key === "dst" ? hex(n) : n;
}

export function titleOf(column: Column): string {
  return t(column.title);
}
