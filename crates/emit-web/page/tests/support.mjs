// What the browser tests share: the binary, pages of dumps, a browser that knows no network.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const HERE = dirname(fileURLToPath(import.meta.url));
export const ROOT = resolve(HERE, "../../../..");
export const BINARY = process.env.BIGTPUPROFILE ?? join(ROOT, "target/debug/bigtpuprofile");
// The one without windows takes half of the processor's time.
const BROWSER = process.env.CHROMIUM ?? ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find(existsSync) ?? "/usr/bin/chromium";

const FLAGS = [
  "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
  "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
];

const made = [];
process.on("exit", () => made.forEach((dir) => rmSync(dir, { recursive: true, force: true })));

/** A sentence of a file as a page shows it: with the page's sign for microseconds, and its form of percents. */
export const onPage = (text) => text.replace(/(\d) us\b/g, "$1 µs").replace(/(\d) %/g, "$1%");

/** A directory that goes when the tests end. */
export function scratch() {
  const dir = mkdtempSync(join(tmpdir(), "bigtpuprofile-page-"));
  made.push(dir);
  return dir;
}

export function fixture(name) {
  return join(ROOT, "fixtures", name, "dump");
}

/** Runs the binary. */
export function run(...args) {
  return execFileSync(BINARY, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** The page of a dump, and the directory with all that was written next to it. */
export function render(dump, ...options) {
  const out = scratch();
  run(dump, out, "--disable_doc", "--quiet", ...options);
  return { out, file: join(out, "PerfWeb/result.html") };
}

/** The records of a register text: keys and values as they are there. */
export function registerTexts(out, prefix) {
  const names = readdirSync(out).filter((n) => n.startsWith(prefix) && n.endsWith(".txt"));
  return new Map(names.map((n) => [Number(/\d+/.exec(n.slice(prefix.length))[0]), records(readFileSync(join(out, n), "utf8"))]));
}

function records(text) {
  const found = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("__")) found.push({});
    const at = line.indexOf(": ");
    if (at > 0 && found.length > 0) found.at(-1)[line.slice(0, at).trim()] ??= line.slice(at + 2);
  }
  return found.filter((r) => "Global Idx" in r);
}

/** A browser; close it in `after`. On a loaded machine Chromium's start can fail or hang, which says nothing of the page: it gets three tries. */
export async function launch(...flags) {
  for (let left = 2; ; left--) {
    try {
      return await chromium.launch({ executablePath: BROWSER, args: [...FLAGS, ...flags], timeout: 60_000 });
    } catch (error) {
      if (left === 0 || !existsSync(BROWSER)) throw error;
      console.log(`# Chromium did not start, once more: ${error.message.split("\n")[0]}`);
    }
  }
}

/** Opens a page from disk, with the topics of the overview unless `folded`. `errors` collects whatever the console complains about. */
export async function open(browser, file, { hash = "", folded = false, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US", offline: true, ...options });
  // On a loaded machine a page can take long to open, which says nothing of the page.
  context.setDefaultTimeout(90_000);
  const page = await context.newPage();
  const errors = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`file://${file}${hash && `#${hash}`}`);
  await page.waitForSelector("[role=tab]");
  if (!folded) {
    await page.$$eval("details.topic", (all) => all.forEach((details) => {
      details.dataset.forced = "";
      details.open = true;
    }));
  }
  return { page, errors };
}
