// The pinned slice: its facts and all its register fields, to read, filter and copy.
import { copyText } from "../../ui/copy";
import { h, put } from "../../ui/dom";
import { t } from "../../ui/i18n";
import type { SliceRef } from "../view";
import { type Flow, flowsOf } from "./flows";
import type { Scene } from "./scene";
import { type Fact, sliceFacts, sliceFields, sliceTimes, trackName } from "./slicefacts";
import { TEXTS } from "./texts";
import { list } from "./tooltip";

export interface DetailsActions {
  step(by: -1 | 1): void;
  center(slice: SliceRef): void;
  close(): void;
}

export async function showDetails(scene: Scene, slice: SliceRef, root: HTMLElement, actions: DetailsActions): Promise<void> {
  const [{ title, facts }, further, fields, flows] = await Promise.all([sliceTimes(scene, slice), sliceFacts(scene, slice), sliceFields(scene, slice), flowsOf(scene, slice)]);
  if (!scene.isSelected(slice)) return;
  const all = [...facts, ...further];
  const copy = h("button", { onclick: () => void copyText([[t(TEXTS.slice), title], ...all, ...fields].map((fact) => fact.join("\t")).join("\n")).then(() => put(copy, t(TEXTS.copied))) }, t(TEXTS.copy));
  const fieldRoom = h("div", { class: "tl-fields" });
  const filter = h("input", { type: "search", placeholder: t(TEXTS.filterFields), "aria-label": t(TEXTS.filterFields), oninput: () => showFields() });
  const showFields = () => {
    const wanted = filter.value.toLowerCase();
    const found = fields.filter(([key, value]) => key.toLowerCase().includes(wanted) || value.toLowerCase().includes(wanted));
    put(fieldRoom, fields.length === 0 ? h("p", { class: "muted" }, t(TEXTS.noFields)) : list(found, "fields"));
  };
  showFields();
  put(root,
    h("div", { class: "tl-bar" },
      h("b", { class: "tl-title", role: "status", title }, title),
      h("button", { title: t(TEXTS.previous), "aria-label": t(TEXTS.previous), onclick: () => actions.step(-1) }, "‹"),
      h("button", { title: t(TEXTS.next), "aria-label": t(TEXTS.next), onclick: () => actions.step(1) }, "›"),
      h("button", { onclick: () => actions.center(slice) }, t(TEXTS.toSlice)),
      copy,
      fields.length > 0 && filter,
      h("button", { class: "quiet tl-close", title: `${t(TEXTS.close)} (Esc)`, "aria-label": t(TEXTS.close), onclick: () => actions.close() }, "✕"),
    ),
    h("div", { class: "tl-details" }, h("div", { class: "tl-main" }, list(all), ...flows.map((flow) => flowLink(scene, slice, flow, actions))), scene.track(slice.track).isEngine && fieldRoom),
  );
}

function flowLink(scene: Scene, slice: SliceRef, flow: Flow, actions: DetailsActions): HTMLElement {
  const sends = flow.from.track === slice.track && flow.from.row === slice.row;
  const other = sends ? flow.to : flow.from;
  const place: Fact = [t(sends ? TEXTS.releases : TEXTS.released), `${trackName(scene.track(other.track))} · ${other.row}`];
  return h("button", { class: "tl-flow", onclick: () => {
    scene.select({ track: other.track, row: other.row });
    actions.center({ track: other.track, row: other.row });
  } }, h("span", { class: "muted" }, place[0]), ` ${sends ? "→" : "←"} ${place[1]}`);
}
