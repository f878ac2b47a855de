# What the commands say on the console.

## Files that were written

written-file = written: { $file }
written-together = { $files } ({ $count } files, { $size })
written-trace = { $file } - open it in https://ui.perfetto.dev
written-page = { $file } - open it in a browser
written-workbook = { $file } - open it in a spreadsheet program

## info

info-heading = { $dump }: { $chip }, { $kind }, { $mode }
info-iteration = { $dump }, iteration { $number }
info-static = static model
info-dynamic = dynamic run
info-descriptors = commands as descriptors
info-mode-0 = mode 0: PMU records only
info-mode-1 = mode 1: commands by type
info-mode-full = mode { $mode }: commands with full bits
info-files = { $cores ->
    [one] { $cores } core file
   *[other] { $cores } core files
} of { $all_cores }, { $ports ->
    [one] { $ports } CDMA port file
   *[other] { $ports } CDMA port files
} of { $all_ports }
info-files-and-rings = { $files }, PMU rings of { $size } records
info-more-losses = ({ $count } more losses: see the analysis)
info-records = Records: { $read }; { $shown } are the run's events, { $others } the preamble, the runtime's own work, or trimmed
info-ring = Most records: { $engine }, { $records }; its ring was not full. Such a run needs max_record_num={ $enough } (bigtpuprofile explain docs/capture.md)
info-ring-full = Most records: { $engine }, { $records }; its ring is full. Such a run needs max_record_num={ $enough } (bigtpuprofile explain docs/capture.md)

## whatif: the prediction

whatif-measured = Measured: { US($time, digits: 3) } us
whatif-predicted = With { $changes }: { US($after, digits: 3) } us instead of { US($before, digits: 3) } us: { $saved }
whatif-same = the same time
whatif-less = { FIXED($change, digits: 2) } % less time ({ $factor }x)
whatif-more = { FIXED($change, digits: 2) } % more time ({ $factor }x slower)
whatif-range = Range: { US($least, digits: 3) } to { US($most, digits: 3) } us. The prediction keeps idle time whose cause is not known; the range is for idle time that changes with what is changed.
whatif-range-of-commands = Range: { US($least, digits: 3) } to { US($most, digits: 3) } us. The prediction keeps idle time whose cause is not known; the range is for idle time that changes with what is changed. Times of single commands by the rules of another chip were up to 4 % off; commands without a rule may keep their cycles.
whatif-likely-range = Likely range: { US($least, digits: 3) } to { US($most, digits: 3) } us, by the errors of twelve predictions between four measured chips (made without the one that it is tested on, it holds { $held } of { $all })
whatif-kernels = Kernels (time summed over cores)
whatif-path = Critical path: its longest parts
whatif-sensitivity = Sensitivity: predicted time with one part faster
whatif-bounds = Lower bounds: { US($hidden, digits: 3) } us if transfers took no time, { US($ideal, digits: 3) } us if no work took any time

## whatif: what the prediction rests on

whatif-rules = Time of the single commands there: { PERCENT($exact, digits: 1) } % exact, { PERCENT($fitted, digits: 1) } % fitted, { PERCENT($estimated, digits: 1) } % estimated, { PERCENT($unknown, digits: 1) } % not validated; { PERCENT($kept, digits: 1) } % have no full bits and keep their time
whatif-cache = Cache of { $size } at { $rate } GB/s: it serves { $hits } of { $loads } loads from DDR ({ $hit_bytes } of { $load_bytes }); { $constants } constants take { $constant_bytes }
whatif-based-on = Based on dependences: { PERCENT($certain, digits: 1) } % certain, { PERCENT($checked, digits: 1) } % checked, { PERCENT($inferred, digits: 1) } % inferred; transfers: { $fit }; unexplained idle: { PERCENT($unexplained, digits: 1) } % of the wall time
whatif-fit = median error { PERCENT($error, digits: 1) } %
whatif-no-fit = no fit
whatif-commands-not-used = cmd_id_dep is not used: { $why }
whatif-contradicted = the measured times contradict { $count } of { $all } dependences
whatif-unresolved = { $count } of { $all } dependences name commands that do not exist
whatif-no-dependences = commands do not name their dependences: they are inferred from times
whatif-waits-unknown = the records do not tell waits from work: waits keep their length, so that a prediction for faster hardware is too long
whatif-one-size = most transfers of an engine have the same size: their whole time is assumed to depend on the bandwidth
whatif-unknown-direction = without full command bits, a transfer of unknown direction counts as a DDR transfer

