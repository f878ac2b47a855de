# `query` 的输出。

query-unknown-field = { $clause }：没有指令具有字段“{ $field }”。若要查找文本，请加引号。
query-unknown-field-near = { $clause }：没有指令具有字段“{ $field }”。名称相近的字段：{ $names }。
query-no-amount = { $clause }：“{ $value }”不是 { $field } 的数值；例如写作 { $example }。
query-no-amount-units = { $clause }：“{ $value }”不是 { $field } 的数值；例如写作 { $example }。单位：{ $units }。
query-no-value = { $clause }：缺少值；例如写作 { $example }。
query-no-order = { $clause }：{ $field } 是文本；用 : 匹配其中一部分，用 = 或 != 匹配全部，不能用 { $operator }。
