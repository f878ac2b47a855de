// What all pages share: they fit windows from 800 to 3840 pixels in both languages and themes, their buttons choose these, and paper is light.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pagesOfTwoRuns, plainPages, twoRuns } from "./all-pages.mjs";
import { launch, render } from "./support.mjs";

const WIDTHS = [800, 1280, 1920, 3840];
// Pixels between the margins of the printer.
const A4 = 718;
const isPlain = (file) => !/(result|diff|whatif|simulate|cluster)\.html$/.test(file);

let browser, files;
before(async () => {
  browser = await launch();
  const dir = twoRuns();
  files = [render(join(dir, "slow")).file, ...pagesOfTwoRuns(dir), ...plainPages(dir)];
});
after(() => browser?.close());

async function visit(file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US", offline: true, ...options });
  context.setDefaultTimeout(90_000);
  const page = await context.newPage(), errors = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`file://${file}`);
  await page.waitForSelector(isPlain(file) ? "h1" : file.endsWith("cluster.html") ? "html[data-ready]" : "[role=tab]");
  return { page, errors };
}

const ground = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const [LIGHT, DARK, PAPER] = ["rgb(246, 247, 249)", "rgb(20, 24, 31)", "rgb(255, 255, 255)"];

test("no page is wider than its window, in both languages", async () => {
  const found = [];
  for (const file of files) {
    for (const locale of ["en-US", "zh-CN"]) {
      const { page, errors } = await visit(file, { locale });
      if (isPlain(file) && locale === "zh-CN") await page.click("label[for=zh]");
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        await page.waitForTimeout(100);
        const needed = await page.evaluate(() => document.documentElement.scrollWidth);
        if (needed > width) found.push(`${file} ${locale}: ${needed} px in ${width}`);
      }
      found.push(...errors.map((error) => `${file}: ${error}`));
      await page.context().close();
    }
  }
  assert.deepEqual(found, []);
});

test("no page is wider than a sheet of A4, in both languages", async () => {
  const found = [];
  for (const file of files) {
    for (const locale of ["en-US", "zh-CN"]) {
      const { page } = await visit(file, { locale, viewport: { width: A4, height: 1000 } });
      if (isPlain(file) && locale === "zh-CN") await page.click("label[for=zh]");
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      await page.emulateMedia({ media: "print" });
      const needed = await page.evaluate(() => document.documentElement.scrollWidth);
      if (needed > A4) found.push(`${file} ${locale}: ${needed} px in ${A4}`);
      await page.context().close();
    }
  }
  assert.deepEqual(found, []);
});

test("the theme is the system's, the button has the other one, and paper is light", async () => {
  for (const file of files) {
    for (const [colorScheme, own, other] of [["light", LIGHT, DARK], ["dark", DARK, LIGHT]]) {
      const { page } = await visit(file, { colorScheme });
      assert.equal(await ground(page), own, file);
      await page.click(isPlain(file) ? "label[for=theme]" : "text=◐");
      await page.waitForFunction((colour) => getComputedStyle(document.body).backgroundColor === colour, other);
      await page.emulateMedia({ media: "print" });
      assert.equal(await ground(page), PAPER, file);
      await page.context().close();
    }
  }
});

test("canvases are light on paper too", async () => {
  const corner = (page, selector) => page.$eval(selector, (canvas) => [...canvas.getContext("2d").getImageData(canvas.width - 2, 2, 1, 1).data].join());
  const { page } = await visit(files.find((file) => file.endsWith("cluster.html")), { colorScheme: "dark" });
  const selector = "canvas.heat", dark = await corner(page, selector);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.notEqual(await corner(page, selector), dark);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.equal(await corner(page, selector), dark);
  await page.context().close();
  const run = (await visit(files[0], { colorScheme: "dark" })).page;
  const theme = () => run.evaluate(() => document.documentElement.dataset.theme);
  await run.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal(await theme(), "light");
  await run.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.equal(await theme(), "dark");
  await run.context().close();
});

test("a page without a script is in one language at a time", async () => {
  for (const file of files.filter(isPlain)) {
    const { page } = await visit(file);
    const shown = (language) => page.locator(`main span[lang=${language}]:visible`).count();
    assert.ok((await shown("en")) > 3 && (await shown("zh")) === 0, file);
    await page.click("label[for=zh]");
    assert.ok((await shown("zh")) > 3 && (await shown("en")) === 0, file);
    await page.context().close();
  }
});
