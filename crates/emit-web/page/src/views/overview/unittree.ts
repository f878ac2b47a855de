// The run as a tree: the model, its blocks, their layers and the layers' commands; or the run, its steps or kernels, their launches and the
// launches' commands. Each node of a model has the sums of what is below it.
import { type Page, sinceStart } from "../../data/page";
import { h, put } from "../../ui/dom";
import { columnDuration, count } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import { eachLaunch, longestBlock, longestRun } from "../../ui/launches";
import { findState } from "../find/filter";
import { type UnitCommand, unitOf } from "../timeline/unitdata";
import type { Shell, SliceRef } from "../view";
import { type Cells, type Layer, numberOf, runLayers, showUnit, unitText, unitTitle } from "./unitcolumns";

const TEXTS = {
  ofModel: ["Model, block, layer, command", "模型、模块、层、指令"],
  ofRun: ["Run, step or kernel, launch, command", "运行、步或核函数、启动、指令"],
  model: ["Model", "模型"],
  run: ["Run", "运行"],
  step: ["Step {0}", "第 {0} 步"],
  core: ["{0}, core {1}", "{0}，核 {1}"],
  unfold: ["Show what is in it", "展开"],
  fold: ["Hide what is in it", "收起"],
  moreCommands: ["{0} more commands: show them in Find", "另有 {0} 条指令：在查找中显示"],
  more: ["{0} more: show the unit in the timeline", "另有 {0} 项：在时间线中显示该单元"],
} satisfies Record<string, Text>;

/** Commands or launches of a unit that the tree lists. */
const MOST = 40;

/** Columns of the tree by id, after the name. */
const COLUMNS = ["total_ns", "wall_share", "path_ns", "tiu_ns", "gdma_ns", "sdma_ns", "uarch_rate", "bytes", "events"];

/** A number by the id of its column; what is not known is absent. */
type Numbers = Record<string, number>;

/** A node of the tree. */
interface Unit {
  name: string;
  /** What stands behind the name. */
  beside?: string;
  /** It has a name in bold. */
  isGroup?: boolean;
  numbers: Numbers;
  open?(): void;
  parts?(): Promise<Parts>;
}

/** What is in a unit. */
interface Parts {
  units: Unit[];
  /** A button for what is left out. */
  more?: { text: string; open(): void };
}

/** The tree as a table whose rows unfold. */
export function unitTree(shell: Shell): HTMLElement {
  const { page } = shell;
  const { head } = page;
  const isModel = head.blocks.length > 0;
  const heads = isModel ? head.layerColumns : head.kernelColumns;
  const root = isModel ? new ModelTree(shell).root() : new RunTree(shell).root();
  const shown = columnDuration([root.numbers.total_ns ?? 0]);
  const ids = COLUMNS.filter((id) => id !== "sdma_ns" || (root.numbers.sdma_ns ?? 0) > 0);
  const body = h("tbody", { onkeydown: (event: KeyboardEvent) => walk(event, body) });
  const cell = (id: string, value: number | undefined): string => {
    if (value === undefined) return "";
    const { unit } = heads.find((column) => column.id === id) ?? { unit: "count" as const };
    return unit === "duration" ? shown(value) : unitText(unit, value);
  };

  const rowsOf = ({ units, more }: Parts, level: number): HTMLTableRowElement[] => [
    ...units.map((unit) => line(unit, level)),
    ...(more ? [h("tr", { "aria-level": level, tabindex: -1 }, h("td", { colspan: ids.length + 1 }, h("button", { class: "more", onclick: more.open }, more.text)))] : []),
  ];

  /** A row, and what unfolds it. */
  function line(unit: Unit, level: number): HTMLTableRowElement {
    const { open, parts } = unit;
    const toggle = parts && h("button", { class: "tree-toggle", tabindex: -1, "aria-label": t(TEXTS.unfold), onclick: () => void change() }, "▸");
    const name = h(unit.isGroup ? "b" : "span", null, unit.name, unit.beside !== undefined && h("span", { class: "muted" }, ` ${unit.beside}`));
    const row: HTMLTableRowElement = h("tr", {
      class: open || parts ? "open" : null, "aria-level": level, "aria-expanded": parts ? "false" : null, tabindex: level === 1 ? 0 : -1,
      onclick: (e: MouseEvent) => (e.target as Element).closest("button, a") || (open ? open() : void change()),
      onkeydown: (e: KeyboardEvent) => {
        if (e.target !== row) return;
        if (e.key === "Enter" && open) open();
        else if (e.key === "Enter" || (e.key === "ArrowRight" && !isOpen()) || (e.key === "ArrowLeft" && isOpen())) void change();
        else return;
        e.preventDefault();
      },
    }, h("td", { class: "name", style: { paddingLeft: `${0.6 + (level - 1) * 1.1}rem` } }, toggle ?? h("span", { class: "tree-toggle" }), " ", name), ...ids.map((id) => h("td", { class: "num" }, cell(id, unit.numbers[id]))));
    const isOpen = (): boolean => row.getAttribute("aria-expanded") === "true";
    async function change(): Promise<void> {
      if (!parts || !toggle) return;
      if (isOpen()) for (let next = row.nextElementSibling; next && Number(next.getAttribute("aria-level")) > level; next = row.nextElementSibling) next.remove();
      else row.after(...rowsOf(await parts(), level + 1));
      const opened = !isOpen();
      row.setAttribute("aria-expanded", String(opened));
      put(toggle, opened ? "▾" : "▸");
      toggle.setAttribute("aria-label", t(opened ? TEXTS.fold : TEXTS.unfold));
    }
    return row;
  }

  const first = line(root, 1);
  put(body, first);
  first.querySelector("button")!.click();
  const title = t(isModel ? TEXTS.ofModel : TEXTS.ofRun);
  return h("div", { class: "scroll" }, h("table", { id: "unit-tree", class: "data", role: "treegrid", "aria-label": title },
    h("thead", null, h("tr", null, h("th", null, title), ...ids.map((id) => h("th", { class: "num" }, unitTitle(heads, id))))), body));
}

