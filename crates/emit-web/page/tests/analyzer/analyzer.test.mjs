// The analyzer in one HTML file, opened from disk: every byte of its results is the program's.
// ANALYZER is the file; `cargo run -p xtask -- browser` builds it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { BINARY, ROOT, fixture, launch, scratch } from "../support.mjs";
import { FILE, REAL, assertSame, digest, dumps, results, tree, written } from "./program.mjs";

let browser;
before(async () => {
  assert.ok(existsSync(FILE), `${FILE} is missing; build it with: cargo run -p xtask -- browser`);
  browser = await launch();
});
after(() => browser?.close());

/** The page from disk, in a browser without a network; `errors` collects what its console complains about. */
async function open(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US", offline: true, ...options });
  const page = await context.newPage();
  const errors = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`file://${FILE}`);
  await page.waitForSelector(".start");
  return { page, errors };
}

/** The results of files that are chosen: name and hash of each, or the sentence that they end with. */
async function analyzed(page, field, files) {
  await page.evaluate(() => delete window.bigtpuResults);
  if (await page.locator("#another").count()) await page.click("#another");
  await page.setInputFiles(field, files);
  await page.waitForFunction(() => window.bigtpuResults || !document.querySelector(".message").hidden, null, { timeout: 120_000 });
  return page.evaluate(results);
}

