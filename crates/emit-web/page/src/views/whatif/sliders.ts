// A slider and a number for each part that can be changed.
import { type Change, type Resource, isTime, resourceName } from "../../replay/change";
import { h, put } from "../../ui/dom";
import { t } from "../../ui/i18n";
import { WHATIF } from "./texts";

/** Speeds at which the slider stops; factors of time are the inverse. */
const SPEEDS = [0.25, 1 / 3, 0.5, 2 / 3, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 4, 8];
const TIMES = [4, 3, 2, 1.5, 1.25, 1.2, 1.1, 1, 0.9, 0.8, 0.67, 0.5, 0.33, 0.25, 0];
const ROUND = (factor: number): number => Number(factor.toPrecision(3));

export class Sliders {
  readonly element = h("div", { class: "wi-sliders" });
  private readonly factors = new Map<string, number>();
  private readonly shown: Resource[] = [];

  /** `others`: parts that are not listed at first; `changed` is called for every step of a slider. */
  constructor(
    listed: Resource[],
    private readonly others: Resource[],
    given: Change[],
    private readonly changed: () => void,
  ) {
    for (const resource of listed) this.add(resource);
    this.set(given);
  }

  /** What differs from the measured run. */
  changes(): Change[] {
    return this.shown.flatMap((resource) => {
      const factor = this.factors.get(resourceName(resource)) ?? 1;
      return factor === 1 ? [] : [{ resource, factor }];
    });
  }

  /** Takes these changes and no others. */
  set(changes: Change[]): void {
    this.factors.clear();
    for (const { resource, factor } of changes) {
      this.add(resource);
      this.factors.set(resourceName(resource), factor);
    }
    this.fill();
  }

  private add(resource: Resource): void {
    if (!this.shown.some((own) => resourceName(own) === resourceName(resource))) this.shown.push(resource);
  }

  private fill(): void {
    const more = this.others.filter((other) => !this.shown.some((own) => resourceName(own) === resourceName(other)));
    const choose = h("select", { id: "wi-add", "aria-label": t(WHATIF.add), onchange: () => {
      const chosen = more[Number(choose.value)];
      if (!chosen) return;
      this.add(chosen);
      this.fill();
    } }, h("option", { value: "" }, t(WHATIF.add)), ...more.map((other, at) => h("option", { value: String(at) }, resourceName(other))));
    put(this.element, ...this.shown.map((resource) => this.row(resource)), more.length > 0 && choose);
  }

  private row(resource: Resource): HTMLElement {
    const name = resourceName(resource);
    const steps = isTime(resource) ? TIMES : SPEEDS.map(ROUND);
    const factor = this.factors.get(name) ?? 1;
    const nearest = (of: number) => steps.reduce((best, step, at) => (Math.abs(step - of) < Math.abs(steps[best]! - of) ? at : best), 0);
    const number: HTMLInputElement = h("input", { type: "number", min: isTime(resource) ? 0 : 0.01, max: 1000, step: "any", value: factor, title: t(WHATIF.factorHint), "aria-label": `${name} ${t(isTime(resource) ? WHATIF.time : WHATIF.speed)}` });
    const slider: HTMLInputElement = h("input", { type: "range", min: 0, max: steps.length - 1, step: 1, value: nearest(factor), title: t(WHATIF.sliderHint), "aria-label": name });
    const row = h("label", { class: "wi-slider", "data-part": name }, h("span", { class: "name", title: name }, name), slider, h("span", { class: "muted" }, isTime(resource) ? t(WHATIF.time) : t(WHATIF.speed)), number);
    const take = (to: number) => {
      this.factors.set(name, to);
      row.classList.toggle("wi-changed", to !== 1);
      this.changed();
    };
    row.classList.toggle("wi-changed", factor !== 1);
    slider.addEventListener("input", () => {
      number.value = String(steps[Number(slider.value)]!);
      take(Number(number.value));
    });
    number.addEventListener("input", () => {
      const to = Number(number.value);
      if (number.value === "" || !(to >= 0) || (to === 0 && !isTime(resource))) return;
      slider.value = String(nearest(to));
      take(to);
    });
    return row;
  }
}
