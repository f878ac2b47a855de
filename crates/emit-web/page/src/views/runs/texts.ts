// Words of the views of two runs.
import type { Text } from "../../ui/i18n";

export const RUNS = {
  changes: ["Changes", "变化"],
  both: ["Both timelines", "双时间线"],
  before: ["Before", "之前"],
  after: ["After", "之后"],
  measured: ["Measured", "实测"],
  predicted: ["Predicted", "预测"],
  run: ["Run in the other views", "其他视图显示的运行"],
  align: ["Align", "对齐"],
  byLaunch: ["by launches", "按启动"],
  byStart: ["at the start", "按开始"],
  off: ["not", "不对齐"],
  alignHint: ["How the second timeline follows the first", "第二条时间线如何跟随第一条"],
  fit: ["Fit both", "显示全部"],
  kernel: ["Kernel", "核函数"],
  layer: ["Layer", "层"],
  core: ["Core", "核"],
  launches: ["Launches", "启动次数"],
  change: ["Change", "变化"],
  relative: ["%", "%"],
  launchesOf: ["Launches of {0}: {1} in both, {2} gone, {3} new", "{0} 的启动：两者都有 {1}，消失 {2}，新增 {3}"],
  number: ["No.", "序号"],
  show: ["Show it in both timelines", "在双时间线中显示"],
  none: ["Neither run has kernel launches or layers, so nothing can be matched.", "两次运行都没有核函数启动或层，无法匹配。"],
  ribbon: ["Launches of core {0} in both runs. Red: longer. Green: shorter. Click to show the launch.", "核 {0} 在两次运行中的启动：红色变长，绿色变短。点击可跳转。"],
  new: ["new", "新增"],
  gone: ["gone", "消失"],
  noNoise: ["With fewer than three runs per side, noise is unknown; the numbers are compared directly.", "每侧少于三次运行时噪声未知：直接比较数值。"],
  isNoise: ["noise", "噪声"],
  isChange: ["changed", "有变化"],
  noise: ["Noise", "噪声"],
  interval: ["Interval", "区间"],
  also: ["Also", "其他变化"],
  path: ["Critical path: pieces that changed; all sum to the wall time", "关键路径：有变化的部分；全部之和等于总时间"],
  onPath: ["On the critical path", "在关键路径上"],
  name: ["Name", "名称"],
  metric: ["Metric", "指标"],
  runs: ["{0} runs", "{0} 次运行"],
  whole: ["The whole run", "整次运行"],
  losses: ["Losses", "丢失"],
  steps: ["Steps: all steady ones", "迭代步：所有稳定步"],
  step: ["Steps: time of each", "迭代步：每步时间"],
  cores: ["Cores: time in which any engine works", "核：任一引擎工作的时间"],
  engines: ["Engines: busy time", "引擎：忙碌时间"],
  kernels: ["Kernels: time of all launches", "核函数：所有启动的时间"],
  opcodes: ["Opcodes: time of all commands", "操作码：所有指令的时间"],
  types: ["Data types: time of all commands", "数据类型：所有指令的时间"],
  shapes: ["Shapes: time of all commands", "形状：所有指令的时间"],
  directions: ["Directions: time of all transfers", "方向：所有搬运的时间"],
  slower: ["{0} slower", "慢 {0}"],
  faster: ["{0} faster", "快 {0}"],
  same: ["the same time", "时间相同"],
  limits: ["Limits", "限值"],
  differ: ["the runs differ in {0}: {1}", "两侧的{0}不同：{1}"],
  lost: ["{0}: data was lost, see its ledger", "{0}：有数据丢失，见其账目"],
} satisfies Record<string, Text>;

/** Words for the error of a model: it is neither faster nor slower. */
export const ERROR = {
  tab: ["Model error", "模型误差"],
  simulated: ["Simulated", "模拟"],
  error: ["Error", "误差"],
  none: ["error of the model: none", "模型误差：无"],
  above: ["error of the model: {0}, the simulated run is too long", "模型误差：{0}，模拟运行偏长"],
  below: ["error of the model: {0}, the simulated run is too short", "模型误差：{0}，模拟运行偏短"],
  onlySimulated: ["simulated only", "仅模拟有"],
  onlyMeasured: ["measured only", "仅实测有"],
  launchesOf: ["Launches of {0}: {1} in both, {2} measured only, {3} simulated only", "{0} 的启动：两者都有 {1}，仅实测有 {2}，仅模拟有 {3}"],
  ribbon: ["Launches of core {0} in both runs. Amber: the model is off by more than 2%. Click to show the launch.", "核 {0} 在两次运行中的启动：琥珀色表示模型误差超过 2%。点击可跳转。"],
  path: ["Critical path: pieces that differ; all sum to the wall time", "关键路径：不同的部分；全部之和等于总时间"],
  bytes: ["Bytes and bandwidth are not compared: the simulation counts the bytes of the data, the monitors what passes the bus.", "不比较字节与带宽：模拟统计数据本身的字节，监测器统计经过总线的字节。"],
} satisfies Record<string, Text>;

/** Names of what the numbers measure, as `diff.json` has them. */
export const METRICS: Record<string, Text> = {
  time: ["Time", "时间"], compute_only: ["Compute only", "仅计算"], overlapped: ["Compute and transfer", "计算与搬运重叠"], transfer_only: ["Transfer only", "仅搬运"],
  sync: ["Waiting", "等待"], idle: ["Idle", "空闲"], events: ["Commands", "指令数"], bytes: ["Bytes", "字节"], overlap_ratio: ["Overlap ratio", "重叠率"], utilization: ["Utilization", "利用率"],
  count: ["Count", "数量"], p50: ["Median", "中位数"], p95: ["95th percentile", "95 分位"], bandwidth: ["Bandwidth", "带宽"], ops: ["Operations", "运算量"], tops: ["TOPS", "TOPS"], uarch_rate: ["uArch rate", "uArch 利用率"], critical_path: ["Critical path", "关键路径"],
  mean: ["Mean", "平均"], min: ["Minimum", "最小"], max: ["Maximum", "最大"], first: ["First step", "首步"], warm_up: ["Warm-up", "预热"], outliers: ["Outliers", "离群步"], spread: ["Spread", "离散"],
  losses: ["Losses", "丢失次数"], lost_records: ["Lost records", "丢失记录"],
};

/** What warnings say that runs differ in. */
export const SUBJECTS: Record<string, Text> = {
  "how steps are found": ["how steps are found", "迭代步的来源"], "chip": ["chip", "芯片"], "cores": ["cores", "核数"], "TIU clock": ["TIU clock", "TIU 时钟"], "the report's version": ["the report's version", "报告版本"],
};
