// Times queries over all commands of a page in headless Chromium: from the input to the first frame with the new matches.
//
//   node bench/find.mjs PAGE.html [QUERY ...]
//
// Build the page first, for example of a synthetic dump of 1.4 million commands:
//   bigtpuprofile synth big --mode 2 --launches 3700 && bigtpuprofile big out --emit page
import { resolve } from "node:path";
import { launch, open } from "../tests/support.mjs";

const file = resolve(process.argv[2]);
const queries = process.argv.length > 3 ? process.argv.slice(3) : ["bytes>64KiB", "dur>5us", "bytes>64KiB dur>5us not:wait", "rate<50%", "kernel:matmul*", "name:tensor addr:0x0", "core=3 cycles>1000", "wait"];
const RUNS = 5;

const browser = await launch();
const { page } = await open(browser, file, { hash: "lang=en&tab=find" });
await page.waitForFunction(() => Number(document.querySelector("#find-count")?.dataset.count) > 0, null, { timeout: 120_000 });
const events = await page.evaluate(() => window.bigtpuPage.head.events);
console.log(`${events} commands; ms without the pause for further letters: the first time, fastest and median of ${RUNS} more`);
for (const query of queries) {
  const times = await page.evaluate(async ([text, runs]) => {
    const field = document.querySelector("#find-q");
    const counted = document.querySelector("#find-count");
    const type = async (value) => {
      // The page waits for further letters: what counts is the time from then on.
      const now = window.setTimeout;
      let asked = 0;
      window.setTimeout = (run, ms, ...rest) => now(() => {
        if (ms === 120) asked = performance.now();
        run();
      }, ms, ...rest);
      const told = new Promise((done) => new MutationObserver((_, observer) => {
        observer.disconnect();
        requestAnimationFrame(() => done(performance.now()));
      }).observe(counted, { attributes: true, attributeFilter: ["data-count"] }));
      field.value = value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      const at = await told;
      window.setTimeout = now;
      return at - asked;
    };
    const found = [];
    for (let run = 0; run <= runs; run++) {
      await type("idx<0");
      found.push(await type(text));
    }
    const more = found.slice(1).sort((a, b) => a - b);
    return { first: found[0], least: more[0], median: more[Math.floor(runs / 2)], count: counted.dataset.count };
  }, [query, RUNS]);
  console.log(`${query.padEnd(32)} ${times.count.padStart(8)} found  ${times.first.toFixed(0).padStart(5)}  ${times.least.toFixed(0).padStart(5)}  ${times.median.toFixed(0).padStart(5)}`);
}
await browser.close();
