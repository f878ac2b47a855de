// The data's quality: a line when all is well, warnings in words when not, and the counts.
import type { LedgerHead } from "../../data/generated";
import type { Page } from "../../data/page";
import { h } from "../../ui/dom";
import { count } from "../../ui/format";
import { localized, t, type Text } from "../../ui/i18n";

const TEXTS = {
  clean: ["No data is missing as far as known: every record of the dump is used or explained.", "未发现数据缺失：转储中的每条记录都已计入。"],
  simulated: ["Simulated: the times are predicted from the commands' bits, nothing was measured.", "模拟运行：时间由指令位预测得出，没有实测。"],
  noted: ["No data is missing as far as known.", "未发现数据缺失。"],
  doubtful: ["Check the data; warnings: {0}", "请检查数据：{0} 条警告"],
  lost: ["Data was lost: the page does not show all commands that ran.", "有数据丢失：这里看到的不是全部运行内容。"],
  incomplete: ["The dump is incomplete: parts of it are missing or can't be used.", "转储不完整：有部分缺失或无法使用。"],
  unverified: ["Whether the dump is complete can't be verified:", "无法确认转储是否完整："],
  complete: ["Completeness: {0}", "完整性：{0}"],
  loss: ["lost", "丢失"],
  warning: ["warning", "警告"],
  note: ["note", "说明"],
  at: ["{0}, byte {1}", "{0}，字节 {1}"],
  ledger: ["Use of every record", "每条记录的去向"],
  ledgerNote: ["Records read from the dump, matched, corrected and lost, for each engine. summary.txt has the same table.", "从转储读出的记录及其去向，按引擎列出。summary.txt 中有同一张表。"],
  place: ["Engine", "引擎"],
  runtime: ["Work of the runtime", "运行时自身的工作"],
  runtimeNote: ["Copies of the model's inputs and outputs, and barriers of all cores. They are not commands of the model and are not part of any total.", "模型输入输出的拷贝与全核屏障。它们不是模型的指令，不计入任何合计。"],
  what: ["What", "内容"],
  start: ["Start (ns)", "开始（ns）"],
  time: ["Time (ns)", "时长（ns）"],
  bytes: ["Bytes", "字节"],
  "runtime input copy": ["input copy (DDR->DDR)", "输入拷贝（DDR->DDR）"],
  "runtime output copy": ["output copy (DDR->DDR)", "输出拷贝（DDR->DDR）"],
  "runtime copy": ["copy (DDR->DDR)", "拷贝（DDR->DDR）"],
  "runtime barrier": ["barrier", "屏障"],
  notes: ["Notes: {0}", "说明：{0} 条"],
  more: ["{0} more", "另有 {0} 条"],
} satisfies Record<string, Text>;

/** What the ledger counts, in words; titles stay as in summary.txt. */
const COUNTS: Record<string, Text> = {
  read: ["records in the dump", "转储中的记录"],
  shown: ["events in the results", "结果中的事件"],
  matched: ["shown, with a command", "有对应指令"],
  unmatched: ["shown, without a command", "无对应指令"],
  labelled: ["unmatched, kernel known by position", "按位置命名"],
  preamble: ["preamble", "属于前导"],
  trimmed: ["stray and duplicate records", "多余与重复"],
  rotated: ["reordered (ring buffer)", "因环形旋转移位"],
  reordered: ["reordered (disorder)", "因乱序移位"],
  wrapped: ["counter wraps corrected", "修正的计数回绕"],
  lost: ["missing or unusable", "缺失或不可用"],
  undecodable: ["command's bits unknown", "指令内容未知"],
  commands: ["commands dispatched", "下发的指令"],
  unseen: ["commands without a record", "没有记录的指令"],
};

type Note = LedgerHead["notes"][number];
const ORDER: Note["severity"][] = ["loss", "warning", "note"];
/** Notes that are open; the others are folded. */
const SHOWN = 6;

