// The words of the advice in Chinese. The analysis writes English; a sentence that no pattern knows stays English.
import { current } from "../../../ui/i18n";

const SENTENCES: [pattern: RegExp, text: string][] = [
  [/^(\d+) kinds? of TIU commands fills? less than half of the arrays: .*$/s, "有 $1 类 TIU 指令只填满了不到一半的阵列：请补齐或切分形状，使通道数为 lane 数的倍数、行长为向量宽度的倍数。"],
  [/^(\d+) transfers of less than 8 KiB take more than four times the time that their bytes need: .*$/s, "有 $1 次小于 8 KiB 的搬运耗时超过其字节数所需的四倍：请合并相邻搬运，或用一条带步长的指令搬运张量的多行。"],
  [/^(\d+) bytes at (\d+) address(?:es)? are loaded from DDR more than once: load them once into L2M; they fit into the L2M of (\d+) bytes\.$/, "$2 个地址上的共 $1 字节被多次从 DDR 加载：请只加载一次到 L2M；可放入 $3 字节的 L2M。"],
  [/^(\d+) bytes at (\d+) address(?:es)? are loaded from DDR more than once: .*$/s, "$2 个地址上的共 $1 字节被多次从 DDR 加载：请只加载一次到 L2M；请确认能否放入 L2M（芯片信息中没有其大小，可用 --hw 指定）。"],
  [/^Loads, computation and stores do not overlap: .*$/s, "加载、计算、存储没有重叠：请使用双缓冲，在计算当前块的同时加载下一块、存储上一块。"],
  [/^`(.+)` works in place: (\d+) cycles, with the result in another bank about (\d+)\. (\d+) commands? .*$/s, "`$1` 原地计算：$2 周期，若结果在另一个 bank 约为 $3。$4 条指令在同一 bank 读写，每次需两个周期：请将结果放到另一个 bank。"],
  [/^(\d+) pieces of (\d+) bytes \((.*?)\): ([\d.]+) us of ([\d.]+) are per-piece time\. (\d+) transfers? .*$/s, "$1 段、每段 $2 字节（$3）：$5 us 中有 $4 us 是每段的固定耗时。共有 $6 次这样的搬运：请使搬运内容连续，或整行搬运后在本地内存中选取。"],
  [/^The TIU loses cycles because operands are in the same bank of local memory: .*$/s, "操作数位于本地内存的同一 bank，TIU 因此损失周期：请将操作数与结果放在不同的 bank。"],
  [/^(Cores?) ([\d, and]+) takes? ([\d. to]+) times as long for the same commands(?: in (\d+) of (\d+) kernels?)?: check .*$/s, "核 $2 执行相同指令的耗时是其他核的 $3 倍：请检查其时钟与内存通道。"],
  [/^(Cores?) ([\d, and]+) takes? ([\d. to]+) times as long.*, and ha(?:s|ve) more bytes or operations than the other cores: .*$/s, "核 $2 的耗时是其他核的 $3 倍，其字节数或运算量也更多：请均分工作量。"],
  [/^One of (\d+) cores, another one from time to time, takes up to ([\d.]+) times as long for the same commands, (\d+) times? in (\d+) rounds: .*$/s, "$1 个核中不时有一个（每次不同）执行相同指令的耗时最多达 $2 倍，$4 轮中有 $3 次：请查明这些轮次中的干扰，例如内存通道的其他使用者。"],
  [/^Core (\d+) takes up to ([\d.]+) times as long for the same commands, (\d+) times? in (\d+) rounds: .*$/s, "核 $1 有时执行相同指令的耗时最多达 $2 倍，$4 轮中有 $3 次：请查明这些轮次中的干扰，例如内存通道的其他使用者。"],
  [/^Core (\d+) has more commands than the others .*: it works ([\d.]+) us, core (\d+) ([\d.]+) us \((\d+) %\); .*$/s, "核 $1 的指令多于其他核：它工作 $2 us，核 $3 工作 $4 us（$5 %）；请均分工作量。"],
  [/^The cores have different numbers of commands .*$/s, "各核的指令数不同，轮流由一个核执行其中大部分：请均分每一轮的工作。"],
  [/^Port (\d+) moves ([\d.]+) GB\/s, the other ports ([\d.]+) GB\/s .*$/s, "端口 $1 的速率为 $2 GB/s，其他端口在相同大小的搬运中为 $3 GB/s：请检查该链路、通道、线缆以及对端设备。"],
  [/^The transfers of (.+) take ([\d.]+) times as long as those of other \w+ .* \(([\d.]+) instead of ([\d.]+) GB\/s\), its TIU commands ([\d.]+) times .*$/s, "$1 的搬运耗时是其他处相同大小与方向搬运的 $2 倍（$3 而非 $4 GB/s），其 TIU 指令耗时是同类型同大小指令的 $5 倍：该处所有引擎都变慢，请检查时钟以及此时还有什么在运行。"],
  [/^The transfers of (\d+) of (\d+) stretches between barriers take ([\d.]+) times as long .* \(([\d.]+) instead of ([\d.]+) GB\/s\): .*$/s, "屏障之间的 $2 段中有 $1 段，其搬运耗时是其他各段相同大小与方向搬运的 $3 倍（$4 而非 $5 GB/s）：请检查步长、地址对齐以及所在的内存。"],
  [/^The transfers of (.+) take ([\d.]+) times as long as those of other kernels .* \(([\d.]+) instead of ([\d.]+) GB\/s\): .*$/s, "$1 的搬运耗时是其他核函数相同大小与方向搬运的 $2 倍（$3 而非 $4 GB/s）：请检查步长、地址对齐以及所在的内存。"],
  [/^Loads wait until the tile before is computed .* second buffer(?:, most of all in (.+?) \((\d+) % of its time\))?\. The buffers are there already.*$/s, "加载要等上一块计算并存储完才开始，但并不需要其结果：请在上一块的存储之前发出下一块的加载。缓冲区已经存在，只需改变指令顺序。"],
  [/^Loads wait until the tile before is computed .* This takes (\d+) bytes more of each lane; (\d+) of (\d+) are in use: it fits\.$/s, "加载要等上一块计算并存储完才开始，但并不需要其结果：请在上一块的存储之前把下一块加载到第二个缓冲区。每个 lane 需多用 $1 字节；$3 字节中已用 $2：可以放下。"],
  [/^Loads wait until the tile before is computed .* This takes (\d+) bytes more of each lane; (\d+) of (\d+) are in use: it does not fit .*$/s, "加载要等上一块计算并存储完才开始，但并不需要其结果：请在上一块的存储之前把下一块加载到第二个缓冲区。每个 lane 需多用 $1 字节；$3 字节中已用 $2：除非使用更小的块，否则放不下。"],
  [/^No rule found a cause that stands out; .*$/s, "没有规则发现突出的原因；该运行无法重放，因此不知其受什么限制。"],
  [/^The chip is idle between kernel launches: .*$/s, "两次核函数启动之间芯片空闲：请提前启动，或合并小的核函数。"],
  [/^Core (\d+) is idle inside launches .*$/s, "核 $1 在核函数执行过程中空闲，而其他核在等待或同样空闲：请查明其下一条指令在等待什么。"],
  [/^Core (\d+) is idle between commands .*$/s, "核 $1 在指令之间空闲，而其他核在等待或同样空闲：请查明其下一条指令在等待什么。"],
  [/^Core (\d+) arrives last at (\d+) of (\d+) barriers and the others wait for it: .*$/s, "核 $1 在 $3 个屏障中有 $2 个最后到达，其他核都在等待它：请检查它在这些屏障之前的工作，均衡负载或减少同步。"],
  [/^Core (\d+) waits for other engines or cores: .*$/s, "核 $1 在等待其他引擎或核：请检查它们在此期间的工作，均衡负载或减少同步。"],
  [/^Only the type of most commands is known: .*$/s, "大多数指令只知道类型：运算量、uArch 利用率、形状以及某些芯片上的方向缺失或不精确。请用 profile 模式 2 采集以获得精确数值。"],
];

