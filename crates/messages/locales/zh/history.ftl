# 某项时间从哪个构建起不同。

history-too-few = 共 { $builds } 个构建：实测时间的变化至少需要 { $least } 个
history-nothing-new = { $builds } 个构建中没有新变化

## 某项时间发生了什么

history-of-unit = { $unit }：{ $sentence }
history-wall-time = 总时间
history-other-time = 自第 { $number } 个构建（{ $run }）起，{ $what }{ $change } { $percent } %：由 { $before } us 变为 { $after } us
history-longer = 变长
history-shorter = 缩短
history-with-one = { $sentence }；{ $other } 同样变化
history-with-others = { $sentence }；另有 { $others } 项同样变化
history-new = 自第 { $number } 个构建（{ $run }）起，新增 { $name }：{ $after } us
history-gone = 自第 { $number } 个构建（{ $run }）起，{ $name } 消失：此前为 { $before } us
history-renamed = 自第 { $number } 个构建（{ $run }）起，{ $old } 改名为 { $name }
history-kernel = 核函数 { $name }
history-name = { $name }{" "}

## 控制台中的其他句子

history-verdict = 结论：{ $text }
history-slower = 变慢：{ $text }
history-skipped = 跳过：{ $text }
history-also = 另外：{ $text }
history-builds = 构建 { $builds } 个，运行 { $runs } 次，新增 { $added } 次；时间 { $times } 项；每 { $alarm } 个构建有一次误报，从 { $least } % 起的变化
