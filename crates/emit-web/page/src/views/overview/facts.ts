// What was profiled: chip, clocks, cores, duration, events; and the chip's configuration.
import type { Roof, RoofSource } from "../../data/generated";
import type { Page } from "../../data/page";
import { h } from "../../ui/dom";
import { count } from "../../ui/format";
import { type Text, current, t } from "../../ui/i18n";
import { measures } from "./measures";

const TEXTS = {
  clocks: ["TIU / DMA", "TIU / DMA"],
  cores: ["cores: {0}", "核数：{0}"],
  coresRan: ["({0} with commands)", "（{0} 个有指令）"],
  events: ["events: {0}", "事件：{0}"],
  onTracks: ["on {0} engines", "分布在 {0} 个引擎"],
  mode: ["Commands", "指令"],
  fixed: ["static", "静态"],
  dynamic: ["dynamic", "动态"],
  fixedHint: ["compiled model", "来自编译好的模型"],
  dynamicHint: ["dispatched at run time", "运行时下发"],
  configuration: ["Configuration of the chip", "芯片配置"],
} satisfies Record<string, Text>;

/** How well a peak or a clock is known. */
export const SOURCES: Record<RoofSource, Text> = {
  measured: ["measured", "实测"], published: ["published", "公开资料"], assumed: ["assumed", "假定"], given: ["given", "用户指定"],
  dump: ["dump", "转储"], unknown: ["unknown", "未知"],
};

/** Who says what a roof is, in Chinese; one that is not here stays as it is. */
const SOURCE_TEXTS: Record<string, string> = {
  "chip facts": "芯片信息", "chip facts: DDR Max BW of a core, while all use it": "芯片信息：所有核同时使用时每核的 DDR Max BW",
  "chip facts: lanes, input channels a cycle, clock": "芯片信息：lane 数、每周期输入通道数、时钟",
  "a bus of 128 bytes a cycle; a core read 104.8 GB/s at most": "总线每周期 128 字节；单核读取最高 104.8 GB/s",
  "chip facts; a core read 111 GB/s at most": "芯片信息；单核读取最高 111 GB/s", "as AKS, which has the same cores": "同 AKS，核相同",
  "the GDMA's bus moves 32 bytes a cycle at 750 MHz": "GDMA 总线每周期 32 字节，750 MHz",
  "public models of the chip: 15 GB/s for each of two cores": "公开的芯片模型：两核各 15 GB/s",
  "the GDMA's bus moves 64 bytes a cycle": "GDMA 总线每周期 64 字节", "the GDMA's bus moves 8 bytes a cycle": "GDMA 总线每周期 8 字节",
  "chip facts; no other public source confirms it": "芯片信息；没有其他公开来源证实", "chip facts; a copy reached 30.4 GB/s": "芯片信息；拷贝达到 30.4 GB/s", "copies moved 4.19 bytes a cycle each way": "拷贝每周期每个方向 4.19 字节",
  "the vendor's data of the card SC11, two AKS": "厂商的 SC11 卡（两颗 AKS）数据", "tpu_freq of the dump": "转储中的 tpu_freq",
  "chip facts: the usual clock": "芯片信息：常用时钟", "no public source has it; --hw gives it": "没有公开来源；可用 --hw 指定",
};

/** Who says so, in the language in use. */
export function sourceText(text: string): string {
  return current() === "en" ? text : (SOURCE_TEXTS[text] ?? text);
}

/** A fact of the run in the line below the measures. */
function fact(key: string, value: string, note: string, hint = ""): HTMLElement {
  return h("span", { "data-fact": key, title: hint || undefined }, h("b", null, value), note !== "" && " ", note);
}

/** The bandwidths of a core: alone, in one direction and in both, and with the others that run. */
function bandwidths(page: Page): Roof[] {
  return page.head.answers.roofline.roofs.filter(({ unit }) => unit === "GB/s");
}

/** A roof's name, such as `DDR, one core`. */
function roofName(name: string): string {
  if (current() === "en") return name;
  return name.replace(", one core, copies", "，单核拷贝").replace(", one core", "，单核").replace(/, each of (\d+) cores, copies/, "，$1 核中的每核拷贝")
    .replace(/, each of (\d+) cores/, "，$1 核中的每核");
}

function bandwidth({ name, value, unit, source }: Roof): string {
  if (value === null) return `${roofName(name)} ${t(SOURCES.unknown)}`;
  return `${roofName(name)} ${value} ${unit} (${t(SOURCES[source])})`;
}

/** Who says how fast the clocks are. */
function clockSources(page: Page): string {
  return page.head.answers.roofline.clocks.map(({ name, value, unit, source, text }) => `${name.replace(" clock", "")} ${value} ${unit} (${t(SOURCES[source])}): ${sourceText(text)}`).join("\n");
}

/** The sources of the clocks, each once. */
function clockNote(page: Page): string {
  const sources = new Set(page.head.answers.roofline.clocks.map(({ source }) => t(SOURCES[source])));
  return `MHz (${[...sources].join(" / ")})`;
}

/** All bandwidths, each with the one who says so. */
function bandwidthSources(page: Page): string {
  return bandwidths(page).map((roof) => `${bandwidth(roof)}: ${sourceText(roof.text)}`).join("\n");
}

export function tiles(page: Page): HTMLElement {
  const { head } = page;
  const engines = page.tracks.filter((track) => track.isEngine && track.head.events > 0);
  const cores = new Set(engines.filter((e) => e.kind !== "cdma").map((e) => e.head.core)).size;
  return h("div", { class: "measures wide", id: "tiles" },
    h("div", { class: "tiles" }, ...measures(page)),
    h("p", { class: "run-facts muted" },
      fact("chip", head.chip.name, bandwidths(page).filter(({ scope, access }) => scope === "core" && access !== "both_ways").map(bandwidth).join(" · "), bandwidthSources(page)),
      fact("cores", t(TEXTS.cores, head.chip.cores), t(TEXTS.coresRan, cores)),
      fact("clocks", `${t(TEXTS.clocks)} ${head.clocks.tiuMhz} / ${head.clocks.dmaMhz}`, clockNote(page), clockSources(page)),
      fact("events", t(TEXTS.events, count(head.events)), t(TEXTS.onTracks, engines.length)),
      fact("mode", t(head.isStatic ? TEXTS.fixed : TEXTS.dynamic), t(head.isStatic ? TEXTS.fixedHint : TEXTS.dynamicHint))));
}

export function configurationPanel(page: Page): HTMLElement {
  return h("section", { class: "panel" }, h("h2", null, t(TEXTS.configuration)),
    h("dl", { id: "configuration", class: "facts" },
      ...page.head.chip.facts.map(([key, value]) => h("div", null, h("dt", null, key), h("dd", null, value)))));
}
