# 错误中的细节。

problem-limit-no-comparison = 其中既没有 > 也没有 <
problem-limit-subject = 必须以下列之一开头：{ $names }
problem-limit-metric = { $subject } 没有指标 { $name }，只有 { $names }
problem-limit-no-metric = 它没有指标
problem-limit-no-names = { $subject } 没有名称：请去掉模式
problem-limit-empty = 其模式为空；所有名称请写 *
problem-limit-bracket = 其模式 { $pattern } 含有 < 或 >；请改写为 ?
problem-limit-share = { $of } 不是比例：以 % 表示的变化需要符号，即 +{ $text } 或 -{ $text }
problem-limit-time = { $of } 不是时间：请去掉单位
problem-limit-number = 其中的数字无法读取
problem-limit-of = { $subject } 的 { $metric }

problem-trace-scope = { $text } 不是 full、comm 或 ranks=0,3 之一

problem-topology = 拓扑可为 pair、ring、two-plane、pipeline、pipeline-backward、alltoall 或 grid:TPxPPxDP

problem-web-address = 不以 https:// 或 http:// 开头，或含有空格
problem-builds = 请写可以经过多少个构建，例如 200
problem-share = 请写 0% 至 100% 的比例，例如 1%

problem-no-command = 未知的命令 '{ $given }'；您是否想用 '{ $name }'？（也没有该目录）
problem-analyze-command = 未知的命令 '{ $given }'；分析不需要命令：bigtpuprofile INPUT_DIR OUTPUT_DIR
problem-unknown-command = 未知的命令 '{ $given }'，也没有该目录：请给出运行时写出的 cdm_profile_data_* 目录，或一个命令（--help 列出）

problem-foreign-mode = 请去掉它，读取的就是实测时间
problem-foreign-format = 层的表格请用 --emit layers，页面请用 --emit page
problem-foreign-debug = 请用 --verbose
problem-foreign = { $option } 是 tpu_profile 的选项，不是 bigtpuprofile 的：{ $instead }；或以那个名称调用本程序（bigtpuprofile explain docs/compat.md）

problem-not-explained-near = 没有 '{ $given }' 的解释；相近的名称是 '{ $name }'。`bigtpuprofile explain` 列出所有名称
problem-not-explained = 没有 '{ $given }' 的解释。`bigtpuprofile explain` 列出所有名称

problem-scale = { $text } 不是合并时可预测的改变：有 link=F、link:A>B=F、rank:R=F、skew=0、latency=F、tiu=F、ddr=F 和 kernel:NAME=F；其他倍数用于单个转储的 `bigtpuprofile whatif`

problem-graph-has-events = 与 --graph 同用时（该文件含全部事件）
problem-torch-has-times = 与 --torch 同用时（该 trace 含阶段、微批和以 ns 计的时间）
problem-costs-has-times = 与 --costs 同用时（该文件含各时间）
problem-no-training = 对不带 --training 的实测部分（没有反向）
problem-partition-has-stages = 与 --partition 同用时（它已给出阶段）
problem-without-costs = 没有 --costs 时
problem-without-mem-fwd = 没有 --mem-fwd 时
problem-no-zb = 对 zb 与 zbv 以外的调度
problem-with-perflow = 与 --compat perflow 同用时（其时间属于分块，既没有搬运也没有内存）
problem-swept = 在有同名 --sweep 时

problem-marker-of-dump = 与不是主机事件的 --phase-marker 同用时

problem-parts-say-bytes = 对文件已说明传递字节数的部分

problem-with-evaluate = 与 --evaluate 同用时（不作搜索）

problem-with-data-parallel = 与 --only-data-parallel 同用时（没有可移动的内容）
problem-with-flexflow = 与 --compat flexflow2018 同用时（它在图自身的机器上模拟，不含内存与训练）
problem-with-machine-file = 与机器文件同用时（它已描述链路）
problem-without-machine = 没有 --machine（例如 2x4）时（图的机器有自己的链路）
problem-without-link = 对 JSON 算子图没有 --link-gbps 时

problem-on-onnx = 对 ONNX 模型
problem-on-ff-batch = 对 .ff 图（批大小在其 --input-shape 中）

problem-on-ff = 对 .ff 图

problem-on-recorded = 对记录的算子（它们已有形状）
problem-on-measured = 对实测的运行（其各部分已有时间）
problem-on-no-decode = 对没有 decode 阶段的实测运行（costs --phase-marker）

problem-check-path = 请检查路径

