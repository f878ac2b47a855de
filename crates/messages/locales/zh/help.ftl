# 帮助文本（英文在声明选项处），以及命令行的错误。

help-error = { $kind ->
    [no-value] “{ $arg }”需要一个值，但没有给出
    [invalid-value] “{ $arg }”的值“{ $value }”无效
    [value] “{ $arg }”的值“{ $value }”无效：{ $reason }
    [unknown] 未知的参数“{ $arg }”
    [command] 未知的子命令“{ $command }”
    [no-equals] 给“{ $arg }”赋值时需要等号
    [too-many] “{ $arg }”不能再有值“{ $value }”
    [too-few] “{ $arg }”需要 { $least } 个值，只给出了 { $actual } 个
    [number] “{ $arg }”需要 { $expected } 个值，给出了 { $actual } 个
    [conflict] “{ $arg }”不能与“{ $prior }”同时使用
    [missing] 缺少必需的参数：{ $arg }
    [missing-command] “{ $command }”需要一个子命令，但没有给出
   *[utf8] 参数中有无效的 UTF-8
}
help-error-tip = { $kind ->
    [values] 可选值：{ $all }
    [like-argument] 提示：有相近的参数：{ $all }
    [like-value] 提示：有相近的值：{ $all }
   *[like-command] 提示：有相近的子命令：{ $all }
}
help-error-reason = { $kind ->
    [large] 数字过大
    [small] 数字过小
    [whole] 不是整数
    [number] 不是数
    [pattern] 不是合法的正则表达式
   *[other] { $text }
}

# 多个命令共有的选项。

help-any-lang = 控制台与 report.md 中句子的语言（默认：中文 locale 下为中文，否则为英文），也是页面打开时的语言（默认：浏览器的语言）；名称、键和表头在两种语言中相同
    .v-en = 英文
    .v-zh = 简体中文
help-any-perfetto = 只写出 trace、汇总和 report.json：适合 CI 的快速选择
help-any-disable_summary = 不写出也不显示汇总
help-any-disable_web = 不写出页面
help-any-disable_doc = 不写出工作簿；与 --disable_web 同用时也不写出寄存器文本
help-any-enable_doc = 使用 --perfetto 时以及事件超过 500000 个时也写出工作簿和寄存器文本
help-any-emit = 只写出这些视图，例如 trace,summary；代替以上选项以及 --events 和 --csv
help-any-events = 写出 events.parquet：每个事件一行，供查询使用
help-any-csv = 写出 events.csv：相同的行，文本格式；静态模型还写出 layers.csv、instructions.csv 和 operations.csv
help-any-arch = 芯片，用于没有注明芯片的转储：名称（例如 BM1690）或运行时的编号（例如 8800）
help-any-tiu_freq = TIU 时钟，单位 MHz（默认：来自 global.profile，否则用芯片的时钟）
help-any-iteration = 用于 libsophon 的 bmprofile_data*：只读取迭代 N（默认：全部，并列显示）
help-any-cores = 只报告这些核：编号和范围，例如 0,2-3
help-any-num_core = 只报告核 0..N-1；以 bigTpuProfile 之名运行时 N 是进程数，不起作用
help-any-compress_trace = 压缩 trace 的数据包：大小为四分之一；当前的查看器可以打开
help-any-detail = trace 对每条指令的说明：light 不含地址和形状，计数器取平均；compat 还把名称、类别和速率重复为参数，与 bigTpuProfile 0.3.7 相同（默认：200000 个事件以内为 full，超过为 light）
help-any-compat = 接受该版本 bigTpuProfile 的调用方式并写出它的文件（以 bigTpuProfile 之名运行时：0.3.7 的文件）
help-any-window = trace 只写出运行的这段时间，例如 100us:1.5ms、2ms: 或 :500us；从第一个事件起的 ns、us（或不写单位）、ms 或 s。其他结果仍针对整次运行
help-any-kernel = trace 只写出该名称的核函数或层运行的时间；* 代表任意文本，? 代表任意字符，例如 'matmul*'
help-any-trace_file = 要合并的主机 trace：torch profiler 或 tpudnn 的 Chrome JSON，可为 gzip 或 zip；多个文件各用一次本选项，按 baseTimeNanoseconds 对齐到同一时钟
help-any-host_align = 设备时间从主机时间线的何处开始
    .v-anchors = 依据主机的 tpudnn 事件；没有这类事件时设备时间从 0 开始
    .v-start = 主机 trace 的第一个事件处
help-any-step = 步（迭代）从何处开始：名称匹配的每个核函数处；与 --trace_file 同用时，主机的每个匹配事件为一步（默认：重复出现的核函数，以及主机的 ProfilerStep#N）
help-any-hw = 代替芯片数据的峰值与带宽，JSON 或 YAML：见 docs/analysis.md
help-any-full = 显示全部结果：阶段、核函数、roofline、间隙、均衡、全部建议及其依据
help-any-json = 只把 report.json 打印到标准输出
help-any-jobs = 线程数；0 表示使用所有处理器
help-any-quiet = 只打印错误
help-any-verbose = 显示整个台账和所有说明
help-any-strict = 如有数据丢失，以退出码 3 结束

# 分析。

help-program = 显示 TPU 一次运行的时间用在何处：分析运行时写出的 PMU 转储
    .examples =
        示例：
          bigtpuprofile cdm_profile_data_dev0-0 out --perfetto
              trace、汇总和 report.json：快速选择；在 https://ui.perfetto.dev 中打开 out/perfetto.pftrace
          bigtpuprofile cdm_profile_data_dev0-0 out
              全部输出：还有页面 out/PerfWeb/result.html、工作簿和寄存器文本
          bigtpuprofile cdm_profile_data_dev0-0 out --perfetto --trace_file torch_trace.json.gz
              同上，trace 中还有主机的算子
          bigtpuprofile cdm_profile_data_dev0-0 cdm_profile_data_dev1-0 out --perfetto
              多个设备：一个含全部设备的 trace 和表格，各转储的结果在各自的目录中
          bigtpuprofile run out --perfetto
              对目录 run 中的所有转储同样处理
          bigtpuprofile cdm_profile_data_dev0-0 out --strict || echo 'data was lost'
              用于脚本：转储不完整时退出码为 3

        选项名中的下划线与连字符等价：--trace_file 与 --trace-file 相同。
        与命令同名的转储目录请写成 ./synth。

        退出码：0 正常，1 错误，2 命令行无效，3 已完成但有数据丢失（使用 --strict 时），4 超出限值（diff --fail-on）。
    .first =
        最先使用的命令：
          bigtpuprofile cdm_profile_data_dev0-0 out
              分析转储：在浏览器中打开 out/PerfWeb/result.html
          bigtpuprofile synth demo && bigtpuprofile demo out
              没有设备时：先生成一个转储试用

        `bigtpuprofile --help` 显示全部选项与更多示例，`bigtpuprofile COMMAND --help` 显示某个命令的选项。
    .look = 查看
    .compare = 比较
    .many-dumps = 多个转储
    .plan = 规划
    .tools = 工具
