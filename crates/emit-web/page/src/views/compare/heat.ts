// The same kernel across cores: which core takes longer than the others.
import type { KernelHead } from "../../data/generated";
import { h, put } from "../../ui/dom";
import { explained } from "../../ui/explain";
import { choice } from "../../ui/fields";
import { alignedDuration, count, percent } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import { longestLaunch } from "../../ui/launches";
import * as state from "../../ui/state";
import { type Column, table } from "../../ui/table";
import type { Page } from "../../data/page";
import type { Shell, SliceRef } from "../view";
import { imbalance } from "./imbalance";

const TEXTS = {
  title: ["Kernels across cores", "核函数的多核对比"],
  none: ["No kernel names are known, so kernels can't be compared.", "没有核函数名，无法对比。"],
  kernel: ["Kernel", "核函数"],
  layer: ["Layer", "层"],
  layersTitle: ["Layers across cores", "层的多核对比"],
  core: ["Core {0}", "核 {0}"],
  metric: ["Show", "显示"],
  work: ["working time", "工作时间"],
  total: ["total time", "总时间"],
  mean: ["mean time of a launch", "单次平均时间"],
  max: ["longest launch", "最长一次"],
  count: ["launches", "次数"],
  imbalance: ["Imbalance", "不均衡度"],
  imbalanceHint: ["Maximum / mean - 1, over the cores that ran the kernel", "运行过它的各核中：最大值 ÷ 平均值 − 1"],
  key: [
    "Red: the core takes more time than the mean of its row. Blue: less time. The colour is strongest at 30 % difference or more. ▲ marks the slowest core. Working time: at least one engine of the core works. The times of launches include waits for other cores. Click a cell to show the core's longest launch in the timeline.",
    "单元格越红表示该核超过本行平均值越多，越蓝表示低得越多；偏差达 30 % 时颜色最深。▲ 标记最慢的核。工作时间是该核有引擎在工作的时间；执行时间包含等待其他核的时间。点击可在时间线中查看该核最长的一次执行。",
  ],
  vsMean: ["{0} from the mean", "与平均值相比 {0}"],
} satisfies Record<string, Text>;

type ByCore = KernelHead["byCore"][number];

/** A kernel, or a layer of a static model. */
interface Row {
  name: string;
  byCore: ByCore[];
  longest(core: number): Promise<SliceRef | null>;
}

const METRICS = {
  work: (c: ByCore) => c.work ?? c.total,
  total: (c: ByCore) => c.total,
  mean: (c: ByCore) => c.total / Math.max(c.count, 1),
  max: (c: ByCore) => c.max,
  count: (c: ByCore) => c.count,
} as const;
type Metric = keyof typeof METRICS;

/** Deviation from the mean at which the colour is full. */
const FULL = 0.3;

export function heatPanel(shell: Shell): HTMLElement {
  const { page } = shell;
  const kernels: Row[] = page.head.topKernels.filter((k) => k.byCore.length > 0).map(({ kernel, byCore }) => ({
    name: page.text(page.head.kernels[kernel] ?? -1), byCore, longest: (core) => longestLaunch(page, kernel, core),
  }));
  const isLayers = kernels.length === 0 && page.head.layers.length > 0;
  let rows = kernels;
  const holder = h("div");
  const asked = state.get("heat");
  let metric: Metric = asked in METRICS ? (asked as Metric) : "work";
  const choose = choice("heat-metric", (Object.keys(METRICS) as Metric[]).map((m) => [m, t(TEXTS[m])]), metric, (value) => {
    metric = value as Metric;
    state.set({ heat: metric });
    fill();
  });

  function fill(): void {
    put(holder, heatTable(shell, rows, metric, t(isLayers ? TEXTS.layer : TEXTS.kernel)));
  }

  if (isLayers) void layerRows(page).then((found) => {
    rows = found;
    fill();
  });
  else fill();
  const isKnown = kernels.length > 0 || isLayers;
  return h("section", { class: "panel" },
    h("div", { class: "bar-row" }, h("h2", null, t(isLayers ? TEXTS.layersTitle : TEXTS.title), " ", explained("kernel-heat", shell)), isKnown && h("label", null, t(TEXTS.metric), " ", choose)),
    isKnown ? holder : h("p", { class: "muted" }, t(TEXTS.none)),
    isKnown && h("p", { class: "key muted" }, t(TEXTS.key)));
}