problem-give-plan = 请给 --plan 一个 YAML 文件

problem-give-costs = 请给出 `bigtpuprofile costs` 写出的文件

problem-give-torch = 请给 --torch 一个 torch profiler 的 trace

problem-give-graph = 请给 --graph 一个图，例如 --save-graph 写出的图

problem-give-onnx = 请给出 ONNX 模型

problem-give-config = 请给 --hf 一个模型的 config.json

problem-give-report = 请给出 report.json 或转储目录

problem-give-run = 请给出转储目录、report.json，或含有它们的目录

problem-member-twice = 出现两次
problem-member-parent = 的名称中有 ..
problem-member-absolute = 的名称是绝对路径
problem-member-unnamed = 没有名称

problem-member-long = 的名称或属性超过 64 KiB
problem-member-cut = 被截断

problem-member-length = 的长度与声明不符

problem-member-link = 是链接
problem-member-no-file = 不是普通文件
problem-members = 个成员
problem-bytes = 字节

problem-zip-encrypted = 其中的文件已加密
problem-zip-packed = 其中的文件以不支持的方式压缩
problem-zip-several = 含有多个文件

problem-part-ends = 提前结束
problem-part-number = 有一个数过长
problem-part-range = 有一个数超出范围
problem-part-count = 有一个计数不可能
problem-part-text = 有一段文本不是文本

problem-part-length = 其长度不可能
problem-part-inflate = 无法解压
problem-part-checksum = 校验和不符

problem-part-state = 有一个状态未知
problem-part-long = 其状态比采集更长
problem-part-sum = 各状态之和与窗口不符

problem-synth-bank-conflicts = bank-conflicts 用于 CV84X6，其 PMU 会统计它们
problem-synth-idle-cores = idle-cores 没有留下有工作的核
problem-synth-weights = weights=l2m 用于有 L2M 的芯片
problem-synth-container = { $chip } 只写出 libsophon 的容器，synth 不支持
problem-synth-cores = { $chip } 有 1 至 { $most } 个核，不是 { $cores }
problem-synth-ports = { $chip } 有 { $most } 个 CDMA 端口，不是 { $ports }
problem-synth-mode = 采集模式为 0、1 和 2，不是 { $mode }
problem-synth-rvt = { $chip } 没有 RISC-V 前端；style rvt 用于 AKSV 与 CV84X6
problem-synth-shares = loss 与 disorder 是 0 至 1 的比例
problem-synth-machine = 时钟为 1 至 100000 MHz，带宽为 0.001 至 1000000 GB/s，启动间隙（launch gap）为 0 至 1000000 us
problem-synth-repeat = 一次启动有 1 至 { $max_repeat } 个分块，不是 { $repeat }
problem-synth-launches = 最多可有 { $max_launches } 次启动，不是 { $launches }
problem-synth-idle = 只有编号小于 { $cores } 的核可以空闲
problem-synth-plant = 所加的故障需要编号小于 { $cores } 的核、编号小于 { $ports } 的端口，或以下核函数之一：{ $names }
problem-synth-no-sync = 不带同步的启动只能用于一个核

problem-cluster-chip = { $chip } 没有 CDMA 端口；集群由 AKS 或 AKSV 组成
problem-cluster-devices = 集群有 2 至 1024 个设备，不是 { $n }
problem-cluster-mode = 集群以模式 0、1 或 2 采集
problem-cluster-even = 模式 2 的指令搬运 16 位数：字节数应为偶数
problem-cluster-writes = 单边写跟在集合通信之后，用于模式 1 或 2
problem-cluster-loads = 读取的比例小于 1，且一个单位至少有 1 字节
problem-cluster-links = 相邻设备间有 1 或 2 条链路
problem-cluster-host = 一台主机至少有一个设备
problem-cluster-operations = 集群执行 1 至 1000000 个操作
problem-cluster-chunks = chunks、microbatches 和 bytes 至少为 1
problem-cluster-times = 带宽大于 0；时间不小于 0
problem-cluster-plant = 所加的故障需要编号小于 { $n } 的 rank
problem-topology-pair = 拓扑 pair 用于 2 个设备
problem-topology-two-plane = 拓扑 two-plane 需要 4 个或更多的偶数个设备
problem-topology-alltoall = 拓扑 alltoall 用于 2 至 { $most } 个设备：每个设备到其他每个设备都需要一个端口，而 { $name } 有 { $ports } 个；更多设备请用 ring 与 two-plane
problem-topology-grid = grid:{ $tp }x{ $pp }x{ $dp } 用于 { $product } 个设备，不是 { $n } 个

