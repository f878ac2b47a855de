# 预测：模型估算、语言模型估算、流水线、划分方案搜索。

## 读取模型时的假设

model-non-zero-mean = 节点 `{ $node }`（NonZero）：非零元素的个数取决于数据；按其平均数计：{ $all } 个中的 { $found } 个
model-non-zero-all = 节点 `{ $node }`（NonZero）：非零元素的个数取决于数据；全部计入：{ $all } 个中的 { $found } 个
model-shapes-of-file = 节点 `{ $node }`（{ $kind }）：形状取自文件
model-shapes-of-file-only = 节点 `{ $node }`（{ $kind }）：形状取自文件，每个元素按一次运算计
model-unused-shapes = 有 { $count } 个输入形状未使用，因为文件的 INPUT 行较少
model-adaptive-pooling = 节点 `{ $node }`（POOL2D）：窗口为步长 1 的 3 x 3 均值，FlexFlow 的导出程序把每个自适应池化都写成这样；此处其输出为 { $height } x { $width }，如果模型池化到 1 x 1，则其后的层偏大：ONNX 导出中有它们的大小
model-no-context = 文件的 start.{ $key } 为 `{ $context }`，没有算子属于该上下文：它不起作用
model-not-counted = 有 { $names } 种名称的 { $count } 个算子未计入，因为它们不搬运数据或代价未知：{ $few }
model-language-only = 只计语言模型，不计图像或声音部分
model-usual-sizes = 文件省略了 { $sizes }：取 { $family } 的默认值
model-quantization-unknown = 不知道其 `quantization_config` 如何存储权重；可用 --weight-dtype 给出类型
model-quantized = 权重为 { $kind }，如文件的 `quantization_config` 所述；不计缩放系数和零点

## 估算：假设

predict-upmem-formulas = UPMEM 的公式：Linear 把 in_features 计两次，激活函数不计时间，设备以峰值运行
predict-on-host = 部分算子在 { $host } 上运行：1 TFLOPS、1 GB/s 的慢速占位；请把它们映射到一台机器
predict-energy-unknown = { $machine }：能耗未知，因为其描述中缺少 pj_per_tflop、mem_pj_per_bit 或链路的 pj_per_bit
predict-host-link-unknown = { $machine }：与主机之间的带宽未知；这些搬运的时间未计入
predict-no-fit = { $machine }：权重需要 { $needed } GB，其内存为 { $size } GB；模型放不下
predict-peak-of-width = { $machine }：缺少 { $kind } 的峰值；使用 { $other } 的峰值 { $peak } TOPS
predict-peak-in-proportion = { $machine }：缺少 { $kind } 的峰值；按位宽比例由 fp16 峰值推算为 { $peak } TOPS
predict-at-roofs = 没有在这种机器上测量过网络：假定每个算子都达到其上限，时间没有范围
predict-chip-not-measured = 时间是预期时间；没有测量过这种芯片，范围取自逐一留出的已测芯片；下界是按峰值的计算时间，或按带宽读写权重、输入和输出的时间（bigtpuprofile explain docs/prediction/measured.md）
predict-own-rows = 时间是预期时间；其范围由您自己的 { $rows } 行实测数据得出；下界是按峰值的计算时间，或按带宽读写权重、输入和输出的时间（bigtpuprofile explain docs/prediction/measured.md）
predict-rows = 时间是预期时间；其范围由在这些核上、以该位宽实测的 { $families } 个网络族的 { $rows } 行数据得出；下界是按峰值的计算时间，或按带宽读写权重、输入和输出的时间（bigtpuprofile explain docs/prediction/measured.md）
predict-between-chips = 与实际运行的核比较：{ $chip } 的 { $cores } 个；范围由同一网络在四种芯片之间的 { $all } 次预测的误差得出；不用被检验的那次预测时，它含有 { $all } 个实测时间中的 { $held } 个，不用被检验的芯片时含有 { $all_chips } 个中的 { $held_chips } 个（bigtpuprofile explain docs/prediction/across.md）
predict-fill = 实测矩阵单元的运算中有 { PERCENT($fill) } % 是所要求的；假定较小的单元填充得更好
predict-unknown-classes = 未知算子，按每个元素一次运算计，有权重矩阵的按线性层计：{ $classes }
predict-mapping-unmatched = 文件中的映射写有 { $names }：模型中没有算子属于该上下文或类别，因此不起作用；模型有 { $known }

## 估算：对象

