// Terms of columns and register fields: how values are compared. A command without the value matches no comparison, not even `!=`.
import type { Rows } from "./rows";
import type { Column } from "./columns";
import type { Clause, Operator } from "./grammar";
import { textTest } from "./texts";
import { type Amount, valueAt } from "./units";

/** Whether a row of the track at hand matches. */
export type Matcher = (row: number) => boolean;

/** Makes a matcher for each track. */
export interface Term {
  facts: boolean;
  causes?: boolean;
  /** The register field that it reads. */
  register?: string;
  on(rows: Rows, at: number): Matcher;
}

/** Values that are as near as this are equal: shares and bandwidths are quotients. */
const NEAR = 1e-9;

/** Compares with a number; NaN never matches. `:` is `=`. */
export function numberTest(operator: Operator, wanted: number): (n: number) => boolean {
  const low = wanted - Math.abs(wanted) * NEAR;
  const high = wanted + Math.abs(wanted) * NEAR;
  switch (operator) {
    case "<": return (n) => n < low;
    case "<=": return (n) => n <= high;
    case ">": return (n) => n > high;
    case ">=": return (n) => n >= low;
    case "!=": return (n) => n < low || n > high;
    default: return (n) => n >= low && n <= high;
  }
}

function clockOf(rows: Rows, at: number): number {
  const { clocks } = rows.page.head;
  return rows.tracks[at]!.kind === "tiu" ? clocks.tiuMhz : clocks.dmaMhz;
}

/** A column's values against an amount, or against a text. */
export function columnTerm(column: Column, clause: Clause, amount: Amount | null): Term {
  const needs = { facts: column.facts ?? false, causes: column.causes ?? false };
  if (amount) {
    return { ...needs, on: (rows, at) => {
      const read = column.read(rows, at);
      const test = numberTest(clause.operator, valueAt(amount, clockOf(rows, at)));
      return (row) => test(read(row));
    } };
  }
  // A layer by its id: `layer:#12`.
  const id = column.key === "layer" && !clause.isQuoted ? /^#(\d+)$/.exec(clause.value)?.[1] : undefined;
  return { ...needs, on: (rows, at) => {
    const suits = id === undefined ? textSuits(rows, column, clause) : (n: number) => (rows.page.head.layers[n]?.id === Number(id)) !== (clause.operator === "!=");
    return rememberedTest(column.read(rows, at), suits);
  } };
}

/** Whether the texts of a number suit. */
function textSuits(rows: Rows, column: Column, clause: Clause): (n: number) => boolean {
  const test = textTest(clause);
  const own = (n: number) => column.text!(rows, n);
  if (clause.operator === "!=") return (n) => !test(own(n));
  const all = clause.operator === ":" && column.searched;
  return all ? (n) => all(rows, n).some(test) : (n) => test(own(n));
}

/** A text is looked at once, not for each of its rows. NaN never matches. */
export function rememberedTest(read: (row: number) => number, suits: (n: number) => boolean): Matcher {
  const seen: boolean[] = [];
  return (row) => {
    const n = read(row);
    if (Number.isNaN(n)) return false;
    return (seen[n + 1] ??= suits(n));
  };
}

/** A register field: numbers are compared with numbers, and texts with texts. A text that is a number is both. */
export function registerTerm(register: string, clause: Clause, amount: Amount | null): Term {
  const { operator } = clause;
  return { facts: false, register, on: (rows, at) => {
    const field = rows.registers.get(register)?.[at];
    if (!field) return () => false;
    const { values, isText } = field;
    const numbers = amount ? numberTest(operator, amount.value) : null;
    // Part of a number is not looked for: 1 is not 10.
    const text = textTest(operator === ":" && amount ? { ...clause, operator: "=" } : clause);
    const texts = (n: number): boolean => {
      const own = rows.page.text(n);
      const asNumber = numbers && own.trim() !== "" ? Number(own) : NaN;
      if (numbers && !Number.isNaN(asNumber)) return numbers(asNumber);
      return !/[<>]/.test(operator) && text(own) !== (operator === "!=");
    };
    const remembered = isText && rememberedTest((row) => values[row]!, texts);
    const shown = amount ? null : textTest(clause);
    return (row) => {
      const n = values[row]!;
      if (Number.isNaN(n)) return false;
      if (isText?.[row]) return remembered!(row);
      if (numbers) return numbers(n);
      return shown!(String(n)) !== (operator === "!=");
    };
  } };
}
