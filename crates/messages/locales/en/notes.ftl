# Notes of the ledger: what was read, corrected, left out or lost of a dump.

## A note with its place

note-line = { $severity }: { $note }
note-loss = lost
note-warning = warning
note-remark = note
note-in-file = { $file }: { $note }
note-at-byte = { $file } at byte { $offset }: { $note }
note-extent = { $note } ({ PERCENT($share, digits: 1) }% of the file)
note-extent-small = { $note } (under 0.1% of the file)
note-more = { $count } more notes about this file are not shown

## Whether the dump is complete

note-completeness = Completeness: { $verdict }
note-complete = complete
note-complete-but = complete: all that the PMU wrote is there, and of { $skipped ->
    [one] { $skipped } very short command
   *[other] { $skipped } very short commands
} it wrote no record
note-unverified = can't be verified: { $reasons }
note-incomplete = incomplete, because { $reason }
note-incomplete-more = incomplete, because { $reason }; { $more ->
    [one] { $more } more reason is in the notes
   *[other] { $more } more reasons are in the notes
}
note-headers-only = only the heads of files and blocks were read, neither records nor commands; leave out --headers

## Ports and clocks

note-port-placed = no sync pair binds the port to a core: its times are placed by { $by }, to within { US($doubt, digits: 3) } us
note-port-placed-one-sided = no sync pair binds the port to a core: its times are placed by { $by }, all of one direction, so that they can be further off
note-by-launches = { $launches } kernel launches
note-by-messages = { $messages } messages
note-by-launches-and-messages = { $launches } kernel launches and { $messages } messages
note-by-hand-overs = { $hand_overs } hand-overs with the SDMA and other ports of its core
note-port-not-placed = no sync pair, no kernel launch and no message bind the port to a core: its times count from an origin of its own, and it is left out of the wall time and of the critical path; profile all cores of the chip in capture mode 1 or 2
note-port-of-model-not-placed = no sync pair and no message bind the port to a core, and a static model has no kernel launches: its times count from an origin of its own, and it is left out of the wall time and of the critical path
note-clock-other-place = the counters of TIU and DMA have different rates, and two places explain the records equally: the times of the two may be { S($ns) } s off against each other; profile a shorter run, or one with kernels and commands (capture mode 1 or 2)
note-clock-torn = the counters of TIU and DMA have different rates, and in { $launches } launches the records of the two are far apart: the engines paused for longer than a turn of a counter, and the times behind the pause are doubtful; profile a shorter run
note-engines-apart = core { $core }: the counters of TIU and GDMA start at different times: { $offset } ns are added to the TIU's times, the lower bound from { $dependences } dependences between their commands ({ $width })
note-engines-unknown = core { $core }: the counters of TIU and GDMA start at different times, and no dependence between their commands is known: the offset between their times is unknown
note-width-interval = an interval of { $ns } ns
note-width-contradicting = contradicting bounds, by { $ns } ns
note-width-one-bound = one bound only
note-unaligned-ports = the SDMA has { $sends } sync sends for { $ports } CDMA ports; the other ports are not aligned
note-counter-jump = { $engine }: the counter jumps by about 2^32 cycles before record { $record }, but no other engine of the core pauses there and no record is out of order: the times of { $records } records are doubtful; profile a shorter run

## Missing files and blocks

