# 台账的说明：转储中读取、修正、未采用或丢失了什么。

## 说明及其位置

note-line = { $severity }：{ $note }
note-loss = 丢失
note-warning = 警告
note-remark = 说明
note-in-file = { $file }：{ $note }
note-at-byte = { $file } 字节 { $offset } 处：{ $note }
note-extent = { $note }（占文件的 { PERCENT($share, digits: 1) }%）
note-extent-small = { $note }（不足文件的 0.1%）
note-more = 此文件另有 { $count } 条说明未显示

## 转储是否完整

note-completeness = 完整性：{ $verdict }
note-complete = 完整
note-complete-but = 完整：PMU 写出的记录都在，其中 { $skipped } 条极短指令 PMU 没有写记录
note-unverified = 无法确认：{ $reasons }
note-incomplete = 不完整，因为 { $reason }
note-incomplete-more = 不完整，因为 { $reason }；另有 { $more } 个原因见说明
note-headers-only = 只读取了文件与块的头部，未读取记录和指令；请去掉 --headers

## 端口与时钟

note-port-placed = 没有同步记录把该端口与某个核对应：其时间按 { $by }对齐，误差在 { US($doubt, digits: 3) } us 以内
note-port-placed-one-sided = 没有同步记录把该端口与某个核对应：其时间按 { $by }对齐，这些依据都来自同一方向，实际误差可能更大
note-by-launches = { $launches } 次核函数启动
note-by-messages = { $messages } 条消息
note-by-launches-and-messages = { $launches } 次核函数启动和 { $messages } 条消息
note-by-hand-overs = 它与该核 SDMA 及其他端口的 { $hand_overs } 次交接
note-port-not-placed = 没有同步记录、核函数启动或消息能把该端口与某个核对应：其时间从自己的起点计算，不计入总时间和关键路径；请用采集模式 1 或 2 采集芯片的所有核
note-port-of-model-not-placed = 没有同步记录或消息能把该端口与某个核对应，而静态模型没有核函数启动：其时间从自己的起点计算，不计入总时间和关键路径
note-clock-other-place = TIU 与 DMA 的计数器频率不同，有两种位置都能解释这些记录：两者的时间可能相差 { S($ns) } s；请采集更短的运行，或带有核函数和指令的运行（采集模式 1 或 2）
note-clock-torn = TIU 与 DMA 的计数器频率不同，在 { $launches } 次启动中两者的记录相距很远：引擎停顿的时间超过计数器的一圈，停顿之后的时间不可靠；请采集更短的运行
note-engines-apart = 核 { $core }：TIU 与 GDMA 的计数器起点不同：TIU 的时间加上 { $offset } ns，这是由两者指令间 { $dependences } 个依赖得到的下限（{ $width }）
note-engines-unknown = 核 { $core }：TIU 与 GDMA 的计数器起点不同，且其指令间没有已知依赖：两者时间的偏移未知
note-width-interval = 区间宽 { $ns } ns
note-width-contradicting = 上下限相互矛盾，相差 { $ns } ns
note-width-one-bound = 只有单侧界限
note-unaligned-ports = SDMA 有 { $sends } 条同步发送，而 CDMA 端口有 { $ports } 个；其余端口未对齐
note-counter-jump = { $engine }：计数器在第 { $record } 条记录前跳变约 2^32 周期，但该核其他引擎此处没有停顿，记录也没有乱序：{ $records } 条记录的时间存疑；请采集更短的运行

## 缺失的文件与块

