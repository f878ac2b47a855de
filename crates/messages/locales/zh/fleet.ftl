# 批量分析的总览。

## 突出之处

fleet-device-works = { $device } 的工作时间是同类转储中位数的 { $times }。
fleet-core-works = { $device } 的核 { $core } 的工作时间是该设备各核中位数的 { $times }。
fleet-trend = { $device }：从第一次调用到最后一次变化 { $change }。
fleet-none-of = 没有突出的{ $first }或{ $last }。
fleet-no-core = 没有突出的核。
fleet-a-device = 设备
fleet-a-core = 核
fleet-a-trend = 趋势
fleet-devices-unchecked = 未比较设备：{ $why }。
fleet-calls-unchecked = 未比较调用：{ $why }。
fleet-trends-unchecked = 未检查趋势：{ $why }。
fleet-failed = { $failed } 个失败，{ $lost } 个有数据丢失。
fleet-few-alike = 同一芯片、同一程序的转储不足三个
fleet-unnamed = 转储名中没有设备号和调用号（cdm_profile_data_dev0-3：设备 0，调用 3）
fleet-single-devices = 没有包含多个设备的调用
fleet-few-calls = 没有设备达到六次调用
fleet-none = 无。
fleet-first = 只列出 { $all } 项中的前 { $shown } 项。

## 列表

fleet-slow-devices = 慢设备
fleet-slow-devices-are = 该转储的工作时间与同类转储中位数之比；等待不计入工作时间。
fleet-slow-cores = 慢核
fleet-slow-cores-are = 该核的工作时间与同一转储中各核的中位数之比。
fleet-core-of = { $device } 核 { $core }
fleet-straggler-calls = 有拖慢者的调用
fleet-straggler-calls-are = 一次调用中工作最久的设备与其各设备的中位数之比。
fleet-slow-kernels = 慢于全体中位数的核函数
fleet-slow-layers = 慢于全体中位数的层
fleet-slow-kernels-are = 一次启动或执行的平均时间与同类转储中位数之比。
fleet-trends = 随调用的变化趋势
fleet-trends-are = 从第一次调用到最后一次的 Theil-Sen 斜率，只在 Mann-Kendall 检验确定时给出（至少六次调用）。
fleet-advice = 建议（按总收益）
fleet-advice-is = 同一转储的各项收益不可相加；各转储之间相加。
fleet-problems = 失败与数据丢失
fleet-status-failed = 失败
fleet-status-lost = 有丢失
fleet-all-dumps = 全部转储
fleet-all-dumps-are = 占从第一条记录到最后一条记录的时间的比例。

## 列

fleet-device = 设备
fleet-calls = 调用
fleet-work = 工作
fleet-above = 多出 (us)
fleet-worst = 最慢
fleet-core = 核
fleet-call = 调用
fleet-devices = 设备
fleet-slowest = 最慢
fleet-name = 名称
fleet-mean = 平均 (us)
fleet-median = 中位数 (us)
fleet-ratio = 倍数
fleet-run = 轮次
fleet-change = 变化
fleet-times = 各次时长
fleet-last = 最后一次
fleet-rule = 规则
fleet-dump-count = 转储数
fleet-time-line = { $note }。
fleet-gain = 收益 (us)
fleet-bound = 上界或估计
fleet-greatest = 收益最大
fleet-there = 说明
fleet-dump = 转储
fleet-status = 状态
fleet-what = 说明
fleet-chip = 芯片
fleet-time = 时长 (us)
fleet-compute = 计算
fleet-exposed = 暴露的搬运
fleet-sync = 同步
fleet-idle = 空闲
fleet-top-kernel = 最耗时的核函数
fleet-first-advice = 首要建议
fleet-losses = 数据丢失

## 多设备页面

fleet-devices-heading = { $devices } 个设备与调用
fleet-devices-runs = 运行
fleet-devices-events = 事件
fleet-devices-start = 开始 (us)
fleet-devices-joined = 统一时钟下的全部设备：{ $page }
fleet-devices-kernels = 各设备的核函数
fleet-devices-kernels-are = 所有启动的时间（us，各核相加）；橙色：长于各设备平均值，蓝色：短于平均值。
