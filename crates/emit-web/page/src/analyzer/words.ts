// Texts of the analyzer's page, in both languages.
import type { Text } from "../ui/i18n";

export const WORDS = {
  title: ["Analyze a TPU dump", "分析 TPU dump"],
  drop: [
    "Drop a dump here: a directory such as cdm_profile_data_dev0-0, or a .tar, .tar.gz or .zip archive of it. The trace of the host (.json, .json.gz) may be dropped with it.",
    "把 dump 拖到这里：一个目录（例如 cdm_profile_data_dev0-0），或它的 .tar、.tar.gz、.zip 归档。主机端 trace（.json、.json.gz）可以一起拖入。",
  ],
  private: [
    "Everything happens in this page: no file leaves this machine, and nothing is installed.",
    "全部计算都在本页面内完成：文件不会离开本机，也无需安装任何程序。",
  ],
  chooseDirectory: ["Choose a directory", "选择目录"],
  chooseFiles: ["Choose archives or files", "选择归档或文件"],
  another: ["Another dump", "分析另一个 dump"],
  cancel: ["Cancel", "取消"],
  loading: ["Preparing the analyzer", "正在准备分析器"],
  reading: ["Reading {0}", "正在读取 {0}"],
  failed: ["FAILED", "失败"],
  stopped: [
    "The analysis ended without a result ({0}). This may be for lack of memory: a browser gives a page 4 GiB at most. Analyze the dump with the program: bigtpuprofile DUMP out",
    "分析未得到结果就结束了（{0}）。原因可能是内存不足：浏览器最多给一个页面 4 GiB。请用命令行程序分析该 dump：bigtpuprofile DUMP out",
  ],
  loss: ["Data was lost", "有数据丢失"],
  notes: ["Notes ({0})", "说明（{0}）"],
  files: ["All files ({0})", "全部文件（{0}）"],
  trace: ["Trace", "Trace"],
  workbook: ["Workbook", "工作簿"],
  summary: ["Summary", "汇总"],
  report: ["report.json", "report.json"],
  texts: ["Register texts ({0})", "寄存器文本（{0}）"],
  page: ["result.html", "result.html"],
  perfetto: ["Open in Perfetto", "在 Perfetto 中打开"],
  perfettoHint: [
    "Opens ui.perfetto.dev in a new tab and hands it the trace inside the browser. The viewer runs in the browser; nothing is uploaded.",
    "在新标签页打开 ui.perfetto.dev，并在浏览器内把 trace 交给它。查看器在浏览器中运行，不会上传任何内容。",
  ],
  perfettoSilent: [
    "The viewer did not answer. Save the trace, and open it in https://ui.perfetto.dev.",
    "查看器没有响应。请保存 trace，然后在 https://ui.perfetto.dev 中打开。",
  ],
  noPage: ["This run has no page; its files are above.", "这次运行没有页面；文件见上方。"],
  overview: ["All dumps", "全部 dump"],
  comparison: ["Comparison: the first dump is before the change", "对比：第一个 dump 为改动前"],
  cluster: ["Ranks on one clock {0}", "各 rank 在同一时钟上 {0}"],
  dump: ["Dump", "Dump"],
  frame: ["Page of the run", "运行结果页面"],
  theme: ["Theme", "主题"],
} satisfies Record<string, Text>;

/** What the tasks of an analysis are called. */
export const TASKS: Record<string, Text> = {
  reading: ["Reading the records", "正在读取记录"],
  comparing: ["Comparing the two dumps", "正在对比两个 dump"],
  trace: ["Writing the trace", "正在生成 trace"],
  page: ["Writing the page", "正在生成页面"],
  workbook: ["Writing the workbook", "正在生成工作簿"],
  text: ["Writing the register texts", "正在生成寄存器文本"],
};
