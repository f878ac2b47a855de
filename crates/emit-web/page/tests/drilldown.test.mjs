// From many runs to one and back: links between pages that were written together, and no others.
import assert from "node:assert/strict";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, test } from "node:test";
import { ROOT, launch, run, scratch } from "./support.mjs";

let browser, dir;
const out = (...names) => join(dir, ...names);
const address = (...names) => pathToFileURL(out(...names)).href;
before(async () => {
  browser = await launch();
  dir = scratch();
  run("synth", out("chips"), "--cluster", "4", "--operations", "4", "--plant", "late-rank=3:1.3", "-q");
  run(out("chips/host0"), out("devices"), "--disable_doc", "--quiet");
  run("batch", join(ROOT, "fixtures/real"), out("batch"), "--quiet", "--disable_doc");
});
after(() => browser?.close());

async function visit(start) {
  const context = await browser.newContext({ locale: "en-US", offline: true });
  context.setDefaultTimeout(90_000);
  const page = await context.newPage();
  await page.goto(start);
  return page;
}

const without = (url) => url.split("#")[0];

test("a batch: from the index to a dump and back", async () => {
  const page = await visit(address("batch/index.html"));
  await page.click("table a[href*='cdm_profile_data_dev0_bm1690/']");
  await page.waitForSelector("[role=tab]");
  assert.equal(without(page.url()), address("batch/cdm_profile_data_dev0_bm1690/PerfWeb/result.html"));
  await page.click("#tab-find");
  await page.click("header .up");
  await page.waitForSelector("#lead");
  assert.equal(without(page.url()), address("batch/index.html"));
  await page.context().close();
});

test("devices: to all on one clock, to the page of the late rank, and back", async () => {
  const page = await visit(address("devices/devices.html"));
  await page.click("a[href^='cluster.html']");
  await page.waitForSelector("html[data-ready]");
  await page.click("aside a[href*='result.html']");
  await page.waitForSelector("[role=tab]");
  assert.equal(without(page.url()), address("devices/cdm_profile_data_dev3-0/PerfWeb/result.html"));
  await page.click("header .up");
  await page.waitForSelector("html[data-ready]");
  assert.equal(without(page.url()), address("devices/cluster.html"));
  await page.context().close();
});

test("from the late rank to a core, its kernel, a command of it, and back", async () => {
  const page = await visit(address("devices/cluster.html"));
  await page.waitForSelector("html[data-ready]");
  await page.click("aside a[href*='result.html']");
  await page.click("#tab-compare");
  await page.click("#kernel-heat td button >> nth=0");
  await page.waitForSelector("#unit-commands tbody tr");
  const kernel = await page.evaluate(() => window.bigtpuPage.tracks[window.bigtpu.selected().track].kind);
  assert.equal(kernel, "kernel");
  await page.click("#unit-commands tbody tr >> nth=0");
  await page.waitForFunction(() => window.bigtpuPage.tracks[window.bigtpu.selected().track].isEngine);
  await page.click("header .up");
  await page.waitForSelector("html[data-ready]");
  assert.equal(without(page.url()), address("devices/cluster.html"));
  await page.context().close();
});

test("the language and the theme of the page of all ranks go with its links, and come back with the reader's last choice", async () => {
  const page = await visit(`${address("devices/cluster.html")}#lang=zh&theme=dark`);
  await page.waitForSelector("html[data-ready][data-theme=dark]");
  await page.click("aside a[href*='result.html']");
  await page.waitForSelector("html[data-theme=dark][lang^=zh] [role=tab]");
  await page.click("header .up");
  await page.waitForSelector("html[data-ready][data-theme=dark][lang^=zh]");
  // What is chosen there counts, too.
  await page.click("aside a[href*='result.html']");
  await page.click("header .tools button:text-is('◐')");
  await page.click("header .up");
  await page.waitForSelector("html[data-ready][data-theme=light][lang^=zh]");
  await page.context().close();
});

test("a history: from a build to the page of its run and back, while that page is there", async () => {
  for (const device of [0, 1]) run("diff", "--history", out("history"), out(`devices/cdm_profile_data_dev${device}-0`), "--label", `build ${device}`, "-q");
  const page = await visit(address("history/history.html"));
  await page.click("svg a[href*='dev1-0'] >> nth=0", { force: true });
  await page.waitForSelector("[role=tab]");
  assert.equal(without(page.url()), address("devices/cdm_profile_data_dev1-0/PerfWeb/result.html"));
  await page.click("header .up");
  await page.waitForSelector("h1");
  assert.equal(without(page.url()), address("history/history.html"));
  const links = () => page.$$eval("svg a", (all) => new Set(all.map((each) => each.getAttribute("href").split("#")[0])).size);
  assert.equal(await links(), 2);
  const moved = out("devices/cdm_profile_data_dev0-0/PerfWeb/result.html");
  renameSync(moved, `${moved}.away`);
  run("diff", "--history", out("history"), out("devices/cdm_profile_data_dev2-0"), "--label", "build 2", "-q");
  renameSync(`${moved}.away`, moved);
  await page.reload();
  assert.equal(await links(), 2, "of builds 1 and 2");
  await page.context().close();
});

test("devices: to the page of a device and back; the page of all devices leads back as well", async () => {
  const page = await visit(address("devices/devices.html"));
  await page.click("#dumps a >> nth=1");
  await page.waitForSelector("[role=tab]");
  await page.click("header .up");
  await page.waitForSelector("#dumps");
  await page.click("a[href^='cluster.html']");
  await page.waitForSelector("html[data-ready]");
  await page.click("header .up");
  await page.waitForSelector("#dumps");
  assert.equal(without(page.url()), address("devices/devices.html"));
  await page.context().close();
});

test("no link back where nothing led here, and to nothing but a page of ours", async () => {
  const file = address("devices/cdm_profile_data_dev3-0/PerfWeb/result.html");
  for (const up of ["", "javascript:alert(1)//.html", "https://example.com/x.html", "//example.com/x.html", "/etc/x.html", "..\\x.html", "../../x.txt"]) {
    const page = await visit(`${file}#up=${encodeURIComponent(up)}`);
    await page.waitForSelector("[role=tab]");
    assert.equal(await page.locator("header .up").count(), 0, up);
    await page.context().close();
  }
});
