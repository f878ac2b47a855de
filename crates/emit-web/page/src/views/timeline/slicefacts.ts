// A slice in words: its times at once, its further facts when they are decoded.
import type { Track } from "../../data/page";
import { bytes, count, duration, gbps, percent } from "../../ui/format";
import { t } from "../../ui/i18n";
import { qualityText } from "../../ui/quality";
import type { SliceRef } from "../view";
import { grouped, moment } from "./axis";
import { kindName } from "./kindnames";
import type { Scene } from "./scene";
import { FACTS, TEXTS } from "./texts";

export type Fact = [label: string, value: string];

export function trackName(track: Track): string {
  const { core, port, kind, label } = track.head;
  if (kind === "host") return track.page.text(label ?? -1);
  if (kind === "step") return kindName(kind);
  const name = kind === "gap" ? t(TEXTS.gapsOf, track.engine) : track.isEngine ? track.engine : kindName(kind);
  if (kind === "cdma") return `${name} ${port ?? core}`;
  return port !== undefined && port >= 0 ? t(TEXTS.kernelsOf, port) : `${t(TEXTS.core, core)} · ${name}`;
}

/** Track, type and times. */
export async function sliceTimes(scene: Scene, { track, row }: SliceRef): Promise<{ title: string; facts: Fact[] }> {
  const { start, dur, name } = (await scene.data[track]!.loadIndex()).times;
  const owner = scene.track(track);
  const type = scene.page.typeText(name[row]!);
  const title = scene.page.nameText(name[row]!);
  const facts: Fact[] = [[t(FACTS.track), trackName(owner)]];
  if (owner.isEngine && type !== "") facts.push([t(FACTS.type), type]);
  facts.push([t(FACTS.start), moment(start[row]!)], [t(FACTS.dur), duration(dur[row]!)], [t(FACTS.end), moment(start[row]! + dur[row]!)]);
  if (owner.isEngine) facts.push([t(FACTS.row), String(row)]);
  return { title, facts };
}

type Show = (value: number, ns: number, scene: Scene, textual: boolean) => string | null;
const number: Show = (value) => count(value);
/** A count that is negative where it is not known. */
const counted: Show = (value) => (value < 0 ? null : count(value));
const text: Show = (value, _, scene, textual) => (textual ? scene.page.text(value) : String(value)) || null;
const known: Show = (value, ...rest) => (value < 0 ? null : text(value, ...rest));
const doubt: Show = (value, _, scene) => (scene.page.text(value) === "sure" ? null : qualityText(scene.page.text(value)));
const address: Show = (value) => (value < 0 ? null : `0x${value.toString(16)}`);
const speed: Show = (value, ns) => gbps(value / Math.max(ns, 1));

/** The time that the bits explain, and how many times as long it took. */
const against: Show = (value, ns) => (value < 0 ? null : `${duration(value)} (×${(ns / Math.max(value, 1)).toFixed(2)})`);

/** A part of a port's time; what has retries moves data. */
const part: Show = (value, ns) => (value >= 0 ? `${duration(value)} (${percent(value / Math.max(ns, 1), 1)})` : t(TEXTS.endsOnly));

/** Columns of facts in the order of reading, with how each is written. */
const SHOWN: [key: keyof typeof FACTS, show: Show][] = [
  ["quality", doubt], ["id", text], ["cycles", number], ["expected", against], ["rule", text], ["rate", (value) => percent(value, 2)], ["alg", counted], ["uarch", counted], ["conflict", number],
  ["bytes", bytes], ["ddr", speed], ["l2", speed], ["stall", number], ["waiting", part], ["moving", part], ["completion", part], ["retries", known], ["dir", text], ["dtype", text], ["src", address], ["dst", address],
  ["owner", known], ["scope", known], ["batch", text], ["mode", text], ["events", number], ["cat", text],
];

/** Columns of port commands that move data. */
const PORT_TIMES: ReadonlySet<string> = new Set(["waiting", "moving", "completion"]);

/** What `TrackHead.facts` says about the row: kernel and layer first, then all columns, or those asked for. */
export async function sliceFacts(scene: Scene, { track, row }: SliceRef, wanted?: ReadonlySet<string>): Promise<Fact[]> {
  const data = scene.data[track]!;
  const facts = await data.loadFacts();
  const { dur } = (await data.loadIndex()).times;
  const { page } = scene;
  const head = data.track.head.facts;
  const found: Fact[] = [];
  const tag = facts.tag && facts.tag[row]! >= 0 ? page.tag(facts.tag[row]!) : undefined;
  if (tag && data.track.isEngine) {
    const kernel = page.kernelOfTag(facts.tag![row]!);
    if (kernel !== "") found.push([t(FACTS.kernel), kernel]);
    if (!wanted && tag.scope >= 0) found.push([t(FACTS.scope), String(tag.scope)]);
    if (!wanted && tag.batch >= 0) found.push([t(FACTS.batch), String(tag.batch)]);
    if (!wanted && page.text(tag.mode) !== "") found.push([t(FACTS.mode), page.text(tag.mode)]);
  }
  const layer = facts.layer ? page.head.layers[facts.layer[row]!] : undefined;
  if (layer) {
    found.push([t(FACTS.layerId), String(layer.id)], [t(FACTS.layer), page.layerLabel(facts.layer![row]!)]);
    const texts = (all: number[]) => all.map((text) => page.text(text)).join("; ");
    if (!wanted && layer.reads.length > 0) found.push([t(FACTS.layerReads), texts(layer.reads)]);
    if (!wanted && layer.writes.length > 0) found.push([t(FACTS.layerWrites), texts(layer.writes)]);
    if (!wanted && page.text(layer.block) !== "") found.push([t(FACTS.block), page.text(layer.block)]);
    if (!wanted && layer.line !== null) found.push([t(FACTS.line), `final.mlir:${layer.line}`]);
  }
  for (const [key, show] of SHOWN) {
    const column = facts[key];
    if (!column || (wanted && !wanted.has(key))) continue;
    if (PORT_TIMES.has(key) && facts.retries![row]! < 0) continue;
    const textual = head?.columns.some((c) => c.key === key && c.map) ?? false;
    const shown = show(column[row]!, dur[row]!, scene, textual);
    if (shown !== null) found.push([t(FACTS[key]), shown]);
  }
  return found;
}

/** Register fields, in printing order; addresses as hexadecimal numbers. */
export async function sliceFields(scene: Scene, { track, row }: SliceRef): Promise<Fact[]> {
  return (await scene.track(track).fields(row)).map(({ key, value }) => [key, fieldText(key, value)]);
}

function fieldText(key: string, value: string | number): string {
  if (typeof value === "string") return value;
  if (ADDRESS.test(key) && Number.isInteger(value) && value > 0) return `0x${value.toString(16)}`;
  return Number.isInteger(value) ? String(value) : grouped(String(value));
}

const ADDRESS = /addr/i;
