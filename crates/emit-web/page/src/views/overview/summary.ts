// The summary: the first table of summary.txt, with low numbers coloured.
import type { Page } from "../../data/page";
import { h } from "../../ui/dom";
import { type Text, t } from "../../ui/i18n";
import { BANDWIDTH, level, TIU_RATIO, UARCH_RATE } from "./thresholds";

const TEXTS = {
  title: ["Table of summary.txt", "summary.txt 的表"],
  low: ["low", "偏低"],
  veryLow: ["very low", "很低"],
  tiu: ["TiuWorkingRatio under {0} %, {1} %", "TiuWorkingRatio 低于 {0} %、{1} %"],
  uarch: ["uArchURate under {0} %, {1} %", "uArchURate 低于 {0} %、{1} %"],
  bandwidth: [
    "bandwidth under {0} %, {1} % of the peak of a core in this run (DDR in one direction {2} GB/s, L2M {3} GB/s)",
    "带宽低于本次运行单核上限的 {0} %、{1} %（DDR 单向 {2} GB/s，L2M {3} GB/s）",
  ],
  comma: ["; ", "；"],
  stop: [". ", "。"],
  zero: ["A bandwidth or rate of zero is not coloured: nothing was moved or computed.", "带宽或利用率为零时不着色：没有搬运或计算。"],
  overall: [
    " Overall: ratios are means over all cores. In the workbook's Engine Summary, Overall has the ratios of the busiest core of each engine.",
    "Overall 行：比率为各核平均。工作簿 Engine Summary 的 Overall 行为各引擎最忙的核的比率。",
  ],
} satisfies Record<string, Text>;

const COLUMNS: Record<string, Text> = {
  "CoreId": ["core", "核"],
  "Parallelism(%)": ["busy time of all engines ÷ time", "各引擎工作时间之和 ÷ 总时间"],
  "totalTime(us)": ["first start to last end", "首个开始到最后结束"],
  "TiuWorkingRatio": ["TIU busy ÷ time", "TIU 工作时间 ÷ 总时间"],
  "totalTiuCycle": ["TIU cycles of work", "TIU 工作周期"],
  "uArchURate": ["requested ÷ padded TIU operations", "TIU 有效运算占比"],
  "totalGdmaCycle": ["GDMA cycles of work", "GDMA 工作周期"],
  "GdmaDdrAvgBW(GB/s)": ["GDMA ↔ DDR, while moving", "GDMA ↔ DDR，搬运期间"],
  "GdmaL2AvgBW(GB/s)": ["GDMA ↔ L2M, while moving", "GDMA ↔ L2M，搬运期间"],
  "totalSdmaCycle": ["SDMA cycles of work", "SDMA 工作周期"],
  "SdmaDdrAvgBW(GB/s)": ["SDMA ↔ DDR, while moving", "SDMA ↔ DDR，搬运期间"],
};

export function summaryPanel(page: Page): HTMLElement {
  const { table, answers } = page.head;
  const header = table.columns.map((column) => {
    const hint = COLUMNS[column];
    return h("th", { class: "num", scope: "col", "data-key": column }, ...breakable(column), hint && h("small", null, t(hint)));
  });
  const rows = table.rows.map((row, at) =>
    h("tr", { class: at === table.rows.length - 1 && at > 0 ? "overall" : null }, ...row.map((cell, c) => {
      const column = table.columns[c] ?? "";
      const low = level(column, cell, answers.roofline.hardware);
      return h("td", { class: `num ${low}`, "data-key": column, "data-level": low || null, title: low && t(low === "bad" ? TEXTS.veryLow : TEXTS.low) }, cell);
    })));
  return h("details", { class: "panel wide" }, h("summary", null, h("h2", null, t(TEXTS.title))),
    h("div", { class: "scroll" }, h("table", { id: "summary", class: "data" }, h("thead", null, h("tr", null, ...header)), h("tbody", null, ...rows))),
    key(page));
}

/** A column's name that may be broken before a capital letter that starts a word, and before its unit. */
function breakable(name: string): (string | HTMLElement)[] {
  return name.split(/(?<=[a-z])(?=[A-Z])|(?=\()/).flatMap((part, at) => (at === 0 ? [part] : [h("wbr"), part]));
}

function key(page: Page): HTMLElement {
  const { ddr_gbps: ddr, l2m_gbps: l2m } = page.head.answers.roofline.hardware;
  const percents = (bounds: { warn: number; bad: number }): [number, number] => [bounds.warn * 100, bounds.bad * 100];
  const parts = [t(TEXTS.tiu, ...percents(TIU_RATIO)), t(TEXTS.uarch, ...percents(UARCH_RATE))];
  if (ddr) parts.push(t(TEXTS.bandwidth, ...percents(BANDWIDTH), ddr, l2m ?? "–"));
  return h("p", { id: "summary-key", class: "key muted" },
    h("span", { class: "chip warn" }, t(TEXTS.low)), h("span", { class: "chip bad" }, t(TEXTS.veryLow)),
    `${parts.join(t(TEXTS.comma))}${t(TEXTS.stop)}${t(TEXTS.zero)}${page.head.table.rows.length > 2 ? t(TEXTS.overall) : ""}`);
}