note-only-file-empty = 文件为空，且没有其他文件：没有任何记录；请重新拷贝转储
note-all-files-empty = { $files } 个核与端口的文件全部为空：没有任何记录；请重新拷贝转储
note-empty-among-full = 文件为空，但固件的屏障会在每个核的文件中留下记录：该核的记录全部缺失；请重新拷贝此文件
note-file-missing = 文件缺失，而核 { $first } 与核 { $last } 的文件都在：核 { $core } 的记录全部缺失；请重新拷贝此文件
note-no-command-block = 文件没有 { $block } 块，而 { $other } 有：其记录对应的指令未知；请重新拷贝此文件
note-no-bits-block = 文件没有 { $block } 块，而 { $other } 有：其指令的完整指令位未知；请重新拷贝此文件
note-fewer-commands = 文件只有 { $file } 的 COMMAND 块所记 { $expected } 条 { $engine } 指令中的 { $commands } 条：{ $unexplained } 条记录或指令没有对应；请重新拷贝此文件
note-no-commands = 运行的是静态模型，但{ $place } 的 { $records } 条记录没有任何 { $engine } 指令：指令缺失；请重新拷贝转储
note-no-records = 模型有 { $commands } 条指令，但没有{ $place } 的记录：记录缺失；请重新拷贝此文件
note-fewer-cores = COMMAND 块列出 { $commands } 个核的指令，但文件只有 { $records } 个核的记录：其余核的记录缺失；请重新拷贝此文件
note-more-cores = { $chip } 有 { $cores } 个核，而文件含有 { $blocks } 个核的块：多出的未采用
note-core-list = core_list { $cores } 中有重复的核，或 { $chip } 没有的核；按出现顺序编号
note-global-cut = 文件结束于一行中间：末尾可能缺失
note-no-clock = 没有各版运行时都会写的 tpu_freq：可能有行缺失，使用芯片的默认时钟
note-no-core-list = 没有新版运行时写在末尾的 core_list：文件末尾可能缺失
note-core-num = core_num 为 { $given }，而 { $chip } 有 { $cores } 个核
note-idle-or-missing = 有 { $files } 个核的文件，而 core_num 为 { $cores }：其余核空闲，或其文件缺失
note-untold-files = 最多 { $cores } 个核文件中有 { $files } 个，core_num 与记录数都未说明写了多少个
note-empty-or-idle = 文件为空：该核空闲，或记录缺失
note-empty-or-idle-more = 此文件与另外 { $more } 个文件为空：相应的核空闲，或记录缺失
note-mode-0 = 转储没有指令：采集模式为 0，或指令块缺失
note-mode-1 = 转储没有完整的指令位：采集模式为 1，或唯一文件末尾的块缺失
note-untold-records = 记录数与指令都未说明{ $place }{ $more ->
    [0] {" "}
   *[other] {" "}与另外 { $more } 个引擎
}写了多少条记录
note-none-fits = { $place } 的 { $commands } 条指令与任何记录都不符
note-left-out = 未采用：{ $why }
note-too-many-cores = 未采用：{ $chip } 有 { $most } 个核
note-too-many-ports = 未采用：{ $chip } 有 { $most } 个 CDMA 端口
note-no-number = 文件名不以核或端口编号结尾
note-number-taken = 编号 { $number } 已被前面的文件占用
note-unreadable = { $path }：无法读取（{ $error }）；请检查其权限
note-empty-file = 文件为空
note-other-chip = 转储标明 { $named }，--arch 指定 { $given }；采用 { $named }
note-global-long = 只读取前 { $bytes } 字节；正常的文件只有几百字节
note-more-lines = 另有 { $more } 行被忽略
note-bad-line = 第 { $line } 行：{ $key }={ $value } 不是{ $what }，该行被忽略
note-a-clock = 以 MHz 表示的时钟
note-a-core-number = 不超过 { $most } 的核数
note-a-count = 计数
note-a-time = 以 ns 表示的时间

## 记录与指令