note-only-file-empty = the file is empty, and there is no other: no record is left; copy the dump again
note-all-files-empty = the { $files } files of cores and ports are all empty: no record is left; copy the dump again
note-empty-among-full = the file is empty, but the firmware's barrier leaves records in the file of every core: all records of the core are missing; copy the file again
note-file-missing = the file is missing, but those of cores { $first } and { $last } are there: all records of core { $core } are missing; copy the file again
note-no-command-block = the file has no { $block } block, but { $other } has one: the commands of its records are not known; copy the file again
note-no-bits-block = the file has no { $block } block, but { $other } has one: the full bits of its commands are not known; copy the file again
note-fewer-commands = the file has { $commands } of the { $expected } { $engine } commands that the COMMAND block of { $file } counts: { $unexplained } records or commands have no partner; copy the file again
note-no-commands = a static model ran, but no { $engine } command is there for { $records } records of { $place }: the commands are missing; copy the dump again
note-no-records = no record of { $place } is there for the model's { $commands } commands: the records are missing; copy the file again
note-fewer-cores = COMMAND blocks name the commands of { $commands } cores, but the file has records of { $records }: the records of the others are missing; copy the file again
note-more-cores = { $chip } has { $cores } cores, the file has blocks of { $blocks }: those of the others are left out
note-core-list = core_list { $cores } names a core twice or one that { $chip } does not have; cores are numbered by their order
note-global-cut = the file ends within a line: its end may be missing
note-no-clock = there is no tpu_freq, which all runtimes write: lines may be missing, and the chip's usual clock is used
note-no-core-list = there is no core_list, which newer runtimes write at the end: the end of the file may be missing
note-core-num = core_num is { $given }, but { $chip } has { $cores } cores
note-idle-or-missing = { $files } files of cores are there, but core_num is { $cores }: the other cores were idle, or their files are missing
note-untold-files = { $files } of at most { $cores } files of cores are there, and neither core_num nor record counts say how many were written
note-empty-or-idle = the file is empty: its core was idle, or the records are missing
note-empty-or-idle-more = the file and { $more } more are empty: their cores were idle, or the records are missing
note-mode-0 = the dump has no commands: the capture mode was 0, or the blocks of the commands are missing
note-mode-1 = the dump has no full bits of commands: the capture mode was 1, or the block at the end of the only file is missing
note-untold-records = neither a record count nor commands say how many records { $place }{ $more ->
    [0] {""}
    [one] {" "}and { $more } more engine
   *[other] {" "}and { $more } more engines
} wrote
note-none-fits = none of the { $commands } commands of { $place } fits a record
note-left-out = left out: { $why }
note-too-many-cores = left out: { $chip } has { $most } cores
note-too-many-ports = left out: { $chip } has { $most } CDMA ports
note-no-number = its name does not end in a core or port number
note-number-taken = number { $number } is taken by an earlier file
note-unreadable = { $path }: cannot be read ({ $error }); check its permissions
note-empty-file = the file is empty
note-other-chip = the dump names { $named } and --arch names { $given }; { $named } is used
note-global-long = only the first { $bytes } bytes are read; a valid file has a few hundred
note-more-lines = { $more } more lines are ignored
note-bad-line = line { $line }: { $key }={ $value } is not { $what }; the line is ignored
note-a-clock = a clock in MHz
note-a-core-number = a number of cores up to { $most }
note-a-count = a count
note-a-time = a time in ns

## Records and commands

