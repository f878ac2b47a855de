// Where a piece of evidence points to: links into the timeline, and places in Chinese. The analysis writes places as English phrases;
// one that no pattern knows is as it is, without a link.
import { sinceStart } from "../../../data/page";
import { current } from "../../../ui/i18n";
import { longestLaunch } from "../../../ui/launches";
import type { Shell } from "../../view";

/** What a click on the place does; null where it names no moment, launch or command. `ns`: the evidence as a time, 0 if it is none. */
export function linkOf(shell: Shell, place: string, ns: number): (() => void) | null {
  const { page } = shell;
  const at = /at (\d+) ns$/.exec(place);
  if (at && ns > 0) {
    const start = sinceStart(page.head, Number(at[1]));
    return () => shell.showRange(start, start + ns);
  }
  const launch = /^kernel (.+) on core (\d+)$/.exec(place);
  if (launch) {
    const kernel = page.head.kernels.findIndex((text) => page.text(text) === launch[1]);
    return kernel < 0 ? null : () => void longestLaunch(page, kernel, Number(launch[2])).then((slice) => slice && shell.showSlice(slice));
  }
  const event = /^(?:core (\d+) )?(TIU|GDMA|SDMA|CDMA) ?(\d*), event (\d+) /.exec(place);
  if (event) {
    const index = Number(event[1] ?? event[3]);
    const track = page.tracks.find((t) => t.engine === event[2] && t.head.core === index && t.head.events > Number(event[4]));
    return track ? () => shell.showSlice({ track: track.index, row: Number(event[4]) }) : null;
  }
  return null;
}

const CHINESE: [pattern: RegExp, text: string][] = [
  [/^all cores, most on core (\d+)$/, "全部核，核 $1 最多"],
  [/^kernel (.+) on core (\d+)$/, "核函数 $1，核 $2"],
  [/^core (\d+), from (.*) to (.*), at (\d+) ns$/, "核 $1，从 $2 到 $3，于 $4 ns"],
  [/^core (\d+), in (.*), at (\d+) ns$/, "核 $1，$2 中，于 $3 ns"],
  [/^core (\d+) for (\w+) of core (\d+)$/, "核 $1 等待核 $3 的 $2"],
  [/^core (\d+)$/, "核 $1"],
  [/^kernel (.+)$/, "核函数 $1"],
  [/^other kernels$/, "其他核函数"],
  [/^(\d+) of (\d+) stretches between barriers$/, "屏障之间 $2 段中的 $1 段"],
  [/^other stretches$/, "其他各段"],
  [/^of the launches looked at$/, "所查看的各次执行中"],
  [/^each lane$/, "每个 lane"],
  [/^other ports$/, "其他端口"],
  [/^port (\d+)$/, "端口 $1"],
  [/^all cores$/, "全部核"],
  [/^TIU, all cores$/, "TIU，全部核"],
  [/^loads from DDR, all cores$/, "从 DDR 的加载，全部核"],
  [/^(.*), event (\d+) \((.*)\)$/, "$1，第 $2 条指令（$3）"],
];

export function placeText(place: string): string {
  if (current() === "en") return place;
  const found = CHINESE.find(([pattern]) => pattern.test(place));
  return found ? place.replace(found[0], found[1]) : place;
}
