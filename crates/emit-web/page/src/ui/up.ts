// The way back to the page that led here: an overview of several runs, which gives its address in the fragment.
import { pageLink } from "./choices";
import { type Text, t } from "./i18n";
import * as state from "./state";

const TEXTS = {
  back: ["Back to {0}", "返回 {0}"],
} satisfies Record<string, Text>;

/** A page next to this one or above: no other address. */
const NEAR = /^(\.\.\/)*([\w%-][\w.%-]*\/)*[\w%-][\w.%-]*\.html$/;

/** Nothing where no overview led here. */
export function upLink(): HTMLElement | false {
  const address = state.get("up");
  if (!NEAR.test(address)) return false;
  const name = address.split("/").at(-1)!;
  return pageLink(address, { class: "up", title: t(TEXTS.back, name) }, `← ${name}`);
}
