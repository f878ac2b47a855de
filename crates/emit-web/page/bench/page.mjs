// Times a page in headless Chromium: first picture, and frames while the timeline is panned and zoomed.
//
//   node bench/page.mjs PAGE.html [--gpu]
//
// Build the page first, for example of a synthetic dump of a million commands:
//   bigtpuprofile synth big --mode 2 --launches 2600 && bigtpuprofile big out --emit page
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { chromium } from "playwright-core";

const file = resolve(process.argv[2]);
const flags = ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
flags.push(...(process.argv.includes("--gpu") ? ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"] : ["--disable-gpu"]));

const quantile = (all, q) => all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * q))];

/** Does something before each of 120 frames, inside the page: CPU time of each frame's script, which other processes do not lengthen, and time between frames. */
async function frames(page, step) {
  await browser.startTracing(page, { categories: ["devtools.timeline"] });
  const apart = await page.evaluate(async (source) => {
    const plot = document.querySelector(".tl-plot");
    const box = plot.getBoundingClientRect();
    const at = { clientX: box.left + box.width / 2, clientY: box.top + 60, bubbles: true, cancelable: true };
    const key = (name) => plot.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
    const wheel = (by) => plot.dispatchEvent(new WheelEvent("wheel", { ...at, deltaY: by }));
    const act = new Function("i", "key", "wheel", source);
    const times = [];
    for (let i = 0; i < 120; i++) {
      act(i, key, wheel);
      times.push(await new Promise(requestAnimationFrame));
    }
    return times.slice(1).map((t, i) => t - times[i]);
  }, step);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  // The test's own callback is an animation frame as well: it does nothing that counts.
  const cpu = traceEvents.filter((e) => e.name === "FireAnimationFrame" && e.tdur > 500).map((e) => e.tdur / 1000);
  const show = (all) => `${quantile(all, 0.5).toFixed(1)} / ${quantile(all, 0.95).toFixed(1)}`;
  return `CPU ${show(cpu)}, apart ${show(apart)} (p50 / p95 of ${cpu.length} frames, ms)`;
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });
const firsts = [];
for (let run = 0; run < 5; run++) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`file://${file}#lang=en&tab=timeline`);
  await page.waitForFunction(() => window.bigtpu?.firstPicture > 0, null, { timeout: 120_000 });
  firsts.push(await page.evaluate(() => window.bigtpu.firstPicture));
  if (run < 4) {
    await page.close();
    continue;
  }
  const events = await page.evaluate(() => window.bigtpuPage.head.events);
  console.log(`${events} events, ${statSync(file).size} bytes, first picture after ${quantile(firsts, 0.5).toFixed(0)} ms (median of 5: ${firsts.map((f) => f.toFixed(0)).join(", ")})`);
  await page.waitForTimeout(1500);
  console.log("pan whole run:", await frames(page, "key(i % 20 < 10 ? 'd' : 'a')"));
  console.log("zoom:", await frames(page, "wheel(i % 40 < 20 ? -120 : 120)"));
  await frames(page, "if (i === 0) key('f'); if (i < 40) wheel(-200)");
  console.log("pan close up:", await frames(page, "key(i % 20 < 10 ? 'd' : 'a')"));
}
await browser.close();
