// The keyboard.
import type { Scene } from "./scene";

export interface KeyActions {
  help(): void;
  /** Puts the focus into the search field. */
  search(): void;
  /** Goes to the next match, or the one before. */
  found(by: -1 | 1): void;
  step(by: -1 | 1): void;
  /** Goes to the next gap of the engine, or the one before. */
  gap(by: -1 | 1): void;
  scrollBy(pixels: number): void;
  escape(): void;
  rangeOfSelection(): void;
  addNote(): void;
}

const ZOOM = 1.3;
const MOVE = 0.15;

/** What a key does; null if nothing. */
export function keyAction(key: string, scene: Scene, actions: KeyActions): (() => void) | null {
  const { viewport } = scene;
  const zoom = (factor: number) => () => {
    viewport.zoom(factor, scene.cursor ? viewport.time(scene.cursor.x) : (viewport.start + viewport.end) / 2);
    scene.moved();
  };
  const move = (share: number) => () => {
    viewport.pan(viewport.length * share);
    scene.moved();
  };
  switch (key.length === 1 ? key.toLowerCase() : key) {
    case "w": case "+": case "=": return zoom(1 / ZOOM);
    case "s": case "-": case "_": return zoom(ZOOM);
    case "a": case "ArrowLeft": return move(-MOVE);
    case "d": case "ArrowRight": return move(MOVE);
    case "ArrowUp": return () => actions.scrollBy(-48);
    case "ArrowDown": return () => actions.scrollBy(48);
    case "PageUp": return () => actions.scrollBy(-400);
    case "PageDown": return () => actions.scrollBy(400);
    case "f": case "0": return () => scene.fit();
    case "z": return () => void scene.zoomToSelection();
    case "k": return () => actions.addNote();
    case "m": return () => actions.rangeOfSelection();
    case "[": case ",": return () => actions.step(-1);
    case "]": case ".": return () => actions.step(1);
    case "g": return () => actions.gap(key === "G" ? -1 : 1);
    case "l": return () => scene.choose({ lines: !scene.options.lines });
    case "x": return () => scene.choose({ path: !scene.options.path });
    case "h": return () => scene.choose({ bars: !scene.options.bars });
    case "p": return () => scene.choose({ compact: !scene.options.compact, lines: scene.options.compact });
    case "/": return () => actions.search();
    case "n": return () => actions.found(key === "N" ? -1 : 1);
    case "c": return () => scene.choose({ colour: scene.options.colour === "type" ? "kernel" : "type" });
    case "Escape": return () => actions.escape();
    case "?": return () => actions.help();
    default: return null;
  }
}

/** Whether the key belongs to what has the focus, such as a text field. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest("dialog[open]")) return true;
  // Esc leaves a field, and does nothing else.
  if (target?.closest("input:not([type=checkbox]), select, textarea")) return true;
  return /^(Arrow|Page)/.test(event.key) && Boolean(target?.closest(".tl-bottom, .tl-menu, [role=tablist]"));
}
