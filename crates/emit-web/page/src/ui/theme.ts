// Light and dark: the system's choice, unless the user chose.
import * as state from "./state";

export type Theme = "light" | "dark";

export function theme(): Theme {
  const asked = state.get("theme");
  if (asked === "light" || asked === "dark") return asked;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

export function apply(chosen: Theme = theme()): void {
  document.documentElement.dataset.theme = chosen;
}

export function toggle(): void {
  state.set({ theme: theme() === "dark" ? "light" : "dark" });
  apply();
}