problem-topology-ports = 该拓扑在一个设备上需要 { $most } 个端口；{ $chip } 有 { $has } 个

problem-sweep-form = 没有 '='
problem-sweep-number = 有一个值不是数
problem-sweep-option = 有一个选项不能取多个值
problem-sweep-many = 组合过多

problem-calibration-rows = 实测行的列表（bigtpuprofile explain docs/prediction/measured.md），且不带 --compat；转储用于校准语言模型（--hf）

problem-rows-positive = { $what } 为 { $value }；它必须大于 0
problem-rows-field = { $what }：{ $error }
problem-rows-units = { $machine } 的单元未知；各行应为本工具已知的芯片

problem-no-kernel = --kernel { $name }：没有核函数或层叫这个名称；该次运行有：{ $names }

problem-kernels-none = 转储没有核函数名称
problem-kernels = 有核函数 { $names }
problem-kernels-many = 有核函数 { $names }，另有 { $more } 个
problem-layers-none = 转储没有层名称
problem-layers = 有层 { $names }
problem-layers-many = 有层 { $names }，另有 { $more } 个

problem-near = 是否指 { $dump }？
problem-near-several = 是否指 { $dump }（或另外 { $more } 个之一）？
problem-empty-directory = 目录为空：运行时没有在这里写出转储（bigtpuprofile explain docs/symptoms.md）
problem-out-directory = 这里需要目录，因为会写出多个文件：请给出“{ $directory }”
problem-results = 这是分析的结果：`bigtpuprofile open { $path }` 显示它们，`bigtpuprofile diff` 比较它们
problem-below = { $count ->
    [one] 其下有一个转储：{ $dump }
   *[other] 其下有 { $count } 个转储，第一个是 { $dump }：`bigtpuprofile batch { $path } OUT` 分析全部，`bigtpuprofile cluster { $path } OUT` 合并相互连接的设备的转储
}
problem-model = 其中有编译好的模型：`bigtpuprofile simulate { $model }` 预测它的时间
problem-compressed = 它是用 { $format } 压缩的：请解压，或把目录打包为 tar、tar.gz 或 zip
problem-to-open = `bigtpuprofile open { $file }` 可显示它
problem-report = `bigtpuprofile diff { $file } OTHER` 可比较它

problem-or = { $first } 或 { $second }

problem-writer-aks = { $writer } 只写出 AKS 与 AKSV 的转储
problem-writer-cv84x6 = { $writer } 只写出 CV84X6 与 BM1688 的转储
problem-writer-streams = { $writer } 没有缓存的流；请用 style op、rvt 或 bmodel
problem-writer-no-static = { $writer } 不运行静态模型；style bmodel 用于 model-rt
problem-writer-static = { $writer } 只运行静态模型：style bmodel
problem-writer-port = { $writer } 不记录 CDMA 端口
problem-writer-bm1688 = { $writer } 对 BM1688 只已知静态模型：style bmodel
problem-writer-bm1688-mode = { $writer } 对 BM1688 不写出派发的指令：mode 0
problem-writer-idle = { $writer } 为每个核写一个文件；请用 --idle 使核空闲

problem-on-costed = 对 JSON 算子图（它有自己的算子、耗时和拆分）
problem-on-chain = 对实测的部分（其最佳方案由精确求解得出）

problem-member-attributes = 的属性损坏
problem-member-large = 大于 8 GiB
problem-member-sparse = 是稀疏文件
problem-draft-generates = 两个模型都必须生成词元
problem-draft-tokenizer = 它有 { $own } 个词元，而模型有 { $target } 个：两者的分词器必须相同
problem-draft-split = 推测解码只在一个阶段和一组专家上估算；请去掉 --pipeline-parallel 和 --expert-parallel
problem-no-offload = 没有 --offload-weights 或 --offload-cache 时
problem-encoder-cache = 在不保存 key 和 value 的编码器上
problem-share-number = 比例是 0 到 1 的数
problem-rate = 带宽是大于 0 的数

problem-analyze-again = 请重新分析该转储，或给出转储本身

problem-install = 请安装该版本

