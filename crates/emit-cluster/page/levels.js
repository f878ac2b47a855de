// Shares of the states of each rank in equal stretches of time, at several widths: what the heat table draws.

export class Levels {
  /** shares: by rank, stretch and state a byte. */
  constructor(shares, ranks, bins, states) {
    Object.assign(this, { ranks, bins, states, made: [{ bins, shares }], sums: new Float64Array(states) });
  }

  /** Level `at`; each has half the stretches of the one before, and is made when it is first asked for. */
  level(at) {
    while (this.made.length <= at && this.made.at(-1).bins > 256) {
      const fine = this.made.at(-1), s = this.states, half = fine.bins / 2, coarse = new Uint8Array(this.ranks * half * s);
      for (let stretch = 0, to = 0; stretch < this.ranks * half; stretch++) {
        for (let k = 0, from = 2 * stretch * s; k < s; k++, from++) coarse[to++] = (fine.shares[from] + fine.shares[from + s] + 1) >> 1;
      }
      this.made.push({ bins: half, shares: coarse });
    }
    return this.made[Math.min(at, this.made.length - 1)];
  }

  /** The level for stretches that are this part of the whole wide. */
  fitting(width) {
    return this.level(Math.max(0, Math.floor(Math.log2(width * this.bins))));
  }

  /** Sums of the states of a rank between two places of the whole, 0 to 1, at a level; the last one is of all states. Good until the next call. */
  between(level, rank, from, to) {
    const s = this.states, sums = this.sums, shares = level.shares;
    const first = Math.floor(from * level.bins), last = Math.min(level.bins, Math.max(first + 1, Math.ceil(to * level.bins)));
    sums.fill(0);
    for (let at = (rank * level.bins + first) * s, end = (rank * level.bins + last) * s; at < end; at += s) {
      for (let k = 0; k < s; k++) sums[k] += shares[at + k];
    }
    return sums;
  }
}
