// What was profiled: chip, clocks, cores, duration, events; and the chip's configuration.
import type { Roof, RoofSource } from "../../data/generated";
import type { Page } from "../../data/page";
import { h } from "../../ui/dom";
import { count } from "../../ui/format";
import { type Text, localized, t } from "../../ui/i18n";
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
  source: [" ({0})", "（{0}）"],
  configuration: ["Configuration of the chip", "芯片配置"],
} satisfies Record<string, Text>;

/** How well a peak or a clock is known. */
export const SOURCES: Record<RoofSource, Text> = {
  measured: ["measured", "实测"], published: ["published", "公开资料"], derived: ["derived", "推算"], assumed: ["assumed", "假定"], given: ["given", "用户指定"],
  dump: ["dump", "转储"], unknown: ["unknown", "未知"],
};

/** A fact of the run in the line below the measures. */
function fact(key: string, value: string, note: string, hint = ""): HTMLElement {
  return h("span", { "data-fact": key, title: hint || undefined }, h("b", null, value), note !== "" && " ", note);
}

/** The bandwidths of a core: alone, in one direction and in both, and with the others that run. */
function bandwidths(page: Page): Roof[] {
  return page.head.answers.roofline.roofs.filter(({ unit }) => unit === "GB/s");
}

/** A roof in a few words, such as `DDR, one core alone 128 GB/s (derived)`. */
function brief({ name, name_zh, value, unit, source }: Roof): string {
  const title = localized({ text: name, text_zh: name_zh });
  if (value === null) return `${title} ${t(SOURCES.unknown)}`;
  return `${title} ${value} ${unit}${t(TEXTS.source, t(SOURCES[source]))}`;
}

/** Who says how fast the clocks are. */
function clockSources(page: Page): string {
  return page.head.answers.roofline.clocks.map((clock) => `${brief(clock)}: ${localized(clock)}`).join("\n");
}

/** Who says how fast the clocks are, each once: `chip default, not measured`. */
function clockNote(page: Page): string {
  const sources = new Set(page.head.answers.roofline.clocks.map((clock) => localized(clock)));
  return `MHz${t(TEXTS.source, [...sources].join(" / "))}`;
}

/** All bandwidths, each with the one who says so. */
function bandwidthSources(page: Page): string {
  return bandwidths(page).map((roof) => `${brief(roof)}: ${localized(roof)}`).join("\n");
}

export function tiles(page: Page): HTMLElement {
  const { head } = page;
  const engines = page.tracks.filter((track) => track.isEngine && track.head.events > 0);
  const cores = new Set(engines.filter((e) => e.kind !== "cdma").map((e) => e.head.core)).size;
  return h("div", { class: "measures wide", id: "tiles" },
    h("div", { class: "tiles" }, ...measures(page)),
    h("p", { class: "run-facts muted" },
      fact("chip", head.chip.name, bandwidths(page).filter(({ scope, access }) => scope === "core" && access !== "both_ways").map(brief).join(" · "), bandwidthSources(page)),
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
