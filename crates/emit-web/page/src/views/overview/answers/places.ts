// Where a piece of evidence points to: links into the timeline.
import { sinceFirst } from "../../../data/page";
import type { Arg, Evidence, Message } from "../../../data/generated";
import { longestLaunch } from "../../../ui/launches";
import type { Shell } from "../../view";

/** What a click on the place of a number does; null where the place names no moment, launch or command. */
export function linkOf(shell: Shell, { place_message: place, unit, value }: Evidence): (() => void) | null {
  const { page } = shell;
  switch (place?.id) {
    case "place-gap":
    case "place-gap-of-chip":
    case "place-stall":
    case "place-stall-of-chip":
    case "place-stall-in-kernel": {
      const at = timeArg(place, "at");
      if (at === null || unit !== "us" || value <= 0) return null;
      const start = sinceFirst(page.head, at);
      return () => shell.showRange(start, start + value * 1000);
    }
    case "place-kernel-on-core": {
      const name = nameArg(place, "kernel");
      const core = numberArg(place, "core");
      const kernel = page.head.kernels.findIndex((text) => page.text(text) === name);
      return kernel < 0 || core === null ? null : () => void longestLaunch(page, kernel, core).then((slice) => slice && shell.showSlice(slice));
    }
    case "place-event": {
      const on = messageArg(place, "engine");
      const row = numberArg(place, "event");
      if (on === null || row === null) return null;
      const engine = nameArg(on, "engine");
      const index = numberArg(on, "core") ?? numberArg(on, "port");
      const track = page.tracks.find((t) => t.isEngine && t.engine === engine && t.head.core === index && t.head.events > row);
      return track ? () => shell.showSlice({ track: track.index, row }) : null;
    }
    default:
      return null;
  }
}

/** An argument of a message; null if it has none of this name. */
const argument = (message: Message, name: string): Arg | null => message.args?.[name] ?? null;

function nameArg(message: Message, name: string): string | null {
  const arg = argument(message, name);
  return arg && "name" in arg ? arg.name : null;
}

function numberArg(message: Message, name: string): number | null {
  const arg = argument(message, name);
  return arg && "number" in arg ? arg.number : null;
}

function timeArg(message: Message, name: string): number | null {
  const arg = argument(message, name);
  return arg && "time_ns" in arg ? arg.time_ns : null;
}

function messageArg(message: Message, name: string): Message | null {
  const arg = argument(message, name);
  return arg && "message" in arg ? arg.message : null;
}
