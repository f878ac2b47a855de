// The Chinese page: what the analysis writes in English has Chinese words, over all fixtures and damaged copies of them.
import assert from "node:assert/strict";
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ROOT, fixture, launch, open, render, run, scratch } from "./support.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const FIXTURES = readdirSync(join(ROOT, "fixtures")).filter((name) => existsSync(join(ROOT, "fixtures", name, "dump")));

const report = (dump) => {
  try {
    return JSON.parse(run(dump, scratch(), "--emit", "report", "--json"));
  } catch {
    return null; // Too damaged to be opened.
  }
};

/** Copies of a dump, each damaged in one place. */
function* damaged(name) {
  const files = readdirSync(fixture(name)).filter((file) => file.endsWith(".profile") && file !== "global.profile" && statSync(join(fixture(name), file)).size > 4000);
  const copy = (change) => {
    const dir = join(scratch(), "dump");
    cpSync(fixture(name), dir, { recursive: true });
    change(dir);
    return dir;
  };
  for (const file of files.slice(0, 2)) {
    const size = statSync(join(fixture(name), file)).size;
    for (const share of [0.2, 0.55, 0.9]) yield copy((dir) => truncateSync(join(dir, file), Math.floor(size * share) | 1));
    yield copy((dir) => rmSync(join(dir, file)));
    for (const share of [0.3, 0.7]) {
      yield copy((dir) => {
        const bytes = readFileSync(join(dir, file));
        bytes.fill(0xa5, Math.floor(size * share), Math.floor(size * share) + 96);
        writeFileSync(join(dir, file), bytes);
      });
    }
  }
}

/** Numbers of a text, signs left out. */
const numbers = (text) => new Set(text.match(/\d+(\.\d+)?/g) ?? []);

/** What the Chinese text lacks: Chinese words at all, or a number of the English one. */
function lacks({ text, text_zh }) {
  if (!/[\u4e00-\u9fff]/.test(text_zh ?? "")) return [`no Chinese: ${text}`];
  const known = numbers(text_zh);
  return [...numbers(text)].filter((number) => !known.has(number)).map((number) => `${number} is missing in ${text_zh}: ${text}`);
}

test("notes, verdict, advice, evidence and places have Chinese words and the same numbers", { timeout: 300_000 }, () => {
  const wrong = new Set();
  const dumps = [...FIXTURES.map(fixture), ...["aks-mode2-sync", "aksv-mode2-cdma", "bm1688-bmodel", "aksv-mode1"].flatMap((name) => [...damaged(name)])];
  let notes = 0;
  for (const dump of dumps) {
    const found = report(dump);
    if (!found) continue;
    notes += found.ledger.notes.length;
    const { refusal, refusal_zh } = found.critical_path;
    const refused = refusal ? [{ text: refusal, text_zh: refusal_zh }] : [];
    const texts = [...found.ledger.notes, ...(found.ledger.completeness?.reasons ?? []), ...refused, ...found.advice, found.verdict];
    for (const { what, what_zh, place, place_zh } of found.advice.flatMap((advice) => advice.evidence)) {
      texts.push({ text: what, text_zh: what_zh });
      if (/^(core|port|kernel|all|each|of|other|loads)\b/.test(place)) texts.push({ text: place, text_zh: place_zh });
    }
    texts.flatMap(lacks).forEach((what) => wrong.add(what));
  }
  assert.ok(notes > 50, `only ${notes} notes`);
  assert.deepEqual([...wrong].sort(), []);
});

/** Texts of the page that are sentences of at least four English words. */
const englishTexts = (page) => page.evaluate(() => {
  const walker = document.createTreeWalker(document.getElementById("app"), NodeFilter.SHOW_TEXT);
  const found = new Set();
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const text = node.textContent.trim();
    if (!node.parentElement.closest("script, style, code") && /([A-Za-z][a-z]+[ ,]+){3}[a-z]+/.test(text)) found.add(text);
  }
  return [...found];
});

for (const name of ["aks-mode2-sync", "aksv-mode2-cdma", "aksv-lost-records", "aks-layers"]) {
  test(`no English sentence is left in any view of ${name}`, async () => {
    const { page, errors } = await open(browser, render(fixture(name)).file, { hash: "lang=zh", locale: "zh-CN" });
    for (const tab of ["overview", "timeline", "compare", "memory", "find"]) {
      await page.click(`#tab-${tab}`);
      await page.waitForTimeout(400);
      assert.deepEqual(await englishTexts(page), [], tab);
    }
    assert.deepEqual(errors, []);
    await page.context().close();
  });
}

test("pages open in the language that the program was asked for, unless their reader chose another", async () => {
  const files = (lang) => {
    const cluster = scratch();
    const dumps = join(scratch(), "run");
    run("synth", dumps, "--cluster", "2", "--operations", "2", "--quiet");
    run("cluster", dumps, cluster, "--quiet", "--emit", "page", ...lang);
    return [render(fixture("aks-mode2-sync"), ...lang).file, join(cluster, "cluster.html")];
  };
  const shown = async (file, options) => {
    const { hash = "", locale = "en-US" } = options ?? {};
    const context = await browser.newContext({ locale, offline: true });
    const page = await context.newPage();
    await page.goto(`file://${file}#${hash}`);
    await page.waitForSelector("header button");
    const told = [await page.getAttribute("html", "lang"), (await page.textContent("header")).includes("English")];
    await context.close();
    return told;
  };
  const inChinese = ["zh-CN", true];
  const inEnglish = ["en", false];
  for (const file of files(["--lang", "zh"])) {
    assert.match(readFileSync(file, "utf8").slice(0, 60), /<html lang="zh-CN" data-lang="zh">/);
    assert.deepEqual(await shown(file), inChinese);
    assert.deepEqual(await shown(file, { hash: "lang=en" }), inEnglish);
  }
  for (const file of files([])) {
    assert.deepEqual(await shown(file), inEnglish);
    assert.deepEqual(await shown(file, { locale: "zh-CN" }), inChinese);
  }
  const [own] = files(["--lang", "en"]);
  assert.deepEqual(await shown(own, { locale: "zh-CN" }), inEnglish);
});