predict-estimate = 估算
predict-headline = { $model }：{ $count } 个算子，{ $setting }
predict-setting = { $parts }
predict-recorded-types = 数据类型按录制
predict-batch = 批大小 { $batch }
predict-formulas-of-upmem = UPMEM 的公式
predict-replayed = 按峰值与带宽之比重放
predict-paths = 按峰值与带宽之比计算的关键路径
predict-scaled = 各部分之和按峰值与带宽之比缩放
predict-assumptions-for = 对 { $target } 的假设
predict-some-operators = { $all } 个算子中的 { $shown } 个
predict-times-are = 条的长度表示时间。计算与访存重叠，因此颜色只表示比例，不表示先后。
predict-energies-are = 条的长度表示能耗，颜色表示各组成部分。机器描述中缺少某个值时，其能耗未知。
predict-targets-are = 计算和访存是各算子之和；在一个算子中二者同时进行，因此两者之和可能大于总时间。
predict-operators-are = 同一算子在同一阶段的各次执行相加；占比是相对于第一台机器上的时间。
llm-times-are = 首个词元：提示的图。后续词元：所有后续词元的平均值。请求：首个词元加上所有后续词元。
llm-memory-is = 占用最多的设备上的权重、键与值以及激活。运行时需要的比这更多。
predict-times = 各目标上的时间
predict-energies = 各目标上的能耗
predict-part-compute = 计算
predict-part-memory = 主存
predict-part-cache = 键值缓存
predict-part-to-device = 主机到设备
predict-part-to-host = 设备到主机
predict-part-launch = 启动或空闲
predict-part-idle = 空闲
predict-part-link = 设备间链路

## 估算：表

predict-targets = 目标
predict-target = 目标
predict-time = 时间
predict-range = 范围
predict-bound = 下界
predict-relative = 与最快者之比
predict-relative-no-transfers = 与最快者之比（不含搬运）
predict-compute = 计算
predict-memory = 内存
predict-prompt = 提示
predict-generation = 生成
predict-tokens = 词元/s
predict-token-energy = mJ/词元
predict-transfers = 搬运
predict-energy = 能耗
predict-power = 功率 (W)
predict-unknown = 未知
predict-measured = 实测
predict-from-to = { $least } 至 { $most }
predict-operators-by-time = 按时间排列的算子
predict-operator = 算子
predict-phase = 阶段
predict-phase-prompt = 提示
predict-phase-generation = 生成
predict-runs = 次数
predict-share-on = { $target }中的占比

## 语言模型：假设

llm-energy-unknown = { $machine }：能耗未知，因为其描述中缺少 pj_per_tflop、mem_pj_per_bit 或 c2c_pj_per_bit
llm-memory-given = { $machine }：内存按给定的 { $given } GB 计，其描述中为 { $own } GB
llm-no-fit = { $machine }：每个设备需要 { $needed } GB，其内存为 { $size } GB；模型放不下
llm-memory-unknown = { $machine }：内存大小未知；可用 --memory 给出
llm-links = { $machine }：链路 { $rate } GB/s（{ $source }）
llm-its-description = 取自其描述
llm-at-roofs = 假定每个算子都达到其上限，因为没有在这种机器上测量过语言模型：时间没有范围
llm-calibrated = 这些时间由转储中的上限占比得出，因此没有范围；转储中没有的部分假定达到其上限，且没有启动间隙
llm-own-rows = 时间按您自己的实测行计算（首个词元：{ $first } 行，后续词元：{ $further } 行）；不足三行的阶段仍用公开测量得出的系数
llm-expected = 时间是预期时间：按上限的时间乘以语言模型在 BM1684X 和 BM1688 上实测时间与它之比，提示阶段计算全部注意力得分（bigtpuprofile explain docs/prediction/measured.md）
llm-even-experts = 假定各词元均匀且互相独立地选择专家
llm-one-batch = 同时只有一个批次在途，因此每次只有一级在工作；更多批次需要各自的缓存
llm-encoder = 该模型是编码器：首词元时间即对全部词元的唯一一趟计算的时间，不生成词元；计入词嵌入、各层和池化层，不计任务头
llm-encoder-decoder = 编码器读入提示；解码器从一个词元开始，其每一层对编码器各行的键和值只计算一次
llm-speculation = { $machine }：每步提议 { $tokens } 个词元，每个被接受的概率为 { $acceptance }：平均每步得到 { $step } 个词元，速度是不用提议时的 { $speedup } 倍；首词元时间包含小模型处理提示的时间
llm-offload = { $machine }：主机保存各层权重的 { $weights } % 和键值缓存的 { $cache } %；每趟计算在计算的同时以 { $rate } GB/s 加载它们，取较长者；未检查主机内存
llm-not-measured-so = 没有测量过这样运行的模型：上限与时间之间的系数取自单独运行的解码器，时间没有范围
llm-at-peaks = { $machine }：按峰值计算，因为效率是在 { $chip } 上测得的
llm-measured = { $machine }：实测的上限占比：{ $shares }
llm-measured-in-part = { $machine }：实测的上限占比：{ $shares }；未测量，故按峰值：{ $missing }
llm-share = { $kind } { PERCENT($share, digits: 1) } %（{ $bound }）
llm-kind-products = 矩阵乘
llm-kind-attention = 注意力
llm-kind-normalizations = 归一化
llm-kind-elementwise = 逐元素
llm-kind-softmax = softmax
llm-kind-rotary = 旋转位置编码
llm-kind-embedding = 词嵌入
llm-kind-convolutions = 卷积
llm-kind-pooling = 池化
llm-kind-other = 其他
llm-bound-compute = 计算
llm-bound-memory = 内存
llm-bound-communication = 通信

