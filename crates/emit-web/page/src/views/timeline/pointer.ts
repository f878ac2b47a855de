// Mouse, touch and wheel on the plot, the ruler and the minimap.
import type { Scene } from "./scene";
import { windowOf } from "./minimap";

export interface PointerActions {
  scrollBy(pixels: number): void;
  hover(x: number, y: number, event: PointerEvent): void;
  leave(): void;
  click(x: number, y: number): void;
  zoomTo(x: number, y: number): void;
}

/** Pixels that a pointer may stray and still click. */
const CLICK = 4;

export function plotPointers(element: HTMLElement, scene: Scene, actions: PointerActions): void {
  const { viewport } = scene;
  const down = new Map<number, { x: number; y: number }>();
  let strayed = 0;
  let anchor: number | null = null;
  const place = (event: MouseEvent) => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  element.addEventListener("pointerdown", (event) => {
    if (event.button > 1) return;
    element.setPointerCapture(event.pointerId);
    down.set(event.pointerId, place(event));
    strayed = 0;
    anchor = event.shiftKey ? viewport.time(place(event).x) : null;
  });
  element.addEventListener("pointermove", (event) => {
    const at = place(event);
    const before = down.get(event.pointerId);
    if (!before) return actions.hover(at.x, at.y, event);
    strayed += Math.abs(at.x - before.x) + Math.abs(at.y - before.y);
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    down.set(event.pointerId, at);
    if (other) pinch(scene, before.x, at.x, other.x);
    else if (anchor !== null) {
      const time = viewport.time(at.x);
      scene.setRange({ start: Math.min(anchor, time), end: Math.max(anchor, time) }, false);
    } else if (strayed > CLICK) {
      actions.leave();
      viewport.pan((before.x - at.x) / viewport.scale);
      actions.scrollBy(before.y - at.y);
      scene.moved();
    }
  });
  const up = (event: PointerEvent) => {
    if (!down.delete(event.pointerId) || down.size > 0) return;
    if (anchor !== null && strayed > CLICK) scene.setRange(scene.range);
    else if (strayed <= CLICK && event.type === "pointerup") actions.click(place(event).x, place(event).y);
  };
  element.addEventListener("pointerup", up);
  element.addEventListener("pointercancel", up);
  element.addEventListener("pointerleave", () => actions.leave());
  element.addEventListener("dblclick", (event) => actions.zoomTo(place(event).x, place(event).y));
  element.addEventListener("wheel", (event) => wheel(scene, event, place(event).x), { passive: false });
}

function pinch(scene: Scene, before: number, now: number, other: number): void {
  const { viewport } = scene;
  const [from, to] = [Math.abs(before - other), Math.abs(now - other)];
  if (from < 1 || to < 1) return;
  viewport.zoom(from / to, viewport.time(other));
  scene.moved();
}

/** Lines and pages of the wheel in pixels. */
const WHEEL_UNITS = [1, 30, 400];

export function wheel(scene: Scene, event: WheelEvent, x: number): void {
  event.preventDefault();
  const { viewport } = scene;
  const unit = WHEEL_UNITS[event.deltaMode] ?? 1;
  const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
  if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) viewport.pan((sideways * unit) / viewport.scale);
  // A pinch on a touchpad comes as a wheel with ctrl, in smaller steps.
  else viewport.zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY * unit * (event.ctrlKey ? 0.01 : 0.002)))), viewport.time(x));
  scene.moved();
}

/** A drag on the ruler selects a range; a click clears it. */
export function rulerPointers(element: HTMLElement, scene: Scene): void {
  const time = (event: PointerEvent) => scene.viewport.time(event.clientX - element.getBoundingClientRect().left);
  drag(element, (from, event) => scene.setRange({ start: Math.min(time(from), time(event)), end: Math.max(time(from), time(event)) }, false), (moved) => scene.setRange(moved ? scene.range : null));
  element.addEventListener("wheel", (event) => wheel(scene, event, event.clientX - element.getBoundingClientRect().left), { passive: false });
}

/** The window is dragged as a whole or by its edges; a press outside of it takes it there. */
export function minimapPointers(element: HTMLElement, scene: Scene): void {
  const { viewport, page } = scene;
  const whole = Math.max(page.head.span.length, 1);
  const time = (event: PointerEvent) => ((event.clientX - element.getBoundingClientRect().left) / element.clientWidth) * whole;
  let part: "start" | "end" | "all" = "all";
  let grip = 0;
  element.addEventListener("pointerdown", (event) => {
    const x = event.clientX - element.getBoundingClientRect().left;
    const { x: left, w } = windowOf(scene, viewport, element.clientWidth);
    part = w > 12 && Math.abs(x - left) < 6 ? "start" : w > 12 && Math.abs(x - left - w) < 6 ? "end" : "all";
    if (part === "all" && (x < left || x > left + w)) {
      const half = viewport.length / 2;
      viewport.set(time(event) - half, time(event) + half);
      scene.moved();
    }
    grip = time(event) - viewport.start;
  });
  drag(element, (_, event) => {
    const at = time(event);
    if (part === "start") viewport.set(Math.min(at, viewport.end - 20), viewport.end);
    else if (part === "end") viewport.set(viewport.start, Math.max(at, viewport.start + 20));
    else viewport.set(at - grip, at - grip + viewport.length);
    scene.moved();
  }, () => {});
  element.addEventListener("wheel", (event) => wheel(scene, event, viewport.width / 2), { passive: false });
}

function drag(element: HTMLElement, move: (from: PointerEvent, event: PointerEvent) => void, end: (moved: boolean) => void): void {
  let from: PointerEvent | null = null;
  let moved = false;
  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    from = event;
    moved = false;
  });
  element.addEventListener("pointermove", (event) => {
    if (!from || (!moved && Math.abs(event.clientX - from.clientX) < CLICK)) return;
    moved = true;
    move(from, event);
  });
  const stop = () => {
    if (from) end(moved);
    from = null;
  };
  element.addEventListener("pointerup", stop);
  element.addEventListener("pointercancel", stop);
}
