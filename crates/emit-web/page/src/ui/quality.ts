// How well a command is known: words for the values of the column `quality`, which is there only where some command is not sure.
import { type Text, t } from "./i18n";

export const QUALITIES: Record<string, Text> = {
  sure: ["sure", "确定"],
  repaired: ["repaired: damage was put right by what is around it", "已修复：损坏处由其前后内容更正"],
  doubtful: ["doubtful: command or time may be another", "存疑：指令或时间可能有误"],
  unnamed: ["unnamed: no command is known", "无名：没有对应的指令"],
};

/** What a value says. */
export function qualityText(value: string): string {
  const text = QUALITIES[value];
  return text ? t(text) : value;
}
