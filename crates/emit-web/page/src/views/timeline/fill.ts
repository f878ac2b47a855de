// A row's slices as rectangles. What is narrower than a pixel is gathered by pixel: the longest command, or wait if waits
// take more, gives the colour, the covered share the opacity.
import type { LaneIndex } from "./laneindex";
import type { Paint } from "./paint";
import { type QuadList, faded } from "./quads";
import { type MipIndex, type TrackData, bucketFrom } from "./trackdata";
import { type Source, sourceOf } from "./levels";

/** Where a lane is, in device pixels, and the time that is shown. */
export interface Place {
  y: number;
  height: number;
  start: number;
  end: number;
  /** Device pixels a ns. */
  scale: number;
  width: number;
}

/** A slice that is wide enough for its name. */
export interface LabelSpot {
  x: number;
  y: number;
  w: number;
  h: number;
  name: number;
  colour: number;
}

/** Opacity of what a port's command does besides moving data. */
const WAITING = 0.3;
const COMPLETION = 0.55;
/** Pixels from which on a port's command shows its parts. */
const PARTS_FROM = 4;

const LABEL_FROM = 26;
const MOST_LABELS = 700;

/** What a pixel's column holds of one sort: work, or waits and other system commands. */
class Gathered {
  covered = 0;
  best = 0;
  colour = 0;
  level = 0;

  clear(): void {
    this.covered = this.best = this.level = 0;
  }
}

class Pixel {
  private at = -1;
  private readonly work = new Gathered();
  private readonly system = new Gathered();

  constructor(
    private readonly quads: QuadList,
    private readonly place: Place,
  ) {}

  add(x: number, share: number, colour: number, hatch: number, level: number): void {
    const at = Math.floor(x);
    if (at !== this.at) {
      this.flush();
      this.at = at;
    }
    const sort = hatch ? this.system : this.work;
    sort.covered += share;
    sort.level = Math.max(sort.level, level);
    // What a filter dims does not hide what it highlights.
    const weight = share * (colour >>> 24 === 255 ? 1 : 0.01) + 1e-9;
    if (weight > sort.best) {
      sort.best = weight;
      sort.colour = colour;
    }
  }

  /** Many short commands count together against one long wait. */
  flush(): void {
    const { work, system } = this;
    const covered = work.covered + system.covered;
    if (covered === 0) return;
    const wins = work.covered >= system.covered ? work : system;
    bar(this.quads, this.place, this.at, 1, faded(wins.colour, 0.3 + 0.7 * Math.min(1, covered)), wins === work ? 0 : 1, wins.level);
    work.clear();
    system.clear();
  }
}

function bar(quads: QuadList, place: Place, x: number, w: number, colour: number, hatch: number, level: number): void {
  const height = level >= 1 ? place.height : Math.max(Math.round(place.height * level), 2);
  if (level < 1) quads.pushRun(x, place.y, w, place.height, faded(colour, 0.15), 0);
  quads.pushRun(x, place.y + place.height - height, w, height, colour, hatch);
}

export function fillTrack(quads: QuadList, labels: LabelSpot[], data: TrackData, paint: Paint, bars: boolean, places: (lane: number) => Place): Source {
  const { start, end, scale } = places(0);
  const source = sourceOf(data, start, end, scale);
  if (!source) return null;
  for (let lane = 0; lane < data.track.head.lanes; lane++) {
    if ("raw" in source) fillSlices(quads, labels, data, source.raw, lane, paint, bars, places(lane));
    else fillBuckets(quads, data, source.mip, lane, paint, bars, places(lane));
  }
  return source;
}