/** What bounds a run: the words of the analysis and those shown. */
const BOUNDS: Record<string, string> = {
  "computation by the TIU": "TIU 计算", "transfer from and to DDR": "与 DDR 之间的搬运", "transfer from and to L2M": "与 L2M 之间的搬运", "transfer over chip-to-chip links": "芯片间链路的搬运",
  "transfer within local memory": "本地内存内的搬运", "execution of system commands": "系统指令的执行", "waiting for messages": "等待消息", "hand-over between engines": "引擎之间的交接",
  "the pause between commands": "指令之间的停顿", "the time between launches": "两次执行之间的时间", "the time before the first command": "第一条指令之前的时间", "idle time without a known cause": "原因不明的空闲",
};

/** What makes it shorter. */
const REMEDIES: Record<string, string> = {
  "use a data type with a higher rate, shapes that fill the arrays, or more cores": "请使用速率更高的数据类型、填满阵列的形状，或更多的核",
  "move fewer bytes (keep data in local memory or L2M, use a smaller data type)": "请减少搬运字节（让数据留在本地内存或 L2M，使用更小的数据类型）",
  "move fewer bytes through L2M": "请减少经过 L2M 的字节", "send fewer bytes, or send while the TIU computes": "请减少发送字节，或在 TIU 计算时发送",
  "choose layouts that need no copies in local memory": "请选择无需在本地内存内拷贝的布局", "sync less often": "请减少同步", "use fewer and larger commands": "请使用更少、更大的指令",
  "launch ahead of time, or merge kernels": "请提前启动，或合并核函数", "find out what the host does then (--trace_file)": "请查明此时主机在做什么（--trace_file）",
};