problem-no-op-list = 不是算子列表（{ $reason }）
problem-ops-empty = 其列表 'ops' 为空
problem-op-phase = 阶段 `{ $phase }` 既不是 `sum` 也不是 `gen`
problem-op-stride = stride 为 0；必须是 1 或更大
problem-op-window = 大小为 { $covered } 的窗口放不进 { $size }
problem-op-elements = { $what } { $shape } 的元素超过 1e15 个；超出任何内存
problem-op-unfit = input { $input }、weights { $weights } 与 output { $output } 不相符；{ $wanted }
problem-op-linear = weights 必须是 [in, out]
problem-op-linears = weights 必须是 [in, out] 或 [matrices, in, out]
problem-op-attention = 两者都必须是 [batch, heads, rows, columns]
problem-op-convolution = 两者都必须是 [batch, channels, height, width]
problem-no-torch-trace = 不是 torch profiler 的 trace（{ $reason }）
problem-torch-no-operators = trace 中没有主机的算子（类别 cpu_op）
problem-torch-no-shapes = trace 的 { $count } 个算子都没有形状；请用 profile(record_shapes=True) 记录
problem-torch-no-costs = trace 中没有开销已知的算子
problem-torch-no-cost = 其开销未知
problem-torch-input = 它有 { $count } 个录制的输入，缺少第 { $number } 个
problem-torch-convolution = input { $input } 与 weights { $weights } 不是卷积的形状

