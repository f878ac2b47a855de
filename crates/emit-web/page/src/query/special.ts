// Terms that look at more than one value of a command: words, addresses, gaps, and how much longer than expected it took.
import type { Page } from "../data/page";
import { COLUMNS } from "./columns";
import type { Clause } from "./grammar";
import { columnTerm, numberTest, rememberedTest, type Term } from "./terms";
import { textTest } from "./texts";
import type { Rows } from "./rows";

function anyOf(terms: Term[]): Term {
  return {
    facts: terms.some((term) => term.facts),
    on: (rows, at) => {
      const matchers = terms.map((term) => term.on(rows, at));
      if (matchers.length === 1) return matchers[0]!;
      return (row) => matchers.some((m) => m(row));
    },
  };
}

const column = (key: string) => COLUMNS.find((c) => c.key === key)!;

/** Words that are also the role of a command. */
const ROLES = ["wait", "send", "system"];

/**
 * A word: a part of a name, type, kernel or layer, or all of a role. A decimal number also is a global index or command id; 0x… is an
 * address at which a command reads or writes.
 */
export function wordTerm(page: Page, clause: Clause): Term {
  const { value, isQuoted } = clause;
  const part = { ...clause, operator: ":" as const };
  const test = textTest(part);
  const looks = [columnTerm(column("name"), part, null)];
  if (!isQuoted && ROLES.includes(value.toLowerCase())) looks.push(columnTerm(column("role"), { ...part, operator: "=" }, null));
  // Kernels and layers need the facts of all commands: only where one has the word.
  if (page.head.kernels.some((kernel) => test(page.text(kernel)))) looks.push(kernelTerm(test));
  if (page.head.layers.some((_, n) => page.layerWords(n).some(test))) looks.push(columnTerm(column("layer"), part, null));
  if (!isQuoted && /^\d+$/.test(value)) for (const key of ["idx", "id"]) looks.push(columnTerm(column(key), part, { value: Number(value), clock: "none" }));
  if (!isQuoted && /^0x[0-9a-f]+$/i.test(value)) looks.push(atAddress(part, Number(value)));
  return anyOf(looks);
}

/** Rows whose kernel's name suits. */
export function kernelTerm(suits: (name: string) => boolean): Term {
  const { read, text } = column("kernel");
  return { facts: true, on: (rows, at) => rememberedTest(read(rows, at), (n) => n >= 0 && suits(text!(rows, n))) };
}

/** A command whose source or destination is at the address, or whose first `bytes` from there hold it; with another operator than `:`, that starts so. */
export function atAddress({ operator }: Clause, address: number): Term {
  return {
    facts: true,
    on: ({ facts }, at) => {
      const { src, dst, bytes } = facts[at] ?? {};
      const starts = operator === ":" || operator === "=" ? null : numberTest(operator, address);
      const holds = (start: Float64Array | undefined, row: number): boolean => {
        const from = start?.[row] ?? -1;
        if (from < 0) return false;
        return starts ? starts(from) : address >= from && address < from + Math.max(bytes?.[row] ?? 1, 1);
      };
      return (row) => holds(src, row) || holds(dst, row);
    },
  };
}

/** Gaps whose cause holds the text. */
export function onGaps(text: string): Term {
  const wanted = text.toLowerCase().replaceAll("_", " ");
  return {
    facts: false,
    on: ({ page, tracks, times }: Rows, at) => {
      if (tracks[at]!.kind !== "gap") return () => false;
      const { name } = times[at]!;
      return (row) => page.nameText(name[row]!).includes(wanted);
    },
  };
}

/** Rows that took so many times what their bits explain; `slower:1.3` is at least. */
export function slowerThan({ operator }: Clause, times: number): Term {
  const test = numberTest(operator === ":" || operator === "=" ? ">=" : operator, times);
  return {
    facts: true,
    on: ({ facts, times: all }, at) => {
      const expected = facts[at]?.expected;
      const { dur } = all[at]!;
      return expected ? (row) => expected[row]! > 0 && test(dur[row]! / expected[row]!) : () => false;
    },
  };
}
