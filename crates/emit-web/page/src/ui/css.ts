// Values of the style sheet for what draws without it: canvases, and charts as files.

export function isDark(): boolean {
  return document.documentElement.dataset.theme === "dark";
}

/** The value of a custom property of the style sheet in the theme in use, such as --tiu. */
export function css(name: string): string {
  const value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const [, light, dark] = /^light-dark\(([^,]+),(.+)\)$/.exec(value) ?? [];
  return light && dark ? (isDark() ? dark : light).trim() : value;
}
