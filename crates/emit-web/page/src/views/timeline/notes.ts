// Notes at moments of the run. They are in the link, so that who gets it sees them.
import * as state from "../../ui/state";

export interface Note {
  /** ns since the span's start. */
  time: number;
  text: string;
}

const key = (prefix: string): string => `${prefix}.notes`;

/** A note is `time~text`; notes are parted by `|`, so that both signs are escaped in texts. */
export function readNotes(prefix: string): Note[] {
  return state.get(key(prefix)).split("|").flatMap((part) => {
    const at = part.indexOf("~");
    const time = Number(part.slice(0, at));
    return at > 0 && Number.isFinite(time) ? [{ time, text: decoded(part.slice(at + 1)) }] : [];
  });
}

export function writeNotes(prefix: string, notes: Note[]): void {
  state.set({ [key(prefix)]: notes.map(({ time, text }) => `${Number(time.toFixed(1))}~${encodeURIComponent(text)}`).join("|") });
}

/** A link that someone changed by hand may hold anything. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
