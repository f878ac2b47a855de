# ONNX 或 .ff 计算图的节点或文件有何问题。

graph-the-model = 模型
graph-the-file = 文件
graph-line = 第 { $line } 行

graph-missing-input = 缺少输入 { $index }
graph-no-inputs = 它没有输入
graph-no-part = 它没有 { $name }
graph-many-dimensions = 它有 { $count } 维；最多支持 { $most } 维
graph-elements = { $shape } 的元素超过 1e15 个，超出任何内存的容量
graph-no-dimension = 维度 { $number } 不存在：其输入只有 { $rank } 维
graph-broadcast = 形状 { $one } 与 { $other } 不能广播到同一形状
graph-matmul = 形状 { $one } 与 { $other } 不能相乘
graph-window = 大小为 { $covered }、步长为 { $stride } 的窗口放不进 { $size }（另加填充 { $padding }）
graph-reshape = { $from } 不能变形为 { $wanted }
graph-order = { $order } 不是 { $from } 各维的一种排列
graph-concat = { $part } 不能沿维度 { $along } 拼接到 { $before } 之后
graph-unknown-numbers = 新形状取决于数据；如果由某个输入决定，请用 --input-value NAME=NUMBER,NUMBER 给出其数值
graph-gather-places = 其索引与输入不匹配
graph-four-dimensions = 其输入不是四维
graph-blocksize = 其 blocksize 不大于 0
graph-split-sizes = 各块大小 { $sizes } 之和（{ $count } 个输出）不等于 { $total }
graph-plane = 其输入 { $input } 在通道之后既不是一维、二维，也不是三维
graph-negative-padding = 填充 { $padding } 为负数
graph-conv-weights = 其权重 { $weights } 不是 [out, in, height, width]
graph-conv-groups = 输入 { $input } 与权重 { $weights }（{ $groups } 组）不匹配
graph-pool-axes = 其窗口 { $kernel } 与输入 { $sizes } 的维数不同
graph-pads = { $count } 个 pads 与 { $dimensions } 维不匹配
graph-pads-take = pads { $pads } 裁掉的部分超出 { $from }
graph-transposed = 输入 { $input } 与权重 { $weights } 不构成二维转置卷积
graph-weights = 输入 { $input } 与权重 { $weights } 不匹配
graph-recurrent = { $input }、{ $weights } 与 { $hidden } 不构成循环层
graph-einsum-arrow = 其等式没有箭头
graph-einsum-operands = 只支持一个或两个操作数，且不能含 `...`；请改写为 MatMul
graph-einsum-term = `{ $term }` 与 { $shape } 的维数不符
graph-einsum-sizes = `{ $letter }` 同时取 { $one } 和 { $other } 两种大小
graph-einsum-result = 结果中有一个字母不属于任何操作数
graph-attention-rows = 输入必须是 [batch, rows, hidden]，权重必须是 [hidden, all]
graph-attention-weights = 其权重与输入不匹配
graph-attention-packed = query、key 与 value 必须是 [batch, rows, hidden]；不支持打包在一起的操作数
graph-attention-columns = query 与 key 每个头的列数不同
graph-attention-heads = 操作数不能按头数整除
graph-attention-dimensions = query、key 与 value 必须是三维或四维；三维时还需要 q_num_heads 与 kv_num_heads
graph-condition = 其条件取决于数据；如果由某个输入决定，请用 --input-value NAME=NUMBER 给出其数值，否则请以固定条件导出模型
graph-iterations = 循环次数取决于数据；如果由某个输入决定，请用 --input-value NAME=NUMBER 给出其数值，否则请以固定的循环次数导出模型
graph-loop-operands = 其操作数少于两个
graph-body-operands = 其循环体的操作数少于两个
graph-body-condition = 其循环体没有条件
graph-many-nodes = 所有循环展开后超过 { $most } 个节点，因此不展开
graph-onnx-advice = 请在模型中替换它；或用 --unknown-as-memory，按文件中其形状的每个元素一次运算计入

graph-no-onnx = 不是 ONNX 文件，或文件不完整；请给出完整的 .onnx 文件
graph-no-graph = 其中没有计算图；它是 ONNX 文件吗？
graph-weight-dimensions = 权重 `{ $name }` 有 { $count } 维
graph-open-shape = 其形状 { $shape } 有未知的大小；请用 --input-shape、--batch 或 --dim NAME=SIZE 给出
graph-value-count = 形状为 { $shape } 的输入需要 { $count } 个数值
graph-no-open-size = 模型没有待定的同名大小；其待定的大小有 { $names }
graph-no-open-sizes = 模型没有待定的同名大小；其所有大小都已确定
graph-no-such-input = 模型没有这个输入；其输入有 { $names }
graph-no-batch = 模型没有第一维大小待定的输入；请以可变的 batch 导出，或用 --input-shape NAME=SIZES 给出完整形状

graph-ff-empty = 其中没有算子
graph-ff-fields = 一个算子至少有四个字段：名称; 输入; 输出; 类型
graph-ff-attribute = 节点 `{ $node }` 是属性张量，而该格式不含其形状；请在导出模型时去掉它
graph-ff-later = `{ $one }` 和位于后面某行的 `{ $other }`
graph-ff-shape = 未给出其形状；文件中没有形状，因此请为每个 INPUT 行给出一个
graph-ff-item = 第 { $chosen } 项不存在：其输入只有 { $outputs } 项
graph-ff-parameter = 它有 { $count } 个参数，缺少第 { $number } 个
graph-ff-whole = 参数 { $number } 为 `{ $text }`；必须是整数
graph-ff-negative = 参数 { $number } 为 { $value }；不能为负数
graph-ff-advice = 请写 FlexFlow 的算子类型之一
graph-ff-two = 它有 { $count } 个输入，而需要 2 个
graph-ff-activation = 激活函数 { $code } 不在 10 至 14 之内
graph-ff-flat = 其输入是零维的
graph-ff-image = 其输入 { $input } 不是 [batch, channels, height, width]
graph-ff-groups = { $channels } 个输入通道与 { $out } 个输出通道不能分成 { $groups } 组
graph-ff-pieces = { $input } 被切成 { $most } 块以上
graph-ff-divide = { $input } 的维度 { $axis } 不能等分为 { $pieces } 块（每个使用者一块）
graph-ff-few = { $input } 的维数不足
graph-ff-many = { $input } 的维数多于 { $wanted }
graph-ff-repeat = 大小为 { $own } 的维度不能重复到 { $size }
