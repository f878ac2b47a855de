// Totals of each core, engine by engine, and how uneven they are.
import type { CoreHead } from "../../data/generated";
import type { Page } from "../../data/page";
import { stack } from "../../ui/bars";
import { h } from "../../ui/dom";
import { columnDuration, duration, percent } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import { imbalance } from "./imbalance";

const TEXTS = {
  title: ["Work per core", "各核工作量"],
  one: ["Only one core ran, so there is nothing to compare.", "只有一个核运行：没有可比较的内容。"],
  core: ["Core {0}", "核 {0}"],
  imbalance: ["Imbalance", "不均衡度"],
  most: ["most", "最多"],
  note: [
    "Busy time of each engine. A full bar is the busiest core. Imbalance: maximum / mean - 1; it is 0 if all cores do the same work.",
    "各引擎的忙碌时间，以最忙的核为满格。不均衡度 = 最大值 ÷ 平均值 − 1：各核相同时为 0。",
  ],
  kernels: ["Kernels", "核函数"],
} satisfies Record<string, Text>;

/** Imbalance from which on the busiest core is marked. */
const MARKED = 0.01;

interface Measure {
  name: string;
  color: string;
  of(core: CoreHead): number;
}

export function totalsPanel(page: Page): HTMLElement {
  const { cores, topKernels } = page.head;
  const inKernels = new Map<number, number>();
  for (const kernel of topKernels) for (const c of kernel.byCore) inKernels.set(c.core, (inKernels.get(c.core) ?? 0) + c.total);
  const all: Measure[] = [
    { name: "TIU", color: "var(--tiu)", of: (c) => c.tiuNs },
    { name: "GDMA", color: "var(--gdma)", of: (c) => c.gdmaNs },
    { name: "SDMA", color: "var(--sdma)", of: (c) => c.sdmaNs },
    { name: t(TEXTS.kernels), color: "var(--kernel)", of: (c) => inKernels.get(c.core) ?? 0 },
  ];
  const measures = all.filter((m) => cores.some((c) => m.of(c) > 0));
  return h("section", { class: "panel" }, h("h2", null, t(TEXTS.title)),
    cores.length < 2 && h("p", { class: "muted" }, t(TEXTS.one)),
    h("div", { class: "scroll" }, h("table", { id: "core-totals", class: "data" },
      h("thead", null, h("tr", null, h("td"), ...measures.map((m) => h("th", null, m.name)))),
      h("tbody", null, ...cores.map((core) => h("tr", null, h("td", null, t(TEXTS.core, core.core)), ...measures.map((m) => cell(m, core, cores)))),
        cores.length > 1 && h("tr", { class: "overall" }, h("td", null, t(TEXTS.imbalance)), ...measures.map((m) => {
          const share = imbalance(cores.map((c) => m.of(c)));
          return h("td", { "data-imbalance": share.toFixed(4), "data-engine": m.name }, percent(share));
        }))))),
    cores.length > 1 && h("p", { class: "key muted" }, t(TEXTS.note)));
}

function cell(measure: Measure, core: CoreHead, cores: CoreHead[]): HTMLElement {
  const ns = measure.of(core);
  const all = cores.map((c) => measure.of(c));
  const most = Math.max(...all, 1);
  const marked = ns === most && imbalance(all) > MARKED;
  const text = `${measure.name} ${duration(ns)}`;
  return h("td", { "data-core": core.core, "data-engine": measure.name, "data-ns": ns },
    h("div", { class: "total-cell" }, stack([{ share: ns / most, color: measure.color, title: text }], text),
      h("span", { class: "num" }, columnDuration(all, 1)(ns)),
      h("small", { class: "most" }, marked ? t(TEXTS.most) : "")));
}