const BOUND = /^No cause stands out\. (.+?) takes ([\d.]+)% of the critical path: (.+)\. If it took no time, the run would take ([\d.]+) instead of ([\d.]+) us \(([^)]*)\)(?:, and (.+) would be the next bound)?\.(?: Most of the path is in layer (.+): ([\d.]+)%\.)?$/s;

/** What bounds a run in which no cause stands out, the remedy, the next level and the layer. */
function bound(text: string): string | null {
  const found = BOUND.exec(text);
  if (!found) return null;
  const [, what, share, remedy, without, wall, change, next, layer, ofLayer] = found;
  const named = (words: string) => BOUNDS[words] ?? BOUNDS[words.charAt(0).toLowerCase() + words.slice(1)] ?? words;
  const name = (words: string) => named(words).replace(/^(?=[A-Z])/i, " ");
  const then = next ? `，其后的瓶颈是${name(next)}` : "";
  const where = layer ? `关键路径上最多的是层 ${layer}：${ofLayer}%。` : "";
  return `没有突出的原因。关键路径的 ${share}% 是${name(what!)}：${REMEDIES[remedy!] ?? remedy}。若其不耗时，该运行将为 ${without} us，而不是 ${wall} us（${change}）${then}。${where}`;
}

/** Why a gain is known within bounds only. */
const DOUBTS: Record<string, string> = {
  "no sync pair binds the ports to a core, so when they worked is not known exactly": "没有同步对将端口与核绑定，端口工作的时刻并不准确",
  "few of the commands that wait for a port are known": "等待端口的指令大多未知",
  "without full command bits it is not known which commands need each other's results": "没有完整的指令位，不知道哪些指令需要彼此的结果",
  "without full command bits it is not known how many bytes they read and how many they write": "没有完整的指令位，不知道各读写了多少字节",
  "some of its commands are like no others, and may be slow, too": "其中部分指令没有可比较的同类，也可能变慢",
};

/** How well a rule is known. */
const MARKS: Record<string, string> = { exact: "精确", fitted: "拟合", estimated: "估计", "not validated": "未经验证" };

export function markName(mark: string): string {
  return current() === "en" ? mark : (MARKS[mark] ?? mark);
}