note-outside-session = { $records } TIU records are before the first id 0 or behind the last section of ids: a part of the session is missing, and they are shown as they are
note-trimmed = { $records } of { $all } { $engine } records at start and end match no command and are left out
note-no-match = no { $engine } record matches the model's commands; all are shown without a command
note-undecided = core { $core }: { $launches } of { $all } launches may be the model's or those of kernels: their lengths, times and counters fit both, so their commands are doubtful
note-undivided = core { $core } ran a model and kernels, and no division of its records between them fits: each command may be that of another launch, so all are doubtful
note-incomplete-launches = { $lacking } of { $launches } kernel launches have missing commands, or their records can't be distinguished from those of other launches ({ $engines }): percentiles and the balance between cores leave these launches out
note-short-commands = { $unseen } of { $commands } TIU commands have no record: the PMU of { $chip } skips some of several very short commands in a row
note-unseen = { $unseen } of { $commands } { $engine } commands have no record: the PMU lost records, or the capture is incomplete
note-unseen-and-unbound = { $unseen } of { $commands } { $engine } commands have no record, and { $unbound } records match no command: the PMU lost records, or the capture is incomplete
note-unbound = { $unbound } of { $records } { $engine } records match no command, while each command has its record: commands are missing in the dump, and these records are shown without one; profile a shorter run
note-port-unseen = { $unseen } of { $commands } commands have no record: the PMU lost records, or the capture is incomplete
note-port-unseen-and-unbound = { $unseen } of { $commands } commands have no record, and { $unbound } records match no command: the PMU lost records, or the capture is incomplete
note-port-unbound = { $unbound } of { $records } records match no command, while each command has its record: commands are missing in the dump, and these records are shown without one; profile a shorter run
note-port-unclear = { $records } records match the commands of more than one core and stay unmatched
note-port-unmatched = { $unmatched } of { $records } records match no core's commands
note-before-sync-pair = { $records } records before the port's sync pair belong to no call and are shown without a command
note-not-accounted = { $place }: { $records } records were read, and { $unaccounted } of them are not accounted for: a defect of bigtpuprofile, please report it
note-full-ring = { $place }: the PMU ring of { $ring } records was full ({ $written } written), so records were lost; profile again with max_record_num={ $enough } (bigtpuprofile explain docs/capture.md)
note-single-record = { $place }: a single record means truncated data
note-no-file = { $place }: { $written } records were written, but the dump has no file for it
note-other-count = { $place }: { $written } records were written, the file holds { $held }
note-fewer-records = { $place }: { $written } records were written, the file holds { $held }: { $lost ->
    [one] 1 is lost
   *[other] { $lost } are lost
}
note-zero-record = { $block }: { $records } records after an all-zero record, which ends a monitor, are left out
note-ragged = { $block } ends with an incomplete record ({ $bytes } of { $record } bytes); left out
note-lapped = { $engine } PMU ring overflowed: only the last { $records } records are left, { $older }; profile again with max_record_num={ $enough } or more (bigtpuprofile explain docs/capture.md)
note-older-unknown = an unknown number of older ones was overwritten
note-older = at least { $records } older ones were overwritten

## Blocks

