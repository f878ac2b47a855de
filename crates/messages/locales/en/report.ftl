# What the console, summary.txt and report.md say of a run.

## The run

report-dynamic = { $chip }, dynamic run: { $cores ->
    [one] { $cores } core
   *[other] { $cores } cores
}, { $ports ->
    [one] { $ports } CDMA port
   *[other] { $ports } CDMA ports
}, { $events ->
    [one] { $events } event
   *[other] { $events } events
}; { $clocks }
report-static = { $chip }, static model: { $cores ->
    [one] { $cores } core
   *[other] { $cores } cores
}, { $ports ->
    [one] { $ports } CDMA port
   *[other] { $ports } CDMA ports
}, { $events ->
    [one] { $events } event
   *[other] { $events } events
}; { $clocks }
report-clocks = TIU { $tiu } MHz, DMA { $dma } MHz ({ $source })
report-clocks-apart = TIU { $tiu } MHz ({ $tiu_source }), DMA { $dma } MHz ({ $dma_source })
report-labelled = { $label }: { $text }
report-headed = { $headline }. { $text }
report-verdict = Verdict
report-verdict-of-rule = Verdict ({ $rule })
report-no-events = The dump holds no events: there is nothing to report.
report-nothing-to-sum = No events: there is nothing to summarize.
report-nothing-written = Nothing was written: the dump holds nothing that these outputs show. Layers need a static model with its final.mlir or the compiler's log, all other outputs need events.
report-written = Written:
report-units = Times are in microseconds; the run takes { $wall } us. Kernels and layers are summed over cores, the critical path is not.

## Where the time went

report-where-time = Where the time went: { $wall } us of the chip = { $compute } compute only + { $both } compute and transfer + { $transfer } exposed transfer + { $sync } sync + { $idle } idle
report-core-mean = a core on average: overlap { $overlap } of the possible, sync { $sync }, idle { $idle }; { $engines } engines of the chip active on average
report-core-mean-range = a core on average: overlap { $overlap } of the possible, sync { $sync }, idle { $idle }; { $engines } engines of the chip active on average; busiest core { $most_core } { $most }, least core { $least_core } { $least }
report-path = What the run waited for: { $pieces }
report-piece = { $share } { $reason } of { $engine }
report-piece-in = { $share } { $reason } of { $engine } in { $owner }
report-barriers = Barriers between cores: { $barriers }, mean skew { $skew } us, { $waited } us of core time waiting; last core: { $last }
report-core-times = core { $core }: { $times }

## Steps

report-steps = Steps: { $steps }{ $rest } ({ $source }, the first kernel is { $kernel }); p50 { $p50 } us, p95 { $p95 } us, spread { $spread }
report-steps-before = {" "}and { $before } us before them
report-steps-after = {" "}and { $after } us after them
report-steps-between = {" "}and { $before } us before, { $after } us after them
report-steps-repeat = the kernels repeat
report-steps-kernel = by a kernel's name
report-steps-host = by the host's markers
report-warm-up = the first { $steps } took { $time } us longer (warm-up)
report-outliers = outliers: { $outliers }
report-outliers-slowest = outliers: { $outliers }, the slowest is step { $step } with { $time } us (more { $cause })
report-irregular = { $steps } with other kernels are not counted in
report-is-warm-up-of-others = warm-up, other kernels
report-is-of-others = other kernels
report-is-warm-up = warm-up
report-is-outlier = outlier
report-is-with-cause = { $what }: { $cause }
report-phase-compute = compute only
report-phase-overlapped = compute and transfer
report-phase-transfer = exposed transfer
report-phase-sync = sync
report-phase-idle = idle

## The host

report-host = Host: { $matched } of { $launches } launches matched with calls { $how }; launch latency p50 { $p50 } us, p95 { $p95 } us
report-host-free = Host: { $matched } of { $launches } launches matched with calls { $how }; launch latency p50 { $p50 } us, p95 { $p95 } us (p50 { $free } us of those without a queue)
report-host-by-name = by name
report-host-in-order = in order
report-host-by-time = by time
report-host-queue = queue { $mean } launches deep on average, at most { $most }; idle { $idle } of the time: { $host_bound } nothing was launched (host-bound), { $device_bound } the device did not run what was launched

## Advice

