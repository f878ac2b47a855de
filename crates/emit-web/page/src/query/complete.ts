// What could be written next in a query: names of fields, and values that this dump has.
import type { Page } from "../data/page";
import { type Text, t } from "../ui/i18n";
import { type Column, titleOf } from "./columns";
import { type Field, fieldsOf, kindOf, nameOf, plainName } from "./fields";
import { type Clause, readClauses } from "./grammar";
import { EXAMPLES, type Kind, unitsOf, USUAL_OPERATOR } from "./units";

export interface Suggestion {
  text: string;
  hint: string;
}

export interface Suggestions {
  /** The part of the query that a suggestion replaces. */
  from: number;
  to: number;
  list: Suggestion[];
}

const TEXTS = {
  register: ["register field", "寄存器字段"],
  not: ["what does not match", "不匹配的指令"],
  commands: ["{0} commands", "{0} 条指令"],
} satisfies Record<string, Text>;

const MOST = 12;
const NONE: Suggestions = { from: 0, to: 0, list: [] };

/** Suggestions for the clause that ends at the caret. */
export async function suggest(page: Page, query: string, caret: number): Promise<Suggestions> {
  const clause = readClauses(query).find(({ to }) => to === caret);
  if (!clause || clause.isQuoted) return NONE;
  const list = clause.field === "" ? names(page, clause) : await values(page, clause);
  return { from: clause.from, to: clause.to, list };
}

function names(page: Page, { value, not }: Clause): Suggestion[] {
  const wanted = plainName(value);
  if (wanted === "") return [];
  const sign = not ? "not:" : "";
  const first: Suggestion[] = [];
  const then: Suggestion[] = [];
  const seen = new Set<string>();
  for (const [plain, field] of fieldsOf(page)) {
    const name = nameOf(field);
    if (seen.has(name) || !plain.includes(wanted) || (wanted.length < 2 && !plain.startsWith(wanted))) continue;
    seen.add(name);
    (plain.startsWith(wanted) ? first : then).push({ text: `${sign}${name}${USUAL_OPERATOR[kindOf(field)]}`, hint: meaning(field) });
  }
  if (!not && "not:".startsWith(wanted)) first.push({ text: "not:", hint: t(TEXTS.not) });
  return [...first, ...then].slice(0, MOST);
}

function meaning(field: Field): string {
  if ("register" in field) return t(TEXTS.register);
  const kind = kindOf(field) as Kind;
  const title = "column" in field ? (field.column.hint ? t(field.column.hint) : titleOf(field.column)) : t(field.special.title);
  return unitsOf(kind) === "" ? title : `${title} (${unitsOf(kind)})`;
}

async function values(page: Page, clause: Clause): Promise<Suggestion[]> {
  const field = fieldsOf(page).get(plainName(clause.field));
  if (!field) return [];
  const start = `${clause.not ? "not:" : ""}${nameOf(field)}${clause.operator}`;
  const wanted = clause.value.toLowerCase();
  const all = "register" in field ? await registerValues(page, field.register) : kindOf(field) === "text" ? textValues(page, field) : example(field, wanted);
  const fits = all.filter(({ text }) => text !== "" && text.toLowerCase() !== wanted && text.toLowerCase().includes(wanted));
  return fits.slice(0, MOST).map(({ text, hint }) => ({ text: start + quoted(text), hint }));
}

function example(field: Field, wanted: string): Suggestion[] {
  const kind = kindOf(field) as Kind;
  return wanted === "" ? [{ text: EXAMPLES[kind], hint: unitsOf(kind) }] : [];
}

function quoted(text: string): string {
  return /[\s"*?]/.test(text) ? `"${text.replaceAll('"', "")}"` : text;
}

function textValues(page: Page, field: Field): Suggestion[] {
  const texts = "column" in field ? columnTexts(page, field.column) : page.head.names.filter(({ type }) => page.text(type) === "gap").map(({ name }) => page.text(name).replaceAll(" ", "_"));
  return [...new Set(texts)].sort(new Intl.Collator("en", { numeric: true }).compare).map((text) => ({ text, hint: "" }));
}

/** Texts of a column: all that the page's head knows of it. */
function columnTexts(page: Page, { key }: Column): string[] {
  const { head } = page;
  switch (key) {
    case "name": return head.names.map(({ name }) => page.text(name));
    case "type": return head.names.map(({ type }) => page.text(type));
    case "role": return head.names.map(({ role }) => role);
    case "kernel": return head.kernels.map((kernel) => page.text(kernel));
    case "layer": return head.layers.map((_, n) => page.layerLabel(n));
    case "block": return head.layers.map(({ block }) => page.text(block));
    case "engine": return page.tracks.filter((track) => track.isEngine).map(({ engine }) => engine);
    default: return page.tracks.flatMap((track) => track.head.facts?.columns.find((column) => column.key === key)?.map ?? []).map((text) => page.text(text));
  }
}

/** Values of a register field, the most frequent first. */
async function registerValues(page: Page, register: string): Promise<Suggestion[]> {
  const counts = new Map<string, number>();
  for (const track of page.tracks) {
    const field = await track.register(register);
    if (!field) continue;
    const { values, isText } = field;
    const numbers = new Map<number, number>();
    for (let row = 0; row < values.length; row++) {
      const n = isText?.[row] ? -2 - values[row]! : values[row]!;
      if (!Number.isNaN(n)) numbers.set(n, (numbers.get(n) ?? 0) + 1);
    }
    for (const [n, times] of numbers) {
      const text = isText && n <= -2 ? page.text(-2 - n) : String(n);
      counts.set(text, (counts.get(text) ?? 0) + times);
    }
  }
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([text, times]) => ({ text, hint: t(TEXTS.commands, times.toLocaleString("en-US")) }));
}
