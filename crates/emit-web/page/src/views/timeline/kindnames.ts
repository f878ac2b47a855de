// What tracks are called.
import type { TrackKind } from "../../data/generated";
import { t } from "../../ui/i18n";
import { TEXTS } from "./texts";

/** The name of a kind of tracks in the timeline: of engines as it is. */
export function kindName(kind: TrackKind): string {
  switch (kind) {
    case "step": return t(TEXTS.steps);
    case "block": return t(TEXTS.blocks);
    case "layer": return t(TEXTS.layers);
    case "kernel": return t(TEXTS.kernels);
    case "host": return t(TEXTS.host);
    default: return kind.toUpperCase();
  }
}

/** The order of the tracks of a group, from top to bottom. */
export const ORDER: TrackKind[] = ["step", "block", "layer", "kernel", "tiu", "gdma", "sdma", "cdma", "host"];
