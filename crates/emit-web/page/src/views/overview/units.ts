// Units of work: kernels, steps, layers and blocks as tables, and all of them as a tree. A row leads to the unit in the timeline, whose
// panel there has its engines, costs and commands.
import type { BlockHead, KernelHead, StepHead } from "../../data/generated";
import { type Page, sinceStart } from "../../data/page";
import { stack } from "../../ui/bars";
import { cut } from "../../ui/cut";
import { h, put } from "../../ui/dom";
import { explained } from "../../ui/explain";
import { count, duration, percent } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import { longestBlock, longestLaunch, longestRun } from "../../ui/launches";
import { type Column, table } from "../../ui/table";
import { findState } from "../find/filter";
import { layersWithin } from "../timeline/unitdata";
import type { Shell } from "../view";
import { type Cells, type Layer, numberOf, runLayers, shareBar, showUnit, unitColumn } from "./unitcolumns";
import { unitTree } from "./unittree";

const TEXTS = {
  title: ["Units of work", "工作单元"],
  kernels: ["Kernels", "核函数"],
  steps: ["Steps", "步"],
  layers: ["Layers", "层"],
  layer: ["Layer", "层"],
  blocks: ["Blocks", "模块"],
  tree: ["Tree", "树形"],
  none: ["The dump has no kernel names. The view Find lists all commands.", "没有核函数名：转储中没有记录。仍可在“查找”中列出指令。"],
  ofKernels: ["Click a row to show the kernel's longest launch in the timeline. Times are sums over all cores, so they can be longer than the run.", "点击一行可在时间线中查看该核函数最长的一次执行。各核的执行时间相加，因此可能超过总时长。"],
  ofLayers: ["Click a row to select the layer or block in the timeline: its panel lists engines, costs and commands. Layers can overlap: the total of a block is the time in which any of its layers ran.", "点击一行可在时间线中选中该层或模块，其面板列出引擎、代价和指令。层之间可能重叠：模块的总计是其任一层执行的时间。"],
  ofSteps: ["Click a row to select the step in the timeline: its panel lists engines, costs and commands.", "点击一行可在时间线中选中该步，其面板列出引擎、代价和指令。"],
  open: ["Show it in the timeline", "在时间线中显示"],
  listHint: ["List its commands", "列出其指令"],
  incomplete: ["*: {0} launches have missing commands because records were lost; p50, p95 and max do not include them", "*：{0} 次执行因记录丢失而缺少指令，不计入 p50、p95 和最大值"],
  busy: ["Engines", "引擎"],
  busyHint: ["Working time of TIU, GDMA, SDMA and CDMA / total time; engines can work at the same time", "TIU、GDMA、SDMA、CDMA 为其工作的时间与总时间之比；可能重叠"],
  operation: ["Operation", "运算"],
  shape: ["Result", "结果"],
  line: ["Line", "行"],
  lineHint: ["Line in final.mlir", "final.mlir 中的行号"],
  block: ["Block", "模块"],
  blockHint: ["The part of the model that the layer belongs to by its name, or by the names of its weights", "按层名或其权重名所属的模型部分"],
  id: ["Id", "编号"],
  step: ["Step", "步"],
  summary: ["{0} steps{5} ({1}); p50 {2}, p95 {3}, spread {4}", "共 {0} 步{5}（{1}）；p50 {2}，p95 {3}，离散 {4}"],
  before: [" and {0} before them", "，之前还有 {0}"],
  after: [" and {0} after them", "，之后还有 {0}"],
  warmUp: ["; warm-up: the first {0} took {1} longer", "；前 {0} 步多用 {1}（预热）"],
  outliers: ["; {0} outliers", "；{0} 个离群步"],
  repetition: ["found by repeating kernels", "核函数序列重复"],
  kernel: ["found by a kernel name", "按核函数名"],
  host: ["found by host markers", "按主机标记"],
  launches: ["Launches", "启动次数"],
  remark: ["Remark", "备注"],
  isWarmUp: ["warm-up", "预热"],
  isOutlier: ["outlier", "离群"],
  isIrregular: ["other kernels", "核函数不同"],
} satisfies Record<string, Text>;

