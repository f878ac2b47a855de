# 两次运行的总时间为何不同。

## 控制台和 diff.md 中的其他句子

diff-verdict = 结论：{ $verdict }
diff-verdict-of = 结论：{ $unit }：{ $verdict }
diff-nothing = 没有可以对比的数据
diff-largest-causes = { $all } 个原因中最大的 { $some } 个：
diff-causes = 原因：
diff-before = 之前：{ $runs }
diff-after = 之后：{ $runs }
diff-units = { $units } 个设备与调用，各与自身对比：之前 { $before } 次运行，之后 { $after } 次
diff-units-of-workloads = { $units } 个工作负载、设备与调用，各与自身对比：之前 { $before } 次运行，之后 { $after } 次
diff-noise-unknown = 噪声未知（每侧不足三次运行）：直接比较数值
diff-one-occasion = 区间只适用于同一场合的运行；否则请使用 --pairs 或多个场合的运行
diff-least-change = 总时间的变化小于 { PERCENT($least, digits: 1) }% 时，无法与漂移区分
diff-more-rows = 另有 { $count } 行：--full
diff-more-lines = 关于对比对象另有 { $count } 行：--full

## 运行时间的变化

cause-unrelated = 两侧运行只有 { PERCENT($share) } % 的时间在相同的核函数或层上：不是同一个程序，其时间既不能说明哪个更快，也不能说明改变了什么。
cause-times = 之前 { $before } us，之后 { $after } us。
cause-same-time = 运行时间不变：{ $time } us。
cause-change = { $after } us，之前为 { $before } us（{ SIGNED($change) } us，{ SIGNED($percent, digits: 2) } %）。
cause-change-from-none = { $after } us，之前为 { $before } us（{ SIGNED($change) } us）。
cause-noise = { $after } us，之前为 { $before } us（{ SIGNED($change) } us，{ SIGNED($percent, digits: 2) } %）：不超过噪声。
cause-noise-from-none = { $after } us，之前为 { $before } us（{ SIGNED($change) } us）：不超过噪声。
cause-greatest = { $cause }。
cause-greatest-with-remedy = { $cause }。{ $remedy }。
cause-with-part = { $cause }：{ SIGNED($wall) } us 中的 { SIGNED($part) } us
cause-alone = { $cause }：{ SIGNED($part) } us

## 谁的工作变了，如何变化

cause-sentence = { $who }{ $what }{ $owners }{ $part_of_engine }
cause-owner = { $owner }{" "}
cause-outside = 核函数之外的工作
cause-each-core = 各核
cause-core = 核 { $core }{" "}
cause-port = 端口 { $port }{" "}
cause-core-owner = 核 { $core } 的 { $owner }{" "}
cause-port-owner = 端口 { $port } 的 { $owner }{" "}
cause-each-of-cores = 核 { $cores } 各自
cause-each-of-ports = 端口 { $ports } 各自
cause-owner-on-cores = 核 { $cores } 上的 { $owner }{" "}
cause-owner-on-ports = 端口 { $ports } 上的 { $owner }{" "}
cause-same-commands = 执行相同指令的耗时是之前的 { $ratio } 倍
cause-same-bytes = 搬运相同字节的耗时是之前的 { $ratio } 倍
cause-same-operations = 完成相同运算的耗时是之前的 { $ratio } 倍
cause-more-transfers = 搬运其字节的指令数是之前的 { $ratio } 倍
cause-more-commands = 指令数是之前的 { $ratio } 倍
cause-more-bytes = 搬运的字节是之前的 { $ratio } 倍
cause-more-operations = 运算量是之前的 { $ratio } 倍
cause-more-padding = 每次运算补齐后是之前的 { $ratio } 倍
cause-transfer-rate = 搬运速率是之前的 { $ratio } 倍
cause-compute-rate = 计算速率是之前的 { $ratio } 倍
cause-more-launches = 启动次数是之前的 { $ratio } 倍
cause-launched-more = 的启动次数是之前的 { $ratio } 倍
cause-works-after = 只在之后一方有工作
cause-works-before = 只在之前一方有工作
cause-other-cores = 相同工作分给 { $after } 个核，之前为 { $before } 个{ $owners }
cause-other-commands = 执行了另一方没有的指令
cause-longer = 在关键路径上变长
cause-shorter = 在关键路径上变短
cause-everywhere = {""}
cause-in-kernels = （{ $all } 个核函数中的 { $some } 个）
cause-in-layers = （{ $all } 个层中的 { $some } 个）
cause-in-owner = （{ $owner } 中）
cause-on-core = （核 { $core }）
cause-of-engine = （{ $reason }）

