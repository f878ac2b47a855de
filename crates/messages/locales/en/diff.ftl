# Why the wall time of two runs differs.

## What the console and diff.md say around it

diff-verdict = Verdict: { $verdict }
diff-verdict-of = Verdict: { $unit }: { $verdict }
diff-nothing = nothing can be compared
diff-largest-causes = The { $some } largest causes of { $all }:
diff-causes = Causes:
diff-before = before: { $runs }
diff-after = after:  { $runs }
diff-units = { $units } devices and calls, each compared with itself: { $before } runs before, { $after } after
diff-units-of-workloads = { $units } workloads, devices and calls, each compared with itself: { $before } runs before, { $after } after
diff-noise-unknown = noise unknown (fewer than three runs per side): numbers are compared directly
diff-one-occasion = intervals hold for runs of one occasion; else use --pairs or several occasions
diff-least-change = changes of the wall time below { PERCENT($least, digits: 1) }% can't be told from a drift
diff-more-rows = { $count } more rows: --full
diff-more-lines = { $count } more lines on what was compared: --full

## The change of the wall time

cause-unrelated = The runs have only { PERCENT($share) } % of their time in the same kernels or layers: they are not the same program, and their times do not say which is faster or what changed.
cause-times = Before { $before } us, after { $after } us.
cause-same-time = The run takes the same time: { $time } us.
cause-change = { $after } us instead of { $before } us ({ SIGNED($change) } us, { SIGNED($percent, digits: 2) } %).
cause-change-from-none = { $after } us instead of { $before } us ({ SIGNED($change) } us).
cause-noise = { $after } us instead of { $before } us ({ SIGNED($change) } us, { SIGNED($percent, digits: 2) } %): no more than noise.
cause-noise-from-none = { $after } us instead of { $before } us ({ SIGNED($change) } us): no more than noise.
cause-greatest = { $cause }.
cause-greatest-with-remedy = { $cause }: { $remedy }.
cause-with-part = { $cause }: { SIGNED($part) } us of { SIGNED($wall) } us
cause-alone = { $cause }: { SIGNED($part) } us

## Whose work changed, and how

cause-sentence = { $who } { $what }{ $owners }{ $part_of_engine }
cause-owner = { $owner }
cause-outside = Work outside of kernels
cause-each-core = Each core
cause-core = Core { $core }
cause-port = Port { $port }
cause-core-owner = Core { $core }'s { $owner }
cause-port-owner = Port { $port }'s { $owner }
cause-each-of-cores = Each of cores { $cores }
cause-each-of-ports = Each of ports { $ports }
cause-owner-on-cores = { $owner } on cores { $cores }
cause-owner-on-ports = { $owner } on ports { $ports }
cause-same-commands = takes { $ratio } times as long for the same commands
cause-same-bytes = takes { $ratio } times as long for the same bytes
cause-same-operations = takes { $ratio } times as long for the same operations
cause-more-transfers = moves its bytes in { $ratio } times as many commands
cause-more-commands = runs { $ratio } times as many commands
cause-more-bytes = moves { $ratio } times the bytes
cause-more-operations = computes { $ratio } times the operations
cause-more-padding = pads each operation to { $ratio } times as many
cause-transfer-rate = transfers at { $ratio } times the rate
cause-compute-rate = computes at { $ratio } times the rate
cause-more-launches = runs { $ratio } times as many launches
cause-launched-more = is launched { $ratio } times as often
cause-works-after = has work on the side after only
cause-works-before = has work on the side before only
cause-other-cores = The same work is divided among { $after } cores instead of { $before }{ $owners }
cause-other-commands = runs commands that the other side does not
cause-longer = is longer on the critical path
cause-shorter = is shorter on the critical path
cause-everywhere = {""}
cause-in-kernels = {" "}in { $some } of { $all } kernels
cause-in-layers = {" "}in { $some } of { $all } layers
cause-in-owner = {" "}in { $owner }
cause-on-core = {" "}on core { $core }
cause-of-engine = {" "}({ $reason })

## Kernels and layers of one side only

cause-renamed = { $old } is now called { $new }: the same work
cause-split = { $old } is split into { $new }
cause-fused = { $old } are fused into { $new }
cause-new = { $owner } is new
cause-gone = { $owner } is gone
cause-several-new = { $some } of { $all } { $kinds } are new, most of all { $owner }
cause-several-gone = { $some } of { $all } { $kinds } are gone, most of all { $owner }
cause-outside-new = Work outside of kernels is new
cause-outside-gone = Work outside of kernels is gone
cause-kernels = kernels
cause-layers = layers

## Overlap and pauses

cause-less-overlap = Less { $work } runs side by side, so the run waits more for it{ $owners }
cause-more-overlap = More { $work } runs side by side, so the run waits less for it{ $owners }
cause-work-of = of { $owner }'s work
cause-same-work = of the same work
cause-longer-pause = { $pause } more time{ $owners }{ $place }
cause-shorter-pause = { $pause } less time{ $owners }{ $place }
cause-pause-launches = Between launches passes
cause-pause-commands = Between commands passes
cause-pause-hand-overs = Hand-overs between engines take
cause-pause-messages = Waiting for messages takes
cause-pause-system = System commands take
cause-pause-start = Before the first command passes
cause-pause-unknown = Idle without a known cause passes

## What is on the critical path