/** Rows that are shown at first. */
const MOST = 15;

/** A way to look at the units of a run. `at`: the place of its definition. */
interface Way {
  id: "kernels" | "steps" | "layers" | "blocks" | "tree";
  at: string;
  make(shell: Shell): (HTMLElement | false)[];
}

const WAYS: Record<Way["id"], Way> = {
  kernels: { id: "kernels", at: "top-kernels", make: kernels },
  steps: { id: "steps", at: "steps", make: steps },
  layers: { id: "layers", at: "layers", make: layers },
  blocks: { id: "blocks", at: "layers", make: blocks },
  tree: { id: "tree", at: "layers", make: (shell) => [unitTree(shell)] },
};

function waysOf({ head }: Page): Way[] {
  const hasLayers = head.layers.length > 0;
  // A static model has layers instead of kernels: a table without rows says nothing.
  const has: Record<Way["id"], boolean> = { layers: hasLayers, kernels: head.topKernels.length > 0 || !hasLayers, steps: head.steps.length > 0, blocks: head.blocks.length > 1, tree: hasLayers || head.topKernels.length > 0 };
  return (["layers", "kernels", "steps", "blocks", "tree"] as const).filter((id) => has[id]).map((id) => WAYS[id]);
}

export function unitsPanel(shell: Shell): HTMLElement {
  const ways = waysOf(shell.page);
  const room = h("div");
  const mark = h("span");
  const buttons = ways.map((way) => h("button", { class: "tl-chip", id: `units-${way.id}`, onclick: () => show(way) }, t(TEXTS[way.id])));
  const show = (way: Way): void => {
    ways.forEach((other, i) => buttons[i]!.setAttribute("aria-pressed", String(other === way)));
    put(room, ...way.make(shell));
    put(mark, explained(way.at, shell));
  };
  show(ways[0]!);
  return h("section", { class: "panel wide", id: "units-panel" }, h("h2", null, t(TEXTS.title), " ", ways.length > 1 && h("span", { class: "tl-chips" }, ...buttons), " ", mark), room);
}

const note = (text: Text): HTMLElement => h("p", { class: "key muted" }, t(text));

/** Whether a column says anything: no column is empty from top to bottom. */
function isKnown(heads: Page["head"]["layerColumns"], id: string, rows: Cells[]): boolean {
  const of = numberOf(heads, id);
  return rows.some((row) => (of(row) ?? 0) !== 0) || id === "core";
}

const ENGINES = ["TIU", "GDMA", "SDMA", "CDMA"] as const;

/** Columns of kernels by id; the engines' shares are one column. */
const OF_KERNELS = ["kernel", "share", "total_ns", "path_ns", "launches", "mean_ns", "p50_ns", "p95_ns", "max_ns", "cores", "busy", "ddr_bytes", "gbps", "events"];

function kernels(shell: Shell): (HTMLElement | false)[] {
  const { page } = shell;
  const rows = page.head.topKernels;
  if (rows.length === 0) return [h("p", { class: "muted", id: "top-kernels" }, t(TEXTS.none))];
  const name = (k: KernelHead): string => page.text(page.head.kernels[k.kernel] ?? -1);
  const { kernelColumns: heads } = page.head;
  const value = (id: string): ((k: KernelHead) => number) => {
    const of = numberOf(heads, id);
    return (k) => of(k) ?? 0;
  };
  const busy = ENGINES.map((engine) => value(`${engine.toLowerCase()}_busy`));
  const incomplete = value("incomplete_launches");
  const cells: Record<string, Partial<Column<KernelHead>>> = {
    kernel: { value: name, mark: () => "name", cell: (k) => cut(name(k)) },
    share: { mark: () => "share", cell: (k) => shareBar(value("share")(k)) },
    launches: { cell: (k) => launches(value("launches")(k), incomplete(k)) },
    events: { cell: (k) => list(shell, name(k), value("events")(k)) },
  };
  const columns = OF_KERNELS.map((id): Column<KernelHead> => {
    if (id === "busy") return { key: id, title: t(TEXTS.busy), hint: t(TEXTS.busyHint), value: (k) => busy.reduce((sum, of) => sum + of(k), 0), mark: () => "engines", cell: (k) => engines(busy.map((of) => of(k))) };
    return unitColumn(heads, id, cells[id]);
  });
  return [table({
    id: "top-kernels", label: t(TEXTS.kernels), columns, rows, most: MOST, sort: { key: "total_ns", down: true }, openHint: t(TEXTS.open),
    open: (k) => void showUnit(shell, longestLaunch(page, k.kernel)),
  }), note(TEXTS.ofKernels)];
}