## 只在一方出现的核函数与层

cause-renamed = { $old } 现名为 { $new }：工作相同
cause-split = { $old } 拆分为 { $new }
cause-fused = { $old } 融合为 { $new }
cause-new = { $owner } 是新增的
cause-gone = { $owner } 已不存在
cause-several-new = { $all } 个{ $kinds }中有 { $some } 个是新增的，其中最多的是 { $owner }
cause-several-gone = { $all } 个{ $kinds }中有 { $some } 个已不存在，其中最多的是 { $owner }
cause-outside-new = 核函数之外的工作是新增的
cause-outside-gone = 核函数之外的工作已不存在
cause-kernels = 核函数
cause-layers = 层

## 重叠与停顿

cause-less-overlap = { $work }并行的部分变少，运行为此等待得更久{ $owners }
cause-more-overlap = { $work }并行的部分变多，运行为此等待得更短{ $owners }
cause-work-of = { $owner } 的工作
cause-same-work = 相同工作
cause-longer-pause = { $pause }的时间变长{ $owners }{ $place }
cause-shorter-pause = { $pause }的时间变短{ $owners }{ $place }
cause-pause-launches = 两次启动之间
cause-pause-commands = 指令之间
cause-pause-hand-overs = 引擎之间的交接
cause-pause-messages = 等待消息
cause-pause-system = 系统指令
cause-pause-start = 第一条指令之前
cause-pause-unknown = 原因不明的空闲

## 关键路径上的内容

cause-reason-compute = 计算
cause-reason-ddr = DDR 搬运
cause-reason-l2m = L2M 搬运
cause-reason-link = 链路搬运
cause-reason-local = 本地搬运
cause-reason-system = 系统指令
cause-reason-wait = 等待
cause-reason-hand-over = 交接
cause-reason-command-gap = 指令间隙
cause-reason-launch-gap = 启动间隙
cause-reason-start = 开始
cause-reason-unexplained = 原因不明的空闲

## 查看什么

cause-remedy-core = 请检查其时钟与内存通道
cause-remedy-memory = 请检查时钟、数据所在位置以及内存的其他使用者
cause-remedy-clock = 请检查 TIU 的时钟
cause-remedy-commands = 请使用更少、更大的指令
cause-remedy-bytes = 请将数据留在芯片上，或使用更小的数据类型
cause-remedy-operations = 请查明是什么增加了运算
cause-remedy-padding = 请使用填满阵列的形状
cause-remedy-rate = 请比较其指令的大小、步长与对齐
cause-remedy-overlap = 请让搬运与计算重叠
cause-remedy-launch-count = 请比较启动次数相同的运行，或比较一次启动的时间
cause-remedy-core-count = 请查明有工作的核数为何不同
cause-remedy-launches = 请提前启动，或合并核函数
cause-remedy-sync = 请减少同步
cause-remedy-pause = 请查看运行在该处等待什么

