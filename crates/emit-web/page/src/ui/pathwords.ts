// Words of the critical path. The analysis writes English.
import type { Reason } from "../data/generated";
import { type Text, t } from "./i18n";

/** Reasons of pieces, as `report.json` and as `summary.txt` name them. */
const REASONS: Record<Reason, Text> = {
  compute: ["compute", "计算"], ddr_transfer: ["DDR transfer", "DDR 搬运"], l2m_transfer: ["L2M transfer", "L2M 搬运"], link_transfer: ["link transfer", "链路搬运"],
  local_transfer: ["local transfer", "本地搬运"], system: ["system command", "系统指令"], wait: ["wait", "等待"], hand_over: ["hand-over", "交接"], command_gap: ["command gap", "指令间隙"],
  launch_gap: ["launch gap", "启动间隙"], start: ["start", "起始"], unexplained: ["unexplained idle", "原因不明的空闲"],
};

const WHYS: Record<string, Text> = {
  "engine order": ["engine order", "引擎内顺序"], "command dependence": ["command dependence", "指令依赖"], "message": ["message", "消息"], "observed barrier": ["observed barrier", "观测到的屏障"], "launch": ["launch", "启动"],
  "launch group": ["launch group", "启动组"], "observed hand-over": ["observed hand-over", "观测到的交接"],
};

/** The reason that `report.json` calls so. */
export function reasonText(reason: Reason): string {
  return t(REASONS[reason]);
}

/** Name in `summary.txt`, and in the path's columns, of what `report.json` calls so. */
export function reasonName(reason: Reason): string {
  return REASONS[reason][0];
}

export function whyText(why: string): string {
  return WHYS[why] ? t(WHYS[why]!) : why;
}
