# 各命令在控制台上的说明。

## 写出的文件

written-file = 已写出：{ $file }
written-together = { $files }（{ $count } 个文件，{ $size }）
written-trace = { $file } - 用 https://ui.perfetto.dev 打开
written-page = { $file } - 用浏览器打开
written-workbook = { $file } - 用电子表格程序打开

## info

info-heading = { $dump }：{ $chip }，{ $kind }，{ $mode }
info-iteration = { $dump }，第 { $number } 次迭代
info-static = 静态模型
info-dynamic = 动态运行
info-descriptors = 指令为描述符
info-mode-0 = 模式 0：只有 PMU 记录
info-mode-1 = 模式 1：指令只有类型
info-mode-full = 模式 { $mode }：指令有完整的位
info-files = 核文件 { $cores } 个（芯片有 { $all_cores } 个核），CDMA 端口文件 { $ports } 个（芯片有 { $all_ports } 个端口）
info-files-and-rings = { $files }，PMU 环形缓冲为 { $size } 条记录
info-more-losses = （另有 { $count } 处丢失：见分析结果）
info-records = 记录：{ $read } 条；其中 { $shown } 条是运行的事件，{ $others } 条是前导、运行时自身的工作或已去掉的记录
info-ring = 记录最多的是 { $engine }：{ $records } 条；其环形缓冲未满。这样的运行需要 max_record_num={ $enough }（bigtpuprofile explain docs/capture.md）
info-ring-full = 记录最多的是 { $engine }：{ $records } 条；其环形缓冲已满。这样的运行需要 max_record_num={ $enough }（bigtpuprofile explain docs/capture.md）

## whatif：预测

whatif-measured = 实测：{ US($time, digits: 3) } us
whatif-predicted = 改变 { $changes } 后：{ US($after, digits: 3) } us，原为 { US($before, digits: 3) } us：{ $saved }
whatif-same = 时间不变
whatif-less = 时间减少 { FIXED($change, digits: 2) } %（加速比 { $factor }）
whatif-more = 时间增加 { FIXED($change, digits: 2) } %（为原来的 { $factor } 倍）
whatif-range = 范围：{ US($least, digits: 3) } 至 { US($most, digits: 3) } us。预测保留原因未知的空闲时间；该范围对应空闲时间随所作改变而变化的情形。
whatif-range-of-commands = 范围：{ US($least, digits: 3) } 至 { US($most, digits: 3) } us。预测保留原因未知的空闲时间；该范围对应空闲时间随所作改变而变化的情形。按另一芯片的规则计算的单条指令时间误差最多为 4 %；没有规则的指令可能保持原周期数。
whatif-likely-range = 可能的范围：{ US($least, digits: 3) } 至 { US($most, digits: 3) } us，由四种实测芯片之间十二次预测的误差得出（不用被检验的那次预测时，它含有 { $all } 次中的 { $held } 次）
whatif-kernels = 核函数（时间为各核之和）
whatif-path = 关键路径：最长的部分
whatif-sensitivity = 敏感度：某一部分更快时的预测时间
whatif-bounds = 下界：搬运不耗时则为 { US($hidden, digits: 3) } us，所有工作都不耗时则为 { US($ideal, digits: 3) } us

## whatif：预测的依据

whatif-rules = 那里单条指令的时间：{ PERCENT($exact, digits: 1) } % 精确，{ PERCENT($fitted, digits: 1) } % 拟合，{ PERCENT($estimated, digits: 1) } % 估计，{ PERCENT($unknown, digits: 1) } % 未经验证；{ PERCENT($kept, digits: 1) } % 没有完整的位，保持原时间
whatif-cache = { $size }、{ $rate } GB/s 的缓存：{ $loads } 次 DDR 读取中有 { $hits } 次由它提供（{ $load_bytes } 中的 { $hit_bytes }）；{ $constants } 个常量占 { $constant_bytes }
whatif-based-on = 依据的依赖：{ PERCENT($certain, digits: 1) } % 确定，{ PERCENT($checked, digits: 1) } % 经核对，{ PERCENT($inferred, digits: 1) } % 推断；搬运：{ $fit }；原因未知的空闲：占总时间的 { PERCENT($unexplained, digits: 1) } %
whatif-fit = 误差中位数 { PERCENT($error, digits: 1) } %
whatif-no-fit = 未拟合
whatif-commands-not-used = 未使用 cmd_id_dep：{ $why }
whatif-contradicted = { $all } 个依赖中有 { $count } 个与实测时间矛盾
whatif-unresolved = { $all } 个依赖中有 { $count } 个指向不存在的指令
whatif-no-dependences = 指令未给出依赖：依赖由时间推断
whatif-waits-unknown = 记录无法区分等待与工作：等待保持原长度，因此对更快硬件的预测偏长
whatif-one-size = 同一引擎的大多数搬运大小相同：假定其全部时间取决于带宽
whatif-unknown-direction = 没有指令的完整位时，方向未知的搬运按 DDR 搬运计

