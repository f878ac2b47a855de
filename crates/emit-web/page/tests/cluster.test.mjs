// The page of all ranks of a cluster: drawn first, then all its sections; each click by pointer and by keyboard.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, run, scratch } from "./support.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

/** The page of a generated cluster. */
function pageOf(...options) {
  const dir = scratch();
  run("synth", join(dir, "run"), "--quiet", "--cluster", ...options);
  run("cluster", join(dir, "run"), join(dir, "out"), "--quiet", "--emit", "page");
  return join(dir, "out/cluster.html");
}

/** Opens it; `errors` are whatever the console complains about, except that these tests read pixels. */
async function open(file, { hash = "", ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US", offline: true, ...options });
  context.setDefaultTimeout(150_000);
  const page = await context.newPage(), errors = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !message.text().includes("willReadFrequently") && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`file://${file}${hash}`);
  await page.waitForSelector("html[data-ready]");
  return { page, errors, opened: () => page.textContent("aside h2"), tip: () => page.textContent(".heatbox .tip") };
}

/** Colours of the heat table: how many pixels have each. */
const colors = (page) => page.evaluate(() => {
  const canvas = document.querySelector("canvas.heat"), { data } = canvas.getContext("2d").getImageData(60, 0, canvas.width - 60, canvas.height);
  const counts = {};
  for (let at = 0; at < data.length; at += 4) {
    const key = "#" + [0, 1, 2].map((i) => data[at + i].toString(16).padStart(2, "0")).join("");
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
});

const eight = pageOf("8", "--operations", "12", "--plant", "late-rank=3:1.3", "--plant", "retries=5>6");

test("the late rank is open at once, and its computation is what the table shows", async () => {
  const { page, errors, opened } = await open(eight);
  assert.match(await page.textContent("h1"), /^Rank 3 is late in 12 of 12 operations/);
  assert.match(await opened(), /^r3 /);
  const counts = await colors(page), all = Object.values(counts).reduce((a, b) => a + b);
  assert.ok(counts["#3f6fd8"] > 0.3 * all, JSON.stringify(counts));
  const sections = await page.$$eval(".content > section", (all) => all.map((s) => s.id));
  assert.deepEqual(sections, ["heat-section", "stragglers", "links", "operations", "path", "whatif", "clocks", "notes"]);
  assert.deepEqual(errors, []);
});

test("a click opens a rank, a link, a pair's operation, and an operation's rank", async () => {
  const { page, errors, opened, tip } = await open(eight);
  const box = await page.locator("canvas.heat").boundingBox();
  const row = (box.height / 8) * 6.5;
  await page.mouse.move(box.x + box.width / 2, box.y + row);
  assert.match(await tip(), /^r6 \(host0 dev6\) · [\d.]+ ms: /);
  await page.mouse.click(box.x + box.width / 2, box.y + row);
  assert.match(await opened(), /^r6 /);
  await page.click("#links tbody tr:has-text('r5 port 1 > r6')");
  assert.match(await opened(), /^r5 port 1 > r6 port 0$/);
  assert.match(await page.textContent("aside dl"), /Retries[1-9]/);
  await page.click("aside tbody tr");
  assert.match(await opened(), /^Operation \d+: all_reduce$/);
  await page.click("aside tbody tr:has-text('r2')");
  assert.match(await opened(), /^r2 /);
  await page.click("#links canvas", { position: { x: 34 + 3.5 * 27.5, y: 34 + 2.5 * 27.5 } });
  assert.match(await opened(), /^r2 port \d > r3 port \d$/);
  for (let x = 60; x < 300 && !/^Operation/.test(await opened()); x += 7) await page.click("canvas.axis", { position: { x, y: 30 } });
  assert.match(await opened(), /^Operation 0: all_reduce$/);
  for (const [id, what] of [["stragglers", /^r3 /], ["operations h3 + div", /^Operation 0: /], ["path", /^r\d/], ["clocks", /^r0 /]]) {
    await page.click(`#${id} tbody tr`);
    assert.match(await opened(), what, id);
  }
  assert.deepEqual(errors, []);
});

test("the keyboard does what the pointer does", async () => {
  const { page, errors, opened, tip } = await open(eight);
  await page.focus("canvas.heat");
  await page.keyboard.press("ArrowDown");
  assert.match(await tip(), /^r4 /);
  await page.keyboard.press("Enter");
  assert.match(await opened(), /^r4 /);
  await page.keyboard.press("End");
  assert.match(await tip(), /^r7 /);
  await page.keyboard.press("Home");
  assert.match(await tip(), /^r0 /);
  const before = await colors(page);
  for (const key of ["+", "+", "+", "ArrowRight"]) await page.keyboard.press(key);
  assert.notDeepEqual(await colors(page), before);
  await page.focus("#links tbody tr");
  await page.keyboard.press("Enter");
  assert.match(await opened(), /port/);
  await page.focus("aside tbody tr");
  await page.keyboard.press("Space");
  assert.match(await opened(), /^Operation/);
  await page.focus("#operations th button");
  await page.keyboard.press("Enter");
  assert.equal(await page.getAttribute("#operations th", "aria-sort"), "ascending");
  assert.deepEqual(errors, []);
});

test("dragging and the wheel zoom, and the whole comes back", async () => {
  const { page } = await open(eight);
  const box = await page.locator("canvas.heat").boundingBox(), whole = await colors(page);
  const y = box.y + 10;
  await page.mouse.move(box.x + 200, y);
  await page.mouse.down();
  await page.mouse.move(box.x + 260, y);
  await page.mouse.up();
  const dragged = await colors(page);
  assert.notDeepEqual(dragged, whole);
  await page.keyboard.down("Shift");
  await page.mouse.wheel(0, -300);
  await page.keyboard.up("Shift");
  assert.notDeepEqual(await colors(page), dragged);
  await page.mouse.move(0, 0);
  await page.click(".tools button:text-is('all')");
  assert.equal((await colors(page))["#3f6fd8"], whole["#3f6fd8"]);
});

test("64 ranks: rows grow and shrink, only those in sight are drawn, and names stay beside them", async () => {
  const { page, errors, opened } = await open(pageOf("64", "--operations", "2", "--chunks", "1", "--devices-per-host", "8"));
  const height = () => page.evaluate(() => [document.querySelector(".rows").scrollHeight, document.querySelector("canvas.heat").height]);
  assert.deepEqual(await height(), [512, 512]);
  for (let i = 0; i < 2; i++) await page.click("text=higher rows");
  assert.deepEqual(await height(), [64 * 22, 600]);
  assert.match(await page.textContent("section .tools"), /rows \d+ to \d+ of 64: scroll/);
  await page.focus("canvas.heat");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  assert.match(await opened(), /^r63 \(host7 dev7\)$/);
  assert.equal(await page.evaluate(() => document.querySelector(".rows").scrollTop), 64 * 22 - 600);
  assert.match(await page.textContent("section .tools"), /rows 37 to 64 of 64: scroll/);
  for (let i = 0; i < 4; i++) await page.click("text=lower rows");
  assert.deepEqual(await height(), [128, 128]);
  assert.deepEqual(errors, []);
});

test("dark, narrow, Chinese: nothing is cut, no sentence is left in English, the panel is a sheet that closes", async () => {
  for (const file of [eight, pageOf("4", "--topology", "pipeline-backward"), pageOf("4", "--plant", "two-islands", "--moments", "none")]) {
    const { page, errors } = await open(file, { viewport: { width: 800, height: 900 }, colorScheme: "dark", locale: "zh-CN" });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 800);
    assert.equal(await page.isVisible("aside"), false);
    for (const part of ["#links tbody tr", "#operations h3 + div tbody tr", "#clocks tbody tr"]) {
      await page.click(part);
      assert.equal(await page.isVisible("aside"), true);
      const texts = await page.evaluate(() => {
        const walker = document.createTreeWalker(document.getElementById("app"), NodeFilter.SHOW_TEXT), found = [];
        while (walker.nextNode()) found.push(walker.currentNode.data);
        return [...found, ...[...document.querySelectorAll("[title]")].map((node) => node.title)];
      });
      assert.deepEqual(texts.filter((text) => /[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}/.test(text)), []);
    }
    await page.click("aside .close");
    assert.equal(await page.isVisible("aside"), false);
    assert.deepEqual(errors, []);
  }
});
