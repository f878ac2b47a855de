// The form of the find view: query and filters.
import type { Page } from "../../data/page";
import { suggest } from "../../query/complete";
import { sentenceOf } from "../../query/problems";
import { readQuery } from "../../query/query";
import { completer } from "../../ui/completer";
import { h, put } from "../../ui/dom";
import { choice } from "../../ui/fields";
import { type Text, t } from "../../ui/i18n";
import { type Filter, readDuration, readNumber } from "./filter";

const TEXTS = {
  query: ["Search", "搜索"],
  queryHint: ["conv  bytes>1MiB  stride_enable=1  layer:conv*  dur>5us  not:wait", "conv  bytes>1MiB  stride_enable=1  layer:conv*  dur>5us  not:wait"],
  queryHelp: [
    "All parts must match. A word is searched in names, types, kernels and layers; a number is also a Global Idx or Cmd Id; 0x… is an address at which a command reads or writes. field>value compares: < <= > >= = !=, with units (1MiB, 5us, 50%, 20GB/s), for every value and register field. field:text searches a part of a text; * and ? stand for any letters. not: excludes. gap lists the gaps of the engines. The list below the field completes names and values.",
    "各部分须同时满足。词在名称、类型、核函数和层中查找；数字也可为 Global Idx 或 Cmd Id；0x… 为指令读写的地址。字段>值 用于比较：< <= > >= = !=，可带单位（1MiB、5us、50%、20GB/s），适用于所有数值和寄存器字段。字段:文本 查找文本的一部分；* 和 ? 代表任意字符。not: 表示排除。gap 列出各引擎的间隙。输入框下方的列表可补全字段名和值。",
  ],
  suggestions: ["Suggestions", "补全建议"],
  kernel: ["Kernel", "核函数"],
  core: ["Core", "核"],
  engine: ["Engine", "引擎"],
  engines: ["all engines", "全部引擎"],
  type: ["Type", "类型"],
  role: ["Role", "角色"],
  all: ["all", "全部"],
  work: ["work", "工作"],
  wait: ["wait", "等待"],
  send: ["send", "发送"],
  system: ["system", "系统"],
  duration: ["Duration", "时长"],
  bandwidth: ["GB/s", "GB/s"],
  bandwidthHint: ["The higher of DDR and L2M bandwidth", "DDR 与 L2M 带宽中较大者"],
  rate: ["uArch %", "uArch %"],
  min: ["Minimum", "最小"],
  max: ["Maximum", "最大"],
  noDuration: ["not a duration; write 250, 10us, 1.5ms", "不是时长；请写作 250、10us、1.5ms"],
  noNumber: ["not a number", "不是数字"],
  clear: ["Clear", "清除"],
  kernels: ["kernel launches", "核函数执行"],
  layers: ["layers", "层"],
  gaps: ["gaps", "间隙"],
  host: ["host", "主机"],
} satisfies Record<string, Text>;

type Field = HTMLInputElement | HTMLSelectElement;

export class Controls {
  readonly element: HTMLFormElement;
  private readonly fields = new Map<keyof Filter, Field>();
  private readonly complaint = h("span", { class: "find-bad", role: "alert" });
  /** The query can't be read: nothing is found. */
  isUnread = false;

