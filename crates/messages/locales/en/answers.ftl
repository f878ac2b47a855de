# The verdict on a run, its advice with evidence, and the places that both name.

## The verdict

verdict-without = Without this the run would take { US($without) } instead of { US($wall) } us ({ FIXED($shorter) } % shorter).
verdict-without-at-least = Without this the run would take at least { US($without) } instead of { US($wall) } us ({ FIXED($shorter) } % shorter).
verdict-without-range = Without this the run would take { US($least) } to { US($most) } instead of { US($wall) } us ({ FIXED($least_shorter) } to { FIXED($most_shorter) } % shorter).
verdict-not-replayed = No rule found a cause that stands out; the run can't be replayed, so what bounds it is not known.
verdict-no-commands = The run has no commands.
verdict-no-cause = No rule found a fault that is known to cost { PERCENT($least) } % of the run or more.
verdict-bound = { CAPITAL($reason) } takes { PERCENT($share) }% of the critical path: { $remedy }.
verdict-more-at-most = More may be won: { $headline } (at most { US($gain) } us, { PERCENT($share, digits: 1) } %; a bound).
verdict-more-about = More may be won: { $headline } (about { US($gain) } us, { PERCENT($share, digits: 1) } %; an estimate).
verdict-without-about = Without this the run would take about { US($without) } instead of { US($wall) } us (about { FIXED($shorter) } % shorter; an estimate).
verdict-known = Known to be won: { $headline } ({ US($gain) } us, { PERCENT($share, digits: 1) } %).
verdict-without-bound-of-gain = Without this the run would take at least { US($without) } instead of { US($wall) } us (at most { FIXED($shorter) } % shorter; a bound).
verdict-without-bound = If it took no time, the run would take { US($without) } instead of { US($wall) } us ({ FIXED($shorter) } % shorter).
verdict-without-bound-next = If it took no time, the run would take { US($without) } instead of { US($wall) } us ({ FIXED($shorter) } % shorter), and { $next } would be the next bound.
verdict-layer = Most of the path is in { $layer }: { PERCENT($share) }%.
verdict-layer-largest = The largest part of the path is in { $layer }: { PERCENT($share) }%.

## What bounds a run, and what makes it shorter

bound-compute = computation by the TIU
bound-ddr = transfer from and to DDR
bound-l2m = transfer from and to L2M
bound-link = transfer over chip-to-chip links
bound-local = transfer within local memory
bound-system = execution of system commands
bound-wait = waiting for messages
bound-hand-over = hand-over between engines
bound-command-gap = the pause between commands
bound-launch-gap = the time between launches
bound-start = the time before the first command
bound-unexplained = idle time without a known cause
bound-remedy-compute = use a data type with a higher rate, shapes that fill the arrays, or more cores
bound-remedy-ddr = move fewer bytes (keep data in local memory or L2M, use a smaller data type)
bound-remedy-l2m = move fewer bytes through L2M
bound-remedy-link = send fewer bytes, or send while the TIU computes
bound-remedy-local = choose layouts that need no copies in local memory
bound-remedy-sync = sync less often
bound-remedy-commands = use fewer and larger commands
bound-remedy-launches = launch ahead of time, or merge kernels
bound-remedy-host = find out what the host does then (--trace_file)

## What bounds a kernel, in a table

bound-is-compute = compute
bound-is-ddr = DDR
bound-is-l2m = L2M
bound-is-serialized = serialized
bound-is-tiu-efficiency = TIU efficiency
bound-is-dma-efficiency = DMA efficiency
bound-is-latency = latency
bound-is-sync = sync
bound-is-implausible = implausible
bound-is-unknown = unknown

## Headlines: who and where, in a few words