/** The values of a unit by the ids of their columns. */
function numbersOf(heads: Page["head"]["layerColumns"], unit: Cells): Numbers {
  const known = COLUMNS.map((id): [string, number | null] => [id, numberOf(heads, id)(unit)]);
  return Object.fromEntries(known.filter((entry): entry is [string, number] => entry[1] !== null));
}

/** Commands as nodes. */
function commandsOf(shell: Shell, commands: UnitCommand[]): Unit[] {
  const { page } = shell;
  return commands.map((command) => {
    const numbers: Numbers = { total_ns: command.ns, [`${page.tracks[command.slice.track]!.kind}_ns`]: command.ns };
    if (command.bytes > 0) numbers.bytes = command.bytes;
    return { name: page.nameText(command.name), numbers, open: () => shell.showSlice(command.slice) };
  });
}

/** The first commands of the unit that a slice shows. `more`: shows the others, of which there are so many. */
async function partsOf(shell: Shell, slice: SliceRef, more: (rest: number) => Parts["more"]): Promise<Parts> {
  const { start, dur } = await shell.page.tracks[slice.track]!.loadTimes();
  const from = start[slice.row]!;
  const { commands, count: all } = await unitOf(shell.page, slice, { start: from, end: from + dur[slice.row]! });
  return { units: commandsOf(shell, commands.slice(0, MOST)), more: all > MOST ? more(all - MOST) : undefined };
}

/** A static model. */
class ModelTree {
  /** By block what is in it, in the order of the model: a block is where its first layer is. */
  private readonly parts: ({ block: number } | { layer: Layer })[][];

  constructor(private readonly shell: Shell) {
    const { blocks } = shell.page.head;
    this.parts = blocks.map(() => []);
    const isPlaced = new Set<number>();
    for (const layer of runLayers(shell.page)) {
      let part: { block: number } | { layer: Layer } = { layer };
      for (let block = layer.parent; block >= 0; block = blocks[block]!.parent) {
        this.parts[block]!.push(part);
        if (isPlaced.has(block)) break;
        isPlaced.add(block);
        part = { block };
      }
    }
  }

  root(): Unit {
    return this.block(0);
  }

  private block(at: number): Unit {
    const { page } = this.shell;
    const { blocks, layerColumns: heads } = page.head;
    const block = blocks[at]!;
    return {
      name: page.text(block.name) || t(TEXTS.model),
      beside: `${unitTitle(heads, "layers")} ${unitText("count", numberOf(heads, "layers")(block))}`,
      isGroup: true,
      numbers: numbersOf(heads, block),
      open: at > 0 ? () => void showUnit(this.shell, longestBlock(page, at)) : undefined,
      parts: async () => ({ units: this.parts[at]!.map((part) => ("layer" in part ? this.layer(part.layer) : this.block(part.block))) }),
    };
  }

