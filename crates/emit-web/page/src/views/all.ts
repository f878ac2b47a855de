// The views, in the order of their tabs.
import { timelineView } from "./timeline/timeline";
import type { View } from "./view";

export function views(): View[] {
  return [timelineView()];
}
