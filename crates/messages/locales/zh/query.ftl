# `query` 的输出。

query-unknown-field = { $clause }：没有指令具有字段“{ $field }”。若要查找文本，请加引号。
query-unknown-field-near = { $clause }：没有指令具有字段“{ $field }”。名称相近的字段：{ $names }。
query-no-amount = { $clause }：“{ $value }”不是 { $field } 的数值；例如写作 { $example }。
query-no-amount-units = { $clause }：“{ $value }”不是 { $field } 的数值；例如写作 { $example }。单位：{ $units }。
query-no-value = { $clause }：缺少值；例如写作 { $example }。
query-no-order = { $clause }：{ $field } 是文本；用 : 匹配其中一部分，用 = 或 != 匹配全部，不能用 { $operator }。

query-tests-several = { $option } { $field }：该字段比较多个值；请写其中一个。
query-no-group-order = --sort { $name }：分组可按 count、time、bytes 或 --by 的字段排序。
query-sum-bytes = { $count } 条指令，合计 { US($time) } us，{ $bytes } 字节
query-sum = { $count } 条指令，合计 { US($time) } us
query-sum-gaps = { $count } 个间隙，合计 { US($time) } us
query-part = 共 { $all } 项，显示前 { $part } 项；用 --limit 显示更多，用 --csv 输出全部。
query-nothing = 没有匹配项：{ $part } 排除了最后 { $left } 条指令。
query-nothing-gaps = 没有匹配项：{ $part } 排除了最后 { $left } 个间隙。
query-nothing-all = 没有匹配项：该次运行中没有此类数据。
