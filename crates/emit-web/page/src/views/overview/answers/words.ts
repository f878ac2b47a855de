// Words of the analysis that are the same in all its sentences: how well a rule is known, units.
import { current } from "../../../ui/i18n";

/** How well a rule is known. */
const MARKS: Record<string, string> = { exact: "精确", fitted: "拟合", estimated: "估计", "not validated": "未经验证" };

export function markName(mark: string): string {
  return current() === "en" ? mark : (MARKS[mark] ?? mark);
}

const UNITS: Record<string, string> = { cycles: "周期" };

export function unitName(unit: string): string {
  return current() === "en" ? unit : (UNITS[unit] ?? unit);
}
