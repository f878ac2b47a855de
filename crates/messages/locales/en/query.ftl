# What `query` says.

query-unknown-field = { $clause }: no command has a field "{ $field }". To search for a text, write it in quotes.
query-unknown-field-near = { $clause }: no command has a field "{ $field }". Fields with a similar name: { $names }.
query-no-amount = { $clause }: "{ $value }" is no amount for { $field }; write for example { $example }.
query-no-amount-units = { $clause }: "{ $value }" is no amount for { $field }; write for example { $example }. Units: { $units }.
query-no-value = { $clause }: a value is missing; write for example { $example }.
query-no-order = { $clause }: { $field } is a text; use : for a part of it, = or != for all of it, not { $operator }.

query-tests-several = { $option } { $field }: this field tests several values; name one of them.
query-no-group-order = --sort { $name }: groups are sorted by count, time, bytes, or the field of --by.
query-sum-bytes = { $count ->
    [one] 1 command
   *[other] { $count } commands
}, { US($time) } us in all, { $bytes } bytes
query-sum = { $count ->
    [one] 1 command
   *[other] { $count } commands
}, { US($time) } us in all
query-sum-gaps = { $count ->
    [one] 1 gap
   *[other] { $count } gaps
}, { US($time) } us in all
query-part = The first { $part } of { $all }; --limit shows more, --csv writes all.
query-nothing = Nothing matches: { $part } excludes the last { $left ->
    [one] command
   *[other] { $left } commands
}.
query-nothing-gaps = Nothing matches: { $part } excludes the last { $left ->
    [one] gap
   *[other] { $left } gaps
}.
query-nothing-all = Nothing matches: the run has none.
