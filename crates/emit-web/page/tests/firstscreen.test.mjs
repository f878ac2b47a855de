// The first screen of a run: what it costs, how well the chip was used, where the time went and what to do; all else is folded.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ROOT, launch, onPage, open, render, run, scratch } from "./support.mjs";

let browser, kernels, real;
before(async () => {
  browser = await launch();
  const dump = join(scratch(), "dump");
  run("synth", dump, "--launches", "12", "--plant", "slow-kernel=rope:8", "-q");
  kernels = render(dump).file;
  real = render(join(ROOT, "fixtures/real/cdm_profile_data_dev0_bm1690")).file;
});
after(() => browser?.close());

const SIZE = { width: 1280, height: 800 };

for (const [name, file, owner] of [["eight cores", () => kernels, /^(rope|matmul_gate_up)$/], ["a static model", () => real, null]]) {
  test(`${name}: number, measures, picture with the culprit and what to do fit 1280 x 800`, async () => {
    const { page, errors } = await open(browser, file(), { hash: "lang=en", viewport: SIZE, folded: true });
    // A cause that is spread over the run has no stretch of its own.
    await page.waitForSelector(owner ? "#strip svg .culprit" : "#strip svg path");
    const bottoms = await page.$$eval("#verdict, #tiles, #quality, #phases .strip-key, #advice [data-advice]:first-of-type", (all) => all.map((e) => e.getBoundingClientRect().bottom));
    assert.equal(bottoms.length, 5);
    assert.ok(Math.max(...bottoms) <= SIZE.height, bottoms.join());
    const { verdict, advice } = await page.evaluate(() => window.bigtpuPage.head.answers);
    const cause = advice.find((a) => a.id === verdict.rule);
    assert.match(await page.textContent("#verdict .headline"), /(→|at most|about) .*%/);
    assert.ok(!(await page.textContent("#advice")).includes(onPage(cause.text)), "the sentence of the verdict is not said again");
    assert.ok((await page.textContent("#verdict")).includes(onPage(cause.text)));
    // What else is to be done is read without opening it.
    const others = await page.$$eval("#advice details:not([open]) .remedy", (all) => all.map((e) => ({ text: e.textContent, cut: e.scrollHeight - e.clientHeight })));
    assert.deepEqual(others.map(({ text }) => text), advice.filter((a) => a !== cause).map(({ text }) => onPage(text).replace("2048 pieces", "2,048 pieces")), "counts as all others of the page");
    assert.deepEqual(await page.$$eval("#advice [data-advice] > summary b", (all) => all.map((e) => e.textContent)), advice.map(({ headline }) => onPage(headline.text)));
    assert.ok((await page.textContent("#verdict .headline")).startsWith(onPage(cause.headline.text)));
    assert.ok(others.every(({ cut }) => cut <= 1), "no sentence is cut: the remedy stands at its end");
    assert.doesNotMatch(await page.textContent("#app"), /\d us\b/, "one sign for microseconds");
    if (owner) assert.match(await page.textContent("#phases .strip-key span:nth-child(2)"), owner);
    assert.deepEqual(await page.$$eval("details.topic", (all) => all.filter(({ open }) => open).length), 0);
    const show = page.locator("#verdict button:has-text('Show it')");
    if (owner) {
      await show.click();
      await page.waitForFunction(() => window.bigtpu?.selected() || window.bigtpu?.range());
    } else {
      assert.ok(await show.isHidden(), "results that are stored and loaded again all over the run have no place to go to");
    }
    assert.deepEqual(errors, []);
    await page.context().close();
  });
}

test("the greatest gain comes first in headline and advice, a bound too; then what is known to be won is told beside it", async () => {
  for (const [file, rule] of [[kernels, null], [real, "idle-cores"]]) {
    const { page } = await open(browser, file, { hash: "lang=en", viewport: SIZE, folded: true });
    await page.waitForSelector("#verdict .headline");
    const { advice, verdict } = await page.evaluate(() => window.bigtpuPage.head.answers);
    const said = await page.$$eval("#verdict .headline", (all) => all.map((e) => e.textContent));
    assert.equal(await page.$eval("#advice [data-advice]", (e) => e.dataset.advice), verdict.rule);
    if (rule === null) assert.equal(said.length, 1);
    else {
      const gain = advice[0].gain_ns;
      assert.equal(verdict.rule, rule);
      assert.match(said[0], /^7 of 8 cores unused \(cores 1 to 7\): about [\d.]+ µs less \(-[\d.]+%\), an estimate/);
      assert.ok(said[0].includes(`(-${((100 * gain) / verdict.wall_ns).toFixed(1)}%)`), said[0]);
      const known = advice.find((a) => !a.is_bound);
      assert.equal(verdict.known_rule, known.id);
      assert.ok(said[1].startsWith(`Known to be won: ${onPage(known.headline.text)}: `), said[1]);
      const sizes = await page.$$eval("#verdict .headline", (all) => all.map((e) => getComputedStyle(e).fontSize));
      assert.equal(new Set(sizes).size, 1, "as large as the headline");
    }
    await page.context().close();
  }
});

