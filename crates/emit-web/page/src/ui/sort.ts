// Sorting a million rows by a number: radix sort, stable.

const DIGIT = 16;
const BUCKETS = 1 << DIGIT;

/** The rows in ascending (or descending) order of their keys: `keys[i]` is that of `rows[i]`; equal ones stay in order. */
export function sortByKey(rows: Uint32Array, keys: Float64Array, down = false): Uint32Array {
  const n = rows.length;
  const words = orderedWords(keys, down);
  let order = new Uint32Array(n);
  for (let i = 0; i < n; i++) order[i] = i;
  let next = new Uint32Array(n);
  const starts = new Uint32Array(BUCKETS);
  for (let digit = 0; digit < 64 / DIGIT; digit++) {
    // The low half of each 64-bit pattern comes first, whatever the machine's byte order: see `orderedWords`.
    const word = digit < 2 ? 0 : 1;
    const shift = (digit & 1) * DIGIT;
    starts.fill(0);
    for (let i = 0; i < n; i++) starts[(words[2 * i + word]! >>> shift) & (BUCKETS - 1)]!++;
    if (n > 0 && starts[(words[word]! >>> shift) & (BUCKETS - 1)] === n) continue;
    let sum = 0;
    for (let b = 0; b < BUCKETS; b++) {
      const count = starts[b]!;
      starts[b] = sum;
      sum += count;
    }
    for (let i = 0; i < n; i++) {
      const row = order[i]!;
      next[starts[(words[2 * row + word]! >>> shift) & (BUCKETS - 1)]!++] = row;
    }
    [order, next] = [next, order];
  }
  for (let i = 0; i < n; i++) order[i] = rows[order[i]!]!;
  return order;
}

/** Place of the low half of a double among its two words: 0 on all usual machines. */
const LOW = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 0 : 1;

/** Patterns of doubles, low and high half, that compare as unsigned numbers the way the doubles do. Absent numbers (NaN) come last either way. */
function orderedWords(keys: Float64Array, down: boolean): Uint32Array {
  const doubles = keys.slice();
  if (down) for (let i = 0; i < doubles.length; i++) doubles[i] = -doubles[i]!;
  const words = new Uint32Array(doubles.buffer);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    let low = words[2 * i + LOW]!;
    let high = words[2 * i + 1 - LOW]!;
    if (key !== key) high = low = 0xffffffff;
    else if (high >>> 31) {
      high = ~high >>> 0;
      low = ~low >>> 0;
    } else high = (high | 0x80000000) >>> 0;
    words[2 * i] = low;
    words[2 * i + 1] = high;
  }
  return words;
}
