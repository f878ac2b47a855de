// Ticks of the time axis and their labels.
import { roundStep } from "../../ui/axis";

export interface Ticks {
  /** ns between labelled ticks. */
  step: number;
  /** First labelled tick at or before the view's start. */
  first: number;
  /** Short ticks between two labelled ones. */
  minor: number;
  label: (time: number) => string;
}

const UNITS = [
  { name: "ns", ns: 1 },
  { name: "µs", ns: 1e3 },
  { name: "ms", ns: 1e6 },
  { name: "s", ns: 1e9 },
];

/** All ticks have one unit, that of the times in view, and the decimals that distinguish them. */
export function ticks(start: number, end: number, width: number, labelWidth: number): Ticks {
  const step = Math.max(roundStep(((end - start) / width) * labelWidth), 1);
  const top = Math.max(Math.abs(start), Math.abs(end));
  const unit = UNITS.findLast((u) => top >= u.ns * 2) ?? UNITS[0]!;
  const digits = Math.max(0, Math.ceil(Math.log10(unit.ns / step) - 1e-9));
  const leading = step / 10 ** Math.floor(Math.log10(step) + 1e-9);
  return {
    step,
    first: Math.floor(start / step) * step,
    minor: leading > 1.5 && leading < 3 ? 4 : 5,
    label: (time) => `${grouped((time / unit.ns).toFixed(digits))} ${unit.name}`,
  };
}

/** Thin spaces between groups of three digits, on both sides of the point. */
export function grouped(number: string): string {
  const [whole = "", part] = number.split(".");
  const left = whole.replace(/\B(?=(\d{3})+$)/g, "\u2009");
  return part === undefined ? left : `${left}.${part.replace(/(\d{3})(?=\d)/g, "$1\u2009")}`;
}

/** A point in time to the ns, in a readable unit. */
export function moment(time: number): string {
  const size = Math.abs(time);
  const unit = UNITS.findLast((u) => size >= u.ns) ?? UNITS[0]!;
  const digits = Math.round(Math.log10(unit.ns));
  return `${grouped((time / unit.ns).toFixed(digits))} ${unit.name}`;
}