function launches(all: number, incomplete: number): Node | string {
  if (incomplete === 0) return count(all);
  return h("span", { title: t(TEXTS.incomplete, count(incomplete)) }, `${count(all)} *${count(incomplete)}`);
}

function engines(busy: number[]): HTMLElement {
  const shares = busy.map((of, i) => ({ engine: ENGINES[i]!, share: of })).filter((e) => e.share > 0);
  const label = shares.map((e) => `${e.engine} ${percent(e.share)}`).join(", ");
  return h("div", { class: "mini-bars", title: label }, ...shares.map((e) => stack([{ share: e.share, color: `var(--${e.engine.toLowerCase()})`, title: label }], label)));
}

function list(shell: Shell, kernel: string, events: number): HTMLElement {
  return h("button", { class: "link", title: t(TEXTS.listHint), onclick: () => shell.find(findState({ kernel })) }, count(events));
}

/** Columns of layers by id, after those of their names; those of blocks; and those of steps. */
const OF_LAYERS = ["total_ns", "path_ns", "core", "tiu_ns", "gdma_ns", "sdma_ns", "uarch_rate", "mac_utilization", "ops", "bytes", "ddr_gbps", "ddr_intensity", "expected_ns", "events"];
const OF_BLOCKS = ["layers", "total_ns", "wall_share", "path_ns", "tiu_ns", "gdma_ns", "sdma_ns", "uarch_rate", "mac_utilization", "ops", "bytes", "events"];
const OF_STEPS = ["total_ns", "compute_only_ns", "overlapped_ns", "transfer_only_ns", "sync_ns", "idle_ns", "launches", "path_ns", "bytes"];

function layers(shell: Shell): (HTMLElement | false)[] {
  const { page } = shell;
  const rows = runLayers(page);
  const heads = page.head.layerColumns;
  const name = (row: Layer): string => page.text(row.label);
  const result = (row: Layer): string => row.writes.map((text) => page.text(text)).join("; ");
  /** Its shape and type without its name, which is the layer's. */
  const shape = (row: Layer): string => result(row).split("; ").map((text) => text.split(" ").slice(-2).join(" ")).join("; ");
  const share = numberOf(heads, "wall_share");
  const columns: Column<Layer>[] = [
    { key: "layer", title: t(TEXTS.layer), value: name, mark: () => "name", cell: (row) => cut(name(row)) },
    { key: "operation", title: t(TEXTS.operation), value: (row) => page.text(row.name) },
    ...(rows.some((row) => result(row) !== "") ? [{ key: "result", title: t(TEXTS.shape), value: shape, cell: (row: Layer) => h("span", { title: result(row) }, shape(row)) }] : []),
    { key: "id", title: t(TEXTS.id), num: true, value: (row) => row.id },
    ...(rows.some((row) => row.line !== null) ? [{ key: "line", title: t(TEXTS.line), hint: t(TEXTS.lineHint), num: true, value: (row: Layer) => row.line ?? 0 }] : []),
    unitColumn(heads, "wall_share", { mark: () => "share", cell: (row) => shareBar(share(row) ?? 0) }),
    ...OF_LAYERS.filter((id) => isKnown(heads, id, rows)).map((id) => unitColumn<Layer>(heads, id)),
  ];
  return [table({
    id: "layers", label: t(TEXTS.layers), columns, rows, most: MOST, sort: { key: "total_ns", down: true }, openHint: t(TEXTS.open),
    open: (row) => void showUnit(shell, longestRun(page, row.at)),
  }), note(TEXTS.ofLayers)];
}

