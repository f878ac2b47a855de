// The strip between two timelines: each launch of one core as a band from where it is above to where it is below.
import type { Both } from "../../data/runs";
import { css } from "../../ui/css";
import { h } from "../../ui/dom";
import type { Viewport } from "../timeline/viewport";
import { type Match, sides } from "./align";
import type { Reading } from "./reading";

/** Changes below this share of the longer side are not coloured. */
const SAME = 0.02;

export class Ribbon {
  private readonly canvas = h("canvas");
  readonly element = h("div", { class: "runs-ribbon" }, this.canvas);
  private bands: { match: Match; above: [number, number]; below: [number, number] }[] = [];

  constructor(private readonly reading: Reading, chosen: (match: Match) => void) {
    this.element.addEventListener("click", (event) => {
      const box = this.element.getBoundingClientRect();
      const [x, down] = [event.clientX - box.left, (event.clientY - box.top) / box.height];
      const edge = (side: 0 | 1) => (band: { above: [number, number]; below: [number, number] }) => band.above[side] + (band.below[side] - band.above[side]) * down;
      const hit = this.bands.findLast((band) => x >= edge(0)(band) - 1 && x <= edge(1)(band) + 1);
      if (hit) chosen(hit.match);
    });
  }

  /** `matches` are those of one core by their start in the first run. */
  draw(matches: Match[], viewports: Both<Viewport>, chosen: Match | null): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0) return;
    const ratio = devicePixelRatio;
    Object.assign(this.canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    const context = this.canvas.getContext("2d")!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const { longer, shorter } = this.reading.colours;
    const colours = { longer: css(longer), shorter: css(shorter), same: css("--muted"), chosen: css("--accent") };
    this.bands = [];
    let last: [number, number] = [-Infinity, -Infinity];
    for (const match of matches) {
      const [above, below] = sides(match).map((launch, side) => [viewports[side]!.x(launch.start), viewports[side]!.x(launch.start + launch.ns)]) as Both<[number, number]>;
      if (Math.max(above[1], below[1]) < 0 || Math.min(above[0], below[0]) > width) continue;
      // Bands that lie on one another in the picture are drawn once.
      const isDrawn = above[1] - last[0] < 0.5 && below[1] - last[1] < 0.5;
      if (isDrawn && match !== chosen) continue;
      last = [above[1], below[1]];
      this.bands.push({ match, above, below });
      const { before, after } = match;
      const by = (after.ns - before.ns) / Math.max(after.ns, before.ns, 1);
      context.fillStyle = Math.abs(by) < SAME ? colours.same : by > 0 ? colours.longer : colours.shorter;
      context.globalAlpha = match === chosen ? 0.85 : 0.4;
      context.beginPath();
      context.moveTo(above[0], 0);
      context.lineTo(Math.max(above[1], above[0] + 1), 0);
      context.lineTo(Math.max(below[1], below[0] + 1), height);
      context.lineTo(below[0], height);
      context.fill();
      if (match !== chosen) continue;
      context.globalAlpha = 1;
      context.strokeStyle = colours.chosen;
      context.stroke();
    }
    this.element.dataset.bands = String(this.bands.length);
  }
}
