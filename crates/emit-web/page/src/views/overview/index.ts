// The overview: what ran, how well the engines were used, where to look.
//
// For tests: #tiles [data-fact], #summary (td[data-key][data-level]), #summary-key, #engine-busy [data-core][data-engine][data-share],
// #types-ENGINE, #top-kernels, #ports, #layers, #configuration, #quality[data-state], #ledger, #runtime;
// with answers #verdict [data-rule], #phases [data-phase], #critical-path, #path-pieces, #advice [data-advice], #roofline, #longest-gaps.
import { h, put } from "../../ui/dom";
import { explainPanels } from "../../ui/explain";
import type { View } from "../view";
import { answerPanels } from "./answers";
import { bandwidthPanel } from "./bandwidth";
import { busyPanel } from "./busy";
import { configurationPanel, tiles } from "./facts";
import { kernelsPanel } from "./kernels";
import { layersPanel } from "./layers";
import { ledgerPanel, qualityPanel, runtimePanel } from "./quality";
import { portsPanel } from "./ports";
import { summaryPanel } from "./summary";
import { typePanels } from "./types";

export function overview(): View {
  return {
    id: "overview",
    title: ["Overview", "总览"],
    mount(root, shell) {
      const { page } = shell;
      const answers = answerPanels(shell);
      const layers = layersPanel(shell);
      // A static model has layers instead of kernels: a table without rows says nothing.
      const kernels = page.head.topKernels.length > 0 || !layers ? kernelsPanel(shell) : false;
      put(root, h("div", { class: "grid" },
        answers.verdict, tiles(page), qualityPanel(page),
        ...answers.first, layers, kernels, busyPanel(shell), bandwidthPanel(page), ...typePanels(shell),
        ...answers.later, portsPanel(page), summaryPanel(page), configurationPanel(page), ledgerPanel(page), runtimePanel(page)));
      explainPanels(root, shell);
    },
  };
}
