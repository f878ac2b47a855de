# Predictions: estimates of models, of language models, pipelines, searches for a division.

## What the reader of a model assumed

model-non-zero-mean = node `{ $node }` (NonZero): how many elements are not zero depends on data; their mean number, { $found } of { $all }, are counted
model-non-zero-all = node `{ $node }` (NonZero): how many elements are not zero depends on data; all, { $found } of { $all }, are counted
model-shapes-of-file = node `{ $node }` ({ $kind }): shapes are those of the file
model-shapes-of-file-only = node `{ $node }` ({ $kind }): shapes are those of the file, and it counts as one operation per element
model-unused-shapes = { $count } input shapes are not used, because the file has fewer INPUT lines
model-adaptive-pooling = node `{ $node }` (POOL2D): its window is the mean of 3 x 3 with stride 1, which FlexFlow's exporter writes for each adaptive pooling; its output is { $height } x { $width } here, and if the model pools to 1 x 1, the layers after it are too large: an ONNX export has their sizes
model-no-context = the file's start.{ $key } is `{ $context }`, which is the context of no operator: it has no effect
model-not-counted = { $count } operators of { $names } names are not counted, because they move no data or their cost is unknown: { $few }
model-language-only = only the language model is counted, nothing of images or sound
model-usual-sizes = the file leaves out { $sizes }: the usual sizes of { $family } are taken
model-quantization-unknown = how its `quantization_config` stores weights is not known; --weight-dtype gives their type
model-quantized = weights are { $kind }, as the file's `quantization_config` says; scales and zero points are not counted

## Estimates: what is assumed

predict-upmem-formulas = UPMEM's formulas: Linear counts in_features twice, activations are free, devices run at their peak
predict-on-host = some operators run on { $host }, a slow placeholder of 1 TFLOPS and 1 GB/s; map them to a machine
predict-energy-unknown = { $machine }: energy is unknown, because pj_per_tflop, mem_pj_per_bit or a link's pj_per_bit is missing in its description
predict-host-link-unknown = { $machine }: the bandwidth to and from the host is unknown; the time of these transfers is left out
predict-no-fit = { $machine }: weights take { $needed } GB, and its memory holds { $size } GB; the model does not fit
predict-peak-of-width = { $machine }: the { $kind } peak is missing; the { $other } peak of { $peak } TOPS is used
predict-peak-in-proportion = { $machine }: the { $kind } peak is missing; { $peak } TOPS is assumed, the fp16 peak in proportion to the width
predict-at-roofs = no network was measured on this machine: each operator is taken to reach its roof, and the time has no range
predict-chip-not-measured = the time is the expected one; this chip was not measured, and the range is that of measured chips that were left out; the lower bound is arithmetic at the peak, or weights, inputs and outputs at the bandwidth (bigtpuprofile explain docs/prediction/measured.md)
predict-own-rows = the time is the expected one; { $rows } measured rows of your own stand behind its range; the lower bound is arithmetic at the peak, or weights, inputs and outputs at the bandwidth (bigtpuprofile explain docs/prediction/measured.md)
predict-rows = the time is the expected one; { $rows } measured rows of { $families } families of networks on these cores with elements of this width stand behind its range; the lower bound is arithmetic at the peak, or weights, inputs and outputs at the bandwidth (bigtpuprofile explain docs/prediction/measured.md)
predict-between-chips = compared with the cores that ran: { $cores } of { $chip }; the range is made of the errors of { $all } predictions of one network between four chips; made without the prediction that it is tested on, it holds { $held } of { $all } measured times, without the chip that it is tested on { $held_chips } of { $all_chips } (bigtpuprofile explain docs/prediction/across.md)
predict-fill = { PERCENT($fill) } % of the measured matrix unit's operations were asked for; a smaller unit is taken to be filled better
predict-unknown-classes = unknown operators, counted as one operation per element, or as a linear layer with a matrix of weights: { $classes }
predict-mapping-unmatched = the mapping in the file names { $names }: no operator of the model has this context or class, so it has no effect; the model has { $known }

## Estimates: what was estimated

