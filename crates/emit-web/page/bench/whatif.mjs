// Times what-if in headless Chromium: from a slider's step to the picture of the predicted run.
//
//   node bench/whatif.mjs PAGE.html
//
// Build the page first, for example of a synthetic dump of 279 000 commands:
//   bigtpuprofile synth big --cores 8 --launches 700 --mode 2 && bigtpuprofile big out --emit page
import { resolve } from "node:path";
import { launch, open } from "../tests/support.mjs";

const quantile = (all, q) => all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * q))];
const show = (all) => `p50 ${quantile(all, 0.5).toFixed(1)}, most ${quantile(all, 1).toFixed(1)}`;

const browser = await launch();
const { page } = await open(browser, resolve(process.argv[2]), { hash: "lang=en&tab=overview" });
const size = await page.evaluate(() => {
  const { whatIf, events } = window.bigtpuPage.head;
  const chunks = ["tasks", "dependences", "waits", "launches", "parts"].map((key) => document.getElementById(`c${whatIf[key].id}`)?.textContent.length ?? 0);
  return { events, chunks, dependences: whatIf.dependences.rows };
});
console.log(`${size.events} events, ${size.dependences} dependences: ${size.chunks.join(" + ")} bytes, ${(size.chunks.reduce((a, b) => a + b) / size.events).toFixed(2)} an event`);
await page.click("#tab-whatif");
await page.waitForSelector("#wi-sensitivity tbody tr");
await page.waitForTimeout(1000);
const [cpu, elapsed] = [[], []];
for (let i = 8; i < 15; i++) {
  for (const part of ["ddr", "core:1", "sync", "tiu"]) {
    await browser.startTracing(page, { categories: ["devtools.timeline"] });
    await page.evaluate(() => (window.bigtpuWhatIf.took = 0));
    await page.locator(`.wi-slider[data-part="${part}"] input[type=range]`).fill(String(i));
    await page.waitForFunction(() => window.bigtpuWhatIf.took > 0);
    elapsed.push(await page.evaluate(() => window.bigtpuWhatIf.took));
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
    const script = traceEvents.filter((e) => e.name === "FireAnimationFrame" || (e.name === "EventDispatch" && e.args.data?.type === "input"));
    cpu.push(script.reduce((sum, e) => sum + (e.tdur ?? 0) / 1000, 0));
  }
}
console.log(`a step of a slider: CPU time of the script ${show(cpu)} ms; until the next picture is there ${show(elapsed)} ms (${cpu.length} steps)`);
await browser.close();