const EVIDENCE: Record<string, string> = {
  "uArch rate": "uArch 利用率", "TIU time": "TIU 时间", "transfers": "搬运次数", "mean size": "平均大小", "their time": "其时间", "achieved": "实际带宽",
  "bytes loaded": "加载字节", "of these loaded again": "其中重复读取", "places read again": "重复读取的位置", "size of the data": "数据大小", "time of the repeated loads": "重复读取的时间",
  "compute": "计算", "transfer": "搬运", "both at once": "同时进行", "overlap ratio": "重叠率", "an engine idle, its next command free to start": "某引擎空闲而其下一条指令可以开始",
  "cores with little overlap": "重叠很少的核",
  "cycles lost": "损失的周期", "share of TIU cycles": "占 TIU 周期", "commands with conflicts": "有冲突的指令", "most in one command": "单条指令最多",
  "work of the slowest core": "最慢核的工作量", "mean of the cores": "各核平均", "lost to the slowest core of each round": "每轮等最慢核的损失",
  "gaps between launches": "启动间隙数", "of this, no command on the core": "其中该核无任何指令", "of this, the chip was idle": "其中芯片空闲", "median length": "长度中位数", "a long gap": "较长的一个间隙",
  "inside launches, core and chip idle": "执行中该核与芯片均空闲", "between commands, core and chip idle": "指令之间该核与芯片均空闲", "a long one": "较长的一次",
  "only system commands ran": "只有系统指令运行", "waiting time in the longest bubbles": "最长空泡中的等待时间", "barriers at which it arrived last": "最后到达的屏障", "mean skew of the barriers": "屏障的平均偏差",
  "work in rounds with uneven work": "工作不均的轮次中的工作", "rate": "速率", "median rate of the other ports": "其他端口速率的中位数", "time of its transfers": "其搬运时间", "ports that are slow": "过慢的端口",
  "their rate": "其速率", "rate of other stretches for the same sizes": "其他各段相同大小的速率", "time of its TIU commands, over all cores": "所有核的 TIU 指令时间之和", "rate of other kernels for the same sizes": "其他核函数相同大小的速率", "time of the transfers, over all cores": "所有核的搬运时间之和",
  "time that computation would hide": "可被计算隐藏的时间", "commands that wait for a result": "等待结果的指令", "commands that wait for a buffer only": "只等待缓冲区的指令", "local memory that second buffers take": "第二缓冲区占用的本地内存", "local memory in use, to the highest address": "已用的本地内存（到最高地址）", "local memory": "本地内存",
  "commands in place": "原地计算的指令", "time that they lose": "损失的时间", "cycles of one by its bits": "单条指令按位的周期", "with the result elsewhere": "结果在别处时", "transfers of short pieces": "碎片搬运次数", "per-piece time": "每段固定耗时", "lanes that work": "工作的 lane 数",
  "commands": "指令数", "known in full": "完整已知的指令",
};

const UNITS: Record<string, string> = { cycles: "周期" };

export function sentence(text: string): string {
  if (current() === "en") return text;
  const place = / Most of this is in (.+): (\d+)%\.$/.exec(text);
  if (place) return `${sentence(text.slice(0, place.index))}其中最多的在${place[1]!.replace(/^layer /, "层 ")}：${place[2]}%。`;
  const cost = / This costs ([\d.]+) to ([\d.]+) us: (.+)\.$/.exec(text);
  if (cost) return `${sentence(text.slice(0, cost.index))}代价为 ${cost[1]} 至 ${cost[2]} us：${DOUBTS[cost[3]!] ?? cost[3]}。`;
  const found = SENTENCES.find(([pattern]) => pattern.test(text));
  return found ? text.replace(found[0], found[1]) : (bound(text) ?? text);
}

export function evidenceName(what: string): string {
  return current() === "en" ? what : (EVIDENCE[what] ?? what);
}

export function unitName(unit: string): string {
  return current() === "en" ? unit : (UNITS[unit] ?? unit);
}