headline-round-trips = { $results ->
    [one] { $results } result is
   *[other] { $results } results are
} stored and loaded again
headline-idle-cores = { $idle } of { $all } cores unused ({ $which })
headline-dense-depthwise = { $convolutions ->
    [one] { $convolutions } convolution
   *[other] { $convolutions } convolutions
} may be depthwise
headline-input-channels = A convolution has only { $channels } input channels
headline-unaligned-shapes = Shapes fill less than half of the TIU
headline-unknown-shapes = { $rows ->
    [one] { $rows } row
   *[other] { $rows } rows
} of like TIU commands may be one command each
headline-small-transfers = { CAPITAL($place) }: { $transfers } transfers of only { BINARY($size) }
headline-ddr-reuse = { BYTES($bytes) } are loaded from DDR { FIXED($times, digits: 0) } times
headline-shared-loads = { $cores } cores load the same { BYTES($bytes) } from DDR
headline-double-buffer = No double buffering
headline-double-buffer-most = No double buffering, most of all in { $kernel }
headline-slow-link = Port { $port } moves only { $rate } GB/s
headline-slow-transfers = { $place }: transfers take { FIXED($times) } times as long
headline-slow-transfers-and-compute = { $place }: transfers take { FIXED($times) } times as long as elsewhere, computation { FIXED($compute) } times
headline-serialized = Computation and transfers do not overlap ({ PERCENT($share) } %)
headline-bank-conflicts = The TIU loses { PERCENT($share) } % of its cycles to bank conflicts
headline-in-place = { $commands ->
    [one] { $commands } command writes
   *[other] { $commands } commands write
} into the bank of an operand
headline-short-pieces = { $transfers ->
    [one] { $transfers } transfer consists
   *[other] { $transfers } transfers consist
} of short pieces ({ BINARY($bytes) })
headline-slow-cores = { $cores_count ->
    [one] Core { $cores_and } is
   *[other] Cores { $cores_and } are
} { $times } times as slow as the others
headline-slow-cores-with-more-work = { $cores_count ->
    [one] Core { $cores_and } takes
   *[other] Cores { $cores_and } take
} { $times } times as long and { $cores_count ->
    [one] has
   *[other] have
} more work
headline-straggler = Core { $core } is up to { $factor } times as slow in { $disturbed } of { $rounds } rounds
headline-stragglers = In { $disturbed } of { $rounds } rounds one core is up to { $factor } times as slow, not always the same ({ $which })
headline-stragglers-always = In every round one core is up to { $factor } times as slow as usual, not always the same ({ $which })
headline-uneven-work = Core { $most } works { FIXED($times) } times as long as core { $least }
headline-uneven-in-turn = In each round one core works longer than the others, not always the same ({ $which })
headline-turns = The cores take turns instead of working at the same time ({ $which })
headline-launch-gap = Gaps between launches, most of it one of { US($time) } us before { $after }
headline-launch-gaps = Chip idle { US($time) } us in { $gaps ->
    [one] { $gaps } gap
   *[other] { $gaps } gaps
} between launches
headline-launch-gaps-longest = Chip idle { US($time) } us in { $gaps } gaps between launches, { US($longest) } us of it before { $after }
headline-chip-stall = All cores stall for { US($time) } us, from { US($at) } us on
headline-stall = Core { $core } stalls for { US($time) } us{ $kernel }
headline-stalls = Core { $core } stalls again and again, { US($time) } us in all
headline-late-core = Core { $core } arrives last at { $late } of { $barriers } barriers
headline-sync-waits = Core { $core } waits { US($time) } us for other engines or cores
headline-profile-mode = Only the type of most commands is known
headline-bound = Bound by { $reason }: { PERCENT($share) }% of the critical path

## Advice

advice-most-in = Most of this is in { $place }: { PERCENT($share) }%.
advice-largest-in = The largest part of this is in { $place }: { PERCENT($share) }%.
advice-spread-over-kernels = It is spread over { $places } kernels.
advice-spread-over-layers = It is spread over { $places } layers.
advice-costs = This costs { US($least) } to { US($most) } us: { $why }.
advice-serialized-too = With the commands as they are, computation and transfers hardly overlap.
advice-same-time-all = It is time of the finding above, “{ $greatest }”, too: once that is fixed, this saves nothing more.
advice-same-time = Most of it is time of the finding above, “{ $greatest }”, too: once that is fixed, this still saves { US($left) } us.
advice-costs-at-least = This costs { US($least) } us at least; { US($most) } us is a bound: { $why }.
advice-sync-waits-too = The other cores wait for it.
advice-bank-conflicts-too = The PMU's conflicts of banks are these.
advice-small-transfers-too = They have few bytes, too.

