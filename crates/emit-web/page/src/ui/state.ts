// What the user sees, in the URL's fragment: a link or bookmark restores it.

export type State = Record<string, string>;
type Listener = (state: State) => void;

let state: State = read();
const listeners = new Set<Listener>();
let timer = 0;

function read(): State {
  // A frame whose text is given inline has no address that one could write a fragment to; its name stands for it.
  const start = location.href === "about:srcdoc" ? window.name : location.hash.slice(1);
  return Object.fromEntries(new URLSearchParams(start));
}

/** The value of a key, "" if it has none. */
export function get(key: string): string {
  return state[key] ?? "";
}

/** Changes keys ("" removes one); the URL follows a moment later, so that dragging does not flood it. */
export function set(changes: State): void {
  for (const [key, value] of Object.entries(changes)) {
    if (value === "") delete state[key];
    else state[key] = value;
  }
  clearTimeout(timer);
  timer = window.setTimeout(write, 150);
}

/** Brings the address up to date now. */
export function flush(): void {
  clearTimeout(timer);
  write();
}

function write(): void {
  const hash = new URLSearchParams(state).toString();
  const old = new URLSearchParams(location.hash.slice(1));
  const changed = [...new Set([...old.keys(), ...Object.keys(state)])].filter((key) => (old.get(key) ?? "") !== (state[key] ?? ""));
  if (changed.length === 0) return;
  // What the page does by itself at its start is no step that one would go back.
  const byUser = navigator.userActivation?.hasBeenActive ?? true;
  const now = performance.now();
  // Not the fragment alone: in a frame with its text inline that would be one of the frame's parent.
  const address = `${location.href.split("#", 1)[0]}#${hash}`;
  const isStep = changed.some((key) => !GRADUAL.test(key)) || now - written > GESTURE;
  written = now;
  if (byUser && isStep) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}

/** Keys that change in small steps while one types, drags or turns the wheel: all that follow closely are one step back. */
const GRADUAL = /^(t\w+\.(view|range|mark|notes)|[ml]\.range|w\.scale|f\.(q|[bdu](min|max)))$/;
/** ms without a change after which a gradual change is a step of its own. */
const GESTURE = 1000;
let written = -GESTURE;

/** Tells of changes from outside: another link, back and forth. */
export function listen(listener: Listener): void {
  listeners.add(listener);
}

window.addEventListener("hashchange", () => {
  clearTimeout(timer);
  state = read();
  for (const listener of listeners) listener(state);
});