/** The blocks of the model, with what the layers in each did. */
function blocks(shell: Shell): (HTMLElement | false)[] {
  const { page } = shell;
  const { blocks: all, layers: every, layerColumns: heads } = page.head;
  const names = (row: BlockHead): string => [...layersWithin(page, all.indexOf(row))].map((at) => page.text(every[at]!.label)).join("\n");
  const own: Partial<Column<BlockHead>> = { cell: (row) => h("span", { title: names(row) }, count(numberOf(heads, "layers")(row) ?? 0)) };
  const rows = all.slice(1);
  const columns: Column<BlockHead>[] = [
    { key: "block", title: t(TEXTS.block), hint: t(TEXTS.blockHint), value: (row) => page.text(row.name), mark: () => "name" },
    ...OF_BLOCKS.filter((id) => isKnown(heads, id, rows)).map((id) => unitColumn(heads, id, id === "layers" ? own : undefined)),
  ];
  return [table({
    id: "blocks", label: t(TEXTS.blocks), columns, rows, most: MOST, sort: { key: "total_ns", down: true }, openHint: t(TEXTS.open),
    open: (row) => void showUnit(shell, longestBlock(page, all.indexOf(row))),
  }), note(TEXTS.ofLayers)];
}

/** A step with its place in the list. */
type StepRow = StepHead & { at: number };

function steps(shell: Shell): (HTMLElement | false)[] {
  const { head } = shell.page;
  const { answers, stepColumns: heads } = head;
  const { times, source, steps: known, before_ns: before, after_ns: after } = answers.steps!;
  const rest = (before > 0 ? t(TEXTS.before, duration(before)) : "") + (after > 0 ? t(TEXTS.after, duration(after)) : "");
  const rows: StepRow[] = head.steps.map((step, at) => ({ ...step, at }));
  const marked = ({ at }: StepRow): string => {
    const { is_regular, is_warm_up, is_outlier } = known[at]!;
    return [!is_regular && TEXTS.isIrregular, is_warm_up && TEXTS.isWarmUp, is_outlier && TEXTS.isOutlier].filter((x) => x !== false).map((x) => t(x)).join(", ");
  };
  const start = (row: StepRow): number => sinceStart(head, known[row.at]!.start_ns);
  const columns: Column<StepRow>[] = [
    { key: "step", title: t(TEXTS.step), num: true, value: (row) => known[row.at]!.number, cell: (row) => known[row.at]!.name || String(known[row.at]!.number) },
    unitColumn(heads, "start_ns", { value: start, time: start }),
    ...OF_STEPS.map((id) => unitColumn<StepRow>(heads, id, id === "launches" ? { title: t(TEXTS.launches) } : undefined)),
    { key: "remark", title: t(TEXTS.remark), value: marked },
  ];
  const summary = [t(TEXTS.summary, times.count, t(TEXTS[source]), duration(times.p50_ns), duration(times.p95_ns), percent(times.spread), rest),
    times.warm_up > 0 ? t(TEXTS.warmUp, times.warm_up, duration(times.warm_up_ns)) : "", times.outliers > 0 ? t(TEXTS.outliers, times.outliers) : ""];
  const track = shell.page.tracks.find((of) => of.kind === "step");
  return [h("p", { id: "steps" }, summary.join("")),
    table({
      id: "steps-table", label: t(TEXTS.steps), columns, rows, most: 12, openHint: t(TEXTS.open),
      open: (row) => track && shell.showSlice({ track: track.index, row: row.at }),
    }), note(TEXTS.ofSteps)];
}