export function qualityPanel(page: Page): HTMLElement {
  const notes = [...page.head.ledger.notes].sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
  const { completeness, simulated } = page.head.ledger;
  const number = (severity: Note["severity"]): number => notes.filter((n) => n.severity === severity).length;
  const [state, text] = number("loss") > 0 ? ["loss", t(TEXTS.lost)]
    : number("warning") > 0 ? ["warning", t(TEXTS.doubtful, number("warning"))]
    : simulated ? ["note", t(TEXTS.simulated)]
    : notes.length > 0 ? ["note", t(TEXTS.noted)]
    : ["clean", t(TEXTS.clean)];
  const mark = state === "loss" ? "✕" : state === "warning" ? "!" : "✓";
  return h("section", { class: `quality wide ${state}`, id: "quality", "data-state": state },
    h("p", null, h("b", { class: "mark", "aria-hidden": "true" }, mark), h("b", null, text), " ",
      !simulated && h("span", { id: "completeness", "data-verdict": completeness.verdict }, t(TEXTS[completeness.verdict], localized(completeness)))),
    completeness.reasons.length > 0 && h("ul", { id: "unverified" }, ...completeness.reasons.map(reason)),
    // Notes alone need no action.
    state === "note" && notes.length > 0 && h("details", null, h("summary", null, t(TEXTS.notes, notes.length)), h("ul", null, ...notes.map(line))),
    state !== "note" && notes.length > 0 && h("ul", null, ...notes.slice(0, SHOWN).map(line)),
    state !== "note" && notes.length > SHOWN && h("details", null, h("summary", null, t(TEXTS.more, notes.length - SHOWN)), h("ul", null, ...notes.slice(SHOWN).map(line))));
}

function reason(why: LedgerHead["completeness"]["reasons"][number]): HTMLElement {
  return h("li", null, localized(why), " ", why.file && h("code", { class: "muted" }, why.file));
}

function line(note: Note): HTMLElement {
  const where = note.offset === null ? note.file : t(TEXTS.at, note.file, count(note.offset));
  return h("li", { "data-severity": note.severity }, h("span", { class: `chip ${note.severity}` }, t(TEXTS[note.severity])), localized(note), " ", where && h("code", { class: "muted" }, where));
}

export function ledgerPanel(page: Page): HTMLElement {
  const { titles, lines } = page.head.ledger;
  const isClean = page.head.ledger.notes.every((note) => note.severity === "note");
  return h("details", { class: "panel wide", open: !isClean }, h("summary", null, h("h2", null, t(TEXTS.ledger))),
    h("div", { class: "scroll" }, h("table", { id: "ledger", class: "data" },
      h("thead", null, h("tr", null, h("th", null, t(TEXTS.place)), ...titles.map((title) => h("th", { class: "num" }, title, COUNTS[title] && h("small", null, t(COUNTS[title])))))),
      h("tbody", null, ...lines.map((l) => h("tr", null, h("td", null, l.place),
        ...l.counts.map((n, i) => h("td", { class: `num ${n === 0 ? "zero" : titles[i] === "lost" ? "bad" : ""}`, "data-key": titles[i] }, count(n)))))))),
    h("p", { class: "key muted" }, t(TEXTS.ledgerNote)));
}

/** What the runtime did next to the model's commands; nothing where it did nothing. */
export function runtimePanel(page: Page): HTMLElement | null {
  const { runtime } = page.head.ledger;
  if (runtime.length === 0) return null;
  const named = (what: string): string => (what in TEXTS ? t(TEXTS[what as keyof typeof TEXTS]) : what);
  return h("details", { class: "panel wide" }, h("summary", null, h("h2", null, t(TEXTS.runtime))),
    h("div", { class: "scroll" }, h("table", { id: "runtime", class: "data" },
      h("thead", null, h("tr", null, h("th", null, t(TEXTS.place)), h("th", null, t(TEXTS.what)),
        ...[TEXTS.start, TEXTS.time, TEXTS.bytes].map((title) => h("th", { class: "num" }, t(title))))),
      h("tbody", null, ...runtime.map((r) => h("tr", null, h("td", null, r.place), h("td", null, named(r.what)),
        ...[r.start, r.end - r.start, r.bytes].map((n) => h("td", { class: "num" }, count(n)))))))),
    h("p", { class: "key muted" }, t(TEXTS.runtimeNote)));
}
