// Differences as people read them.

/** With a sign; `show` gives the unit. */
export function signed(ns: number, show: (ns: number) => string): string {
  return `${ns > 0 ? "+" : ns < 0 ? "−" : ""}${show(Math.abs(ns))}`;
}

export function signedPercent(share: number): string {
  return `${share > 0 ? "+" : share < 0 ? "−" : ""}${(Math.abs(share) * 100).toFixed(2)}%`;
}
