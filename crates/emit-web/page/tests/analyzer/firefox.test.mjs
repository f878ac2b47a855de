// The analyzer in Firefox, as a system installs it: the program's bytes. FIREFOX is the program; without it, it is looked for.
// Playwright drives a Firefox of its own only; this one is driven by the standard that it has built in (WebDriver BiDi).
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import puppeteer from "puppeteer-core";
import { scratch } from "../support.mjs";
import { FILE, assertSame, dumps, results, written } from "./program.mjs";

const NAMES = ["firefox", "firefox-esr"];

function firefox() {
  const found = NAMES.map((name) => spawnSync("which", [name], { encoding: "utf8" }).stdout.trim()).find(Boolean);
  return process.env.FIREFOX ?? found;
}

test("each dump has the program's bytes in Firefox, too", async (t) => {
  const executablePath = firefox();
  if (!executablePath) {
    assert.notEqual(process.env.CI, "true", "Firefox is missing, and in CI nothing is skipped");
    t.skip("Firefox is not installed");
    return;
  }
  const browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true });
  try {
    const page = await browser.newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(`file://${FILE}`);
    await page.waitForSelector(".start");
    for (const dump of dumps()) {
      // BiDi gives files to a page, not directories.
      const archive = join(scratch(), "run.tar.gz");
      execFileSync("tar", ["-czf", archive, "-C", dirname(dump), basename(dump)]);
      await page.evaluate(() => {
        delete window.bigtpuResults;
        document.querySelector("#another")?.click();
      });
      const field = await page.waitForSelector("#files");
      await field.uploadFile(archive);
      await page.waitForFunction(() => window.bigtpuResults || !document.querySelector(".message").hidden, { timeout: 120_000 });
      assertSame(await page.evaluate(results), written(archive), dump);
    }
    assert.deepEqual(errors, []);
  } finally {
    await browser.close();
  }
});