note-outside-session = { $records } 条 TIU 记录位于第一个编号 0 之前或最后一段编号之后：会话的一部分缺失，这些记录按原样显示
note-trimmed = { $all } 条 { $engine } 记录中，首尾有 { $records } 条不匹配任何指令，未采用
note-no-match = 没有 { $engine } 记录与模型的指令匹配；全部显示为无对应指令
note-undecided = 核 { $core }：{ $all } 次启动中有 { $launches } 次可能属于模型，也可能属于核函数：长度、时间与计数器与两者都相符，因此其指令存疑
note-undivided = 核 { $core } 既运行了模型，也运行了核函数，但无法把记录划分给两者：每条指令都可能属于另一次启动，因此全部存疑
note-incomplete-launches = { $launches } 次核函数启动中有 { $lacking } 次缺少指令，或其记录无法与其他启动区分（{ $engines }）：分位数与核间均衡不计入它们
note-short-commands = { $commands } 条 TIU 指令中有 { $unseen } 条没有记录：{ $chip } 的 PMU 会跳过连续极短指令中的一部分
note-unseen = { $commands } 条 { $engine } 指令中有 { $unseen } 条没有记录：PMU 丢失了记录，或采集不完整
note-unseen-and-unbound = { $commands } 条 { $engine } 指令中有 { $unseen } 条没有记录，另有 { $unbound } 条记录不匹配任何指令：PMU 丢失了记录，或采集不完整
note-unbound = { $records } 条 { $engine } 记录中有 { $unbound } 条不匹配任何指令，而每条指令都有其记录：转储缺少指令，这些记录显示为无对应指令；请采集更短的运行
note-port-unseen = { $commands } 条指令中有 { $unseen } 条没有记录：PMU 丢失了记录，或采集不完整
note-port-unseen-and-unbound = { $commands } 条指令中有 { $unseen } 条没有记录，另有 { $unbound } 条记录不匹配任何指令：PMU 丢失了记录，或采集不完整
note-port-unbound = { $records } 条记录中有 { $unbound } 条不匹配任何指令，而每条指令都有其记录：转储缺少指令，这些记录显示为无对应指令；请采集更短的运行
note-port-unclear = { $records } 条记录与不止一个核的指令匹配，因而未配对
note-port-unmatched = { $records } 条记录中有 { $unmatched } 条不匹配任何核的指令
note-before-sync-pair = 端口同步对之前的 { $records } 条记录不属于任何调用，显示为无对应指令
note-not-accounted = { $place }：读取了 { $records } 条记录，其中 { $unaccounted } 条没有着落：这是 bigtpuprofile 的缺陷，请报告
note-full-ring = { $place }：PMU 环形缓冲（{ $ring } 条记录）已满（共写入 { $written } 条），因此有记录丢失；请以 max_record_num={ $enough } 重新采集（bigtpuprofile explain docs/capture.md）
note-single-record = { $place }：只有一条记录，说明数据被截断
note-no-file = { $place }：写入了 { $written } 条记录，但转储中没有对应文件
note-other-count = { $place }：写入了 { $written } 条记录，文件中有 { $held } 条
note-fewer-records = { $place }：写入了 { $written } 条记录，文件中有 { $held } 条：丢失 { $lost } 条
note-zero-record = { $block }：全零记录标志监视数据结束，其后的 { $records } 条记录未采用
note-ragged = { $block } 以不完整的记录结尾（{ $record } 字节中的 { $bytes } 字节），未采用
note-lapped = { $engine } 的 PMU 环形缓冲溢出：只剩最后 { $records } 条记录，{ $older }；请以 max_record_num={ $enough } 或更大值重新采集（bigtpuprofile explain docs/capture.md）
note-older-unknown = 更早的记录被覆盖，数目未知
note-older = 至少 { $records } 条更早的记录被覆盖

## 块

