// The worker that analyzes, as the page sees it. A worker analyzes once: then it goes, with all of its memory, and the next one is
// prepared.
import type { Given } from "./files";
import type { Answer, Request, Results, Start } from "./protocol";

export interface Listener {
  file(path: string): void;
  progress(task: string, done: number, total: number): void;
  error(text: string): void;
  stopped(text: string): void;
  results(results: Results): void;
}

let prepared: Worker | undefined;

function text(id: string): string {
  return document.getElementById(id)!.textContent!;
}

/** Makes the next worker ready: its module is compiled before there is a file. */
export function prepare(): Worker {
  if (prepared) return prepared;
  const address = URL.createObjectURL(new Blob([text("worker")], { type: "text/javascript" }));
  prepared = new Worker(address);
  URL.revokeObjectURL(address);
  prepared.postMessage({ module: text("module") } satisfies Start);
  return prepared;
}

/** Analyzes files; gives what cancels it. */
export function analyze(files: Given[], language: string, listener: Listener): () => void {
  const worker = prepare();
  prepared = undefined;
  const end = (): void => {
    worker.terminate();
    prepare();
  };
  worker.onmessage = ({ data }: MessageEvent<Answer>) => {
    switch (data.kind) {
      case "ready":
        return;
      case "file":
        return listener.file(data.path);
      case "progress":
        return listener.progress(data.task, data.done, data.total);
      case "error":
        listener.error(data.text);
        return end();
      case "stopped":
        listener.stopped(data.text);
        return end();
      case "results":
        listener.results(data.results);
        return end();
    }
  };
  worker.onerror = (event) => {
    listener.stopped(event.message);
    end();
  };
  worker.postMessage({ files, language } satisfies Request);
  return end;
}
