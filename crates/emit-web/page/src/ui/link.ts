// A button that puts the address of what is seen into the clipboard.
import { copyText } from "./copy";
import { h, put } from "./dom";
import { type Text, t } from "./i18n";
import * as state from "./state";

const TEXTS = {
  link: ["Copy link", "复制链接"],
  hint: ["The address of this view with its selection, range and notes", "包含选择、范围和备注的当前视图地址"],
  copied: ["Copied", "已复制"],
} satisfies Record<string, Text>;

export function linkButton(kind = ""): HTMLElement {
  const button: HTMLElement = h("button", { class: kind, title: t(TEXTS.hint), onclick: () => {
    state.flush();
    void copyText(location.href).then(() => put(button, t(TEXTS.copied)));
  } }, t(TEXTS.link));
  return button;
}
