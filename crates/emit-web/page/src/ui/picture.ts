// Pictures out of the page: charts and the timeline as SVG, and as PNG.
import { css } from "./colors";
import { saveBlob } from "./copy";
import { h } from "./dom";
import { type Text, t } from "./i18n";

const TEXTS = {
  png: ["Save the picture as PNG", "将图片存为 PNG"],
  svg: ["Save the picture as SVG", "将图片存为 SVG"],
} satisfies Record<string, Text>;

export interface Picture {
  svg: string;
  /** CSS pixels. */
  width: number;
  height: number;
}

/** Pixels of a PNG for one of the picture. */
const PNG_SCALE = 2;
/** Most pixels of a PNG in one direction: browsers draw no larger canvas. */
const MOST_PIXELS = 16_000;

/** A PNG button and an SVG button; `make` draws the picture when asked. */
export function pictureButtons(name: string, make: () => Picture | Promise<Picture>): HTMLElement {
  const button = (text: string, title: Text, save: (picture: Picture) => void | Promise<void>) =>
    h("button", { class: "tl-chip picture", title: t(title), "aria-label": t(title), onclick: async () => save(await make()) }, text);
  return h("span", { class: "pictures" }, button("PNG", TEXTS.png, (p) => savePng(name, p)), button("SVG", TEXTS.svg, (p) => saveBlob(`${name}.svg`, new Blob([p.svg], { type: "image/svg+xml" }))));
}

async function savePng(name: string, { svg, width, height }: Picture): Promise<void> {
  const scale = Math.min(PNG_SCALE, MOST_PIXELS / Math.max(width, height, 1));
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = h("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) });
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done));
  if (blob) saveBlob(`${name}.png`, blob);
}

/** A chart of the page as a file of its own: colours of the style sheet are in it as numbers. */
export function chartPicture(chart: SVGElement): Picture {
  const { width, height } = (chart as SVGSVGElement).viewBox.baseVal;
  const copy = chart.cloneNode(true) as SVGElement;
  copy.removeAttribute("class");
  const inner = copy.innerHTML.replace(/var\((--[\w-]+)\)/g, (_, name: string) => css(name)).replaceAll("currentColor", css("--text"));
  return framed(inner, width, height);
}

/** Drawing elements on the page's ground. */
export function framed(inner: string, width: number, height: number): Picture {
  const font = css("--sans").replaceAll('"', "'");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${font}"><rect width="${width}" height="${height}" fill="${css("--panel")}"/>${inner}</svg>`;
  return { svg, width, height };
}

/** A text as it may be in SVG. */
export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}
