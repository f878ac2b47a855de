# What is wrong, in detail: a part of an error.

problem-limit-no-comparison = it has neither > nor <
problem-limit-subject = it must start with one of { $names }
problem-limit-metric = { $subject } has no metric { $name }, only { $names }
problem-limit-no-metric = it has no metric
problem-limit-no-names = { $subject } has no names: leave out the pattern
problem-limit-empty = its pattern is empty; write * for all names
problem-limit-bracket = its pattern { $pattern } contains < or >; write ? instead
problem-limit-share = { $of } is not a share: a change in % needs a sign, +{ $text } or -{ $text }
problem-limit-time = { $of } is not a time: leave out the unit
problem-limit-number = its number can't be read
problem-limit-of = { $metric } of { $subject }

problem-trace-scope = { $text } is none of full, comm and ranks=0,3

problem-topology = a topology is pair, ring, two-plane, pipeline, pipeline-backward, alltoall or grid:TPxPPxDP

problem-web-address = it does not begin with https:// or http://, or has blanks
problem-builds = write how many builds may pass, such as 200
problem-share = write a share from 0% to 100%, such as 1%

problem-no-command = unknown command '{ $given }'; did you mean '{ $name }'? (There is no such directory, either)
problem-analyze-command = unknown command '{ $given }'; an analysis needs none: bigtpuprofile INPUT_DIR OUTPUT_DIR
problem-unknown-command = unknown command '{ $given }', and no such directory: give the cdm_profile_data_* directory that the runtime wrote, or a command; --help lists them

problem-foreign-mode = leave it out, measured times are what is read
problem-foreign-format = use --emit layers for the tables of layers, --emit page for the page
problem-foreign-debug = use --verbose
problem-foreign = { $option } is an option of tpu_profile, not of bigtpuprofile: { $instead }; or call the program by that name (bigtpuprofile explain docs/compat.md)

problem-not-explained-near = '{ $given }' is not explained; a similar name is '{ $name }'. `bigtpuprofile explain` lists all names
problem-not-explained = '{ $given }' is not explained. `bigtpuprofile explain` lists all names

problem-scale = { $text } is no change that a join can predict: there are link=F, link:A>B=F, rank:R=F, skew=0, latency=F, tiu=F, ddr=F and kernel:NAME=F; other factors are for `bigtpuprofile whatif` of one dump

problem-graph-has-events = with --graph, whose file has all events
problem-torch-has-times = with --torch, whose trace has stages, microbatches and times in ns
problem-costs-has-times = with --costs, which has the times
problem-no-training = on measured parts without --training: they have no backward passes
problem-partition-has-stages = with --partition, which says the stages
problem-without-costs = without --costs
problem-without-mem-fwd = without --mem-fwd
problem-no-zb = on schedules other than zb and zbv
problem-with-perflow = with --compat perflow, which has times of chunks, and neither transfers nor memory
problem-swept = next to a --sweep of the same

problem-marker-of-dump = with a --phase-marker that is no event of the host

problem-parts-say-bytes = on parts of which the file says what they hand on

problem-with-evaluate = with --evaluate, which searches nothing

problem-with-data-parallel = with --only-data-parallel, which moves nothing
problem-with-flexflow = with --compat flexflow2018, which simulates the graph's own machine without memory and training
problem-with-machine-file = with a machine file, which describes the links
problem-without-machine = without --machine, such as 2x4: the graph's machine has its links
problem-without-link = without --link-gbps on an operator graph in JSON

problem-on-onnx = on an ONNX model
problem-on-ff-batch = on a .ff graph, whose --input-shape has the batch

problem-on-ff = on a .ff graph

problem-on-recorded = on recorded operators, which have their shapes
problem-on-measured = on a measured run, whose parts have their times
problem-on-no-decode = on a measured run without a decode phase (costs --phase-marker)

problem-check-path = check the path

problem-give-plan = give a YAML file to --plan

