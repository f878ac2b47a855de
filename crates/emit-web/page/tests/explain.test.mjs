// Figures lead to their definitions, which are sentences of the documentation, and to the commands that they are made of.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ROOT, fixture, launch, open, render } from "./support.mjs";

const DEFINITIONS = JSON.parse(readFileSync(new URL("../src/ui/definitions.json", import.meta.url), "utf8"));

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

test("definitions are sentences of their section in docs/analysis.md", () => {
  const plain = (text) => text.replace(/\s+/g, " ");
  const anchor = (title) => title.toLowerCase().replace(/ /g, "-");
  const sections = new Map(readFileSync(join(ROOT, "docs/analysis.md"), "utf8").split("\n## ").slice(1).map((text) => [anchor(text.split("\n", 1)[0]), plain(text)]));
  for (const { section, en, zh } of DEFINITIONS) {
    assert.ok(sections.get(section)?.includes(plain(en)), `${section}: ${en}`);
    assert.ok(zh.length > 5);
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
