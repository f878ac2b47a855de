// The timeline: zoom, hover, selection, statistics, links.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fixture, launch, open, render } from "./support.mjs";

let browser, file;
before(async () => {
  browser = await launch();
  ({ file } = render(fixture("aks-mode2-sync")));
});
after(() => browser.close());

const visible = (page) => page.evaluate(() => window.bigtpu.visible());
const settled = (page) => page.waitForFunction(() => window.bigtpu?.firstPicture > 0);

async function timeline(options = {}) {
  const opened = await open(browser, file, { ...options, hash: `lang=en&tab=timeline${options.hash ?? ""}` });
  await settled(opened.page);
  return opened;
}

/** The longest slice of the first GDMA track. */
function target(page) {
  return page.evaluate(async () => {
    const track = window.bigtpuPage.tracks.find((t) => t.kind === "gdma");
    const { dur, name, start } = await track.loadTimes();
    const row = dur.indexOf(Math.max(...dur));
    return { track: track.index, row, name: window.bigtpuPage.nameText(name[row]), start: start[row], dur: dur[row] };
  });
}

for (const renderer of ["", "&renderer=canvas"]) {
  test(`hover and click show the command ${renderer}`, async () => {
    const { page, errors } = await timeline({ hash: renderer });
    const slice = await target(page);
    const { x, y } = await page.evaluate((s) => window.bigtpu.locate(s), slice);
    await page.mouse.move(x, y);
    await page.waitForFunction((s) => window.bigtpu.hovered()?.row === s.row && window.bigtpu.hovered()?.track === s.track, slice);
    const tip = page.locator("[role=tooltip]");
    await tip.waitFor();
    const text = await tip.textContent();
    assert.ok(text.includes(slice.name), text);
    await page.mouse.click(x, y);
    await page.waitForFunction((s) => window.bigtpu.selected()?.row === s.row, slice);
    assert.ok((await page.textContent("body")).includes("src_start_addr"), "fields of the command are shown");
    assert.deepEqual(errors, []);
    await page.context().close();
  });
}

