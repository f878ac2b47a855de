// Keys and mouse, on demand.
import { h } from "../../ui/dom";
import { type Text, t } from "../../ui/i18n";
import { TEXTS } from "./texts";

/** Names of keys alone are the same in both languages. */
const KEYS: [keys: string | Text, Text][] = [
  [["Wheel, pinch, W S, + −", "滚轮、双指缩放、W S、+ −"], ["Zoom at the cursor", "以光标为中心缩放"]],
  [["Drag, A D, ← →", "拖动、A D、← →"], ["Move in time", "在时间上移动"]],
  ["↑ ↓, PgUp PgDn", ["Scroll the rows (or the wheel over the labels)", "滚动行（或在标签上用滚轮）"]],
  ["F, 0", ["Show the whole run; press again to include the host's time", "显示全程；再按一次：含主机时间"]],
  [["Click", "单击"], ["Pin a slice and show all its fields", "固定切片并显示所有字段"]],
  [["Double click", "双击"], ["Zoom to a slice", "缩放到切片"]],
  [["[ ] or , .", "[ ] 或 , ."], ["Previous, next slice on the same track", "同一轨道的上一个、下一个切片"]],
  ["G", ["Next gap of the engine (with Shift: previous); without a selection the longest one in view. A click on an empty place of an engine's row pins its gap", "该引擎的下一个间隙（加 Shift 为上一个）；未选择时为视野内最长的间隙。单击引擎行的空白处可固定该间隙"]],
  [["Shift + drag, drag on the axis", "Shift + 拖动，或在时间轴上拖动"], ["Select a time range and measure it", "选择时间范围并统计"]],
  ["M", ["Select the pinned slice's time as the range", "以固定切片的时间为范围"]],
  ["K", ["Add a note at the cursor", "在光标处添加备注"]],
  ["Z", ["Zoom to the range, or to the slice", "缩放到范围，否则到切片"]],
  [["Shift + wheel", "Shift + 滚轮"], ["Move in time", "在时间上移动"]],
  [["/ or Ctrl + F; Enter, N", "/ 或 Ctrl + F；Enter、N"], ["Search names; next match (with Shift: previous)", "按名称搜索；下一个匹配（加 Shift 为上一个）"]],
  ["X", ["Critical path", "关键路径"]],
  ["P", ["Compact rows", "紧凑行"]],
  ["L, H, C", ["Charts, bar height, colours by kernel", "曲线、柱高、按核函数着色"]],
  ["Esc", ["Close, unpin, clear the range", "关闭、取消固定、清除范围"]],
  ["?", ["This help", "本帮助"]],
];

export class Help {
  readonly element = h("dialog", { class: "tl-help", "aria-label": t(TEXTS.help) },
    h("h2", null, t(TEXTS.help)),
    h("dl", null, ...KEYS.map(([keys, text]) => h("div", null, h("dt", null, typeof keys === "string" ? keys : t(keys)), h("dd", null, t(text))))),
    h("button", { onclick: () => this.element.close() }, t(TEXTS.close)),
  );

  toggle(): void {
    if (this.element.open) this.element.close();
    else this.element.showModal();
  }
}
