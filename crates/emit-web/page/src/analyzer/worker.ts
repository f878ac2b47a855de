// The worker: the module is unpacked and compiled, then files are analyzed once. What begins this script is the JavaScript that
// wasm-bindgen makes: it defines `wasm_bindgen`.
import { unpacked } from "./unpack";
import type { Answer, Request, Start } from "./protocol";

interface Module {
  (options: { module_or_path: WebAssembly.Module }): Promise<unknown>;
  Analyzer: new () => { add(path: string, bytes: Uint8Array): void; run(language: string): Found };
}

interface Found {
  name(): string;
  dumps(): string[];
  notes(): string[];
  has_loss(): boolean;
  first_page(): string;
  files(): string[];
  take(name: string): Uint8Array<ArrayBuffer>;
}

declare const wasm_bindgen: Module;
declare const self: {
  postMessage(message: Answer, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
  showAnalyzerPanic?: (text: string) => void;
  showAnalyzerProgress?: (task: string, done: number, total: number) => void;
};

self.showAnalyzerProgress = (task, done, total) => self.postMessage({ kind: "progress", task, done, total });

let panic = "";
self.showAnalyzerPanic = (text) => {
  panic = text;
};

let isReady: Promise<unknown> | undefined;

self.onmessage = ({ data }: MessageEvent<Start | Request>) => {
  if ("module" in data) {
    isReady = prepare(data.module);
    isReady.then(() => self.postMessage({ kind: "ready" }), stopped);
  } else {
    analyze(data).catch(stopped);
  }
};

async function prepare(module: string): Promise<void> {
  const compiled = await WebAssembly.compile(await unpacked(module));
  await wasm_bindgen({ module_or_path: compiled });
}

async function analyze({ files, language }: Request): Promise<void> {
  await isReady;
  const analyzer = new wasm_bindgen.Analyzer();
  for (const { path, file } of files) {
    self.postMessage({ kind: "file", path });
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (!said(() => (analyzer.add(path, bytes), true))) return;
  }
  const found = said(() => analyzer.run(language));
  if (!found) return;
  const names = found.files();
  const outputs = names.map((name) => ({ name, bytes: found.take(name) }));
  const results = { name: found.name(), dumps: found.dumps(), notes: found.notes(), hasLoss: found.has_loss(), firstPage: found.first_page(), files: outputs };
  self.postMessage({ kind: "results", results }, outputs.map(({ bytes }) => bytes.buffer));
}

/** What a call gives, or nothing where it failed with a sentence. */
function said<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (typeof error !== "string") throw error;
    self.postMessage({ kind: "error", text: error });
    return undefined;
  }
}

function stopped(error: unknown): void {
  self.postMessage({ kind: "stopped", text: panic || (error instanceof Error ? error.message : String(error)) });
}
