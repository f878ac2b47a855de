# 一次运行的结论、建议及其依据，以及两者提到的位置。

## 结论

verdict-without = 若无此问题，该运行需 { US($without) } us，而不是 { US($wall) } us（缩短 { FIXED($shorter) } %）。
verdict-without-at-least = 若无此问题，该运行至少需 { US($without) } us，而不是 { US($wall) } us（缩短 { FIXED($shorter) } %）。
verdict-without-range = 若无此问题，该运行需 { US($least) } 至 { US($most) } us，而不是 { US($wall) } us（缩短 { FIXED($least_shorter) } 至 { FIXED($most_shorter) } %）。
verdict-not-replayed = 没有规则发现突出的原因；该运行无法重放，因此不知其受什么限制。
verdict-no-commands = 该运行没有指令。
verdict-no-cause = 没有规则发现确定占运行时间 { PERCENT($least) } % 以上的问题。
verdict-bound = 关键路径的 { PERCENT($share) }% 是{ $reason }：{ $remedy }。
verdict-more-at-most = 可能还有更多：{ $headline }（至多 { US($gain) } us，{ PERCENT($share, digits: 1) } %；仅为上界）。
verdict-more-about = 可能还有更多：{ $headline }（约 { US($gain) } us，{ PERCENT($share, digits: 1) } %；估计值）。
verdict-without-about = 若无此问题，该运行约需 { US($without) } us，而不是 { US($wall) } us（约缩短 { FIXED($shorter) } %，估计值）。
verdict-known = 可确定的收益：{ $headline }（{ US($gain) } us，{ PERCENT($share, digits: 1) } %）。
verdict-without-bound-of-gain = 若无此问题，该运行至少需 { US($without) } us，而不是 { US($wall) } us（至多缩短 { FIXED($shorter) } %，仅为上界）。
verdict-without-bound = 若其不耗时，该运行将为 { US($without) } us，而不是 { US($wall) } us（缩短 { FIXED($shorter) } %）。
verdict-without-bound-next = 若其不耗时，该运行将为 { US($without) } us，而不是 { US($wall) } us（缩短 { FIXED($shorter) } %），其后的瓶颈是{ $next }。
verdict-layer = 关键路径大部分在{ $layer }：{ PERCENT($share) }%。
verdict-layer-largest = 关键路径上最多的是{ $layer }：{ PERCENT($share) }%。

## 限制运行的因素及缩短的办法

bound-compute = 计算（TIU）
bound-ddr = 与 DDR 之间的搬运
bound-l2m = 与 L2M 之间的搬运
bound-link = 芯片间链路的搬运
bound-local = 本地内存内的搬运
bound-system = 系统指令的执行
bound-wait = 等待消息
bound-hand-over = 引擎之间的交接
bound-command-gap = 指令之间的停顿
bound-launch-gap = 两次启动之间的时间
bound-start = 第一条指令之前的时间
bound-unexplained = 原因不明的空闲
bound-remedy-compute = 请使用速率更高的数据类型、填满阵列的形状，或更多的核
bound-remedy-ddr = 请减少搬运字节（让数据留在本地内存或 L2M，使用更小的数据类型）
bound-remedy-l2m = 请减少经过 L2M 的字节
bound-remedy-link = 请减少发送字节，或在 TIU 计算时发送
bound-remedy-local = 请选择无需在本地内存内拷贝的布局
bound-remedy-sync = 请减少同步
bound-remedy-commands = 请使用更少、更大的指令
bound-remedy-launches = 请提前启动，或合并核函数
bound-remedy-host = 请查明此时主机在做什么（--trace_file）

## 表格中核函数的瓶颈

bound-is-compute = 计算
bound-is-ddr = DDR
bound-is-l2m = L2M
bound-is-serialized = 串行（serialized）
bound-is-tiu-efficiency = TIU 效率低（TIU efficiency）
bound-is-dma-efficiency = DMA 效率低（DMA efficiency）
bound-is-latency = 延迟（latency）
bound-is-sync = 同步（sync）
bound-is-implausible = 不可信（implausible）
bound-is-unknown = 未知

## 标题：简短说明是谁、在哪里

