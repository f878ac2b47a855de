// Find: searches, filters, sorts, copies, and leads to the timeline.
import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fixture, launch, open, registerTexts, render, ROOT, run, scratch } from "./support.mjs";

let browser, file, out, real;
before(async () => {
  browser = await launch();
  ({ file, out } = render(fixture("aks-mode2-sync")));
  real = render(join(ROOT, "fixtures/real/bmprofile_data_bm1688_2core"));
});
after(() => browser.close());

function transfers() {
  const all = [...registerTexts(out, "tdmaRegInfo_").values()].flat();
  return all.filter((r) => r["Function Name"] === "tensorLd");
}

test("a search finds what the register texts have", async () => {
  const { page, errors } = await open(browser, file, { hash: "lang=en&tab=find", acceptDownloads: true });
  await page.fill("#find-q", "name:tensorLd");
  const expected = transfers();
  await page.waitForFunction((n) => document.querySelector("#find-count")?.dataset.count === String(n), expected.length);
  const ns = expected.reduce((sum, r) => sum + Number(r["End Time(ns)"]) - Number(r["Start Time(ns)"]), 0);
  assert.equal(Number(await page.getAttribute("#find-count", "data-ns")), ns);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#find-save")]);
  const lines = readFileSync(await download.path(), "utf8").trim().split("\r\n");
  assert.equal(lines.length - 1, expected.length);
  const hash = await page.evaluate(() => new Promise((done) => setTimeout(() => done(location.hash.slice(1)), 400)));
  await page.context().close();
  const again = await open(browser, file, { hash });
  await again.page.waitForFunction((n) => document.querySelector("#find-count")?.dataset.count === String(n), expected.length);
  await again.page.context().close();
  assert.deepEqual(errors, []);
});

test("a result leads to its slice in the timeline", async () => {
  const { page } = await open(browser, file, { hash: "lang=en&tab=find" });
  await page.fill("#find-q", "name:tensorLd");
  await page.waitForFunction((n) => document.querySelector("#find-count")?.dataset.count === String(n), transfers().length);
  await page.focus("#find-grid");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => window.bigtpu?.selected() !== null && window.bigtpu !== undefined);
  const name = await page.evaluate(async () => {
    const { track, row } = window.bigtpu.selected();
    return window.bigtpuPage.nameText((await window.bigtpuPage.tracks[track].loadTimes()).name[row]);
  });
  assert.equal(name, "tensorLd");
  await page.context().close();
});

test("core: finds a core's commands, and a bound that is no duration is told", async () => {
  const { page } = await open(browser, file, { hash: "lang=en&tab=find" });
  const expected = await page.evaluate(() => window.bigtpuPage.tracks.filter((t) => t.isEngine && t.head.core === 1).reduce((sum, t) => sum + t.head.events, 0));
  assert.ok(expected > 0);
  await page.fill("#find-q", "core:1");
  await page.waitForFunction((n) => document.querySelector("#find-count")?.dataset.count === String(n), expected);
  await page.fill("#find-dmin", "abc");
  await page.waitForSelector("#find-dmin[aria-invalid=true]");
  assert.match(await page.textContent(".find-bad"), /abc/);
  await page.fill("#find-dmin", "1us");
  await page.waitForSelector("#find-dmin[aria-invalid=false]");
  await page.context().close();
});

/** A copy of the real BM1690 dump; `bit` of the id of its TIU record 36 is changed. */
function realDump(bit) {
  const dump = scratch();
  cpSync(join(ROOT, "fixtures/real/cdm_profile_data_dev0_bm1690"), dump, { recursive: true });
  const path = join(dump, "cdmlib0_0.profile");
  const bytes = readFileSync(path);
  const TIU = 3;
  for (let at = 0; at < bytes.length; at += 8 + bytes.readUInt32LE(at + 4)) {
    if (bytes.readUInt32LE(at) === TIU) bytes[at + 8 + 36 * 16 + 8] ^= bit;
  }
  writeFileSync(path, bytes);
  return dump;
}

