// Sends and waits of all engines, and which send released which wait, as columns.
import type { Page, Track } from "../../data/page";

export interface Messages {
  /** Tracks that send or wait, by core and engine. */
  lanes: Track[];
  /** Sends and waits, lane by lane and by start: those of lane i are `first[i]` to `first[i + 1]`. */
  first: Uint32Array;
  lane: Uint16Array;
  row: Uint32Array;
  start: Float64Array;
  end: Float64Array;
  isWait: Uint8Array;
  /** Certain pairs, those with the longest waits first; indices of the arrays above. */
  send: Uint32Array;
  wait: Uint32Array;
  /** For each wait the pair whose send released it; -1 where another command did, or it is not known. */
  releasedBy: Int32Array;
  /** For each wait the command that released it, of any kind: page's track, row, and end; track -1 where it is not known. */
  releaserTrack: Int32Array;
  releaserRow: Int32Array;
  releaserEnd: Float64Array;
  /** Number of the message of each send and wait in a pair, -1 of others; null where the page has none. */
  message: Int32Array | null;
}

export async function readMessages(page: Page): Promise<Messages> {
  const roles = page.head.names.map((n) => n.role === "send" || n.role === "wait");
  const lanes: Track[] = [];
  const found: number[][] = [];
  for (const track of page.tracks) {
    if (!track.isEngine) continue;
    const { name, start } = await track.loadTimes();
    const rows: number[] = [];
    for (let row = 0; row < name.length; row++) if (roles[name[row]!]) rows.push(row);
    if (rows.length === 0) continue;
    if (!track.head.sorted) rows.sort((a, b) => start[a]! - start[b]!);
    lanes.push(track);
    found.push(rows);
  }
  const total = found.reduce((sum, rows) => sum + rows.length, 0);
  const m: Messages = {
    lanes, first: new Uint32Array(lanes.length + 1), lane: new Uint16Array(total), row: new Uint32Array(total),
    start: new Float64Array(total), end: new Float64Array(total), isWait: new Uint8Array(total),
    send: new Uint32Array(), wait: new Uint32Array(), releasedBy: new Int32Array(total).fill(-1), message: null,
    releaserTrack: new Int32Array(total).fill(-1), releaserRow: new Int32Array(total).fill(-1), releaserEnd: new Float64Array(total),
  };
  const places = new Map<number, Map<number, number>>();
  let at = 0;
  for (const [lane, track] of lanes.entries()) {
    const { start, dur, name } = track.times!;
    const place = new Map<number, number>();
    places.set(track.index, place);
    m.first[lane] = at;
    for (const row of found[lane]!) {
      m.lane[at] = lane;
      m.row[at] = row;
      m.start[at] = start[row]!;
      m.end[at] = start[row]! + dur[row]!;
      m.isWait[at] = page.name(name[row]!).role === "wait" ? 1 : 0;
      place.set(row, at++);
    }
  }
  m.first[lanes.length] = at;
  await readPairs(page, m, places);
  await readReleasers(page, m);
  return m;
}

/** Kinds of dependences that end a wait. */
const ENDS_WAIT: ReadonlySet<string> = new Set(["message", "observed barrier"]);

/** What ended each wait: the cause that the graph of the run has, as in "Why did this wait?" of the timeline. */
async function readReleasers(page: Page, m: Messages): Promise<void> {
  for (const [lane, track] of m.lanes.entries()) {
    const causes = await track.causes();
    if (!causes) continue;
    for (let i = m.first[lane]!; i < m.first[lane + 1]!; i++) {
      if (!m.isWait[i]) continue;
      const row = m.row[i]!;
      const of = causes.track[row]!;
      if (of < 0 || !ENDS_WAIT.has(page.text(causes.why[row]!))) continue;
      const { start, dur } = await page.tracks[of]!.loadTimes();
      const cause = causes.row[row]!;
      m.releaserTrack[i] = of;
      m.releaserRow[i] = cause;
      m.releaserEnd[i] = start[cause]! + dur[cause]!;
    }
  }
  // Of a run with so many commands that the page has no causes: the sends that are known to have released.
  for (let i = 0; i < m.row.length; i++) {
    const send = m.send[m.releasedBy[i]!];
    if (send === undefined || m.releaserTrack[i]! >= 0) continue;
    m.releaserTrack[i] = m.lanes[m.lane[send]!]!.index;
    m.releaserRow[i] = m.row[send]!;
    m.releaserEnd[i] = m.end[send]!;
  }
}

async function readPairs(page: Page, m: Messages, places: Map<number, Map<number, number>>): Promise<void> {
  if (page.head.flows.rows === 0) return;
  const { sendTrack, sendRow, waitTrack, waitRow, message, releases } = await page.flows();
  if (message) m.message = new Int32Array(m.row.length).fill(-1);
  const pairs: [send: number, wait: number, releases: number][] = [];
  for (let i = 0; i < page.head.flows.rows; i++) {
    const send = places.get(sendTrack![i]!)?.get(sendRow![i]!);
    const wait = places.get(waitTrack![i]!)?.get(waitRow![i]!);
    if (send === undefined || wait === undefined) continue;
    pairs.push([send, wait, releases![i]!]);
    if (m.message) m.message[send] = m.message[wait] = message![i]!;
  }
  const length = (wait: number): number => m.end[wait]! - m.start[wait]!;
  pairs.sort((a, b) => length(b[1]) - length(a[1]) || a[1] - b[1] || a[0] - b[0]);
  m.send = Uint32Array.from(pairs, (p) => p[0]);
  m.wait = Uint32Array.from(pairs, (p) => p[1]);
  for (const [i, [, wait, releases]] of pairs.entries()) if (releases) m.releasedBy[wait] = i;
}

export interface MessageFilter {
  /** Number of a core; "" all. Sends and waits of others are shown where they are partners. */
  core: string;
  /** Kind of an engine; "" all. Partners are shown as well. */
  engine: string;
  /** Waits shorter than this (ns) are left out, with the sends that only they took. */
  least: number;
  /** Number of a message; null all. */
  message: number | null;
}

/** Which sends and waits a filter shows. */
export function filterMessages(m: Messages, filter: MessageFilter): Uint8Array {
  const inLane = m.lanes.map((l) => (filter.core === "" || (l.kind !== "cdma" && String(l.head.core) === filter.core)) && (filter.engine === "" || l.kind === filter.engine));
  const shown = new Uint8Array(m.row.length);
  const suits = (i: number): boolean => filter.message === null || m.message?.[i] === filter.message;
  const long = (i: number): boolean => suits(i) && (!m.isWait[i] || m.end[i]! - m.start[i]! >= filter.least);
  for (let i = 0; i < shown.length; i++) shown[i] = inLane[m.lane[i]!] && long(i) && (m.isWait[i] || filter.least <= 0) ? 1 : 0;
  for (let p = 0; p < m.send.length; p++) {
    const send = m.send[p]!;
    const wait = m.wait[p]!;
    if (!long(wait)) continue;
    if (inLane[m.lane[send]!] || inLane[m.lane[wait]!]) shown[send] = shown[wait] = 1;
  }
  return shown;
}
