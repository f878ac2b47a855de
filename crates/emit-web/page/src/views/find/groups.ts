// Sums of the found rows by the values of a column.
import { h, put } from "../../ui/dom";
import { choice } from "../../ui/fields";
import { bytes, count, percent } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import { table } from "../../ui/table";
import { COLUMNS, type Column, titleOf } from "../../query/columns";
import type { Rows } from "../../query/rows";

const TEXTS = {
  by: ["Sum by", "分组合计"],
  none: ["no groups", "不分组"],
  count: ["Commands", "指令数"],
  time: ["Time", "时间"],
  share: ["Share", "占比"],
  bytes: ["Bytes", "字节"],
  open: ["Search only for these", "只查找这些"],
} satisfies Record<string, Text>;

/** Numbers that say what a command belongs to, and not how much it does. */
const NUMBERS = ["core", "layerId", "scope", "batch", "critical"];
/** Groups that are shown at first. */
const MOST = 8;

interface Group {
  /** The value as a query has it; null where the rows have none. */
  value: string | null;
  count: number;
  ns: number;
  /** null where no row has any. */
  bytes: number | null;
}

export class Groups {
  readonly choice: HTMLElement;
  readonly element = h("div", { class: "find-groups", hidden: true });
  private readonly select: HTMLSelectElement;

  constructor(changed: (key: string) => void, private readonly narrow: (clause: string) => void) {
    const columns = COLUMNS.filter(({ key, kind }) => kind === "text" || NUMBERS.includes(key));
    this.select = choice("find-by", [["", t(TEXTS.none)], ...columns.map((column): [string, string] => [column.key, titleOf(column)])], "", changed);
    this.choice = h("label", { class: "find-by" }, t(TEXTS.by), " ", this.select);
  }

  /** Shows the sums by a column; none without one. `loadFacts` must be done. */
  show(rows: Rows, matches: Uint32Array, column: Column | undefined): void {
    this.select.value = column?.key ?? "";
    this.element.hidden = !column || matches.length === 0;
    if (!column || matches.length === 0) return put(this.element);
    const groups = groupsOf(rows, matches, column);
    const total = groups.reduce((sum, { ns }) => sum + ns, 0);
    put(this.element, table<Group>({
      id: "find-group-table", label: `${t(TEXTS.by)} ${titleOf(column)}`, rows: groups, most: MOST, openHint: t(TEXTS.open),
      open: ({ value }) => value !== null && this.narrow(`${column.key}=${/[\s"*?]/.test(value) ? `"${value.replaceAll('"', "")}"` : value}`),
      columns: [
        { key: "value", title: titleOf(column), value: (group) => group.value ?? "", cell: (group) => group.value ?? "–" },
        { key: "count", title: t(TEXTS.count), num: true, value: (group) => group.count, cell: (group) => count(group.count) },
        { key: "time", title: t(TEXTS.time), num: true, value: (group) => group.ns, time: (group) => group.ns },
        { key: "share", title: t(TEXTS.share), num: true, value: (group) => group.ns, cell: (group) => percent(group.ns / Math.max(total, 1)) },
        { key: "bytes", title: t(TEXTS.bytes), num: true, value: (group) => group.bytes ?? -1, cell: (group) => (group.bytes === null ? "–" : bytes(group.bytes)) },
      ],
    }));
  }
}

/** The groups, those that took longest first. `matches` are in any order. */
function groupsOf(rows: Rows, matches: Uint32Array, column: Column): Group[] {
  const moved = COLUMNS.find(({ key }) => key === "bytes")!;
  const tracks = rows.tracks.map((_, at) => ({ read: column.read(rows, at), bytes: moved.read(rows, at), dur: rows.times[at]!.dur }));
  const groups = new Map<string | null, Group>();
  for (const match of matches) {
    const at = rows.trackOf(match);
    const row = match - rows.first[at]!;
    const { read, bytes, dur } = tracks[at]!;
    const n = read(row);
    const text = Number.isNaN(n) ? "" : column.text ? column.text(rows, n) : String(n);
    const value = text === "" ? null : text;
    let group = groups.get(value);
    if (!group) groups.set(value, (group = { value, count: 0, ns: 0, bytes: null }));
    const own = bytes(row);
    group.count++;
    group.ns += dur[row]!;
    if (!Number.isNaN(own)) group.bytes = (group.bytes ?? 0) + own;
  }
  return [...groups.values()].sort((a, b) => b.ns - a.ns);
}