note-unknown-words = DYN_DATA 含有 { $words } 个未知类型的字，已跳过
note-dyn-data-cut = DYN_DATA：{ $why }
note-name-cut = 核函数名超出块尾
note-node-cut = DES 节点缺少第二个字
note-commands-of-no-port = DYN_DATA：{ $commands } 条指令属于 CDMA 端口 { $port }，而该芯片没有此端口
note-streams-of-no-port = DYN_DATA：{ $streams } 个指令流属于 CDMA 端口 { $port }，而该芯片没有此端口
note-bad-bits = DYN_EXTRA：{ $commands } 条指令无法解码，显示为未知；第一条：{ $why }
note-long-name = DYN_DATA：某核函数名有 { $bytes } 字节，只显示前 { $shown } 个字符
note-extra-too-few = DYN_EXTRA 少了 { $items } 项，相应指令只知道类型
note-extra-too-many = DYN_EXTRA 比 DYN_DATA 的指令多 { $items } 项
note-incomplete-word = DYN_DATA 以 { $bytes } 字节的不完整字结尾
note-extra-alone = DYN_EXTRA 含有 { $commands } 条指令的指令位，但缺少 DYN_DATA
note-extra-damaged = DYN_EXTRA：{ $why }；自此处起的 { $bytes } 字节未采用
note-in-launch = ，位于第 { $launch } 次启动（{ $kernel }）
note-in-no-launch = {""}
note-record-fault = { $fault }{ $launch }
note-more-records = 另有 { $more } 条同样的记录
note-records-lost = { $engine }：此处之前丢失 { $records } 条记录{ $launch }
note-records-extra = { $engine }：{ $records } 条记录没有对应指令{ $launch }
note-wrong-id = { $engine }：1 条记录的编号与其指令不符{ $launch }；由前后记录可知是哪条指令
note-more-places = { $engine }：另有 { $more } 处记录与指令同样不符
note-wrong-bit = { $engine }：1 条记录的时间有一位出错（{ $start } 至 { $end } 周期）：由前后记录可知是哪一位
note-wrong-time = { $engine }：1 条记录的时间不可能成立（{ $start } 至 { $end } 周期）：显示在相邻记录之间，时长未知
note-record-twice = { $engine }：1 条记录出现两次，只显示一次
note-records-exchanged = { $engine }：2 条记录交换了位置；由时间可知先后
note-records-zeroed = { $engine }：{ $records } 条记录被清零；其后的记录照常读取
note-record-torn = { $engine }：1 条记录不完整：{ $size } 字节中只有 { $bytes } 字节；其后的记录照常读取
note-kernel-ends = DYN_DATA：{ $words } 个核函数结束标志或指令流不在任何核函数内：有字丢失或错位，那里的指令没有核函数
note-kernel-begins = DYN_DATA：{ $kernels } 个核函数在前一个结束之前开始：有字丢失
note-wrong-mark = { $engine }：1 条记录的系统指令标志有误：由前后记录可知
note-word-torn = DYN_DATA：有一个字残缺；其后的字已读取
note-name-length = DYN_DATA：{ $names } 个核函数名的长度与其文本不符；按文本显示
note-wrong-stream = DYN_DATA：{ $words ->
    [one] 有一个字
   *[other] { $words } 个字之一
}下发了键为 { $key } 的 { $engine } 指令流，此键可能已损坏：键为 { $meant } 的指令流条数相同，键仅差一位。该次启动显示的指令可能有误
note-names-differ = DYN_DATA：此处核函数名称为 { $own }，核 { $core } 为 { $other }，而两核的其余各字相同：不知道哪个正确
note-name-borrowed = DYN_DATA：此处核函数名称已损坏，读作 { $own }；核 { $core } 的其余各字相同，按其显示为 { $other }
note-words-differ = DYN_DATA：此处 1 个字有一位与核 { $core } 不同，而两核的其余各字相同：其中一个核的核函数、批次或操作有误
note-words-exchanged = DYN_DATA：此处 2 个字的顺序与核 { $core } 不同，而两核的其余各字相同：不知道哪个顺序正确
note-words-borrowed = DYN_DATA：此处有 { $words } 个字丢失或改变；核 { $core } 的其余各字相同，据其确定这些字
note-command-differs = { $engine }：此处 1 条指令的完整内容与核 { $core } 不同，而两核的其余指令相同：其中一条已损坏
note-command-of-no-other = { $engine }：此处 1 条指令的完整内容与其他核不同，而各核的其余指令相同
note-transfer-bytes = { $engine }：1 条记录计得 { $counted }，而其指令搬运 { $expected }：其中之一有误
note-transfer-elsewhere = { $engine }：1 条记录计得的写入与其指令的目的存储器不符：其中之一有误
note-stream-moved = { $engine } 描述符：有字节缺失或重复；其后的描述符照常读取
note-stream-changed = { $engine } 描述符：有一条指令无法解码，长度未知；其后的描述符照常读取
note-stream-longer = { $engine } 描述符：有一条指令被读成更长的指令，占用了其后的指令：指令数少于记录的数目；其后的描述符照常读取
note-item-torn = DYN_EXTRA：有一项残缺；其后的项已读取
note-items-exchanged = DYN_EXTRA：有 2 项位置互换；按其编号确定先后
note-item-twice = DYN_EXTRA：有 1 项重复
note-items-missing = DYN_EXTRA：此处之前缺少 { $items } 项：其指令只知道类型
note-items-surplus = DYN_EXTRA：此处之前有 { $items } 项不属于 DYN_DATA 的任何字：缺少相应的字
note-more-item-places = DYN_EXTRA：另有 { $more } 处类似的位置
note-same-records = 其记录与 { $other } 的相同：两个文件中的一个被另一个覆盖；请重新拷贝转储
note-messages-broken = { $meetings } 次同步中有 { $odd } 次，某个核在另一个核发送消息之前就已继续：该文件来自另一次采集；请重新拷贝转储
note-given-clock = 按 --tiu_freq 给出的 TIU 时钟 { $mhz } MHz，转储的各文件不一致：请先去掉该选项；关于另一次采集的提示可能由它引起
note-other-capture = { $launches } 次启动中有 { $odd } 次的时间与核 { $other } 的同一启动不同：该文件来自另一次采集；请重新拷贝转储
note-other-order = { $launches } 次启动中有 { $odd } 次的核函数与核 { $other } 的同一启动不同，而两者所用核函数相同，且其余各核的顺序一致：该文件来自另一次采集；请重新拷贝转储
note-two-orders = { $launches } 次启动中有 { $odd } 次的核函数与核 { $other } 的同一启动不同，而两者所用核函数与启动次数相同：两核各有自己的工作，或文件来自两次采集
note-waits-apart = 其等待的结束时间与运行了相同启动的核 { $other } 不同，而核 { $other } 的等待与第三个核同时结束：该文件来自另一次采集；请重新拷贝转储
note-port-outside = 其指令的运行时间距所有核的首条或末条指令 { US($away) } us，而这些指令由各核提交：该文件来自另一次采集；请重新拷贝转储
note-cores-exchanged = 该文件与核 { $other } 的文件互换了：两核执行相同的搬运，而编号较大的该核使用较低的地址；请重新拷贝转储
note-ports-exchanged = 只有把该文件当作端口 { $other } 的文件、并把那个文件当作该端口的文件时，指令才紧接 SDMA 的指令开始：两个文件互换了；请重新拷贝转储
note-ports-exchanged-by-bytes = 其记录的字节数与端口 { $other } 的发送指令相符，而那个端口的记录与该端口的指令相符：两个文件互换了；请重新拷贝转储
note-port-of-other-capture = { $all } 条指令中只有 { $met } 条紧接它所等待的另一引擎的指令开始，而端口 { $other } 为 { $other_all } 条中的 { $other_met } 条：该文件来自另一次采集；请重新拷贝转储
note-des-kv-short = DES_KV 过短，容不下 12 字节的头
note-cdma-in-core = MONITOR_CDMA 出现在核的文件中；它应在 cdma*_PORT.profile 中
note-further-block = 另有一个 { $bytes } 字节的 { $block } 块；每个文件只读取第一个
note-unknown-block = 类型未知的块 { $number }
note-block-type = 类型 { $number } 的块
note-skipped-block = { $block }，{ $bytes } 字节，已跳过
note-skipped-blocks = { $block } 及其后 { $more } 个块共 { $bytes } 字节，已跳过
note-damaged-tail = { $why }；自此处起的 { $bytes } 字节中只采用完整的记录和指令；请重新拷贝该文件
note-head-cut = 块头需 8 字节，但只剩 { $left } 字节
note-block-cut = { $block } 的长度为 { $length } 字节，但文件只剩 { $left } 字节
note-item-head-cut = 项头需 12 字节，但只剩 { $left } 字节
note-item-cut = 某项长度为 { $length } 字节，但块内只有 { $left } 字节
note-commands-missing = 缺少 { $file }：其指令的记录显示为无对应指令
note-commands-unreadable = { $file }：{ $error }
note-commands-short = { $file } 在指令起始的字节 { $offset } 之前就结束了
note-short-block = SUMMARY 或 COMMAND 块过短，其指令未采用
note-not-padding = { $engine } 描述符：结束指令之后的 { $bytes } 字节不是填充，未采用
note-descriptors-lost = { $engine } 描述符：{ $why }；自此处起的 { $bytes } 字节未采用
note-descriptors-unknown = { $engine } 描述符：{ $why }；显示为未知
note-no-stream = 下发了一个 { $commands } 条指令的 { $engine } 指令流（键 { $key }），但没有 DES_KV 块包含它：其记录只知道所属核函数
note-no-operation = 没有类型为 { $task }、子类型为 { $sub } 的操作
note-no-layout = 该芯片上 { $name } 的位布局未知
note-too-short = { $name } 需要 { $need } 字节，只有 { $have } 字节

