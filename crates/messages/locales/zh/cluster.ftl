# 集群：多个设备作为一次运行。

## 结论

cluster-sentence = { CAPITAL($clause) }。
cluster-islands = 这些转储中没有消息把所有 rank 连在一起：共有 { $islands } 个孤岛，各有自己的时间，彼此之间不作比较。没有被捕获的操作用到的链路是看不到的。
cluster-islands-not-found = 无法把各 rank 放到同一时钟上：只在 { $islands } 个组之内比较，每组各有自己的时间。可能存在没有找到的链路。
cluster-missing = { $all } 个 rank 中有 { $missing } 个没有转储；所有占比只涉及其余的 rank。
cluster-left-out = { $all } 个转储中有 { $count } 个无法读取，不计入；所有占比只涉及其余的 rank。
cluster-late = Rank { $rank } 在 { $all } 个操作中的 { $late } 个里迟到；{ $without }。
cluster-late-because = Rank { $rank } 在 { $all } 个操作中的 { $late } 个里迟到：{ $why }；{ $without }。
cluster-without = 若无此问题，{ $then }
cluster-instead = 运行需要 { RUN($after) } ms，而不是 { RUN($before) } ms
cluster-cost-without-partner = 代价未知，因为有端口指令没有对端
cluster-cost-of-ports = 代价未知，因为有端口不在其设备的时钟上
cluster-slow-link = 从 rank { $from } 到 rank { $to } 的链路{ $speed }，在 { $all } 个操作中的 { $count } 个里最慢
cluster-share-of-fastest = 只有最快链路速率的 { PERCENT($share) }%
cluster-is-slow = 较慢
cluster-at-fastest-rate = 达到最快链路的速率时
cluster-at-twice-its-rate = 速率加倍时
cluster-link-then = { $link }；{ $rate }{ $then }
cluster-link-cost = { $link }；{ $cost }
cluster-retrying-link = 从 rank { $from } 端口 { $from_port } 到 rank { $to } 端口 { $to_port } 的链路重传了 { $packets } 个数据包：检查线缆和接头
cluster-not-placed = 端口已相连，但不在其设备的时钟上：操作何时运行未知。
cluster-not-joined = 没有找出哪些 rank 之间交换了数据：{ $commands } 条端口指令的时刻不足以确定其对端；请捕获更多操作，或用 --topology 给出链路。
cluster-no-communication = 没有找到 rank 之间的通信。
cluster-nothing-stands-out = 在 { $ranks } 个 rank 的 { $count } 个操作中，没有突出的 rank 或链路。

## 是什么拖慢了一个 rank

cluster-pauses-between-launches = 其两次启动之间的间隔
cluster-its-computation = 其计算
cluster-its-transfers = 其存储器之间的搬运
cluster-its-pauses = 其空闲
cluster-its-kernel = 其 { $kernel }
cluster-take-times = { $what } 的时间是中位 rank 的 { $times } 倍（多 { RUN($more) } ms）
cluster-takes-times = { $what } 的时间是中位 rank 的 { $times } 倍（多 { RUN($more) } ms）
cluster-take-longer = { $what }比中位 rank 长 { RUN($more) } ms
cluster-takes-longer = { $what }比中位 rank 长 { RUN($more) } ms
cluster-host-is-late = { $clause }，即其主机启动得晚
cluster-above-median = 其自身时间高于中位数

## 建议

cluster-rank = rank { $rank }：{ $text }
cluster-stage-imbalance = rank { $rank } 上的流水线阶段的工作时间是各阶段平均值的 { $times } 倍：把一些层移到其他阶段
cluster-slow-link-advice = 从 rank { $from } 到 rank { $to } 的链路{ $speed }，在 { $count } 个操作中最慢：检查线缆，以及还有什么在使用它
cluster-gain-at-rate = { $advice }；收益按{ $rate }计算
cluster-exposed = 没有被计算掩盖的通信占各 rank 时间的 { PERCENT($share) }%：在不需要其数据的工作之前开始搬运
cluster-exposed-with-gain = 没有被计算掩盖的通信占各 rank 时间的 { PERCENT($share) }%：在不需要其数据的工作之前开始搬运；收益是完全重叠时的上限
cluster-bubble = 流水线的 { $stages } 个阶段有 { PERCENT($mean) }% 的时间在互相等待，阶段 { $stage }（rank { $rank }）有 { PERCENT($worst) }%：微批更多更小，这些空泡就更小
cluster-gain = （收益 { $gain }）
cluster-gain-at-most = （收益至多 { $gain }）
cluster-more-like-it = （另有 { $count } 条同类）

## 缺失或存疑之处

