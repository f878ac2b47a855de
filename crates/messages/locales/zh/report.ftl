# 控制台、summary.txt 与 report.md 对一次运行的说明。

## 运行

report-dynamic = { $chip }，动态运行：{ $cores } 个核，{ $ports } 个 CDMA 端口，{ $events } 个事件；{ $clocks }
report-static = { $chip }，静态模型：{ $cores } 个核，{ $ports } 个 CDMA 端口，{ $events } 个事件；{ $clocks }
report-clocks = TIU { $tiu } MHz，DMA { $dma } MHz（{ $source }）
report-clocks-apart = TIU { $tiu } MHz（{ $tiu_source }），DMA { $dma } MHz（{ $dma_source }）
report-labelled = { $label }：{ $text }
report-headed = { $headline }。{ $text }
report-verdict = 结论
report-verdict-of-rule = 结论（{ $rule }）
report-no-events = 转储中没有事件：没有可报告的内容。
report-nothing-to-sum = 没有事件：没有可汇总的内容。
report-nothing-written = 没有写出文件：转储中没有这些输出要显示的内容。层需要静态模型及其 final.mlir 或编译器日志，其他输出需要事件。
report-written = 已写出：
report-units = 时间以微秒为单位；该运行耗时 { $wall } us。核函数与层的时间是各核之和，关键路径不是。

## 时间去向

report-where-time = 时间去向：芯片 { $wall } us = 仅计算 { $compute } + 计算与搬运同时 { $both } + 暴露的搬运 { $transfer } + 同步 { $sync } + 空闲 { $idle }
report-core-mean = 每核平均：重叠为可能值的 { $overlap }，同步 { $sync }，空闲 { $idle }；芯片平均有 { $engines } 个引擎活动
report-core-mean-range = 每核平均：重叠为可能值的 { $overlap }，同步 { $sync }，空闲 { $idle }；芯片平均有 { $engines } 个引擎活动；最忙的是核 { $most_core }（{ $most }），最闲的是核 { $least_core }（{ $least }）
report-path = 运行在等待什么：{ $pieces }
report-piece = { $engine } { $reason } { $share }
report-piece-in = { $owner } 的 { $engine } { $reason } { $share }
report-barriers = 核间屏障：{ $barriers } 次，平均偏差 { $skew } us，等待的核时间 { $waited } us；最后到达的核：{ $last }
report-core-times = 核 { $core }：{ $times } 次

## 步

report-steps = 步：{ $steps } 步{ $rest }（{ $source }，第一个核函数是 { $kernel }）；p50 { $p50 } us，p95 { $p95 } us，离散度 { $spread }
report-steps-before = ，之前还有 { $before } us
report-steps-after = ，之后还有 { $after } us
report-steps-between = ，之前还有 { $before } us，之后还有 { $after } us
report-steps-repeat = 核函数重复
report-steps-kernel = 按核函数名
report-steps-host = 按主机的标记
report-warm-up = 前 { $steps } 步多用 { $time } us（预热）
report-outliers = 离群：{ $outliers }
report-outliers-slowest = 离群：{ $outliers }，最慢的是第 { $step } 步，{ $time } us（{ $cause }更多）
report-irregular = { $steps } 步的核函数不同，未计入
report-is-warm-up-of-others = 预热，核函数不同
report-is-of-others = 核函数不同
report-is-warm-up = 预热
report-is-outlier = 离群
report-is-with-cause = { $what }：{ $cause }
report-phase-compute = 仅计算
report-phase-overlapped = 计算与搬运同时
report-phase-transfer = 暴露的搬运
report-phase-sync = 同步
report-phase-idle = 空闲

## 主机

report-host = 主机：{ $launches } 次启动中有 { $matched } 次{ $how }与调用匹配；启动延迟 p50 { $p50 } us，p95 { $p95 } us
report-host-free = 主机：{ $launches } 次启动中有 { $matched } 次{ $how }与调用匹配；启动延迟 p50 { $p50 } us，p95 { $p95 } us（其中没有排队的 p50 { $free } us）
report-host-by-name = 按名称
report-host-in-order = 按顺序
report-host-by-time = 按时间
report-host-queue = 队列平均深 { $mean } 次启动，最深 { $most }；{ $idle } 的时间空闲：{ $host_bound } 没有启动任何内容（受主机限制），{ $device_bound } 设备没有执行已启动的内容

## 建议