advice-unaligned-shapes = { $kinds ->
    [one] { $kinds } kind of TIU commands fills
   *[other] { $kinds } kinds of TIU commands fill
} less than half of the arrays: choose tiles whose channels fill all lanes and whose rows fill the vectors.
advice-unaligned-lanes = In the kind that loses most, { FIXED($working, digits: 0) } of { $lanes } lanes work.
advice-unknown-shapes = The records do not show the shapes of TIU commands: { $commands } commands run in { $rows ->
    [one] { $rows } row
   *[other] { $rows } rows
} of like ones (up to { $longest }), while no operand arrives. If each fills a small part of the arrays, one command can do the work of a row. This is a bound: full command bits (mode 2) show the shapes.
advice-unaligned-bound = This is a bound: more lanes need another mapping of the tensor (rows into lanes), and how much of it can be reached is not known.
advice-input-channels = A convolution has { $channels } input channels, and the matrix unit takes { $at_once } at once: make the rows of its filter input channels ({ $then } instead of { $now }); with the larger load of its input it takes { US($short) } instead of { US($long) } us.

advice-round-trips = { $results ->
    [one] { $results } result is
   *[other] { $results } results are
} stored outside local memory and loaded again by the same core: { $transfers } transfers of { BYTES($bytes) } take { US($time) } us. Keep them in local memory.
advice-round-trips-fits = They fit: with them at most { BINARY($used) } of { BINARY($all) } of a lane are in use at a time.
advice-round-trips-bound = This is a bound: most of them do not fit beside what else is in the { BINARY($all) } of a lane; smaller tiles, or layers that run tile by tile, make room.
advice-round-trips-rest = { $results } more do not fit ({ US($time) } us).
advice-idle-cores = { $idle } of { $all } cores have no work: divide the rows, channels or batch of each layer among all cores.
advice-idle-cores-unseen = { $cores ->
    [one] The dump has no files of { $cores } of these cores: if it ran, copy its files, too.
   *[other] The dump has no files of { $cores } of these cores: if they ran, copy their files, too.
}
advice-idle-cores-bound = This is an estimate: every command is taken to divide evenly, and DDR, which all cores share, gives { PERCENT($share) } % of the time that its transfers take now.
advice-dense-depthwise = { $convolutions ->
    [one] { $convolutions } convolution multiplies
   *[other] { $convolutions } convolutions multiply
} all channels with all, though a convolution of 1x1 that mixes the channels follows, and the run has depthwise commands of the same filter size. As a depthwise command the one of { $shape } takes { US($short) } instead of { US($long) } us.
advice-dense-depthwise-bound = This is a bound: the commands do not show whether the filters mix channels; check the groups of these layers in the model.

advice-small-transfers = { $transfers } transfers of less than 8 KiB ({ BINARY($size) } on average) take { FIXED($times, digits: 0) } times the time that their bytes need: merge neighbours, or move rows of a tensor with one strided command.

advice-ddr-reuse = { BYTES($bytes) } at { $places ->
    [one] { $places } address
   *[other] { $places } addresses
} are loaded from DDR { FIXED($times, digits: 0) } times on average, { BYTES($again) } more than needed: load them once into L2M; { $room }.
advice-ddr-reuse-fits = they fit into the L2M of { BINARY($size) }
advice-ddr-reuse-unknown = check that they fit into the L2M (the chip facts do not have its size; give it with --hw)

advice-shared-loads = { $cores } cores load the same { BYTES($bytes) } from DDR, each for itself ({ $places ->
    [one] { $places } place
   *[other] { $places } places
} that no command of the run writes, such as weights): { US($time) } us on the core where this takes longest.
advice-shared-loads-l2m = Copy them into L2M once, ahead of the loads (by the SDMA), and let all cores load them from there.
advice-shared-loads-split = No memory beside DDR is known that the cores of this chip share and that is large enough: divide output channels instead of rows among the cores, so that each needs only its own part of the weights. This is a bound: what each core then has to load besides is not counted.
advice-shared-loads-beside = Several cores load the same { BYTES($bytes) }, such as weights ({ US($time) } us on one core): if the split divides output channels, each loads only its own part.

