// Bundles src/ into dist/: one script, one style sheet, and the script's hash for the page's content
// security policy. Of the page of a cluster, too: crates/emit-cluster/page/dist/. The result is committed, so that building the binary needs no node.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

// What is bundled from others keeps its notice.
const notice = readFileSync("node_modules/svgcanvas/LICENSE", "utf8").trim();
const shared = { bundle: true, minify: true, target: "es2022", charset: "utf8", legalComments: "none", logLevel: "warning" };
await build({ ...shared, entryPoints: ["src/main.ts"], format: "iife", banner: { js: `/*! svgcanvas ${notice} */` }, outfile: "dist/page.js" });
await build({ ...shared, entryPoints: ["src/style.css"], outfile: "dist/page.css" });

// The analyzer in one page, see src/analyzer/: the page, and the script of its worker.
await build({ ...shared, entryPoints: { analyzer: "src/analyzer/main.ts" }, format: "iife", outdir: "dist" });
await build({ ...shared, entryPoints: { "analyzer-worker": "src/analyzer/worker.ts" }, format: "iife", outdir: "dist" });
await build({ ...shared, entryPoints: ["src/analyzer.css"], outfile: "dist/analyzer.css" });

// The page of a cluster: scripts of its own, and the parts of src/ui/ that all pages share.
const CLUSTER = "../../emit-cluster/page";
await build({ ...shared, entryPoints: { cluster: `${CLUSTER}/main.js` }, format: "iife", outdir: `${CLUSTER}/dist`, resolveExtensions: [".ts", ".js"] });
await build({ ...shared, entryPoints: { cluster: `${CLUSTER}/page.css` }, outdir: `${CLUSTER}/dist` });

for (const path of ["dist/page.js", "dist/analyzer.js", "dist/analyzer-worker.js", `${CLUSTER}/dist/cluster.js`]) {
  const script = readFileSync(path, "utf8");
  // The script is inside an element of the page: it must not end that element.
  if (/<\/script|<!--/i.test(script)) throw new Error(`${path} holds </script or <!--`);
  if (!path.endsWith("worker.js")) writeFileSync(`${path}.sha256`, createHash("sha256").update(script).digest("base64"));
}
