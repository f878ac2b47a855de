// What-if: the run with other speeds, replayed in the page, beside the measured one.
//
// For tests: `window.bigtpuWhatIf` predicts; #wi-headline [data-predicted], #wi-sensitivity [data-ns], #wi-kernels, .wi-slider[data-part].
import { type Change, readChange } from "../../replay/change";
import { readGraph } from "../../replay/graph";
import { PredictedPage } from "../../replay/predicted";
import { type Prediction, Replay } from "../../replay/replay";
import { type SensitivityRow, sensitivity } from "../../replay/sensitivity";
import { h, put } from "../../ui/dom";
import { count } from "../../ui/format";
import { localized, t } from "../../ui/i18n";
import type { Shell, View } from "../view";
import { WhatIfPanel } from "./panel";
import { WHATIF } from "./texts";
import { WhatIfTimelines } from "./timelines";

/** For tests: what the view computes. */
export interface WhatIfHook {
  /** Changes as `--scale` takes them. */
  predict(changes: string[]): Prediction & { range: [number, number] };
  sensitivity(): Promise<SensitivityRow[] | null>;
  bounds(): [number, number];
  /** ms from the last change to the picture of it. */
  took: number;
  page: PredictedPage;
}

declare global {
  interface Window {
    bigtpuWhatIf?: WhatIfHook;
  }
}

class WhatIf {
  private readonly panel: WhatIfPanel;
  private readonly lines: WhatIfTimelines;
  private frame = 0;

  constructor(root: HTMLElement, shell: Shell, private readonly replay: Replay, private readonly page: PredictedPage) {
    this.lines = new WhatIfTimelines([shell.page, page], h("div", { class: "tl-toolbar" }));
    this.panel = new WhatIfPanel(replay, shell, () => this.ask());
    put(root, h("div", { class: "runs-main" }, this.panel.element, this.lines.element));
    window.bigtpuWhatIf = {
      predict: (texts) => {
        const changes = texts.map((text) => readChange(text)!);
        const prediction = this.predict(changes);
        return { ...prediction, range: replay.range(changes, prediction.predictedNs) };
      },
      sensitivity: () => sensitivity(replay, () => true),
      bounds: () => [replay.wall([], "transfers"), replay.wall([], "work")],
      took: 0, page,
    };
    this.update();
  }

  /** A slider may move several times before the next picture. */
  private ask(): void {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.update();
    });
  }

  private predict(changes: Change[]): Prediction {
    const prediction = this.replay.predict(changes);
    this.page.retime(prediction.predictedNs);
    return prediction;
  }

  private update(): void {
    const began = performance.now();
    const prediction = this.predict(this.panel.changes());
    this.panel.show(prediction);
    this.lines.retimed(prediction.measuredNs, prediction.predictedNs);
    requestAnimationFrame(() => setTimeout(() => window.bigtpuWhatIf && (window.bigtpuWhatIf.took = performance.now() - began)));
  }

  show(): void {
    this.panel.follow();
    this.lines.show();
  }

  redraw(): void {
    this.lines.redraw();
  }

  destroy(): void {
    cancelAnimationFrame(this.frame);
    this.panel.destroy();
    this.lines.destroy();
    delete window.bigtpuWhatIf;
  }
}

/** At most one is alive: a change of language builds the views anew. */
let alive: WhatIf | null = null;
const graphs = new WeakMap<object, Promise<Replay | null>>();

export function whatIf(): View {
  let view: Promise<WhatIf | null> | null = null;
  return {
    id: "whatif",
    title: WHATIF.title,
    mount(root, shell) {
      alive?.destroy();
      alive = null;
      put(root, h("p", { class: "muted wi-none" }, t(WHATIF.reading)));
      view = make(root, shell).then((made) => (alive = made));
    },
    show: () => void view?.then((made) => made?.show()),
    redraw: () => void view?.then((made) => made?.redraw()),
  };
}

async function make(root: HTMLElement, shell: Shell): Promise<WhatIf | null> {
  const { page } = shell;
  let replay = graphs.get(page);
  // The chunks of a page are read once.
  if (!replay) graphs.set(page, (replay = readGraph(page).then((graph) => graph && new Replay(graph))));
  const known = await replay;
  if (!known) {
    const { refusal, refusal_zh } = page.head.answers.critical_path;
    put(root, h("p", { class: "muted wi-none" }, refusal !== null ? t(WHATIF.refused, localized({ text: refusal, text_zh: refusal_zh })) : t(WHATIF.tooMany, count(page.head.events), count(page.head.whatIfLimit))));
    return null;
  }
  return new WhatIf(root, shell, known, await PredictedPage.of(page, known));
}