advice-double-buffer = Use double buffering: every load waits until the tile before is computed and stored, although it needs no result of that tile, so the TIU idles while data is loaded. Dispatch the loads of the next tile before the stores of this one, into a second buffer.
advice-double-buffer-most = Use double buffering: every load waits until the tile before is computed and stored, although it needs no result of that tile, so the TIU idles while data is loaded. Dispatch the loads of the next tile before the stores of this one, into a second buffer. { $kernel } gains most ({ PERCENT($share) } % of its time).
advice-double-buffer-there = The buffers are there already: only the order of the commands has to change.
advice-double-buffer-fits = This takes { BINARY($needed) } more of each lane. The run uses addresses up to { BINARY($used) } of { BINARY($all) }: it fits above them.
advice-double-buffer-too-large = This takes { BINARY($needed) } more of each lane. The run uses addresses up to { BINARY($used) } of { BINARY($all) }: above them it does not fit without smaller tiles. This is a bound: what smaller tiles would take is not known.

advice-slow-link = Port { $port } moves { $rate } GB/s, the other ports { $usual } GB/s with transfers of the same size: check this link, its lanes and its cable, and the device at its other end.

advice-slow-transfers = The transfers of { $place } take { FIXED($times) } times as long as those of { $others } of the same size and direction ({ $rate } instead of { $usual } GB/s): check their strides, the alignment of their addresses and the memory that they are in.
advice-slow-transfers-and-compute = The transfers of { $place } take { FIXED($times) } times as long as those of { $others } of the same size and direction ({ $rate } instead of { $usual } GB/s), its TIU commands { FIXED($compute) } times as long as those of the same type and size: all engines are slower there, check the clocks and what else runs at this time.

advice-serialized = Loads, computation and stores do not overlap: use double buffering, so that the next tile is loaded and the last one stored while this one is computed.

advice-bank-conflicts = The TIU loses cycles because operands are in the same bank of local memory: place operands and results in different banks.

advice-in-place = `{ $opcode }` works in place: { $cycles } cycles, with the result in another bank about { $elsewhere }. { $commands ->
    [one] { $commands } command reads and writes
   *[other] { $commands } commands read and write
} one bank of local memory, which takes two cycles instead of one: put results into another bank.

advice-short-pieces = { $pieces } pieces of { BINARY($bytes) } ({ $direction }): { US($lost) } us of { US($time) } are per-piece time. { $transfers ->
    [one] { $transfers } transfer consists
   *[other] { $transfers } transfers consist
} of such pieces: choose a layout in which what is moved is contiguous, or move whole rows and pick from them in local memory.

advice-slow-cores = { $cores_count ->
    [one] Core { $cores_and } takes
   *[other] Cores { $cores_and } take
} { $times } times as long for the same commands{ $kernels ->
    [0] {""}
    [one] {" "}in { $slow_kernels } of { $kernels } kernel
   *[other] {" "}in { $slow_kernels } of { $kernels } kernels
}: check the clock and the memory channel there.
advice-slow-cores-with-more-work = { $cores_count ->
    [one] Core { $cores_and } takes
   *[other] Cores { $cores_and } take
} { $times } times as long{ $kernels ->
    [0] {""}
    [one] {" "}in { $slow_kernels } of { $kernels } kernel
   *[other] {" "}in { $slow_kernels } of { $kernels } kernels
}, and { $cores_count ->
    [one] has
   *[other] have
} more bytes or operations than the other cores: split the work evenly.
advice-times = { $factor }
advice-times-range = { $least } to { $most }
advice-straggler = Core { $core } takes up to { $factor } times as long for the same commands in { $disturbed } of { $rounds } rounds: look for what disturbs it in these rounds, such as other users of its memory channel.
advice-stragglers = In { $disturbed } of { $rounds } rounds one core takes up to { $factor } times as long as usual for the same commands, and it is not always the same core: look for a disturbance that wanders, such as other users of the memory channels.
advice-stragglers-always = In each of { $rounds } rounds one core takes up to { $factor } times as long as usual for the same commands, and it is not always the same core: look for a disturbance that wanders, such as other users of the memory channels.
advice-uneven-work = Core { $most } works longer than the others { $place }: { US($most_time) } us, core { $least } { US($least_time) } us ({ FIXED($percent, digits: 0) } %){ $remedy }
advice-uneven-work-split = {"."} Split the work evenly.
advice-uneven-work-same = {","} though both move about as many bytes and do about as many operations. Compare their commands: those of core { $most } are slower, or smaller and more.
advice-uneven-in-turn = { CAPITAL($place) } one core has { PERCENT($share) } % of the work, another one each time, and the other cores wait or are idle (an even share is { PERCENT($even) } %): split the work of each round evenly.
advice-turns = { CAPITAL($place) } one core does { PERCENT($share) } % of the work, another one each time, and the other cores wait or are idle. In the whole run all cores work equally long: divide the work of each round among all cores, or, where rounds do not need one another's results, let rounds of different cores run at the same time.
advice-in-the-run = in the run
advice-in-stretches = in { $stretches } stretches between barriers
advice-in-rounds = in { $rounds ->
    [one] { $rounds } round
   *[other] { $rounds } rounds
} of { $kernels ->
    [one] { $kernels } kernel
   *[other] { $kernels } kernels
}

