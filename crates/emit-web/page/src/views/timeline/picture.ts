// The timeline as a picture: all its rows at the time range on the screen, with names, axis and notes.
import { type Picture, escaped, framed } from "../../ui/picture";
import { ticks } from "./axis";
import { Frame, tickWidth } from "./frame";
import type { LabelSpot } from "./fill";
import { wantsWhite } from "./palette";
import { AREA, QUAD_FIELDS, type QuadList, STYLE } from "./quads";
import type { Scene } from "./scene";

const LABELS = 170;
const AXIS = 26;
/** ms between looks whether all rows are decoded, and looks at most. */
const PAUSE = 100;
const LOOKS = 100;

export async function timelinePicture(scene: Scene): Promise<Picture> {
  const width = scene.viewport.width;
  const plot = { width, height: scene.height };
  const frame = new Frame();
  const build = () => {
    const { scroll } = scene;
    scene.scroll = 0;
    frame.build(scene, plot);
    scene.scroll = scroll;
  };
  for (let i = 0; i < LOOKS; i++) {
    build();
    if (frame.waiting === 0) break;
    await new Promise((done) => setTimeout(done, PAUSE));
  }
  const scale = 1 / devicePixelRatio;
  const inner = [
    `<defs><clipPath id="plot"><rect width="${width}" height="${plot.height}"/></clipPath></defs>`,
    axis(scene, width),
    ...scene.rows.map((row) => text(row.kind === "group" ? 8 : 20, AXIS + row.y + row.height / 2 + 4, row.label, scene.paint.ground.text, row.kind === "group" ? "bold" : "normal", Math.min(11, row.height))),
    `<g transform="translate(${LABELS} ${AXIS})" clip-path="url(#plot)"><g transform="scale(${scale})">`, rectangles(frame.quads), `</g>`, ...frame.labels.map((spot) => name(scene, spot, scale)),
    ...notes(scene, plot.height), `</g>`,
  ];
  return framed(inner.join(""), LABELS + Math.ceil(width), AXIS + plot.height);
}

function text(x: number, y: number, words: string, fill: string, weight = "normal", size = 11): string {
  return `<text x="${x}" y="${y.toFixed(1)}" font-size="${size}" font-weight="${weight}" fill="${fill}">${escaped(words)}</text>`;
}

function axis(scene: Scene, width: number): string {
  const { viewport, paint, unit } = scene;
  const { first, step, label } = ticks(viewport.start, viewport.end, width, tickWidth(unit));
  const marks: string[] = [];
  for (let time = first; time < viewport.end; time += step) {
    const x = viewport.x(time);
    if (x < 0) continue;
    marks.push(`<rect x="${(LABELS + x).toFixed(1)}" y="${AXIS - 8}" width="1" height="8" fill="${paint.ground.muted}"/>`, text(LABELS + x + 4, AXIS - 10, label(time), paint.ground.muted));
  }
  return marks.join("");
}

function notes(scene: Scene, height: number): string[] {
  return scene.notes.flatMap(({ time, text: words }) => {
    const x = scene.viewport.x(time);
    return x < 0 || x > scene.viewport.width ? [] : [`<rect x="${x.toFixed(1)}" y="0" width="1" height="${height}" fill="${scene.paint.ground.warn}"/>`, text(x + 4, 12, words, scene.paint.ground.warn, "bold")];
  });
}

function rectangles({ floats, words, length }: QuadList): string {
  const parts: string[] = [];
  const add = (x: number, y: number, w: number, h: number, colour: number, fade: number) => {
    if (w <= 0 || h <= 0) return;
    const alpha = ((colour >>> 24) / 255) * fade;
    const hex = `#${[colour & 255, (colour >>> 8) & 255, (colour >>> 16) & 255].map((n) => n.toString(16).padStart(2, "0")).join("")}`;
    parts.push(`<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${hex}"${alpha < 1 ? ` fill-opacity="${alpha.toFixed(2)}"` : ""}/>`);
  };
  for (let i = 0; i < length; i++) {
    const at = i * QUAD_FIELDS;
    const [x, y, w, h] = [floats[at]!, floats[at + 1]!, floats[at + 2]!, floats[at + 3]!];
    const colour = words[at + 4]!;
    const style = floats[at + 5]!;
    if (style < STYLE.line) {
      add(x, y, w, h, colour, 1);
      continue;
    }
    const edge = Math.min(Math.round(style - STYLE.line), h);
    add(x, y, w, edge, colour, 1);
    add(x, y + edge, w, h - edge, colour, AREA);
  }
  return parts.join("");
}

/** Cut by guess: a picture has no measure of its fonts. */
function name(scene: Scene, { x, y, w, h, name: index, colour }: LabelSpot, scale: number): string {
  const left = Math.max(x * scale, 0);
  const fits = Math.floor(((x + w) * scale - left - 6) / 6.2);
  const words = scene.page.nameText(index);
  const shown = words.length <= fits ? words : fits > 2 ? `${words.slice(0, fits - 1)}…` : "";
  if (shown === "" || h * scale < 10) return "";
  const { ground } = scene.paint;
  const fill = colour === 0 ? ground.text : colour >>> 24 < 255 ? ground.muted : wantsWhite(colour) ? "#ffffff" : "#12161d";
  return text(left + 4, y * scale + (h * scale) / 2 + 4, shown, fill);
}
