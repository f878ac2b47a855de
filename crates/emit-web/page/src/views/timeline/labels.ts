// The column left of the plot: what each row is, and how busy.
import { h, put } from "../../ui/dom";
import { percent } from "../../ui/format";
import type { Track } from "../../data/page";
import { type Text, t } from "../../ui/i18n";
import { lineColour } from "./frame";
import { metricsOf, peakOf } from "./lines";
import { PINNED, type Row } from "./rows";
import type { Scene } from "./scene";
import type { Metric } from "./spread";
import { TEXTS } from "./texts";

export function fillLabels(root: HTMLElement, scene: Scene): void {
  put(root, ...scene.rows.map((row) => h("div", { class: `tl-label ${row.kind} ${row.track?.kind ?? ""} ${scene.options.compact ? "compact" : ""}`, style: { top: `${row.y}px`, height: `${row.height}px` } }, ...parts(scene, row))));
}

function parts(scene: Scene, row: Row): (Node | false)[] {
  if (row.kind === "group") {
    const isCore = row.folded && row.group.startsWith("core");
    return [h("button", { class: "quiet", "aria-expanded": String(!row.folded), "data-group": row.group, onclick: () => scene.fold(row.group) }, h("span", { class: "tl-fold" }, row.folded ? "▸" : "▾"), h("b", null, row.label)),
      isCore && h("span", { class: "tl-onerow", title: t(TEXTS.oneRowHint) }, t(TEXTS.oneRow)),
      row.group !== PINNED && tools(scene, row, null)];
  }
  if (row.kind === "line") {
    const track = row.track!;
    const metrics = metricsOf(track);
    const peaks = metrics.filter((metric) => peakOf(track, metric) !== null).map((metric) => `${metricName(metric)} ${peakOf(track, metric)} GB/s`).join(", ") || t(TEXTS.unknown);
    return [
      h("span", { class: "tl-legend", title: metrics[0] === "rate" ? t(TEXTS.rateLineHint) : null }, ...metrics.map((metric) => h("span", null, h("i", { style: { background: lineColour(scene, track.kind, metric) } }), metricName(metric)))),
      metrics[0] === "rate" ? h("span", { class: "tl-full" }, "100%") : h("span", { class: "tl-full", title: t(TEXTS.scaleHint, peaks) }, h("span", { class: "tl-scale" }), peakText(track)),
    ];
  }
  const share = row.share >= 0 && h("span", { class: "tl-share", title: t(TEXTS.busy, row.label, percent(row.share, 2)) }, percent(row.share), h("i", null, h("i", { style: { width: percent(Math.min(row.share, 1)) } })));
  return [h("span", { class: "tl-name", title: row.label }, row.label), share, tools(scene, row, row.track)];
}

/** Buttons that appear where the pointer or the focus is. */
function tools(scene: Scene, row: Row, track: Track | null): HTMLElement {
  const button = (text: string, title: Text, onclick: () => void, pressed: boolean | null = null) =>
    h("button", { class: "quiet", title: t(title), "aria-label": `${t(title)}: ${row.label}`, "aria-pressed": pressed === null ? null : String(pressed), onclick }, text);
  const pinned = track !== null && scene.options.pinned.includes(track.index);
  return h("span", { class: "tl-tools" },
    track && button(pinned ? "◉" : "◎", pinned ? TEXTS.unpin : TEXTS.pin, () => scene.pin(track.index), pinned),
    button("▴", TEXTS.up, () => scene.move(row.group, track?.index ?? null, -1)),
    button("▾", TEXTS.down, () => scene.move(row.group, track?.index ?? null, 1)));
}

function peakText(track: Track): HTMLElement | false {
  const known = metricsOf(track).flatMap((metric) => peakOf(track, metric) ?? []);
  return known.length > 0 && h("small", null, t(TEXTS.peak, known.map((peak) => Number(peak.toPrecision(3))).join(" · ")));
}

function metricName(metric: Metric): string {
  return metric === "rate" ? t(TEXTS.rate) : metric === "ddr" ? "DDR" : "L2M";
}

/** Writes what the top of the bandwidth rows represents. */
export function fillScale(root: HTMLElement, gbps: number): void {
  for (const element of root.querySelectorAll(".tl-scale")) element.textContent = `${Number(gbps.toPrecision(3))} GB/s`;
}
