// What the page leaves out, in words. Keys come from the writer (`crates/emit-web/src/notices.rs`).
import { type Text, t } from "./i18n";

const NOTICES: Record<string, Text> = {
  "fields-dropped": [
    "The page stores register fields for at most {1} commands; the dump has {0}. Workbook and register texts have them (above 500,000 commands: with --enable_doc).",
    "共 {0} 条指令，超过页面可容纳寄存器字段的上限 {1}：此处省略，可在工作簿和寄存器文本中查看（超过 500,000 条时须加 --enable_doc）。",
  ],
  "facts-dropped": [
    "The dump has {0} commands; the page stores details for at most {1}. Ids, bytes, rates and addresses of single commands are left out here. Totals and the timeline are complete.",
    "共 {0} 条指令，超过页面可容纳全部明细的上限 {1}：此处省略单条指令的编号、字节数、利用率和地址；总计和图形是完整的。",
  ],
  "lmem-dropped": [
    "No memory view: it takes at most {1} commands; the dump has {0}. Workbook and register texts have the addresses (above 500,000 commands: with --enable_doc).",
    "共 {0} 条指令，超过内存视图的上限 {1}：省略该视图，地址可在工作簿和寄存器文本中查看（超过 500,000 条时须加 --enable_doc）。",
  ],
  "host-unaligned": [
    "The host trace has no event that aligns it with the device. Both are shown from the same start time, so their relative order is not known.",
    "主机 trace 中没有可用于对齐设备的事件：两者从同一时刻开始显示，不代表实际的先后关系。",
  ],
};

export function noticeText(key: string, args: (string | number)[]): string {
  const text = NOTICES[key];
  return text ? t(text, ...args.map((a) => (typeof a === "number" ? a.toLocaleString("en-US") : a))) : [key, ...args].join(" ");
}
