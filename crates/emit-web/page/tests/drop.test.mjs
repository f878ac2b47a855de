// Another result.html that is dropped on a page is compared with its run, without the program.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, render, run, scratch } from "./support.mjs";

let browser;
let first;
let second;
before(async () => {
  browser = await launch();
  const dir = scratch();
  run("synth", join(dir, "even"), "--cores", "2", "--launches", "11");
  run("synth", join(dir, "slow"), "--cores", "2", "--launches", "11", "--plant", "slow-kernel=rope:3");
  first = render(join(dir, "even")).file;
  second = render(join(dir, "slow")).file;
});
after(() => browser.close());

/** Drops a file on the page. */
async function drop(page, name, text) {
  const data = await page.evaluateHandle(([name, text]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], name, { type: "text/html" }));
    return transfer;
  }, [name, text]);
  await page.dispatchEvent("body", "drop", { dataTransfer: data });
}

test("a dropped page becomes the second run", async () => {
  const { page, errors } = await open(browser, first, { hash: "lang=en" });
  await drop(page, "result.html", readFileSync(second, "utf8"));
  await page.waitForSelector("#changes-kernel tbody tr");
  assert.equal(await page.textContent("#changes-kernel tbody tr:first-child td"), "rope");
  assert.match(await page.textContent("#changes-headline"), /slower/);
  await page.click("#changes-kernel tbody tr:first-child");
  await page.waitForFunction(() => window.bigtpuBoth?.length === 2 && window.bigtpuBoth.every((line) => line.firstPicture > 0));
  await page.waitForFunction(() => window.bigtpuBoth.every((line) => line.selected() !== null));
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("what is no page is refused in words", async () => {
  const { page } = await open(browser, first, { hash: "lang=en" });
  const said = page.waitForEvent("dialog").then(async (dialog) => {
    const text = dialog.message();
    await dialog.accept();
    return text;
  });
  await drop(page, "notes.html", "<p>no data</p>");
  assert.match(await said, /notes\.html is not a result\.html of one run/);
  assert.equal(await page.$("#changes-kernel"), null);
  await page.context().close();
});

/** Columns of tables, and of lists whose lines are like rows, that show durations in more than one unit. */
function mixedUnits() {
  const found = [];
  const look = (what, cells) => {
    const units = new Set(cells.flatMap((cell) => /^[\d.,]+ (ns|µs|ms|s)$/.exec(cell?.textContent.trim() ?? "")?.[1] ?? []));
    if (units.size > 1) found.push(`${what}: ${[...units].join(" ")}`);
    return units.size;
  };
  let columns = 0;
  for (const table of document.querySelectorAll("table")) {
    const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
    for (let at = 0; at < (rows[0]?.cells.length ?? 0); at++) columns += look(table.id || table.textContent.slice(0, 40), rows.map((row) => row.cells[at]));
  }
  columns += look("#engine-busy", [...document.querySelectorAll("#engine-busy .busy-line span:last-child")]);
  return { found, columns };
}

test("Esc leaves a text field, durations of a column have one unit, and printing hides the controls", async () => {
  const { page } = await open(browser, first, { hash: "lang=en" });
  for (const tab of ["overview", "compare"]) {
    await page.click(`#tab-${tab}`);
    const { found, columns } = await page.evaluate(mixedUnits);
    assert.deepEqual(found, [], tab);
    assert.ok(columns > 2, `${columns} columns of durations`);
  }
  await page.click("#tab-find");
  await page.focus("#find-q");
  await page.keyboard.press("Escape");
  assert.notEqual(await page.evaluate(() => document.activeElement?.id), "find-q");
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.isVisible("header .tools"), false);
  assert.equal(await page.isVisible(".find-form"), false);
  await page.context().close();
});

test("all of a view is on paper, and no other view", async () => {
  const { page } = await open(browser, first, { hash: "lang=en" });
  await page.waitForSelector(".view.overview .panel");
  await page.emulateMedia({ media: "print" });
  const views = await page.evaluate(() => [...document.querySelectorAll(".view")].map((view) => [view.offsetHeight, view.scrollHeight]));
  const shown = views.filter(([height]) => height > 0);
  assert.equal(shown.length, 1);
  // As much as there is, more than the window shows.
  assert.ok(shown[0][0] > 1000 && shown[0][1] <= shown[0][0] + 1, String(shown[0]));
  await page.context().close();
});
