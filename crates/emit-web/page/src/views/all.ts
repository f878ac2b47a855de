// The views, in the order of their tabs.
import { compare } from "./compare";
import { find } from "./find";
import { memory } from "./memory";
import { overview } from "./overview";
import type { View } from "./view";

export function views(): View[] {
  return [overview(), compare(), memory(), find()];
}