/** The layers by label: a layer that several cores share has a time on each. The longest first. */
async function layerRows(page: Page): Promise<Row[]> {
  const rows = new Map<string, { total: number; byCore: Map<number, ByCore>; longest: Map<number, SliceRef> }>();
  for (const track of page.tracks.filter((of) => of.kind === "layer")) {
    const { core } = track.head;
    const { layer } = await track.facts();
    const { dur } = await track.loadTimes();
    dur.forEach((ns, row) => {
      const label = page.text(page.head.layers[layer![row]!]?.label ?? -1);
      let of = rows.get(label);
      if (!of) rows.set(label, (of = { total: 0, byCore: new Map(), longest: new Map() }));
      const sum = of.byCore.get(core) ?? { core, count: 0, total: 0, max: 0, work: null };
      if (ns >= sum.max) of.longest.set(core, { track: track.index, row });
      of.byCore.set(core, { ...sum, count: sum.count + 1, total: sum.total + ns, max: Math.max(sum.max, ns) });
      of.total += ns;
    });
  }
  return [...rows].sort(([, a], [, b]) => b.total - a.total).map(([name, { byCore, longest }]) => ({
    name, byCore: [...byCore.values()].sort((a, b) => a.core - b.core), longest: async (core) => longest.get(core) ?? null,
  }));
}

function heatTable(shell: Shell, rows: Row[], metric: Metric, title: string): HTMLElement {
  const value = METRICS[metric];
  const cores = [...new Set(rows.flatMap((k) => k.byCore.map((c) => c.core)))].sort((a, b) => a - b);
  const columns: Column<Row>[] = [
    { key: "kernel", title, value: (k) => k.name, mark: () => "name", cell: (k) => h("span", { title: k.name }, k.name) },
    ...cores.map((core): Column<Row> => ({
      key: `core${core}`, title: t(TEXTS.core, core), num: true,
      value: (k) => of(k, core, value) ?? -1,
      mark: () => "heat",
      cell: (k) => heatCell(shell, k, core, metric),
    })),
    {
      key: "imbalance", title: t(TEXTS.imbalance), hint: t(TEXTS.imbalanceHint), num: true,
      value: (k) => imbalance(k.byCore.map(value)), cell: (k) => (k.byCore.length > 1 ? percent(imbalance(k.byCore.map(value))) : "–"),
    },
  ];
  return table({ id: "kernel-heat", label: t(TEXTS.title), columns, rows, most: 20 });
}

function of(kernel: Row, core: number, value: (c: ByCore) => number): number | null {
  const found = kernel.byCore.find((c) => c.core === core);
  return found ? value(found) : null;
}

function heatCell(shell: Shell, kernel: Row, core: number, metric: Metric): Node | string {
  const values = kernel.byCore.map(METRICS[metric]);
  const mine = of(kernel, core, METRICS[metric]);
  if (mine === null) return "–";
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const off = mean > 0 ? mine / mean - 1 : 0;
  const strength = Math.min(Math.abs(off) / FULL, 1) * 45;
  const slowest = values.length > 1 && mine === Math.max(...values) && off > 0.01;
  return h("button", {
    class: slowest ? "slowest" : null, "data-core": core, "data-value": mine, title: t(TEXTS.vsMean, `${off >= 0 ? "+" : ""}${percent(off)}`),
    style: { background: `color-mix(in srgb, var(${off > 0 ? "--over" : "--under"}) ${strength}%, transparent)` },
    onclick: () => void kernel.longest(core).then((slice) => slice && shell.showSlice(slice)),
  }, slowest && h("span", { class: "mark", "aria-hidden": "true" }, "▲ "), metric === "count" ? count(mine) : alignedDuration(mine, 1));
}