headline-round-trips = { $results } 个结果写出后又读回
headline-idle-cores = { $all } 个核中有 { $idle } 个未使用（{ $which }）
headline-dense-depthwise = 有 { $convolutions } 个卷积可能是 depthwise
headline-input-channels = 有卷积只有 { $channels } 个输入通道
headline-unaligned-shapes = 形状填不满 TIU 的一半
headline-unknown-shapes = { $rows } 串相似的 TIU 指令，每串或可合并为一条
headline-small-transfers = { $place }：{ $transfers } 次搬运，每次仅 { BINARY($size) }
headline-ddr-reuse = { BYTES($bytes) } 数据从 DDR 加载了 { FIXED($times, digits: 0) } 次
headline-shared-loads = { $cores } 个核从 DDR 加载相同的 { BYTES($bytes) }
headline-double-buffer = 没有双缓冲
headline-double-buffer-most = 没有双缓冲，尤其是 { $kernel }
headline-slow-link = 端口 { $port } 只有 { $rate } GB/s
headline-slow-transfers = { $place }：搬运耗时是别处的 { FIXED($times) } 倍
headline-slow-transfers-and-compute = { $place }：搬运耗时是别处的 { FIXED($times) } 倍，计算是 { FIXED($compute) } 倍
headline-serialized = 计算与搬运没有重叠（{ PERCENT($share) } %）
headline-bank-conflicts = TIU 因 bank 冲突损失 { PERCENT($share) } % 的周期
headline-in-place = { $commands } 条指令把结果写入操作数所在的 bank
headline-short-pieces = { $transfers } 次搬运由碎片组成（每段 { BINARY($bytes) }）
headline-slow-cores = 核 { $cores } 的耗时是其他核的 { $times } 倍
headline-slow-cores-with-more-work = 核 { $cores } 的耗时是其他核的 { $times } 倍，工作量也更多
headline-straggler = 核 { $core } 在 { $rounds } 轮中有 { $disturbed } 轮变慢，最多 { $factor } 倍
headline-stragglers = { $rounds } 轮中有 { $disturbed } 轮各有一个核变慢，不总是同一个（{ $which }），最多 { $factor } 倍
headline-stragglers-always = 每一轮都有一个核变慢，不总是同一个（{ $which }），最多为平时的 { $factor } 倍
headline-uneven-work = 核 { $most } 的工作时间是核 { $least } 的 { FIXED($times) } 倍
headline-uneven-in-turn = 每一轮都有一个核的工作时间比其他核长，不总是同一个（{ $which }）
headline-turns = 各核轮流工作，而不是同时工作（{ $which }）
headline-launch-gap = 启动间隙，主要是 { $after } 之前的一处 { US($time) } us
headline-launch-gaps = { $gaps } 个启动间隙，芯片共空闲 { US($time) } us
headline-launch-gaps-longest = { $gaps } 个启动间隙，芯片共空闲 { US($time) } us，其中 { US($longest) } us 在 { $after } 之前
headline-chip-stall = 全部核从 { US($at) } us 起停顿 { US($time) } us
headline-stall = 核 { $core }{ $kernel }停顿 { US($time) } us
headline-stalls = 核 { $core } 反复停顿，共 { US($time) } us
headline-late-core = 核 { $core } 在 { $barriers } 个屏障中有 { $late } 个最后到达
headline-sync-waits = 核 { $core } 等待其他引擎或核 { US($time) } us
headline-profile-mode = 大多数指令只知道类型
headline-bound = 受限于{ $reason }：占关键路径的 { PERCENT($share) }%

## 建议

advice-most-in = 其中大部分在{ $place }：{ PERCENT($share) }%。
advice-largest-in = 其中最多的在{ $place }：{ PERCENT($share) }%。
advice-spread-over-kernels = 分散在 { $places } 个核函数中。
advice-spread-over-layers = 分散在 { $places } 个层中。
advice-costs = 代价为 { US($least) } 至 { US($most) } us：{ $why }。
advice-serialized-too = 按现有指令，计算与搬运几乎不重叠。
advice-same-time-all = 这段时间也属于上面的“{ $greatest }”：消除后者之后，此项不再有收益。
advice-same-time = 其中大部分也属于上面的“{ $greatest }”：消除后者之后，此项还可节省 { US($left) } us。
advice-costs-at-least = 代价至少为 { US($least) } us；上界为 { US($most) } us：{ $why }。
advice-sync-waits-too = 其他核在等待它。
advice-bank-conflicts-too = PMU 统计的 bank 冲突就是这些。
advice-small-transfers-too = 这些搬运的字节数也过少。

