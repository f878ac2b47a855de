// A query, made ready for a million commands: its clauses as terms, or what is wrong with it.
import type { Page } from "../data/page";
import { fieldsOf, nameOf, plainName } from "./fields";
import { type Clause, readClauses } from "./grammar";
import { nearest } from "./nearest";
import type { Problem } from "./problems";
import { atAddress, onGaps, slowerThan, wordTerm } from "./special";
import { columnTerm, registerTerm, type Term } from "./terms";
import { textTest } from "./texts";
import { readAmount } from "./units";
import type { Rows } from "./rows";

export interface Query {
  terms: Term[];
  problems: Problem[];
  /** It asks for gaps. */
  gaps: boolean;
  /** If all clauses are words: whether a name matches all of them. Else null. */
  names: ((name: string) => boolean) | null;
}

const EMPTY: Query = { terms: [], problems: [], gaps: false, names: () => true };

/** Reads a query. Words are looked for in names, types, kernels and layers. */
export function readQuery(page: Page, text: string): Query {
  const clauses = readClauses(text);
  if (clauses.length === 0) return EMPTY;
  const query: Query = { terms: [], problems: [], gaps: false, names: null };
  const words: ((name: string) => boolean)[] = [];
  for (const clause of clauses) {
    const { term, problem, isWord } = readClause(page, clause);
    if (problem) query.problems.push(problem);
    if (term) query.terms.push(clause.not ? notTerm(term) : term);
    if (isGap(clause)) query.gaps ||= !clause.not;
    else if (isWord) words.push(nameTest(clause));
  }
  if (words.length === clauses.length) query.names = (name) => words.every((word) => word(name));
  return query;
}

function nameTest(clause: Clause): (name: string) => boolean {
  const test = textTest(clause);
  return (name) => test(name) !== clause.not;
}

/** Whether a clause asks for gaps: `gap`, or `gap:` and a part of the cause. */
function isGap({ field, value, isQuoted }: Clause): boolean {
  return field === "" ? !isQuoted && value.toLowerCase() === "gap" : field.toLowerCase() === "gap";
}

function readClause(page: Page, clause: Clause): { term?: Term; problem?: Problem; isWord?: boolean } {
  if (isGap(clause)) return { term: onGaps(clause.field === "" ? "" : clause.value) };
  if (clause.field === "") return clause.value === "" && !clause.isQuoted ? { problem: { kind: "no-value", clause: clause.text || "not:", field: "name", of: "text" } } : { term: wordTerm(page, clause), isWord: true };
  const field = fieldsOf(page).get(plainName(clause.field));
  if (!field) return unknown(page, clause);
  const name = nameOf(field);
  const { value, operator } = clause;
  const said = { clause: clause.text, field: name };
  if ("register" in field) {
    if (value === "" && !clause.isQuoted) return { problem: { kind: "no-value", ...said, of: "register" } };
    const amount = clause.isQuoted ? null : readAmount("count", value);
    if (amount === null && operator.match(/[<>]/)) return { problem: { kind: "no-amount", ...said, of: "count", value } };
    return { term: registerTerm(field.register, clause, amount) };
  }
  const { kind } = "column" in field ? field.column : field.special;
  if (value === "" && !clause.isQuoted) return { problem: { kind: "no-value", ...said, of: kind } };
  if (kind === "text") {
    if (/[<>]/.test(operator)) return { problem: { kind: "no-order", ...said, operator } };
    return "column" in field ? { term: columnTerm(field.column, clause, null) } : {};
  }
  const amount = readAmount(kind, value);
  if (!amount) return { problem: { kind: "no-amount", ...said, of: kind, value } };
  if ("column" in field) return { term: columnTerm(field.column, clause, amount) };
  return { term: field.special.name === "slower" ? slowerThan(clause, amount.value) : atAddress(clause, amount.value) };
}

/** A word with an operator whose field is unknown: a text, if the dump has such a text (`add<float>`, `model:conv`). */
function unknown(page: Page, clause: Clause): { term?: Term; problem?: Problem; isWord?: boolean } {
  const text = clause.text.toLowerCase();
  if (page.head.strings.some((known) => known.toLowerCase().includes(text))) {
    const word = { ...clause, field: "", value: clause.text, operator: ":" as const, isQuoted: true };
    Object.assign(clause, word);
    return { term: wordTerm(page, word), isWord: true };
  }
  const names = [...fieldsOf(page).values()].map(nameOf);
  const dropped = page.head.notices.some(({ key }) => key === "fields-dropped");
  return { problem: { kind: "unknown-field", clause: clause.text, field: clause.field, nearest: nearest(plainName(clause.field), names), dropped } };
}

function notTerm(term: Term): Term {
  return {
    ...term,
    on: (rows, at) => {
      const matches = term.on(rows, at);
      return (row) => !matches(row);
    },
  };
}

/** Reads what the terms need. */
export async function prepare(rows: Rows, terms: Term[]): Promise<void> {
  if (terms.some((term) => term.facts)) await rows.loadFacts();
  if (terms.some((term) => term.causes)) await rows.loadCauses();
  for (const { register } of terms) if (register) await rows.loadRegister(register);
}
