// The first row of numbers: how well the run used the chip, each with what it is a share of.
import type { Roof } from "../../data/generated";
import type { Page } from "../../data/page";
import { type Child, h } from "../../ui/dom";
import { alignedDuration, gbps, percent } from "../../ui/format";
import { type Text, localized, t } from "../../ui/i18n";
import { SOURCES } from "./facts";

const TEXTS = {
  time: ["Duration", "时长"],
  timeNote: ["first start to last end", "首个开始到最后结束"],
  busy: ["Core busy", "核忙碌"],
  busyNote: ["an engine computes or moves data; mean of {0}", "有引擎在计算或搬运；{0}平均"],
  sync: ["Sync", "同步"],
  syncNote: ["waits and system commands only; mean of {0}", "只有等待与系统指令；{0}平均"],
  busyOf: ["mean of {0}; ", "{0}平均；"],
  unused: ["{0} of {1} cores are unused", "{1} 个核中 {0} 个未使用"],
  overlap: ["Overlap", "重叠率"],
  overlapNote: ["of what could be hidden; mean of {0}", "占可隐藏的时间；{0}平均"],
  idle: ["Idle", "空闲"],
  idleNote: ["no engine runs anything; mean of {0}", "没有引擎在运行；{0}平均"],
  ddr: ["DDR, of its peak", "DDR 占峰值"],
  ddrShared: ["{0} a core over the run, of {1}: the chip's {2} / {3} cores", "全程每核 {0}，峰值 {1}（芯片的 {2} ÷ {3} 核）"],
  ddrSharedTogether: ["{0} a core over the run, of {1} for reads and writes together: the chip's {2} / {3} cores", "全程每核 {0}，读写合计峰值 {1}（芯片的 {2} ÷ {3} 核）"],
  ddrPortTogether: ["{0} a core over the run, of {1} for reads and writes together: one core alone", "全程每核 {0}，读写合计峰值 {1}（单核独用）"],
  ddrMixed: ["{0} a core over the run, of {1}: the mean of the peaks under which its bytes moved", "全程每核 {0}，峰值 {1}（搬运这些字节时各峰值的平均）"],
  ddrPort: ["{0} a core over the run, of {1}: one core alone", "全程每核 {0}，峰值 {1}（单核独用）"],
  ddrHint: ["Time that the bytes need at the peaks / core time; reads and writes together count with the peak of both directions", "按峰值搬运这些字节所需时间 ÷ 核时间；读写合计按双向峰值计"],
  implausible: ["; more than the chip can: a clock, a count or the peak is wrong", "；超出芯片能力：时钟、计数或峰值有误"],
  ddrUnknown: ["{0} a core over the run; peak unknown", "全程每核 {0}；峰值未知"],
  rate: ["uArch rate", "uArch 利用率"],
  rateNote: ["operations asked for / after padding", "所需运算 ÷ 补齐后的运算"],
  rateUnknown: ["operations are not known", "运算量未知"],
  source: [" ({0})", "（{0}）"],
  unknown: ["unknown", "未知"],
  core: ["1 core", "1 个核"],
  cores: ["{0} cores", "{0} 个核"],
} satisfies Record<string, Text>;

function measure(key: string, title: string, value: string | null, note: Child | Child[], hint = ""): HTMLElement {
  return h("div", { class: "tile", "data-measure": key, title: hint || undefined },
    h("span", { class: "muted" }, title), h("b", null, value ?? t(TEXTS.unknown)), h("span", { class: "muted" }, ...[note].flat()));
}

/** The roof of the DDR under which the cores of this run worked. */
function ddrRoof(page: Page) {
  const { roofs } = page.head.answers.roofline;
  return roofs.find(({ id, value }) => id === "ddr.active.one_way" && value !== null) ?? roofs.find(({ id, value }) => id === "ddr.core.one_way" && value !== null);
}

/** Further above a peak than this is more than rounding, as for rooflines. */
const PASSED = 1.05;

/** Peaks that differ by less are one. */
const EQUAL = 0.005;