test("a clicked command stays in sight above its details", async () => {
  const { page, errors } = await timeline();
  // Of the lowest row that the window shows whole.
  const slice = await page.evaluate(async () => {
    const shown = window.bigtpu.rows().filter((row) => row.kind === "slices" && row.track >= 0 && row.y + row.height <= innerHeight);
    const { track } = shown.at(-1);
    const { dur } = await window.bigtpuPage.tracks[track].loadTimes();
    return { track, row: dur.indexOf(Math.max(...dur)) };
  });
  const { x, y } = await page.evaluate((s) => window.bigtpu.locate(s), slice);
  await page.mouse.click(x, y);
  await page.waitForFunction((s) => window.bigtpu.selected()?.track === s.track, slice);
  await page.waitForFunction((s) => {
    const details = document.querySelector(".tl-bottom").getBoundingClientRect();
    const row = window.bigtpu.rows().find((row) => row.kind === "slices" && row.track === s.track);
    return details.height > 0 && row.y + row.height <= details.top + 1;
  }, slice);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("the wheel zooms at the cursor, keys move, F shows all", async () => {
  const { page, errors } = await timeline();
  const all = await visible(page);
  const { x, y } = await page.evaluate((s) => window.bigtpu.locate(s), await target(page));
  const width = (await page.viewportSize()).width;
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -400);
  await page.waitForFunction((w) => window.bigtpu.visible().end - window.bigtpu.visible().start < w * 0.9, all.end - all.start);
  const near = await visible(page);
  assert.ok(near.start >= all.start && near.end <= all.end && x < width);
  await page.keyboard.press("d");
  await page.waitForFunction((s) => window.bigtpu.visible().start > s, near.start);
  await page.keyboard.press("f");
  await page.waitForFunction((w) => Math.abs(window.bigtpu.visible().end - window.bigtpu.visible().start - w) < w * 0.01, all.end - all.start);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("a link restores view and selection", async () => {
  const { page } = await timeline();
  const slice = await target(page);
  const { x, y } = await page.evaluate((s) => window.bigtpu.locate(s), slice);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -300);
  await page.waitForTimeout(300);
  const at = await page.evaluate((s) => window.bigtpu.locate(s), slice);
  await page.mouse.click(at.x, at.y);
  await page.waitForFunction((s) => window.bigtpu.selected()?.row === s.row, slice);
  await page.waitForTimeout(400);
  const [range, hash] = [await visible(page), await page.evaluate(() => location.hash.slice(1))];
  await page.context().close();
  const again = await open(browser, file, { hash });
  await settled(again.page);
  const restored = await visible(again.page);
  const width = range.end - range.start;
  assert.ok(Math.abs(restored.start - range.start) < width * 0.01 && Math.abs(restored.end - range.end) < width * 0.01);
  assert.deepEqual(await again.page.evaluate(() => window.bigtpu.selected()), { track: slice.track, row: slice.row });
  await again.page.context().close();
});

test("back and forward walk through views and selections", async () => {
  const { page, errors } = await timeline();
  await page.click("#tab-overview");
  await page.waitForTimeout(300);
  await page.click("#tab-find");
  await page.waitForTimeout(300);
  await page.goBack();
  await page.waitForSelector("#panel-overview:not([hidden])");
  await page.goBack();
  await page.waitForSelector("#panel-timeline:not([hidden])");
  await page.goForward();
  await page.waitForSelector("#panel-overview:not([hidden])");
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("a search counts its matches and walks through them", async () => {
  const { page, errors } = await timeline();
  const expected = await page.evaluate(async () => {
    let starts = [];
    for (const track of window.bigtpuPage.tracks.filter((t) => t.isEngine && t.head.events > 0)) {
      const { name, start } = await track.loadTimes();
      starts = starts.concat([...start].filter((_, i) => window.bigtpuPage.nameText(name[i]).toLowerCase().includes("tensorld")));
    }
    return starts.sort((a, b) => a - b);
  });
  await page.keyboard.press("/");
  await page.keyboard.type("TensorLd");
  await page.waitForFunction((n) => document.querySelector(".tl-found")?.dataset.count === String(n), expected.length);
  const found = [];
  for (let i = 0; i < 3; i++) {
    const before = await page.evaluate(() => JSON.stringify(window.bigtpu.selected()));
    await page.press(".tl-mark", "Enter");
    await page.waitForFunction((old) => JSON.stringify(window.bigtpu.selected()) !== old, before);
    found.push(await page.evaluate(async () => {
      const { track, row } = window.bigtpu.selected();
      return (await window.bigtpuPage.tracks[track].loadTimes()).start[row];
    }));
  }
  assert.deepEqual(found, expected.slice(0, 3));
  await page.press(".tl-mark", "Shift+Enter");
  await page.waitForTimeout(300);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("the tooltip is small and names no register", async () => {
  const { page } = await timeline();
  const { x, y } = await page.evaluate((s) => window.bigtpu.locate(s), await target(page));
  await page.mouse.move(x, y);
  await page.waitForSelector(".tl-tip .tl-facts div:nth-child(6)");
  const box = await page.locator(".tl-tip").boundingBox();
  assert.ok(box.width <= 360 && box.height <= 330, JSON.stringify(box));
  assert.ok(!(await page.textContent(".tl-tip")).includes("cmd_short"));
  await page.mouse.click(x, y);
  await page.waitForSelector(".tl-fields .tl-facts");
  const shown = await page.locator(".tl-fields dd").allTextContents();
  assert.ok(shown.length > 3 && !shown.includes("0"), "zeros are hidden");
  await page.check("#tl-zeros");
  const all = await page.locator(".tl-fields dd").allTextContents();
  assert.ok(all.includes("0") && all.length > shown.length);
  const address = page.locator(".tl-fields div", { hasText: "src_start_addr" }).locator("dd");
  if (await address.count()) assert.match(await address.first().textContent(), /^(0|0x[0-9a-f]+)$/);
  await page.context().close();
});
