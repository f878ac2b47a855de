# `record` 对所运行程序的说明。

record-no-dump = 没有写出转储：{ $pitfall }。
record-no-dump-earlier = 没有写出转储（{ $dump } 是之前运行留下的）：{ $pitfall }。
record-no-dump-failed = 程序以退出码 { $code } 结束，没有写出转储：请先解决程序本身的错误。运行时在停止采集时或进程正常结束时写出转储。
record-no-dump-killed = 程序在写出转储之前被信号终止：运行时在停止采集时或进程正常结束时写出转储。
record-pitfall-tpudnn = 请在计算之前调用 torch.ops.my_ops.enable_profile(max_record_num, mode)，之后调用 torch.ops.my_ops.disable_profile()；工作目录不能改变，并且要在 handle 销毁之前调用
record-pitfall-model-runtime = 进程必须在启动时的目录中自行结束；旧的 bmodel 需要设置 TPUKERNEL_FIRMWARE_PATH
record-pitfall-libsophon = 进程必须运行 bmodel，并在启动时的目录中自行结束
record-pitfall-unknown = 进程没有使用 TPU 的运行时；请在装有 TPU 的机器上直接给出运行模型的程序

record-full-ring = { $place }：{ $ring } 条记录的 PMU 环形缓冲已满，较早的记录被覆盖；这样的运行需要 { $enough } 条。
record-full-ring-hint = { $place }：{ $ring } 条记录的 PMU 环形缓冲已满，较早的记录被覆盖；请用 --records { $enough } 或 --retry 重新采集。
record-again = 以每个 PMU 环形缓冲 { $enough } 条记录重新采集。
record-ask-again = 以每个 PMU 环形缓冲 { $enough } 条记录重新采集？[Y/n]
record-own-records = 第二次运行的 PMU 环形缓冲大小没有变化：程序自己设定了它；请在程序中改为 { $enough }。
record-own-records-tpudnn = 第二次运行的 PMU 环形缓冲大小没有变化：程序自己设定了它；请调用 enable_profile({ $enough }, mode)。

record-run = 第 { $number } 次运行，共 { $count } 次
record-run-of-side = 第 { $number } 次运行，共 { $count } 次，{ $side ->
    [before] 修改前
   *[after] 修改后
}
record-runs = { $count } 次运行：中位数 { US($median) } us，范围 { US($least) } 至 { US($most) } us，离散 { PERCENT($spread) } %。
record-no-host-trace = 程序没有在工作目录中写出名为 { $name } 的文件：没有可合并的主机 trace。
record-command-failed = 程序以退出码 { $code } 结束；仍然分析它写出的转储。
