// A trace in memory, handed to Perfetto's viewer: it answers a ping when it is ready, and then takes the trace by a message.
// https://perfetto.dev/docs/visualization/deep-linking-to-perfetto-ui

const SITE = "https://ui.perfetto.dev";
const PING_EVERY_MS = 50;
const MOST_PINGS = 1200;

/** Opens the viewer in a tab and hands it the trace; whether it took it. To be called by a click, else the tab is blocked. */
export async function openInPerfetto(bytes: Uint8Array<ArrayBuffer>, title: string): Promise<boolean> {
  const viewer = window.open(SITE);
  if (!viewer) return false;
  const isReady = await new Promise<boolean>((resolve) => {
    let pings = 0;
    const end = (is: boolean): void => {
      clearInterval(timer);
      window.removeEventListener("message", listen);
      resolve(is);
    };
    const listen = (event: MessageEvent): void => {
      if (event.source === viewer && event.origin === SITE && event.data === "PONG") end(true);
    };
    window.addEventListener("message", listen);
    const timer = setInterval(() => {
      if (viewer.closed || pings++ > MOST_PINGS) return end(false);
      viewer.postMessage("PING", SITE);
    }, PING_EVERY_MS);
  });
  if (isReady) {
    // A copy: the page keeps the trace.
    const buffer = bytes.slice().buffer;
    viewer.postMessage({ perfetto: { buffer, title, fileName: "perfetto.pftrace", keepApiOpen: false } }, SITE, [buffer]);
  }
  return isReady;
}