problem-give-costs = give the file that `bigtpuprofile costs` writes

problem-give-torch = give a torch profiler trace to --torch

problem-give-graph = give a graph to --graph, such as --save-graph writes

problem-give-onnx = give an ONNX model

problem-give-config = give a model's config.json to --hf

problem-give-report = give a report.json or a dump directory

problem-give-run = give a dump directory, a report.json, or a directory of these

problem-member-twice = is there twice
problem-member-parent = has .. in its name
problem-member-absolute = has an absolute name
problem-member-unnamed = has no name

problem-member-long = has a name or attributes of more than 64 KiB
problem-member-cut = is cut off

problem-member-length = is not as long as it says

problem-member-link = is a link
problem-member-no-file = is no plain file
problem-members = members
problem-bytes = bytes

problem-zip-encrypted = its file is encrypted
problem-zip-packed = its file is packed in a way that is not read here
problem-zip-several = it holds several files

problem-part-ends = it ends too early
problem-part-number = a number is too long
problem-part-range = a number is out of range
problem-part-count = a count is not possible
problem-part-text = a text is no text

problem-part-length = its length is not possible
problem-part-inflate = it cannot be inflated
problem-part-checksum = its checksum is wrong

problem-part-state = a state is unknown
problem-part-long = its states are longer than a capture
problem-part-sum = the states do not add up to the window

problem-synth-bank-conflicts = bank-conflicts is for CV84X6, whose PMU counts them
problem-synth-idle-cores = idle-cores leaves no core with work
problem-synth-weights = weights=l2m is for chips with an L2M
problem-synth-container = { $chip } only writes libsophon's container, which synth does not support
problem-synth-cores = { $chip } has 1 to { $most } cores, not { $cores }
problem-synth-ports = { $chip } has { $most } CDMA ports, not { $ports }
problem-synth-mode = capture modes are 0, 1 and 2, not { $mode }
problem-synth-rvt = { $chip } has no RISC-V front end; style rvt is for AKSV and CV84X6
problem-synth-shares = loss and disorder are shares from 0 to 1
problem-synth-machine = clocks are 1 to 100000 MHz, bandwidths 0.001 to 1000000 GB/s, launch gaps 0 to 1000000 us
problem-synth-repeat = a launch has 1 to { $max_repeat } tiles, not { $repeat }
problem-synth-launches = at most { $max_launches } launches are possible, not { $launches }
problem-synth-idle = only cores below { $cores } can be idle
problem-synth-plant = a planted fault needs a core below { $cores }, a port below { $ports } or one of the kernels { $names }
problem-synth-no-sync = launches without a sync are possible on one core only

problem-cluster-chip = { $chip } has no CDMA ports; a cluster is of AKS or AKSV
problem-cluster-devices = a cluster has 2 to 1024 devices, not { $n }
problem-cluster-mode = a cluster is captured with mode 0, 1 or 2
problem-cluster-even = in mode 2 commands move 16-bit numbers: an even number of bytes
problem-cluster-writes = one-sided writes follow collectives, in mode 1 or 2
problem-cluster-loads = the share of loads is below 1, and a unit has at least 1 byte
problem-cluster-links = two neighbours have 1 or 2 links
problem-cluster-host = a host has at least one device
problem-cluster-operations = a cluster runs 1 to 1000000 operations
problem-cluster-chunks = chunks, microbatches and bytes are at least 1
problem-cluster-times = bandwidth is above 0; times are not below 0
problem-cluster-plant = a planted fault needs ranks below { $n }
problem-topology-pair = topology pair is for 2 devices
problem-topology-two-plane = topology two-plane needs an even number of 4 or more devices
problem-topology-alltoall = topology alltoall is for 2 to { $most } devices: each needs a port for each other, and { $name } has { $ports }; ring and two-plane are for more
problem-topology-grid = grid:{ $tp }x{ $pp }x{ $dp } is for { $product } devices, not { $n }

