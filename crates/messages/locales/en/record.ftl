# What `record` says of a program that it ran.

record-no-dump = No dump was written: { $pitfall }.
record-no-dump-earlier = No dump was written ({ $dump } is of an earlier run): { $pitfall }.
record-no-dump-failed = The program ended with exit code { $code } and wrote no dump: mend its error first. A runtime writes the dump when the capture is disabled, or when the process ends without an error.
record-no-dump-killed = A signal ended the program before it wrote a dump: a runtime writes the dump when the capture is disabled, or when the process ends without an error.
record-pitfall-tpudnn = call torch.ops.my_ops.enable_profile(max_record_num, mode) before the work and torch.ops.my_ops.disable_profile() behind it, in the directory where the process started and before its handle is destroyed
record-pitfall-model-runtime = the process must end by itself, in the directory where it started, and old bmodels need TPUKERNEL_FIRMWARE_PATH
record-pitfall-libsophon = the process must launch a bmodel and end by itself, in the directory where it started
record-pitfall-unknown = no runtime of a TPU was seen in the process; give the program that runs the model itself, on the machine with the TPU

record-full-ring = { $place }: the ring of { $ring } records is full, older records were overwritten; such a run needs { $enough }.
record-full-ring-hint = { $place }: the ring of { $ring } records is full, older records were overwritten; record again with --records { $enough }, or with --retry.
record-again = Recording again with { $enough } records a ring.
record-ask-again = Record again with { $enough } records a ring? [Y/n]
record-own-records = The second run has rings of the same size: the program itself sets it; set it there to { $enough }.
record-own-records-tpudnn = The second run has rings of the same size: the program itself sets it; call enable_profile({ $enough }, mode).

record-run = Run { $number } of { $count }
record-run-of-side = Run { $number } of { $count }, { $side ->
    [before] before
   *[after] after
}
record-runs = { $count } runs: median { US($median) } us, { US($least) } to { US($most) } us, spread { PERCENT($spread) } %.
record-no-host-trace = The program wrote no file { $name } in its directory: there is no host trace to merge.
record-command-failed = The program ended with exit code { $code }; the dump that it wrote is analyzed.
