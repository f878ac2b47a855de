// Colours of names: stable by hash, told apart by people with colour-blindness, and readable with text on them.
import { css, isDark } from "../../ui/css";

/** What a colour represents: each has hues and strength of its own, so that one colour does not mean two things. */
export type ColourSet = "function" | "kernel" | "layer" | "host";

/**
 * Hues in even steps, functions strongest and layers weakest; neighbours differ in lightness as well, for people with
 * colour-blindness. In each theme every colour has a contrast of at least 3:1 to the ground and to `SYSTEM`.
 */
const COLOURS: Record<ColourSet, { light: readonly string[]; dark: readonly string[] }> = {
  function: {
    light: ["#d44e6c", "#a73801", "#af6f00", "#6a5d00", "#5a8b02", "#026b45", "#008c87", "#04667c", "#0680da", "#534ebe", "#a260ce", "#9e3081"],
    dark: ["#fd7791", "#fdab8e", "#e19005", "#d8bf0c", "#7ab22b", "#25d992", "#03b5ae", "#1fcff9", "#4aa6fe", "#b4bafd", "#c886f6", "#ffa1e0"],
  },
  kernel: {
    light: ["#b76660", "#8c4d1b", "#9a7827", "#5b6206", "#4f8a52", "#0c6a58", "#158a95", "#02648c", "#5f7cbd", "#655295", "#a06aa3", "#8e4564"],
    dark: ["#e08b84", "#f6af7f", "#c09d50", "#bbc675", "#74b075", "#69d1b7", "#38b1bd", "#75c8f7", "#82a1e5", "#c6b4ff", "#c78fca", "#faa7c7"],
  },
  layer: {
    light: ["#9b727e", "#795545", "#8a7c57", "#4f6344", "#56867c", "#386374", "#717c9f", "#6b5675"],
    dark: ["#c296a3", "#e0b6a4", "#afa17b", "#aec6a2", "#7aaba1", "#98c6d9", "#95a1c6", "#cfb7da"],
  },
  host: {
    light: ["#a96f5b", "#725a22", "#6b8551", "#186958", "#3c869c", "#485d8b", "#8e72a4", "#844c63"],
    dark: ["#d0947e", "#d7bc83", "#8faa75", "#83cdb9", "#63acc2", "#a6bff4", "#b497ca", "#edadc5"],
  },
};

/** The commonest function types have places of their own, so that each keeps its colour on every page. */
const PLACES: Partial<Record<ColourSet, readonly string[]>> = {
  function: ["sMM2", "sPorD", "sCW&sBC", "sLIN", "sRQ&sDQ", "DMA_tensor", "sCONV", "sAR", "sSFU", "DMA_matrix", "sCMP", "DMA_general"],
};

/** Waits, sends and other system commands. */
const SYSTEM = { light: "#e3e7ee", dark: "#424b59" };

function hash(text: string): number {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return (h ^ (h >>> 15)) >>> 0;
}

/** What gives a command its colour: its type, and of stores and transfers of L2M also their way, as loads have that of the type. */
export function typeKey(type: string, way?: "load" | "store" | "l2m"): string {
  return way === "store" ? `${type} store` : way === "l2m" ? `${type} L2M` : type;
}

/**
 * A colour for each text of a set. Its hash picks it; where two would share one, the later in the alphabet takes the next
 * that is free, while there are free ones. So a name keeps its colour from page to page, but for rare clashes.
 */
export class Colours {
  private readonly place = new Map<string, number>();

  constructor(
    private readonly set: ColourSet,
    texts: Iterable<string>,
  ) {
    const uses = COLOURS[set].light.map(() => 0);
    const all = [...new Set(texts)].sort();
    const isPlaced = (text: string) => PLACES[set]?.includes(text) ?? false;
    for (const text of all.filter(isPlaced)) {
      const at = PLACES[set]!.indexOf(text);
      uses[at]!++;
      this.place.set(text, at);
    }
    for (const text of all.filter((other) => !isPlaced(other))) {
      const least = Math.min(...uses);
      let at = hash(text) % uses.length;
      while (uses[at]! > least) at = (at + 1) % uses.length;
      uses[at]!++;
      this.place.set(text, at);
    }
  }

  /** The colour in the theme in use. */
  get(text: string): string | undefined {
    const place = this.place.get(text);
    return place === undefined ? undefined : COLOURS[this.set][isDark() ? "dark" : "light"][place];
  }
}

export function systemColour(dark: boolean): string {
  return dark ? SYSTEM.dark : SYSTEM.light;
}

/** `#rrggbb` as bytes r, g, b, a from the low end. */
export function packed(hex: string, alpha = 1): number {
  const n = parseInt(hex.slice(1, 7), 16);
  return ((Math.round(alpha * 255) << 24) | ((n & 0xff) << 16) | (n & 0xff00) | (n >>> 16)) >>> 0;
}

/** Whether white text reads better than dark text on the colour. */
export function wantsWhite(colour: number): boolean {
  const linear = (byte: number) => ((byte & 255) / 255) ** 2.2;
  return 0.2126 * linear(colour) + 0.7152 * linear(colour >>> 8) + 0.0722 * linear(colour >>> 16) < 0.2;
}

/** Colours of the page's style sheet, read anew when the theme changes. */
export interface Ground {
  dark: boolean;
  text: string;
  muted: string;
  line: string;
  panel: string;
  bg: string;
  accent: string;
  warn: string;
  bad: string;
  sans: string;
  tiu: string;
  gdma: string;
  sdma: string;
  cdma: string;
}

export function readGround(): Ground {
  const get = (name: string) => css(`--${name}`);
  return {
    dark: isDark(),
    text: get("text"), muted: get("muted"), line: get("line"), panel: get("panel"), bg: get("bg"), accent: get("accent"), warn: get("warn"), bad: get("bad"),
    sans: get("sans"), tiu: get("tiu"), gdma: get("gdma"), sdma: get("sdma"), cdma: get("cdma"),
  };
}
