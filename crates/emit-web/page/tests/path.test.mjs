// The critical path: its table, its lines in the timeline, slack, and the chain of causes.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, render, run, scratch } from "./support.mjs";

let browser;
let file;
before(async () => {
  browser = await launch();
  const dump = join(scratch(), "dump");
  run("synth", dump, "--cores", "2", "--launches", "12", "--mode", "2");
  ({ file } = render(dump));
});
after(() => browser.close());

const drawn = (page) => page.waitForFunction(() => window.bigtpu?.firstPicture > 0);

test("pieces follow one another from start to end, and the table leads to them", async () => {
  const { page, errors } = await open(browser, file, { hash: "lang=en&tab=overview" });
  const { wall, sum, whole, sorted } = await page.evaluate(async () => {
    const { head } = window.bigtpuPage;
    const path = await window.bigtpuPage.path();
    return { wall: head.answers.critical_path.wall_ns, sum: head.answers.critical_path.pieces.reduce((n, p) => n + p.ns, 0), whole: path.end.at(-1) - path.start[0], sorted: path.end.every((end, i) => end >= path.start[i]) };
  });
  assert.deepEqual([sum, whole, sorted], [wall, wall, true]);
  const first = await page.textContent("#path-pieces tbody tr:first-child td:first-child");
  await page.click("#path-pieces tbody tr:first-child");
  await drawn(page);
  await page.waitForSelector(".tl-main dl");
  const facts = await page.$$eval(".tl-main dl div", (all) => Object.fromEntries(all.map((e) => [e.children[0].textContent, e.children[1].textContent])));
  assert.equal(facts["Critical path"], "on it");
  assert.equal(facts.Kernel, first);
  // From command to command along the path.
  const at = await page.evaluate(() => window.bigtpu.selected());
  await page.click(".tl-path >> nth=-1");
  await page.waitForFunction((old) => JSON.stringify(window.bigtpu.selected()) !== old, JSON.stringify(at));
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("a wait tells what it waited for, back to work", async () => {
  const { page, errors } = await open(browser, file, { hash: "lang=en&tab=timeline" });
  await drawn(page);
  const expected = await page.evaluate(async () => {
    const data = window.bigtpuPage;
    const role = async ({ track, row }) => data.name((await data.tracks[track].loadTimes()).name[row]).role;
    for (const track of data.tracks.filter((x) => x.isEngine)) {
      const causes = await track.causes();
      for (let row = 0; row < track.head.events; row++) {
        const why = data.text(causes.why[row]);
        if ((await role({ track: track.index, row })) !== "wait" || !["message", "observed barrier"].includes(why)) continue;
        const chain = [];
        let at = { track: track.index, row };
        do {
          const own = await data.tracks[at.track].causes();
          at = { track: own.track[at.row], row: own.row[at.row] };
          if (at.track >= 0) chain.push(at);
        } while (at.track >= 0 && chain.length < 40 && (await role(at)) !== "work");
        if (chain.length > 1) return { wait: `${track.index}.${row}`, why, chain };
      }
    }
  });
  assert.ok(expected, "a wait with a chain");
  await page.evaluate((hash) => (location.hash = hash), `lang=en&tab=timeline&tl.slice=${expected.wait}`);
  await page.waitForSelector(".tl-why[open] li");
  assert.equal(await page.locator(".tl-why li").count(), expected.chain.length);
  assert.match(await page.textContent(".tl-why summary"), /wait/);
  assert.equal(await page.getAttribute(".tl-why li button >> nth=0", "data-why"), expected.why);
  await page.click(".tl-why li:last-child button");
  await page.waitForFunction((at) => JSON.stringify(window.bigtpu.selected()) === at, JSON.stringify(expected.chain.at(-1)));
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("slack and path of each command are those of the events", async () => {
  const { page } = await open(browser, file, { hash: "lang=en&tab=timeline" });
  await drawn(page);
  const found = await page.evaluate(async () => {
    let onPath = 0;
    let slackOnPath = 0;
    for (const track of window.bigtpuPage.tracks.filter((x) => x.isEngine)) {
      const { slack, onPath: on } = await track.causes();
      on.forEach((yes, row) => {
        onPath += yes;
        if (yes) slackOnPath = Math.max(slackOnPath, slack[row]);
      });
    }
    return { onPath, slackOnPath };
  });
  assert.ok(found.onPath > 10);
  assert.equal(found.slackOnPath, 0);
  await page.context().close();
});

for (const renderer of ["canvas", "webgl2"]) {
  test(`the path is drawn, and X takes it away: ${renderer}`, async () => {
    const { page, errors } = await open(browser, file, { hash: `lang=en&tab=timeline&theme=light&tl.renderer=${renderer}` });
    await drawn(page);
    await page.waitForTimeout(300);
    const shot = () => page.locator(".tl-plot").screenshot();
    const withPath = await shot();
    await page.keyboard.press("x");
    await page.waitForTimeout(300);
    assert.equal(await page.getAttribute(".tl-chip:text-is(\"Critical path\")", "aria-pressed"), "false");
    assert.notEqual(Buffer.compare(withPath, await shot()), 0);
    assert.deepEqual(errors, []);
    await page.context().close();
  });
}

test("a row of the gaps leads to the gap, with its causes", async () => {
  const { page, errors } = await open(browser, file, { hash: "lang=en&tab=overview" });
  await page.click("#longest-gaps tbody tr:first-child");
  await page.waitForSelector("#gap-panel");
  const gap = await page.evaluate(() => window.bigtpuPage.head.answers.gaps.longest[0]);
  const shown = await page.evaluate(async () => {
    const { track, row } = window.bigtpu.selected();
    const own = window.bigtpuPage.tracks[track];
    const { start, dur } = await own.loadTimes();
    return { kind: own.kind, engine: own.engine, start: start[row] - window.bigtpuPage.head.device.zero, ns: dur[row], after: (await own.facts()).after[row] };
  });
  assert.deepEqual(shown, { kind: "gap", engine: gap.engine, start: gap.start_ns, ns: gap.end_ns - gap.start_ns, after: gap.after.event });
  assert.deepEqual(errors, []);
  await page.context().close();
});