advice-launch-overhead = The chip is idle for { US($time) } us in { $gaps ->
    [one] the gap
   *[other] { $gaps } gaps
} between kernel launches: launch ahead, or merge small kernels.
advice-launch-gap-longest = One stands out: the longest is { US($longest) } us, from { $before } to { $after } (median { US($median) } us): look at what the host did at that moment (--trace_file).
advice-launch-gap = The chip is idle for { US($time) } us between { $before } and { $after }: this is { PERCENT($share) } % of the time in { $gaps } gaps between launches ({ US($median) } us in the median). Look at what the host did at that moment (--trace_file); merging kernels does not help.

advice-stall = Core { $core } runs nothing for { US($time) } us{ $kernel }, from { US($at) } us on, while the other cores wait or are idle: find out what its next command waits for.
advice-chip-stall = No core runs anything for { US($time) } us, from { US($at) } us on: look at what the host did at that moment (--trace_file).
advice-stall-kernel = {" "}in { $kernel }
advice-stall-no-kernel = {""}
advice-stall-inside-launches = Core { $core } is idle inside launches while the other cores wait or are idle: find out what its next command waits for.
advice-stall-between-commands = Core { $core } is idle between commands while the other cores wait or are idle: find out what its next command waits for.

advice-late-core = Core { $core } arrives last at { $late } of { $barriers } barriers and the others wait for it: check its work before these barriers; balance the work or sync less often.
advice-sync-waits = Core { $core } waits for other engines or cores: check their work during the waits; balance the work or sync less often.
advice-sync-waits-left-out = Core { $core } waits for other engines or cores, and cores are left out: what ends these waits is not known. Analyze all cores.
advice-sync-waits-one-core = Core { $core } waits for its other engines: check their work during the waits; balance the work or sync less often.

advice-profile-mode = Only the type of most commands is known: operations, uArch rates, shapes and, on some chips, directions are missing or inexact. Capture with profile mode 2 for exact numbers (bigtpuprofile explain docs/capture.md).

## Why a gain is known within bounds only

doubt-no-sync-pair = no sync pair connects the ports' clock with that of a core, so their exact times are not known
doubt-port-waiters = few of the commands that wait for a port are known
doubt-port-not-placed = nothing places the times of this port among those of the cores, so what waited for it is not known
doubt-dependences = without full command bits it is not known which commands need each other's results
doubt-bytes = without full command bits it is not known how many bytes they read and how many they write
doubt-others-may-be-slow = some of its commands can be compared with none elsewhere, and may be slow, too
doubt-operations = the operations of its TIU commands are not known in this capture mode, so these may be slow, too
doubt-division = the commands keep what they wait for now, and may wait for less when the work is divided in another way
doubt-surplus = without full command bits it is not known whether the busiest cores need all that they do
doubt-waits-look-like-work = in this capture mode the records of waits look like those of work

## Evidence: what a number is

