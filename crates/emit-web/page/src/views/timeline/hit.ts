// What lies under the cursor.
import type { Track } from "../../data/page";
import { type Row, rowAt } from "./rows";
import type { Scene } from "./scene";
import { bucketFrom } from "./trackdata";
import { sourceOf } from "./levels";

export type Hit =
  | { kind: "slice"; track: number; row: number; lane: number; start: number; end: number; name: number; others: number }
  | { kind: "bucket"; track: number; lane: number; start: number; end: number; name: number; tag: number; count: number; busy: number }
  | { kind: "line"; track: number };

/** Pixels next to a slice that still count as on it. */
const REACH = 2;

/** The slice, bucket or line at a place of the plot; x and y in CSS pixels. */
export function hitAt(scene: Scene, x: number, y: number): Hit | null {
  const row = scene.rows[rowAt(scene.rows, y + scene.scroll)];
  if (!row?.track) return null;
  if (row.kind === "line") return { kind: "line", track: row.track.index };
  const lane = Math.floor((y + scene.scroll - row.y - 2) / row.laneHeight);
  if (lane < 0 || lane >= row.track.head.lanes) return null;
  return sliceAt(scene, row.track, lane, x) ?? bucketAt(scene, row, lane, x) ?? gapAt(scene, row, x);
}

/** The gap of the row's engine at a place where no command is. */
function gapAt(scene: Scene, row: Row, x: number): Hit | null {
  const gaps = scene.gapsOf(row.track!.index);
  const found = gaps && sliceAt(scene, gaps, 0, x);
  // A gap is one where the cursor is in it; what is too short to be pointed at is no gap to who looks at the row.
  const time = scene.viewport.time(x);
  return found?.kind === "slice" && found.start <= time && time <= found.end ? found : null;
}

/** The longest slice within reach of the cursor; one that is under it goes first. */
function sliceAt(scene: Scene, track: Track, lane: number, x: number): Hit | null {
  const index = scene.data[track.index]!.wantIndex();
  if (!index) return null;
  const { viewport } = scene;
  const time = viewport.time(x);
  const reach = REACH / viewport.scale;
  const { start, dur, name } = index.times;
  let best = -1;
  let bestRank = -1;
  let others = 0;
  const last = index.to(lane, time + reach);
  for (let place = index.from(lane, time - reach); place < last; place++) {
    const r = index.row(place);
    const over = start[r]! <= time && time < start[r]! + dur[r]!;
    const rank = (over && dur[r]! * viewport.scale > 1 ? 1e18 : 0) + dur[r]!;
    if (dur[r]! * viewport.scale < 1) others++;
    if (rank > bestRank) {
      bestRank = rank;
      best = r;
    }
  }
  if (best < 0) return null;
  const narrow = dur[best]! * viewport.scale < 1;
  return { kind: "slice", track: track.index, row: best, lane, start: start[best]!, end: start[best]! + dur[best]!, name: name[best]!, others: narrow ? others - 1 : 0 };
}

/** While times are not decoded yet: what the level of detail shows. */
function bucketAt(scene: Scene, row: Row, lane: number, x: number): Hit | null {
  const { viewport } = scene;
  const data = scene.data[row.track!.index]!;
  const source = sourceOf(data, viewport.start, viewport.end, viewport.scale * devicePixelRatio);
  if (!source || !("mip" in source)) return null;
  const { mip } = source.mip;
  const at = Math.floor(viewport.time(x) / mip.bucketNs);
  const place = bucketFrom(source.mip, lane, at);
  if (place >= source.mip.bounds[lane + 1]! || mip.at[place] !== at) return null;
  return {
    kind: "bucket", track: row.track!.index, lane, start: at * mip.bucketNs, end: (at + 1) * mip.bucketNs,
    name: mip.name[place]!, tag: mip.tag[place]!, count: mip.count[place]!, busy: mip.busy[place]! / mip.bucketNs,
  };
}
