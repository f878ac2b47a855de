// What leaves the page: notes in the link, pictures.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fixture, launch, open, render } from "./support.mjs";

let browser, file;
before(async () => {
  browser = await launch();
  ({ file } = render(fixture("aks-mode2-sync")));
});
after(() => browser.close());

const settled = (page) => page.waitForFunction(() => window.bigtpu?.firstPicture > 0);

async function saved(page, click) {
  const [download] = await Promise.all([page.waitForEvent("download"), click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

test("a note stands in the link, whatever it says", async () => {
  const { page, errors } = await open(browser, file, { hash: "lang=en&tab=timeline" });
  await settled(page);
  const words = "late | 50% ~ <b>why</b>? 慢 #1&x=2";
  const box = await page.locator(".tl-plot").boundingBox();
  await page.mouse.move(box.x + 300, box.y + 40);
  await page.keyboard.press("k");
  await page.waitForSelector(".tl-notes input:focus");
  await page.keyboard.type(words);
  await page.waitForTimeout(400);
  const hash = await page.evaluate(() => location.hash.slice(1));
  assert.deepEqual(errors, []);
  await page.context().close();
  const again = await open(browser, file, { hash });
  await settled(again.page);
  await again.page.click("text=Notes, share (1)");
  assert.equal(await again.page.inputValue(".tl-notes input"), words);
  await again.page.click(".tl-notes button[title='Remove the note']");
  await again.page.waitForFunction(() => !document.querySelector(".tl-notes input"));
  await again.page.context().close();
});

test("a notebook's frame opens the page where its name says", async () => {
  const { page, errors } = await open(browser, file, { hash: "lang=en" });
  await page.evaluate((text) => {
    const frame = Object.assign(document.createElement("iframe"), { name: "lang=en&at=roofline", width: 1100, height: 500, srcdoc: text });
    frame.setAttribute("sandbox", "allow-scripts");
    document.body.replaceChildren(frame);
  }, readFileSync(file, "utf8"));
  const frame = page.frameLocator("iframe");
  await frame.locator("#roofline").waitFor();
  await page.waitForTimeout(300);
  const at = await frame.locator("#roofline").evaluate((panel) => panel.getBoundingClientRect().top);
  assert.ok(at >= -1 && at < 500, `roofline at ${at}`);
  assert.deepEqual(errors, []);
  await page.context().close();
});

for (const renderer of ["canvas", "webgl2"]) {
  test(`the timeline as PNG and SVG: ${renderer}`, async () => {
    const { page, errors } = await open(browser, file, { hash: `lang=en&tab=timeline&tl.renderer=${renderer}&tl.notes=1000~here` });
    await settled(page);
    await page.click("text=Notes, share");
    const png = await saved(page, () => page.click(".tl-list .picture >> nth=0"));
    assert.ok(png.name.endsWith("-timeline.png") && png.bytes.subarray(1, 4).toString() === "PNG" && png.bytes.length > 5000);
    const { name, bytes } = await saved(page, () => page.click(".tl-list .picture >> nth=1"));
    const text = bytes.toString();
    assert.ok(name.endsWith(".svg") && text.startsWith("<svg "));
    for (const word of ["Core 1", "GDMA", "SDMA", "conv2d", ">here<"]) assert.ok(text.includes(word), word);
    assert.ok(!text.includes("var(--"));
    const wrong = await page.evaluate((svg) => new DOMParser().parseFromString(svg, "image/svg+xml").querySelector("parsererror")?.textContent ?? "", text);
    assert.equal(wrong, "");
    assert.deepEqual(errors, []);
    await page.context().close();
  });
}

test("charts as files of their own", async () => {
  const { page } = await open(browser, file, { hash: "lang=en&tab=overview&theme=dark" });
  const { bytes } = await saved(page, () => page.click("#roofline .picture >> nth=1"));
  const text = bytes.toString();
  assert.ok(!text.includes("var(--") && text.includes("<circle"));
  await page.click("#tab-memory");
  const png = await saved(page, () => page.click("#panel-memory .picture"));
  assert.equal(png.bytes.subarray(1, 4).toString(), "PNG");
  // What stays in memory are shapes; the many accesses are one picture.
  for (const [tab, shape, shown] of [["memory", "<rect", ""], ["memory", "<image", "all"], ["compare", "<path"]]) {
    await page.click(`#tab-${tab}`);
    if (shown !== undefined) await page.selectOption("#memory-show", shown);
    const svg = (await saved(page, () => page.click(`#panel-${tab} .picture:text("SVG") >> nth=-1`))).bytes.toString();
    const wrong = await page.evaluate((text) => new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror")?.textContent ?? "", svg);
    assert.equal(wrong, "");
    assert.ok(svg.includes(shape) && svg.includes("<text"), tab);
  }
  await page.context().close();
});