evidence-uarch-rate = uArch rate
evidence-tiu-time = TIU time
evidence-lanes = lanes that work
evidence-results-kept = results that are stored and loaded again
evidence-bytes-moved = bytes of their transfers
evidence-too-large = time of round trips that do not fit
evidence-idle-cores = cores without work
evidence-dense = convolutions that may be depthwise
evidence-few-channels = convolutions of few input channels
evidence-longest-tiu = TIU time of the longest
evidence-tiu-by-rules = TIU time by the cost rules
evidence-transfers = transfers
evidence-mean-size = mean size
evidence-their-time = their time
evidence-slowest-small = time of the one that loses most
evidence-achieved = achieved
evidence-bytes-loaded = bytes loaded
evidence-bytes-again = of these loaded again
evidence-places-again = places read again
evidence-rows = rows of like commands
evidence-longest-row = commands of the longest row
evidence-shared-places = places that several cores load
evidence-shared-bytes = bytes of these places
evidence-size-of-data = size of the data
evidence-time-again = time of the repeated loads, over all cores
evidence-compute = compute
evidence-transfer = transfer
evidence-both = both at once
evidence-overlap-ratio = overlap ratio
evidence-free-overlap = an engine idle, its next command free to start
evidence-serial-cores = cores with little overlap
evidence-cycles-lost = cycles lost
evidence-share-of-cycles = share of TIU cycles
evidence-commands-with-conflicts = commands with conflicts
evidence-most-in-one = most in one command
evidence-slowest-core = work of the slowest core
evidence-disturbed-rounds = rounds with a slow core
evidence-mean-of-cores = mean of the cores
evidence-lost-to-slowest = lost to the slowest core, all rounds
evidence-uneven-work = working time in the uneven rounds
evidence-share-of-one = work of one core
evidence-launch-gaps = gaps between launches
evidence-core-without-command = of this, no command on the core
evidence-chip-idle = of this, the chip was idle
evidence-median-length = median length
evidence-longest-gap = longest gap
evidence-next-gap = next longest gap
evidence-idle-inside-launches = inside launches, core and chip idle
evidence-idle-between-commands = between commands, core and chip idle
evidence-longest-stall = longest stall
evidence-next-stall = next longest stall
evidence-system-only = waits and system commands only
evidence-wait-in-bubbles = waiting time in the longest gaps
evidence-barriers-last = barriers at which it arrived last
evidence-mean-skew = mean skew of the barriers
evidence-rate = rate
evidence-rate-of-ports = median rate of the other ports
evidence-time-of-transfers = time of its transfers
evidence-slow-ports = ports that are slow
evidence-their-rate = their rate
evidence-rate-of-kernels = rate of other kernels for the same sizes
evidence-rate-of-stretches = rate of other stretches for the same sizes
evidence-time-over-cores = time of the transfers, over all cores
evidence-tiu-time-over-cores = time of its TIU commands, over all cores
evidence-time-to-hide = time that computation would hide
evidence-waits-for-result = commands that wait for a result
evidence-waits-for-buffer = commands that wait for a buffer only
evidence-second-buffers = local memory that second buffers take
evidence-memory-in-use = local memory in use at a time, with what is kept
evidence-memory-highest = local memory to the highest address in use
evidence-local-memory = local memory
evidence-in-place = commands in place
evidence-time-lost = time that they lose
evidence-cycles-of-one = cycles of one by its bits
evidence-result-elsewhere = with the result elsewhere
evidence-short-pieces = transfers of short pieces
evidence-per-piece-time = per-piece time
evidence-commands = commands
evidence-known-in-full = known in full

## Places

place-core = core { $core }
place-port = port { $port }
place-busiest-core = the busiest core
place-kernel = kernel { $kernel }
place-kernel-on-core = kernel { $kernel } on core { $core }
place-engine-core = core { $core } { $engine }
place-engine-port = port { $port } { $engine }
place-cdma-port = CDMA port { $port }
place-layer = layer { $layer }
place-all-cores = all cores
place-all-cores-most = all cores, most on core { $core }
place-tiu-all-cores = TIU, all cores
place-ddr-loads = loads from DDR, all cores
place-other-ports = other ports
place-other-kernels = other kernels
place-other-stretches = other stretches
place-stretches = { $some } of { $all } stretches between barriers
place-launches-looked-at = in the launches that were analyzed
place-each-lane = each lane
place-event = { $engine }, event { $event } ({ $opcode })
cores-listed = { $cores_count ->
    [one] core
   *[other] cores
} { $cores_and }
cores-range = cores { $first } to { $last }
cores-counted = { $count } cores
place-of-a-round = of a round, on average
place-gap-of-chip = from { $before } to { $after }, at { US($at) } us
place-gap = core { $core }, from { $before } to { $after }, at { US($at) } us
place-stall-of-chip = all cores, at { US($at) } us
place-stall = core { $core }, at { US($at) } us
place-stall-in-kernel = core { $core }, in { $kernel }, at { US($at) } us
place-core-for-engine = core { $core } for { $engine } of core { $other }
