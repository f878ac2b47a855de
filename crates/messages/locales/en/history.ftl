# Since which build a time is another one.

history-too-few = { $builds ->
    [one] { $builds } build
   *[other] { $builds } builds
}: changes of measured times need { $least }
history-nothing-new = nothing new in { $builds ->
    [one] { $builds } build
   *[other] { $builds } builds
}

## What happened to a time

history-of-unit = { $unit }: { $sentence }
history-wall-time = the wall time
history-longer = since run { $number } ({ $run }) { $what } is { $percent } % longer: { $after } instead of { $before } us
history-shorter = since run { $number } ({ $run }) { $what } is { $percent } % shorter: { $after } instead of { $before } us
history-with-one = { $sentence }; { $other } changed alike
history-with-others = { $sentence }; { $others } other times changed alike
history-new = since run { $number } ({ $run }) { $name } is new: { $after } us
history-gone = since run { $number } ({ $run }) { $name } is gone: it took { $before } us
history-renamed = since run { $number } ({ $run }) { $name } is the new name of { $old }
history-name = { $name }
