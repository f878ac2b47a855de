// Numbers for people. Bytes and bandwidths are decimal (GB/s = bytes a ns), as in all other outputs.

const UNITS = [["ns", 1], ["µs", 1e3], ["ms", 1e6], ["s", 1e9]] as const;

function unitOf(ns: number): (typeof UNITS)[number] {
  return UNITS.findLast(([, size]) => Math.abs(ns) >= size) ?? UNITS[0];
}

/** A duration in the unit that suits it. */
export function duration(ns: number, digits = 3): string {
  const [unit, size] = unitOf(ns);
  return `${trim(ns / size, size === 1 ? 0 : digits)} ${unit}`;
}

/** The same with all digits, for numbers under one another. */
export function alignedDuration(ns: number, digits = 3): string {
  const [unit, size] = unitOf(ns);
  return `${(ns / size).toFixed(size === 1 ? 0 : digits)} ${unit}`;
}

/** How durations of a column are shown: all in the unit that suits the longest, so that their digits compare. */
export function columnDuration(all: number[], digits = 3): (ns: number) => string {
  const [unit, size] = unitOf(all.reduce((most, ns) => Math.max(most, Math.abs(ns)), 0));
  return (ns) => `${(ns / size).toFixed(size === 1 ? 0 : digits)} ${unit}`;
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

/** A size of memory on the chip, which comes in powers of two. */
export function binaryBytes(n: number): string {
  return n < 1024 ? `${n} B` : `${trim(n / 1024, 1)} KiB`;
}

export function count(n: number): string {
  return n.toLocaleString("en-US");
}
