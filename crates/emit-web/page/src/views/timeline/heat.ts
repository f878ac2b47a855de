// Colours of commands by how many times what their bits explain they took.

/** From so many times on a fitted rule's command counts as slower, as in the table of the overview. */
export const SLOW = 1.3;

/** Steps of the scale: from so many times on, and the colours in the light and the dark theme. */
export const HEAT: readonly { from: number; light: string; dark: string }[] = [
  { from: 0, light: "#7f93b2", dark: "#7d8fae" },
  { from: 1.05, light: "#a98c1c", dark: "#c9b04a" },
  { from: SLOW, light: "#d07a12", dark: "#f0a04a" },
  { from: 2, light: "#c22d1f", dark: "#ff7a6a" },
];

export function heatColour(dark: boolean, times: number): string {
  const step = HEAT.findLast(({ from }) => times >= from) ?? HEAT[0]!;
  return dark ? step.dark : step.light;
}
