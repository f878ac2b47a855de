// What is wrong with a query, in one sentence.
import { type Text, t } from "../ui/i18n";
import { EXAMPLES, type Kind, unitsOf, USUAL_OPERATOR } from "./units";

export type Problem =
  | { kind: "unknown-field"; clause: string; field: string; nearest: string[]; dropped: boolean }
  | { kind: "no-amount"; clause: string; field: string; of: Kind; value: string }
  | { kind: "no-value"; clause: string; field: string; of: Kind | "register" }
  | { kind: "no-order"; clause: string; field: string; operator: string };

const TEXTS = {
  "unknown-field": ["{0}: no command has a field \"{1}\".", "{0}：没有名为“{1}”的字段。"],
  nearest: [" Did you mean {0}?", " 是否指 {0}？"],
  dropped: [" This page leaves out the register fields.", " 本页面省略了寄存器字段。"],
  quote: [" To search for a text, write it in quotes.", " 若要查找文本，请加引号。"],
  "no-amount": ["{0}: \"{1}\" is no amount for {2}; write for example {3}.", "{0}：“{1}”不是 {2} 的数值；例如写作 {3}。"],
  units: [" Units: {0}.", " 单位：{0}。"],
  "no-value": ["{0}: a value is missing; write for example {1}.", "{0}：缺少值；例如写作 {1}。"],
  "no-order": ["{0}: {1} is a text; use : for a part of it, = or != for all of it, not {2}.", "{0}：{1} 是文本；用 : 匹配其中一部分，用 = 或 != 匹配全部，不能用 {2}。"],
  or: [" or ", " 或 "],
} satisfies Record<string, Text>;

export function sentenceOf(problem: Problem): string {
  switch (problem.kind) {
    case "unknown-field": {
      const near = problem.nearest.length > 0 ? t(TEXTS.nearest, problem.nearest.join(t(TEXTS.or))) : "";
      return t(TEXTS["unknown-field"], problem.clause, problem.field) + near + (problem.dropped ? t(TEXTS.dropped) : "") + (near === "" ? t(TEXTS.quote) : "");
    }
    case "no-amount": {
      const units = unitsOf(problem.of);
      return t(TEXTS["no-amount"], problem.clause, problem.value, problem.field, EXAMPLES[problem.of]) + (units === "" ? "" : t(TEXTS.units, units));
    }
    case "no-value":
      return t(TEXTS["no-value"], problem.clause, `${problem.field}${USUAL_OPERATOR[problem.of]}${problem.of === "register" ? "1" : EXAMPLES[problem.of]}`);
    case "no-order":
      return t(TEXTS["no-order"], problem.clause, problem.field, problem.operator);
  }
}
