# What `query` says.

query-unknown-field = { $clause }: no command has a field "{ $field }". To search for a text, write it in quotes.
query-unknown-field-near = { $clause }: no command has a field "{ $field }". Fields with a similar name: { $names }.
query-no-amount = { $clause }: "{ $value }" is no amount for { $field }; write for example { $example }.
query-no-amount-units = { $clause }: "{ $value }" is no amount for { $field }; write for example { $example }. Units: { $units }.
query-no-value = { $clause }: a value is missing; write for example { $example }.
query-no-order = { $clause }: { $field } is a text; use : for a part of it, = or != for all of it, not { $operator }.