function fillSlices(quads: QuadList, labels: LabelSpot[], data: TrackData, index: LaneIndex, lane: number, paint: Paint, bars: boolean, place: Place): void {
  const { start, dur, name } = index.times;
  const names = paint.names(data.track);
  const tags = paint.needsTag(data.track) ? (data.wantFacts()?.tag ?? null) : null;
  const shares = bars && data.track.isEngine ? data.wantShares() : null;
  const expected = paint.needsExpected(data.track) ? (data.wantFacts()?.expected ?? null) : null;
  const port = data.track.kind === "cdma" ? data.wantFacts() : null;
  const hits = paint.hits(data)?.rows ?? null;
  const pixel = new Pixel(quads, place);
  const last = index.to(lane, place.end);
  for (let at = index.from(lane, place.start); at < last; at++) {
    const row = index.row(at);
    const x = (start[row]! - place.start) * place.scale;
    const w = dur[row]! * place.scale;
    const n = name[row]!;
    const hatch = paint.hatch[n]!;
    let colour = paint.of(names, n, tags ? tags[row]! : -1);
    if (expected && !hatch) colour = paint.heat(colour, expected[row]! > 0 ? dur[row]! / expected[row]! : 0);
    if (hits && !hits[row]) colour = paint.dimmed(colour);
    const level = shares && !hatch ? Math.max(shares[row]!, 0.06) : 1;
    if (w < 1) {
      pixel.add(x, Math.max(w, 0.03), colour, hatch, level);
      continue;
    }
    pixel.flush();
    const left = Math.max(Math.round(x), -4);
    const right = Math.min(Math.max(Math.round(x + w), left + 1), place.width + 4);
    const wide = right - left;
    const drawn = wide > 3 ? wide - 1 : wide;
    const waiting = port?.waiting && wide >= PARTS_FROM && !hatch ? port.waiting[row]! : -1;
    if (waiting < 0) bar(quads, place, left, drawn, colour, hatch, level);
    else parts(quads, place, left, drawn, colour, [waiting, port!.moving![row]!, port!.completion![row]!]);
    if (wide > LABEL_FROM * devicePixelRatio && labels.length < MOST_LABELS) labels.push({ x: left, y: place.y, w: wide, h: place.height, name: n, colour: level < 0.8 || waiting * 2 > dur[row]! ? 0 : colour });
  }
  pixel.flush();
}

/** A port's command: waiting for its peer, the transfer, completion. */
function parts(quads: QuadList, place: Place, left: number, width: number, colour: number, [waiting, moving, completion]: [number, number, number]): void {
  const all = Math.max(waiting + moving + completion, 1);
  const first = left + Math.round((width * waiting) / all);
  const last = left + Math.round((width * (waiting + moving)) / all);
  if (first > left) bar(quads, place, left, first - left, faded(colour, WAITING), 0, 1);
  if (last > first) bar(quads, place, first, last - first, colour, 0, 1);
  if (left + width > last) bar(quads, place, last, left + width - last, faded(colour, COMPLETION), 0, 1);
}

function fillBuckets(quads: QuadList, data: TrackData, index: MipIndex, lane: number, paint: Paint, bars: boolean, place: Place): void {
  const { bucketNs, at, busy, name, tag, high, lost } = index.mip;
  const names = paint.names(data.track);
  const byTag = paint.needsTag(data.track);
  const byExpected = paint.needsExpected(data.track);
  const hits = paint.hits(data)?.of(index) ?? null;
  const wide = bucketNs * place.scale;
  const pixel = new Pixel(quads, place);
  const last = Math.ceil(place.end / bucketNs);
  const stop = bucketFrom(index, lane, last);
  for (let i = bucketFrom(index, lane, Math.floor(place.start / bucketNs)); i < stop; i++) {
    const x = (at[i]! * bucketNs - place.start) * place.scale;
    const n = name[i]!;
    const hatch = paint.hatch[n]!;
    let colour = paint.of(names, n, byTag ? tag[i]! : -1);
    if (byExpected && !hatch) colour = paint.heat(colour, lost ? busy[i]! / Math.max(busy[i]! - lost[i]!, 1) : 0);
    if (hits && !hits[i]) colour = paint.dimmed(colour);
    const level = bars && high && !hatch ? Math.max(high[i]!, 0.06) : 1;
    if (wide < 1) {
      pixel.add(x, (busy[i]! / bucketNs) * wide, colour, hatch, level);
      continue;
    }
    pixel.flush();
    const left = Math.round(x);
    const right = Math.round(x + wide);
    if (right > left) bar(quads, place, left, right - left, faded(colour, 0.3 + 0.7 * Math.min(1, busy[i]! / bucketNs)), hatch, level);
  }
  pixel.flush();
}