## 静态模型的层

note-layer-file-missing = 文件缺失，而 { $there } 在：{ $instead }；请从模型目录拷贝两个文件
note-no-module = 文件中没有属性完整的模块：模型的名称、类型与运算量可能缺失；请重新拷贝此文件
note-layers-damaged = { $error }；{ $instead }；请重新拷贝此文件
note-layers-of-log = 各层取自编译器日志
note-without-layers = 指令不显示所属层
note-layers-before = 只采用之前的 { $layers } 层
note-layer-file-unreadable = 无法读取：{ $error }；指令不显示所属层
note-log-cut = 其中的编译器日志结束于某个子网中间：其后的层缺失；请重新拷贝此文件
note-subnets = 其中的编译器日志有 { $subnets } 个子网，指令编号在每个子网重新开始；指令不显示所属层
note-layers-not-described = 没有层：没有文件描述该模型的层；把模型目录中的 `final.mlir` 和 `tensor_location.json` 放入转储目录，即可得到层表和 layers.csv
note-layers-share = 层 { $first } 与层 { $second } 都含有核 { $core } 的 { $engine } 编号 { $id }；该指令只归前一层

## 预测

note-no-events = 无法预测：转储中没有事件
note-no-prediction = 无法预测：{ $why }
note-no-baseline = 无法预测：不作改动重放时，{ $place } 的第 { $event } 个事件结束于 { $replayed } ns，而非 { $measured } ns