diff-limits-failed = { $all } 个限值中的 { $failed } 个：{ $first }
diff-only-before = { $unit } 只有修改前的运行
diff-only-after = { $unit } 只有修改后的运行
diff-title = TPU 性能：两侧运行的对比
diff-cell-interval = { $low } 至 { $high }
diff-cell-noise-unknown = 未知
diff-cell-noise = 噪声
diff-cell-changed = 有变化
diff-cell-new = 新增
diff-cell-gone = 消失
diff-limit-failed = 未通过
diff-limit-skipped = 未检查
diff-limit-ok = 通过
diff-limit-about = { $limit }：{ $text }
diff-limit-holds = { $limit }（{ $rows }）
diff-limit-rows = { $rows } 行
diff-limit-rows-gone = { $rows }，已消失：{ $gone }
diff-limit-no-baseline = 没有可比较的基线
diff-limit-no-number = 一侧的报告没有该数值
diff-limit-unmatched = 没有匹配项：没有一行具有该名称和该指标
diff-limit-gone = { $names } 已消失：没有可检查的内容；请改正限值，或给出 --allow-missing
diff-limit-loss = { $title }：{ $metric } 在新的一侧的一次运行中为 { $value }（超出 { $limit } 的量：{ $by }）
diff-limit-went = { $title }：{ $metric } 由 { $before } 变为 { $after }{ $unit }（{ $beyond }）
diff-limit-new = 新出现
diff-limit-was-zero = 原来为 0
diff-limit-relative = { $change }%，超出 { $limit }% 的量：{ $points } 个百分点
diff-limit-beyond = 超出 { $limit }{ $unit } 的量：{ $by }
diff-limit-interval = { $beyond }；{ $confidence }% 区间 { $low } 至 { $high }
diff-more-limits-ok = 另有 { $more } 个限值通过：--full
diff-more-limits-failed = 另有 { $more } 个限值未通过或未检查：--full
diff-failed = 未通过：{ $text }

diff-table-total = 整次运行
diff-table-losses = 丢失
diff-table-steady-steps = 步（所有稳定的步）
diff-table-path = 关键路径（有变化的部分；全部之和为总时间）
diff-table-steps = 步（各步的时间）
diff-table-cores = 核（有引擎工作的时间）
diff-table-engines = 引擎（忙碌时间）
diff-table-kernels = 核函数（所有启动的时间）
diff-table-opcodes = 操作码（所有指令的时间）
diff-table-types = 数据类型（所有指令的时间）
diff-table-shapes = 形状（所有指令的时间）
diff-table-directions = 方向（所有搬运的时间）
diff-table-workloads = 工作负载、设备与调用
diff-table-devices = 设备与调用
diff-table-units = { $title }（总时间）
diff-table-units-ranked = { $title }（总时间；增长最多的在前）
diff-table-phases = 时间用在何处
diff-table-first = { $title }：共 { $all } 项中的前 { $most } 项
diff-table-groups = 哪些运行互为重复

## 使数值难以比较的情况

diff-runs-differ = 各次运行的{ $what }不同：{ $values }
diff-differ-chip = 芯片
diff-differ-cores = 核数
diff-differ-clock = TIU 时钟
diff-differ-version = 报告版本
diff-differ-steps = 步的来源
diff-no-steps = 没有步
diff-steps-repeat = 核函数的重复
diff-steps-by-kernel = 核函数的名称
diff-steps-by-host = 主机的标记
diff-data-lost = { $run }：有数据丢失，见其台账
diff-not-compared = { $unit }：不作比较
diff-no-report = { $path }：略过：它不是运行的报告
diff-programs-differ = { $unit }：各次运行不是同一个程序，因此分别比较：{ $programs }
diff-few-pairs = { $pairs } 对运行：少于 { $least } 对时噪声未知
diff-occasions = 之前有 { $before } 个场合，之后有 { $after } 个：它们相差 { $spread }%（标准差），已计入区间
diff-each-run-longer = 每次运行比上一次长 { $change }%
diff-each-run-shorter = 每次运行比上一次短 { $change }%
diff-drift-pairs = 漂移：{ $each }；成对比较不受其影响
diff-drift-occasions = 漂移：{ $each }；请先让设备预热，或交替运行两侧（--pairs）
diff-drift-ranks = 漂移：{ $each }，因此小于 { $least }% 的变化无法与它区分；请交替运行两侧（--pairs）
diff-two-modes-before = 两种模式：之前的 { $runs } 次运行中有 { $some } 次约为 { $slow } us，其余约为 { $fast } us
diff-two-modes-after = 两种模式：之后的 { $runs } 次运行中有 { $some } 次约为 { $slow } us，其余约为 { $fast } us
