// The verdict of a comparison and its causes in Chinese. The analysis writes English; a part that no pattern knows stays English.
import { current } from "../../ui/i18n";

const WHO: [pattern: RegExp, text: string][] = [
  [/^Work outside of kernels$/, "核函数之外的工作"],
  [/^Each core$/, "各核"],
  [/^Each of (core|port)s (.+)$/, "$1 $2"],
  [/^(Core|Port) (\d+)'s (.+)$/, "$1 $2 的 $3"],
  [/^(.+) on (core|port)s ([\d, ]+)$/, "$2 $3 上的 $1"],
];

const WHAT: Record<string, string> = {
  "as long for the same commands": "执行相同指令的耗时是之前的", "as long for the same bytes": "搬运相同字节的耗时是之前的", "as long for the same operations": "完成相同运算的耗时是之前的",
  "as many commands": "指令数是之前的", "the bytes": "搬运的字节是之前的", "the operations": "运算量是之前的", "as many": "每次运算补齐后是之前的", "the rate": "速率是之前的",
};

const REMEDIES: Record<string, string> = {
  "check clock and memory channel there": "请检查其时钟与内存通道", "check the clocks, where the data lies, and what else uses the memory": "请检查时钟、数据所在位置以及内存的其他使用者",
  "check the TIU's clock": "请检查 TIU 的时钟", "use fewer and larger commands": "请使用更少、更大的指令", "keep data on the chip, or use a smaller data type": "请将数据留在芯片上，或使用更小的数据类型",
  "find what computes more": "请查明是什么增加了运算", "use shapes that fill the arrays": "请使用填满阵列的形状", "compare sizes, strides and alignment of its commands": "请比较其指令的大小、步长与对齐",
  "let transfers run beside computation": "请让搬运与计算重叠", "launch ahead of time, or merge kernels": "请提前启动，或合并核函数", "sync less often": "请减少同步", "look at what the run waits for there": "请查看运行在该处等待什么",
};

const TIMES = /^(.+?) (?:takes|moves its bytes in|runs|moves|computes at|computes|pads each operation to|transfers at) ([\d.]+) times (as long for the same \w+|as many commands|as many|the bytes|the operations|the rate)(?: in (\d+) of (\d+) (kernels|layers))?( \([^)]*\))?: (.+)$/s;
const RENAMED = /^(.+) is now called (.+): the same work$/s;
const DIVIDED = /^(.+) (is split|are fused) into (.+?): (.+)$/s;
const PRESENCE = /^(.+) (?:is|are) (new|gone)(?:, most of all (.+?))?: (.+)$/s;

function who(text: string): string {
  const found = WHO.find(([pattern]) => pattern.test(text));
  const words = found ? text.replace(found[0], found[1]) : text;
  return words.replace(/\bcores? (?=\d)/gi, "核 ").replace(/\bports? (?=\d)/gi, "端口 ");
}

/** `+1 us of +2 us: what to do.` */
function rest(text: string): string {
  const [part, ...more] = text.replace(/\.$/, "").split(": ");
  const remedy = more.join(": ");
  const amount = part!.replace(/^(.+) of (.+)$/, "$2 中的 $1");
  return remedy === "" ? amount : `${amount}。${REMEDIES[remedy] ?? remedy}`;
}

function cause(text: string): string {
  const times = TIMES.exec(text);
  if (times) {
    const [, subject, ratio, what, some, all, owners, engine, more] = times;
    const where = some ? `（${all} 个${owners === "layers" ? "层" : "核函数"}中的 ${some} 个）` : "";
    return `${who(subject!)} ${WHAT[what!] ?? what} ${ratio} 倍${where}${engine ?? ""}：${rest(more!)}`;
  }
  const renamed = RENAMED.exec(text);
  if (renamed) return `${renamed[1]} 现名为 ${renamed[2]}：工作相同`;
  const divided = DIVIDED.exec(text);
  if (divided) return `${divided[1]} ${divided[2] === "is split" ? "拆分为" : "融合为"} ${divided[3]}：${rest(divided[4]!)}`;
  const presence = PRESENCE.exec(text);
  if (presence) return `${presence[1]} ${presence[2] === "new" ? "是新增的" : "已不存在"}${presence[3] ? `，其中最多的是 ${presence[3]}` : ""}：${rest(presence[4]!)}`;
  return text;
}

/** A cause of a change, or the verdict: the change with its greatest cause. */
export function changeWords(text: string): string {
  if (current() === "en") return text;
  const same = /^The run takes the same time: (.+)\.$/s.exec(text);
  if (same) return `运行时间不变：${same[1]}。`;
  const head = /^([\d.]+ us) instead of ([\d.]+ us) \(([^)]*)\)\. (.+)$/s.exec(text);
  if (head) return `${head[1]}，之前为 ${head[2]}（${head[3]}）。${cause(head[4]!)}。`.replace(/[.。]。$/, "。");
  return cause(text);
}
