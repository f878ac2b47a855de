// What the page leaves out, in words. Keys come from the writer (`crates/emit-web/src/notices.rs`).
import { type Text, t } from "./i18n";

const NOTICES: Record<string, Text> = {
  "fields-dropped": [
    "The dump has {0} commands; the page stores register fields for at most {1}. They are left out here. The workbook and the register texts have them; of more than 500,000 commands these are written with --enable_doc only.",
    "共 {0} 条指令，超过页面可容纳寄存器字段的上限 {1}：此处省略这些字段，可在工作簿和寄存器文本中查看；指令超过 500,000 条时，仅在使用 --enable_doc 时输出这两者。",
  ],
  "facts-dropped": [
    "The dump has {0} commands; the page stores details for at most {1}. Ids, bytes, rates and addresses of single commands are left out here. Totals and the timeline are complete.",
    "共 {0} 条指令，超过页面可容纳全部明细的上限 {1}：此处省略单条指令的编号、字节数、利用率和地址；总计和图形是完整的。",
  ],
  "lmem-dropped": [
    "The dump has {0} commands; the page stores memory accesses for at most {1}. The memory view is left out. The workbook and the register texts have the addresses; of more than 500,000 commands these are written with --enable_doc only.",
    "共 {0} 条指令，超过页面可容纳本地内存访问的上限 {1}：省略内存视图，地址可在工作簿和寄存器文本中查看；指令超过 500,000 条时，仅在使用 --enable_doc 时输出这两者。",
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
