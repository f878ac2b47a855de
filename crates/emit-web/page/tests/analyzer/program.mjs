// What the program writes for the dumps that the analyzer's page is given, and what the page made of them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { BINARY, ROOT, fixture, scratch } from "../support.mjs";

/** The page; `cargo run -p xtask -- browser` builds it. */
export const FILE = process.env.ANALYZER ?? join(ROOT, "target/browser/bigtpuprofile.html");
export const REAL = join(ROOT, "fixtures/real");

/** All dumps of the repository: of real hardware, then the others. */
export function dumps() {
  const real = readdirSync(REAL).filter((name) => name !== "golden").map((name) => join(REAL, name));
  const all = readdirSync(join(ROOT, "fixtures")).map(fixture).filter(existsSync);
  assert.ok(real.length >= 5 && all.length >= 30);
  return [...real, ...all];
}

export function digest(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

/** The hash of each file of results, by its name in them. */
export function tree(out) {
  const entries = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && entry.name !== ".bigtpuprofile-files");
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(out.length + 1), digest(path)]));
}

/** What the program writes, run next to the dump: notes name files as they were given, here and there without what is above it. */
export function written(input, ...options) {
  const out = scratch();
  execFileSync(BINARY, [basename(input), out, "--quiet", ...options], { cwd: dirname(input), stdio: "pipe" });
  return tree(out);
}

export function assertSame(results, expected, name) {
  assert.ok(results.files, `${name}: ${results.sentence}`);
  assert.deepEqual(Object.keys(results.files).sort(), Object.keys(expected).sort(), name);
  const differ = Object.keys(expected).filter((file) => expected[file] !== results.files[file]);
  assert.deepEqual(differ, [], `${name}: files that differ`);
}

/** Runs in the page: name and hash of each result, or the sentence that the analysis ended with. */
export async function results() {
  const found = window.bigtpuResults;
  if (!found) return { sentence: document.querySelector(".message").textContent };
  const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const files = {};
  for (const { name, bytes } of found.files) files[name] = hex(await crypto.subtle.digest("SHA-256", bytes));
  return { files, notes: found.notes, name: found.name, dumps: found.dumps, hasLoss: found.hasLoss };
}
