// How unevenly work is spread.

/** Greatest over mean, less 1: 0 where all are equal; n - 1 where one of n does everything. */
export function imbalance(values: number[]): number {
  const mean = values.reduce((a, b) => a + b, 0) / Math.max(values.length, 1);
  return mean > 0 ? Math.max(...values) / mean - 1 : 0;
}