## Dumps that were found

found-summary-only = { $input }: { $name } is skipped: it holds only the runtime's summary, no PMU records
found-within = { $input } is not a dump; the dump in it is used: { $name }

## batch

batch-done = { $dumps } dumps: { $analyzed } analyzed, { $unchanged } unchanged, { $failed } failed; { $lost } with lost data
batch-indexed = { $dumps } dumps with results
batch-left-out = { $path }: { $why }
batch-summary-only = left out: it holds the runtime's summary only, no PMU records
batch-no-head = left out: it has no global.profile, so it is no dump; copy the whole directory
batch-unreadable = left out: cannot be read ({ $why })
batch-events-removed = events of { $dumps ->
    [one] { $dumps } dump
   *[other] { $dumps } dumps
} are removed: the dumps, the options or the program changed since; give --events to write them again
batch-warning = warning: { $text }
batch-error = error: { $text }

## Several dumps

dumps-heading = { $dumps ->
    [one] { $dumps } dump
   *[other] { $dumps } dumps
}
dumps-more = ({ $count } more: see --full)
dumps-more-in-summary = ({ $count } more: see --full or summary.txt)
dumps-own-files = { $directory }: files of each dump ({ $count ->
    [one] { $count } file
   *[other] { $count } files
}, { $size })
dumps-own-files-and-more = { $directory } and { $more } more: files of each dump ({ $count ->
    [one] { $count } file
   *[other] { $count } files
}, { $size })
dumps-straggler = { $devices } devices: { $slowest } worked longest, { $time } us, { $more } more than the mean; the others wait { $lost } us for it
dumps-straggler-in-call = Call { $call }, { $devices } devices: { $slowest } worked longest, { $time } us, { $more } more than the mean; the others wait { $lost } us for it

## costs, synth

costs-source = { $dump }: { $chip }, { $cores ->
    [one] { $cores } core
   *[other] { $cores } cores
}, { US($time, digits: 3) } us
costs-more = ({ $count } more parts: see --json or -o)
synth-written = { $dump }: { $files } files, { $bytes } bytes

## explain

explain-rule = rule of the advice
explain-term = term
explain-metric = metric
explain-column = column of events.csv and events.parquet
explain-field = field or part of a query
explain-table = column of a table
explain-json = field of results in JSON
explain-note = note on a dump
explain-error = error
explain-answer = sentence of the verdict or of advice
explain-sentence = sentence of the program
explain-document = document
explain-more = Names in braces are different in each run. More: bigtpuprofile explain { $place }
explain-sections = Nothing has the name { $given }. This section has the word:
explain-several = { $name } is the name of { $count } things: { $kinds }.
explain-weak = This may not be what you asked. What is nearest:
explain-rest = ... all of it: bigtpuprofile explain { $place }
explain-answered = More:
explain-questions = Questions about it:
explain-how = `bigtpuprofile explain NAME` says what it is; NAME can be a sentence that the program printed, or a part of one, and a document or one chapter of it: `docs/analysis.md#roofline`.

## simulate

