// A server of this machine that answers as Perfetto's site: the viewer's files, a copy of which PERFETTO_UI names, and traces.
import { execFileSync } from "node:child_process";
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:https";
import { extname, join, normalize } from "node:path";

export const VIEWER = process.env.PERFETTO_UI;
export const ADDRESS = "https://ui.perfetto.dev";
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".json": "application/json", ".png": "image/png", ".svg": "image/svg+xml", ".woff2": "font/woff2" };

/** The site, with other files by their paths; its certificate is written into a directory. */
export async function site(dir, others = new Map()) {
  const [key, cert] = ["key.pem", "cert.pem"].map((name) => join(dir, name));
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=ui.perfetto.dev", "-keyout", key, "-out", cert], { stdio: "ignore" });
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    const path = normalize(new URL(request.url, ADDRESS).pathname);
    const file = others.get(path) ?? join(VIEWER, path === "/" ? "index.html" : path);
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise((listens) => server.listen(0, "127.0.0.1", listens));
  return server;
}
