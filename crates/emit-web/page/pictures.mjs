// Makes the pictures of the page in docs/images, with the program that is built: node pictures.mjs
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, launch, open, render, run, scratch } from "./tests/support.mjs";

const IMAGES = process.env.IMAGES ?? join(ROOT, "docs/images");
mkdirSync(IMAGES, { recursive: true });

/** A picture as WebP, by the browser itself. */
async function asWebp(page, png) {
  const address = await page.evaluate(async (base64) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext("2d").drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.9 });
    return btoa(Array.from(new Uint8Array(await blob.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(""));
  }, png.toString("base64"));
  return Buffer.from(address, "base64");
}

const browser = await launch();
const blank = await (await browser.newContext()).newPage();
const demo = join(scratch(), "demo");
run("synth", demo, "--launches", "60", "--seed", "7");
const { file } = render(demo);
const viewport = { width: 1440, height: 810 };

const overview = await open(browser, file, { viewport });
await overview.page.waitForTimeout(500);
writeFileSync(join(IMAGES, "overview.webp"), await asWebp(blank, await overview.page.screenshot()));

const timeline = await open(browser, file, { viewport, hash: "tab=timeline" });
const { page } = timeline;
await page.waitForTimeout(500);
const box = await page.locator("main canvas").first().boundingBox();
// A stretch of a few launches around the middle.
await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
for (let i = 0; i < 5; i++) await page.keyboard.press("w");
await page.waitForTimeout(300);
// A command of core 0's TIU, in matmul_gate_up.
await page.mouse.move(760, 208);
await page.mouse.move(768, 208, { steps: 4 });
await page.waitForTimeout(300);
await page.screenshot({ path: join(IMAGES, "page.png") });
await browser.close();
