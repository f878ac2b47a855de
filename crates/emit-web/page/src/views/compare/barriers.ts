// Barriers between cores: who comes last, and what that costs the others.
import type { Barrier } from "../../data/generated";
import { sinceStart } from "../../data/page";
import { stack } from "../../ui/bars";
import { h } from "../../ui/dom";
import { count, duration } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import { type Column, table } from "../../ui/table";
import type { Shell } from "../view";

const TEXTS = {
  title: ["Barriers: which core arrives last", "屏障：哪个核最后到达"],
  totals: [
    "{0} barriers between cores. Mean time from the first send to the last one: {1}. Core time of waiting at them: {2} of {3} sync of all cores.",
    "核间屏障 {0} 次；首末发送平均相差 {1}；在屏障处等待的核时间 {2}（各核同步合计 {3}）。",
  ],
  core: ["Core {0}", "核 {0}"],
  times: ["last {0} times", "最后到达 {0} 次"],
  at: ["Opens at", "打开于"],
  skew: ["Skew", "偏差"],
  skewHint: ["From the first send to the last one", "从首个发送到最后一个发送"],
  last: ["Last", "最后到达"],
  waited: ["Waited (core time)", "等待（核时间）"],
  waitedHint: ["Time in which a core waits at it and none of its engines works, summed over cores", "核在该屏障处等待且没有引擎工作的时间，各核之和"],
  cores: ["Cores", "核数"],
  open: ["Show it in the timeline", "在时间线中显示"],
} satisfies Record<string, Text>;

/** The panel; nothing where no barrier is certain. */
export function barriersPanel(shell: Shell): HTMLElement | null {
  const { head } = shell.page;
  const { barriers } = head.answers.balance;
  if (barriers.count === 0) return null;
  const sync = head.answers.intervals.cores.reduce((sum, core) => sum + core.sync_ns, 0);
  const columns: Column<Barrier>[] = [
    { key: "at", title: t(TEXTS.at), num: true, value: (b) => b.at_ns, time: (b) => sinceStart(head, b.at_ns) },
    { key: "skew", title: t(TEXTS.skew), hint: t(TEXTS.skewHint), num: true, value: (b) => b.skew_ns, time: (b) => b.skew_ns },
    { key: "last", title: t(TEXTS.last), num: true, value: (b) => b.last_core, cell: (b) => t(TEXTS.core, b.last_core) },
    { key: "waited", title: t(TEXTS.waited), hint: t(TEXTS.waitedHint), num: true, value: (b) => b.waited_ns, time: (b) => b.waited_ns },
    { key: "cores", title: t(TEXTS.cores), num: true, value: (b) => b.cores },
  ];
  const show = (b: Barrier): void => {
    const at = sinceStart(head, b.at_ns);
    shell.showRange(at - b.skew_ns * 1.2, at + b.skew_ns * 0.2);
  };
  return h("section", { class: "panel", id: "barriers" }, h("h2", null, t(TEXTS.title)),
    h("p", { class: "muted" }, t(TEXTS.totals, count(barriers.count), duration(barriers.mean_skew_ns), duration(barriers.waited_ns), duration(sync))),
    h("div", { class: "halves" },
      h("div", null, ...[...barriers.last].sort((a, b) => a[0] - b[0]).map(([core, times]) => {
        const text = t(TEXTS.times, count(times));
        return h("div", { class: "last-line", "data-core": core, "data-times": times }, h("span", null, t(TEXTS.core, core)),
          stack([{ share: times / barriers.count, color: "var(--over)", title: text }], text), h("span", { class: "muted" }, text));
      })),
      table({ id: "worst-barriers", label: t(TEXTS.title), columns, rows: barriers.worst, most: 8, total: barriers.count, sort: { key: "skew", down: true }, open: show, openHint: t(TEXTS.open) })));
}