test("each dump has the program's bytes", async () => {
  const { page, errors } = await open();
  for (const dump of dumps()) {
    const results = await analyzed(page, "#directory", dump);
    assertSame(results, written(dump), dump);
    assert.ok(results.files["PerfWeb/result.html"] && results.files["report.json"], dump);
  }
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("the page of the run is shown in place, as its file is", async () => {
  const { page, errors } = await open();
  await analyzed(page, "#directory", join(REAL, "cdm_profile_data_dev0_bm1690"));
  const frame = page.frameLocator("iframe");
  await frame.locator("[role=tab]").first().waitFor();
  assert.match(await page.locator(".outputs .run").textContent(), /cdm_profile_data_dev0_bm1690/);
  assert.ok(await page.evaluate(() => {
    const file = window.bigtpuResults.files.find(({ name }) => name === "PerfWeb/result.html");
    return document.querySelector("iframe").srcdoc === new TextDecoder().decode(file.bytes);
  }));
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("a[data-file='perfetto.pftrace']").first().click()]);
  assert.equal(digest(await download.path()), written(join(REAL, "cdm_profile_data_dev0_bm1690"))["perfetto.pftrace"]);
  assert.match(download.suggestedFilename(), /perfetto\.pftrace$/);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("an archive with a trace of the host", async () => {
  const { page, errors } = await open();
  const dump = fixture("aksv-mode1");
  const dir = scratch();
  const archive = join(dir, "run.tar.gz");
  execFileSync("tar", ["-czf", archive, "-C", join(dump, ".."), "dump"]);
  const host = join(ROOT, "fixtures/host/torch_alexnet.json.gz");
  const results = await analyzed(page, "#files", [archive, host]);
  const expected = written(dump, "--trace_file", host);
  // Notes elsewhere name the path of the host's trace.
  assert.equal(results.files?.["perfetto.pftrace"], expected["perfetto.pftrace"], results.sentence);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("two dumps are shown beside each other and compared", async () => {
  const { page, errors } = await open();
  const dir = scratch();
  execFileSync("mkdir", ["-p", join(dir, "both")]);
  for (const [name, from] of [["run1_dev0-0", "aksv-mode1"], ["run2_dev0-0", "aks-mode1-batch"]]) {
    execFileSync("cp", ["-r", fixture(from), join(dir, "both", name)]);
  }
  const both = await analyzed(page, "#directory", join(dir, "both"));
  const isCompared = (name) => name.startsWith("diff/");
  const of = (suits) => Object.fromEntries(Object.entries(both.files).filter(([name]) => suits(name)));
  assertSame({ files: of((name) => !isCompared(name)) }, written(join(dir, "both")), "two dumps");
  const out = scratch();
  execFileSync(BINARY, ["diff", "both/run1_dev0-0", "both/run2_dev0-0", "-o", out], { cwd: dir, stdio: "pipe" });
  const compared = Object.entries(tree(out)).map(([name, hash]) => [`diff/${name}`, hash]);
  assertSame({ files: of(isCompared) }, Object.fromEntries(compared), "their comparison");
  assert.deepEqual(both.dumps, ["run1_dev0-0", "run2_dev0-0"]);
  const chosen = page.locator(".outputs select");
  assert.equal(await chosen.inputValue(), "diff/diff.html");
  await page.frameLocator("iframe").locator("h1").first().waitFor();
  await chosen.selectOption("devices.html");
  await page.frameLocator("iframe").locator("a[href^='run2_dev0-0/']").first().click();
  await page.frameLocator("iframe").locator("[role=tab]").first().waitFor();
  assert.equal(await chosen.inputValue(), "run2_dev0-0/PerfWeb/result.html");
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("ranks that links join are shown as a cluster, whose links lead to the pages of the ranks", async () => {
  const { page, errors } = await open();
  const ranksOf = join(scratch(), "ranks");
  execFileSync(BINARY, ["synth", ranksOf, "--cluster", "4", "--plant", "late-rank=2:1.3"], { stdio: "pipe" });
  const dir = join(ranksOf, "host0");
  const ranks = await analyzed(page, "#directory", dir);
  assertSame(ranks, written(dir), "ranks");
  assert.equal(ranks.dumps.length, 4);
  const chosen = page.locator(".outputs select");
  const first = await chosen.inputValue();
  assert.match(first, /(^|\/)cluster\.html$/);
  assert.ok(ranks.files[first]);
  // A rank is opened by the keyboard; its details link to its own page.
  await page.frameLocator("iframe").locator("canvas.heat").press("ArrowDown");
  await page.frameLocator("iframe").locator("canvas.heat").press("Enter");
  const link = page.frameLocator("iframe").locator("a[href$='result.html']").first();
  const href = await link.getAttribute("href");
  await link.click();
  await page.frameLocator("iframe").locator("[role=tab]").first().waitFor();
  assert.equal(await chosen.inputValue(), href);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("what is wrong is said with the program's sentence, and the page goes on", async () => {
  const { page } = await open();
  const dir = scratch();
  const damaged = join(dir, "damaged.tar.gz");
  writeFileSync(damaged, Buffer.from([0x1f, 0x8b, 8, 1, 2, 3]));
  assert.match((await analyzed(page, "#files", damaged)).sentence, /^FAILED: damaged\.tar\.gz: /);
  const results = await analyzed(page, "#directory", fixture("aksv-lost-records"));
  assert.ok(results.hasLoss);
  assert.equal(await page.locator(".outputs .loss").textContent(), "Data was lost");
  assert.ok(await page.locator(".message").isHidden());
  await page.context().close();
});

test("an analysis can be cancelled, and language and theme chosen", async () => {
  const { page, errors } = await open({ locale: "zh-CN" });
  assert.match(await page.locator(".start").textContent(), /拖到这里/);
  await page.click("#theme");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await page.setInputFiles("#directory", fixture("aks-long-kernel"));
  await page.click("#cancel");
  await page.waitForSelector("#directory", { state: "attached" });
  const results = await analyzed(page, "#directory", fixture("aksv-lost-records"));
  assert.match(results.notes.join("\n"), /[\u4e00-\u9fff]/);
  assertSame(results, written(fixture("aksv-lost-records"), "--lang", "zh"), "Chinese");
  const html = page.frameLocator("iframe").locator("html");
  await page.frameLocator("iframe").locator("[role=tab]").first().waitFor();
  assert.equal(await html.getAttribute("data-theme"), "dark");
  assert.equal(await html.getAttribute("lang"), "zh-CN");
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("the file is small, and refers to nothing outside of it", () => {
  const text = readFileSync(FILE, "utf8");
  assert.ok(text.length <= 8 << 20, `${text.length} bytes`);
  assert.match(text, /default-src 'none'/);
  assert.doesNotMatch(text.replace(/<script type="text\/plain" id="module">[^<]*/, ""), /(src|href)=["']?https?:/);
});