predict-estimate = Estimate
predict-headline = { $model }: { $count ->
    [one] { $count } operator
   *[other] { $count } operators
}, { $setting }
predict-setting = { $parts }
predict-recorded-types = data types as recorded
predict-batch = batch { $batch }
predict-formulas-of-upmem = formulas of UPMEM
predict-replayed = replayed with the ratios of peaks and bandwidths
predict-paths = critical paths with the ratios of peaks and bandwidths
predict-scaled = the sums of each part scaled by the ratios of peaks and bandwidths
predict-assumptions-for = Assumptions for { $target }
predict-some-operators = { $shown } of { $all } operators
predict-times-are = A bar is as long as the time. Arithmetic and memory access overlap, so that the colours show their proportion, not their order.
predict-energies-are = A bar is as long as the energy; its colours are the parts of it. If a value is missing in a machine's description, its energy is unknown.
predict-targets-are = Compute and memory are sums over the operators; both run at the same time in an operator, so that together they can exceed the time.
predict-operators-are = Executions of one operator in one phase are summed; the share is of the time on the first machine.
llm-times-are = First token: the graph of the prompt. Further token: the mean of all further ones. Request: the first token and all further ones.
llm-memory-is = Weights, keys and values, and activations of the fullest device. A runtime needs more than this.
predict-times = Time on each target
predict-energies = Energy on each target
predict-part-compute = arithmetic
predict-part-memory = main memory
predict-part-cache = key-value cache
predict-part-to-device = host to device
predict-part-to-host = device to host
predict-part-launch = launch or idle
predict-part-idle = idle
predict-part-link = links between devices

## Estimates: tables

predict-targets = Targets
predict-target = Target
predict-time = Time
predict-range = Range
predict-bound = Lower bound
predict-relative = Relative to best
predict-relative-no-transfers = Relative to best, no transfers
predict-compute = Compute
predict-memory = Memory
predict-prompt = Prompt
predict-generation = Generation
predict-tokens = Tokens/s
predict-token-energy = mJ/token
predict-transfers = Transfers
predict-energy = Energy
predict-power = Power (W)
predict-unknown = unknown
predict-measured = measured
predict-from-to = { $least } to { $most }
predict-operators-by-time = Operators by time
predict-operator = Operator
predict-phase = Phase
predict-phase-prompt = sum
predict-phase-generation = gen
predict-runs = Runs
predict-share-on = Share on { $target }

## Language models: what is assumed

llm-energy-unknown = { $machine }: energy is unknown, because pj_per_tflop, mem_pj_per_bit or c2c_pj_per_bit is missing in its description
llm-memory-given = { $machine }: { $given } GB of memory as given, where its description has { $own } GB
llm-no-fit = { $machine }: a device needs { $needed } GB, and its memory holds { $size } GB; the model does not fit
llm-memory-unknown = { $machine }: the size of its memory is not known; --memory gives it
llm-links = { $machine }: links of { $rate } GB/s ({ $source })
llm-its-description = its description
llm-at-roofs = each operator is taken to reach its roof, because no language model was measured on this machine: times have no range
llm-calibrated = the dump's shares of the roofs make these times, so that they have no range; what the dump does not contain is taken to reach its roof, without gaps between launches
llm-own-rows = times follow rows of your own (first token: { $first }, further tokens: { $further }); a phase with fewer than three keeps the public factor
llm-expected = times are expected ones: those at the roofs times what language models were measured to take on BM1684X and BM1688, whose prompts compute all scores (bigtpuprofile explain docs/prediction/measured.md)
llm-even-experts = tokens are taken to choose experts evenly and independently of each other
llm-one-batch = one batch is in flight, so that one stage works at a time; further batches need caches of their own
llm-encoder = this model is an encoder: the time of the first token is that of its only pass over all tokens, and it generates none; embedding, layers and pooler count, heads for a task do not
llm-encoder-decoder = the encoder reads the prompt; the decoder starts with one token, and each of its layers makes keys and values of the encoder's rows once
llm-speculation = { $machine }: of { $tokens } proposed tokens each is accepted with the probability { $acceptance }: { $step } tokens a step on average, { $speedup } times as fast as without proposals; the first token includes the smaller model's prompt
llm-offload = { $machine }: the host keeps { $weights } % of the layers' weights and { $cache } % of the keys and values; a pass loads them at { $rate } GB/s while it computes, and what takes longer counts; memory of the host is not checked
llm-not-measured-so = no model was measured that runs so: the factors between roofs and times are those of decoders that run alone, and times have no range
llm-at-peaks = { $machine }: at its peaks, because the efficiencies were measured on { $chip }
llm-measured = { $machine }: measured shares of the roofs: { $shares }
llm-measured-in-part = { $machine }: measured shares of the roofs: { $shares }; not measured, so at the peaks: { $missing }
llm-share = { $kind } { PERCENT($share, digits: 1) } % ({ $bound })
llm-kind-products = matrix products
llm-kind-attention = attention
llm-kind-normalizations = normalizations
llm-kind-elementwise = elementwise
llm-kind-softmax = softmax
llm-kind-rotary = rotary
llm-kind-embedding = embedding
llm-kind-convolutions = convolutions
llm-kind-pooling = pooling
llm-kind-other = other
llm-bound-compute = compute
llm-bound-memory = memory
llm-bound-communication = communication

