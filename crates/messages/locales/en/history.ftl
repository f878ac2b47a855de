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
history-other-time = since run { $number } ({ $run }) { $what } is { $percent } % { $change }: { $after } instead of { $before } us
history-longer = longer
history-shorter = shorter
history-with-one = { $sentence }; { $other } changed alike
history-with-others = { $sentence }; { $others } other times changed alike
history-new = since run { $number } ({ $run }) { $name } is new: { $after } us
history-gone = since run { $number } ({ $run }) { $name } is gone: it took { $before } us
history-renamed = since run { $number } ({ $run }) { $name } is the new name of { $old }
history-kernel = kernel { $name }
history-name = { $name }

## What the console says around it

history-verdict = Verdict: { $text }
history-slower = Slower: { $text }
history-skipped = Skipped: { $text }
history-also = Also: { $text }
history-builds = Builds: { $builds }, runs: { $runs }, new: { $added }; times: { $times }; a false alarm in one of { $alarm } builds, changes from { $least } % on
