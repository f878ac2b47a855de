// The whole run in one small strip: work of the TIUs above, of the transfer engines below, and where the cause of the verdict is.
import type { Page } from "../../../data/page";
import { swatch } from "../../../ui/bars";
import { h, put, svg } from "../../../ui/dom";
import { duration } from "../../../ui/format";
import { type Text, t } from "../../../ui/i18n";
import { BUCKETS, busyLoad } from "../../timeline/load";
import { waitNames } from "../../timeline/paint";
import type { Shell } from "../../view";
import type { Culprit } from "./culprit";

const TEXTS = {
  open: ["Open the timeline: share of busy TIUs above the line, of busy transfer engines below it", "打开时间线：线上为忙碌 TIU 的占比，线下为忙碌搬运引擎的占比"],
  gap: ["this gap", "该间隙"],
  gaps: ["the longest of these gaps", "其中最长的间隙"],
} satisfies Record<string, Text>;

/** Height of a half, in units of the picture. */
const HALF = 20;

/** Fills itself when the times are decoded. */
export function strip(shell: Shell, culprit: Promise<Culprit | null>): HTMLElement {
  const { page } = shell;
  const key = h("p", { class: "strip-key muted" });
  const button = h("button", { class: "strip", id: "strip", title: t(TEXTS.open), "aria-label": t(TEXTS.open), onclick: () => shell.open("timeline") });
  void draw(page, culprit).then(({ picture, label }) => {
    put(button, picture);
    put(key, h("span", null, "0"), label !== "" && h("span", null, swatch("var(--culprit)"), label), h("span", null, duration(page.head.span.length)));
  });
  return h("div", null, button, key);
}

async function draw(page: Page, asked: Promise<Culprit | null>): Promise<{ picture: SVGElement; label: string }> {
  const length = Math.max(page.head.span.length, 1);
  const load = await busyLoad(page.tracks.filter((track) => track.kind !== "host"), length, waitNames(page));
  const culprit = await asked;
  const scale = (ns: number): number => (ns / length) * BUCKETS;
  const marks = merged((culprit?.ranges ?? []).map(({ start, end }) => [Math.floor(scale(start)), Math.max(Math.ceil(scale(end)), Math.floor(scale(start)) + 1)]));
  const picture = svg("svg", { viewBox: `0 0 ${BUCKETS} ${2 * HALF}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    ...marks.map(([from, to]) => svg("rect", { class: "culprit", x: from, y: 0, width: to - from, height: 2 * HALF })),
    area(load.tiu, -1, "tiu"), area(load.dma, 1, "gdma"));
  return { picture, label: marks.length > 0 ? culprit!.name || t(culprit!.ranges.length === 1 ? TEXTS.gap : TEXTS.gaps) : "" };
}

function area(shares: Float64Array, way: number, engine: string): SVGElement {
  const steps = [...shares].map((share, at) => `L${at} ${(HALF + way * share * HALF).toFixed(1)}H${at + 1}`);
  return svg("path", { d: `M0 ${HALF}${steps.join("")}V${HALF}Z`, style: `fill:var(--${engine})` });
}

/** Stretches without overlap, in order. */
function merged(stretches: number[][]): [number, number][] {
  const out: [number, number][] = [];
  for (const [from, to] of stretches.toSorted((a, b) => a[0]! - b[0]!) as [number, number][]) {
    const last = out.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else out.push([from, to]);
  }
  return out;
}
