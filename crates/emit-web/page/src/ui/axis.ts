// Round numbers on an axis of time.

/** A step of 1, 2 or 5 times a power of ten, not below `least`. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1e-9)));
  const times = least / power;
  return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

/** A time in ns on an axis with such steps: one unit for the whole axis, as many digits as the step needs. */
export function timeLabel(ns: number, step: number, largest: number): string {
  const [unit, size] = largest >= 1e9 ? ["s", 1e9] : largest >= 1e6 ? ["ms", 1e6] : largest >= 1e3 ? ["µs", 1e3] : ["ns", 1];
  const digits = Math.max(0, Math.ceil(-Math.log10(step / (size as number)) - 1e-9));
  return `${(ns / (size as number)).toFixed(digits)} ${unit}`;
}
