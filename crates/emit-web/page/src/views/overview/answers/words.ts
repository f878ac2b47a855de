// The words of the advice in Chinese. The analysis writes English; a sentence that no pattern knows stays English.
import { current } from "../../../ui/i18n";

const SENTENCES: [pattern: RegExp, text: string][] = [
  [/^(\d+) kinds of TIU commands fill less than half of the arrays: .*$/s, "有 $1 类 TIU 指令只填满了不到一半的阵列：请补齐或切分形状，使通道数为 lane 数的倍数、行长为向量宽度的倍数。"],
  [/^(\d+) transfers of less than 8 KiB take over four times what their bytes need: .*$/s, "有 $1 次小于 8 KiB 的搬运耗时超过其字节数所需的四倍：请合并相邻搬运，或用一条带步长的指令搬运张量的多行。"],
  [/^(\d+) bytes in (\d+) places are loaded from DDR more than once: load them once into L2M; they fit into the L2M of (\d+) bytes\.$/, "$2 处共 $1 字节被多次从 DDR 加载：请只加载一次到 L2M；可放入 $3 字节的 L2M。"],
  [/^(\d+) bytes in (\d+) places are loaded from DDR more than once: .*$/s, "$2 处共 $1 字节被多次从 DDR 加载：请只加载一次到 L2M；请确认能否放入 L2M（芯片信息中没有其大小，可用 --hw 指定）。"],
  [/^Loads, computation and stores follow one another: .*$/s, "加载、计算、存储依次进行：请交替使用两个缓冲区，使当前块计算时，下一块加载、上一块存储。"],
  [/^The TIU loses cycles because operands stand in the same bank of local memory: .*$/s, "操作数位于本地内存的同一 bank，TIU 因此损失周期：请将操作数与结果放在不同的 bank。"],
  [/^(\d+) kernels keep one core at work longer than the others: .*$/s, "有 $1 个核函数使某个核比其他核工作更久：请均分其工作量。"],
  [/^The chip stands still between kernel launches: .*$/s, "核函数的两次启动之间芯片停顿：请提前启动，或合并小的核函数。"],
  [/^Core (\d+) runs nothing in the middle of launches .*$/s, "核 $1 在执行过程中停顿，而其他核在等待或无事可做：请查看其下一条指令在等什么。"],
  [/^Core (\d+) comes last at (\d+) of (\d+) barriers and keeps the others waiting: .*$/s, "核 $1 在 $3 个同步点中有 $2 个最后到达，使其他核等待：请查看它之前在做什么，均分工作或减少同步。"],
  [/^Core (\d+) waits for other engines or cores: .*$/s, "核 $1 在等待其他引擎或核：请查看它们当时在做什么，均分工作或减少同步。"],
  [/^Most commands are known by type only: .*$/s, "大多数指令只知道类型：运算量、uArch 利用率、形状以及某些芯片上的方向缺失或不精确。请用 profile 模式 2 采集以获得精确数值。"],
];

const EVIDENCE: Record<string, string> = {
  "uArch rate": "uArch 利用率", "TIU time": "TIU 时间", "transfers": "搬运次数", "mean size": "平均大小", "their time": "其时间", "achieved": "实际带宽",
  "bytes loaded": "加载字节", "of these read again": "其中重复读取", "places read again": "重复读取的位置", "room that they need": "所需空间", "time of reading again": "重复读取的时间",
  "compute": "计算", "transfer": "搬运", "both at once": "同时进行", "overlap ratio": "重叠率", "cores with little overlap": "重叠很少的核",
  "cycles lost": "损失的周期", "share of TIU cycles": "占 TIU 周期", "commands with conflicts": "有冲突的指令", "most in one command": "单条指令最多",
  "work of the slowest core": "最慢核的工作量", "mean of the cores": "各核平均", "lost to the slowest core of each round": "每轮等最慢核的损失",
  "gaps between launches": "启动间隙数", "of this the core ran nothing": "其中该核无运行", "of this the chip stood still": "其中芯片停顿", "half are no longer than": "一半不超过", "a long gap": "较长的一个间隙",
  "inside launches, the core idle and the chip at a standstill": "执行中该核空闲且芯片停顿", "a long one": "较长的一次",
  "only system commands ran": "只有系统指令运行", "of the longest bubbles, waiting": "最长停顿中的等待", "barriers at which it came last": "最后到达的同步点", "mean skew of the barriers": "同步点的平均偏差",
  "commands": "指令数", "known in full": "完整已知的指令",
};

const UNITS: Record<string, string> = { cycles: "周期" };

export function sentence(text: string): string {
  if (current() === "en") return text;
  const found = SENTENCES.find(([pattern]) => pattern.test(text));
  return found ? text.replace(found[0], found[1]) : text;
}

export function evidenceName(what: string): string {
  return current() === "en" ? what : (EVIDENCE[what] ?? what);
}

export function unitName(unit: string): string {
  return current() === "en" ? unit : (UNITS[unit] ?? unit);
}
