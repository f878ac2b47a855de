// Many releases as few arrows: those from one engine to another that are close together are one, the wider the longer they waited.
import type { Plot } from "../../ui/plot";
import type { Messages } from "./messages";

export interface Bundle {
  from: number;
  to: number;
  x0: number;
  x1: number;
  width: number;
}

/** Pixels whose releases between the same engines are gathered. */
const STRETCH = 120;
/** Arrows at most, those of the longest waits. */
const MOST = 150;
const WIDEST = 5;

/** `pairs`: indices of the pairs in view. */
export function gather(plot: Plot, m: Messages, pairs: number[]): Bundle[] {
  const sums = new Map<string, Bundle & { count: number; waited: number }>();
  for (const p of pairs) {
    const [send, wait] = [m.send[p]!, m.wait[p]!];
    const [from, to] = [m.lane[send]!, m.lane[wait]!];
    const x1 = plot.x(m.end[wait]!);
    const key = `${from} ${to} ${Math.floor(x1 / STRETCH)}`;
    const sum = sums.get(key) ?? { from, to, x0: 0, x1: 0, width: 1, count: 0, waited: 0 };
    sum.x0 += plot.x(m.end[send]!);
    sum.x1 += x1;
    sum.count++;
    sum.waited += m.end[wait]! - m.start[wait]!;
    sums.set(key, sum);
  }
  const all = [...sums.values()].sort((a, b) => b.waited - a.waited).slice(0, MOST);
  const most = Math.max(all[0]?.waited ?? 1, 1);
  return all.map(({ from, to, x0, x1, count, waited }) => ({ from, to, x0: x0 / count, x1: x1 / count, width: Math.max(0.6, WIDEST * Math.sqrt(waited / most)) }));
}