problem-topology-ports = this topology needs { $most } ports on a device; { $chip } has { $has }

problem-sweep-form = has no '='
problem-sweep-number = has a value that is not a number
problem-sweep-option = has an option that can't be swept
problem-sweep-many = makes too many combinations

problem-calibration-rows = a list of measured rows (bigtpuprofile explain docs/prediction/measured.md), without --compat; a dump calibrates language models (--hf)

problem-rows-positive = { $what } is { $value }; it must be above 0
problem-rows-field = { $what }: { $error }
problem-rows-units = the units of { $machine } are not known; rows are of chips of this tool

problem-no-kernel = --kernel { $name }: no kernel or layer has this name; the run has: { $names }

problem-kernels-none = the dump has no kernel names
problem-kernels = the kernels are { $names }
problem-kernels-many = the kernels are { $names }, { $more } more
problem-layers-none = the dump has no layer names
problem-layers = the layers are { $names }
problem-layers-many = the layers are { $names }, { $more } more

problem-near = did you mean { $dump }?
problem-near-several = did you mean { $dump } (or one of { $more } more)?
problem-empty-directory = the directory is empty: the runtime wrote no dump here (bigtpuprofile explain docs/symptoms.md)
problem-out-directory = a directory is needed, as several files are written: give '{ $directory }'
problem-results = these are results of an analysis: `bigtpuprofile open { $path }` shows them, and `bigtpuprofile diff` compares them
problem-below = { $count ->
    [one] a dump is below it: { $dump }
   *[other] { $count } dumps are below it, the first is { $dump }: `bigtpuprofile batch { $path } OUT` analyzes all, `bigtpuprofile cluster { $path } OUT` joins those of connected devices
}
problem-model = it holds a compiled model: `bigtpuprofile simulate { $model }` predicts its times
problem-compressed = it is compressed with { $format }: unpack it, or pack the directory as tar, tar.gz or zip
problem-to-open = `bigtpuprofile open { $file }` shows it
problem-report = `bigtpuprofile diff { $file } OTHER` compares it

problem-or = { $first } or { $second }

problem-writer-aks = { $writer } writes dumps of AKS and AKSV only
problem-writer-cv84x6 = { $writer } writes dumps of CV84X6 and BM1688 only
problem-writer-streams = { $writer } has no cached streams; use style op, rvt or bmodel
problem-writer-no-static = { $writer } runs no static models; style bmodel is for model-rt
problem-writer-static = { $writer } runs static models only: style bmodel
problem-writer-port = { $writer } records no CDMA port
problem-writer-bm1688 = { $writer } of BM1688 is known for static models only: style bmodel
problem-writer-bm1688-mode = { $writer } of BM1688 writes no dispatched commands: mode 0
problem-writer-idle = { $writer } writes a file for every core; make cores idle with --idle

problem-on-costed = on an operator graph in JSON, which has its own operators, costs and splits
problem-on-chain = on measured parts, whose best plan is found exactly

problem-member-attributes = has damaged attributes
problem-member-large = is larger than 8 GiB
problem-member-sparse = is sparse
problem-draft-generates = both models must generate tokens
problem-draft-tokenizer = it has { $own } tokens, and the model has { $target }: both must have the same tokenizer
problem-draft-split = speculative decoding is estimated on one stage and one group of experts; leave --pipeline-parallel and --expert-parallel out
problem-no-offload = without --offload-weights or --offload-cache
problem-encoder-cache = on an encoder, which stores no keys and values
problem-share-number = a share is a number from 0 to 1
problem-rate = a bandwidth is a number above 0

problem-analyze-again = analyze the dump again, or give the dump itself

problem-install = install that version

