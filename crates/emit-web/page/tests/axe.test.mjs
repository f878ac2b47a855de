// Accessibility of all pages that the program writes: axe finds nothing on any of them, in each tab and in both themes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pagesOfTwoRuns, plainPages, twoRuns } from "./all-pages.mjs";
import { fixture, launch, ROOT, run, scratch } from "./support.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const REAL = join(ROOT, "fixtures/real/cdm_profile_data_dev0_bm1690");

let browser, dir;
const out = (...names) => join(dir, ...names);
before(async () => {
  browser = await launch();
  dir = twoRuns();
});
after(() => browser?.close());

/** What axe finds on the page as it is: rule, how bad it is, and the first elements. In the second theme only colours can differ. */
async function findings(page, rules) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate((runOnly) => window.axe.run(document, { resultTypes: ["violations"], ...(runOnly && { runOnly }) }), rules);
  return violations.map(({ id, impact, nodes }) => `${id} (${impact}), ${nodes.length}: ${nodes.slice(0, 3).map(({ html, any, all, none }) => `${html.slice(0, 160)} [${[...any, ...all, ...none][0]?.message.slice(0, 120)}]`).join(" | ")}`);
}

/** Opens a page in both themes; `act` is given the page and a check that takes the name of what is shown. */
async function inBothThemes(file, act, hash = "") {
  const found = [];
  for (const colorScheme of ["light", "dark"]) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US", offline: true, colorScheme });
    context.setDefaultTimeout(90_000);
    const page = await context.newPage();
    await page.goto(`file://${file}${hash}`);
    await act(page, async (what) => found.push(...(await findings(page, colorScheme === "dark" ? ["color-contrast"] : null)).map((finding) => `${what}, ${colorScheme}: ${finding}`)));
    await context.close();
  }
  assert.deepEqual(found, []);
}

/** All tabs, each with its folded parts open. */
async function tabs(page, check) {
  await page.waitForSelector("[role=tab]");
  for (const tab of await page.$$eval("[role=tab]", (all) => all.map(({ id }) => id))) {
    await page.click(`#${tab}`);
    await page.waitForTimeout(400);
    await page.$$eval("[role=tabpanel]:not([hidden]) details:not(.chooser):not(.tl-menu)", (all) => all.forEach((details) => (details.open = true)));
    await check(tab);
  }
}

/** Pages without tabs, their folded parts open. */
async function whole(page, check) {
  await page.waitForTimeout(500);
  await page.$$eval("details", (all) => all.forEach((details) => (details.open = true)));
  await check("page");
}

for (const [name, dump, ...options] of [
  ["a dynamic run with damage", () => fixture("aksv-lost-records")],
  ["a static model of real hardware", () => REAL],
  ["a run with ports", () => fixture("aksv-mode2-cdma")],
  ["a run of kernels", () => out("run")],
]) {
  test(`${name}: each tab`, async () => {
    const to = scratch();
    run(dump(), to, "--disable_doc", "--quiet", ...options);
    await inBothThemes(join(to, "PerfWeb/result.html"), tabs);
  });
}

test("the timeline with a command, a range and all menus; Find with suggestions and a query that can't be read", async () => {
  const to = scratch();
  run(out("run"), to, "--disable_doc", "--quiet");
  await inBothThemes(join(to, "PerfWeb/result.html"), async (page, check) => {
    await page.waitForFunction(() => window.bigtpu?.firstPicture > 0);
    const { track, row } = await page.evaluate(async () => {
      const of = window.bigtpuPage.tracks.find((t) => t.kind === "gdma" && t.head.events > 0);
      return { track: of.index, row: 3 };
    });
    await page.evaluate(([t, r]) => (location.hash = `tab=timeline&tl.slice=${t}.${r}`), [track, row]);
    await page.waitForSelector(".tl-details");
    await check("a command");
    await page.$$eval("#panel-timeline details", (all) => all.forEach((details) => (details.open = true)));
    await check("menus");
    await page.evaluate(() => (location.hash = "tab=timeline&tl.range=1000~20000"));
    await page.waitForTimeout(400);
    await check("a range");
    await page.click("#tab-find");
    await page.focus("#find-q");
    await page.keyboard.type("bytes>many stri");
    await page.waitForSelector(".find-form .completer:not([hidden]) li");
    await page.keyboard.press("ArrowDown");
    await check("suggestions");
    await page.$$eval("#panel-find details", (all) => all.forEach((details) => (details.open = true)));
    await check("columns");
  }, "#tab=timeline");
});

test("two runs, what-if and simulate: each tab", async () => {
  for (const file of pagesOfTwoRuns(dir)) await inBothThemes(file, tabs);
});

test("pages without tabs", async () => {
  for (const file of plainPages(dir)) await inBothThemes(file, (page, check) => whole(page, (what) => check(`${file} ${what}`)));
});