test("quality: finds what damage touched, a column and the panel say so, and a sound dump has none of it", async () => {
  const count = (page, n) => page.waitForFunction((n) => document.querySelector("#find-count")?.dataset.count === String(n), n);
  const damaged = render(realDump(32));
  const { page, errors } = await open(browser, damaged.file, { hash: "lang=en&tab=find" });
  const all = await page.evaluate(() => window.bigtpuPage.tracks.filter((t) => t.isEngine).reduce((sum, t) => sum + t.head.events, 0));
  await count(page, all);
  await page.fill("#find-q", "quality:repaired");
  await count(page, 1);
  assert.equal(await page.textContent('#find-grid [role=row][data-row="0"] [data-key=quality]'), "repaired");
  await page.fill("#find-q", "quality:sure");
  await count(page, all - 1);
  await page.fill("#find-q", "quality:repaired");
  await count(page, 1);
  await page.focus("#find-grid");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".tl-main");
  await page.waitForFunction(() => document.querySelector(".tl-main")?.textContent.includes("repaired: damage was put right"));
  await page.context().close();
  assert.deepEqual(errors, []);

  const sound = await open(browser, render(realDump(0)).file, { hash: "lang=en&tab=find" });
  await sound.page.fill("#find-q", "quality:sure");
  await count(sound.page, all);
  assert.equal(await sound.page.locator("#find-grid [data-key=quality]").count(), 0);
  await sound.page.context().close();
});

/** Transfers of a real dump, as the register texts of all its cores have them. */
function realTransfers(dir) {
  return [...registerTexts(dir, "tdmaRegInfo_").values()].flat().map((r) => ({ bytes: Number(r["DMA data size(B)"]), stride: r.stride_enable, type: r.cmd_type, ns: Number(r["End Time(ns)"]) - Number(r["Start Time(ns)"]) }));
}