## 找到的转储

found-summary-only = { $input }：跳过 { $name }：其中只有运行时的汇总，没有 PMU 记录
found-within = { $input } 不是转储；使用其中的转储：{ $name }

## batch

batch-done = { $dumps } 个转储：已分析 { $analyzed } 个，未变 { $unchanged } 个，失败 { $failed } 个；{ $lost } 个有数据丢失
batch-indexed = 有结果的转储：{ $dumps } 个
batch-left-out = { $path }：{ $why }
batch-summary-only = 不计入：其中只有运行时的汇总，没有 PMU 记录
batch-no-head = 不计入：没有 global.profile，因此不是转储；请复制整个目录
batch-unreadable = 不计入：无法读取（{ $why }）
batch-events-removed = 已删除 { $dumps } 个转储的事件：此后转储、选项或程序有变化；用 --events 可重新写出
batch-warning = 警告：{ $text }
batch-error = 错误：{ $text }

## 多个转储

dumps-heading = { $dumps } 个转储
dumps-more = （另有 { $count } 个：见 --full）
dumps-more-in-summary = （另有 { $count } 个：见 --full 或 summary.txt）
dumps-own-files = { $directory }：每个转储的文件（{ $count } 个文件，{ $size }）
dumps-own-files-and-more = { $directory } 等 { $more } 个其他目录：每个转储的文件（{ $count } 个文件，{ $size }）
dumps-straggler = { $devices } 个设备：{ $slowest } 工作最久，{ $time } us，比平均值多 { $more }；其他设备等待它 { $lost } us
dumps-straggler-in-call = 调用 { $call }，{ $devices } 个设备：{ $slowest } 工作最久，{ $time } us，比平均值多 { $more }；其他设备等待它 { $lost } us

## costs 与 synth

costs-source = { $dump }：{ $chip }，{ $cores } 个核，{ US($time, digits: 3) } us
costs-more = （另有 { $count } 个部分：见 --json 或 -o）
synth-written = { $dump }：{ $files } 个文件，{ $bytes } 字节

## explain

explain-rule = 建议的规则
explain-term = 术语
explain-metric = 指标
explain-column = events.csv 与 events.parquet 的列
explain-field = 查询的字段或写法
explain-table = 表格的列
explain-json = JSON 结果的字段
explain-note = 关于转储的说明
explain-error = 错误
explain-answer = 结论或建议中的句子
explain-sentence = 程序输出的句子
explain-document = 文档
explain-more = 花括号中的名称因运行而异。详见：bigtpuprofile explain { $place }
explain-sections = 没有名称 { $given }。下面的章节含有这个词：
explain-several = { $name } 是 { $count } 种东西的名称：{ $kinds }。
explain-weak = 以下内容不一定是你要问的，仅供参考：
explain-rest = ……全文：bigtpuprofile explain { $place }
explain-answered = 另见：
explain-questions = 相关问题：
explain-how = `bigtpuprofile explain 名称` 给出说明；名称也可以是程序输出的一句话或其中一部分，或一个文档及其中一章：`docs/analysis.md#roofline`。

## simulate

