// Which numbers of the summary are low.
import type { Answers } from "../../data/generated";

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

/** The level of a cell of the summary by its column's name, under the peaks of a core of this run; texts such as `12.34%` and `56.80`. */
export function level(column: string, cell: string, peaks: Answers["roofline"]["hardware"]): Level {
  const value = parseFloat(cell);
  if (!Number.isFinite(value)) return "";
  if (column === "TiuWorkingRatio") return levelOf(value / 100, TIU_RATIO);
  // Where nothing was computed or moved there is nothing to improve.
  if (value === 0) return "";
  if (column === "uArchURate") return levelOf(value / 100, UARCH_RATE);
  const most = column.includes("DdrAvgBW") ? peaks.ddr_gbps : column.includes("L2AvgBW") ? peaks.l2m_gbps : null;
  return most ? levelOf(value / most, BANDWIDTH) : "";
}