advice-unaligned-shapes = 有 { $kinds } 类 TIU 指令只填满了不到一半的阵列：请选择合适的切分，使通道填满所有 lane、行填满向量。
advice-unaligned-lanes = 损失最多的一类中，{ $lanes } 个 lane 里只有 { FIXED($working, digits: 0) } 个在工作。
advice-unknown-shapes = 记录中看不出 TIU 指令的形状：有 { $commands } 条指令组成 { $rows } 串相似的连续指令（最长 { $longest } 条），其间没有新操作数到达。若每条只填满阵列的一小部分，一条指令就能完成一串的工作。这只是上界：完整的指令位（模式 2）能显示形状。
advice-unaligned-bound = 这只是上界：要用上更多 lane，需要张量的另一种映射（行放入 lane），能达到多少尚不清楚。
advice-input-channels = 有卷积只有 { $channels } 个输入通道，而矩阵单元一次可处理 { $at_once } 个：请把卷积核的行并入输入通道（{ $then } 而非 { $now }）；计入更大的输入加载后为 { US($short) } us，而不是 { US($long) } us。

advice-round-trips = 有 { $results } 个结果被写出本地内存，随后又由同一核读回：{ $transfers } 次搬运，共 { BYTES($bytes) }，耗时 { US($time) } us。请将其保留在本地内存中。
advice-round-trips-fits = 可以放下：加上它们，每个 lane 的 { BINARY($all) } 同时最多占用 { BINARY($used) }。
advice-round-trips-bound = 这只是上界：其中大部分与 lane 的 { BINARY($all) } 中已有的数据放不下；更小的块，或逐块执行多层，可以腾出空间。
advice-round-trips-rest = 另有 { $results } 个放不下（{ US($time) } us）。
advice-idle-cores = { $all } 个核中有 { $idle } 个没有工作：请将各层的行、通道或批次分给所有核。
advice-idle-cores-unseen = 转储中没有其中 { $cores } 个核的文件：如果它们运行过，请一并拷贝。
advice-idle-cores-bound = 这是估计值：假定每条指令都能均匀切分；DDR 由所有核共享，其搬运时间为现在的 { PERCENT($share) } %。
advice-dense-depthwise = 有 { $convolutions } 个卷积把所有通道相乘，但其后紧跟混合通道的 1x1 卷积，且该运行含有相同卷积核大小的 depthwise 指令。用 depthwise 指令，其中 { $shape } 的一个为 { US($short) } us，而不是 { US($long) } us。
advice-dense-depthwise-bound = 这只是上界：指令看不出卷积核是否混合通道；请查看模型中这些层的 group。

advice-small-transfers = 有 { $transfers } 次小于 8 KiB 的搬运（平均 { BINARY($size) }）耗时是其字节数所需时间的 { FIXED($times, digits: 0) } 倍：请合并相邻搬运，或用一条带步长的指令搬运张量的多行。

advice-ddr-reuse = { $places } 个地址上的共 { BYTES($bytes) } 平均从 DDR 加载了 { FIXED($times, digits: 0) } 次，比所需多 { BYTES($again) }：请只加载一次到 L2M；{ $room }。
advice-ddr-reuse-fits = 可放入 { BINARY($size) } 的 L2M
advice-ddr-reuse-unknown = 请确认能否放入 L2M（芯片信息中没有其大小，可用 --hw 指定）

advice-shared-loads = { $cores } 个核各自从 DDR 加载相同的 { BYTES($bytes) }（{ $places } 处，运行中没有指令写过它们，例如权重）：耗时最长的核用了 { US($time) } us。
advice-shared-loads-l2m = 请提前（由 SDMA）将其一次性复制到 L2M，各核都从 L2M 读取。
advice-shared-loads-split = 未知该芯片有 DDR 以外由各核共享且足够大的内存：请按输出通道而不是按行切分到各核，使每个核只需自己那部分权重。这只是上界：没有计入每个核因此需要多加载的数据。
advice-shared-loads-beside = 多个核加载相同的 { BYTES($bytes) }，例如权重（一个核上耗时 { US($time) } us）：若按输出通道切分，每个核只需加载自己那部分。

advice-double-buffer = 请使用双缓冲：每次加载都等上一块计算并存储完才开始，尽管并不需要其结果，因此加载期间 TIU 空闲。请在当前块的存储之前发出下一块的加载，放入第二个缓冲区。
advice-double-buffer-most = 请使用双缓冲：每次加载都等上一块计算并存储完才开始，尽管并不需要其结果，因此加载期间 TIU 空闲。请在当前块的存储之前发出下一块的加载，放入第二个缓冲区。{ $kernel } 收益最大（占其时间的 { PERCENT($share) } %）。
advice-double-buffer-there = 缓冲区已经存在，只需改变指令顺序。
advice-double-buffer-fits = 每个 lane 需多用 { BINARY($needed) }。运行用到的地址最高到 { BINARY($used) }（共 { BINARY($all) }）：其上可以放下。
advice-double-buffer-too-large = 每个 lane 需多用 { BINARY($needed) }。运行用到的地址最高到 { BINARY($used) }（共 { BINARY($all) }）：除非使用更小的块，否则其上放不下。这只是上界：更小的块需要多少时间未知。

