// Layers of a static model are what kernels are elsewhere: names, shapes, lines, blocks; in tables, details, search and the roofline.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ROOT, launch, open, render } from "./support.mjs";

let browser;
let file;
let out;
before(async () => {
  browser = await launch();
  ({ file, out } = render(join(ROOT, "fixtures/real/bmprofile_data-1_bm1688"), "--csv"));
});
after(() => browser.close());

const cells = (page, selector, key) => page.$$eval(`${selector} tbody td[data-key=${key}]`, (all) => all.map((e) => e.textContent));

test("the table has names, shapes and lines of the model, and rolls up to blocks", async () => {
  const { page, errors } = await open(browser, file, { hash: "lang=en&tab=overview" });
  await page.waitForSelector("#layers tbody tr");
  assert.equal((await cells(page, "#layers", "layer"))[0], "80_Relu (Conv2D)");
  assert.deepEqual([(await cells(page, "#layers", "operation"))[0], (await cells(page, "#layers", "result"))[0], (await cells(page, "#layers", "line"))[0]], ["Conv2D", "1x24x64x64 FP16", "25"]);
  const { total, path } = await page.evaluate(() => {
    const { pieces, wall_ns } = window.bigtpuPage.head.answers.critical_path;
    return { total: wall_ns, path: pieces.filter((p) => p.layer).reduce((sum, p) => sum + p.ns, 0) };
  });
  assert.ok(path > 0.9 * total, "the path is in layers");
  assert.ok(!(await page.textContent("#critical-path")).includes("outside kernels"));
  await page.click("#units-blocks");
  await page.waitForSelector("#blocks tbody tr");
  const blocks = await cells(page, "#blocks", "block");
  assert.ok(blocks.includes("blaze_face.backbone1.0") && blocks.length > 5, blocks.join());
  // A block has the layers of the blocks in it: the outermost ones and the layers outside of blocks are all.
  const numbers = Object.fromEntries((await cells(page, "#blocks", "layers")).map((number, at) => [blocks[at], Number(number)]));
  const { all, outside, outermost } = await page.evaluate(() => {
    const { layers, blocks: known, strings } = window.bigtpuPage.head;
    const ran = layers.filter((layer) => layer.cells.length > 0);
    return { all: ran.length, outside: ran.filter((layer) => layer.parent === 0).length, outermost: known.filter((block) => block.parent === 0).map((block) => strings[block.name]) };
  });
  assert.ok(outermost.length > 0);
  assert.equal(outermost.reduce((sum, name) => sum + numbers[name], outside), all);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("the model is a tree: blocks, layers and commands, each node the sum of what is below it", async () => {
  const { page, errors } = await open(browser, file, { hash: "lang=en&tab=overview" });
  await page.click("#units-tree");
  await page.waitForSelector("#unit-tree tbody tr[aria-level='2']");
  // The row of a command has no count: it is one.
  const rows = () => page.$$eval("#unit-tree tbody tr", (all) => all.map((row) => ({ level: Number(row.getAttribute("aria-level")), name: row.cells[0].textContent, commands: Number(row.cells[8]?.textContent.replaceAll(",", "")) || 1 })));
  const below = (all, level) => all.filter((row) => row.level === level).reduce((sum, row) => sum + row.commands, 0);
  const folded = await rows();
  assert.equal(folded[0].level, 1);
  assert.equal(below(folded, 2), folded[0].commands, "blocks and layers of the model sum to it");
  const events = await page.evaluate(async () => {
    let count = 0;
    for (const track of window.bigtpuPage.tracks.filter((t) => t.isEngine)) count += ((await track.facts()).layer ?? []).filter((layer) => layer >= 0).length;
    return count;
  });
  assert.equal(folded[0].commands, events, "each command of a layer is counted once");
  // The keyboard unfolds the first block or layer.
  await page.focus("#unit-tree tbody tr:nth-child(2)");
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector("#unit-tree tbody tr:nth-child(2)[aria-expanded=true]");
  const unfolded = await rows();
  assert.ok(unfolded.length > folded.length);
  assert.equal(below(unfolded, 3), unfolded[1].commands);
  await page.keyboard.press("ArrowLeft");
  assert.deepEqual(await rows(), folded);
  // A layer unfolds to its commands; a click on one selects it in the timeline.
  const deepest = async () => {
    for (;;) {
      const at = await page.$$eval("#unit-tree tbody tr", (all) => all.findIndex((row) => row.getAttribute("aria-expanded") === "false"));
      await page.click(`#unit-tree tbody tr:nth-child(${at + 1}) .tree-toggle`);
      await page.waitForSelector(`#unit-tree tbody tr:nth-child(${at + 1})[aria-expanded=true]`);
      if ((await page.$(`#unit-tree tbody tr:nth-child(${at + 2}):not([aria-expanded])`)) !== null) return at + 2;
    }
  };
  const command = await deepest();
  await page.click(`#unit-tree tbody tr:nth-child(${command}) td.num`);
  await page.waitForSelector("#tab-timeline[aria-selected=true]");
  assert.notEqual(await page.evaluate(() => window.bigtpu.selected()), null);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("a block is a unit of work: one click shows its engines, what it costs, its tensors and its commands", async () => {
  const { page, errors } = await open(browser, file, { hash: "lang=en&tab=overview" });
  await page.click("#units-blocks");
  const name = (await cells(page, "#blocks", "block"))[0];
  await page.click("#blocks tbody tr:first-child");
  await page.waitForSelector("#unit-commands tbody tr");
  assert.equal(await page.textContent(".tl-title"), name);
  const wanted = await page.evaluate((wanted) => {
    const { blocks, strings, layerColumns } = window.bigtpuPage.head;
    const at = (id) => layerColumns.findIndex((column) => column.id === id);
    const { cells } = blocks.find((block) => strings[block.name] === wanted);
    return { events: cells[at("events")], path: cells[at("path_ns")] };
  }, name);
  const commands = await page.$$eval("#unit-engines tbody td:nth-child(2)", (all) => all.reduce((sum, e) => sum + Number(e.textContent), 0));
  assert.equal(commands, wanted.events);
  const facts = await page.$$eval(".unit-cost div", (all) => Object.fromEntries(all.map((e) => [e.children[0].textContent, e.children[1].textContent])));
  assert.ok(facts["On the critical path"].startsWith(`${(wanted.path / 1e3).toFixed(3).replace(/0+$/, "")} µs`), facts["On the critical path"]);
  assert.match(facts["Reads from outside"], /@0x[0-9a-f]+ /);
  assert.match(facts["Source lines"], /^final\.mlir:\d+–\d+$/);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("a command's data type and operations are those of the table of events", async () => {
  const { page, errors } = await open(browser, file, { hash: "lang=en&tab=timeline" });
  await page.waitForFunction(() => window.bigtpu?.firstPicture > 0);
  const types = await page.evaluate(async () => {
    const track = window.bigtpuPage.tracks.find((t) => t.kind === "tiu");
    const { dtype, alg } = await track.facts();
    const { name } = await track.loadTimes();
    return [...dtype].map((type, row) => [window.bigtpuPage.text(type), window.bigtpuPage.name(name[row]).role === "work", alg[row]]);
  });
  const [titles, ...rows] = readFileSync(join(out, "events.csv"), "utf8").trim().split("\n").map((line) => line.split(","));
  const column = (title) => titles.indexOf(title);
  const tiu = rows.filter((row) => row[column("engine")] === "TIU");
  assert.equal(types.length, tiu.length);
  tiu.forEach((row, at) => {
    const [type, works, alg] = types[at];
    assert.equal(type, row[column("data_type")]);
    // What is not known is no 0.
    assert.equal(alg, row[column("ops")] === "" ? -1 : Number(row[column("ops")]));
    assert.equal(works, row[column("activity")] === "work");
  });
  assert.ok(types.some(([type]) => type.includes("->")), "a conversion has both types");
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("a dot of the roofline and the search lead to a layer's commands", async () => {
  const { page, errors } = await open(browser, file, { hash: "lang=en&tab=overview" });
  await page.click("#roofs tbody tr >> nth=1");
  await page.waitForSelector("#tab-find[aria-selected=true]");
  const found = await page.evaluate(async () => {
    const q = new URLSearchParams(location.hash.slice(1)).get("f.q") ?? "";
    return { q, label: window.bigtpuPage.head.layers.filter((l) => `layer:#${l.id}` === q).map((l) => window.bigtpuPage.text(l.label)) };
  });
  await page.waitForFunction(() => location.hash.includes("f.q"));
  assert.deepEqual(found.label.length <= 1, true);
  assert.equal(await page.inputValue("#find-q"), "layer:#5");
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("a command tells its layer's tensors, line and block", async () => {
  const { page, errors } = await open(browser, file, { hash: "lang=en&tab=timeline" });
  await page.waitForFunction(() => window.bigtpu?.firstPicture > 0);
  const slice = await page.evaluate(async () => {
    for (const track of window.bigtpuPage.tracks.filter((t) => t.kind === "tiu")) {
      const { layer } = await track.facts();
      const row = layer.findIndex((l) => window.bigtpuPage.head.layers[l]?.id === 5);
      if (row >= 0) return `${track.index}.${row}`;
    }
  });
  await page.evaluate((hash) => (location.hash = hash), `lang=en&tab=timeline&tl.slice=${slice}`);
  await page.waitForSelector(".tl-main dl");
  const facts = await page.$$eval(".tl-main dl div", (all) => Object.fromEntries(all.map((e) => [e.children[0].textContent, e.children[1].textContent])));
  // One form of its name everywhere; its number stands apart.
  assert.equal(facts["Layer Id"], "5");
  assert.equal(facts.Layer, "80_Relu (Conv2D)");
  assert.match(facts["Layer writes"], /^80_Relu@0x[0-9a-f]+ 1x24x64x64 FP16/);
  assert.equal(facts["Source line"], "final.mlir:25");
  assert.equal(facts.Block, "blaze_face.backbone1.0");
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("layers are compared across cores where there are no kernels", async () => {
  const { page, errors } = await open(browser, render(join(ROOT, "fixtures/real/bmprofile_data_bm1688_2core")).file, { hash: "lang=en&tab=compare" });
  const layers = await page.evaluate(() => window.bigtpuPage.head.layers.length);
  if (layers > 0) {
    await page.waitForSelector("#kernel-heat tbody tr");
    assert.match(await page.textContent("#panel-compare"), /Layers across cores/);
  }
  assert.deepEqual(errors, []);
  await page.context().close();
});
