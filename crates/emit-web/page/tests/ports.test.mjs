// What the time of a port's commands is made of: in the details of a command, in the timeline, as columns of the search.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, render, run, scratch } from "./support.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

function device(bus) {
  const dir = scratch();
  run("synth", "--cluster", "2", "--operations", "4", "--moments", bus, "--plant", "retries=0>1", join(dir, "run"), "--quiet");
  return render(join(dir, "run/host0", readdirSync(join(dir, "run/host0")).sort()[0]));
}

const port = (page) => page.evaluate(async () => {
  const track = window.bigtpuPage.tracks.find((t) => t.kind === "cdma");
  const [{ waiting, moving, completion, retries }, { dur, name }] = [await track.facts(), await track.loadTimes()];
  const rows = [...dur].map((ns, row) => ({ row, ns, parts: [waiting[row], moving[row], completion[row]], retries: retries[row] }));
  return { index: window.bigtpuPage.tracks.indexOf(track), rows, name: name[0] };
});

const facts = (page) => page.evaluate(() => [...document.querySelectorAll(".tl-details dt")].map((dt) => [dt.textContent, dt.nextElementSibling.textContent]));

test("parts add up to the report's, and the details name them", async () => {
  const { file, out } = device("ati");
  const { page, errors } = await open(browser, file, { hash: "lang=en&tab=timeline" });
  await page.waitForFunction(() => window.bigtpu?.firstPicture > 0);
  const { index, rows } = await port(page);
  const data = rows.filter((row) => row.retries >= 0);
  assert.ok(data.length >= 8 && data.length < rows.length);
  for (const { ns, parts } of data) assert.equal(parts.reduce((a, b) => a + b), ns);
  const report = JSON.parse(readFileSync(join(out, "report.json"), "utf8"));
  const sum = (of) => data.reduce((total, row) => total + of(row), 0);
  const all = report.ports[0].phases;
  const expected = (part) => all.reduce((total, of) => total + of.parts[part], 0);
  assert.deepEqual([0, 1, 2].map((n) => sum((row) => row.parts[n])), ["waiting_ns", "transfer_ns", "completion_ns"].map(expected));
  assert.equal(sum((row) => row.retries), all.reduce((total, of) => total + of.retries, 0));
  const { row } = data.find((of) => of.retries > 0);
  await page.evaluate(([track, at]) => { location.hash += `&tl.slice=${track}.${at}`; }, [index, row]);
  await page.waitForFunction(() => [...document.querySelectorAll(".tl-details dt")].some((dt) => dt.textContent.includes("Link retries")));
  const text = await page.evaluate(() => document.body.innerText);
  for (const label of ["Waiting for its peer", "Transfer", "Completion", "Link retries"]) assert.ok(text.includes(label), label);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("the timeline draws waiting and completion paler than the transfer", async () => {
  const { file } = device("ati");
  const { page, errors } = await open(browser, file, { hash: "lang=en&tab=timeline&theme=light&tl.renderer=canvas" });
  await page.waitForFunction(() => window.bigtpu?.firstPicture > 0);
  const { index, rows } = await port(page);
  const view = await page.evaluate(async ([track, row]) => {
    const { start, dur } = await window.bigtpuPage.tracks[track].loadTimes();
    return `${start[row] - 200}~${start[row] + dur[row] + 200}`;
  }, [index, rows.find((row) => row.parts[0] > 0).row]);
  const shot = async () => {
    for (const at of ["0~100", view]) {
      await page.evaluate((at) => { location.hash = `lang=en&tab=timeline&theme=light&tl.renderer=canvas&tl.view=${at}`; }, at);
      await page.waitForTimeout(400);
    }
    return page.locator(".tl-plot").screenshot(process.env.SHOT ? { path: process.env.SHOT } : {});
  };
  const [divided, again] = [await shot(), await shot()];
  assert.equal(Buffer.compare(divided, again), 0);
  await page.evaluate(async (track) => (await window.bigtpuPage.tracks[track].facts()).waiting.fill(-1), index);
  assert.notEqual(Buffer.compare(divided, await shot()), 0);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("records without moments say ends only", async () => {
  const { file } = device("none");
  const { page, errors } = await open(browser, file, { hash: "lang=en&tab=timeline" });
  await page.waitForFunction(() => window.bigtpu?.firstPicture > 0);
  const { index, rows } = await port(page);
  const { row } = rows.find((of) => of.retries >= 0);
  assert.deepEqual(rows[row].parts, [-1, -1, -1]);
  await page.evaluate(([track, at]) => { location.hash += `&tl.slice=${track}.${at}`; }, [index, row]);
  await page.waitForFunction(() => document.body.innerText.includes("ends only"));
  assert.deepEqual(errors, []);
  await page.context().close();
});
