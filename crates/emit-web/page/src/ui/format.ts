// Numbers for people. Bytes and bandwidths are decimal (GB/s = bytes a ns), as in all other outputs. The rules are those of
// crates/messages/src/amount.rs, and both are tested with the same cases.

const UNITS = [["ns", 1, 0], ["µs", 1e3, 3], ["ms", 1e6, 3]] as const;
const SECONDS = ["s", 1e9, 3] as const;

/** The unit that suits a duration, by the number as it is shown. */
function unitOf(ns: number): (typeof UNITS)[number] | typeof SECONDS {
  return UNITS.find(([, size, digits]) => Math.abs(Number((ns / size).toFixed(digits))) < 1000) ?? SECONDS;
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
  const text = n.toFixed(digits);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

export function percent(share: number, digits = 1): string {
  return `${(share * 100).toFixed(digits)}%`;
}

export function gbps(n: number): string {
  return `${twoOrOne(n)} GB/s`;
}

/** Two decimals below 10, one from there on. */
export function twoOrOne(n: number): string {
  const text = n.toFixed(2);
  return Math.abs(Number(text)) < 10 ? text : n.toFixed(1);
}

export function bytes(n: number): string {
  if (n < 1000) return `${n} B`;
  for (const unit of ["kB", "MB", "GB"]) {
    n /= 1000;
    const text = twoOrOne(n);
    if (Number(text) < 1000) return `${text} ${unit}`;
  }
  return `${twoOrOne(n / 1000)} TB`;
}

/** A size of memory on the chip, which comes in powers of two. */
export function binaryBytes(n: number): string {
  if (n < 1024) return `${n} B`;
  for (const unit of ["KiB", "MiB"]) {
    n /= 1024;
    const text = trim(n, 1);
    if (Number(text) < 1024) return `${text} ${unit}`;
  }
  return `${trim(n / 1024, 1)} GiB`;
}

export function count(n: number): string {
  return n.toLocaleString("en-US");
}
