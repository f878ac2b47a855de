// The Chinese page: what the analysis writes in English has Chinese words, over all fixtures and damaged copies of them.
import assert from "node:assert/strict";
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { ROOT, fixture, launch, open, render, run, scratch } from "./support.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const FIXTURES = readdirSync(join(ROOT, "fixtures")).filter((name) => existsSync(join(ROOT, "fixtures", name, "dump")));

/** The translators, made of their sources; the language is Chinese. */
async function words() {
  globalThis.location = { hash: "#lang=zh" };
  globalThis.window = { addEventListener() {}, setTimeout };
  const modules = ["ui/notewords", "views/overview/answers/words", "views/overview/answers/places", "views/runs/causewords"];
  const source = modules.map((name) => `export * from "./src/${name}";`).join("\n");
  const out = join(scratch(), "words.mjs");
  await build({ stdin: { contents: source, resolveDir: join(ROOT, "crates/emit-web/page") }, bundle: true, format: "esm", outfile: out, logLevel: "error" });
  return import(out);
}

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

const isEnglish = (text) => !/[\u4e00-\u9fff]/.test(text) && /[a-z]{2,} [a-z]{2,}/.test(text);

test("the verdicts of one run and of two have Chinese words", async () => {
  const { sentence, changeWords } = await words();
  const bound = "No cause stands out. Transfer from and to DDR takes 74% of the critical path: move fewer bytes (keep data in local memory or L2M, use a smaller data type). If it took no time, the run would take 108.2 instead of 304.0 us (-64.4 %), and computation by the TIU would be the next bound. Most of the path is in layer 5 80_Relu (Conv2D): 10%.";
  for (const part of ["74% 是与 DDR 之间的搬运：请减少搬运字节", "108.2 us，而不是 304.0 us", "其后的瓶颈是 TIU 计算", "层 5 80_Relu (Conv2D)：10%"]) assert.ok(sentence(bound).includes(part), sentence(bound));
  assert.ok(sentence("6 kinds of TIU commands fill less than half of the arrays: pad. Most of this is in layer 5 80_Relu (Conv2D): 32%.").endsWith("其中最多的在层 5 80_Relu (Conv2D)：32%。"));
  assert.equal(
    changeWords("622.5 us instead of 436.4 us (+186.1 us, +42.64 %). Core 1 takes 1.50 times as long for the same commands in 11 of 11 kernels: +186.1 us of +186.1 us: check clock and memory channel there."),
    "622.5 us，之前为 436.4 us（+186.1 us, +42.64 %）。核 1 执行相同指令的耗时是之前的 1.50 倍（11 个核函数中的 11 个）：+186.1 us 中的 +186.1 us。请检查其时钟与内存通道。",
  );
  assert.equal(changeWords("rope moves 2.00 times the bytes (DDR transfer): +3.000 us"), "rope 搬运的字节是之前的 2.00 倍 (DDR transfer)：+3.000 us");
});

test("notes, advice, evidence and places have Chinese words", { timeout: 300_000 }, async () => {
  const { chineseNote, sentence, evidenceName, placeText } = await words();
  const English = new Set();
  const dumps = [...FIXTURES.map(fixture), ...["aks-mode2-sync", "aksv-mode2-cdma", "bm1688-bmodel", "aksv-mode1"].flatMap((name) => [...damaged(name)])];
  let notes = 0;
  for (const dump of dumps) {
    const found = report(dump);
    if (!found) continue;
    for (const note of found.ledger.notes) {
      // The report has the place in the sentence, the page next to it.
      const text = note.text.replace(/^[^:]*?\.(profile|json|gz)( at byte \d+)?: /, "").replace(/ \((under )?[\d.]+% of the file\)$/, "");
      notes++;
      if (chineseNote(text) === null) English.add(`note: ${text}`);
    }
    const { refusal } = found.critical_path;
    if (refusal && chineseNote(refusal) === null) English.add(`refusal: ${refusal}`);
    for (const { text, evidence } of found.advice) {
      if (isEnglish(sentence(text))) English.add(`advice: ${text}`);
      for (const { what, place } of evidence) {
        if (!/[\u4e00-\u9fff]/.test(evidenceName(what))) English.add(`evidence: ${what}`);
        if (isEnglish(placeText(place))) English.add(`place: ${place}`);
      }
    }
  }
  assert.ok(notes > 50, `only ${notes} notes`);
  assert.deepEqual([...English].sort(), []);
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
