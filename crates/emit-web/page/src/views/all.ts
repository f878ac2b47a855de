// The views, in the order of their tabs.
import { compare } from "./compare";
import { find } from "./find";
import { memory } from "./memory";
import { overview } from "./overview";
import { timelineView } from "./timeline/timeline";
import type { View } from "./view";
import { whatIf } from "./whatif";

export function views(): View[] {
  return [overview(), timelineView(), whatIf(), compare(), memory(), find()];
}