  private layer(layer: Layer): Unit {
    const { page } = this.shell;
    const run = longestRun(page, layer.at);
    return {
      name: page.text(layer.label),
      numbers: numbersOf(page.head.layerColumns, layer),
      open: () => void showUnit(this.shell, run),
      parts: async () => {
        const slice = await run;
        const more = (rest: number) => ({ text: t(TEXTS.moreCommands, count(rest)), open: () => this.shell.find(findState({ q: `layer:#${layer.id}` })) });
        return slice ? partsOf(this.shell, slice, more) : { units: [] };
      },
    };
  }
}

/** A run of kernels. */
class RunTree {
  constructor(private readonly shell: Shell) {}

  root(): Unit {
    const { head } = this.shell.page;
    const sum = (ns: (core: (typeof head.cores)[number]) => number): number => head.cores.reduce((all, core) => all + ns(core), 0);
    const moved = numberOf(head.kernelColumns, "bytes");
    return {
      name: t(TEXTS.run),
      isGroup: true,
      numbers: {
        total_ns: head.totalNs, wall_share: 1, path_ns: head.totalNs, events: head.events,
        tiu_ns: sum((core) => core.tiuNs), gdma_ns: sum((core) => core.gdmaNs), sdma_ns: sum((core) => core.sdmaNs),
        bytes: head.topKernels.reduce((all, kernel) => all + (moved(kernel) ?? 0), 0),
      },
      parts: async () => ({ units: head.steps.length > 0 ? this.steps() : this.kernels() }),
    };
  }

  private steps(): Unit[] {
    const { head, tracks } = this.shell.page;
    const track = tracks.find(({ kind }) => kind === "step");
    return head.answers.steps!.steps.map((step, at) => {
      const show = () => track && this.shell.showSlice({ track: track.index, row: at });
      return {
        name: step.name || t(TEXTS.step, step.number), isGroup: true, numbers: numbersOf(head.stepColumns, head.steps[at]!), open: show,
        parts: async () => {
          const [from, to] = [sinceStart(head, step.start_ns), sinceStart(head, step.end_ns)];
          const all: Found[] = [];
          for (const kernel of head.kernels.keys()) await this.each(all, kernel, (start) => start >= from && start < to);
          return this.launches(all, () => void show());
        },
      };
    });
  }

  private kernels(): Unit[] {
    const { page } = this.shell;
    return page.head.topKernels.map((kernel) => {
      const name = page.text(page.head.kernels[kernel.kernel] ?? -1);
      return {
        name, isGroup: true, numbers: numbersOf(page.head.kernelColumns, kernel),
        parts: async () => {
          const all: Found[] = [];
          await this.each(all, kernel.kernel, () => true);
          return this.launches(all, () => this.shell.find(findState({ kernel: name })));
        },
      };
    });
  }

  private each(into: Found[], kernel: number, isWanted: (start: number) => boolean): Promise<void> {
    return eachLaunch(this.shell.page, kernel, (track, row, start, dur) => void (isWanted(start) && into.push({ slice: { track, row }, start, dur })));
  }

  private async launches(found: Found[], open: () => void): Promise<Parts> {
    const { page } = this.shell;
    const sorted = found.toSorted((a, b) => a.start - b.start || a.slice.track - b.slice.track);
    const units = sorted.slice(0, MOST).map(async ({ slice, dur }): Promise<Unit> => {
      const track = page.tracks[slice.track]!;
      const { events } = await track.facts();
      const name = page.nameText((await track.loadTimes()).name[slice.row]!);
      const { core, port } = track.head;
      const show = () => this.shell.showSlice(slice);
      return {
        name: port === undefined ? t(TEXTS.core, name, core) : `${name}, CDMA ${port}`, numbers: { total_ns: dur, events: events?.[slice.row] ?? 0 }, open: show,
        parts: () => partsOf(this.shell, slice, (rest) => ({ text: t(TEXTS.more, count(rest)), open: show })),
      };
    });
    const rest = sorted.length - MOST;
    return { units: await Promise.all(units), more: rest > 0 ? { text: t(TEXTS.more, count(rest)), open } : undefined };
  }
}

/** A launch, with its start and duration in ns. */
interface Found {
  slice: SliceRef;
  start: number;
  dur: number;
}

/** Arrow keys: up and down from row to row. */
function walk(event: KeyboardEvent, body: HTMLElement): void {
  const down = ({ ArrowDown: 1, ArrowUp: -1 } as Record<string, number>)[event.key];
  const row = (event.target as Element).closest("tr");
  if (!down || !row) return;
  const rows = [...body.children] as HTMLElement[];
  rows[rows.indexOf(row) + down]?.focus();
  event.preventDefault();
}