  constructor(
    private readonly page: Page,
    private readonly changed: (filter: Filter) => void,
  ) {
    const { head } = page;
    const kinds = [...new Set(page.tracks.map((track) => track.kind))];
    const other: Partial<Record<string, string>> = { kernel: t(TEXTS.kernels), layer: t(TEXTS.layers), gap: t(TEXTS.gaps), host: t(TEXTS.host) };
    const engines = kinds.map((kind): [string, string] => [kind, other[kind] ?? kind.toUpperCase()]);
    const cores = [...new Set(page.tracks.filter((track) => track.head.core >= 0).map((track) => track.head.core))].sort((a, b) => a - b);
    const types = [...new Set(head.types.flatMap((totals) => totals.map((x) => page.text(x.type))))].sort();
    const kernels = [...new Set(head.kernels.map((k) => page.text(k)))].sort();
    const roles = (["work", "wait", "send", "system"] as const).filter((role) => head.names.some((n) => n.role === role));
    const query = this.input("q", t(TEXTS.queryHint), t(TEXTS.queryHelp));
    this.element = h("form", { class: "find-form", onsubmit: (e: Event) => e.preventDefault(), oninput: () => this.tell() },
      h("div", { class: "query" }, h("label", null, t(TEXTS.query), query), completer(query, t(TEXTS.suggestions), (text, caret) => suggest(page, text, caret))),
      h("label", null, t(TEXTS.engine), this.select("engine", engines, t(TEXTS.engines))),
      h("label", null, t(TEXTS.core), this.select("core", cores.map((c) => [String(c), String(c)]), t(TEXTS.all))),
      h("label", null, t(TEXTS.type), this.select("type", types.map((x) => [x, x]), t(TEXTS.all))),
      h("label", null, t(TEXTS.kernel), this.select("kernel", kernels.map((k) => [k, k]), t(TEXTS.all))),
      h("label", null, t(TEXTS.role), this.select("role", roles.map((r) => [r, t(TEXTS[r])]), t(TEXTS.all))),
      h("span", { class: "break" }),
      this.range(t(TEXTS.duration), "dmin", "dmax", "10us"),
      this.range(t(TEXTS.bandwidth), "bmin", "bmax", "20", t(TEXTS.bandwidthHint)),
      this.range(t(TEXTS.rate), "umin", "umax", "50"),
      h("button", { type: "button", id: "find-clear", onclick: () => this.clear() }, t(TEXTS.clear)),
      this.complaint);
  }

  private input(key: keyof Filter, placeholder: string, title = ""): HTMLInputElement {
    const field = h("input", { id: `find-${key}`, placeholder, title: title || null, autocomplete: "off", spellcheck: "false", type: key === "q" ? "search" : "text" });
    this.fields.set(key, field);
    return field;
  }

  private select(key: keyof Filter, options: [string, string][], all: string): HTMLSelectElement {
    const field = choice(`find-${key}`, [["", all], ...options], "", () => {});
    this.fields.set(key, field);
    return field;
  }

  private range(title: string, least: keyof Filter, most: keyof Filter, example: string, hint = ""): HTMLElement {
    const from = this.input(least, `≥ ${example}`, hint);
    const to = this.input(most, "≤", hint);
    from.setAttribute("aria-label", `${title} ${t(TEXTS.min)}`);
    to.setAttribute("aria-label", `${title} ${t(TEXTS.max)}`);
    return h("span", { class: "range", role: "group", "aria-label": title }, title, h("span", null, from, "–", to));
  }

  /** Shows a filter; values that no option has (another dump's link) are added, so that they are seen. */
  fill(filter: Filter): void {
    for (const [key, field] of this.fields) {
      const value = filter[key];
      if (field instanceof HTMLSelectElement && ![...field.options].some((o) => o.value === value)) field.append(h("option", { value }, value));
      if (field.value !== value) field.value = value;
    }
    this.check();
  }

  focus(): void {
    this.fields.get("q")?.focus();
  }

  private read(): Filter {
    return Object.fromEntries([...this.fields].map(([key, field]) => [key, field.value])) as unknown as Filter;
  }

  private tell(): void {
    this.check();
    this.changed(this.read());
  }

  /** Tells what is wrong with the query, and marks bounds that are no numbers: they do not filter. */
  private check(): void {
    const query = this.fields.get("q")!;
    const problems = readQuery(this.page, query.value).problems.map(sentenceOf);
    this.isUnread = problems.length > 0;
    query.setAttribute("aria-invalid", String(this.isUnread));
    for (const [key, field] of this.fields) {
      const read = /^d(min|max)$/.test(key) ? readDuration : /^[bu](min|max)$/.test(key) ? readNumber : null;
      if (!read || !(field instanceof HTMLInputElement)) continue;
      const isBad = field.value.trim() !== "" && read(field.value) === null;
      field.setAttribute("aria-invalid", String(isBad));
      field.setCustomValidity(isBad ? t(read === readDuration ? TEXTS.noDuration : TEXTS.noNumber) : "");
      field.title = field.validationMessage;
    }
    const bad = [...this.fields].filter(([key, field]) => key !== "q" && field.getAttribute("aria-invalid") === "true").map(([, field]) => `${field.value}: ${field.validationMessage}`);
    put(this.complaint, [...problems, ...bad].join(" "));
  }

  private clear(): void {
    for (const field of this.fields.values()) field.value = "";
    this.tell();
    this.focus();
  }
}