note-unknown-words = DYN_DATA holds { $words } words of unknown kinds, skipped
note-dyn-data-cut = DYN_DATA: { $why }
note-name-cut = a kernel's name extends beyond the end of the block
note-node-cut = a DES node's second word is missing
note-commands-of-no-port = DYN_DATA: { $commands } commands for CDMA port { $port }, which the chip does not have
note-streams-of-no-port = DYN_DATA: { $streams } streams for CDMA port { $port }, which the chip does not have
note-bad-bits = DYN_EXTRA: { $commands } commands can't be decoded and are shown as unknown; the first: { $why }
note-long-name = DYN_DATA: a kernel's name has { $bytes } bytes; only its first { $shown } characters are shown
note-extra-too-few = DYN_EXTRA has { $items } items too few; only the type of these commands is known
note-extra-too-many = DYN_EXTRA has { $items } items more than DYN_DATA has commands
note-incomplete-word = DYN_DATA ends with an incomplete word of { $bytes } bytes
note-extra-alone = DYN_EXTRA holds { $commands } commands' bits, but DYN_DATA is missing
note-extra-damaged = DYN_EXTRA: { $why }; the { $bytes } bytes from there on are left out
note-in-launch = , in launch { $launch } ({ $kernel })
note-in-no-launch = {""}
note-record-fault = { $fault }{ $launch }
note-more-records = { $more } more records like these
note-records-lost = { $engine }: { $records ->
    [one] { $records } record is lost
   *[other] { $records } records are lost
} before this place{ $launch }
note-records-extra = { $engine }: { $records ->
    [one] { $records } record matches
   *[other] { $records } records match
} no command{ $launch }
note-wrong-id = { $engine }: the id of 1 record is not that of its command{ $launch }; the records around it say which it is
note-more-places = { $engine }: records and commands do not agree in { $more } more places like these
note-wrong-bit = { $engine }: a bit of the time of 1 record is wrong ({ $start } to { $end } cycles): the records around it say which
note-wrong-time = { $engine }: the time of 1 record can't be ({ $start } to { $end } cycles): it is shown between its neighbours, and its duration is not known
note-record-twice = { $engine }: 1 record is there twice; it is shown once
note-records-exchanged = { $engine }: 2 records have exchanged their places; their times say which was first
note-records-zeroed = { $engine }: { $records ->
    [one] { $records } record is zeroed; those behind it are read
   *[other] { $records } records are zeroed; those behind them are read
}
note-record-torn = { $engine }: 1 record is torn: only { $bytes } of its { $size } bytes are there; those behind it are read
note-kernel-ends = DYN_DATA: { $words } ends of kernels or streams are outside of a kernel: a word is lost or misplaced, and the commands there have no kernel
note-kernel-begins = DYN_DATA: { $kernels } kernels begin before the one before them has ended: a word is lost
note-wrong-mark = { $engine }: 1 record is wrongly marked as that of a system command or of another one: the records around it say which
note-word-torn = DYN_DATA: a word is torn; those behind it are read
note-name-length = DYN_DATA: { $names ->
    [one] 1 kernel's name has another length than its text; the text is shown
   *[other] { $names } kernels' names have other lengths than their texts; the texts are shown
}
note-wrong-stream = DYN_DATA: { $words ->
    [one] a word dispatches
   *[other] one of { $words } words dispatches
} the { $engine } stream with key { $key }, which may be damage: the stream with key { $meant } has as many commands, and its key differs by a bit. The launch may show the wrong commands
note-names-differ = DYN_DATA: the name of a kernel is { $own } here and { $other } on core { $core }, which was sent the same words elsewhere: it is not known which is right
note-name-borrowed = DYN_DATA: the name of a kernel is damaged here: it reads { $own }; core { $core } has the same words elsewhere, and its { $other } is shown
note-words-differ = DYN_DATA: a bit of 1 word differs here from core { $core }, which was sent the same words elsewhere: one of the two has a wrong kernel, batch or operation
note-words-exchanged = DYN_DATA: 2 words are in another order here than on core { $core }, which was sent the same words elsewhere: it is not known which order is right
note-words-borrowed = DYN_DATA: { $words ->
    [one] 1 word is lost or changed here; core { $core } has the same words elsewhere, and says which it was
   *[other] { $words } words are lost or changed here; core { $core } has the same words elsewhere, and says which they were
}
note-command-differs = { $engine }: the full bits of 1 command differ here from those of core { $core }, which did the same commands elsewhere: one of the two is damaged
note-command-of-no-other = { $engine }: the full bits of 1 command differ here from those of the other cores, which did the same commands elsewhere
note-transfer-bytes = { $engine }: 1 record counts { $counted }, and its command moves { $expected }: one of the two is wrong
note-transfer-elsewhere = { $engine }: 1 record counts writes to another memory than that of its command: one of the two is wrong
note-stream-moved = { $engine } descriptors: bytes are missing or are there twice; those behind them are read
note-stream-changed = { $engine } descriptors: a command does not decode, and its length is not known; those behind it are read
note-stream-longer = { $engine } descriptors: a command is read as a longer one, and those behind it are a part of it: there are fewer commands than their number says; those behind it are read
note-item-torn = DYN_EXTRA: an item is torn; those behind it are read
note-items-exchanged = DYN_EXTRA: 2 items have exchanged their places; their numbers say which was first
note-item-twice = DYN_EXTRA: 1 item is there twice
note-items-missing = DYN_EXTRA: { $items ->
    [one] { $items } item is missing before this place: of its command only the type is known
   *[other] { $items } items are missing before this place: of their commands only the type is known
}
note-items-surplus = DYN_EXTRA: { $items ->
    [one] { $items } item before this place belongs to no word of DYN_DATA: a word is missing
   *[other] { $items } items before this place belong to no word of DYN_DATA: words are missing
}
note-more-item-places = DYN_EXTRA: { $more } more places like these
note-same-records = its records are those of { $other }: one of the two files was copied over the other; copy the dump again
note-messages-broken = in { $odd } of { $meetings } syncs a core goes on before another one has sent its message: the file is of another capture; copy the dump again
note-given-clock = with the TIU clock of { $mhz } MHz that --tiu_freq gives, files of the dump do not fit together: first leave the option out; what is said of other captures may be due to it
note-other-capture = { $odd } of { $launches } launches are at other times than the same launches of core { $other }: the file is of another capture; copy the dump again
note-other-order = { $odd } of { $launches } launches are of other kernels than the same launches of core { $other }, though all of its kernels are there and all other cores have one order: the file is of another capture; copy the dump again
note-two-orders = { $odd } of { $launches } launches are of other kernels than the same launches of core { $other }, though both have as many launches, of the same kernels: each core had work of its own, or the files are of two captures
note-waits-apart = its waits end at other times than those of core { $other }, which ran the same launches and whose waits end with those of a third core: the file is of another capture; copy the dump again
note-port-outside = its commands run { US($away) } us before the first or after the last command of all cores, which submit them: the file is of another capture; copy the dump again
note-cores-exchanged = this file and that of core { $other } are exchanged: where both cores do the same transfers, this one, whose number is higher, has the lower addresses; copy the dump again
note-ports-exchanged = its commands start right after those of the SDMA only if the file is taken for that of port { $other }, and that file for this one: the two files are exchanged; copy the dump again
note-ports-exchanged-by-bytes = its records count the bytes that port { $other } was told to send, and the records of that port those of this one: the two files are exchanged; copy the dump again
note-port-of-other-capture = { $met } of { $all } commands start right after the command of the other engine that they wait for, of port { $other } { $other_met } of { $other_all }: the file is of another capture; copy the dump again
note-des-kv-short = DES_KV is too short for its header of 12
note-cdma-in-core = MONITOR_CDMA is in a core's file; it belongs in a cdma*_PORT.profile
note-further-block = a further { $block } block of { $bytes } bytes; only a file's first is read
note-unknown-block = unknown block type { $number }
note-block-type = block type { $number }
note-skipped-block = { $block } of { $bytes } bytes, skipped
note-skipped-blocks = { $block } and { $more } more after it, { $bytes } bytes, skipped
note-damaged-tail = { $why }; of the { $bytes } bytes from there on only complete records and commands are used; copy the file again
note-head-cut = a block header has 8 bytes, but only { $left } are left
note-block-cut = { $block } has a length of { $length } bytes, but the file has { $left } left
note-item-head-cut = an item's header has 12 bytes, but only { $left } are left
note-item-cut = an item has a length of { $length } bytes, but the block has { $left }
note-commands-missing = { $file } is missing: the records of its commands are shown without commands
note-commands-unreadable = { $file }: { $error }
note-commands-short = { $file } ends before byte { $offset }, where the commands start
note-short-block = a SUMMARY or COMMAND block is too short; its commands are left out
note-not-padding = { $engine } descriptors: the { $bytes } bytes after an end command are not padding and are left out
note-descriptors-lost = { $engine } descriptors: { $why }; the { $bytes } bytes from there on are left out
note-descriptors-unknown = { $engine } descriptors: { $why }; shown as unknown
note-no-stream = a { $engine } stream of { $commands } commands (key { $key }) was dispatched, but no DES_KV block contains it: only the kernel of its records is known
note-no-operation = no operation has type { $task } with sub-type { $sub }
note-no-layout = the bit layout of { $name } is unknown for this chip
note-too-short = { $name } needs { $need } bytes, there are { $have }