test("where there are few cores the picture has the longest layers, and a click shows one", async () => {
  const { page } = await open(browser, real, { hash: "lang=en", viewport: SIZE, folded: true });
  const shares = await page.$$eval("#phases [data-unit] .num", (all) => all.map((e) => parseFloat(e.textContent)));
  assert.ok(shares.length >= 3 && shares[0] > 0, shares.join());
  assert.deepEqual(shares, shares.toSorted((a, b) => b - a));
  await page.click("#phases [data-unit]");
  await page.waitForFunction(() => window.bigtpu?.selected());
  const kind = await page.evaluate(() => window.bigtpuPage.tracks[window.bigtpu.selected().track].kind);
  assert.equal(kind, "layer");
  await page.context().close();
});

test("a topic that is open stays so in the link; a link to a panel opens its topic; on paper all are open", async () => {
  const { page } = await open(browser, kernels, { hash: "lang=en", viewport: SIZE, folded: true });
  await page.click("#topic-path > summary");
  await page.waitForFunction(() => location.hash.includes("o.open=path"));
  await page.reload();
  await page.waitForSelector("#topic-path[open]");
  assert.ok(await page.locator("#critical-path").isVisible());
  assert.ok(!(await page.locator("#engine-busy").isVisible()));
  await page.evaluate(() => (location.hash = "lang=en&tab=overview&at=roofline"));
  await page.waitForSelector("#topic-engines[open] #roofline");
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  assert.equal(await page.locator("details.topic:not([open])").count(), 0);
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  assert.ok((await page.locator("details.topic:not([open])").count()) > 0);
  await page.context().close();
});

test("numbers that several places share are a table of places", async () => {
  const { page } = await open(browser, kernels, { hash: "lang=en", viewport: SIZE });
  const { advice } = await page.evaluate(() => window.bigtpuPage.head.answers);
  for (const a of advice) {
    const rows = await page.$$eval(`#advice [data-advice="${a.id}"] tbody tr`, (all) => all.map((row) => row.querySelectorAll("td.num").length));
    assert.equal(rows.reduce((sum, cells) => sum + cells, 0), a.evidence.length, `${a.id}: every number once`);
  }
  await page.context().close();
});

test("the numbers of the legend are those of the cores on average, and a core at fault is marked", async () => {
  const dump = join(scratch(), "dump");
  run("synth", dump, "--launches", "11", "--plant", "imbalance=3:1.6", "-q");
  const { page } = await open(browser, render(dump).file, { hash: "lang=en", viewport: SIZE, folded: true });
  await page.waitForSelector("#phases .phase-line.culprit");
  assert.deepEqual(await page.$$eval("#phases .phase-line.culprit span:first-child", (all) => all.map((e) => e.textContent)), ["Core 3"]);
  assert.match(await page.textContent("#verdict .headline"), /^Core 3 is 1\.\d+ times as slow as the others: [\d.]+ (µs|ms) → [\d.]+ \1 without this \(-/);
  assert.equal(await page.textContent("#phase-owner"), "Mean of 8 cores:");
  // Idle time of the legend and of the measure above is one number.
  const idle = await page.textContent("#tiles [data-measure=idle] b");
  assert.equal(await page.textContent("#phases [data-phase=idle_ns] b"), idle);
  assert.equal(await page.locator("#strip svg .culprit").count(), 0, "a slow core is no stretch of time");
  await page.context().close();
});

test("one long gap is marked itself", async () => {
  const dump = join(scratch(), "dump");
  run("synth", dump, "--launches", "11", "--plant", "launch-gap=300", "-q");
  const { page } = await open(browser, render(dump).file, { hash: "lang=en", viewport: SIZE, folded: true });
  assert.match(await page.textContent("#verdict .headline"), /^Gaps between launches, most of it one of [\d.]+ µs before \w+: /);
  await page.waitForSelector("#strip svg .culprit");
  assert.match(await page.textContent("#phases .strip-key span:nth-child(2)"), /gap/);
  await page.context().close();
});
