// Texts that match a text of a query. Letters are the same whether capital or small.
import type { Clause } from "./grammar";

/** Whether a text matches: with `*` and `?` as a whole, else any part of it (`:`) or all of it (`=`, `!=`). */
export function textTest({ operator, value, isQuoted }: Pick<Clause, "operator" | "value" | "isQuoted">): (text: string) => boolean {
  const wanted = value.toLowerCase();
  if (!isQuoted && /[*?]/.test(value)) {
    const pattern = new RegExp(`^${wanted.replace(/[.+^${}()|[\]\\]/g, "\\$&").replace(/\*/g, ".*").replace(/\?/g, ".")}$`, "s");
    return (text) => pattern.test(text.toLowerCase());
  }
  return operator === ":" ? (text) => text.toLowerCase().includes(wanted) : (text) => text.toLowerCase() === wanted;
}
