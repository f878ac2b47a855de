// The column left of the plot: what each row is, and how busy.
import { h, put } from "../../ui/dom";
import { percent } from "../../ui/format";
import { t } from "../../ui/i18n";
import { lineColour } from "./frame";
import { metricsOf, peakOf } from "./lines";
import type { Row } from "./rows";
import type { Scene } from "./scene";
import type { Metric } from "./spread";
import { TEXTS } from "./texts";

export function fillLabels(root: HTMLElement, scene: Scene): void {
  put(root, ...scene.rows.map((row) => h("div", { class: `tl-label ${row.kind} ${row.track?.kind ?? ""} ${scene.options.compact ? "compact" : ""}`, style: { top: `${row.y}px`, height: `${row.height}px` } }, ...parts(scene, row))));
}

function parts(scene: Scene, row: Row): (Node | false)[] {
  if (row.kind === "group") {
    return [h("button", { class: "quiet", "aria-expanded": String(!row.folded), "data-group": row.group, onclick: () => scene.fold(row.group) }, h("span", { class: "tl-fold" }, row.folded ? "▸" : "▾"), h("b", null, row.label))];
  }
  if (row.kind === "line") {
    const track = row.track!;
    const metrics = metricsOf(track);
    const peaks = metrics.map((metric) => `${metricName(metric)} ${peakOf(track, metric)} GB/s`).join(", ");
    return [
      h("span", { class: "tl-legend" }, ...metrics.map((metric) => h("span", null, h("i", { style: { background: lineColour(scene, track.kind, metric) } }), metricName(metric)))),
      metrics[0] === "rate" ? h("span", { class: "tl-full" }, "100%") : h("span", { class: "tl-full tl-scale", title: t(TEXTS.scaleHint, peaks) }),
    ];
  }
  const share = row.share >= 0 && h("span", { class: "tl-share", title: t(TEXTS.busy, row.label, percent(row.share, 2)) }, percent(row.share), h("i", null, h("i", { style: { width: percent(Math.min(row.share, 1)) } })));
  return [h("span", { class: "tl-name", title: row.label }, row.label), share];
}

function metricName(metric: Metric): string {
  return metric === "rate" ? t(TEXTS.rate) : metric === "ddr" ? "DDR" : "L2M";
}

/** Writes what the top of the bandwidth rows stands for. */
export function fillScale(root: HTMLElement, gbps: number): void {
  for (const element of root.querySelectorAll(".tl-scale")) element.textContent = `${Number(gbps.toPrecision(3))} GB/s`;
}
