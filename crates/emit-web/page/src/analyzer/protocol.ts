// What the page and the worker tell each other.
import type { Given } from "./files";

/** The analyzer: JavaScript that holds the function `wasm_bindgen`, and the module, gzipped, in base64. */
export interface Start {
  module: string;
}

export interface Request {
  files: Given[];
  language: string;
}

export interface Output {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

export interface Results {
  name: string;
  /** Directories of the dumps among the files; one empty name for a single dump. */
  dumps: string[];
  notes: string[];
  hasLoss: boolean;
  /** The page that is shown first. */
  firstPage: string;
  files: Output[];
}

export type Answer =
  | { kind: "ready" }
  | { kind: "file"; path: string }
  | { kind: "progress"; task: string; done: number; total: number }
  | { kind: "error"; text: string }
  | { kind: "stopped"; text: string }
  | { kind: "results"; results: Results };