cause-reason-compute = compute
cause-reason-ddr = DDR transfer
cause-reason-l2m = L2M transfer
cause-reason-link = link transfer
cause-reason-local = local transfer
cause-reason-system = system command
cause-reason-wait = wait
cause-reason-hand-over = hand-over
cause-reason-command-gap = command gap
cause-reason-launch-gap = launch gap
cause-reason-start = start
cause-reason-unexplained = unexplained idle

## What to look at

cause-remedy-core = check clock and memory channel there
cause-remedy-memory = check the clocks, where the data lies, and what else uses the memory
cause-remedy-clock = check the TIU's clock
cause-remedy-commands = use fewer and larger commands
cause-remedy-bytes = keep data on the chip, or use a smaller data type
cause-remedy-operations = find what computes more
cause-remedy-padding = use shapes that fill the arrays
cause-remedy-rate = compare sizes, strides and alignment of its commands
cause-remedy-overlap = let transfers run beside computation
cause-remedy-launch-count = compare runs with the same launches, or the time of one launch
cause-remedy-core-count = find out why the number of cores with work differs
cause-remedy-launches = launch ahead of time, or merge kernels
cause-remedy-sync = sync less often
cause-remedy-pause = look at what the run waits for there

diff-limits-failed = { $failed } of { $all } limits: { $first }
diff-only-before = { $unit } has runs only before the change
diff-only-after = { $unit } has runs only after the change
diff-title = TPU profile: comparison
diff-cell-interval = { $low } to { $high }
diff-cell-noise-unknown = unknown
diff-cell-noise = noise
diff-cell-changed = changed
diff-cell-new = new
diff-cell-gone = gone
diff-limit-failed = FAILED
diff-limit-skipped = skipped
diff-limit-ok = ok
diff-limit-about = { $limit }: { $text }
diff-limit-holds = { $limit } ({ $rows })
diff-limit-rows = { $rows ->
    [one] { $rows } row
   *[other] { $rows } rows
}
diff-limit-rows-gone = { $rows }, gone: { $gone }
diff-limit-no-baseline = there is no baseline to compare with
diff-limit-no-number = the report of one side does not have this number
diff-limit-unmatched = matches nothing: no row has this name and this metric
diff-limit-gone = { $names } is gone: there is nothing to check; correct the limit, or give --allow-missing
diff-limit-loss = { $title }: { $metric } is { $value } in a run of the new side ({ $by } beyond { $limit })
diff-limit-went = { $title }: { $metric } went from { $before } to { $after }{ $unit } ({ $beyond })
diff-limit-new = new
diff-limit-was-zero = it was 0
diff-limit-relative = { $change }%, { $points } points beyond { $limit }%
diff-limit-beyond = { $by } beyond { $limit }{ $unit }
diff-limit-interval = { $beyond }; { $confidence }% interval { $low } to { $high }
diff-more-limits-ok = { $more } more limits ok: --full
diff-more-limits-failed = { $more } more limits FAILED or not checked: --full
diff-failed = Failed: { $text }

diff-table-total = The whole run
diff-table-losses = Losses
diff-table-steady-steps = Steps (all steady ones)
diff-table-path = Critical path (pieces that changed; all sum to the wall time)
diff-table-steps = Steps (time of each)
diff-table-cores = Cores (time in which any engine works)
diff-table-engines = Engines (busy time)
diff-table-kernels = Kernels (time of all launches)
diff-table-opcodes = Opcodes (time of all commands)
diff-table-types = Data types (time of all commands)
diff-table-shapes = Shapes (time of all commands)
diff-table-directions = Directions (time of all transfers)
diff-table-workloads = Workloads, devices and calls
diff-table-devices = Devices and calls
diff-table-units = { $title } (wall time)
diff-table-units-ranked = { $title } (wall time; the one that grew most first)
diff-table-phases = Where the time went
diff-table-first = { $title }: the first { $most } of { $all }
diff-table-groups = Which runs repeat one another

## What makes numbers hard to compare

diff-runs-differ = the runs differ in { $what }: { $values }
diff-differ-chip = chip
diff-differ-cores = cores
diff-differ-clock = TIU clock
diff-differ-version = the report's version
diff-differ-steps = how steps are found
diff-no-steps = no steps
diff-steps-repeat = the kernels repeat
diff-steps-by-kernel = by a kernel's name
diff-steps-by-host = by the host's markers
diff-data-lost = { $run }: data was lost, see its ledger
diff-not-compared = { $unit }: it is not compared
diff-no-report = { $path }: left out: it is no report of a run
diff-programs-differ = { $unit }: the runs are not of the same program, so each is compared for itself: { $programs }
diff-few-pairs = { $pairs } pairs of runs: with fewer than { $least } the noise is unknown
diff-occasions = { $before } occasions before and { $after } after: they differ by { $spread }% (standard deviation), which the intervals include
diff-each-run-longer = each run takes { $change }% longer than the one before
diff-each-run-shorter = each run takes { $change }% shorter than the one before
diff-drift-pairs = drift: { $each }; pairs leave it out
diff-drift-occasions = drift: { $each }; let the device warm up, or run both sides in turn (--pairs)
diff-drift-ranks = drift: { $each }, so a change below { $least }% can't be told from it; run both sides in turn (--pairs)
diff-two-modes-before = two modes: { $some } of { $runs } runs before take about { $slow } us, the others { $fast } us
diff-two-modes-after = two modes: { $some } of { $runs } runs after take about { $slow } us, the others { $fast } us
