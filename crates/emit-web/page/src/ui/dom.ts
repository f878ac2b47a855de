// Elements. Texts only ever become text nodes: names from a dump are never markup.

export type Child = Node | string | number | null | undefined | false;
type Props = Record<string, unknown>;

/** Makes an element. `class`, `title` and the like are attributes, `onclick` and the like listeners. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props?: Props | null, ...children: Child[]): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), props, children);
}

const SVG = "http://www.w3.org/2000/svg";

/** The same for SVG. */
export function svg(tag: string, props?: Props | null, ...children: Child[]): SVGElement {
  return fill(document.createElementNS(SVG, tag) as SVGElement, props, children);
}

function fill<E extends Element>(element: E, props: Props | null | undefined, children: Child[]): E {
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value as EventListener);
    else if (key === "style" && typeof value === "object") Object.assign((element as unknown as HTMLElement).style, value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

/** Replaces what an element holds. */
export function put(element: Element, ...children: Child[]): void {
  element.replaceChildren(...children.filter((c) => c !== null && c !== undefined && c !== false).map((c) => (c instanceof Node ? c : String(c))));
}
