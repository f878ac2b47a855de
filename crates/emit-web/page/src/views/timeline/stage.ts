// The elements of the plot and when they are drawn: at most once a frame, after anything changed.
import { h } from "../../ui/dom";
import { t } from "../../ui/i18n";
import type { Flow } from "./flows";
import { Frame } from "./frame";
import type { TimelineHook } from "./hook";
import { Minimap } from "./minimap";
import { rendererAsked } from "./options";
import { Overlay } from "./overlay";
import { packed } from "./palette";
import { type Renderer, makeRenderer } from "./renderer";
import { Ruler } from "./ruler";
import type { Scene } from "./scene";
import { TEXTS } from "./texts";

const KEPT_FRAMES = 240;

export class Stage {
  readonly frame = new Frame();
  readonly renderer: Renderer = makeRenderer(rendererAsked());
  private readonly overlay = new Overlay(this.renderer.context);
  private readonly ruler = new Ruler();
  private readonly minimap = new Minimap();
  readonly plot = h("div", { class: "tl-plot", tabindex: 0, role: "application", "aria-label": t(TEXTS.plot) }, this.renderer.canvas, this.overlay.canvas);
  readonly rulerBox = h("div", { class: "tl-ruler", title: t(TEXTS.ruler) }, this.ruler.canvas);
  readonly minimapBox = h("div", { class: "tl-minimap", title: t(TEXTS.minimap) }, this.minimap.canvas);
  flows: Flow[] = [];
  hook: TimelineHook | null = null;
  private size = { width: 0, height: 0, ratio: 0 };
  private asked = 0;
  private last = 0;
  /** The first picture is: what is less urgent may be decoded. */
  private calm = false;

  /** `scaled` receives what the top of the bandwidth rows represents now. */
  constructor(
    private readonly scene: () => Scene,
    private readonly scaled: (gbps: number) => void,
  ) {}

  /** Asks for a frame. */
  draw(): void {
    this.asked ||= requestAnimationFrame((now) => {
      this.asked = 0;
      this.render(now);
    });
  }

  private resize(): boolean {
    const { clientWidth: width, clientHeight: height } = this.plot;
    const ratio = devicePixelRatio;
    if (width === 0 || height === 0) return false;
    if (width !== this.size.width || height !== this.size.height || ratio !== this.size.ratio) {
      this.size = { width, height, ratio };
      this.renderer.resize(Math.round(width * ratio), Math.round(height * ratio));
      this.overlay.resize(Math.round(width * ratio), Math.round(height * ratio));
    }
    this.scene().viewport.width = width;
    return true;
  }

  /** Asks for what the first frame needs, before the browser comes to draw one. */
  prepare(): void {
    if (this.resize()) this.frame.build(this.scene(), this.size);
  }

  private render(now: number): void {
    if (!this.resize()) return;
    const scene = this.scene();
    const began = performance.now();
    const { frame, size } = this;
    if (frame.build(scene, size)) {
      frame.build(scene, size);
      this.scaled(frame.scale.full);
    }
    this.renderer.draw(frame.quads, packed(scene.paint.ground.panel));
    this.overlay.draw(scene, size, frame, this.flows);
    this.ruler.draw(scene, this.rulerBox.clientWidth, this.rulerBox.clientHeight);
    this.minimap.draw(scene, this.minimapBox.clientWidth, this.minimapBox.clientHeight);
    this.note(now, performance.now() - began);
    if (!this.calm && frame.waiting === 0) this.settle();
  }

  private note(now: number, script: number): void {
    const { hook } = this;
    if (!hook) return;
    hook.frames.push({ script, apart: now - this.last });
    if (hook.frames.length > KEPT_FRAMES) hook.frames.shift();
    hook.rectangles = this.frame.quads.length;
    if (hook.firstPicture === 0 && this.frame.waiting === 0) hook.firstPicture = performance.now();
    this.last = now;
  }

  private settle(): void {
    this.calm = true;
    setTimeout(() => this.recount(), 50);
  }

  /** Counts the minimap anew if other cores are shown, or times are others. */
  recount(retimed = false): void {
    if (retimed) this.minimap.forget();
    if (this.calm) void this.minimap.count(this.scene()).then(() => this.draw());
  }

  destroy(): void {
    cancelAnimationFrame(this.asked);
    this.renderer.destroy();
  }
}
