// Colours of names: stable by hash, told apart by people with colour-blindness, and readable with text on them.

/** After Paul Tol's "light", "muted" and "vibrant" schemes, in mid tones that stand out on light and dark grounds. */
const COLOURS = [
  "#77aadd", "#ee8866", "#44bb99", "#cc99dd", "#ddaa33", "#6688cc", "#bbcc33", "#cc6677",
  "#33aacc", "#aa8855", "#88bb66", "#aa5599", "#eedd88", "#4499aa", "#ffaabb", "#999933",
];

/** Waits, sends and other system commands. */
const SYSTEM = { light: "#a9b0bb", dark: "#5b6473" };

function hash(text: string): number {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return (h ^ (h >>> 15)) >>> 0;
}

/**
 * A colour for each text. Its hash picks it; where two would share one, the later in the alphabet takes the next
 * that is free, while there are free ones. So a name keeps its colour from page to page, but for rare clashes.
 */
export function colours(texts: Iterable<string>): Map<string, string> {
  const result = new Map<string, string>();
  const uses = COLOURS.map(() => 0);
  for (const text of [...new Set(texts)].sort()) {
    const least = Math.min(...uses);
    let at = hash(text) % COLOURS.length;
    while (uses[at]! > least) at = (at + 1) % COLOURS.length;
    uses[at]!++;
    result.set(text, COLOURS[at]!);
  }
  return result;
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
  sans: string;
  tiu: string;
  gdma: string;
  sdma: string;
  cdma: string;
}

export function readGround(): Ground {
  const style = getComputedStyle(document.documentElement);
  const get = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    dark: document.documentElement.dataset.theme === "dark",
    text: get("text"), muted: get("muted"), line: get("line"), panel: get("panel"), bg: get("bg"), accent: get("accent"), warn: get("warn"),
    sans: get("sans"), tiu: get("tiu"), gdma: get("gdma"), sdma: get("sdma"), cdma: get("cdma"),
  };
}
