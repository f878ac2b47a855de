// Names from a dump are text, whatever they hold.
import assert from "node:assert/strict";
import { cpSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fixture, launch, open, render, scratch } from "./support.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const NAMES = ["</script><img onerror=x>", "<b>&amp;\u202e'\"`{{7*7}}"];

/** A dump whose kernels carry other names of the same length in bytes. */
function renamed() {
  const dump = join(scratch(), "</title><i>dump");
  cpSync(fixture("aks-mode2-sync"), dump, { recursive: true });
  const kernels = ["embedding_forward_multi_core", "softmax_forward_multi_core"];
  let changed = 0;
  for (const name of readdirSync(dump).filter((n) => n.endsWith(".profile"))) {
    const bytes = readFileSync(join(dump, name));
    kernels.forEach((kernel, i) => {
      const to = Buffer.alloc(kernel.length, 32);
      to.write(NAMES[i]);
      for (let at = bytes.indexOf(kernel); at >= 0; at = bytes.indexOf(kernel, at + 1)) {
        to.copy(bytes, at);
        changed++;
      }
    });
    writeFileSync(join(dump, name), bytes);
  }
  assert.ok(changed > 1, "no kernel was renamed");
  return dump;
}

test("hostile names stay names", async () => {
  const { file } = render(renamed());
  const { page, errors } = await open(browser, file, { hash: "lang=en" });
  const kernels = await page.evaluate(() => window.bigtpuPage.head.kernels.map((k) => window.bigtpuPage.text(k).trim()));
  assert.ok(kernels.includes(NAMES[0]), kernels.join());
  for (const tab of ["overview", "timeline", "compare", "memory", "find"]) {
    await page.click(`#tab-${tab}`);
    await page.waitForTimeout(300);
    assert.equal(await page.locator("img, [onerror]").count(), 0, `${tab} made elements of a name`);
  }
  assert.ok((await page.textContent("#panel-overview")).includes("</script><img"), "the name is shown");
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("the policy lets no other script run", async () => {
  const { file } = render(fixture("aks-mode2-sync"));
  const { page } = await open(browser, file);
  const ran = await page.evaluate(() => new Promise((done) => {
    const script = document.createElement("script");
    script.textContent = "window.intruder = true";
    document.body.append(script);
    setTimeout(() => done(window.intruder === true), 100);
  }));
  assert.equal(ran, false);
  await page.context().close();
});
