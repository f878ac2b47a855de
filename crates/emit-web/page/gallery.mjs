// Takes pictures of all pages that the program writes, to be looked at: node gallery.mjs DIRECTORY [NAME...]
// Each page, and each tab of the pages with tabs, at four widths, in both themes and both languages, and as paper shows it; then sheets of
// them: NAME.png has all pictures of NAME. With FEW=1 each width and paper in one theme and language only, by turns.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pagesOfTwoRuns, plainPages, twoRuns } from "./tests/all-pages.mjs";
import { launch, run } from "./tests/support.mjs";

const WIDTHS = [[800, 900], [1280, 800], [1920, 1080], [3840, 2160]];
const TABS = ["overview", "timeline", "whatif", "compare", "memory", "find"];

/** Views of a page: width, theme, language, paper or screen. */
function views() {
  const all = WIDTHS.flatMap(([width, height]) => ["light", "dark"].flatMap((theme) => ["en", "zh"].map((language) => ({ width, height, theme, language, media: "screen" }))));
  const paper = ["en", "zh"].map((language) => ({ width: 1100, height: 800, theme: "dark", language, media: "print" }));
  const few = all.filter((_, at) => [0, 3, 6, 5, 11, 8, 13, 14].includes(at));
  return process.env.FEW ? [...few, paper[1]] : [...all, ...paper];
}

/** Files by the names of their pictures; `tabs`: of a run or of two. */
function pages(given) {
  if (given) return JSON.parse(readFileSync(given, "utf8"));
  const dir = twoRuns();
  run("synth", join(dir, "many"), "--launches", "12", "--plant", "slow-kernel=rope:6", "-q");
  run(join(dir, "many"), join(dir, "result"), "--disable_doc", "--quiet");
  const result = join(dir, "result/PerfWeb/result.html");
  const named = (file) => [`${basename(dirname(file))}-${basename(file, ".html")}`, { file }];
  const tabs = TABS.map((tab) => [`result-${tab}`, { file: result, tab }]);
  return Object.fromEntries([...tabs, ...pagesOfTwoRuns(dir).map(named), ...plainPages(dir).map(named)]);
}

/** A picture of a page from its top; of pages without tabs at least, the whole. */
async function picture(browser, { file, tab }, { width, height, theme, language, media }) {
  const context = await browser.newContext({ viewport: { width, height }, locale: language === "zh" ? "zh-CN" : "en-US", offline: true, colorScheme: theme });
  context.setDefaultTimeout(180_000);
  const page = await context.newPage();
  await page.goto(`file://${file}#lang=${language}&theme=${theme}${tab ? `&tab=${tab}` : ""}`);
  await page.waitForSelector("h1, [role=tab]");
  // Pages without scripts have a button.
  if (language === "zh" && (await page.$("#zh"))) await page.click("label[for=zh]");
  await page.waitForTimeout(1200);
  if (media === "print") {
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    await page.waitForTimeout(300);
  }
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  const png = await page.screenshot({ fullPage: !tab, timeout: 180_000 });
  await context.close();
  return { png, wide };
}

/** All pictures of a page side by side, a third of their size for wide windows. */
async function sheet(browser, made) {
  const page = await (await browser.newContext({ viewport: { width: 1960, height: 400 } })).newPage();
  const cell = ({ name, png }) => `<figure style="margin:0;max-height:900px;overflow:hidden"><figcaption>${name}</figcaption><img style="width:100%" src="data:image/png;base64,${png.toString("base64")}"></figure>`;
  await page.setContent(`<body style="margin:0;background:#f0f;font:12px sans-serif;display:grid;grid-template-columns:repeat(3,1fr);gap:4px;align-items:start">${made.map(cell).join("")}`);
  const png = await page.screenshot({ fullPage: true, timeout: 180_000 });
  await page.context().close();
  return png;
}

const [to, ...names] = process.argv.slice(2);
mkdirSync(to, { recursive: true });
const browser = await launch();
for (const [name, page] of Object.entries(pages(process.env.PAGES))) {
  if (names.length > 0 && !names.includes(name)) continue;
  const made = [];
  for (const view of views()) {
    const { png, wide } = await picture(browser, page, view);
    const of = `${name}-${view.width}-${view.theme}-${view.language}-${view.media}`;
    if (wide > 0) console.log(`${of}: ${wide} px wider than the window`);
    writeFileSync(join(to, `${of}.png`), png);
    made.push({ name: of, png });
  }
  writeFileSync(join(to, `${name}.png`), await sheet(browser, made));
  console.log(name);
}
await browser.close();
