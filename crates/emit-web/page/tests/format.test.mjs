// Amounts on the page follow the rules of crates/messages/src/amount.rs: the same cases.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { build } from "esbuild";

const bundled = await build({ entryPoints: ["src/ui/format.ts"], bundle: true, format: "esm", write: false });
const format = await import(`data:text/javascript,${encodeURIComponent(bundled.outputFiles[0].text)}`);

test("amounts are as in the cases that the Rust formatter is tested with", () => {
  const file = new URL("../../../messages/src/amounts.tsv", import.meta.url);
  const lines = readFileSync(file, "utf8").split("\n").filter((line) => line && !line.startsWith("#"));
  assert.ok(lines.length > 40);
  for (const line of lines) {
    const [kind, value, expected] = line.split("\t");
    assert.equal(format[kind](Number(value)), expected, line);
  }
});

test("a column of durations has one unit", () => {
  const shown = format.columnDuration([999_999.9, 12]);
  assert.deepEqual([shown(999_999.9), shown(12)], ["1.000 ms", "0.000 ms"]);
  assert.equal(format.alignedDuration(1_500), "1.500 µs");
});