report-advice = 建议（{ $parts }）：
report-advice-of = { $all } 条中的 { $shown } 条，--full 显示全部
report-advice-explain = bigtpuprofile explain 规则名
report-advice-line = { $rule }{ $gain }：{ $text }
report-gain = （可节省 { $time } us，{ $share }{ $mark }）
report-nothing-beyond-first = { $mark }；解决第一项之后无剩余
report-beyond-first = { $mark }；解决第一项之后还剩 { $left } us
report-gain-range = （可节省 { $least } 至 { $most } us，最多 { $share }{ $mark }）
report-gain-and-bound = （至少可节省 { $least } us；上界：{ $most } us，{ $share }{ $mark }）
report-gain-estimate = （估计：{ $time } us，{ $share }{ $mark }）
report-gain-bound = （上界：{ $time } us，{ $share }{ $mark }）
report-no-gain = {""}
report-mark = ，{ $mark }
report-mark-exact = 精确
report-mark-fitted = 拟合
report-mark-estimated = 估计
report-mark-not-validated = 未经验证
report-together = { $verdict ->
    [advice] 连同结论合计
   *[other] 全部合计
} { $time } us，{ $share }
report-together-range = { $verdict ->
    [advice] 连同结论合计
   *[other] 全部合计
} { $least } 至 { $most } us，最多 { $share }
report-what-else = 还可以改什么
report-what-else-together = 还可以改什么（{ $together }）

## 说明

report-lost = 丢失或存疑之处
report-more-notes = 另有 { $more } 条
report-more-notes-in = （另有 { $more } 条说明：见 { $place }）
report-verbose-summary-trace = --verbose、summary.txt 或 trace
report-verbose-summary = --verbose 或 summary.txt
report-verbose-trace = --verbose 或 trace
report-verbose = --verbose
report-ledger = 台账（读取、匹配、修正与丢失的记录）
report-ports = CDMA 端口

report-removed = 已移除其他转储、版本或选项的结果：{ $files }{ $more ->
    [0] {""}
   *[other] {" "}等，另有 { $more } 个
}
report-cut = trace 被裁剪为 { $all } 个事件中的 { $kept } 个（--window、--kernel）
report-light-trace = trace 中有 { $events } 个事件：超过 { $most } 个时不含地址与形状，计数器为均值；--detail full 写出全部
report-light-trace-or-part = trace 中有 { $events } 个事件：超过 { $most } 个时不含地址与形状，计数器为均值；--detail full 写出全部，--window 与 --kernel 写出一部分
report-views-left-out = { $events } 个事件：超过 { $most } 个时不写工作簿与寄存器文本；--enable_doc 写出它们

## 表格标题

report-first-of = { $title }：{ $all } 个中的前 { $shown } 个
report-table-intervals = 总时间的去向
report-table-path = 运行在等待什么（关键路径）
report-table-engines = 引擎
report-table-ddr-bandwidth = 片外存储带宽
report-table-communication = 通信（SDMA 与 CDMA）
report-table-steps = 步
report-table-steps-first = 步（{ $all } 个中的前 { $shown } 个）
report-table-operators = 主机算子，按其引起的设备时间
report-table-kernels = 核函数（{ $shown ->
    [0] {""}
   *[other] { $all } 个中的前 { $shown } 个；
}时间为各核之和{ $incomplete ->
    [0] {""}
   *[other] ；*n：缺少指令的启动，共 { $incomplete } 次，不计入均值与 p95
}{ $implausible ->
    [0] {""}
   *[other] ；implausible：运算量或字节超过该时间所允许的
}）
report-table-rooflines = Roofline（理想时间；核时间）
report-table-roofs = 单核的上限与时钟
report-cause-start = 首次工作之前
report-cause-end = 最后工作之后
report-cause-sync = 同步
report-cause-other-engine = 其他引擎
report-cause-launch = 启动
report-cause-idle = 空闲
report-slower-first-transfer = 本次运行的首次搬运
report-slower-other-core = 另一个核的搬运
report-not-known = 未知
report-table-causes = 按原因的间隙
report-table-engine-gaps = 各引擎的忙碌时间与间隙
report-table-gaps = 代价最高的间隙
report-table-launches = 核函数启动及其间隙
report-table-balance = 核间均衡
report-table-balance-incomplete = 核间均衡（不含缺少指令的启动）
report-table-slower = 慢于指令位所能解释的指令（时间为各核之和）
report-table-layers = 层（可能重叠）
report-table-blocks = 模型的模块（总计：其任一层执行的时间）
report-table-blocks-first = 模型的模块（{ $all } 个中耗时最长的 { $shown } 个；总计：其任一层执行的时间）
report-table-layers-first = 层（{ $all } 个中耗时最长的 { $shown } 个；层可能重叠）