simulate-alone = { $chip }，模拟：{ $time }
simulate-beside = { $chip }，模拟：{ $time }，实测 { $measured }（{ $error }）
simulate-warned = { $headline }；{ $warning }
simulate-accuracy = { $commands } 条 TIU 指令：{ $exact } 条精确到周期，总和误差 { $error }；{ $transfers } 次搬运：误差中位数 { $median }，p90 { $p90 }，总和误差 { $transfers_error }
simulate-nothing-measured = { $commands } 条 TIU 指令，{ $transfers } 次搬运；没有实测数据
simulate-marks = 按指令时间的占比：{ $marks }
simulate-share = { $what } { $share }
simulate-tiu-parts = TIU 周期：{ $parts }
simulate-transfer-parts = 搬运：{ $parts }
simulate-dispatch = 下发：{ $commands } 条指令逐字下发，每条 { $each } us（{ $mark }）：最多的核为 { $longest } us
simulate-not-validated = 未经验证（下界）：{ $names }
simulate-not-validated-and-more = 未经验证（下界）：{ $names } 及另外 { $more } 种
simulate-ignored = 有 { $count } 个依赖和等待指向转储中没有的指令：不计入
simulate-mark-exact = 精确
simulate-mark-fitted = 拟合
simulate-mark-estimated = 估计
simulate-mark-not-validated = 未经验证
simulate-part-start-up = 启动
simulate-part-work = 工作
simulate-part-unused-channels = 未用的通道
simulate-part-unused-positions = 未用的位置
simulate-part-line-crossings = 跨行
simulate-part-second-operand = 第二操作数
simulate-part-in-place = 原地计算
simulate-part-requantization = 重量化
simulate-part-latency = 延迟
simulate-part-bus = 总线
simulate-part-incomplete-bus-lines = 不完整的总线行
simulate-part-short-pieces = 短段
simulate-part-first-transfer = 首次搬运

batch-loop = 文件系统有环：{ $path } 指向上级目录 { $to }
costs-no-scope = { $path }：运行的 { PERCENT($share, digits: 1) } % 不匹配任何 --scope 规则；它们归入 `rest`
costs-warmup = { $name } 最多运行了 { $times } 次，不计入
costs-no-energy = --hw 的机器没有能量数据，因此能量未知
costs-note = { $dump }：{ $note }
open-address = { $what }地址：{ $address }
open-trace = trace 
open-page = 页面
open-no-browser = 这里无法启动浏览器：请手动打开该地址。
open-ends = 浏览器取得内容后结束，或按 Ctrl-C 结束。

dumps-line = 时间线：{ $note }
dumps-line-anchors = 每个转储依据主机的 tpudnn 事件和自身的 tail_offset_ns 与主机对齐：不同设备上的时刻可以比较，精度取决于它们
dumps-line-no-tail = { $note }；其中 { $dumps } 个没有 tail_offset_ns，从主机第一个 tpudnn 事件结束时开始
dumps-line-calls = 同一次调用（按名称）的转储同时开始，因为没有其他依据可对齐：时长可以比较，不同设备上的时刻不能比较
dumps-line-calls-in-turn = { $note }；每次调用在前一次调用最长的转储结束时开始：调用之间的时间未知
dumps-line-in-turn = 各转储依次排列，因为没有依据可对齐：时长可以比较，时刻不能比较；转储之间的时间未知
dumps-line-host = { $note }；{ $host }
dumps-line-host-start = 按要求，第一个转储从主机的第一个事件开始：主机与设备没有对齐
dumps-line-host-calls = 主机的 tpudnn 事件没有说明属于设备多次调用中的哪一次，因此第一个转储从主机的第一个事件开始：主机与设备没有对齐；请每次分析一次调用以便对齐
dumps-line-host-nothing = 主机 trace 没有说明设备何时运行的 tpudnn 事件，因此第一个转储从主机的第一个事件开始：主机与设备没有对齐
dumps-line-others = { $note }；其余的：{ $others }
dumps-line-links = 由 { $links } 条链路连接的设备依据其发送与接收处于统一时钟：标准误差最多 { $sigma } ns，转储末尾因时钟漂移最多再加 { $drift } ns（{ $page } 已计入）；该方法尚未在硬件上验证
dumps-line-islands = { $note }；有 { $islands } 组设备之间没有链路，它们同时开始

costs-table = 执行一次的耗时（引擎时间对各核求和）
