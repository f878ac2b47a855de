// The message chart with its filters and the table of the longest waits.
import { legendKey } from "../../ui/bars";
import { h, put } from "../../ui/dom";
import { explained } from "../../ui/explain";
import { count, duration, percent } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import { type Fields, follow, keep, choice } from "../../ui/fields";
import { deviceRange, FONT, Plot } from "../../ui/plot";
import { pictureButtons } from "../../ui/picture";
import * as state from "../../ui/state";
import { readDuration } from "../find/filter";
import type { Track } from "../../data/page";
import type { Shell, SliceRef } from "../view";
import { Chart, GUTTER } from "./chart";
import { filterMessages, type Messages, readMessages } from "./messages";
import { waitsTable } from "./waits";

const TEXTS = {
  title: ["Messages: which core waits for which", "消息：核之间的等待关系"],
  loading: ["Reading …", "读取中…"],
  none: ["No engine sent a message or waited for one.", "没有引擎发送或等待消息：没有可绘制的内容。"],
  noPairs: [
    "There are no arrows, because the sender of each wait is not certain. Pairs are shown only if the full commands are known and all sends and waits of a message match.",
    "这里无法确定哪个发送释放了哪个等待，因此没有箭头：只有在完整指令已知、且某消息的发送与等待全部对应时才显示配对。",
  ],
  core: ["Core", "核"],
  engine: ["Engine", "引擎"],
  all: ["all", "全部"],
  least: ["Waits of at least", "等待不短于"],
  message: ["Message", "消息"],
  fit: ["Whole run", "全程"],
  wait: ["wait", "等待"],
  send: ["send", "发送"],
  arrow: ["released", "释放"],
  totals: ["{0} sends, {1} waits (total {2}), {3} certain pairs", "{0} 次发送，{1} 次等待共 {2}，{3} 个确定配对"],
  some: ["{1} releases are visible. Releases that are close in time between the same two engines are drawn as one arrow; a wider arrow means longer waits. Only the {0} arrows with the longest waits are drawn. The height in a row is the share of time in which its engine waits. Zoom in to see each release", "视野内共 {1} 次释放，同一对引擎间相近的释放合并为一个箭头，越粗表示等待越长；绘制等待最长的 {0} 个。行内高度为该引擎等待的时间占比。放大可见每一个"],
  keys: ["Each arrow starts at the send that released the wait. A wait without an arrow was released by another command, or it is not known by which: the table says it. Point at a wait to see all its sends. Wheel: zoom. Drag: move. Double click: whole run. Click: show in the timeline. Keys: arrows or A D, W S or + −, 0.", "箭头来自释放等待的发送。没有箭头的等待由其他指令释放，或释放者未知，见下表。指向等待可看到其全部发送。滚轮缩放，拖动平移，双击显示全程；点击跳到时间线。按键：方向键或 A D、W S 或 + −、0。"],
  waited: ["waited {0}", "等待 {0}"],
  releasedBy: ["released by {0}, {1} after its end", "由 {0} 释放，晚于其结束 {1}"],
  releases: ["releases {0} waits", "释放 {0} 个等待"],
  unknown: ["what released it is not known", "释放者未知"],
  coreName: ["Core {0} {1}", "核 {0} {1}"],
  portName: ["Port {0}", "端口 {0}"],
} satisfies Record<string, Text>;

export class MessagesPanel {
  readonly element = h("section", { class: "panel messages", id: "messages" });
  private plot: Plot | null = null;
  private fields: Fields | null = null;
  private apply: () => void = () => {};

  constructor(private readonly shell: Shell) {
    put(this.element, this.title(), h("p", { class: "muted" }, t(TEXTS.loading)));
    void readMessages(shell.page).then((m) => this.build(m));
  }

  /** Takes over what the page's state says. */
  show(): void {
    if (this.fields && follow(this.fields)) this.apply();
    this.plot?.follow();
    this.plot?.redraw();
  }

  redraw(): void {
    this.plot?.redraw();
  }

  private title(): HTMLElement {
    return h("h2", null, t(TEXTS.title), " ", explained("messages", this.shell));
  }

  private laneName(m: Messages, lane: number): string {
    return this.trackName(m.lanes[lane]!);
  }

  private trackName(track: Track): string {
    return track.kind === "cdma" ? t(TEXTS.portName, track.head.core) : t(TEXTS.coreName, track.head.core, track.engine);
  }