help-program-input_dir = 转储目录：cdm_profile_data_dev*，含 global.profile 和 *.profile 文件；或含有多个转储的目录；或这类目录的 tar、tar.gz、zip 归档，- 表示从标准输入读取归档
help-program-output_dir = 存放结果的目录
help-program-more = 给出三个或更多目录时：除最后一个外都是转储，最后一个存放结果
help-program-generate = 打印 man 手册页或 shell 补全脚本，然后结束
    .v-man = 本程序的手册页
    .v-man-batch = batch 的手册页
    .v-man-cluster = cluster 的手册页
    .v-man-costs = costs 的手册页
    .v-man-diff = diff 的手册页
    .v-man-estimate = estimate 的手册页
    .v-man-explain = explain 的手册页
    .v-man-info = info 的手册页
    .v-man-open = open 的手册页
    .v-man-pipeline = pipeline 的手册页
    .v-man-query = query 的手册页
    .v-man-record = record 的手册页
    .v-man-search = search 的手册页
    .v-man-simulate = simulate 的手册页
    .v-man-synth = synth 的手册页
    .v-man-whatif = whatif 的手册页
    .v-complete-bash = bash 的补全脚本
    .v-complete-zsh = zsh 的补全脚本
    .v-complete-fish = fish 的补全脚本
    .v-complete-powershell = PowerShell 的补全脚本

# batch。

help-batch = 分析一个目录之下的所有转储
    .examples =
        示例：
          bigtpuprofile batch /data/profiles results --perfetto
              /data/profiles 之下的每个转储，结果在 results 下的相同相对路径中
          bigtpuprofile batch /data/profiles results --emit summary --strict
              只要合计；有转储不完整时退出码为 3
          bigtpuprofile batch /data/profiles results --events
              还有 results/events：所有转储的事件，按主机、运行、设备和调用分区
          bigtpuprofile batch /data/node2 results --perfetto --merge
              把另一个根目录的转储加到已有结果旁；不覆盖任何内容

          bigtpuprofile batch profiles.tar.gz results
              归档中的转储，无需事先解包
          bigtpuprofile batch /data/profiles results --shard 3/8
              每八个转储取一个，在八台机器之一上运行；然后：bigtpuprofile batch /data/profiles results --index

        已有结果且未改变的转储会被跳过。results/index.json 和 results/index.md 列出全部转储；results/index.html 显示它们合在一起的结论。

        退出码：0 正常，1 有转储无法分析，2 命令行无效，3 有数据丢失（使用 --strict 时）。
help-batch-root = 要搜索转储的目录，深度不限；或该目录的 tar、tar.gz、zip 归档，- 表示从标准输入读取归档
help-batch-out = 存放结果的目录：每个转储一个目录，以及索引
help-batch-only = 只分析这个转储（相对根目录的路径），不写索引：集群中每个转储一个进程。之后不带本选项的调用会找到这些结果并写出索引
help-batch-shard = 从编号 I（0 至 N - 1）开始每 N 个转储只分析一个，不写索引：每台机器或每个任务一个进程。之后不带本选项或带 --index 的调用写出索引
help-batch-index = 不作分析：写出输出目录之下所有结果的索引，包括各分片自己目录中的结果。不读取任何转储
help-batch-force = 重新分析所有转储
help-batch-merge = 加到输出目录中其他转储的结果旁

# cluster。

