// The grammar of a query; docs/query.md describes it. Nothing here knows which fields there are.
//
//   query  = clause { blank clause }             all must hold
//   clause = [ "not:" ] ( word | field operator value )
//   operator = ":" | "=" | "!=" | "<" | "<=" | ">" | ">="
//
// Quotes keep blanks and operators in a word, a field or a value. There may be blanks around all operators but the colon, and before a unit.
import { isUnit } from "./units";

export type Operator = ":" | "=" | "!=" | "<" | "<=" | ">" | ">=";

export interface Clause {
  /** As it is written, without quotes. */
  text: string;
  not: boolean;
  /** "" for a word. */
  field: string;
  operator: Operator;
  value: string;
  /** The value stood in quotes: `*` and `?` are letters. */
  isQuoted: boolean;
  /** Where the clause starts and ends in the query. */
  from: number;
  to: number;
}

const OPERATORS: readonly Operator[] = ["!=", "<=", ">=", "<", ">", "=", ":"];
/** What may be the name of a field without quotes. */
const IDENTIFIER = /^[A-Za-z_][\w.]*$/;
const BLANK = /\s/;

class Reader {
  at = 0;

  constructor(readonly text: string) {}

  get isDone(): boolean {
    return this.at >= this.text.length;
  }

  blanks(): void {
    while (!this.isDone && BLANK.test(this.text[this.at]!)) this.at++;
  }

  /** Up to a blank, or to what `stops` at; quotes are taken off. */
  part(stops: (at: number) => boolean): { text: string; isQuoted: boolean } {
    let text = "";
    let isQuoted = false;
    while (!this.isDone && !BLANK.test(this.text[this.at]!) && !stops(this.at)) {
      if (this.text[this.at] !== '"') {
        text += this.text[this.at++];
        continue;
      }
      isQuoted = true;
      const end = this.text.indexOf('"', this.at + 1);
      const to = end < 0 ? this.text.length : end;
      text += this.text.slice(this.at + 1, to);
      this.at = to + 1;
    }
    return { text, isQuoted };
  }

  /** The operator here; `::` is a part of a name. */
  operator(at = this.at): Operator | null {
    if (this.text.startsWith("::", at) || (at > 0 && this.text.startsWith("::", at - 1))) return null;
    return OPERATORS.find((operator) => this.text.startsWith(operator, at)) ?? null;
  }

  /** The operator here or after blanks; the reader stands behind it, or stays. */
  takeOperator(): Operator | null {
    let at = this.at;
    while (at < this.text.length && BLANK.test(this.text[at]!)) at++;
    const operator = this.operator(at);
    if (!operator || (operator === ":" && at !== this.at)) return null;
    this.at = at + operator.length;
    // As in many languages.
    if (operator === "=" && this.text[this.at] === "=") this.at++;
    return operator;
  }
}

export function readClauses(query: string): Clause[] {
  const reader = new Reader(query);
  const clauses: Clause[] = [];
  for (reader.blanks(); !reader.isDone; reader.blanks()) clauses.push(readClause(reader));
  return clauses;
}

function readClause(reader: Reader): Clause {
  const from = reader.at;
  const not = /^not:(?!:)/i.test(reader.text.slice(from));
  if (not) {
    reader.at += "not:".length;
    reader.blanks();
  }
  const start = reader.at;
  const first = reader.part((at) => reader.operator(at) !== null);
  const isName = first.isQuoted || IDENTIFIER.test(first.text);
  const operator = isName && first.text !== "" ? reader.takeOperator() : null;
  if (!operator) {
    reader.at = start;
    const word = reader.part(() => false);
    return { text: word.text, not, field: "", operator: ":", value: word.text, isQuoted: word.isQuoted, from, to: reader.at };
  }
  if (operator !== ":") reader.blanks();
  const value = reader.part(() => false);
  const unit = operator === ":" ? null : /^\s+(\S+)/.exec(reader.text.slice(reader.at));
  if (unit && /^[\d.]+$/.test(value.text) && isUnit(unit[1]!)) {
    value.text += unit[1];
    reader.at += unit[0].length;
  }
  return { text: reader.text.slice(start, reader.at), not, field: first.text, operator, value: value.text, isQuoted: value.isQuoted, from, to: reader.at };
}
