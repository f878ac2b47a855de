// What the run waited for: pieces of the critical path by kernel, engine and reason. A click goes to the longest of them.
import type { Answers, Piece } from "../../../data/generated";
import { stack } from "../../../ui/bars";
import { h } from "../../../ui/dom";
import { count, duration, percent } from "../../../ui/format";
import { localized, t, type Text } from "../../../ui/i18n";
import { reasonName, reasonText } from "../../../ui/pathwords";
import { type Column, table } from "../../../ui/table";
import type { Shell, SliceRef } from "../../view";

const TEXTS = {
  title: ["Critical path: what the run waited for", "关键路径：运行在等什么"],
  none: ["There is no critical path: {0}", "没有关键路径：{0}"],
  note: ["The pieces follow one another without gaps; their sum is {0}. The run becomes shorter only if work on this path becomes shorter. Click a row to show its longest piece in the timeline.", "各段首尾相接，合计 {0}。只有缩短这条路径才能缩短运行。点击可在时间线中显示最长的一段。"],
  unexplained: ["The cause of {0} of it is unknown.", "其中 {0} 无法解释。"],
  kernel: ["Kernel", "核函数"],
  owner: ["Kernel or layer", "核函数或层"],
  layerId: ["Layer Id", "层编号"],
  outside: ["(outside kernels)", "（核函数之外）"],
  noLayer: ["(in no layer)", "（不属于任何层）"],
  engine: ["Engine", "引擎"],
  reason: ["Reason", "原因"],
  share: ["Share", "占比"],
  time: ["On the path", "在路径上"],
  count: ["Pieces", "段数"],
  all: ["All work of this type", "此类工作总计"],
  allHint: ["Sum over all cores, on the path or not", "所有核之和，无论是否在路径上"],
  open: ["Show the longest piece in the timeline", "在时间线中显示最长的一段"],
} satisfies Record<string, Text>;

export function criticalPathPanel(shell: Shell, { critical_path: path }: Answers): HTMLElement | false {
  if (path.refusal !== null) return h("section", { class: "panel", id: "critical-path" }, h("h2", null, t(TEXTS.title)), h("p", { class: "muted" }, t(TEXTS.none, localized({ text: path.refusal, text_zh: path.refusal_zh }))));
  if (path.pieces.length === 0) return false;
  const outside = t(shell.page.head.layers.length > 0 ? TEXTS.noLayer : TEXTS.outside);
  const { page } = shell;
  const hasLayers = path.pieces.some((p) => p.layer);
  const layerOf = (p: Piece): string => (p.layer_id == null ? "" : page.layerLabel(page.layerOfId(p.layer_id)));
  const columns: Column<Piece>[] = [
    ...(hasLayers ? [{ key: "layerId", title: t(TEXTS.layerId), num: true, value: (p: Piece) => p.layer_id ?? -1, cell: (p: Piece) => String(p.layer_id ?? "–") }] : []),
    { key: "kernel", title: t(hasLayers ? TEXTS.owner : TEXTS.kernel), value: (p) => p.kernel || layerOf(p) || outside, mark: () => "name" },
    { key: "engine", title: t(TEXTS.engine), value: (p) => p.engine },
    { key: "reason", title: t(TEXTS.reason), value: (p) => reasonText(p.reason) },
    { key: "share", title: t(TEXTS.share), num: true, value: (p) => p.share, mark: () => "share", cell: (p) => h("div", { class: "share-cell" }, stack([{ share: p.share, color: "var(--bad)", title: percent(p.share) }], percent(p.share)), percent(p.share)) },
    { key: "time", title: t(TEXTS.time), num: true, value: (p) => p.ns, time: (p) => p.ns },
    { key: "count", title: t(TEXTS.count), num: true, value: (p) => p.count, cell: (p) => count(p.count) },
    { key: "all", title: t(TEXTS.all), hint: t(TEXTS.allHint), num: true, value: (p) => p.all_ns, time: (p) => (p.all_ns > 0 ? p.all_ns : null) },
  ];
  return h("section", { class: "panel wide", id: "critical-path", "data-wall": path.wall_ns }, h("h2", null, t(TEXTS.title)),
    table({ id: "path-pieces", label: t(TEXTS.title), columns, rows: path.pieces, most: 8, openHint: t(TEXTS.open), open: (p) => void longest(shell, p).then((slice) => slice && shell.showSlice(slice)) }),
    h("p", { class: "key muted" }, t(TEXTS.note, duration(path.wall_ns)), " ", path.unexplained > 0 && t(TEXTS.unexplained, percent(path.unexplained))));
}

/** The command of the longest piece, or the one that follows it where it is a gap. */
async function longest({ page }: Shell, piece: Piece): Promise<SliceRef | null> {
  const path = await page.path();
  if (!path) return null;
  const reason = page.head.strings.indexOf(reasonName(piece.reason));
  let best = -1;
  for (let i = 0; i < path.end.length; i++) {
    if (path.reason[i] !== reason || path.track[i]! < 0) continue;
    const kernel = path.kernel[i]! < 0 ? "" : page.text(page.head.kernels[path.kernel[i]!]!);
    const { layer } = await page.tracks[path.track[i]!]!.facts();
    const own = layer && layer[path.row[i]!]! >= 0 ? page.head.layers[layer[path.row[i]!]!]?.id : undefined;
    if (piece.layer_id !== undefined && own !== piece.layer_id) continue;
    if (kernel !== piece.kernel || page.tracks[path.track[i]!]!.engine !== piece.engine) continue;
    if (best < 0 || path.end[i]! - path.start[i]! > path.end[best]! - path.start[best]!) best = i;
  }
  return best < 0 ? null : { track: path.track[best]!, row: path.row[best]! };
}