problem-wanted-size = 从 1 至 1048576 的整数
problem-wanted-count = 从 0 至 1048576 的整数
problem-wanted-flag = true 或 false
problem-wanted-text = 文本
problem-wanted-list = 整数列表
problem-wanted-experts = 不大于专家数的数
problem-wanted-type = 数据类型，例如 bfloat16
problem-wanted-hidden = 与 hidden_size 相等的数
problem-wanted-heads = num_attention_heads 的约数
problem-wanted-width = hidden_size 的约数
problem-wanted-layers = 不大于 10000 的数
problem-wanted-windows = 由 full_attention 和 sliding_attention 组成的列表，每层一个
problem-no-object = 它不是对象
problem-llm-devices = { $devices } 个设备太多；最多估计 { $most } 个
problem-llm-heads = { $queries } 个头（key 和 value 有 { $stored } 个）不能平均分到这么多设备
problem-llm-encoder = 编码器-解码器模型在这里不能切成多个阶段
problem-llm-layers = 模型有 { $layers } 层
problem-llm-experts = { $count } 个专家不能被它整除
problem-llm-width = 中间宽度 { $width } 不能被它整除
problem-llm-no-experts = 模型没有专家
problem-costs-devices = 芯片或核数
problem-costs-apart = 请把每一种分别测量到各自的文件中
problem-machine-map = 必须是从键到值的映射
problem-machine-nothing = 其中没有描述机器
problem-wanted-rate-or-zero = 不小于 0 的数，或 null
problem-wanted-rate = 大于 0 的数，或 null
problem-wanted-peak = 大于 0 的数，因为时间取决于它
problem-wanted-whole = 大于 0 的整数
problem-wanted-sources = 文本，或从键到文本的映射
problem-yaml-tag = 标签（`!name`）
problem-yaml-alias = 别名（`*name`）
problem-yaml-contradiction = 与其标签矛盾的值
problem-yaml-key = 不是文本的键
problem-network-file = 其中没有描述机器（{ $reason }）；请给出 num_nodes、num_gpus_per_node、num_switches、link_bandwidth 和 topology
problem-devices = 机器有 { $devices } 个设备；请用 1 至 { $most } 个
problem-network-rows = 'topology' 必须有 { $rows } 行、每行 { $rows } 个数，每个节点和交换机一行（最多 { $most } 行）
problem-network-above = '{ $name }' 必须大于 0 且不大于 1e9，而不是 { $value }
problem-network-least = '{ $name }' 必须不小于 0 且不大于 1e9，而不是 { $value }
problem-network-path = 'topology' 中没有从节点 { $from } 到节点 { $to } 的路径；请添加链路
problem-paths-line = 不是 'key = value'；请改正，或改为以 # 开头的注释
problem-paths-missing = 机器文件没有 '{ $key }'；请加上
problem-paths-number = '{ $key }' 不是数：'{ $text }'
problem-paths-least = '{ $key }' 必须不小于 0，而不是 { $text }
problem-paths-count = '{ $key }' 必须是 1 至 { $most } 的整数，而不是 '{ $text }'
problem-paths-link = '{ $name }' 不是链路；请用 membus、upi、nic、pci_to_host、pci_to_dev 或 nvlink
problem-paths-bandwidth = '{ $name }_bandwidth' 为 0；请以 GB/s 给出
problem-paths-devices = 机器的设备超过 { $most } 个；请减少
problem-torch-name = 没有名称
problem-torch-chunk = 的分块编号大于 4095
problem-torch-tid = 的 tid 不是数字
problem-torch-start = 没有开始时间（ts）
problem-torch-duration = 没有时长（dur）
problem-pipeline-stage = 阶段
problem-pipeline-microbatch = 微批
problem-pipeline-chunk = 分块
problem-strategy-ends = 策略在应有{ $what }处提前结束；请给出完整的文件
problem-strategy-word = '{ $word }' 处应为{ $what }（0 至 { $most }）
problem-strategy-operators = 算子数
problem-strategy-name = 算子的名称
problem-strategy-kind = 设备的种类
problem-strategy-parts = 份数
problem-strategy-device = 设备
problem-strategy-unknown = 在策略中，而不在图中；请用这个图的策略
problem-strategy-split = 不能按 { $dims } 切分；其选项有 { $known }
problem-strategy-devices = 有 { $parts } 份和 { $devices } 个设备；请为每一份指定一个设备
problem-strategy-no-device = 位于设备 { $device }，而机器有 { $devices } 个；请从 0 开始编号
problem-strategy-json = 它不是策略（{ $reason }）；请给出由含 op、dims 和 devices 的对象组成的列表
problem-search-empty = 模型没有算子；请给出有计算的模型
problem-strategy-proto = 它不是 FlexFlow 以 protocol buffer 写出的策略，或不完整；请给出其写出的文件、文本或 JSON
problem-strategy-proto-empty = 该 protocol buffer 没有算子；请给出 FlexFlow 写出的策略
problem-strategy-negative = 在应有{ $what }处为负数；请给出未经改动的文件
problem-search-bandwidth = 机器的带宽为 { $speed } byte/ms；必须大于 0
problem-search-graph = 它不是算子图（{ $reason }）；请给出含列表 'ops' 的 JSON，每项含 id、name、inputs、outputs 和 options
problem-search-operators = 图有 { $count } 个算子；请用 1 至 { $most } 个
problem-search-id = 与另一个节点的 id { $id } 相同；请为每个节点给出不同的 id
problem-search-no-node = 读取节点 { $node }，而它不存在；请写已有的节点或 -1
problem-search-order = 读取节点 { $node }，而它不在其之前（有环，或未按拓扑顺序）；请重排节点
problem-search-output = 读取 '{ $node }' 的输出 { $output }，而它只有 { $count } 个；请从 0 开始编号
problem-search-shapes = 从 '{ $node }' 读取形状为 { $shape } 的张量，而它产生 { $made }；请使二者一致
problem-search-shape = 有形状为 { $shape } 的张量；每一维必须不小于 1，且乘积不大于 2^48
problem-search-options = 有 { $count } 个选项；请给出 1 至 { $most } 个，每个含 dims 和 ms
problem-search-parts = 有 dims 为 { $dims } 的选项；请用 1 至 { $most } 份
problem-search-cost = dims 为 { $dims } 时耗时 { $ms } ms；耗时须在 0 至 1e9 ms 之间
problem-compiled-after-end = 结束指令之后有非 0 的字节
problem-compiled-header = 文件头不是 64 字节
problem-compiled-tables = 表的数量超过 { $most }
problem-compiled-offset = 偏移指向表外
problem-compiled-length = 长度超出表的大小
problem-compiled-required = 缺少必需的字段
problem-compiled-value = 有一个值无法读取
problem-llm-host-stages = 从主机加载的情形只按一个阶段估计
problem-llm-no-tokens = 该模型是编码器，不生成 token；请去掉此选项
problem-no-regular-file = 不是普通文件
problem-broken-link = 不是普通文件，或是失效的链接
problem-device = 是设备，而不是文件
problem-no-file-name = 不是文件名
problem-zip-twice = 同一文件出现两次
problem-compression = 压缩比超过 { $most }:1；已截断
problem-temporary = 无法在同一目录写临时文件
problem-constants-value = "{ $key }" 不是 [value, source]
problem-constants-key = 未知的键 "{ $key }"
problem-constants-memory = { $value } 不是存储器
problem-constants-missing = 缺少 "{ $key }"
problem-constants-version = "schema_version" 不是 { $version }
problem-constants-size = 有一个大小为 0，或超出任何芯片
problem-constants-transfer = 有一项搬运（transfers）不是对象
problem-constants-rate = 有一项搬运（transfers）的速率为 0
problem-constants-checked = "checked" 已损坏