advice-slow-link = 端口 { $port } 的速率为 { $rate } GB/s，其他端口在相同大小的搬运中为 { $usual } GB/s：请检查该链路、lane、线缆以及对端设备。

advice-slow-transfers = { $place } 的搬运耗时是{ $others }相同大小与方向搬运的 { FIXED($times) } 倍（{ $rate } 而非 { $usual } GB/s）：请检查步长、地址对齐以及所在的内存。
advice-slow-transfers-and-compute = { $place } 的搬运耗时是{ $others }相同大小与方向搬运的 { FIXED($times) } 倍（{ $rate } 而非 { $usual } GB/s），其 TIU 指令耗时是同类型同大小指令的 { FIXED($compute) } 倍：该处所有引擎都变慢，请检查时钟以及此时还有什么在运行。

advice-serialized = 加载、计算、存储没有重叠：请使用双缓冲，在计算当前块的同时加载下一块、存储上一块。

advice-bank-conflicts = 操作数位于本地内存的同一 bank，TIU 因此损失周期：请将操作数与结果放在不同的 bank。

advice-in-place = `{ $opcode }` 原地计算：{ $cycles } 周期，若结果在另一个 bank 约为 { $elsewhere }。{ $commands } 条指令在本地内存的同一 bank 读写，每次需两个周期：请将结果放到另一个 bank。

advice-short-pieces = { $pieces } 段、每段 { BINARY($bytes) }（{ $direction }）：{ US($time) } us 中有 { US($lost) } us 是每段的固定耗时。共有 { $transfers } 次这样的搬运：请使搬运内容连续，或整行搬运后在本地内存中选取。

advice-slow-cores = 核 { $cores } 执行相同指令的耗时是其他核的 { $times } 倍{ $kernels ->
    [0] {""}
   *[other] （{ $kernels } 个核函数中的 { $slow_kernels } 个）
}：请检查其时钟与内存通道。
advice-slow-cores-with-more-work = 核 { $cores } 的耗时是其他核的 { $times } 倍{ $kernels ->
    [0] {""}
   *[other] （{ $kernels } 个核函数中的 { $slow_kernels } 个）
}，其字节数或运算量也更多：请均分工作量。
advice-times = { $factor }
advice-times-range = { $least } 至 { $most }
advice-straggler = 核 { $core } 有时执行相同指令的耗时最多达 { $factor } 倍，{ $rounds } 轮中有 { $disturbed } 轮：请查明这些轮次中的干扰，例如其内存通道的其他使用者。
advice-stragglers = { $rounds } 轮中有 { $disturbed } 轮，某个核（不总是同一个）执行相同指令的耗时最多达平时的 { $factor } 倍：请查找在各核之间游走的干扰，例如内存通道的其他使用者。
advice-stragglers-always = { $rounds } 轮中每一轮都有某个核（不总是同一个）执行相同指令的耗时最多达平时的 { $factor } 倍：请查找在各核之间游走的干扰，例如内存通道的其他使用者。
advice-uneven-work = { $place }，核 { $most } 的工作时间比其他核长：它工作 { US($most_time) } us，核 { $least } 工作 { US($least_time) } us（{ FIXED($percent, digits: 0) } %）{ $remedy }
advice-uneven-work-split = ；请均分工作量。
advice-uneven-work-same = ，但两者搬运的字节数和运算量相近；请对比两者的指令：核 { $most } 的指令更慢，或更小更多。
advice-uneven-in-turn = { $place }，每次由不同的一个核执行 { PERCENT($share) } % 的工作（均分为 { PERCENT($even) } %），其他核等待或空闲：请均分每一轮的工作。
advice-turns = { $place }，每次由不同的一个核执行 { PERCENT($share) } % 的工作，其他核等待或空闲。整个运行中各核的工作时间相同：请将每一轮的工作分给所有核；若各轮不需要彼此的结果，也可让不同核的轮次同时进行。
advice-in-the-run = 整个运行中
advice-in-stretches = 屏障之间的 { $stretches } 段中
advice-in-rounds = { $kernels } 个核函数的 { $rounds } 轮中