## 模拟的运行

note-simulated = 模拟：时间由指令位预测得出，没有实测
note-simulated-unsure = 模拟：时间由指令位预测得出，没有实测；{ $warning }
note-unsure = 指令时间中有 { PERCENT($share, digits: 1) } % 是估计值或未经验证：误差未知
note-subnets-left-out = { $subnets } 个子网中有 { $left_out } 个在主机上运行或为动态：它们没有指令，未采用
note-last-group = 没有启动与组编号的文件只含最后一组
note-groups = { $groups } 个指令组：组间停顿未知，假定为 0

## 主机 trace

note-event-left-out = 一个事件未采用：{ $why }
note-more-events = 另有 { $more } 个事件未采用
note-unpaired-events = { $events } 个没有配对的开始或结束事件未采用
note-host-not-aligned = 主机 trace 中没有说明设备何时运行的 tpudnn 事件，因此主机与设备未对齐：设备时间从主机的第一个事件开始
note-host-start = 按要求，设备时间从主机的第一个事件开始；主机与设备未对齐
note-no-event-list = `traceEvents` 不是列表，已忽略
note-malformed = `traceEvents` 之外格式错误的文本被忽略
note-text-after-end = trace 结束之后的文本被忽略
note-events-continue = 事件在其 `]` 之后仍继续，已读取
note-gzip-cut = 压缩数据已损坏或被截断（{ $why }）；文本止于{ $place }
note-text-cut = 文件被截断；文本止于{ $place }
note-inside-event = 某个事件之中，该事件丢失
note-before-brace = 其最后一个 `{ "}" }` 之前
note-before-bracket = 其事件的 `]` 之前
note-after-bracket = 其最后一个括号之后
note-event-syntax = 不是有效的 JSON：{ $why }
note-event-no-object = 不是 JSON 对象
note-event-too-long = 长于 { $bytes } 字节
note-event-without = 没有 `{ $key }`
note-event-time = 其 `{ $key }` { $why }
note-no-decimal = 不是十进制数
note-beyond-range = 超出 64 位纳秒
note-small-exponent = 的指数过小
note-event-negative = 其 `dur` 为负
note-event-phase = 其 `ph` 不是单个字母
note-event-metadata = 其 `args` 没有可用的 `{ $key }`
note-event-full = 放不下：trace 的事件过多
note-far-events = { $events } 个事件的时间从 { $first } 到 { $last } ns，{ $place } { $seconds } s
note-before-others = 显示在其他事件开始处，其自身时间作为参数；比其他事件早
note-behind-others = 比其他事件晚
note-counter-values = { $values } 个计数器值不是有限数，未显示
note-unknown-phases = 未知阶段的事件未显示：{ $events }
note-repaired = { $events } 个事件不是有效的 JSON，已修复
note-clock-moved = 按两个文件的 baseTimeNanoseconds，其时间加上了 { $by } ns
note-clock-unknown = 没有 baseTimeNanoseconds 说明其时钟与第一个主机 trace 的时钟相差多少：其时间按原样显示
note-clock-too-far = 其时间与第一个主机 trace 的时间相距太远：按原样显示
note-hidden = { $events } 个{ $why }
note-hidden-unreadable = 无法读取
note-hidden-profiler = 属于分析器自身
note-hidden-begin = 只有开始没有结束
note-hidden-end = 只有结束没有开始
note-hidden-arrow-start = 箭头只有起点没有终点
note-hidden-arrow-end = 箭头只有终点没有起点
note-hidden-arrow-back = 箭头的终点早于起点
note-hidden-counter = 计数器没有有限数
note-hidden-metadata = 其他名称的元数据
note-hidden-phase = 属于阶段 { $phase }
note-tally = 读取 { $read } 个事件 = 切片 { $slices } + 箭头 { $arrows } + 瞬时 { $instants } + 计数器 { $counters } + 元数据 { $metadata } + 未显示 { $hidden }
note-tally-hidden = 读取 { $read } 个事件 = 切片 { $slices } + 箭头 { $arrows } + 瞬时 { $instants } + 计数器 { $counters } + 元数据 { $metadata } + 未显示 { $hidden }（{ $reasons }）
note-no-steps = --step { $step }：没有名称匹配的核函数，也没有名称匹配且包含启动的主机事件：不分步
note-cores-range = 核 { $first } 至 { $last }
note-cores-list = 核 { $cores }
note-cores-left-out = { $option } 略去了{ $cores }，共 { $events } 个事件：所有结果（包括结论）只针对其余 { $shown } 个核
note-cores-not-there = { $option }：没有核 { $core }；转储中有 { $all } 个核，从 0 开始编号
