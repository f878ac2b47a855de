// Figures lead to their definitions, which are sentences of the documentation, and to the commands that they are made of.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ROOT, fixture, launch, open, render } from "./support.mjs";

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
const DEFINITIONS = read("../src/ui/definitions.json");
const OF_CLUSTERS = read("../../../emit-cluster/page/definitions.json");

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

test("definitions are sentences of their section in the docs", () => {
  const plain = (text) => text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/\s+/g, " ");
  const anchor = (title) => title.toLowerCase().replace(/[^a-z0-9 -]/g, "").replace(/ /g, "-");
  const sections = (file) => {
    const found = new Map();
    let titles = [];
    for (const line of readFileSync(join(ROOT, "docs", file), "utf8").split("\n")) {
      const title = /^(#{1,3}) (.*)/.exec(line);
      if (title) titles = [...titles.filter(([depth]) => depth < title[1].length), [title[1].length, anchor(title[2])]];
      for (const [, at] of titles) found.set(at, `${found.get(at) ?? ""} ${line}`);
    }
    return found;
  };
  for (const { file, section, en, zh } of [...DEFINITIONS, ...OF_CLUSTERS]) {
    const text = sections(file ?? "analysis.md").get(section);
    assert.ok(text && plain(text).includes(plain(en)), `${file} ${section}: ${en}`);
    assert.ok(zh.length > 5);
  }
  for (const { file, zh } of OF_CLUSTERS) {
    const text = readFileSync(join(ROOT, "docs", file.replace(".md", ".zh-CN.md")), "utf8");
    assert.ok(plain(text).includes(zh), zh);
  }
});

test("every panel with numbers explains them", async () => {
  const pages = ["aksv-mode2-cdma", "bm1688-layers"].map((name) => render(fixture(name)).file);
  // What needs no definition: facts of the chip, and kernels of a prediction (as those of the run).
  const facts = ["Configuration of the chip", "Kernels"];
  for (const file of pages) {
    for (const tab of ["overview", "compare", "memory", "find", "whatif"]) {
      const { page, errors } = await open(browser, file, { hash: `lang=en&tab=${tab}` });
      await page.waitForSelector(`#panel-${tab} .explain`);
      // Panels that read the commands first are there when nothing is read any more.
      await page.waitForFunction((name) => !/Reading …|Loading …/.test(document.querySelector(`#panel-${name}`).textContent), tab);
      const without = await page.$$eval(`#panel-${tab} h2`, (all) => all.filter((title) => {
        // A folded panel has it below its summary: no button may stand within another.
        const summary = title.closest("summary");
        // A topic holds panels, each of which explains its own numbers.
        if (summary?.parentElement.matches("details.topic")) return false;
        return title.offsetParent && !(summary ? summary.parentElement.querySelector(":scope > .explain") : title.querySelector(".explain"));
      }).map((title) => title.firstChild.textContent.trim()));
      assert.deepEqual(without.filter((title) => !facts.includes(title)), [], tab);
      const twice = await page.$$eval(`#panel-${tab} h2`, (all) => all.filter((title) => title.querySelectorAll(".explain").length > 1).map((title) => title.textContent));
      assert.deepEqual(twice, [], tab);
      assert.deepEqual(errors, []);
      await page.context().close();
    }
  }
});

for (const lang of ["en", "zh"]) {
  test(`panels explain their numbers: ${lang}`, async () => {
    const { page, errors } = await open(browser, render(fixture("aks-mode2-sync")).file, { hash: `lang=${lang}&tab=overview` });
    const sections = await page.$$eval(".explain", (all) => all.map((e) => e.dataset.section));
    for (const section of ["events", "verdict", "intervals", "critical-path", "roofline", "bubbles"]) assert.ok(sections.includes(section), section);
    await page.click("#phases .explain summary");
    assert.ok((await page.textContent("#phases .explain-text")).includes(DEFINITIONS.find((d) => d.at === "phases")[lang].slice(0, 12)));
    await page.click("#phases .explain-text button");
    await page.waitForSelector("#tab-find[aria-selected=true]");
    assert.equal(await page.inputValue("#find-role"), "work");
    assert.deepEqual(errors, []);
    await page.context().close();
  });
}
