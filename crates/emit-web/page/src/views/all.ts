// The views, in the order of their tabs.
import type { View } from "./view";

export function views(): View[] {
  return [];
}
