// What the user sees, in the URL's fragment: a link or bookmark restores it.

export type State = Record<string, string>;
type Listener = (state: State) => void;

let state: State = read();
const listeners = new Set<Listener>();
let timer = 0;

function read(): State {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
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

function write(): void {
  const hash = new URLSearchParams(state).toString();
  if (hash !== location.hash.slice(1)) history.replaceState(null, "", `#${hash}`);
}

/** Tells of changes from outside: another link, back and forth. */
export function listen(listener: Listener): void {
  listeners.add(listener);
}

window.addEventListener("hashchange", () => {
  state = read();
  for (const listener of listeners) listener(state);
});
