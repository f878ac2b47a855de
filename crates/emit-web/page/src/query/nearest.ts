// Names that someone may have meant.

const MOST = 3;

/** The names nearest to a word, the nearest first; none where all are far. */
export function nearest(word: string, names: Iterable<string>): string[] {
  const wanted = word.toLowerCase();
  const found: { name: string; far: number }[] = [];
  for (const name of new Set(names)) {
    const far = distance(wanted, name.toLowerCase());
    if (far <= Math.max(1, Math.floor(wanted.length / 3))) found.push({ name, far });
    else if (wanted.length > 2 && name.toLowerCase().includes(wanted)) found.push({ name, far: name.length + (name.toLowerCase().startsWith(wanted) ? wanted.length : 100) });
  }
  return found.sort((a, b) => a.far - b.far || (a.name < b.name ? -1 : 1)).slice(0, MOST).map(({ name }) => name);
}

/** Letters to insert, remove, replace or swap with the next one. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j]!, before[j - 2]! + 1);
    }
    before = last;
    last = row;
  }
  return last[b.length]!;
}