test("transfers above 1 MiB with a stride are one line, with their number, time and bytes", async () => {
  const { page, errors } = await open(browser, real.file, { hash: "lang=en&tab=find" });
  for (const [query, suits] of [
    ["bytes>1MiB stride_enable=1", (r) => r.bytes > 2 ** 20 && r.stride === "1"],
    ["bytes<=1MiB stride_enable=1 dur>5us", (r) => r.bytes <= 2 ** 20 && r.stride === "1" && r.ns > 5000],
    ["not:bytes>64KiB stride_enable=1 cmd_type=0", (r) => r.bytes <= 2 ** 16 && r.stride === "1" && r.type === "0"],
  ]) {
    const expected = realTransfers(real.out).filter(suits);
    await page.fill("#find-q", query);
    await page.waitForFunction((n) => document.querySelector("#find-count")?.dataset.count === String(n), expected.length);
    const sum = (key) => expected.reduce((all, r) => all + r[key], 0);
    const { ns, bytes } = await page.evaluate(() => ({ ...document.querySelector("#find-count").dataset }));
    assert.deepEqual([Number(ns), Number(bytes)], [sum("ns"), sum("bytes")], query);
  }
  assert.ok(realTransfers(real.out).some((r) => r.bytes > 2 ** 20 && r.stride === "1"));
  assert.match(await page.textContent("#find-count"), /match, total time .* moved/);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("step: finds the commands of a step, and the column tells the same of each row as the table of events", async () => {
  const dump = join(scratch(), "steps");
  run("synth", dump, "--quiet", "--cores", "2", "--launches", "64");
  const steps = render(dump, "--csv");
  const [titles, ...rows] = readFileSync(join(steps.out, "events.csv"), "utf8").trim().split("\n").map((line) => line.split(","));
  const [step, cmd] = ["step", "cmd_id"].map((title) => titles.indexOf(title));
  const expected = rows.filter((row) => row[step] === "1");
  assert.ok(expected.length > 10 && expected.length < rows.length);
  const { page, errors } = await open(browser, steps.file, { hash: "lang=en&tab=find&f.q=step%3A1" });
  await page.waitForFunction((n) => document.querySelector("#find-count")?.dataset.count === String(n), expected.length);
  const cells = await page.$$eval('#find-grid [role=row] [data-key=step]', (all) => all.map((cell) => cell.textContent));
  assert.ok(cells.length > 5 && cells.every((text) => text === "1"), cells.join());
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#find-save")]);
  const [head, ...saved] = readFileSync(await download.path(), "utf8").trim().split("\r\n").map((line) => line.replaceAll('"', "").split(","));
  const ids = (lines, at) => lines.map((line) => line[at]).sort().join();
  assert.equal(ids(saved, head.indexOf("Cmd Id")), ids(expected, cmd));
  assert.ok(saved.every((line) => line[head.indexOf("Step")] === "1"));
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("a field that no command has is told with the nearest names", async () => {
  const { page } = await open(browser, real.file, { hash: "lang=en&tab=find&f.q=stride_enabled%3D1" });
  await page.waitForSelector("#find-q[aria-invalid=true]");
  assert.match(await page.textContent(".find-bad"), /no command has a field "stride_enabled"\. Did you mean stride_enable/);
  assert.equal(await page.getAttribute("#find-count", "data-count"), "0");
  await page.fill("#find-q", "stride_enable=1");
  await page.waitForSelector("#find-q[aria-invalid=false]");
  await page.waitForFunction(() => Number(document.querySelector("#find-count").dataset.count) > 0);
  await page.context().close();
});

test("names of fields and values of this dump are completed", async () => {
  const { page, errors } = await open(browser, file, { hash: "lang=en&tab=find" });
  const options = () => page.locator(".find-form .completer:not([hidden]) li b").allTextContents();
  await page.focus("#find-q");
  await page.keyboard.type("bytes>1KiB stri");
  await page.waitForSelector(".find-form .completer:not([hidden]) li");
  assert.equal((await options())[0], "stride_enable=");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.equal(await page.inputValue("#find-q"), "bytes>1KiB stride_enable=");
  await page.waitForFunction(() => document.querySelector(".find-form .completer:not([hidden]) li b")?.textContent.startsWith("stride_enable="));
  const values = await options();
  assert.ok(values.length >= 1 && values.every((text) => /^stride_enable=\d+$/.test(text)), values.join());
  await page.fill("#find-q", "engine:gd");
  await page.waitForFunction(() => document.querySelector(".find-form .completer:not([hidden]) li b")?.textContent === "engine:GDMA");
  await page.click(".find-form .completer li >> nth=0");
  assert.equal(await page.inputValue("#find-q"), "engine:GDMA");
  await page.keyboard.press("Escape");
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("the timeline dims what the same query does not find", async () => {
  const { page, errors } = await open(browser, real.file, { hash: "lang=en&tab=timeline" });
  await page.waitForFunction(() => window.bigtpu?.firstPicture > 0);
  const [hit, other] = await page.evaluate(async () => {
    const track = window.bigtpuPage.tracks.find((t) => t.kind === "gdma" && t.head.events > 0);
    const [{ dur }, { bytes }] = [await track.loadTimes(), await track.facts()];
    const longest = (suits) => ({ track: track.index, row: [...dur.keys()].filter(suits).sort((a, b) => dur[b] - dur[a])[0] });
    return [longest((row) => bytes[row] > 2 ** 20), longest((row) => bytes[row] > 0 && bytes[row] < 2 ** 20)];
  });
  const spot = async (slice) => {
    const { x, y } = await page.evaluate((s) => window.bigtpu.locate(s), slice);
    return page.screenshot({ clip: { x: Math.round(x), y: Math.round(y), width: 1, height: 1 } });
  };
  const before = [await spot(hit), await spot(other)];
  await page.fill(".tl-mark", "bytes>1MiB stride_enable=1");
  await page.waitForFunction(() => Number(document.querySelector(".tl-found").dataset.count) > 0);
  await page.keyboard.press("Escape");
  await page.waitForTimeout(300);
  const after = [await spot(hit), await spot(other)];
  assert.ok(before[0].equals(after[0]), "a match keeps its colour");
  assert.ok(!before[1].equals(after[1]), "all else is dimmed");
  await page.fill(".tl-mark", "strideenable=1");
  await page.waitForSelector(".tl-mark[aria-invalid=true]");
  assert.match(await page.textContent(".tl-found"), /Did you mean stride_enable/);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("sums by a column are those of the command line, and a group narrows the search", async () => {
  const dump = join(ROOT, "fixtures/real/bmprofile_data_bm1688_2core");
  const { page, errors } = await open(browser, real.file, { hash: "lang=en&tab=find&f.q=not:wait&f.by=name" });
  await page.waitForSelector("#find-group-table");
  const more = page.locator(".find-groups .more");
  if (await more.isVisible()) await more.click();
  const shown = await page.$$eval("#find-group-table tbody tr", (rows) => rows.map((row) => [row.cells[0].textContent, row.cells[1].textContent.replaceAll(",", ""), row.cells[3].textContent]));
  const { groups, count } = JSON.parse(run("query", dump, "not:wait", "--by", "name", "--json"));
  const expected = groups.map(({ value, count, share }) => [value, String(count), `${(share * 100).toFixed(1)}%`]);
  assert.deepEqual(shown.toSorted(), expected.toSorted());
  assert.equal(await page.getAttribute("#find-count", "data-count"), String(count));
  const [first] = shown;
  await page.click("#find-group-table tbody tr:first-child");
  await page.waitForFunction((n) => document.querySelector("#find-count")?.dataset.count === n, first[1]);
  assert.equal(await page.inputValue("#find-q"), `not:wait name=${first[0]}`);
  assert.deepEqual(errors, []);
  await page.context().close();
});