report-advice = Advice ({ $parts }):
report-advice-of = { $shown } of { $all }, --full shows all
report-advice-explain = bigtpuprofile explain RULE
report-advice-line = { $rule }{ $gain }: { $text }
report-gain = {" "}(saves { $time } us, { $share }{ $mark })
report-nothing-beyond-first = { $mark }; nothing of it once the first is fixed
report-beyond-first = { $mark }; { $left } us of it once the first is fixed
report-gain-range = {" "}(saves { $least } to { $most } us, up to { $share }{ $mark })
report-gain-and-bound = {" "}(saves at least { $least } us; bound: { $most } us, { $share }{ $mark })
report-gain-estimate = {" "}(estimate: { $time } us, { $share }{ $mark })
report-gain-bound = {" "}(bound: { $time } us, { $share }{ $mark })
report-no-gain = {""}
report-mark = , { $mark }
report-mark-exact = exact
report-mark-fitted = fitted
report-mark-estimated = estimated
report-mark-not-validated = not validated
report-together = { $verdict ->
    [advice] together with the verdict
   *[other] all together
} { $time } us, { $share }
report-together-range = { $verdict ->
    [advice] together with the verdict
   *[other] all together
} { $least } to { $most } us, up to { $share }
report-what-else = What else to change
report-what-else-together = What else to change ({ $together })

## Notes

report-lost = What is lost or doubtful
report-more-notes = { $more } more
report-more-notes-in = ({ $more } more notes: see { $place })
report-verbose-summary-trace = --verbose, summary.txt or the trace
report-verbose-summary = --verbose or summary.txt
report-verbose-trace = --verbose or the trace
report-verbose = --verbose
report-ledger = Ledger (records read, matched, corrected and lost)
report-ports = CDMA ports

report-removed = removed results of another dump, version or options: { $files }{ $more ->
    [0] {""}
   *[other] {" "}and { $more } more
}
report-cut = the trace is cut to { $kept } of { $all } events (--window, --kernel)
report-light-trace = { $events } events in the trace: above { $most } it has no addresses and shapes, and means of counters; --detail full writes all
report-light-trace-or-part = { $events } events in the trace: above { $most } it has no addresses and shapes, and means of counters; --detail full writes all, --window and --kernel a part
report-views-left-out = { $events } events: the workbook and the register texts are left out above { $most }; --enable_doc writes them

## Titles of tables

report-first-of = { $title }: the first { $shown } of { $all }
report-table-intervals = Where the wall time went
report-table-path = What the run waited for (critical path)
report-table-engines = Engines
report-table-ddr-bandwidth = Bandwidth of off-chip memory
report-table-communication = Communication (SDMA and CDMA)
report-table-steps = Steps
report-table-steps-first = Steps (the first { $shown } of { $all })
report-table-operators = Host operators by the device time that they caused
report-table-kernels = Kernels ({ $shown ->
    [0] {""}
   *[other] the first { $shown } of { $all };{" "}
}time summed over cores{ $incomplete ->
    [0] {""}
   *[other] ; *n: launches with missing commands, { $incomplete } in total, not in mean and p95
}{ $implausible ->
    [0] {""}
   *[other] ; implausible: more operations or bytes than the time allows
})
report-table-rooflines = Roofline (ideal times; core time)
report-table-roofs = Roofs of a core, and clocks
report-cause-start = start
report-cause-end = end
report-cause-sync = sync
report-cause-other-engine = other engine
report-cause-launch = launch
report-cause-idle = idle
report-slower-first-transfer = first transfer of the run
report-slower-other-core = another core's transfer
report-not-known = not known
report-table-causes = Gaps by cause
report-table-engine-gaps = Busy time and gaps of each engine
report-table-gaps = Gaps with the highest cost
report-table-launches = Kernel launches and the gaps between them
report-table-balance = Balance between cores
report-table-balance-incomplete = Balance between cores (without launches with missing commands)
report-table-slower = Slower than their bits explain (commands, time summed over cores)
report-table-layers = Layers (they may overlap)
report-table-blocks = Blocks of the model (total: time in which any of their layers ran)
report-table-blocks-first = Blocks of the model (the { $shown } of { $all } that took longest; total: time in which any of their layers ran)
report-table-layers-first = Layers (the { $shown } of { $all } that took longest; layers may overlap)
