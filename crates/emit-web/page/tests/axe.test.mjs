// Accessibility of all pages that the program writes: axe finds nothing on any of them, in each tab and in both themes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fixture, launch, ROOT, run, scratch } from "./support.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const REAL = join(ROOT, "fixtures/real/cdm_profile_data_dev0_bm1690");

let browser, dir;
const out = (...names) => join(dir, ...names);
before(async () => {
  browser = await launch();
  dir = scratch();
  run("synth", out("run"), "--cores", "2", "--launches", "6", "-q");
  run("synth", out("slow"), "--cores", "2", "--launches", "6", "--plant", "slow-kernel=rope:3", "-q");
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
  run("diff", out("run"), out("slow"), "-o", out("diff"), "-q");
  run("whatif", out("run"), "--scale", "tiu=2", "-o", out("whatif"));
  run("simulate", REAL, out("simulate"));
  for (const file of [out("diff/diff.html"), out("whatif/whatif.html"), out("simulate/simulate.html")]) await inBothThemes(file, tabs);
});

test("pages without the page's script", async () => {
  run("synth", out("chips"), "--cluster", "4", "--operations", "4", "--plant", "late-rank=3:1.3", "-q");
  run(out("chips/host0"), out("devices"), "--disable_doc", "--quiet");
  run("cluster", out("chips"), out("cluster"), "--quiet", "--emit", "page");
  run("batch", join(ROOT, "fixtures/real"), out("batch"), "--quiet");
  run("estimate", REAL, "--on", "aks,bm1688", "-o", out("estimate"));
  run("estimate", "--hf", join(ROOT, "crates/model/tests/llm/llama-7b.json"), "--on", "h100-sxm", "--batch", "8", "--context", "2048", "--tensor-parallel", "1,2", "-o", out("llm"));
  run("pipeline", "--schedule", "gpipe,1f1b", "--stages", "4", "--microbatches", "8", "--fwd", "1", "--bwd", "2", "-o", out("pipeline"));
  run("costs", out("run"), "-o", out("costs.json"));
  run("search", out("costs.json"), "--machine", "1x4", "--link-gbps", "50", "--link-latency", "1500", "--handed-bytes", "65536", "--ignore-memory", "-o", out("search"));
  for (const [dump, label] of [["run", "a"], ["slow", "b"]]) run("diff", "--history", out("history"), out(dump), "--label", label, "-q");
  for (const file of ["devices/devices.html", "cluster/cluster.html", "batch/index.html", "estimate/estimate.html", "llm/llm.html", "pipeline/pipeline.html", "search/pipeline.html", "history/history.html"]) {
    await inBothThemes(out(file), (page, check) => whole(page, (what) => check(`${file} ${what}`)));
  }
});