advice-launch-overhead = 核函数启动之间的 { $gaps } 个间隙中，芯片共空闲 { US($time) } us：请提前启动，或合并小的核函数。
advice-launch-gap-longest = 其中一处最突出：从 { $before } 到 { $after } 的间隙最长，为 { US($longest) } us（中位数 { US($median) } us）：请查看主机此时在做什么（--trace_file）。
advice-launch-gap = { $before } 与 { $after } 之间芯片空闲 { US($time) } us，占 { $gaps } 个启动间隙总时间的 { PERCENT($share) } %（中位数 { US($median) } us）。请查看主机此时在做什么（--trace_file）；合并核函数没有帮助。

advice-stall = 核 { $core }{ $kernel }从 { US($at) } us 起有 { US($time) } us 没有执行任何指令，而其他核在等待或同样空闲：请查明其下一条指令在等待什么。
advice-chip-stall = 从 { US($at) } us 起有 { US($time) } us 没有核执行任何指令：请查看主机此时在做什么（--trace_file）。
advice-stall-kernel = {" "}在 { $kernel } 中
advice-stall-no-kernel = {" "}
advice-stall-inside-launches = 核 { $core } 在启动之内空闲，而其他核在等待或同样空闲：请查明其下一条指令在等待什么。
advice-stall-between-commands = 核 { $core } 在指令之间空闲，而其他核在等待或同样空闲：请查明其下一条指令在等待什么。

advice-late-core = 核 { $core } 在 { $barriers } 个屏障中有 { $late } 个最后到达，其他核都在等待它：请检查它在这些屏障之前的工作，均衡负载或减少同步。
advice-sync-waits = 核 { $core } 在等待其他引擎或核：请检查它们在此期间的工作，均衡负载或减少同步。
advice-sync-waits-left-out = 核 { $core } 在等待其他引擎或核，而有的核未纳入分析：这些等待由什么结束并不清楚。请分析所有核。
advice-sync-waits-one-core = 核 { $core } 在等待自身的其他引擎：请检查它们在此期间的工作，均衡负载或减少同步。

advice-profile-mode = 大多数指令只知道类型：运算量、uArch 利用率、形状以及某些芯片上的方向缺失或不精确。请用 profile 模式 2 采集以获得精确数值（bigtpuprofile explain docs/capture.md）。

## 为何收益只有上下限

doubt-no-sync-pair = 没有同步对把端口的时钟与核的时钟对应起来，因此端口的时刻不精确
doubt-port-waiters = 等待端口的指令大多未知
doubt-port-not-placed = 没有任何依据能将该端口的时间与各核的时间对应，因此不知道什么在等待它
doubt-dependences = 没有完整的指令位，不知道哪些指令需要彼此的结果
doubt-bytes = 没有完整的指令位，不知道各读写了多少字节
doubt-others-may-be-slow = 其中部分指令在别处没有可比较的，也可能变慢
doubt-operations = 此采集模式下不知道其 TIU 指令的运算量，这些指令也可能变慢
doubt-division = 这里假定指令仍等待它们现在所等待的内容，重新划分工作后等待可能更少
doubt-surplus = 没有完整的指令位，无法判断最忙的核所做的工作是否都必要
doubt-waits-look-like-work = 此采集模式下等待的记录与工作的记录看起来相同

## 依据：数值的含义

