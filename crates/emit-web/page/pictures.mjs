// Makes the pictures of the pages in docs/images, with the program that is built: node pictures.mjs.
// The machine needs a font with Chinese characters.
import { copyFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, launch, open, render, run, scratch } from "./tests/support.mjs";

// A loaded machine takes long for a picture.
const PATIENT = { timeout: 180_000 };
export const IMAGES = join(ROOT, "docs/images");

/** A picture as WebP, by the browser itself. */
async function asWebp(blank, png) {
  const address = await blank.evaluate(async (base64) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext("2d").drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.9 });
    return btoa(Array.from(new Uint8Array(await blob.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(""));
  }, png.toString("base64"));
  return Buffer.from(address, "base64");
}

/** A page without tabs: of several devices, estimates, schedules. */
async function plain(browser, file, viewport, ready = "h1") {
  const page = await (await browser.newContext({ viewport, offline: true })).newPage();
  page.setDefaultTimeout(PATIENT.timeout);
  await page.goto(`file://${file}`);
  await page.waitForSelector(ready);
  return page.screenshot(PATIENT);
}

/** The timeline at a stretch of a few launches, with a command of core 0's TIU selected. */
async function timeline(browser, file, viewport) {
  const { page } = await open(browser, file, { viewport, hash: "lang=en&tab=timeline" });
  await page.waitForFunction(() => window.bigtpu?.firstPicture > 0);
  const box = await page.locator("main canvas").first().boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  for (let i = 0; i < 5; i++) await page.keyboard.press("w");
  await page.waitForTimeout(300);
  // The first matrix product behind the middle of what is visible.
  const { x, y } = await page.evaluate(async () => {
    const track = window.bigtpuPage.tracks.find((each) => each.kind === "tiu");
    const { name, start } = await track.loadTimes();
    const visible = window.bigtpu.visible();
    const row = start.findIndex((at, row) => at > (visible.start + visible.end) / 2 && window.bigtpuPage.nameText(name[row]).includes("mm2"));
    return window.bigtpu.locate({ track: track.index, row });
  });
  await page.mouse.click(x, y);
  await page.waitForFunction(() => window.bigtpu.selected());
  await page.mouse.move(box.x + 2, box.y + 2);
  await page.waitForTimeout(500);
  return page.screenshot(PATIENT);
}

async function overview(browser, file, viewport) {
  const { page } = await open(browser, file, { viewport, folded: true });
  await page.waitForTimeout(500);
  return page.screenshot(PATIENT);
}

/** The pictures by their names in docs/images, as PNG. */
export async function pictures(browser) {
  const work = scratch();
  const at = (...parts) => join(work, ...parts);
  run("synth", at("demo"), "--launches", "60", "--seed", "7");
  const { file } = render(at("demo"));
  for (const device of [0, 2, 10]) {
    const slow = device === 10 ? ["--plant", "imbalance=1:1.3"] : [];
    run("synth", at("run", `cdm_profile_data_dev${device}-0`), "--chip", "bm1688", "--launches", "3", "--seed", `${device}`, ...slow);
  }
  run(at("run"), at("devices"), "--disable_doc");
  run("synth", at("cluster"), "--cluster", "8", "--operations", "12", "--plant", "late-rank=3:1.3");
  run("cluster", at("cluster"), at("ranks"), "--emit", "page");
  // The page names its file as it was given.
  copyFileSync(join(ROOT, "crates/model/tests/onnx/cnn.onnx"), at("cnn.onnx"));
  process.chdir(work);
  run("estimate", "cnn.onnx", "--on", "aks,h100-sxm,bm1688", "--dtype", "int8", "--batch", "4", "-o", at("estimate"));
  const costs = ["--fwd", "1315", "--bwd", "2733", "--wgt", "2650", "--comm", "500", "--mem-fwd", "1000000"];
  run("pipeline", "--schedule", "gpipe,1f1b,zb-h1", "--stages", "8", "--microbatches", "16", ...costs, "-o", at("pipeline"));
  const screen = { width: 1440, height: 810 };
  return new Map([
    ["page.png", await timeline(browser, file, screen)],
    ["overview.webp", await overview(browser, file, screen)],
    ["devices.webp", await plain(browser, at("devices/devices.html"), { width: 1100, height: 540 })],
    ["cluster.webp", await plain(browser, at("ranks/cluster.html"), { width: 1280, height: 800 }, "html[data-ready]")],
    ["estimate.webp", await plain(browser, at("estimate/estimate.html"), { width: 1000, height: 780 })],
    ["pipeline.webp", await plain(browser, at("pipeline/pipeline.html"), { width: 1100, height: 620 })],
  ]);
}

if (process.argv[1]?.endsWith("pictures.mjs")) {
  const browser = await launch();
  const blank = await (await browser.newContext()).newPage();
  for (const [name, png] of await pictures(browser)) {
    const place = join(IMAGES, name);
    if (!existsSync(place)) console.log(`# new: ${name}`);
    writeFileSync(place, name.endsWith(".webp") ? await asWebp(blank, png) : png);
  }
  await browser.close();
}
