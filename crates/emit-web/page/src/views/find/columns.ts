// The columns of the table of commands: a number for each row, and how it reads.
import { bytes, count, percent } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import type { Rows } from "./rows";

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

/** An address; 0 is one. */
const hex = (n: number): string => `0x${n.toString(16)}`;
/** One unit for the whole column, exact to the ns: unequal times never look equal. */
const micros = (n: number): string => (n / 1e3).toLocaleString("en-US", { minimumFractionDigits: 3, maximumFractionDigits: 3 });
const rate = (n: number): string => n.toFixed(2);

/** Bytes over a row's time, GB/s. */
const bandwidth = (key: string) => (rows: Rows, at: number): Read => {
  const moved = rows.facts[at]?.[key];
  const { dur } = rows.times[at]!;
  return moved ? (row) => moved[row]! / Math.max(dur[row]!, 1) : () => NaN;
};

/** A number that is negative where it is not known. */
const known = (key: string) => (rows: Rows, at: number): Read => {
  const column = rows.facts[at]?.[key];
  return column ? (row) => (column[row]! < 0 ? NaN : column[row]!) : () => NaN;
};

/** ns that a row's bits explain. */
const expected = known("expected");

const kernelOf = (rows: Rows, tag: number): number => rows.page.tag(tag).kernel;