/**
 * What a core moved, and the peak that the share is of: the rate at which its bytes take the time that they need at the least. It is the peak of one
 * direction, that of both where reads and writes together need longer, or between the peaks where bytes moved under several; with what it is a part of:
 * the chip's, which the cores that ran share, or that of a core's own port.
 */
function peakNote(page: Page, roof: Roof, rate: number, share: number | null, active: number): string {
  const peak = share !== null && share > 0 ? rate / share : roof.value!;
  const { roofs } = page.head.answers.roofline;
  const together = roofs.find(({ id }) => id === roof.id.replace("one_way", "both_ways"))?.value ?? null;
  const is = (value: number | null) => value !== null && Math.abs(peak / value - 1) < EQUAL;
  const isShared = roof.id === "ddr.active.one_way";
  if (is(roof.value)) return isShared ? t(TEXTS.ddrShared, gbps(rate), gbps(peak), gbps(peak * active), active) : t(TEXTS.ddrPort, gbps(rate), gbps(peak));
  if (!is(together)) return t(TEXTS.ddrMixed, gbps(rate), gbps(peak));
  return isShared ? t(TEXTS.ddrSharedTogether, gbps(rate), gbps(peak), gbps(peak * active), active) : t(TEXTS.ddrPortTogether, gbps(rate), gbps(peak));
}

export function measures(page: Page): HTMLElement[] {
  const { head } = page;
  const { intervals, roofline } = head.answers;
  const { core_mean: mean, cores } = intervals;
  const active = Math.max(cores.filter((core) => core.engines.length > 0).length, 1);
  const of = active === 1 ? t(TEXTS.core) : t(TEXTS.cores, active);
  const isKnown = intervals.overall.wall_ns > 0;
  const share = (value: number): string | null => (isKnown ? percent(value) : null);
  const { overall } = roofline;
  const roof = ddrRoof(page);
  const unused = cores.length > 1 ? cores.length - active : 0;
  const ddr = overall.ideal_ddr_ns !== null && overall.ns > 0 ? overall.ideal_ddr_ns / overall.ns : null;
  // Also where the cores moved their bytes in less time than they need at the peak, and rested then.
  const transferNs = cores.reduce((sum, core) => sum + core.overlapped_ns + core.transfer_only_ns, 0);
  const isTooMuch = ddr !== null && (overall.bound === "implausible" && ddr > 1 || overall.ideal_ddr_ns! > PASSED * transferNs);
  const rate = head.overall && overall.ops !== null && overall.ops > 0 ? percent(head.overall.uarchRate) : null;
  return [
    measure("time", t(TEXTS.time), alignedDuration(head.totalNs), t(TEXTS.timeNote)),
    measure("busy", t(TEXTS.busy), share(mean.utilization), unused > 0 ? [t(TEXTS.busyOf, of), h("strong", null, t(TEXTS.unused, unused, cores.length))] : t(TEXTS.busyNote, of)),
    measure("sync", t(TEXTS.sync), share(mean.sync_ratio), t(TEXTS.syncNote, of)),
    measure("overlap", t(TEXTS.overlap), share(mean.overlap_ratio), t(TEXTS.overlapNote, of)),
    measure("idle", t(TEXTS.idle), share(mean.idle_ratio), t(TEXTS.idleNote, of)),
    measure("ddr", t(TEXTS.ddr), ddr === null ? null : percent(ddr), [roof ? peakNote(page, roof, overall.ddr_gbps, ddr, active) : t(TEXTS.ddrUnknown, gbps(overall.ddr_gbps)), isTooMuch ? h("strong", null, t(TEXTS.implausible)) : ""], `${t(TEXTS.ddrHint)}${roof ? `\n${localized(roof)}${t(TEXTS.source, t(SOURCES[roof.source]))}` : ""}`),
    measure("rate", t(TEXTS.rate), rate, t(rate === null ? TEXTS.rateUnknown : TEXTS.rateNote)),
  ];
}
