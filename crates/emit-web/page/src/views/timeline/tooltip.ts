// The facts of what is under the cursor.
import { count, duration, gbps, percent } from "../../ui/format";
import { h, put } from "../../ui/dom";
import { t } from "../../ui/i18n";
import { moment } from "./axis";
import { type Flow, flowsOf } from "./flows";
import type { Frame } from "./frame";
import type { Hit } from "./hit";
import type { Scene } from "./scene";
import { type Fact, sliceFacts, sliceTimes, trackName } from "./slicefacts";
import { causeText, gapFacts } from "./gapview";
import { FACTS, GAP, TEXTS } from "./texts";

/** Rest of the cursor, in ms, after which facts and fields are decoded. */
const REST = 70;

export class Tooltip {
  readonly element = h("div", { class: "tl-tip", role: "tooltip", hidden: true });
  private shown = "";
  private timer = 0;
  /** What was clicked has no tooltip until the cursor was elsewhere. */
  private dismissed = "";

  constructor(
    private readonly scene: Scene,
    private readonly frame: Frame,
  ) {}

  hide(): void {
    this.shown = "";
    clearTimeout(this.timer);
    this.element.hidden = true;
  }

  dismiss(): void {
    const { shown } = this;
    this.hide();
    this.dismissed = shown;
  }

  /** `x`, `y` of the cursor in the window. */
  show(hit: Hit | null, x: number, y: number): void {
    if (!hit) return this.hide();
    const key = hit.kind === "slice" ? `${hit.track}.${hit.row}` : `${hit.kind}${hit.track}.${hit.kind === "bucket" ? hit.start : x}`;
    if (key === this.dismissed) return;
    this.dismissed = "";
    if (key !== this.shown) {
      this.shown = key;
      clearTimeout(this.timer);
      this.fill(hit, key, x, y);
    }
    this.place(x, y);
  }

  private place(x: number, y: number): void {
    const { element } = this;
    element.hidden = false;
    const { width, height } = element.getBoundingClientRect();
    const left = x + 16 + width > innerWidth ? Math.max(x - 16 - width, 4) : x + 16;
    element.style.left = `${left}px`;
    // Below the cursor, or above it where there is no room: never on it.
    const top = y + 16 + height + 8 > innerHeight && y - 16 - height >= 4 ? y - 16 - height : Math.max(4, Math.min(y + 16, innerHeight - height - 8));
    element.style.top = `${top}px`;
  }

  private fill(hit: Hit, key: string, x: number, y: number): void {
    const { scene, element } = this;
    const owner = scene.track(hit.track);
    if (hit.kind === "line") return put(element, ...this.line(hit.track));
    const name = scene.page.nameText(hit.name);
    if (hit.kind === "bucket") {
      const kernel = scene.page.kernelOfTag(hit.tag);
      const facts: Fact[] = [[t(FACTS.track), trackName(owner)], [t(TEXTS.mostly), name], [t(FACTS.start), moment(hit.start)], [t(FACTS.dur), duration(hit.end - hit.start)]];
      if (kernel !== "") facts.push([t(FACTS.kernel), kernel]);
      return put(element, h("b", null, t(TEXTS.bucket, count(hit.count), percent(hit.busy))), list(facts));
    }
    const others = hit.others > 0 && h("p", { class: "muted" }, t(TEXTS.others, count(hit.others)));
    const basics: Fact[] = [[t(FACTS.track), trackName(owner)], [t(FACTS.start), moment(hit.start)], [t(FACTS.dur), duration(hit.end - hit.start)]];
    put(element, h("b", null, owner.kind === "gap" ? causeText(name) : name), list(basics), others);
    this.timer = window.setTimeout(() => void this.complete(hit, key, x, y, others), REST);
  }

  private async complete(hit: Hit & { kind: "slice" }, key: string, x: number, y: number, others: Node | false): Promise<void> {
    const { scene, element } = this;
    if (scene.track(hit.track).kind === "gap") {
      const facts = await gapFacts(scene, hit);
      if (this.shown !== key) return;
      put(element, h("b", null, t(GAP.title, trackName(scene.track(scene.rowTrack(hit.track))))), list([[t(GAP.length), duration(hit.end - hit.start)], [t(FACTS.start), moment(hit.start)], ...facts]), h("p", { class: "muted" }, t(TEXTS.clickPins)));
      return this.place(x, y);
    }
    const [{ title, facts }, further, flows] = await Promise.all([sliceTimes(scene, hit), sliceFacts(scene, hit, ESSENTIAL), flowsOf(scene, hit)]);
    if (this.shown !== key) return;
    const times = facts.filter(([label]) => label !== t(FACTS.end) && label !== t(FACTS.row));
    put(element, h("b", null, title), list([...times, ...further, ...releaser(scene, hit, flows)]), others, h("p", { class: "muted" }, t(TEXTS.clickPins)));
    this.place(x, y);
  }

  private line(track: number): Node[] {
    const { scene } = this;
    const drawn = this.frame.drawn.get(track);
    const x = scene.cursor?.x ?? 0;
    const facts: Fact[] = (drawn ?? []).map(({ metric, values }) => {
      const value = values[Math.floor(x)] ?? 0;
      return [t(FACTS[metric]), metric === "rate" ? percent(value, 1) : gbps(value)];
    });
    return [h("b", null, trackName(scene.track(track))), facts.length > 0 ? list(facts) : h("p", { class: "muted" }, t(TEXTS.noLine))];
  }
}

/** Which facts show at a glance what a command did; the panel below has all of them, and the registers. */
const ESSENTIAL: ReadonlySet<string> = new Set(["rate", "bytes", "ddr", "l2", "dir", "waiting", "retries", "events", "cat"]);

/** Why a wait ended when it did: the send that came last. */
function releaser(scene: Scene, { track, row }: { track: number; row: number }, flows: Flow[]): Fact[] {
  const last = flows.find(({ to, releases }) => releases && to.track === track && to.row === row);
  return last ? [[t(TEXTS.waitedFor), trackName(scene.track(last.from.track))]] : [];
}

/** Labels and values as a list of definitions. */
export function list(facts: Fact[], kind = ""): HTMLElement {
  return h("dl", { class: `tl-facts ${kind}` }, ...facts.map(([label, value]) => h("div", null, h("dt", { title: label }, label), h("dd", { title: value }, value))));
}
