// Makes the pictures of the pages in docs/images, with the program that is built: node pictures.mjs [NAME...].
// The machine needs a font with Chinese characters; for the picture of the workbook also LibreOffice's Calc and Poppler's pdftoppm.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY, ROOT, launch, open, render, run, scratch } from "./tests/support.mjs";

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

/** Where a program is; `undefined` where it is not installed. */
const installed = (name) => process.env.PATH.split(":").map((folder) => join(folder, name)).find(existsSync);

/** The first sheet as a spreadsheet program prints it, without the margins of the paper. `undefined` where there is none. */
function workbook(file, work) {
  const [office, rasterizer] = ["soffice", "pdftoppm"].map(installed);
  if (!office || !rasterizer) return undefined;
  const quiet = { stdio: ["ignore", "ignore", "ignore"] };
  const first = 'pdf:calc_pdf_Export:{"PageRange":{"type":"string","value":"1"}}';
  // A profile of its own: the user's may be in use.
  const profile = `-env:UserInstallation=file://${join(work, "office")}`;
  execFileSync(office, [profile, "--headless", "--convert-to", first, "--outdir", work, file], quiet);
  const inside = ["-r", "200", "-x", "125", "-y", "135", "-W", "970", "-H", "700"];
  execFileSync(rasterizer, ["-png", "-singlefile", ...inside, join(work, "PerfAI_output.pdf"), join(work, "sheet")], quiet);
  return readFileSync(join(work, "sheet.png"));
}

/** What the program writes on a terminal of 112 columns, with its colours; `undefined` where no terminal can be had. */
function onTerminal(...args) {
  if (!installed("script")) return undefined;
  const command = `stty cols 112 rows 60; ${[BINARY, ...args].map((arg) => `'${arg}'`).join(" ")} 2>/dev/null`;
  const env = { ...process.env, TERM: "xterm-256color" };
  delete env.NO_COLOR;
  return execFileSync("script", ["-qec", command, "/dev/null"], { encoding: "utf8", env, stdio: ["ignore", "pipe", "ignore"] });
}

/** The styles of what a terminal is told by number. */
const STYLES = new Map([
  ["1", "font-weight: bold"], ["2", "opacity: 0.55"], ["31", "color: #ff7b72"], ["32", "color: #7ee787"], ["33", "color: #e3b341"], ["36", "color: #76e3ea"],
]);

/** A picture of a terminal after a command. */
async function terminal(browser, command, text) {
  const page = await (await browser.newContext({ viewport: { width: 960, height: 600 }, offline: true })).newPage();
  page.setDefaultTimeout(PATIENT.timeout);
  // What begins with a style, up to the next one.
  const parts = `\x1b[0m$ ${command}\n${text.replaceAll("\r", "").trimEnd()}`.split("\x1b[").slice(1).map((part) => {
    const end = part.indexOf("m");
    const style = part.slice(0, end).split(";").map((code) => STYLES.get(code) ?? "").join("; ");
    return { style, text: part.slice(end + 1) };
  });
  await page.setContent(`<body style="margin: 0; background: #16181d"><pre style="margin: 0; padding: 16px; color: #d8dce4;
    font: 13px/1.4 'DejaVu Sans Mono', monospace; width: 112ch"></pre>`);
  await page.locator("pre").evaluate((pre, all) => {
    for (const { style, text } of all) {
      const span = document.createElement("span");
      span.style.cssText = style;
      span.append(text);
      pre.append(span);
    }
  }, parts);
  return page.locator("pre").screenshot(PATIENT);
}

/** How each picture is made, by its name in docs/images; `undefined` where a program for it is missing. */
function makers(browser) {
  const work = scratch();
  const at = (...parts) => join(work, ...parts);
  const screen = { width: 1440, height: 810 };
  const once = (make) => {
    let made;
    return () => (made ??= make());
  };
  const demo = once(() => {
    run("synth", at("demo"), "--launches", "60", "--seed", "7");
    return render(at("demo")).file;
  });
  // The dump of the first run, by the names that it has there.
  const first = once(() => {
    process.chdir(work);
    run("synth", "before");
    return onTerminal("before", "out");
  });
  return new Map([
    ["page.png", () => timeline(browser, demo(), screen)],
    ["overview.webp", () => overview(browser, demo(), screen)],
    ["console.webp", () => first() && terminal(browser, "bigtpuprofile before out", first())],
    ["workbook.webp", () => first() && workbook(at("out/PerfDoc/PerfAI_output.xlsx"), work)],
    ["devices.webp", () => {
      for (const device of [0, 2, 10]) {
        const slow = device === 10 ? ["--plant", "imbalance=1:1.3"] : [];
        run("synth", at("run", `cdm_profile_data_dev${device}-0`), "--chip", "bm1688", "--launches", "3", "--seed", `${device}`, ...slow);
      }
      run(at("run"), at("devices"), "--disable_doc");
      return plain(browser, at("devices/devices.html"), { width: 1100, height: 540 });
    }],
    ["cluster.webp", () => {
      // The page names its dumps as they were given.
      process.chdir(work);
      run("synth", "cluster", "--cluster", "8", "--operations", "12", "--plant", "late-rank=3:1.3");
      run("cluster", "cluster", "ranks", "--emit", "page");
      return plain(browser, at("ranks/cluster.html"), { width: 1280, height: 800 }, "html[data-ready]");
    }],
    ["estimate.webp", () => {
      // The page names its file as it was given.
      copyFileSync(join(ROOT, "crates/model/tests/onnx/cnn.onnx"), at("cnn.onnx"));
      process.chdir(work);
      run("estimate", "cnn.onnx", "--on", "aks,h100-sxm,bm1688", "--dtype", "int8", "--batch", "4", "-o", at("estimate"));
      return plain(browser, at("estimate/estimate.html"), { width: 1000, height: 780 });
    }],
    ["pipeline.webp", () => {
      const costs = ["--fwd", "1315", "--bwd", "2733", "--wgt", "2650", "--comm", "500", "--mem-fwd", "1000000"];
      run("pipeline", "--schedule", "gpipe,1f1b,zb-h1", "--stages", "8", "--microbatches", "16", ...costs, "-o", at("pipeline"));
      return plain(browser, at("pipeline/pipeline.html"), { width: 1100, height: 620 });
    }],
  ]);
}

/** The pictures by their names in docs/images, as PNG: those of the given names, without names all that can be made here. */
export async function pictures(browser, names = []) {
  const made = new Map();
  for (const [name, make] of makers(browser)) {
    const png = names.length === 0 || names.includes(name) ? await make() : undefined;
    if (png) made.set(name, png);
  }
  return made;
}

if (process.argv[1]?.endsWith("pictures.mjs")) {
  const names = process.argv.slice(2);
  const browser = await launch();
  const blank = await (await browser.newContext()).newPage();
  for (const [name, png] of await pictures(browser, names)) {
    const place = join(IMAGES, name);
    if (!existsSync(place)) console.log(`# new: ${name}`);
    writeFileSync(place, name.endsWith(".webp") ? await asWebp(blank, png) : png);
  }
  await browser.close();
}