help-cluster = 把多个设备作为一次运行：链路、统一时钟、集合通信、等待、拖慢者
    .examples =
        示例：
          bigtpuprofile synth --cluster 8 run && bigtpuprofile cluster run out
              8 个设备的示例及其分析：out/cluster.html、cluster.pftrace、cluster.json、表格
          bigtpuprofile cluster run out --rank-table run/rank_table.json --scale 'link:0>1=2' --scale rank:3=0.5
              使用程序自己的 rank 编号，并作两个预测
          bigtpuprofile cluster part host0/cdm_profile_data_dev3-0 -o parts/host0-dev3.part
              合并所需的一个转储的内容：在各台机器上并行进行
          bigtpuprofile cluster join parts/*.part out
              只用这些部分文件得到同样的报告

        与子命令同名的目录请写成 ./part 或 ./join。所有数字的说明见 docs/cluster.md。
        退出码：0 正常，1 无法构成集群，2 命令行无效，3 使用 --strict 时缺少 rank、有数据丢失，或有 rank 没有链路连接。
help-cluster-paths = 其下有转储的目录，或这类目录的 tar、tar.gz、zip 归档，最后是存放结果的目录
help-any-rank-table = 运行时的 rank 表：每个 rank 的主机、设备和编号
help-any-chip-map = 每个 rank 的设备，与 CHIP_MAP 相同：0,2,6,7
help-any-topology = 已知的链路：含 links 的 JSON，或 c2c_port_info 的各行
help-any-groups = rank 分组的名称：JSON
help-any-call = 只取该次调用的转储
help-any-scale = 预测作出某项改变后的运行：link=2、link:0>1=2、rank:3=0.5、skew=0、latency=0.5、tiu=2、ddr=2、kernel:NAME=0.5；可多次给出
help-any-host-trace = 各 rank 主机的 trace（Chrome JSON），例如 'traces/*rank{"{"}rank{"}"}.json'；不含 {"{"}rank{"}"} 时由文件或其名称说明
help-any-host-sync = 各主机时钟的一致程度，单位 ns；不给出时，主机 trace 只把同一主机的设备对齐到统一时钟
help-any-trace = cluster.pftrace 中的核与引擎：full、comm（只有 rank、链路和操作）或 ranks=0,3；默认在 16 个 rank 和 2 GiB 以内为 full
help-cluster-emit = 写出什么（默认：全部）：page、trace、report、tables
    .v-page = cluster.html：所有 rank 在一个页面上
    .v-trace = cluster.pftrace：所有 rank 在统一时钟上，供 Perfetto 使用
    .v-report = cluster.json
    .v-tables = 操作、配对、状态和链路的 Parquet 表
help-cluster-strict = 缺少 rank、有数据丢失或有 rank 没有链路连接时以 3 结束
help-cluster-json = 把 cluster.json 打印到标准输出，代替汇总
help-cluster-jobs = 线程数；0 表示每个处理器一个
help-cluster-join-emit = 写出什么（默认：全部）：page、trace、report、tables
    .v-page = cluster.html：所有 rank 在一个页面上
    .v-trace = cluster.pftrace：所有 rank 在统一时钟上，供 Perfetto 使用
    .v-report = cluster.json
    .v-tables = 操作、配对、状态和链路的 Parquet 表
help-cluster-join-strict = 缺少 rank、有数据丢失或有 rank 没有链路连接时以 3 结束
help-cluster-join-json = 把 cluster.json 打印到标准输出，代替汇总
help-cluster-join-jobs = 线程数；0 表示每个处理器一个
help-cluster-part = 取出合并所需的一个转储的内容
help-cluster-part-dump = 转储
help-cluster-part-out = 部分文件的路径，或存放 DUMP.part 的目录
help-cluster-part-dumps = 含集群所有转储路径的文件，每行一个：主机名是转储上方各不相同的那级名称，与 `cluster RUN OUT` 相同
help-cluster-part-path = 该转储在列表中的路径，用于 DUMP 是其副本的情况
help-cluster-part-host = 主机的名称（默认：转储上方最近的、不是 rank 或重复编号的目录）
help-cluster-part-host-trace = 该 rank 的主机 trace（Chrome JSON）：通信的名称、步，以及设备在其时钟上的位置
help-cluster-part-jobs = 线程数；0 表示每个处理器一个
help-cluster-join = 合并部分文件；不需要转储
help-cluster-join-paths = 部分文件，最后是存放结果的目录

# costs。

help-costs = 测量每个核函数、层或范围执行一次的耗时
    .examples =
        示例：
          bigtpuprofile synth demo && bigtpuprofile costs demo -o costs.json
              每个核函数执行一次的耗时；接着：bigtpuprofile pipeline --costs costs.json --stages 4 --microbatches 8
          bigtpuprofile costs demo --scope 'matmul.*|flash_attention=matrix' --scope '.*=vector' --drop-warmup 1 --hw h100-sxm
              把核函数分组，不计各自的第一次执行，并给出 H100 所需的能量

        阶段标记是 decode 的开始：执行的编号（从 0 开始）、核函数或层的名称（可用 * 与 ?）、after:NAME 表示该部分的结束，或 host:NAME 表示 --trace_file 中的事件。定义见 docs/prediction/costs.md。
help-costs-dumps = 转储目录；相同芯片、相同核数上同一部分的各次执行取平均
help-costs-out = 结果的文件，或存放 costs.json 的目录
help-costs-scope = 把名称匹配的连续部分合为一组：'REGEX=NAME'，例如 'l([0-9]+)_.*=block$1'；可多次给出，以第一条匹配的规则为准
help-costs-phase-marker = 区分 prefill 与 decode：执行的编号、NAME、after:NAME 或 host:NAME
help-costs-trace_file = 含阶段标记事件的主机 trace
help-costs-drop-warmup = 不计每个转储中每个部分的前 N 次执行
help-costs-passes = 每个转储中模型执行的遍数；流水线与方案以一遍为起点
help-costs-hw = 取其能量数据的机器：文件，或预设的名称
help-costs-json = 只把 costs.json 打印到标准输出

# diff。

help-diff = 比较两次运行或两组运行；给出限值时可作 CI 的门禁
    .long = 每一侧是一个转储目录、一个 report.json、含 report.json 的目录，或其下任意深度含有多个这些内容的目录。主机、设备和调用相同的运行是重复运行；每个设备和调用只与自身比较。
    .examples =
        示例：
          bigtpuprofile synth before && bigtpuprofile synth after --plant imbalance=2:1.5 && bigtpuprofile diff before after -o out
              控制台显示结论、最大的原因和简短表格；out 中有全部表格：文本、Markdown、JSON、HTML 和 JUnit XML
          bigtpuprofile diff baseline/report.json after --fail-on 'total>+3%' --fail-on 'loss>0'
              用于 CI：某设备耗时增加超过 3 % 或丢失数据时退出码为 4
          bigtpuprofile diff --history history results --label 3f2a1bc --fail-on-slower
              用于 CI：记住本次运行，并说明核函数从哪次运行起变慢

        退出码：0 正常，1 错误，2 命令行无效，4 超出限值。限值、重复运行与噪声见 docs/ci.md。
help-diff-before = 修改前的一次或多次运行
help-diff-after = 修改后的一次或多次运行；不与 --history 同用
help-diff-also-before = 修改前的另一次运行；可多次给出
help-diff-also-after = 修改后的另一次运行；可多次给出
help-diff-pool = 把仅在这些方面不同的运行视为彼此的重复：host、device、call 或 all；多个用逗号分隔
    .long = 默认只比较主机、设备和调用相同的运行，限值对每个设备和调用分别生效。主机、设备和调用取自目录的名称：node1/cdm_profile_data_dev3-0 是主机 node1 的设备 3、调用 0。1、run-1 和 rep1 这样的目录是重复运行。
    .v-host = 不同主机的运行是重复
    .v-device = 不同设备的运行是重复
    .v-call = 不同调用的运行是重复
    .v-all = 一侧的所有运行都是重复
help-diff-workload = 所有运行所属的工作负载的名称（默认：其中运行了不同程序的目录的名称）
    .long = 不同程序（芯片、核函数或层、指令不同）的运行绝不视为重复：各有各的结论，限值对每个分别生效。
help-diff-dry-run = 只打印哪些运行会与哪些运行比较
help-diff-pairs = 两侧的第 n 次运行相互对应：它们是轮流运行的（前、后、后、前……）
    .long = 一对中两次运行共有的影响，例如当天的偏移或漂移，就不算变化。需要五对或更多。何时使用什么见 docs/ci.md。
help-diff-history = 把运行加入该目录中的历史，并显示总时间、核函数或层从哪次运行起变慢
    .long = DIR/history.jsonl 为每次运行及其结论各有一行；history.html、history.json 和 history.junit.xml 含有结果。已有的运行不会再次加入。有两到四个构建出现变化时即可判定，模拟时间则立即判定；实测时间的构建少于七个时结果为 `skipped`。
help-diff-label = 与 --history 同用：这些运行的名称，例如提交号：它们是一个构建（默认：每次运行是一个构建，以其路径为名）
help-diff-link = 与 --history 同用：构建信息的网址，例如其任务或提交；history.html 会链接到它
help-diff-false-alarms = 与 --history 同用：所有时间合计，这么多个构建中至多有一个误报
help-diff-least-change = 与 --history 同用：更小的变化不算变化
help-diff-fail-on-slower = 与 --history 同用：若某个时间自最后加入的某次运行起变长，以退出码 4 结束
help-diff-out = 在该目录写出 diff.txt、diff.md、diff.json、diff.junit.xml 和 diff.html；比较转储时 diff.html 含两条时间线
help-diff-fail-on = 某行超出限值时以退出码 4 结束，例如 'total>+3%'、'kernel:matmul*>+5%'、'loss>0'；可多次给出，见 docs/ci.md
help-diff-allow-missing = 限值的对象已消失或从未存在时只作警告（默认：判为失败）
help-diff-fail-on-unmatched = 某个工作负载、设备或调用只有修改后的运行时也判为失败
help-diff-no-baseline = 还没有基线：两侧给出相同的运行。跳过对变化的限值，对数值的限值仍生效
help-diff-json = 把比较打印为 JSON（与 diff.json 相同），代替表格
help-diff-full = 显示全部表格：还有步、关键路径、引擎、操作码、数据类型、形状、方向
help-diff-quiet = 只打印错误、警告和失败的限值

# estimate。

help-estimate = 估计模型在其他硬件上的时间、能量和字节数
    .long = 模型可以是算子列表（JSON）、记录了形状的 torch profiler trace、ONNX 模型、FlexFlow 图（.ff）、语言模型（--hf），或实测的运行：转储目录或 costs.json。
    .examples =
        示例：
          bigtpuprofile estimate model.onnx --on aks,h100-sxm --dtype int8 --batch 4
              在 AKS 与 H100 上的时间和能量，并列显示
          bigtpuprofile estimate cdm_profile_data_dev0-0 --on aksv,h100-sxm
              为其他硬件预测一次实测的运行
          bigtpuprofile estimate ops.json --on h100-sxm --map 'lm_head:PIM-AI-1chip,t' -o out
              除最后一层外都在 H100 上，最后一层的输入每次都要传送；out/estimate.html 含图表
          bigtpuprofile estimate --hf config.json --on h100-sxm --batch 8 --context 2048 --output-tokens 256 --tensor-parallel 1,2,4
              语言模型：首个词元与其后每个词元的时间、内存、tokens/s

        `bigtpuprofile estimate --list` 显示已知的机器。其他机器的文件、公式和假设见 docs/prediction/estimate.md，语言模型见 docs/prediction/llm.md。
help-estimate-model = 算子列表、torch trace（.json、.json.gz）、.onnx、.ff、转储目录或 costs.json
help-estimate-on = 目标：已知机器的名称，或描述机器的 YAML 文件；多个目标相互比较
help-estimate-map = 让某个上下文、类别或函数在另一台机器上运行：'CONTEXT:MACHINE' 或 'CONTEXT:MACHINE,FLAGS'；标志 t 每次传送其输入，m 对所有专家传送一次；可多次给出
help-estimate-dtype = 元素类型：fp32、tf32、fp16、bf16、fp8、int8、int4……
help-estimate-batch = 批大小：ONNX 模型未定的第一维；对记录的算子和运行，为其含有的序列数
help-estimate-last-layer = 一遍的最后一层 [默认：lm_head]
help-estimate-kv-heads = 键和值的头数，若少于记录的头数（grouped-query attention）
help-estimate-sliding-window = 一个查询所关注的键和值的行数（滑动窗口）
help-any-input-shape = 一个输入的形状，'1,3,224,224'，按 .ff 文件中的顺序；ONNX 用 'NAME=1,3,224,224'
help-any-dim = ONNX 模型未定的一维的大小：'NAME=SIZE'
help-any-input-value = ONNX 模型的一个输入的整数值，它决定运行哪个分支或循环多少次：'NAME=NUMBER' 或 'NAME=NUMBER,NUMBER'
help-any-unknown-as-memory = 按文件给出的形状，把 ONNX 模型的未知算子计为每个元素一次运算
help-estimate-parts = 实测运行的部分的种类：layer、scope 或 kernel [默认：按此顺序取第一个存在的]
help-estimate-phase = 实测运行的阶段：prefill 或 decode [默认：两者]
help-estimate-compat = 使用另一工具的公式，包括其中的错误
    .v-upmem = UPMEM LLM 框架
help-estimate-json = 以 JSON 打印所有算子和合计
help-estimate-out = 在该目录写出 estimate.html 和 estimate.json（使用 --hf 时为 llm.html 和 llm.json）
help-estimate-list = 列出已知的机器，及其峰值和数字的来源
help-estimate-hf = 估计语言模型：Hugging Face 的 config.json，或含有它的目录
help-estimate-context = 每个提示的词元数
help-estimate-output-tokens = 为每个提示生成的词元数 [默认：128；编码器不生成]
help-estimate-tensor-parallel = 共同存放每个矩阵的设备数；多个值相互比较
help-estimate-pipeline-parallel = 由连续的层组成的阶段数；多个值相互比较
help-estimate-expert-parallel = 分担专家和序列的设备组数；多个值相互比较
help-estimate-weight-dtype = 各层矩阵的类型；多个类型相互比较 [默认：文件所给，否则 --dtype]
help-estimate-head-dtype = 与词表相乘的 `lm_head` 的类型 [默认：文件所给，否则 --dtype]
help-estimate-kv-dtype = 所存键和值的类型 [默认：--dtype]
help-estimate-link-gbps = 两个设备间一条链路的单向带宽，单位 GB/s [默认：目标公布的数值]
help-estimate-link-latency = 这种链路的延迟，单位 ns [默认：目标公布的数值，否则 0]
help-estimate-memory = 一个设备的内存，单位字节 [默认：目标的描述所给]
help-estimate-draft = 推测解码：提议词元的小模型的 config.json，或含有它的目录
help-estimate-draft-tokens = 小模型每步提议的词元数（gamma）
help-estimate-acceptance = 提议的词元被接受的概率（alpha），0 到 1
help-estimate-offload-weights = 由主机保存、每次执行时载入的层权重的比例，0 到 1
help-estimate-offload-cache = 由主机保存、每个词元都要载入的 key 和 value 的比例，0 到 1
help-estimate-host-gbps = 主机与设备之间的带宽，GB/s，单向 [默认：目标机器公布的值]
help-estimate-calibrate = 依照自己的测量：对模型，给出实测行的列表（JSON）；对语言模型，也可给出转储，其达到上限的比例用于同一芯片的目标

# explain。

help-explain = 解释一条建议的规则、一个术语、指标、列、字段、说明或错误；显示文档
    .examples =
        示例：
          bigtpuprofile explain serialized
              这条建议的含义、何时给出，以及其收益如何计算
          bigtpuprofile explain slack
              术语、指标、表格的列、查询或 report.json 的字段的含义
          bigtpuprofile explain 'no global.profile here'
              说明或错误（或其中一部分）：完整的句子、原因、该做什么
          bigtpuprofile explain TIU 为什么空闲
              一个问题：文档中回答它的一节，以及其他相关的节
          bigtpuprofile explain docs/capture.md
              消息中提到的文档；docs/analysis.md#roofline 是其中一节
          bigtpuprofile explain
              所有可解释的名称
help-explain-words = 结果与文档中的名称或句子，或一个问题；不给出时列出所有名称

# info。

help-info = 显示转储的内容，以及是否完整
    .examples =
        示例：
          bigtpuprofile info cdm_profile_data_dev0-0
              芯片、模式、各引擎的记录数、PMU 环形缓冲应有的大小，以及缺少什么
          bigtpuprofile info old_dump --arch BM1690
              global.profile 没有注明芯片的转储
          bigtpuprofile info large_dump --headers
              同样的内容，但不读取记录与指令：无论转储多大都即刻完成
help-info-dump = 转储目录，或含有转储的目录
help-info-headers = 只读取文件和块的头部：记录与指令只计数而不读取，因此无法验证完整性
help-info-iteration = 用于 libsophon 的 bmprofile_data*：只显示迭代 N（默认：全部）

# open。

help-open = 在浏览器中显示转储、其结果或 trace
    .examples =
        示例：
          bigtpuprofile open cdm_profile_data_dev0-0
              分析转储，并在浏览器中显示其页面
          bigtpuprofile open out --perfetto
              在 https://ui.perfetto.dev 中显示 out 中的 trace，各核展开，关键路径置顶
          bigtpuprofile open out/perfetto.pftrace --offline perfetto_ui
              同上，使用目录 perfetto_ui 中的查看器副本，无需网络
          bigtpuprofile open --page-only -o bigtpuprofile.html
              把分析器写成一个 HTML 文件，用于不能安装任何软件的机器

        文件只在 127.0.0.1 上提供，其地址无人知晓。浏览器取得文件后命令即结束。
help-open-what = 转储目录、结果目录、trace（*.pftrace）或页面（*.html）
help-open-page = 显示页面（默认，trace 除外）
help-open-perfetto = 在 Perfetto 的查看器中显示 trace
help-open-offline = 使用该目录中的 Perfetto 查看器副本：含 index.html 的目录
help-open-port = 127.0.0.1 的端口。ui.perfetto.dev 的查看器只接受来自 9001 的 trace（默认：trace 用 9001，页面用任意其他端口）
help-open-no_browser = 只打印地址
help-open-page-only = 把分析器写成一个 HTML 文件，可在任何浏览器中分析转储，不打开任何内容；发布版的程序含有它
help-open-output = --page-only 的文件，或存放 bigtpuprofile.html 的目录

# pipeline。

help-pipeline = 模拟流水线调度：总时长、空泡、内存、图
    .examples =
        示例：
          bigtpuprofile pipeline --schedule all --stages 4 --microbatches 8 --fwd 1315 --bwd 2733 --wgt 2650
              所有调度并列，最短的在前
          bigtpuprofile pipeline --schedule zbv --stages 4 --microbatches 8 --fwd 1315 --bwd 2733 --wgt 2650 --comm 50 -o out
              一个调度的图、页面和 trace
          bigtpuprofile pipeline --schedule 1f1b --costs costs.json --stages 4 --microbatches 16 -o out
              把实测的层尽可能均匀地切成 4 个阶段（只有前向；--training 加上梯度）
          bigtpuprofile pipeline --graph graph.json
              自己给出的事件与边；--save-graph 写出某个调度的事件与边
          bigtpuprofile pipeline --torch trace.json --schedule 1f1b,zb-h1 -o out
              把记录的流水线与按其耗时的理想调度比较
help-pipeline-schedule = gpipe、1f1b、1f1b-eager、interleaved、zb、zb-h1、zb-h2、zbv、dualpipe；多个用逗号分隔；或 all
help-pipeline-stages = 阶段数（设备数）
help-pipeline-microbatches = 微批数
help-pipeline-chunks = 每个阶段的分块数 [默认：interleaved、zbv 与 dualpipe 为 2，否则为 1]
help-pipeline-fwd = 一个阶段的前向时间，单位任意
help-pipeline-bwd = 一个阶段的反向时间（输入的梯度）
help-pipeline-wgt = 一个阶段的权重梯度的时间
help-pipeline-stage = 部分阶段的时间，例如 0-3=1315,2733,2650；可多次给出
help-pipeline-comm = 结果到达另一阶段所需的时间
help-pipeline-link-time = 两个阶段之间的该时间，例如 1-2=400，双向相同；可多次给出
help-pipeline-link-occupancy = 一条链路同时只传送一个结果
help-pipeline-cost-per = 时间属于一个阶段（由其各分块分担）还是属于每个分块 [默认：stage]
    .v-stage = 整个阶段
    .v-chunk = 每个分块
help-pipeline-bwd-without-wgt = 不拆分反向的调度不计权重的梯度
help-pipeline-max-activations = 一个阶段的激活数上限，以分块计，用于 zb 与 zbv
help-pipeline-mem-fwd = 一次前向使其阶段增加的内存字节数
help-pipeline-offload-time = 把一次前向所增加的内存移到主机所需的时间，移回也需同样的时间：前向与反向之间放得下的就移走
help-pipeline-mem-bwd = 一次反向使其阶段的字节数改变多少
help-pipeline-mem-wgt = 一次权重梯度使其阶段的字节数改变多少
help-pipeline-costs = 用该文件的实测部分构成各阶段，文件由 `bigtpuprofile costs` 写出
help-pipeline-parts = 从 --costs 取哪种部分：layer、scope 或 kernel
help-pipeline-phase = 从 --costs 取哪个阶段的部分：prefill 或 decode
help-pipeline-partition = 各阶段的部分，例如 0-7,8-15 [默认：切成 --stages 个阶段的最佳切法]
help-pipeline-training = 按每个部分的作用加上梯度的时间，实测的部分不含这些时间
help-pipeline-torch = 流水线的 torch profiler trace（JSON 或 .gz）：与理想调度比较
help-pipeline-graph = 模拟该文件（JSON）中的图，代替调度
help-pipeline-save-graph = 把调度的图写到该文件（JSON）：带时长的事件和边
help-pipeline-plan = 含这些选项的 YAML 文件；命令行优先
help-pipeline-sweep = 尝试 microbatches、stages、chunks 或 comm 的多个值，例如 microbatches=4,8,16；可多次给出
help-pipeline-compat = 另一程序的规则：perflow
    .v-perflow = PerFlow-AI 0.1
help-pipeline-unit = 时间的单位，用于标注
help-pipeline-json = 打印 JSON
help-pipeline-out = 在该目录写出 pipeline.svg、pipeline.html 和 pipeline.pftrace

# query。

help-query = 按任意数值查找指令，并求和
    .examples =
        示例：
          bigtpuprofile query cdm_profile_data_dev0-0 'bytes>1MiB stride_enable=1 not:wait' --sort dur
              带步幅且超过 1 MiB 的搬运，最长的在前
          bigtpuprofile query cdm_profile_data_dev0-0 'layer:conv* dur>5us' --by name
              名称或运算以 conv 开头的层中长于 5 us 的指令：按函数给出数量、时间和字节数
          bigtpuprofile query cdm_profile_data_dev0-0 gap:sync --csv > gaps.csv
              一个引擎等待另一引擎的时间，供脚本使用

        查询的各部分必须同时满足；请加引号，因为 < 与 > 对 shell 有特殊含义。字段见 docs/query.md；每个寄存器字段也都可用。
help-query-dump = 转储目录
help-query-query = 要查找什么，例如 'bytes>1MiB dur>5us'；没有字段的词在名称中查找；多个参数合为一个查询；不给出时为所有指令
help-query-by = 按某个字段的值对找到的内容求和，例如 kernel 或 stride_enable
help-query-sort = 按某个字段排序：数字从大到小，文本按字母（默认：按开始时间）；与 --by 同用时按 count、time、bytes 或该字段（默认：time）
help-query-limit = 最多显示 N 条指令或 N 组（默认：表格中 20，CSV 与 JSON 中为全部）
help-query-csv = 把 CSV 打印到标准输出：events.csv 的各列，以及查询中用到的寄存器字段
help-query-json = 把 JSON 打印到标准输出：合计，以及相同的各列

# record。

help-record = 打开采集并运行程序，然后分析它写出的内容
    .examples =
        示例：
          bigtpuprofile record --open -- python train.py
              打开采集并运行程序，分析它写出的转储，并显示页面
          bigtpuprofile record --perfetto -o out -- tpu-model-rt --bmodel model.bmodel
              静态模型：out 中有 trace、汇总和 report.json
          bigtpuprofile record --retry -- python train.py
              环形缓冲过小时，以更大的缓冲重新运行
          bigtpuprofile record --runs 6 --compare './kernel_old' -- ./kernel_new
              两者轮流运行，各六次，并说明新的是否更慢
          bigtpuprofile record --host-trace 'trace*.json' -- python train.py
              合并程序写出的 torch.profiler 的 trace

        程序在当前目录中运行，使用自己的标准输入输出。其退出码即本命令的退出码，除非为 0：这时退出码是分析的退出码，使用 --compare 时是 diff 的退出码。torch-tpu 只在 enable_profile 与 disable_profile 之间采集：调用方法见 docs/capture.md。
help-record-command = 要运行的程序及其参数
help-record-mode = 采集模式：0 记录，1 还有指令的类型，2 还有指令的完整位（默认：环境变量的值，否则 2）
help-record-records = 每个 PMU 环形缓冲的记录数（默认：运行时的设定）
help-record-out = 存放结果的目录
help-record-open = 在浏览器中显示页面
help-record-no_browser = 与 --open 同用：只打印地址
help-record-host-trace = 合并程序在其目录中写出的、名称相符的主机 trace，例如 'trace*.json'
help-record-retry = 如果 PMU 环形缓冲已满，以更大的缓冲重新运行程序（在终端上会询问）
help-record-runs = 运行程序 N 次：结果在 run-1 至 run-N，并给出时间的离散程度
help-record-compare = 与之前的结果比较，或与另一个命令比较（它与本命令轮流运行）：一个路径，或 shell 的一行命令
help-record-fail-on = 与 --compare 同用：某行超出限值时以退出码 4 结束，与 diff 相同

# search。

help-search = 搜索如何把模型拆分到多个设备
    .examples =
        示例：
          bigtpuprofile search model.ff --input-shape 64,3,224,224 --machine 1x4 --on h100-sxm --enable-parameter-parallel
              四个设备的策略；算子的时间由芯片的峰值估计
          bigtpuprofile search graph.json --budget 20000 --alpha 5 --seed 1 --export best.strategy --taskgraph tasks.dot
              给定耗时的算子，在文件所描述的机器上
          bigtpuprofile search costs.json --machine 1x8 --link-gbps 50 --link-latency 1500 --memory 16000000000 -o out
              实测的层：精确求出阶段与张量并行，并以流水线显示
help-search-graph = 算子图（含耗时的 JSON、.ff 或 .onnx），或转储的 costs.json：由层组成的链
help-search-machine = 节点数 x 每个节点的设备数，例如 2x4，或机器文件 [默认：图自身的机器]
help-search-batch = ONNX 模型的输入第一维的大小，用于模型未定该维的情况
help-search-link-gbps = 两个设备间一条链路的单向带宽，单位 GB/s [默认：转储测得的数值，否则为设备公布的数值]
help-search-link-latency = 这种链路的延迟，单位 ns [默认：设备公布的数值，否则 0]
help-search-handed-bytes = 实测运行的每个部分传递的字节数，用于 costs.json 没有说明的情况
help-search-on = 每个设备：已知机器的名称，或描述它的文件 [默认：aks]
help-search-dtype = 所估计算子的数据类型 [默认：float16]
help-search-budget = 每条链的候选数 [默认：20000]
help-search-alpha = 接受更差策略的概率为 exp(-A x ms) [默认：慢 2 % 的策略为 1/e]
help-search-seed = 随机数的种子 [默认：1]
help-search-starts = 链的起点：one-device、data-parallel、model-parallel、dynamic-programming、random [默认：除 random 外的全部]
    .v-data-parallel = 把批拆分到所有设备
    .v-model-parallel = 每个算子在一个设备上，依次轮换
    .v-one-device = 全部在一个设备上
    .v-dynamic-programming = 对算子作动态规划得到的结果
    .v-random = 任意
help-search-import = 另有一条链从该策略开始（FlexFlow 的文本或 .pb，或 JSON）
help-search-export = 把最佳策略以 FlexFlow 的文本写到该文件
help-search-evaluate = 不作搜索，只模拟该策略
help-search-only-data-parallel = 只把批拆分到所有设备
help-search-enable-parameter-parallel = 还拆分线性算子和嵌入的通道
help-search-enable-attribute-parallel = 还拆分图像的高度
help-search-enable-propagation = 还沿用相邻算子的拆分与设备
help-search-overlap = 权重的同步在计算期间进行，而不是在最后
help-search-training = 还模拟反向
help-search-memory = 一个设备的内存，单位字节；多个设备时需要 [默认：设备公布的数值]
help-search-ignore-memory = 不考虑设备的内存
help-search-taskgraph = 把最佳策略的任务图以 Graphviz 的 DOT 语言写到该文件
help-search-compgraph = 把算子图以 DOT 写到该文件
help-search-parts = 从 costs.json 取哪种部分：layer、scope 或 kernel
help-search-phase = 从 costs.json 取哪个阶段的部分：prefill 或 decode
help-search-microbatches = 实测运行中依次执行的微批数；每个是实测的一遍 [默认：64]
help-search-compat = 另一程序的规则：flexflow2018
    .v-flexflow2018 = FlexFlow 2018 年的独立模拟器
help-search-json = 打印 JSON
help-search-out = 用于链：在该目录写出 pipeline.svg、pipeline.html 和 pipeline.pftrace

# simulate。

help-simulate = 在没有硬件时预测指令流的时间线
    .examples =
        示例：
          bigtpuprofile simulate bmprofile_data-1
              由指令的位推算出的各核时间，与实测时间并列
          bigtpuprofile simulate bmprofile_data-1 out
              同上，out 中还有：commands.csv（逐条指令）、simulate.html 和 simulate.pftrace（两条时间线），以及模拟运行的所有视图
          bigtpuprofile simulate model.bmodel out
              没有硬件时的编译模型
          bigtpuprofile simulate bmprofile_data-1 --json | jq .marks
              用于脚本：时间中有多少是精确的、拟合的、估计的和未经验证的
          bigtpuprofile simulate --calibrate my_dump other_dump --to my.json
              由自己的记录得到常数，用于 bigtpuprofile simulate model.bmodel --model my.json

        INPUT 是带描述符的转储（PMU 模式 2、静态模型、libsophon 的指令文件）、.bmodel，或 CModel 的指令文件（LABEL-LAUNCH-GROUP.BD.CORE ...，其中一个或其目录；需要 --chip）。每条指令的时间是精确的（与硬件的周期数一致）、拟合的、估计的或未经验证的；规则及其误差见 docs/prediction/simulate.md。
help-simulate-input = 带描述符的转储目录、.bmodel，或 CModel 的指令文件
help-simulate-output = 输出目录
help-simulate-emit = 只写出模拟运行的这些视图，例如 trace,summary
help-simulate-chip = 指令文件的芯片，文件自身没有注明；对 .bmodel：代替其自身的芯片
help-simulate-net = 只取 .bmodel 的这个网络
help-simulate-stage = 只取 .bmodel 每个网络的这个阶段（输入的形状，从 0 开始）
help-simulate-model = 代替芯片自身常数的常数：--calibrate 的文件
help-simulate-calibrate = 用同一芯片的这些转储的记录拟合常数，并显示未用于拟合的每隔一条指令的误差
help-simulate-to = 与 --calibrate 同用：把常数写到这里，供 --model 使用
help-simulate-json = 只把结果以 JSON 打印到标准输出

# synth。

help-synth = 写出合成转储：用于演示、测试和测量
    .examples =
        示例：
          bigtpuprofile synth demo && bigtpuprofile demo demo_out --perfetto
              一个示例转储及其分析
          bigtpuprofile synth big --launches 20000 --cores 8 --mode 2
              一个大的转储
          bigtpuprofile synth model --writer model-rt
              模型运行时形式的转储：其键、文件、屏障和拷贝
          bigtpuprofile synth slow --plant imbalance=2:1.5 --plant slow-kernel=rope:3
              带有故障的转储，分析应能发现这些故障
          bigtpuprofile synth model --style bmodel --bmodel model.bmodel --cmodel commands
              静态模型的转储、.bmodel 和指令文件：simulate 给出的三者时间相同
          bigtpuprofile synth run --cluster 8 --plant late-rank=3:1.3
              8 个相连设备的转储，其中一个较慢

        相同的选项给出相同的字节。
help-synth-out = 存放转储的目录；新目录或空目录
help-synth-writer = 转储采用哪种运行时的形式
    .v-plain = 简单的形式，不属于特定运行时
    .v-tpudnn = tpudnn，算子模式（AKS、AKSV）
    .v-model-rt = 模型运行时，静态模型（AKS、AKSV）
    .v-libsophon = libsophon：CV84X6，以及 bmprofile_data* 形式的 BM1688
help-synth-chip = 芯片；默认为 aks，--writer libsophon 时为 cv84x6
help-synth-cores = 工作的核数（默认：芯片的全部）
help-synth-style = 指令如何派发；默认为 op，--writer model-rt 或 libsophon 时为 bmodel
    .v-op = 逐个核函数，与 eager 模式的 PyTorch 相同
    .v-graph = 缓存的描述符流
    .v-rvt = RISC-V 张量前端（AKSV、CV84X6）
    .v-bmodel = 静态模型
help-synth-mode = 采集模式：0 记录，1 还有派发的指令，2 还有指令的完整位；默认为 2，使用 --writer 时为该运行时的模式
help-synth-launches = 每个核上启动核函数的次数
help-synth-repeat = 每次启动的分块数
help-synth-cdma = 使用的 CDMA 端口数（AKS、AKSV）
help-synth-seed = 随机数的种子
help-synth-loss = 丢失的记录所占的比例，0 至 1
help-synth-disorder = SDMA 与 CDMA 记录中次序错乱的比例，0 至 1
help-synth-lapped = PMU 环形缓冲过小：只能容纳四分之三的记录，最旧的被覆盖
help-synth-wrap = TIU 的 32 位周期计数器在运行中途回绕
help-synth-kernel = 每次启动所运行的核函数（默认：依次运行全部）
help-synth-no-sync = 启动结束时不作同步；用于单核
help-synth-idle = 不运行核函数的核，例如 2,5
help-synth-plant = 供发现的故障：imbalance=CORE:FACTOR、straggler=FACTOR、stages、bubble=CORE:ENGINE:US、slow-kernel=NAME:FACTOR、slow-port=PORT:FACTOR、launch-gap=US、serialized=PERCENT、small-transfers=COUNT、unaligned=CHANNELS、bank-conflicts=CYCLES、weights=ddr|l2m、spill=BYTES、shared-loads=BYTES[:l2m]、idle-cores=N、depthwise、dense-depthwise；与 --cluster 同用：late-rank=R:FACTOR、slow-link=A>B:FACTOR、late-launch=R:US、retries=A>B、lost-dump=R、lost-records=R:SHARE、ring-full=R、two-islands、swapped-ranks、wrong-topology
help-synth-pipelined = 在前一个分块的其余部分之前派发一个分块的读取，使搬运与计算重叠
help-synth-tiu-mhz = TIU 时钟，单位 MHz（默认：芯片的时钟）
help-synth-ddr-gbps = 一个核的片外内存带宽，单位 GB/s（默认：芯片的带宽）
help-synth-l2m-gbps = 一个核的片上共享内存带宽，单位 GB/s（默认：片外内存的带宽）
help-synth-link-gbps = 芯片间一条链路的带宽，单位 GB/s
help-synth-launch-gap = 两次启动之间最短的停顿，单位 us；其他停顿按比例增长
help-synth-pauses = 指令之间引擎的停顿
    .v-round = 20 ns，等待过另一引擎的指令之前为 40 ns
    .v-measured = 与真实硬件一样短：1 至 10 ns；还有搬运首字节之前的时间
help-synth-bmodel = 还把该次运行的编译指令写成 .bmodel；用于 --style bmodel
help-synth-cmodel = 还把该次运行的编译指令写成 CModel 的指令文件；用于 --style bmodel
help-synth-cluster = 写出 N 个相连设备的转储，以及记录真实情况的 truth.json
help-synth-topology = 链路：pair、ring、two-plane、pipeline、pipeline-backward、alltoall、grid:TPxPPxDP（默认：2 个设备为 pair，否则为 ring）
help-synth-program = 通信的内容（默认：all-reduce；流水线与网格为 microbatches；全部相连时为 alltoall）
help-synth-operations = 操作数，或流水线的步数
help-synth-microbatches = 流水线一步中的微批数
help-synth-chunks = 一次集合通信的分块数
help-synth-bytes = 端口的一条指令的字节数
help-synth-compute-us = 每次操作之前自身的工作，单位 us
help-synth-moments = 记录中总线的时刻
    .v-none = 只有开始与结束
    .v-m0 = 内存总线的时刻，与 PCIe 相同
    .v-ati = 链路的时刻，与以太网相同
help-synth-no-receive-bytes = 接收没有字节数
help-synth-unnamed = 通信没有核函数名称
help-synth-no-resets = 端口的编号不随每次操作重新开始
help-synth-split-ports = 一条链路的两个方向在两个端口上
help-synth-links = 相邻设备间的链路数：1 或 2
help-synth-permute = rank 与设备的对应被打乱
help-synth-shift-windows = 各处采集在不同的操作处开始和结束
help-synth-offset-ms = 各时钟的起点最多相差这么多，单位 ms
help-synth-drift-ppm = 各时钟的漂移最多为这么多，单位 ppm
help-synth-jitter-ns = 延迟的标准差，单位 ns
help-synth-pause-spread-ns = 端口两条指令之间的停顿比 40 ns 最多随机短这么多
help-synth-latency-ns = 一条链路的延迟，单位 ns
help-synth-asymmetry = 各链路的延迟最多相差的比例
help-synth-load-share = 核函数的时间中，在计算之前读取操作数所占的比例
help-synth-byte-unit = 记录以这么多字节为单位计数据量
help-synth-flag-writes = 每次操作之后，发送方单边地向接收方写一个标志
help-synth-messages = 端口在每次操作之前等待消息
help-synth-host-traces = 还写出各 rank 主机的 trace：traces/rank{"{"}R{"}"}.json
help-synth-knot-ppm = 漂移在运行中途最多改变这么多，单位 ppm
help-synth-devices-per-host = 一台主机的设备数

# whatif。

help-whatif = 预测某些部分更快时的运行时间；显示其关键路径
    .examples =
        示例：
          bigtpuprofile synth demo && bigtpuprofile whatif demo
              关键路径与敏感度：对每个部分，给出它变快后的预测时间
          bigtpuprofile whatif demo --scale ddr=2 --scale 'kernel:matmul*=0.5' -o demo_whatif
              DDR 带宽加倍，matmul 的时间减半；demo_whatif/whatif.html 是实测与预测运行的页面，whatif.pftrace 把两者放在同一时间线上
          bigtpuprofile whatif demo --lanes 32
              一半的 lane：按 simulate 的规则，求每条指令在本芯片与另一芯片上的时间
          bigtpuprofile whatif demo --cache 16
              16 MiB 的缓存，用于权重等常数

        --scale 对 tiu、gdma、sdma、cdma 取速度的倍数，对 ddr、l2m、link 取带宽的倍数（2 表示快一倍）；对 launch（启动之间的间隙）、sync（引擎之间的交接）、core:N（一个核的全部工作）、kernel:NAME 和 layer:NAME（匹配的核函数或静态模型的层的全部工作，可用 * 与 ?）取时间的倍数（2 表示时间加倍）。result.html 的 What-if 标签页在移动滑块时作同样的预测。假设与误差见 docs/prediction.md。
help-whatif-dump = 转储目录
help-whatif-scale = 缩放一个部分：ddr=2 为带宽加倍，tiu=2 为速度加倍，kernel:matmul*=0.5 为时间减半（见下文）；可多次给出
help-whatif-hw = 为其预测的硬件：含上限或机器的文件，或预设的名称
help-whatif-tiu_freq = 为其预测的 TIU 时钟，单位 MHz
help-whatif-chip = 相同指令在同一指令集的另一芯片上运行，例如 AKS 的转储用 aksv
help-whatif-lanes = 相同指令在有这么多 lane 的芯片上运行
help-whatif-line = 相同指令在每个 lane 每周期处理这么多字节的芯片上运行
help-whatif-cache = 在 DDR 之前放置一个这么多 MiB 的常数缓存：之前读取过、放得下且未被运行改写的内容来自缓存，带宽为 L2M 的带宽，或给出的 GB/s
help-whatif-sensitivity = 显示对每个部分的敏感度（没有 --scale 时默认显示）
help-whatif-out = 在该目录写出 whatif.json、whatif.html（两次运行的页面）和 whatif.pftrace（两次运行在同一时间线上）
help-whatif-trace_file = 合并到 whatif.pftrace 的主机 trace
help-whatif-json = 只把 whatif.json 打印到标准输出
