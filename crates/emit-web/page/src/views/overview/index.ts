// The overview: what ran, how well the engines were used, where to look.
//
// For tests: #tiles [data-fact], #summary (td[data-key][data-level]), #summary-key, #engine-busy [data-core][data-engine][data-share],
// #types-ENGINE, #units-panel (#top-kernels, #steps-table, #layers, #blocks, #unit-tree), #ports, #configuration, #quality[data-state], #ledger, #runtime;
// with answers #verdict [data-rule], #phases [data-phase], #critical-path, #path-pieces, #advice [data-advice], #roofline, #longest-gaps.
import { h, put } from "../../ui/dom";
import { explainPanels } from "../../ui/explain";
import { count, percent } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import { reasonText } from "../../ui/pathwords";
import type { Page } from "../../data/page";
import type { View } from "../view";
import { answerPanels } from "./answers";
import { bandwidthPanel } from "./bandwidth";
import { busyPanel } from "./busy";
import { configurationPanel, tiles } from "./facts";
import { areSharesOfRun, longestUnits } from "./longest";
import { ledgerPanel, qualityPanel, runtimePanel } from "./quality";
import { portsPanel } from "./ports";
import { summaryPanel } from "./summary";
import { topic } from "./topic";
import { typePanels } from "./types";
import { unitsPanel } from "./units";

const TEXTS = {
  kernels: ["Kernels and steps", "核函数与步"],
  layers: ["Layers and kernels", "层与核函数"],
  longestLayer: ["longest: {0}, {1} of the run", "耗时最多：{0}，占运行的 {1}"],
  longestKernel: ["longest: {0}, {1} of the kernels' time", "耗时最多：{0}，占核函数时间的 {1}"],
  path: ["Critical path and gaps", "关键路径与间隙"],
  pathNote: ["greatest part: {0}, {1}; gaps between commands: {2}", "最大部分：{0}，占 {1}；指令间隙 {2} 个"],
  engines: ["Engines, bandwidth and roofline", "引擎、带宽与 roofline"],
  enginesNote: ["TIU busy {0}, GDMA busy {1}", "TIU 忙碌 {0}，GDMA 忙碌 {1}"],
  communication: ["Host and communication", "主机与通信"],
  data: ["Data, chip and the table of summary.txt", "数据、芯片与 summary.txt 的表"],
  dataNote: ["{0} events", "{0} 个事件"],
} satisfies Record<string, Text>;

/** What took most time; nothing where no kernel and no layer is known. */
function longestNote(page: Page): string {
  const [longest] = longestUnits(page);
  return longest ? t(areSharesOfRun(page) ? TEXTS.longestLayer : TEXTS.longestKernel, longest.name, percent(longest.share)) : "";
}

/** The greatest part of the critical path. */
function pathNote(page: Page): string {
  const [piece] = page.head.answers.critical_path.pieces;
  const owner = piece && (piece.kernel || (piece.layer_id == null ? "" : page.layerLabel(page.layerOfId(piece.layer_id))));
  return piece ? t(TEXTS.pathNote, [owner, piece.engine, reasonText(piece.reason)].filter(Boolean).join(" "), percent(piece.share), gapCount(page)) : "";
}

/** Gaps between commands, without those before the first and after the last. */
function gapCount(page: Page): string {
  const inner = page.head.answers.gaps.causes.filter(({ cause }) => cause !== "start" && cause !== "end");
  return count(inner.reduce((sum, gaps) => sum + gaps.count, 0));
}

export function overview(): View {
  return {
    id: "overview",
    title: ["Overview", "总览"],
    mount(root, shell) {
      const { page } = shell;
      const answers = answerPanels(shell);
      const { cores, totalNs } = page.head;
      const mean = (ns: (core: (typeof cores)[number]) => number): string => percent(cores.reduce((sum, core) => sum + ns(core), 0) / Math.max(cores.length * totalNs, 1));
      put(root, h("div", { class: "grid" },
        answers.verdict, tiles(page), qualityPanel(page), answers.picture, answers.advice,
        topic("work", t(page.head.layers.length > 0 ? TEXTS.layers : TEXTS.kernels), longestNote(page), [unitsPanel(shell), ...answers.work]),
        topic("path", t(TEXTS.path), pathNote(page), answers.path),
        topic("engines", t(TEXTS.engines), t(TEXTS.enginesNote, mean((c) => c.tiuNs), mean((c) => c.gdmaNs)), [busyPanel(shell), bandwidthPanel(page), ...answers.engines, ...typePanels(shell)]),
        topic("communication", t(TEXTS.communication), "", [...answers.communication, portsPanel(page)]),
        topic("data", t(TEXTS.data), t(TEXTS.dataNote, count(page.head.events)), [summaryPanel(page), configurationPanel(page), ledgerPanel(page), runtimePanel(page)])));
      explainPanels(root, shell);
    },
  };
}