## Layers of a static model

note-layer-file-missing = the file is missing, but { $there } is there: { $instead }; copy both from the model's folder
note-no-module = the file has no module with all its attributes: the model's name, type and operations may be missing; copy the file again
note-layers-damaged = { $error }; { $instead }; copy the file again
note-layers-of-log = the layers are those of the compiler's log
note-without-layers = commands are shown without layers
note-layers-before = only the { $layers } layers before that are used
note-layer-file-unreadable = can't be read: { $error }; commands are shown without layers
note-log-cut = the compiler's log in it ends within a subnet: the layers behind that are missing; copy the file again
note-subnets = the compiler's log in it has { $subnets } subnets, and command ids start again in each; commands are shown without layers
note-layers-not-described = no layers: nothing describes the model's layers; put `final.mlir` and `tensor_location.json` from the model's folder into the dump's directory to have a table of layers and layers.csv
note-layers-share = layers { $first } and { $second } both have { $engine } id { $id } of core { $core }; only the first one gets this command

## Predictions

note-no-events = no prediction: the dump has no events
note-no-prediction = no prediction: { $why }
note-no-baseline = no prediction: replayed without a change, { $place } event { $event } ends at { $replayed } ns instead of { $measured } ns

## Simulated runs

note-simulated = simulated: the times are predicted from the commands' bits, nothing was measured
note-simulated-unsure = simulated: the times are predicted from the commands' bits, nothing was measured; { $warning }
note-unsure = { PERCENT($share, digits: 1) } % of the commands' time is estimated or not validated: the error is not known
note-subnets-left-out = { $left_out } of { $subnets } subnets run on the host or are dynamic: they have no commands and are left out
note-last-group = files without numbers of launch and group hold the last group only
note-groups = { $groups } command groups: the pause between groups is not known, 0 is assumed

