// Advice with the numbers that it rests on.
import { h } from "../../../ui/dom";
import { duration, percent } from "../../../ui/format";
import { type Text, t } from "../../../ui/i18n";
import type { Advice, Answers } from "../../../data/answers";

const TEXTS = {
  title: ["Advice", "建议"],
  none: ["No rule found anything to improve.", "没有规则发现可改进之处。"],
  gain: ["saves at most {0} ({1})", "最多可节省 {0}（{1}）"],
  note: ["Estimates of wall time; they do not add up.", "均为总时长的估计值，不可相加。"],
} satisfies Record<string, Text>;

/** Titles of the rules; the words of a piece come from the analysis, which writes English. */
const RULES: Record<string, Text> = {
  "unaligned-shapes": ["Unaligned shapes", "形状未对齐"],
  "small-transfers": ["Small transfers", "小块搬运"],
  "ddr-reuse": ["DDR read again", "重复读取 DDR"],
  "serialized": ["Compute and transfer in turn", "计算与搬运串行"],
  "bank-conflicts": ["Bank conflicts", "Bank 冲突"],
  "core-imbalance": ["Imbalance of cores", "核间不均衡"],
  "launch-overhead": ["Gaps between launches", "核函数启动间隙"],
  "sync-waits": ["Waits for sync", "同步等待"],
  "profile-mode": ["Profile mode", "采集模式"],
};

/** Pieces that stand open. */
const OPEN = 1;

export function advicePanel({ advice }: Answers): HTMLElement {
  return h("section", { class: "panel", id: "advice" }, h("h2", null, t(TEXTS.title)),
    advice.length === 0 && h("p", { class: "muted" }, t(TEXTS.none)),
    ...advice.map((a, at) => piece(a, at < OPEN)),
    advice.length > 0 && h("p", { class: "key muted" }, t(TEXTS.note)));
}

function piece(a: Advice, open: boolean): HTMLElement {
  const gain = a.gain_ns ? t(TEXTS.gain, duration(a.gain_ns), percent(a.gain ?? 0)) : "";
  return h("details", { open, "data-advice": a.id },
    h("summary", null, h("span", null, h("b", null, RULES[a.id] ? t(RULES[a.id]!) : a.id), " ", gain !== "" && h("span", { class: "chip" }, gain))),
    h("p", null, a.text),
    h("table", { class: "legend" }, h("tbody", null, ...a.evidence.map((e) =>
      h("tr", null, h("td", null, e.what), h("td", { class: "num" }, `${e.value} ${e.unit}`), h("td", { class: "muted place" }, e.place))))));
}
