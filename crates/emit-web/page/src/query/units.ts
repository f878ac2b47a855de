// Amounts as a query writes them: a number and a unit that suits the field.

/** What a field's values are, and so in which units they are written. */
export type Kind = "text" | "count" | "bytes" | "ns" | "cycles" | "percent" | "gbps" | "times" | "address";

const TIMES = { ns: 1, us: 1e3, "µs": 1e3, "μs": 1e3, ms: 1e6, s: 1e9 };
const CYCLES = { cycles: 1, cycle: 1 };

/** By kind: its units, how many of the field's own unit each is. Without a unit a number is in the field's own. */
const UNITS: Record<Exclude<Kind, "text">, Record<string, number>> = {
  count: {},
  bytes: { b: 1, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3, kb: 1e3, mb: 1e6, gb: 1e9 },
  ns: TIMES,
  cycles: CYCLES,
  percent: { "%": 1 },
  gbps: { "gb/s": 1, "mb/s": 1e-3, "kb/s": 1e-6 },
  times: { x: 1, "×": 1 },
  address: {},
};

const WRITTEN: Partial<Record<Kind, string>> = {
  bytes: "B, KiB, MiB, GiB, kB, MB, GB", ns: "ns, us, ms, s, cycles", cycles: "cycles, ns, us, ms, s", percent: "%", gbps: "GB/s, MB/s, kB/s", times: "x",
};

/** An amount that is right for a field's kind; "" where it is a plain number. */
export const EXAMPLES: Record<Kind, string> = {
  text: "conv*", count: "100", bytes: "1MiB", ns: "5us", cycles: "1000", percent: "50%", gbps: "20GB/s", times: "1.3", address: "0x1000",
};

/** The operator that is written most with a kind. */
export const USUAL_OPERATOR: Record<Kind | "register", string> = {
  text: ":", register: "=", count: "=", address: ":", bytes: ">", ns: ">", cycles: ">", percent: "<", gbps: "<", times: ">",
};

/** Units as a person writes them; "" for plain numbers. */
export function unitsOf(kind: Kind): string {
  return WRITTEN[kind] ?? "";
}

/** A number in the field's own unit (percent: a share of 1), or the clock that it has to be converted with. */
export interface Amount {
  value: number;
  /** `cycles`: the field is a time in ns. `ns`: the field is a number of cycles. */
  clock: "none" | "cycles" | "ns";
}

const NUMBER = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(.*)$/i;

/** Reads an amount; null if it is none, or has a unit that does not suit. */
export function readAmount(kind: Exclude<Kind, "text">, text: string): Amount | null {
  const plain = text.trim();
  if (/^0x[0-9a-f]+$/i.test(plain)) return { value: Number(plain), clock: "none" };
  const found = NUMBER.exec(plain);
  if (!found) return null;
  const number = Number(found[1]);
  const unit = found[2]!.toLowerCase();
  const own = (value: number): Amount => ({ value: kind === "percent" ? value / 100 : value, clock: "none" });
  if (unit === "") return own(number);
  const size = UNITS[kind][unit];
  if (size !== undefined) return own(number * size);
  if (kind === "ns" && unit in CYCLES) return { value: number, clock: "cycles" };
  const ns = TIMES[unit as keyof typeof TIMES];
  if (kind === "cycles" && ns !== undefined) return { value: number * ns, clock: "ns" };
  return null;
}

/** The amount in the field's own unit, on an engine with this clock. */
export function valueAt({ value, clock }: Amount, mhz: number): number {
  return clock === "cycles" ? (value * 1000) / mhz : clock === "ns" ? (value * mhz) / 1000 : value;
}

/** Whether a word is a unit, so that `1.5 ms` is one amount. */
export function isUnit(word: string): boolean {
  const unit = word.toLowerCase();
  return unit in CYCLES || Object.values(UNITS).some((units) => unit in units);
}