simulate-alone = { $chip }, simulated: { $time }
simulate-beside = { $chip }, simulated: { $time }, measured { $measured } ({ $error })
simulate-warned = { $headline }; { $warning }
simulate-accuracy = { $commands ->
    [one] { $commands } TIU command
   *[other] { $commands } TIU commands
}: { $exact } exact to the cycle, their sum { $error }; { $transfers ->
    [one] { $transfers } transfer
   *[other] { $transfers } transfers
}: median error { $median }, p90 { $p90 }, their sum { $transfers_error }
simulate-nothing-measured = { $commands ->
    [one] { $commands } TIU command
   *[other] { $commands } TIU commands
}, { $transfers ->
    [one] { $transfers } transfer
   *[other] { $transfers } transfers
}; nothing was measured
simulate-marks = Share of the commands' time: { $marks }
simulate-share = { $share } { $what }
simulate-tiu-parts = TIU cycles: { $parts }
simulate-transfer-parts = Transfers: { $parts }
simulate-dispatch = Dispatch: { $commands ->
    [one] { $commands } command
   *[other] { $commands } commands
} are issued word by word, { $each } us each ({ $mark }): { $longest } us on the core with most of them
simulate-not-validated = Not validated (lower bounds): { $names }
simulate-not-validated-and-more = Not validated (lower bounds): { $names } and { $more } more
simulate-ignored = { $count } dependences and waits are for commands that the dump lacks: they are left out
simulate-mark-exact = exact
simulate-mark-fitted = fitted
simulate-mark-estimated = estimated
simulate-mark-not-validated = not validated
simulate-part-start-up = start-up
simulate-part-work = work
simulate-part-unused-channels = unused channels
simulate-part-unused-positions = unused positions
simulate-part-line-crossings = line crossings
simulate-part-second-operand = second operand
simulate-part-in-place = in place
simulate-part-requantization = requantization
simulate-part-latency = latency
simulate-part-bus = bus
simulate-part-incomplete-bus-lines = incomplete bus lines
simulate-part-short-pieces = short pieces
simulate-part-first-transfer = first transfer

batch-loop = File system loop found: { $path } points to an ancestor { $to }
costs-no-scope = { $path }: { PERCENT($share, digits: 1) } % of the run match no --scope rule; they are the scope `rest`
costs-warmup = { $name } ran at most { $times } times and is left out
costs-no-energy = the machine of --hw has no energy values, so energies are unknown
costs-note = { $dump }: { $note }
open-address = The { $what } is at { $address }
open-trace = trace
open-page = page
open-no-browser = No browser can be started here: open the address by hand.
open-ends = Ends when the browser has it, or with Ctrl-C.

dumps-line = Time line: { $note }
dumps-line-anchors = every dump is aligned with the host by the host's tpudnn events and its own tail_offset_ns: moments on different devices can be compared as exactly as these allow
dumps-line-no-tail = { $note }; { $dumps } of them without tail_offset_ns start at the end of the host's first tpudnn event
dumps-line-calls = dumps of the same call (by name) start at the same time, because nothing else aligns them: durations can be compared, moments on different devices can't
dumps-line-calls-in-turn = { $note }; each call starts when the longest dump of the call before has ended: the time between calls is unknown
dumps-line-in-turn = the dumps follow one another, because nothing aligns them: durations can be compared, moments can't; the time between dumps is unknown
dumps-line-host = { $note }; { $host }
dumps-line-host-start = the first starts at the host's first event, as requested: host and devices are not aligned
dumps-line-host-calls = the host's tpudnn events do not say which of several calls of a device they belong to, so the first dump starts at the host's first event: host and devices are not aligned; analyze one call at a time to align it
dumps-line-host-nothing = the host trace has no tpudnn event that says when a device ran, so the first starts at the host's first event: host and devices are not aligned
dumps-line-others = { $note }; of the others: { $others }
dumps-line-links = devices that { $links } links join are on one clock, from their sends and receives: standard error up to { $sigma } ns, and up to { $drift } ns more at the end of a dump because clocks drift ({ $page } takes this into account); the method is not yet verified on hardware
dumps-line-islands = { $note }; { $islands } sets of devices have no link between them and begin together

costs-table = Cost of one execution (engine times are summed over cores)