evidence-uarch-rate = uArch 利用率
evidence-tiu-time = TIU 时间
evidence-lanes = 工作的 lane 数
evidence-results-kept = 写出后又读回的结果
evidence-bytes-moved = 其搬运的字节数
evidence-too-large = 放不下的往返搬运时间
evidence-idle-cores = 没有工作的核
evidence-dense = 可能是 depthwise 的卷积
evidence-few-channels = 输入通道过少的卷积
evidence-longest-tiu = 其中最长的 TIU 时间
evidence-tiu-by-rules = 按代价规则的 TIU 时间
evidence-transfers = 搬运次数
evidence-mean-size = 平均大小
evidence-their-time = 其时间
evidence-slowest-small = 损失最多的一次的时间
evidence-achieved = 实际带宽
evidence-bytes-loaded = 加载字节
evidence-bytes-again = 其中重复读取
evidence-places-again = 重复读取的位置
evidence-rows = 相似指令串的数目
evidence-longest-row = 最长一串的指令数
evidence-shared-places = 多个核都加载的位置
evidence-shared-bytes = 这些位置的字节数
evidence-size-of-data = 数据大小
evidence-time-again = 所有核重复读取的时间之和
evidence-compute = 计算
evidence-transfer = 搬运
evidence-both = 同时进行
evidence-overlap-ratio = 重叠率
evidence-free-overlap = 某引擎空闲而其下一条指令可以开始
evidence-serial-cores = 重叠很少的核
evidence-cycles-lost = 损失的周期
evidence-share-of-cycles = 占 TIU 周期
evidence-commands-with-conflicts = 有冲突的指令
evidence-most-in-one = 单条指令最多
evidence-slowest-core = 最慢核的工作量
evidence-disturbed-rounds = 有慢核的轮次
evidence-mean-of-cores = 各核平均
evidence-lost-to-slowest = 等最慢核的损失，各轮合计
evidence-uneven-work = 不均匀轮次中的工作时间
evidence-share-of-one = 单个核的工作占比
evidence-launch-gaps = 启动间隙数
evidence-core-without-command = 其中该核无任何指令
evidence-chip-idle = 其中芯片空闲
evidence-median-length = 长度中位数
evidence-longest-gap = 最长的间隙
evidence-next-gap = 其次的间隙
evidence-idle-inside-launches = 启动之内该核与芯片均空闲
evidence-idle-between-commands = 指令之间该核与芯片均空闲
evidence-longest-stall = 最长的停顿
evidence-next-stall = 其次的停顿
evidence-system-only = 只有等待与系统指令
evidence-wait-in-bubbles = 最长间隙中的等待时间
evidence-barriers-last = 最后到达的屏障
evidence-mean-skew = 屏障的平均偏差
evidence-rate = 速率
evidence-rate-of-ports = 其他端口速率的中位数
evidence-time-of-transfers = 其搬运时间
evidence-slow-ports = 过慢的端口
evidence-their-rate = 其速率
evidence-rate-of-kernels = 其他核函数相同大小的速率
evidence-rate-of-stretches = 其他各段相同大小的速率
evidence-time-over-cores = 所有核的搬运时间之和
evidence-tiu-time-over-cores = 所有核的 TIU 指令时间之和
evidence-time-to-hide = 可被计算隐藏的时间
evidence-waits-for-result = 等待结果的指令
evidence-waits-for-buffer = 只等待缓冲区的指令
evidence-second-buffers = 第二缓冲区占用的本地内存
evidence-memory-in-use = 同时占用的本地内存（含保留的结果）
evidence-memory-highest = 本地内存用到的最高地址
evidence-local-memory = 本地内存
evidence-in-place = 原地计算的指令
evidence-time-lost = 损失的时间
evidence-cycles-of-one = 单条指令按位的周期
evidence-result-elsewhere = 结果在别处时
evidence-short-pieces = 碎片搬运次数
evidence-per-piece-time = 每段固定耗时
evidence-commands = 指令数
evidence-known-in-full = 完整已知的指令

## 位置

place-core = 核 { $core }
place-port = 端口 { $port }
place-busiest-core = 最忙的核
place-kernel = 核函数 { $kernel }
place-kernel-on-core = 核函数 { $kernel }，核 { $core }
place-engine-core = 核 { $core } { $engine }
place-engine-port = 端口 { $port } { $engine }
place-cdma-port = CDMA 端口 { $port }
place-layer = 层 { $layer }
place-all-cores = 全部核
place-all-cores-most = 全部核，核 { $core } 最多
place-tiu-all-cores = TIU，全部核
place-ddr-loads = 从 DDR 的加载，全部核
place-other-ports = 其他端口
place-other-kernels = 其他核函数
place-other-stretches = 其他各段
place-stretches = 屏障之间 { $all } 段中的 { $some } 段
place-launches-looked-at = 在所分析的启动中
place-each-lane = 单个 lane 内
place-event = { $engine }，第 { $event } 条指令（{ $opcode }）
cores-listed = 核 { $cores }
cores-range = 核 { $first } 至 { $last }
cores-counted = { $count } 个核
place-of-a-round = 一轮中，平均
place-gap-of-chip = 从 { $before } 到 { $after }，于 { US($at) } us
place-gap = 核 { $core }，从 { $before } 到 { $after }，于 { US($at) } us
place-stall-of-chip = 全部核，于 { US($at) } us
place-stall = 核 { $core }，于 { US($at) } us
place-stall-in-kernel = 核 { $core }，{ $kernel } 中，于 { US($at) } us
place-core-for-engine = 核 { $core } 等待核 { $other } 的 { $engine }