problem-no-op-list = not an op list ({ $reason })
problem-ops-empty = its list 'ops' is empty
problem-op-phase = phase `{ $phase }` is neither `sum` nor `gen`
problem-op-stride = stride is 0; it must be 1 or more
problem-op-window = a window of { $covered } does not fit into { $size }
problem-op-elements = { $what } { $shape } has more than 1e15 elements; this exceeds any memory
problem-op-unfit = input { $input }, weights { $weights } and output { $output } do not fit together; { $wanted }
problem-op-linear = weights must be [in, out]
problem-op-linears = weights must be [in, out] or [matrices, in, out]
problem-op-attention = both must be [batch, heads, rows, columns]
problem-op-convolution = both must be [batch, channels, height, width]
problem-no-torch-trace = not a torch profiler trace ({ $reason })
problem-torch-no-operators = the trace holds no operators of the host (category cpu_op)
problem-torch-no-shapes = none of the trace's { $count } operators has shapes; record it with profile(record_shapes=True)
problem-torch-no-costs = the trace holds no operator whose cost is known
problem-torch-no-cost = its cost is unknown
problem-torch-input = it has { $count } recorded inputs, and number { $number } is missing
problem-torch-convolution = input { $input } and weights { $weights } are not those of a convolution

problem-wanted-size = a whole number from 1 to 1048576
problem-wanted-count = a whole number from 0 to 1048576
problem-wanted-flag = true or false
problem-wanted-text = a text
problem-wanted-list = a list of whole numbers
problem-wanted-experts = at most the number of experts
problem-wanted-type = a data type such as bfloat16
problem-wanted-hidden = equal to hidden_size
problem-wanted-heads = a divisor of num_attention_heads
problem-wanted-width = a divisor of hidden_size
problem-wanted-layers = at most 10000
problem-wanted-windows = a list of full_attention and sliding_attention, one a layer
problem-no-object = it is no object
problem-llm-devices = { $devices } devices are too many; at most { $most } are estimated
problem-llm-heads = { $queries } heads with { $stored } of keys and values can't be divided over so many devices
problem-llm-encoder = a model with an encoder and a decoder is not divided into stages here
problem-llm-layers = the model has { $layers } layers
problem-llm-experts = { $count } experts can't be divided by it
problem-llm-width = an inner width of { $width } can't be divided by it
problem-llm-no-experts = the model has no experts
problem-costs-devices = chips or numbers of cores
problem-costs-apart = measure each in a file of its own
problem-machine-map = it must be a map from keys to values
problem-machine-nothing = it describes no machine
problem-wanted-rate-or-zero = a number, 0 or more, or null
problem-wanted-rate = a number above 0, or null
problem-wanted-peak = a number above 0, because times depend on it
problem-wanted-whole = a whole number above 0
problem-wanted-sources = a text, or a map from keys to texts
problem-yaml-tag = a tag (`!name`)
problem-yaml-alias = an alias (`*name`)
problem-yaml-contradiction = a value that contradicts its tag
problem-yaml-key = a key that is not a text
problem-network-file = it is no machine ({ $reason }); give num_nodes, num_gpus_per_node, num_switches, link_bandwidth and topology
problem-devices = the machine has { $devices } devices; use 1 to { $most }
problem-network-rows = 'topology' must have { $rows } rows of { $rows } numbers, one for each node and switch (at most { $most })
problem-network-above = '{ $name }' must be above 0 and at most 1e9, not { $value }
problem-network-least = '{ $name }' must be at least 0 and at most 1e9, not { $value }
problem-network-path = 'topology' has no path from node { $from } to node { $to }; add a link
problem-paths-line = is not 'key = value'; correct it, or make it a # comment
problem-paths-missing = the machine file has no '{ $key }'; add it
problem-paths-number = '{ $key }' is not a number: '{ $text }'
problem-paths-least = '{ $key }' must be at least 0, not { $text }
problem-paths-count = '{ $key }' must be a whole number from 1 to { $most }, not '{ $text }'
problem-paths-link = '{ $name }' is not a link; use membus, upi, nic, pci_to_host, pci_to_dev or nvlink
problem-paths-bandwidth = '{ $name }_bandwidth' is 0; give GB/s
problem-paths-devices = the machine has more than { $most } devices; make it smaller
problem-torch-name = has no name
problem-torch-chunk = names a chunk above 4095
problem-torch-tid = has no number as tid
problem-torch-start = has no time of start (ts)
problem-torch-duration = has no duration (dur)
problem-pipeline-stage = stage
problem-pipeline-microbatch = microbatch
problem-pipeline-chunk = chunk
problem-strategy-ends = the strategy ends where { $what } is expected; give the complete file
problem-strategy-word = '{ $word }' where { $what } (0 to { $most }) is expected
problem-strategy-operators = the number of operators
problem-strategy-name = an operator's name
problem-strategy-kind = the kind of device
problem-strategy-parts = a number of parts
problem-strategy-device = a device
problem-strategy-unknown = is in the strategy and not in the graph; use a strategy of this graph
problem-strategy-split = can't be split by { $dims }; its options are { $known }
problem-strategy-devices = has { $parts } parts and { $devices } devices; name one device for each part
problem-strategy-no-device = runs on device { $device }, and the machine has { $devices }; count from 0
problem-strategy-json = it is not a strategy ({ $reason }); give a list of objects with op, dims and devices
problem-search-empty = the model has no operator; give one that computes something
problem-strategy-proto = it is no strategy of FlexFlow as a protocol buffer, or its end is missing; give the file that it wrote, its text, or JSON
problem-strategy-proto-empty = the protocol buffer has no operator; give a strategy that FlexFlow wrote
problem-strategy-negative = has a negative number where { $what } is expected; give the file unchanged
problem-search-bandwidth = the machine has a bandwidth of { $speed } byte/ms; it must be above 0
problem-search-graph = it is no operator graph ({ $reason }); give JSON with a list 'ops', each with id, name, inputs, outputs and options
problem-search-operators = the graph has { $count } operators; use 1 to { $most }
problem-search-id = shares its id { $id } with another node; give each its own
problem-search-no-node = reads from node { $node }, which does not exist; name one that does, or -1
problem-search-order = reads from node { $node }, which does not come before it (a cycle, or not in topological order); reorder the nodes
problem-search-output = reads output { $output } of '{ $node }', which has { $count }; count from 0
problem-search-shapes = reads a tensor of shape { $shape } from '{ $node }', which makes { $made }; make them equal
problem-search-shape = has a tensor of shape { $shape }; each length must be at least 1 and their product at most 2^48
problem-search-options = has { $count } options; give 1 to { $most }, each with dims and ms
problem-search-parts = has an option with dims { $dims }; use 1 to { $most } parts
problem-search-cost = costs { $ms } ms with dims { $dims }; a cost is from 0 to 1e9 ms
problem-compiled-after-end = bytes that are not 0 follow an end command
problem-compiled-header = the header is not 64 bytes
problem-compiled-tables = more than { $most } tables
problem-compiled-offset = an offset points outside of the table
problem-compiled-length = a length is larger than the table
problem-compiled-required = a required field is missing
problem-compiled-value = a value can't be read
problem-llm-host-stages = loading from the host is estimated for one stage
problem-llm-no-tokens = the model is an encoder, which generates no tokens; leave the option out
problem-no-regular-file = not a regular file
problem-broken-link = not a regular file, or a broken link
problem-device = a device, not a file
problem-no-file-name = it is not the name of a file
problem-zip-twice = a file is there twice
problem-compression = compression ratio above { $most }:1; truncated
problem-temporary = a temporary file beside it can't be written
problem-constants-value = "{ $key }" is not [value, source]
problem-constants-key = "{ $key }" is unknown
problem-constants-memory = { $value } is no memory
problem-constants-missing = "{ $key }" is missing
problem-constants-version = "schema_version" is not { $version }
problem-constants-size = a size is 0 or beyond any chip's
problem-constants-transfer = a transfer is no object
problem-constants-rate = a transfer's rate is 0
problem-constants-checked = "checked" is damaged
