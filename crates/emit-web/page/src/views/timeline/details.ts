// The pinned slice: its facts and all its register fields, to read, filter and copy.
import { copyText } from "../../ui/copy";
import { h, put } from "../../ui/dom";
import { duration } from "../../ui/format";
import { type Text, t } from "../../ui/i18n";
import { linkButton } from "../../ui/link";
import type { SliceRef } from "../view";
import { type Flow, flowsOf } from "./flows";
import { gapFacts, gapParts } from "./gapview";
import { gapBefore } from "./navigate";
import type { Scene } from "./scene";
import { type Fact, sliceFacts, sliceFields, sliceTimes, trackName } from "./slicefacts";
import { GAP, TEXTS, WHY } from "./texts";
import { list } from "./tooltip";
import { showsUnits } from "./unitdata";
import { showUnit } from "./unitview";
import { alongPath, pathFacts, whyPanel } from "./why";

/** Whether registers that hold 0 are listed; the choice holds for all commands. */
let showsZeros = false;

export interface DetailsActions {
  step(by: -1 | 1): void;
  center(slice: SliceRef): void;
  close(): void;
}

export async function showDetails(scene: Scene, slice: SliceRef, root: HTMLElement, actions: DetailsActions): Promise<void> {
  const goThere = (other: SliceRef) => goTo(scene, other, actions);
  if (scene.track(slice.track).kind === "gap") return showGap(scene, slice, root, actions, goThere);
  const [{ title, facts }, further, onPath, fields, flows, why, before, after, idle] = await Promise.all([
    sliceTimes(scene, slice), sliceFacts(scene, slice), pathFacts(scene, slice), sliceFields(scene, slice), flowsOf(scene, slice),
    whyPanel(scene, slice, goThere), alongPath(scene, slice, -1), alongPath(scene, slice, 1), gapBefore(scene, slice),
  ]);
  if (!scene.isSelected(slice)) return;
  const all = [...facts, ...onPath, ...further];
  const copy = h("button", { onclick: () => void copyText([[t(TEXTS.slice), title], ...all, ...fields].map((fact) => fact.join("\t")).join("\n")).then(() => put(copy, t(TEXTS.copied))) }, t(TEXTS.copy));
  const fieldRoom = h("div", { class: "tl-fields" });
  const filter = h("input", { type: "search", placeholder: t(TEXTS.filterFields), "aria-label": t(TEXTS.filterFields), oninput: () => showFields() });
  const zeros = fields.filter(([, value]) => value === "0").length;
  const zeroBox = h("input", { type: "checkbox", id: "tl-zeros", checked: showsZeros, onchange: () => {
    showsZeros = zeroBox.checked;
    showFields();
  } });
  const showFields = () => {
    const wanted = filter.value.toLowerCase();
    const matches = ([key, value]: Fact) => key.toLowerCase().includes(wanted) || value.toLowerCase().includes(wanted);
    // A field that is searched for shows whatever it holds.
    const found = fields.filter((fact) => (fact[1] !== "0" || showsZeros || wanted !== "") && matches(fact));
    put(fieldRoom, fields.length === 0 ? h("p", { class: "muted" }, t(TEXTS.noFields)) : list(found, "fields"));
  };
  const pathButton = (sign: string, title: Text, other: SliceRef) => h("button", { class: "tl-path", title: t(title), "aria-label": t(title), onclick: () => goThere(other) }, sign);
  const { isEngine } = scene.track(slice.track);
  const isUnit = showsUnits(scene.track(slice.track));
  if (isEngine) showFields();
  put(root,
    h("div", { class: "tl-bar" },
      h("b", { class: "tl-title", role: "status", title }, title),
      h("button", { title: t(TEXTS.previous), "aria-label": t(TEXTS.previous), onclick: () => actions.step(-1) }, "‹"),
      h("button", { title: t(TEXTS.next), "aria-label": t(TEXTS.next), onclick: () => actions.step(1) }, "›"),
      h("button", { onclick: () => actions.center(slice) }, t(TEXTS.toSlice)),
      before && pathButton("⇤", WHY.before, before),
      after && pathButton("⇥", WHY.after, after),
      copy,
      linkButton(),
      fields.length > 0 && filter,
      zeros > 0 && h("label", { class: "tl-zeros muted" }, zeroBox, t(TEXTS.zeros, zeros)),
      h("button", { class: "quiet tl-close", title: `${t(TEXTS.close)} (Esc)`, "aria-label": t(TEXTS.close), onclick: () => actions.close() }, "✕"),
    ),
    h("div", { class: "tl-details" }, h("div", { class: "tl-main" }, ...flowLinks(scene, slice, flows, actions), await idleLink(scene, idle, goThere), why, list(all)), (isEngine || isUnit) && fieldRoom),
  );
  if (isUnit) await showUnit(scene, slice, fieldRoom, goThere);
}

