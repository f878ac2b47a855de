// Which numbers of the summary are low.
import type { Head } from "../../data/page";

/** `bad` is red, `warn` yellow. */
export type Level = "" | "warn" | "bad";

interface Bounds {
  warn: number;
  bad: number;
}

/** Shares, 0..1: below them a cell is coloured. */
export const TIU_RATIO: Bounds = { warn: 0.3, bad: 0.15 };
export const BANDWIDTH: Bounds = { warn: 0.75, bad: 0.5 };
export const UARCH_RATE: Bounds = { warn: 0.75, bad: 0.5 };

function levelOf(share: number, bounds: Bounds): Level {
  return share < bounds.bad ? "bad" : share < bounds.warn ? "warn" : "";
}

/** The level of a cell of the summary by its column's name; texts such as `12.34%` and `56.80`. */
export function level(column: string, cell: string, chip: Head["chip"]): Level {
  const value = parseFloat(cell);
  if (!Number.isFinite(value)) return "";
  if (column === "TiuWorkingRatio") return levelOf(value / 100, TIU_RATIO);
  // Where nothing was computed or moved there is nothing to improve.
  if (value === 0) return "";
  if (column === "uArchURate") return levelOf(value / 100, UARCH_RATE);
  const most = column.includes("DdrAvgBW") ? chip.ddrGbps : column.includes("L2AvgBW") ? chip.l2Gbps : 0;
  return most > 0 ? levelOf(value / most, BANDWIDTH) : "";
}