  private build(m: Messages): void {
    if (m.row.length === 0) return put(this.element, this.title(), h("p", { class: "muted" }, t(TEXTS.none)));
    const { page } = this.shell;
    const name = (lane: number): string => this.laneName(m, lane);
    const chart = new Chart(m, name);
    const holder = h("div");
    const arrows = h("p", { class: "key muted", id: "message-arrows" });
    const go = (slice: SliceRef): void => this.shell.showSlice(slice);

    const plot = (this.plot = new Plot({
      id: "message-chart", label: t(TEXTS.title), key: "m.range", gutter: GUTTER,
      range: deviceRange(page),
      draw: (p, context) => {
        chart.draw(p, context);
        const { inView, drawn } = chart.arrows;
        arrows.textContent = drawn < inView ? t(TEXTS.some, count(drawn), count(inView)) : t(TEXTS.keys);
      },
      tip: (p, x, y) => {
        const at = chart.at(p, x, y);
        if (at !== chart.hot) {
          chart.hot = at;
          p.redraw();
        }
        return at < 0 ? null : this.describe(m, at);
      },
      click: (p, x, y) => {
        const at = chart.at(p, x, y);
        if (at >= 0) go({ track: m.lanes[m.lane[at]!]!.index, row: m.row[at]! });
      },
    }));

    const choose = (id: string, options: [string, string][], key: string): HTMLSelectElement =>
      choice(id, [["", t(TEXTS.all)], ...options], state.get(key), () => this.apply());
    const cores = [...new Set(m.lanes.filter((l) => l.kind !== "cdma").map((l) => String(l.head.core)))].sort((a, b) => Number(a) - Number(b));
    const engines = [...new Set(m.lanes.map((l) => l.kind))];
    const core = choose("message-core", cores.map((c) => [c, c]), "m.core");
    const engine = choose("message-engine", engines.map((e) => [e, e.toUpperCase()]), "m.engine");
    const least = h("input", { id: "message-least", size: 7, placeholder: "1us", value: state.get("m.least"), oninput: () => this.apply() });

    const numbers = m.message ? [...new Set(m.message)].filter((n) => n >= 0).sort((a, b) => a - b) : [];
    const message = choose("message-number", numbers.map((n) => [String(n), String(n)]), "m.message");

    const fields: Fields = (this.fields = [["m.core", core], ["m.engine", engine], ["m.least", least], ["m.message", message]]);
    this.apply = () => {
      const shown = filterMessages(m, {
        core: core.value, engine: engine.value, least: readDuration(least.value) ?? 0, message: message.value === "" ? null : Number(message.value),
      });
      keep(fields);
      chart.show(shown);
      plot.element.style.height = `${chart.height / FONT}em`;
      plot.redraw();
      put(holder, waitsTable(m, shown, page.head.totalNs, name, (track) => this.trackName(page.tracks[track]!), go));
    };

    put(this.element,
      h("div", { class: "bar-row" }, this.title(),
        h("label", null, t(TEXTS.core), " ", core), h("label", null, t(TEXTS.engine), " ", engine), h("label", null, t(TEXTS.least), " ", least),
        m.message && h("label", null, t(TEXTS.message), " ", message),
        h("button", { onclick: () => plot.fit() }, t(TEXTS.fit)), pictureButtons(`${page.head.source}-messages`, () => plot.picture()),
        h("span", { class: "legend-row muted" }, legendKey("--wait", t(TEXTS.wait)), legendKey("--send", t(TEXTS.send)), m.send.length > 0 && legendKey("--arrow", t(TEXTS.arrow)))),
      this.totals(m, plot),
      m.send.length === 0 && h("p", { class: "warning-line" }, t(TEXTS.noPairs)),
      plot.element, arrows, holder);
    this.apply();
  }

  private totals(m: Messages, plot: Plot): HTMLElement {
    let waits = 0;
    let waited = 0;
    for (let i = 0; i < m.row.length; i++) {
      if (!m.isWait[i]) continue;
      waits++;
      waited += m.end[i]! - m.start[i]!;
    }
    Object.assign(plot.canvas.dataset, { waits, sends: m.row.length - waits, pairs: m.send.length });
    return h("p", { class: "muted" }, t(TEXTS.totals, count(m.row.length - waits), count(waits), duration(waited), count(m.send.length)));
  }

  private describe(m: Messages, at: number): (Node | string)[] {
    const track = m.lanes[m.lane[at]!]!;
    const lines = [h("b", null, `${this.laneName(m, m.lane[at]!)} · ${this.shell.page.nameText(track.times!.name[m.row[at]!]!)} #${m.row[at]}`)];
    const add = (text: string): void => void lines.push(h("div", null, text) as HTMLElement);
    if ((m.message?.[at] ?? -1) >= 0) add(`${t(TEXTS.message)} ${m.message![at]}`);
    add(`${duration(m.start[at]!)} + ${duration(m.end[at]! - m.start[at]!)}`);
    if (m.isWait[at]) {
      add(`${t(TEXTS.waited, duration(m.end[at]! - m.start[at]!))} (${percent((m.end[at]! - m.start[at]!) / Math.max(this.shell.page.head.totalNs, 1), 2)})`);
      const by = this.shell.page.tracks[m.releaserTrack[at]!];
      add(by ? t(TEXTS.releasedBy, `${this.trackName(by)} #${m.releaserRow[at]}`, duration(m.end[at]! - m.releaserEnd[at]!)) : t(TEXTS.unknown));
    } else {
      add(t(TEXTS.releases, m.send.reduce((n, s) => n + (s === at ? 1 : 0), 0)));
    }
    return lines;
  }
}
