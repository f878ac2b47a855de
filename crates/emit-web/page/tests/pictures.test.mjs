// The pictures of the docs show the pages of this program: `node pictures.mjs` makes them anew.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { IMAGES, pictures } from "../pictures.mjs";
import { launch } from "./support.mjs";

// WebP makes a difference of 0.002; pictures of earlier layouts differed by 0.08 to 0.13.
const MOST = 0.02;

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Mean difference of two pictures in cells of 12 pixels, where 1 is black against white; 1 for pictures of different sizes. */
const difference = (page, one, other) => page.evaluate(async (both) => {
  const cells = await Promise.all(both.map(async (base64) => {
    const image = await createImageBitmap(await (await fetch(`data:image/*;base64,${base64}`)).blob());
    const [width, height] = [Math.round(image.width / 12), Math.round(image.height / 12)];
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, width, height);
    return { size: `${image.width}x${image.height}`, data: context.getImageData(0, 0, width, height).data };
  }));
  if (cells[0].size !== cells[1].size) return 1;
  const sum = cells[0].data.reduce((all, value, at) => all + Math.abs(value - cells[1].data[at]), 0);
  // A quarter of the values is opacity, which is the same.
  return sum / (cells[0].data.length * 0.75 * 255);
}, [one, other].map((picture) => picture.toString("base64")));

test("the pictures of the docs are those of the pages", async (t) => {
  const page = await (await browser.newContext()).newPage();
  const made = await pictures(browser);
  for (const name of ["workbook.webp", "console.webp"].filter((name) => !made.has(name))) {
    assert.notEqual(process.env.CI, "true", `${name}: LibreOffice, pdftoppm or script is missing`);
    t.diagnostic(`${name}: not compared, LibreOffice, pdftoppm or script is missing`);
  }
  assert.ok(made.size >= 6, `${[...made.keys()]}`);
  for (const [name, png] of made) {
    const found = await difference(page, readFileSync(join(IMAGES, name)), png);
    t.diagnostic(`${name}: ${found.toFixed(4)}`);
    assert.ok(found < MOST, `${name} differs by ${found.toFixed(4)}: make it anew with node pictures.mjs, and look at it`);
  }
});