## Host traces

note-event-left-out = an event was left out: { $why }
note-more-events = { $more } more events were left out
note-unpaired-events = { $events } begin or end events without a partner were left out
note-host-not-aligned = the host trace has no tpudnn event that says when the device ran, so host and device are not aligned: device time starts at the host's first event
note-host-start = device time starts at the host's first event, as requested; host and device are not aligned
note-no-event-list = `traceEvents` is not a list and is ignored
note-malformed = malformed text outside of `traceEvents` is ignored
note-text-after-end = text after the end of the trace is ignored
note-events-continue = events continue after their `]` and are read
note-gzip-cut = the compressed data are damaged or truncated ({ $why }); the text ends { $place }
note-text-cut = the file is truncated; the text ends { $place }
note-inside-event = inside an event, which is lost
note-before-brace = before its last `{ "}" }`
note-before-bracket = before the `]` of its events
note-after-bracket = after its last bracket
note-event-syntax = is not valid JSON: { $why }
note-event-no-object = is not a JSON object
note-event-too-long = is longer than { $bytes } bytes
note-event-without = has no `{ $key }`
note-event-time = its `{ $key }` { $why }
note-no-decimal = is not a decimal number
note-beyond-range = is beyond 64-bit nanoseconds
note-small-exponent = has too small an exponent
note-event-negative = its `dur` is negative
note-event-phase = its `ph` is not one letter
note-event-metadata = its `args` have no usable `{ $key }`
note-event-full = does not fit: the trace has too many events
note-far-events = { $events } events with times from { $first } to { $last } ns lie { $seconds } s { $place }
note-before-others = before the others: they are shown where the others begin, with their own time as an argument
note-behind-others = behind the others
note-counter-values = { $values } values of counters are no finite numbers and are not shown
note-unknown-phases = events of phases that are not known are not shown: { $events }
note-repaired = { $events } events are no valid JSON and were repaired
note-clock-moved = { $by } ns were added to its times, by the baseTimeNanoseconds of both files
note-clock-unknown = no baseTimeNanoseconds says how its clock and that of the first host trace differ: its times are shown as they are
note-clock-too-far = its times and those of the first host trace are too far apart: they are shown as they are
note-hidden = { $events } { $why }
note-hidden-unreadable = can't be read
note-hidden-profiler = of the profiler itself
note-hidden-begin = begins without an end
note-hidden-end = ends without a begin
note-hidden-arrow-start = starts of arrows without an end
note-hidden-arrow-end = ends of arrows without a start
note-hidden-arrow-back = ends of arrows before their start
note-hidden-counter = counters without a finite number
note-hidden-metadata = metadata of other names
note-hidden-phase = of phase { $phase }
note-tally = { $read } events read = { $slices } of slices + { $arrows } of arrows + { $instants } instants + { $counters } of counters + { $metadata } of metadata + { $hidden } not shown
note-tally-hidden = { $read } events read = { $slices } of slices + { $arrows } of arrows + { $instants } instants + { $counters } of counters + { $metadata } of metadata + { $hidden } not shown ({ $reasons })
note-no-steps = --step { $step }: no name of a kernel, or of a host event that holds launches, matches: there are no steps
note-cores-range = cores { $first } to { $last }
note-cores-list = cores { $cores_and }
note-cores-left-out = { $option } leaves out { $cores } with { $events } events: all results, the verdict too, are of the other { $shown ->
    [one] core
   *[other] cores
} alone
note-cores-not-there = { $option }: there is no core { $core }; { $all ->
    [one] the dump has core 0 only
   *[other] the dump has { $all } cores, numbered from 0
}