/** The gap before a command. */
async function idleLink(scene: Scene, gap: SliceRef | null, goThere: (slice: SliceRef) => void): Promise<HTMLElement | null> {
  if (!gap) return null;
  const { start, end } = await scene.sliceRange(gap);
  const [, [label, cost]] = (await gapFacts(scene, gap)) as [Fact, Fact];
  return h("button", { class: "tl-gap", onclick: () => goThere(gap) }, h("span", { class: "muted" }, `${t(GAP.idle)} `), duration(end - start), h("span", { class: "muted" }, ` · ${label}: ${cost}`));
}

async function showGap(scene: Scene, slice: SliceRef, root: HTMLElement, actions: DetailsActions, goThere: (slice: SliceRef) => void): Promise<void> {
  const [{ title, facts, links, meanwhile }, { facts: times }, further] = await Promise.all([gapParts(scene, slice, goThere), sliceTimes(scene, slice), sliceFacts(scene, slice, new Set())]);
  if (!scene.isSelected(slice)) return;
  const all = [...facts, ...times, ...further];
  const copy = h("button", { onclick: () => void copyText([[t(TEXTS.slice), title], ...all].map((fact) => fact.join("\t")).join("\n")).then(() => put(copy, t(TEXTS.copied))) }, t(TEXTS.copy));
  put(root,
    h("div", { class: "tl-bar" },
      h("b", { class: "tl-title", role: "status", title }, title),
      h("button", { title: t(TEXTS.previousGap), "aria-label": t(TEXTS.previousGap), onclick: () => actions.step(-1) }, "‹"),
      h("button", { title: t(TEXTS.nextGap), "aria-label": t(TEXTS.nextGap), onclick: () => actions.step(1) }, "›"),
      h("button", { onclick: () => actions.center(slice) }, t(TEXTS.toSlice)),
      copy,
      linkButton(),
      h("button", { class: "quiet tl-close", title: `${t(TEXTS.close)} (Esc)`, "aria-label": t(TEXTS.close), onclick: () => actions.close() }, "✕"),
    ),
    h("div", { class: "tl-details", id: "gap-panel" }, h("div", { class: "tl-main" }, ...links, list(all)), h("div", { class: "tl-fields" }, meanwhile)));
}

function goTo(scene: Scene, slice: SliceRef, actions: DetailsActions): void {
  scene.select(slice);
  actions.center(slice);
}

/** What released a wait is first; sends that were there before are folded away where they are many. */
function flowLinks(scene: Scene, slice: SliceRef, flows: Flow[], actions: DetailsActions): HTMLElement[] {
  const links = flows.map((flow) => flowLink(scene, slice, flow, actions));
  if (links.length <= MOST_LINKS) return links;
  const rest = links.slice(MOST_LINKS);
  return [...links.slice(0, MOST_LINKS), h("details", null, h("summary", { class: "muted" }, t(TEXTS.moreFlows, rest.length)), ...rest)];
}

const MOST_LINKS = 3;

function flowLink(scene: Scene, slice: SliceRef, flow: Flow, actions: DetailsActions): HTMLElement {
  const sends = flow.from.track === slice.track && flow.from.row === slice.row;
  const other = sends ? flow.to : flow.from;
  const launch = sends ? TEXTS.calls : TEXTS.calledBy;
  const label = flow.kind === "launch" ? launch : sends ? (flow.releases ? TEXTS.releases : TEXTS.sentTo) : flow.releases ? TEXTS.released : TEXTS.sentBefore;
  const place: Fact = [t(label), `${trackName(scene.track(other.track))} · ${other.row}`];
  return h("button", { class: `tl-flow ${flow.releases ? "releases" : ""}`, onclick: () => goTo(scene, { track: other.track, row: other.row }, actions) }, h("span", { class: "muted" }, place[0]), ` ${sends ? "→" : "←"} ${place[1]}`);
}
