// Numbers for people. Bytes and bandwidths are decimal (GB/s = bytes a ns), as in all other outputs.

/** A duration in the unit that suits it. */
export function duration(ns: number, digits = 3): string {
  const size = Math.abs(ns);
  if (size < 1e3) return `${trim(ns, 0)} ns`;
  if (size < 1e6) return `${trim(ns / 1e3, digits)} µs`;
  if (size < 1e9) return `${trim(ns / 1e6, digits)} ms`;
  return `${trim(ns / 1e9, digits)} s`;
}

function trim(n: number, digits: number): string {
  return n.toFixed(digits).replace(/\.?0+$/, (zeros) => (zeros.startsWith(".") ? "" : zeros));
}

export function percent(share: number, digits = 1): string {
  return `${(share * 100).toFixed(digits)}%`;
}

export function gbps(n: number): string {
  return `${n.toFixed(n < 10 ? 2 : 1)} GB/s`;
}

export function bytes(n: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (n >= 1000 && unit < units.length - 1) {
    n /= 1000;
    unit++;
  }
  return `${unit === 0 ? n : n.toFixed(n < 10 ? 2 : 1)} ${units[unit]}`;
}

export function count(n: number): string {
  return n.toLocaleString("en-US");
}