cluster-no-direction = rank { $rank }：{ $count } 条指令方向未知，不计入
cluster-other-bytes = rank { $rank } 端口 { $port }：{ $count } 次发送的记录中的字节数与指令的形状不同；采用形状
cluster-no-port-commands = rank { $rank }：其转储中没有端口指令
cluster-no-sync-pair = rank { $rank }：端口 { $ports } 没有同步对：其指令不在设备时钟上；它到达各操作的时刻由其对端的时钟得出，只在这类 rank 之间的操作不计入
cluster-numbered-by-device = rank 按设备编号：用 --rank-table 或 --chip-map 给出程序中的编号
cluster-lost = 有记录丢失：{ $named }；请减少采集的步数，或增大 max_record_num（端口至多 40 960 条）
cluster-lost-of-rank = rank { $rank } { $lost } 条
cluster-more-ranks = 另外 { $count } 个 rank
cluster-more = 另外 { $count } 个
cluster-incomplete = rank { $named } 的转储（共 { $ranks } 个）有数据缺失或无法使用；`bigtpuprofile info { $dump }` 会说明详情
cluster-gap-of-devices = { $host } 有设备 { $first } 至 { $last }，但没有 { $gap }：其转储可能缺失，相邻设备的端口没有对端
cluster-ring-order = 链路构成的环的次序是 { $order }，与 rank 的次序不同：检查 rank table 或 chip map
cluster-no-steps = 各 rank 的核函数重复次数不同：不显示步
cluster-nothing-predicted = 不作预测：rank { $ranks } 的端口不在其设备的时钟上，因此不知道它们在等待什么
cluster-open-threads = 有 { $count } 个端口线程没有对端：其{ $keeps }，因此收益可能大于预测
cluster-keep-commands = 指令保持原有时间，包括等待的时间
cluster-keep-transfers = 搬运保持原有时间
cluster-no-kernel = --scale { $scale }：没有这样的核函数
cluster-no-rank-or-link = --scale { $scale }：没有这样的 rank 或链路
cluster-not-reproduced = 联合重放不能重现序号为 { $rank } 的 rank 在 { $time } ns 处的一条指令：不作预测
cluster-contradicted = 给定的到 rank { $rank } 端口 { $port } 的链路与数据矛盾，或列表中其他链路与数据矛盾：不使用它

## 为什么一个端口没有明确的对端

cluster-no-candidate = 没有合适的候选：对端可能没有被采集
cluster-few-commands = 少于 8 条指令
cluster-few-stretches = 停顿之间的指令段少于 4 段
cluster-few-paired = 指令很少，且只有一部分能配对
cluster-second-best = 第二好的候选并不明显更差
cluster-orders-contradict = 最好的候选的先后次序与其他链路矛盾
cluster-clocks-contradict = 由其他链路证明的时钟表明，最好的候选的指令并不属于一起
cluster-fits-worse = 最好的候选比其他链路的两端差得多：对端可能没有被采集
cluster-commands-without-partner = 最好的候选中有些指令没有对端，而没有记录丢失：对端可能没有被采集

## 无法使用的输入

cluster-left-out-file = { $path }：不计入：{ $why }
cluster-unread-file = { $path }：不计入：无法读取（{ $why }）
cluster-other-version = { $dump }：其 part 的版本是 { $version }，本程序是 { $own }：请重新生成 part，使各部分可比
cluster-not-in-table = { $dump }：主机 { $host } 的设备 { $device } 在表中没有 rank，不计入
cluster-host-left-out = 一个主机 trace不计入：{ $why }
cluster-host-of-no-rank = { $file }：没有说明它属于哪个 rank
cluster-host-twice = { $file }：rank { $rank } 已有主机 trace
cluster-host-no-rank = { $file }：没有 rank { $rank }
cluster-host-not-anchored = { $file }：其中没有说明设备何时运行的 tpudnn 事件；只使用其中的名称
cluster-host-unread = { $path }：其中的主机 trace不计入：无法读取（{ $why }）
cluster-trace-no-rank = --trace：没有 rank { $rank }
cluster-trace-no-cores = { $file } 中没有 rank { $rank } 的核：其转储 { $dump } 不在此处，或不是其 part 所属的转储
cluster-trace-left-out = 未写出 { $file }：它最多需要 { $size }；可用 --emit trace 写出
cluster-tables-left-out = 未写出 pairs.parquet 和 states.parquet：它们会超过 { $rows } 行；可用 --emit tables 写出

## 控制台

cluster-call = 调用 { $call }
cluster-parts = { $parts }
cluster-ranks = { $hosts } 台主机上的 { $ranks } 个 { $chips } 的 rank
cluster-island-count = { $islands } 个孤岛
cluster-missing-count = 缺失 { $missing } 个
cluster-lost-count = 丢失 { $records } 条记录
cluster-incomplete-count = { $dumps } 个转储不完整
cluster-no-link = 没有找到链路：每个 rank 有自己的时间（{ $threads } 个端口线程没有明确的对端）
cluster-no-clock = 找到 { $links } 条链路，但其端口不在设备的时钟上：每个 rank 有自己的时间
cluster-aligned = 由 { $links } 条链路对齐：±{ $error }，漂移至多 { $drift } ppm，{ $orders } 个次序中违反 { $violations } 个
cluster-ends-only = 时间：只有结束时刻
cluster-bounds-only = 单向链：只有界
cluster-not-verified = 时钟方法尚未在硬件上验证：没有两台相连设备的公开转储
cluster-mean-time = 各 rank 的时间（平均）：{ $states }
cluster-most-exposed = 暴露通信最多的是 rank { $rank }：{ $states }
cluster-state = { $state } { PERCENT($share, digits: 1) }%
cluster-state-compute = 计算
cluster-state-memory = 存储
cluster-state-link = 链路
cluster-state-late-sender = 等待发送方
cluster-state-late-receiver = 等待接收方
cluster-state-collective = 等待集合操作
cluster-state-overhead = 链路开销
cluster-state-sync = 同步
cluster-state-launch = 启动之间
cluster-state-idle = 空闲
cluster-state-not-captured = 未采集
cluster-state-lost = 丢失
cluster-links-contradicted = --topology 中有 { $links } 条链路与数据矛盾，或与列表中其他链路矛盾：不使用
cluster-without-partner = { $threads } 个端口线程没有明确的对端（{ $why }）：没有数字用到它们
cluster-capture-more = { $threads } 个端口线程没有明确的对端（{ $why }）：没有数字用到它们；请采集更多步
cluster-more-in = 另有 { $count } 条在 { $file } 中

cluster-part-written = { $path }：{ $bytes } 字节，{ $events } 个事件，{ $commands } 条端口指令
cluster-call-left-out = 调用 { $call }：{ $why }