## Language models: what was estimated

llm-language-model = Language model
llm-model = { $model }: { $family }, { $billions } billion parameters
llm-headline = { $model }; { $kind } with { $weights } weights and { $cache } cache; batch { $batch }, prompts of { $prompt } tokens, { $output } generated
llm-or = { $before } or { $name }
llm-assumptions = Assumptions
llm-request-time = Time of a request
llm-request-energy = Energy of a request
llm-time-and-energy = Time and energy
llm-devices = Devices
llm-first-token = First token
llm-further-token = Further token
llm-bound-by = Bound by
llm-request = Request
llm-memory-of-device = Memory of a device
llm-weights = Weights (GB)
llm-cache = KV cache (GB)
llm-activations = Activations (GB)
llm-sum = Sum (GB)
llm-memory = Memory (GB)
llm-fits = Fits
llm-yes = yes
llm-no = no

## Pipelines

pipeline-schedules = Pipeline schedules
pipeline-schedules-are = Makespan: from the first start to the last end. Bubble: the share of the stages' time in which they are idle.
pipeline-picture-is = Each row of a picture is a stage (device). All pictures of a page have the same scale of time; pipeline.svg and pipeline.pftrace show more.
pipeline-work = Work
pipeline-ideal = { $schedule }, ideal
pipeline-measured = measured
pipeline-measured-order = measured (order of { $schedule })
pipeline-graph = graph
pipeline-left-out = This picture is left out, as the page would be too large; see pipeline.pftrace.
pipeline-headline = { $title }: { $stages ->
    [one] { $stages } stage
   *[other] { $stages } stages
} x { $microbatches ->
    [one] { $microbatches } microbatch
   *[other] { $microbatches } microbatches
}{ $chunks ->
    [one] {""}
   *[other] {" "}x { $chunks } chunks
}, makespan { $makespan }, bubble { $bubble }
pipeline-memory = Memory { $stage }
pipeline-device = Device { $device }
pipeline-forward = fwd
pipeline-backward = bwd
pipeline-weight = wgt
pipeline-phase-of-chunk = { $phase } chunk { $chunk }
pipeline-schedule = Schedule
pipeline-stages = Stages
pipeline-microbatches = Microbatches
pipeline-chunks = Chunks
pipeline-makespan = Makespan
pipeline-time-per-microbatch = Time per microbatch
pipeline-bubble = Bubble
pipeline-peak-activations = Peak activations
pipeline-peak-memory = Peak memory
pipeline-work-and-bubble = Work and bubble
pipeline-each = { $count } each
pipeline-violations = { $title }: { $count } events start before their input is ready, because the graphs of PerFlow-AI lack some dependences

## Searches

search-strategies = Strategies
search-strategy = Strategy
search-time = Time (ms)
search-speedup = Speedup
search-as-asked = as asked for
search-best = best
search-best-chain = best chain
search-stage-number = Stage { $stage }
search-stage-on-devices = Stage { $stage } (x { $devices })
search-best-strategy = Best strategy
search-operator = Operator
search-type = Type
search-parts = Parts (batch first)
search-devices = Devices
search-more-operators = ({ $count } more operators: see --json or --export)
search-found = { $proposals } proposals from each start, seed { $seed }; the best came from the start { $from }. { PERCENT($estimated) } % of the computing time is estimated, not measured.
search-proven = no strategy is faster: all of them were tried or ruled out
search-gap = no strategy takes less than { $bound } ms (longest way through the graph, or an even share of the work): the best one is at most { PERCENT($gap, digits: 1) } % above the fastest
search-links = links: { $rate } GB/s ({ $rate_from }), { $latency } ns of latency ({ $latency_from })
search-one-pass = { $links }; a microbatch is one measured pass
search-as-given = as given
search-as-measured = as measured
search-as-published = as published
search-slowest = slowest of the machine file
search-assumed = assumed
search-best-stages = Best stages
search-stage = Stage
search-layers = Layers
search-microbatch-time = Time of a microbatch (us)
search-device-memory = Memory of a device (MiB)
search-chain = { $microbatches ->
    [one] { $microbatches } microbatch
   *[other] { $microbatches } microbatches
}: { $time } ms, { $one_device } ms on one device (speedup { $speedup }); bubble { PERCENT($bubble, digits: 1) } %
search-not-divided = the file does not say how long the engines worked, so no layer is divided over devices
search-memory-unchecked = memory is not checked
search-part = Part
search-computing = computing and communication
search-update = update of weights
search-penalty = memory penalty
search-total = total
search-tasks = { $count } tasks

pipeline-unknown-steps = left out: steps named { $kinds } are of no known kind

pipeline-schedule-left-out = left out: { $what }
