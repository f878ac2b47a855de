// What-if in the page: the numbers are those of `bigtpuprofile whatif`, to the ns.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ROOT, fixture, launch, open, render, run, scratch } from "./support.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

function synth(...options) {
  const dump = join(scratch(), "dump");
  run("synth", dump, ...options);
  return dump;
}

const real = (name) => join(ROOT, "fixtures/real", name);

/** Dumps, and changes that mean something in them. */
const DUMPS = [
  ["AKS mode 2, 2 cores", () => synth("--cores", "2", "--launches", "12", "--mode", "2"), ["core:1=0.5", "kernel:matmul*=0.5"]],
  ["AKS mode 1 with links", () => synth("--cores", "3", "--launches", "8", "--mode", "1", "--cdma", "2"), ["core:0=2", "link=4"]],
  ["AKS mode 0", () => synth("--cores", "2", "--launches", "8", "--mode", "0"), ["core:1=0.5"]],
  ["BM1688 as libsophon writes it", () => synth("--chip", "bm1688", "--writer", "libsophon", "--plant", "imbalance=1:1.5"), ["core:1=0.5"]],
  ...readdirSync(real("")).filter((name) => name !== "golden").map((name) => [name, () => real(name), []]),
];
const CHANGES = [["ddr=2"], ["tiu=1.5", "gdma=0.7"], ["l2m=2", "sync=0"], ["sdma=3", "ddr=1.1", "tiu=0.5"], ["launch=0"], ["launch=2.5", "sync=1.7"]];

async function openWhatIf(file, hash = "") {
  const opened = await open(browser, file, { hash: `lang=en&tab=whatif${hash}` });
  await opened.page.waitForFunction(() => window.bigtpuWhatIf);
  return opened;
}

const sensitivityOf = (page) => page.evaluate(async () => {
  const name = ({ kind, engine, core, pattern }) => ({ engine, core: `core:${core}` })[kind] ?? (pattern === undefined ? kind : `${kind}:${pattern}`);
  return (await window.bigtpuWhatIf.sensitivity()).map((r) => ({ what: name(r.resource), faster_1_1_ns: r.faster11Ns, faster_2_ns: r.faster2Ns, infinite_ns: r.infiniteNs }));
});

for (const [name, make, own] of DUMPS) {
  test(`numbers are those of the command: ${name}`, async () => {
    const dump = make();
    const { page, errors } = await openWhatIf(render(dump).file);
    const layers = await page.evaluate(() => window.bigtpuPage.head.whatIf.layers);
    const more = [own, layers.length > 0 ? [`layer:${layers[0][0].slice(0, 2)}*=0.5`, "ddr=2"] : []].filter((changes) => changes.length > 0);
    const plain = JSON.parse(run("whatif", dump, "--json"));
    assert.deepEqual(await sensitivityOf(page), plain.sensitivity);
    assert.deepEqual(await page.evaluate(() => window.bigtpuWhatIf.bounds()), [plain.bounds.transfers_hidden_ns, plain.bounds.engines_ideal_ns]);
    for (const changes of [[], ...CHANGES, ...more]) {
      const expected = JSON.parse(run("whatif", dump, "--json", ...changes.flatMap((change) => ["--scale", change])));
      const { measuredNs, predictedNs, range, kernels } = await page.evaluate((changes) => window.bigtpuWhatIf.predict(changes), changes);
      assert.deepEqual([measuredNs, predictedNs, range], [expected.measured_ns, expected.predicted_ns, expected.predicted_range_ns], changes.join(" "));
      assert.deepEqual(kernels.map((k) => ({ kernel: k.kernel, launches: k.launches, measured_ns: k.measuredNs, predicted_ns: k.predictedNs })), expected.by_kernel, changes.join(" "));
    }
    assert.deepEqual(errors, []);
    await page.context().close();
  });
}

for (const [name, make, changes] of [
  ["kernels", () => synth("--cores", "2", "--launches", "6", "--mode", "2"), ["ddr=2", "core:1=0.5"]],
  ["layers", () => real("bmprofile_data-1_bm1688"), ["ddr=0.5", "tiu=2"]],
]) {
  test(`the predicted timeline is that of whatif.html: ${name}`, async () => {
    const dump = make();
    const out = scratch();
    run("whatif", dump, "-o", out, ...changes.flatMap((change) => ["--scale", change]));
    // Layers are in the order of their starts, which a prediction may change.
    const sorted = (kind, slices) => (kind === "layer" ? slices.sort(([a, aNs], [b, bNs]) => a - b || aNs - bNs) : slices);
    const times = (all) => all.map(({ kind, core, start, dur }) => ({ kind, core, slices: sorted(kind, start.map((at, row) => [at, dur[row]])) }));
    const read = (page, of) => page.evaluate(async (of) => {
      const tracks = (of === "predicted" ? window.bigtpuRuns.pages[1] : window.bigtpuWhatIf.page).tracks;
      // Gaps are things of a run that was analyzed: a replay in the browser shows none.
      return Promise.all(tracks.filter((track) => track.kind !== "gap").map(async (track) => {
        const { start, dur } = await track.loadTimes();
        return { kind: track.kind, core: track.head.core, start: [...start], dur: [...dur] };
      }));
    }, of);
    const command = await open(browser, join(out, "whatif.html"), { hash: "lang=en" });
    const expected = times(await read(command.page, "predicted"));
    const { page } = await openWhatIf(render(dump).file);
    await page.evaluate((changes) => window.bigtpuWhatIf.predict(changes), changes);
    assert.deepEqual(times(await read(page, "own")), expected);
    await command.page.context().close();
    await page.context().close();
  });
}

test("sliders replay the run, and the address keeps them", async () => {
  const file = render(synth("--cores", "2", "--launches", "12", "--mode", "2")).file;
  const { page, errors } = await openWhatIf(file);
  const predicted = () => page.getAttribute("#wi-headline p", "data-predicted").then(Number);
  const measured = await predicted();
  await page.locator('.wi-slider[data-part="ddr"] input[type=range]').fill("11");
  await page.waitForFunction((old) => Number(document.querySelector("#wi-headline p").dataset.predicted) < old, measured);
  const faster = await predicted();
  assert.equal(await page.inputValue('.wi-slider[data-part="ddr"] input[type=number]'), "2");
  assert.match(await page.textContent("#wi-headline"), /less time \(\d\.\d\dx\)/);
  await page.waitForFunction(() => location.hash.includes("ddr"));
  const again = await open(browser, file, { hash: page.url().split("#")[1] });
  await again.page.waitForSelector("#wi-headline p");
  assert.equal(await again.page.getAttribute("#wi-headline p", "data-predicted"), String(faster));
  // A row of the sensitivity table makes that part twice as fast.
  await page.click("#wi-sensitivity tbody tr:first-child");
  await page.waitForFunction((old) => Number(document.querySelector("#wi-headline p").dataset.predicted) !== old, faster);
  assert.equal(await predicted(), Number(await page.getAttribute("#wi-sensitivity tbody tr:first-child [data-key=faster2] [data-ns]", "data-ns")));
  await page.click("#wi-reset");
  await page.waitForFunction((old) => Number(document.querySelector("#wi-headline p").dataset.predicted) === old, measured);
  assert.deepEqual(errors, []);
  await page.context().close();
  await again.page.context().close();
});