export const COLUMNS: Column[] = [
  { key: "engine", title: ["Engine", "引擎"], width: 8, csv: "Engine", read: (_, at) => () => at, text: (rows, at) => rows.tracks[at]!.engine },
  { key: "core", title: ["Core", "核"], hint: ["Core, or port of CDMA", "核；CDMA 为端口"], width: 6, num: true, csv: "Core", read: (rows, at) => () => rows.tracks[at]!.head.core },
  { key: "idx", title: ["Global Idx", "Global Idx"], hint: ["Row in the workbook's sheet", "工作簿中的行号"], width: 11, num: true, csv: "Global Idx", read: () => (row) => row },
  { key: "id", title: ["Cmd Id", "Cmd Id"], width: 8, num: true, facts: true, csv: "Cmd Id", read: fact("id") },
  { key: "name", title: ["Function", "功能名"], width: 18, csv: "Function Name", read: (rows, at) => (row) => rows.page.name(rows.times[at]!.name[row]!).name, text: (rows, n) => rows.page.text(n) },
  { key: "start", title: ["Start µs", "开始 µs"], hint: ["Since the first event of the page", "相对页面第一个事件"], width: 13, num: true, csv: "Start (ns)", read: (rows, at) => (row) => rows.times[at]!.start[row]!, format: micros },
  { key: "dur", title: ["Duration µs", "时长 µs"], width: 12, num: true, csv: "Duration (ns)", read: (rows, at) => (row) => rows.times[at]!.dur[row]!, format: micros },
  {
    key: "kernel", title: ["Kernel", "核函数"], width: 24, facts: true, csv: "Kernel Function",
    read: (rows, at) => {
      const { tag: tags, kernel } = rows.facts[at] ?? {};
      if (kernel) return (row) => kernel[row]!;
      return tags ? (row) => kernelOf(rows, tags[row]!) : () => -1;
    },
    text: (rows, n) => rows.page.text(rows.page.head.kernels[n] ?? -1),
  },
  { key: "rate", title: ["uArch rate", "uArch 利用率"], width: 11, num: true, facts: true, csv: "uArch rate", read: fact("rate"), format: (n) => percent(n) },
  { key: "bytes", title: ["Bytes", "字节"], width: 9, num: true, facts: true, csv: "Bytes", read: fact("bytes"), format: bytes },
  { key: "ddr", title: ["DDR GB/s", "DDR GB/s"], width: 10, num: true, facts: true, csv: "DDR bandwidth (GB/s)", read: bandwidth("ddr"), format: rate },
  { key: "l2", title: ["L2M GB/s", "L2M GB/s"], width: 10, num: true, facts: true, csv: "L2M bandwidth (GB/s)", read: bandwidth("l2"), format: rate },
  { key: "type", title: ["Type", "功能类型"], width: 12, csv: "Function Type", read: (rows, at) => (row) => rows.page.name(rows.times[at]!.name[row]!).type, text: (rows, n) => rows.page.text(n) },
  { key: "dir", title: ["Direction", "方向"], width: 14, facts: true, csv: "Direction", read: fact("dir"), text: (rows, n) => rows.page.text(n) },
  { key: "src", title: ["Source", "源地址"], width: 14, num: true, facts: true, csv: "Source address", read: known("src"), format: hex },
  { key: "dst", title: ["Destination", "目的地址"], width: 14, num: true, facts: true, csv: "Destination address", read: known("dst"), format: hex },
  { key: "dtype", title: ["Data type", "数据类型"], width: 11, extra: true, facts: true, csv: "Data Type", read: fact("dtype"), text: (rows, n) => rows.page.text(n) },
  { key: "cycles", title: ["Cycles", "周期"], width: 10, num: true, extra: true, facts: true, csv: "Asic Cycle", read: fact("cycles"), format: count },
  { key: "stall", title: ["Stall cycles", "停顿周期"], width: 12, num: true, extra: true, facts: true, csv: "Stall Cycle", read: fact("stall"), format: count },
  { key: "conflict", title: ["Bank conflicts", "Bank 冲突"], hint: ["Cycles lost to bank conflicts", "因 Bank 冲突损失的周期"], width: 14, num: true, extra: true, facts: true, csv: "Bank conflict cycles", read: fact("conflict"), format: count },
  { key: "expected", title: ["Expected µs", "预期 µs"], hint: ["What the command takes by its bits alone", "仅由指令位得出的耗时"], width: 12, num: true, extra: true, facts: true, csv: "Expected (ns)", read: expected, format: micros },
  {
    key: "times", title: ["Times expected", "预期的倍数"], hint: ["Duration / what the bits explain", "时长 ÷ 指令位所解释的时间"], width: 12, num: true, extra: true, facts: true, csv: "Times expected",
    read: (rows, at) => {
      const [bits, { dur }] = [expected(rows, at), rows.times[at]!];
      return (row) => dur[row]! / Math.max(bits(row), 1);
    },
    format: (n) => n.toFixed(2),
  },
  { key: "rule", title: ["Rule", "规则"], hint: ["How well the expected time is known", "预期时间的可信度"], width: 12, extra: true, facts: true, csv: "Rule", read: fact("rule"), text: (rows, n) => rows.page.text(n) },
  { key: "quality", title: ["Quality", "可信度"], hint: ["How well command and times are known; the dump is damaged where it is not \"sure\"", "指令与时间的可信度；不是 sure 之处转储有损坏"], width: 10, extra: true, facts: true, csv: "Quality", read: fact("quality"), text: (rows, n) => rows.page.text(n) },
  { key: "waiting", title: ["Peer wait µs", "等待对端 µs"], hint: ["A port's command waits for credit, or for its sender", "端口指令等待信用或发送方"], width: 12, num: true, extra: true, facts: true, csv: "Waiting for peer (ns)", read: known("waiting"), format: micros },
  { key: "moving", title: ["Link transfer µs", "链路传输 µs"], width: 14, num: true, extra: true, facts: true, csv: "Link transfer (ns)", read: known("moving"), format: micros },
  { key: "completion", title: ["Completion µs", "收尾 µs"], width: 13, num: true, extra: true, facts: true, csv: "Completion (ns)", read: known("completion"), format: micros },
  { key: "retries", title: ["Link retries", "链路重传"], hint: ["Packets that the link sent again", "链路重发的数据包"], width: 11, num: true, extra: true, facts: true, csv: "Link retries", read: known("retries"), format: count },
  { key: "alg", title: ["Alg ops", "算法运算"], width: 13, num: true, extra: true, facts: true, csv: "Alg Ops", read: fact("alg"), format: count },
  { key: "uarch", title: ["uArch ops", "uArch 运算"], width: 13, num: true, extra: true, facts: true, csv: "uArch Ops", read: fact("uarch"), format: count },
  {
    key: "layerId", title: ["Layer Id", "层编号"], width: 8, num: true, extra: true, facts: true, csv: "Layer Id",
    read: (rows, at) => {
      const column = rows.facts[at]?.layer;
      return column ? (row) => rows.page.head.layers[column[row]!]?.id ?? NaN : () => NaN;
    },
  },
  { key: "layer", title: ["Layer", "层"], width: 24, extra: true, facts: true, csv: "Layer", read: fact("layer"), text: (rows, n) => rows.page.layerTitle(n) },
  { key: "saved", title: ["Cost of run µs", "运行代价 µs"], hint: ["Of gaps: by how much the run would be shorter without it", "间隙：若没有它，运行可缩短多少"], width: 13, num: true, extra: true, facts: true, csv: "Cost of run (ns)", read: known("saved"), format: micros },
  {
    key: "endedBy", title: ["Ended by", "结束于"], hint: ["Of gaps: the command whose end ended it", "间隙：其结束使间隙结束的指令"], width: 16, extra: true, facts: true, csv: "Ended by",
    read: (rows, at) => {
      const column = rows.facts[at]?.endTrack;
      return column ? (row) => column[row]! : () => NaN;
    },
    text: (rows, n) => (rows.page.tracks[n] ? `${rows.page.tracks[n]!.engine} ${rows.page.tracks[n]!.head.core}` : ""),
  },
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
