// How much of the time each engine worked.
import { h } from "../../ui/dom";
import { stack } from "../../ui/bars";
import { columnDuration, duration, percent } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import { findState } from "../find/filter";
import type { Shell } from "../view";

const TEXTS = {
  title: ["Busy share of each engine", "各引擎忙碌占比"],
  note: ["Share of {0}. System commands (TIU, GDMA) and waits (SDMA) do not count. A port is busy while any command runs.", "占 {0} 的比例。TIU、GDMA 的系统指令和 SDMA 的等待不计入；端口只要有指令运行即计入。"],
  core: ["Core {0}", "核 {0}"],
  port: ["Port {0}", "端口 {0}"],
  list: ["List these commands", "列出这些指令"],
} satisfies Record<string, Text>;

export function busyPanel(shell: Shell): HTMLElement {
  const { head } = shell.page;
  const total = Math.max(head.totalNs, 1);
  const hasSdma = head.cores.some((c) => c.sdmaNs > 0);
  const time = columnDuration([...head.cores.flatMap((c) => [c.tiuNs, c.gdmaNs, c.sdmaNs]), ...head.ports.map((p) => p.busyNs)], 1);
  const line = (engine: string, index: number, ns: number) => engineLine(shell, engine, index, ns, total, time);
  const groups = head.cores.map((c) => {
    const lines = [line("TIU", c.core, c.tiuNs), line("GDMA", c.core, c.gdmaNs)];
    if (hasSdma) lines.push(line("SDMA", c.core, c.sdmaNs));
    return group(t(TEXTS.core, c.core), lines);
  });
  if (head.ports.length > 0) {
    groups.push(...head.ports.map((p) => group(t(TEXTS.port, p.port), [line("CDMA", p.port, p.busyNs)])));
  }
  return h("section", { class: "panel busy" }, h("h2", null, t(TEXTS.title)),
    h("div", { id: "engine-busy" }, ...groups),
    h("p", { class: "key muted" }, t(TEXTS.note, duration(head.totalNs))));
}

function group(title: string, lines: HTMLElement[]): HTMLElement {
  return h("div", { class: "busy-group" }, h("b", null, title), h("div", null, ...lines));
}

function engineLine(shell: Shell, engine: string, core: number, ns: number, total: number, time: (ns: number) => string): HTMLElement {
  const share = ns / total;
  const text = `${engine} ${percent(share)}, ${duration(ns)}`;
  return h("button", {
    class: "busy-line", title: `${text}. ${t(TEXTS.list)}`, "data-engine": engine, "data-core": core, "data-share": share.toFixed(4),
    onclick: () => shell.find(findState({ engine: engine.toLowerCase(), core: String(core) })),
  },
  h("span", null, engine),
  stack([{ share, color: `var(--${engine.toLowerCase()})`, title: text }], text),
  h("span", { class: "num" }, percent(share)), h("span", { class: "num muted" }, time(ns)));
}