## 语言模型：对象

llm-language-model = 语言模型
llm-model = { $model }：{ $family }，{ $billions }×10⁹ 个参数
llm-headline = { $model }；{ $kind }，权重 { $weights }，缓存 { $cache }；批大小 { $batch }，提示 { $prompt } 个词元，生成 { $output } 个
llm-or = { $before } 或 { $name }
llm-assumptions = 假设
llm-request-time = 一次请求的时间
llm-request-energy = 一次请求的能耗
llm-time-and-energy = 时间与能耗
llm-devices = 设备数
llm-first-token = 首个词元
llm-further-token = 后续词元
llm-bound-by = 受限于
llm-request = 请求
llm-memory-of-device = 每个设备的内存
llm-weights = 权重 (GB)
llm-cache = 键值缓存 (GB)
llm-activations = 激活 (GB)
llm-sum = 合计 (GB)
llm-memory = 内存 (GB)
llm-fits = 放得下
llm-yes = 是
llm-no = 否

## 流水线

pipeline-schedules = 流水线调度
pipeline-schedules-are = 总时间：从最早开始到最晚结束。空泡：各阶段空闲时间的占比。
pipeline-picture-is = 图中每一行是一个阶段（一个设备）。同一页面中所有图的时间比例相同；pipeline.svg 和 pipeline.pftrace 显示更多细节。
pipeline-work = 工作
pipeline-ideal = { $schedule }，理想
pipeline-measured = 实测
pipeline-measured-order = 实测（{ $schedule } 的次序）
pipeline-graph = 图
pipeline-left-out = 此图略去，否则页面过大；请看 pipeline.pftrace。
pipeline-headline = { $title }：{ $stages } 个阶段 × { $microbatches } 个微批{ $chunks ->
    [1] {""}
   *[other] {" "}× { $chunks } 个分块
}，总时间 { $makespan }，空泡 { $bubble }
pipeline-memory = 内存 { $stage }
pipeline-device = 设备 { $device }
pipeline-forward = 前向
pipeline-backward = 反向
pipeline-weight = 权重梯度
pipeline-phase-of-chunk = { $phase } 分块 { $chunk }
pipeline-schedule = 调度
pipeline-stages = 阶段数
pipeline-microbatches = 微批数
pipeline-chunks = 分块数
pipeline-makespan = 总时间
pipeline-time-per-microbatch = 每个微批的时间
pipeline-bubble = 空泡
pipeline-peak-activations = 激活峰值
pipeline-peak-memory = 内存峰值
pipeline-work-and-bubble = 工作与空泡
pipeline-each = 各 { $count }
pipeline-violations = { $title }：有 { $count } 个事件在其输入就绪之前开始，因为 PerFlow-AI 的图缺少部分依赖

## 搜索

search-strategies = 方案
search-strategy = 方案
search-time = 时间 (ms)
search-speedup = 加速比
search-as-asked = 按要求
search-best = 最优
search-best-chain = 最优链
search-stage-number = 阶段 { $stage }
search-stage-on-devices = 阶段 { $stage }（{ $devices } 台）
search-best-strategy = 最优方案
search-operator = 算子
search-type = 类型
search-parts = 划分（批在前）
search-devices = 设备
search-more-operators = （另有 { $count } 个算子：见 --json 或 --export）
search-found = 从每个起点提出 { $proposals } 次改动，种子 { $seed }；最优方案来自起点 { $from }。计算时间中有 { PERCENT($estimated) } % 是估计的，不是实测的。
search-proven = 没有更快的方案：全部方案都已试过或排除
search-gap = 任何方案都不少于 { $bound } ms（图中最长路径，或平均分摊的工作）：最优方案最多比最快者慢 { PERCENT($gap, digits: 1) } %
search-links = 链路：{ $rate } GB/s（{ $rate_from }），延迟 { $latency } ns（{ $latency_from }）
search-one-pass = { $links }；一个微批是一遍实测
search-as-given = 按给定
search-as-measured = 实测
search-as-published = 公开数据
search-slowest = 机器文件中最慢者
search-assumed = 假定
search-best-stages = 最优分级
search-stage = 级
search-layers = 层
search-microbatch-time = 每个微批的时间 (us)
search-device-memory = 每个设备的内存 (MiB)
search-chain = { $microbatches } 个微批：{ $time } ms，单设备为 { $one_device } ms（加速比 { $speedup }）；空泡 { PERCENT($bubble, digits: 1) } %
search-not-divided = 文件没有说明各引擎工作了多久，因此不在设备间划分层
search-memory-unchecked = 未检查内存
search-part = 部分
search-computing = 计算与通信
search-update = 权重更新
search-penalty = 内存超限罚时
search-total = 合计
search-tasks = { $count } 个任务

pipeline-unknown-steps = 不计入：名为 { $kinds } 的步不属于已知种类

pipeline-schedule-left-out = 不计入：{ $what }
