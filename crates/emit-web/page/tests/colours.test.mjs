// Colours of the timeline: contrast, one palette for each kind of name, and the same colour on every page.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const SOURCES = join(dirname(fileURLToPath(import.meta.url)), "../src");
const bundle = await build({ entryPoints: [join(SOURCES, "views/timeline/palette.ts")], bundle: true, format: "esm", write: false });
const { Colours, systemColour } = await import(`data:text/javascript,${encodeURIComponent(bundle.outputFiles[0].text)}`);

const SETS = ["function", "kernel", "layer", "host"];
const NAMES = Array.from({ length: 40 }, (_, i) => `name ${i}`);

function useTheme(theme) {
  globalThis.document = { documentElement: { dataset: { theme } } };
}

/** The colours of a set in a theme. */
function coloursOf(set, theme) {
  useTheme(theme);
  const colours = new Colours(set, NAMES);
  return new Set(NAMES.map((name) => colours.get(name)));
}

/** Background of the plot in a theme, as the tokens have it. */
function ground(theme) {
  const tokens = readFileSync(join(SOURCES, "../../../output/src/tokens.css"), "utf8");
  return /--panel: light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/.exec(tokens)[theme === "dark" ? 2 : 1];
}

function luminance(hex) {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

for (const theme of ["light", "dark"]) {
  test(`every colour has a contrast of 3:1 to the background and to waits, ${theme}`, () => {
    for (const set of SETS) {
      for (const colour of coloursOf(set, theme)) {
        for (const other of [ground(theme), systemColour(theme === "dark")]) {
          assert.ok(contrast(colour, other) >= 3, `${set} ${colour} on ${other}: ${contrast(colour, other).toFixed(2)}`);
        }
      }
    }
  });

  test(`functions, kernels, layers and host operators share no colour, ${theme}`, () => {
    const all = SETS.flatMap((set) => [...coloursOf(set, theme)]);
    assert.equal(new Set(all).size, all.length);
  });
}

test("a name keeps its colour when other names come in", () => {
  useTheme("light");
  const few = new Colours("kernel", ["matmul", "rope"]);
  const placed = new Colours("function", ["sMM2", "DMA_tensor"]);
  const many = new Colours("function", ["sMM2", "DMA_tensor", ...NAMES]);
  assert.equal(new Colours("kernel", ["rope", "matmul"]).get("matmul"), few.get("matmul"), "the order of names does not count");
  for (const name of ["sMM2", "DMA_tensor"]) assert.equal(many.get(name), placed.get(name));
});
