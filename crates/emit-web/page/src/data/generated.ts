// Generated from the Rust types by: cargo run -p xtask -- page-types

/**
 * A piece of advice.
 */
export type Advice = {
/**
 * The rule: a heading of `docs/advice.md`.
 */
id: string,
/**
 * Who and where, in a few words without a full stop: the title of the piece.
 */
headline: LocalizedText,
/**
 * The numbers.
 */
evidence: Array<Evidence>,
/**
 * Wall time that it could save at most, in ns; absent where nothing is to be saved.
 */
gain_ns: number | null,
/**
 * `gain_ns` over the wall time.
 */
gain: number | null,
/**
 * The least and the most ns of wall time that it could save, where the gain is known within bounds only.
 */
gain_range_ns?: [number, number] | null,
/**
 * The part of `gain_ns` that is left once the first piece of advice is followed, in ns, where most of it is the same time.
 */
beyond_first_ns?: number,
/**
 * Whether the most of these is a bound: it is far from the gain, and nothing in the run tells that so much can be saved.
 */
most_is_bound?: boolean,
/**
 * Whether the gain is a bound: no change of the commands is known that reaches it.
 */
is_bound?: boolean,
/**
 * Whether this bound is an estimate: it takes for granted what the run does not show, such as work that divides evenly, and what is won
 * may be somewhat more.
 */
is_estimate?: boolean,
/**
 * Whether the gain is that of the replayed run without the fault; else it is an estimate.
 */
replayed: boolean,
/**
 * How well the rules are known that the gain rests on (`exact`, `fitted`, `estimated`, `not validated`), where it rests on
 * rules for single commands.
 */
mark?: string | null,
/**
 * The sentences in English.
 */
text: string,
/**
 * The text in Chinese.
 */
text_zh?: string,
/**
 * The sentences as data, in their order.
 */
messages?: Array<Message>, };

/**
 * Where the wall time went.
 */
export type AllIntervals = {
/**
 * All cores and ports together: a moment of one core's computing and another's transfer is both.
 */
overall: Intervals,
/**
 * A core on average: the headline.
 */
core_mean: CoreMean,
/**
 * Each core.
 */
cores: Array<Intervals>, };

/**
 * Where the time went, and what to do: parts of the report as they are in `report.json`.
 */
export type Answers = { verdict: RunVerdict, intervals: AllIntervals, gaps: GapsHead, launches: Array<CoreLaunches>, steps?: Steps, communication: Communication, ddr_bandwidth: Array<DdrBandwidth>,
/**
 * Only with a host trace.
 */
host?: HostReport, roofline: Rooflines, balance: Balance, advice: Array<Advice>,
/**
 * What all advice together would save; null for one piece, or if the run cannot be replayed.
 */
advice_together: Together | null, critical_path: PathReport,
/**
 * What commands took beside what their bits explain; only where full bits are known.
 */
expected?: Expected, };

/**
 * An argument. In JSON it is an object with its kind as the key: `{"time_ns": 8200}`.
 */
export type Arg = { "count": number } | { "number": number } | { "time_ns": number } | { "median_ns": number } | { "bytes": number } | { "cycles": number } | { "share": number } | { "percent": number } | { "factor": number } | { "ratio": number } | { "rate_gbps": number } | { "value": [number, number] } | { "name": string } | { "numbers": Array<number> } | { "message": Message } | { "list": Array<Message> } | { "items": Array<Message> } | { "clauses": Array<Message> };

/**
 * How evenly the cores share the work.
 */
export type Balance = {
/**
 * Kernels that ran on several cores, those that lose most first.
 */
kernels: Array<Imbalance>,
/**
 * Layers of a static model that cores share; `kernel` is the layer's name. Only where the dump describes layers.
 */
layers?: Array<Imbalance>,
/**
 * Barriers between cores.
 */
barriers: Barriers, };

/**
 * A message that several cores meet at, once: sends that released waits.
 */
export type Barrier = {
/**
 * ns of the last send's end: the barrier opens.
 */
at_ns: number,
/**
 * From the first send's end to the last one's, in ns.
 */
skew_ns: number,
/**
 * Core of the last send.
 */
last_core: number,
/**
 * Core time of its waits in ns: in them an engine of a core waits at this barrier and none of the core works.
 */
waited_ns: number,
/**
 * Cores that take part.
 */
cores: number, };

/**
 * Barriers in all.
 */
export type Barriers = {
/**
 * Barriers between two or more cores.
 */
count: number,
/**
 * Sum of the skews in ns.
 */
skew_ns: number,
/**
 * Mean skew in ns.
 */
mean_skew_ns: number,
/**
 * Core time of waiting at barriers in ns, the sum over cores: a part of their `sync_ns`. Engines of a core that wait at
 * the same time count once.
 */
waited_ns: number,
/**
 * ns for which late cores held barriers up: from when the others were there until the barriers opened.
 */
lost_ns: number,
/**
 * How often each core came last: `(core, times)`.
 */
last: Array<[number, number]>,
/**
 * Those with the greatest skew.
 */
worst: Array<Barrier>, };

/**
 * Which values are better.
 */
export type Better = "lower" | "higher" | "neither";

/**
 * A text in English and in Chinese.
 */
export type Bilingual = [string, string];

/**
 * A block of a static model.
 */
export type BlockHead = {
/**
 * Index into `strings`; an empty text of the first, which is the whole model.
 */
name: number,
/**
 * The block that it is in: index into `blocks`; -1 of the first.
 */
parent: number,
/**
 * What its layers did, in the order of `layerColumns`.
 */
cells: Array<Datum>, };

/**
 * What holds a kernel back.
 */
export type Bound = "compute" | "ddr" | "l2m" | "serialized" | "tiu_efficiency" | "dma_efficiency" | "latency" | "sync" | "implausible" | "unknown";

/**
 * What an engine that did no work, and its core, did most of the time.
 */
export type Cause = "start" | "end" | "sync" | "other_engine" | "launch" | "idle";

/**
 * What a cause costs an engine in all.
 */
export type CauseCost = {
/**
 * Engine.
 */
engine: string,
/**
 * Core, or port for CDMA.
 */
index: number,
/**
 * Why it did no work.
 */
cause: Cause,
/**
 * Bubbles.
 */
count: number,
/**
 * ns of all of them.
 */
total_ns: number,
/**
 * ns of the longest.
 */
max_ns: number, };

/**
 * What changed where a run took longer or shorter.
 */
export type CauseKind = "same_commands" | "commands" | "bytes" | "operations" | "padding" | "rate" | "overlap" | "pauses" | "renamed" | "split" | "fused" | "new" | "gone" | "launches" | "cores" | "unknown";

/**
 * A number on both sides.
 */
export type Change = {
/**
 * What it is, such as `time`.
 */
metric: string,
/**
 * Its unit.
 */
unit: string,
/**
 * Before; absent for a new row.
 */
before: Stat | null,
/**
 * After; absent for a row that is gone.
 */
after: Stat | null,
/**
 * The estimated change, by the method of the comparison. A missing side
 * counts as 0 where the row is missing on it; where only the number is missing, the change is unknown and 0 here.
 */
absolute: number,
/**
 * The estimated change over the median before; absent where that is 0 or a side is missing.
 */
relative: number | null,
/**
 * Where the true change lies; absent where the noise is unknown.
 */
interval: Interval | null,
/**
 * How likely ranks at least as far apart, in this direction, were without any change; absent where the noise is
 * unknown.
 */
p_value: number | null,
/**
 * Whether the change is more than noise.
 */
noise: Noise, };

/**
 * A reason why the wall time changed.
 */
export type ChangeCause = {
/**
 * What changed.
 */
kind: CauseKind,
/**
 * The cores on which it changed; empty where it is all that take part.
 */
cores: Array<number>,
/**
 * Kernels, or layers of a static model, the greatest change first; empty for what is outside of them.
 */
owners: Array<string>,
/**
 * What is on the critical path there.
 */
reasons: Array<Reason>,
/**
 * ns that the run takes longer because of it; below 0 where it takes less.
 */
ns: number,
/**
 * After / before of the time, or of what the kind names; absent where there is none.
 */
ratio: number | null,
/**
 * What to look at; empty where the run takes less time because of it.
 */
remedy: string,
/**
 * The remedy in Chinese.
 */
remedy_zh: string,
/**
 * The sentences in English.
 */
text: string,
/**
 * The text in Chinese.
 */
text_zh?: string,
/**
 * The sentences as data, in their order.
 */
messages?: Array<Message>, };

/**
 * What one engine transferred.
 */
export type Channel = {
/**
 * SDMA or CDMA.
 */
engine: string,
/**
 * Core, or port for CDMA.
 */
index: number,
/**
 * Commands that are no system commands.
 */
commands: number,
/**
 * Bytes that they moved.
 */
bytes: number,
/**
 * ns in which at least one of them ran: waits are not in it.
 */
busy_ns: number,
/**
 * ns in which only system commands ran: sends and waits.
 */
sync_ns: number,
/**
 * Bytes over the busy time, in GB/s.
 */
gbps: number,
/**
 * Ceiling of the port's link in GB/s; none where it is not known (`--hw`), or for SDMA.
 */
link_gbps: number | null,
/**
 * `gbps` over the ceiling.
 */
link_share: number | null,
/**
 * ns of the busy time in which a TIU computed: of the SDMA's core, of a port any.
 */
overlapped_ns: number,
/**
 * The rest of the busy time: exposed.
 */
exposed_ns: number, };

/**
 * The chip.
 */
export type ChipHead = {
/**
 * With the names that it is known by: `AKS (SG2260, BM1690)`.
 */
name: string,
/**
 * Configuration table, in order; clocks are those in use.
 */
facts: Array<[string, string]>, cores: number,
/**
 * GB/s that a core reaches while no other uses the DDR, in both directions; null where it is not known. With others:
 * see the roofs of the answers.
 */
ddrGbps: number | null, l2Gbps: number | null,
/**
 * GB/s of a CDMA port's link; null where it is not known.
 */
linkGbps: number | null, };

/**
 * Columns of one length: raw deflate, then base64, in the element `c{id}`.
 */
export type Chunk = {
/**
 * Number of its element; given when the page is written.
 */
id: number,
/**
 * Numbers in each column.
 */
rows: number, columns: Array<ColumnHead>, };

/**
 * Clocks of the engines.
 */
export type ClocksHead = { tiuMhz: number, dmaMhz: number, };

/**
 * A column's place and meaning in its chunk.
 */
export type ColumnHead = { key: string,
/**
 * How the numbers are in the chunk.
 */
enc: Encoding,
/**
 * The number, where all are the same.
 */
value?: number,
/**
 * Divide the numbers by this; 1 if absent.
 */
scale?: number,
/**
 * The numbers are texts: index into the page's strings of each.
 */
map?: Array<number>,
/**
 * Bytes of the column in the chunk.
 */
bytes: number, };

/**
 * Communication of a run.
 */
export type Communication = {
/**
 * ns in which any of the channels was busy.
 */
busy_ns: number,
/**
 * ns of `busy_ns` in which a TIU of the chip computed.
 */
overlapped_ns: number,
/**
 * ns in which nothing but communication ran: no TIU and no GDMA worked.
 */
alone_ns: number,
/**
 * Engines that worked or waited: SDMA by core, then CDMA ports.
 */
channels: Array<Channel>, };

/**
 * Whether the dump holds all that was written.
 */
export type CompletenessHead = { verdict: VerdictHead,
/**
 * Why this can't be verified; what is missing is in the notes.
 */
reasons: Array<ReasonHead>,
/**
 * The sentences in English.
 */
text: string,
/**
 * The text in Chinese.
 */
text_zh?: string,
/**
 * The sentences as data, in their order.
 */
messages?: Array<Message>, };

export type CoreHead = {
/**
 * -1: all together.
 */
core: number,
/**
 * ns in which the engine ran anything but system commands (TIU, GDMA) or waits (SDMA): what the summary counts.
 */
tiuNs: number, gdmaNs: number, sdmaNs: number,
/**
 * Working shares as in summary.txt: of the whole time.
 */
tiuRatio: number, parallelism: number, uarchRate: number, gdmaDdr: MovedHead, gdmaL2: MovedHead, sdmaDdr: MovedHead, };

/**
 * Kernel launches of a core and what is between them.
 */
export type CoreLaunches = {
/**
 * Core.
 */
core: number,
/**
 * Launches.
 */
launches: number,
/**
 * ns from the window's start to the core's first event.
 */
idle_before_ns: number,
/**
 * ns from the core's last event to the window's end.
 */
idle_after_ns: number,
/**
 * Gaps between launches: a launch begins after all earlier ones ended.
 */
gaps: number,
/**
 * ns of all gaps.
 */
gap_ns: number,
/**
 * Half of the gaps are no longer, in ns.
 */
gap_p50_ns: number,
/**
 * 95 % of the gaps are no longer, in ns.
 */
gap_p95_ns: number,
/**
 * ns of the gaps in which no engine of the core ran anything: neither work of no kernel nor a wait.
 */
gap_idle_ns: number,
/**
 * ns of these in which no engine of the chip worked: the run was idle.
 */
gap_lost_ns: number,
/**
 * The longest gaps.
 */
longest: Array<LaunchGap>,
/**
 * ns inside launches (without launches inside the run) in which no engine of the core ran anything, and none of the chip worked.
 */
stall_lost_ns: number,
/**
 * The longest stretches of these.
 */
stalls: Array<Stall>, };

/**
 * What a core's time went to on average: ratios over the cores that ran anything, weighted by time.
 */
export type CoreMean = {
/**
 * Overlapped time of all cores over the time that could overlap on each of them.
 */
overlap_ratio: number,
/**
 * Exposed transfer time of all cores over all their transfer time.
 */
exposed_transfer_ratio: number,
/**
 * Time in which a core ran only system commands, over the wall time.
 */
sync_ratio: number,
/**
 * Time in which a core ran nothing, over the wall time.
 */
idle_ratio: number,
/**
 * Time in which any engine of a core worked, over the wall time.
 */
utilization: number, };

/**
 * A value of a column.
 */
export type Datum = string | string | number | number | null;

/**
 * What a sort of engine, or all of them, read from off-chip memory and wrote to it.
 */
export type DdrBandwidth = {
/**
 * `GDMA`, `SDMA`, `CDMA`, or `chip` for all.
 */
engine: string,
/**
 * Bytes read; of CDMA those that its ports sent.
 */
read_bytes: number,
/**
 * Bytes written; of CDMA those that its ports received.
 */
written_bytes: number,
/**
 * ns in which any of its engines ran such a transfer.
 */
busy_ns: number,
/**
 * Bytes read over these ns.
 */
read_gbps: number,
/**
 * Bytes written over these ns.
 */
write_gbps: number,
/**
 * Both.
 */
gbps: number, };

/**
 * Why a task had to wait for another one.
 */
export type DependenceKind = "origin" | "engine_order" | "command" | "message" | "barrier" | "launch" | "launch_group" | "hand_over" | "gather";

/**
 * The device's times, in ns since the span's start.
 */
export type DeviceHead = {
/**
 * The first device event.
 */
start: number,
/**
 * The end of the last one.
 */
end: number,
/**
 * Where device time 0 lies: times of the answers are device times.
 */
zero: number, };

/**
 * Everything that was compared.
 */
export type Diff = {
/**
 * Version of this layout.
 */
schema_version: number,
/**
 * Where the runs before came from.
 */
before: Array<string>,
/**
 * Where the runs after came from.
 */
after: Array<string>,
/**
 * The runs are enough, so changes can be distinguished from noise.
 */
noise_is_known: boolean,
/**
 * How changes are told from noise, where the noise is known.
 */
method?: Method,
/**
 * Share of the wall time below which a change can't be told from a drift from run to run; absent where pairs or occasions tell them
 * apart, or the noise is unknown.
 */
least_change?: number,
/**
 * What is noticeable in the runs, such as drift, and what the two sides differ in beyond numbers, such as the chip: then numbers mean little.
 * In JSON they are English sentences.
 */
warnings: Array<string>,
/**
 * How the wall time changed, and why; absent where a side has none.
 */
verdict?: DiffVerdict,
/**
 * Rows by subject; within a subject the greatest absolute change first.
 */
rows: Array<Row>, };

/**
 * How the wall time changed, and why.
 */
export type DiffVerdict = {
/**
 * ns: how much longer the run takes; below 0 where it takes less.
 */
ns: number,
/**
 * The causes, the greatest first; those below a thousandth of the change are left out.
 */
causes: Array<ChangeCause>,
/**
 * ns of the change that no cause explains.
 */
rest_ns: number,
/**
 * Share of the time of both sides that is in the same kernels or layers, where it is so little that they are different programs:
 * then no cause is named.
 */
shared?: number,
/**
 * The sentences in English.
 */
text: string,
/**
 * The text in Chinese.
 */
text_zh?: string,
/**
 * The sentences as data, in their order.
 */
messages?: Array<Message>, };

/**
 * A command at the edge of a bubble.
 */
export type Edge = {
/**
 * Index of the event in its track: `Global Idx` of the register texts.
 */
event: number,
/**
 * Function name.
 */
name: string,
/**
 * Kernel function; empty where it is not known.
 */
kernel: string,
/**
 * Layer of a static model, as [`bigtpu_measure::layers::Layer::label`] names it; none where it is not known.
 */
layer?: string | null,
/**
 * Its number in the model, from 1.
 */
layer_id?: number | null, };

/**
 * How a column's numbers are in their chunk.
 */
export type Encoding = "d" | "v" | "z" | "c";

/**
 * An engine's share of the wall time.
 */
export type EngineTime = {
/**
 * Engine.
 */
engine: string,
/**
 * Core, or port for CDMA.
 */
index: number,
/**
 * Commands that are no system commands.
 */
commands: number,
/**
 * ns in which at least one of them ran.
 */
busy_ns: number,
/**
 * ns in which only system commands ran on it.
 */
sync_ns: number, };

/**
 * A number that supports a piece of advice.
 */
export type Evidence = {
/**
 * What the number is, as an id of the catalogue; empty in a file of an older version.
 */
id: string,
/**
 * What the number is.
 */
what: string,
/**
 * The sentence in Chinese.
 */
what_zh: string,
/**
 * The number.
 */
value: number,
/**
 * Its unit; empty for a count or a ratio.
 */
unit: string,
/**
 * Where to look: core, engine, kernel or command.
 */
place: string,
/**
 * The place in Chinese.
 */
place_zh: string,
/**
 * The place as data.
 */
place_message?: Message, };

/**
 * What commands took beside what their bits explain.
 */
export type Expected = {
/**
 * Commands with a rule.
 */
commands: number,
/**
 * ns that they took, summed.
 */
measured_ns: number,
/**
 * ns that their bits explain.
 */
expected_ns: number,
/**
 * ns of the other commands: without a rule, or without full bits.
 */
without_rule_ns: number,
/**
 * Commands that took longer, by kernel or layer, engine and memory; those that lost most first.
 */
slower: Array<Slower>, };

/**
 * Register fields of a track's commands.
 */
export type FieldsHead = {
/**
 * Column `layout`: for each row the index into `layouts`. The row's place there is its rank among the rows of the same layout.
 */
which: Chunk, layouts: Array<LayoutHead>, };

/**
 * A time in which an engine did no work.
 */
export type Gap = {
/**
 * Engine.
 */
engine: string,
/**
 * Core, or port for CDMA.
 */
index: number,
/**
 * ns.
 */
start_ns: number,
/**
 * ns.
 */
end_ns: number,
/**
 * ns of the gap in which the engine was in system commands.
 */
sync_ns: number,
/**
 * ns of the rest in which another engine of the core worked.
 */
other_engine_ns: number,
/**
 * ns of the rest in which nothing on the core ran.
 */
idle_ns: number,
/**
 * ns of it in which no engine of the core worked.
 */
cost_ns: number,
/**
 * What it costs the run: ns by which the run would be shorter if the command after it had found all that it needed; of a gap between
 * launches, if all engines that had it had. Replayed; `null` where that is not known.
 */
saved_ns: number | null,
/**
 * What the engine and its core did most of the time.
 */
cause: Cause,
/**
 * What ended before it.
 */
before: Edge | null,
/**
 * What started after it.
 */
after: Edge | null,
/**
 * What the command after it waited for, nearest first, back to the work that ended the gap; of a gap that was a sync most of the
 * time, back to the work that the sync waited for. Where the first work is of the same engine and ended before the gap, or there is
 * none, it is not known what ended it.
 */
chain: Array<GapLink>,
/**
 * Where the last command of the chain is: engine and core; `null` where it is not known what ended the gap.
 */
waited_for: [string, number] | null,
/**
 * Other engines of the core that worked in it: engine, core, ns.
 */
elsewhere: Array<[string, number, number]>,
/**
 * Other engines, with their cores, whose waits ended together with that of this one, or that waited for the same launch: a barrier
 * is one gap, and so is the time between two launches.
 */
with: Array<[string, number]>, };

/**
 * A command that had to end before the one of the link before it could start; before that one could end, if it is a wait.
 */
export type GapLink = {
/**
 * Engine.
 */
engine: string,
/**
 * Core, or port for CDMA.
 */
index: number,
/**
 * Why it had to be waited for.
 */
why: DependenceKind,
/**
 * ns from its end to the start of what waited for it; for a wait, to that one's end.
 */
lag_ns: number,
/**
 * Whether it computes or moves data.
 */
is_work: boolean,
/**
 * Index of the event in its track: `Global Idx` of the register texts.
 */
event: number,
/**
 * Function name.
 */
name: string,
/**
 * Kernel function; empty where it is not known.
 */
kernel: string,
/**
 * Layer of a static model, as [`bigtpu_measure::layers::Layer::label`] names it; none where it is not known.
 */
layer?: string | null,
/**
 * Its number in the model, from 1.
 */
layer_id?: number | null, };

/**
 * Gaps: those that cost most, and sums. One by one they are on tracks.
 */
export type GapsHead = { longest: Array<Gap>, causes: Array<CauseCost>, };

/**
 * Greatest rates of a chip. All but `cores` are those of one core.
 */
export type Hardware = {
/**
 * Chip.
 */
chip: string,
/**
 * Cores of the chip.
 */
cores: number,
/**
 * TIU clock in MHz.
 */
tiu_mhz: number,
/**
 * DDR ceiling in GB/s of one direction while all cores of the chip share it, if known. In a report: of each of the cores
 * that run commands.
 */
ddr_gbps: number | null,
/**
 * Ceiling in GB/s of a core's own port, which it reaches while few cores use the DDR, if known: else a core alone
 * reaches what it does together with the others.
 */
ddr_port_gbps: number | null,
/**
 * DDR ceiling in GB/s of a core alone that reads and writes at the same time, as copies from DDR to DDR do, where they
 * were seen to be faster than one direction: buses have a channel for each.
 */
ddr_both_ways_gbps?: number | null,
/**
 * L2M ceiling in GB/s; null where the chip has none or it is not known.
 */
l2m_gbps: number | null,
/**
 * Ceiling of a CDMA port's link in GB/s, one way, if known: no public source has it, `--hw` gives it.
 */
link_gbps?: number | null,
/**
 * Size of the L2M in bytes, if known.
 */
l2m_bytes?: number | null,
/**
 * Peak of the matrix unit in tera-operations a second, by data type as the chip names it.
 */
peak_tops: { [key in string]: number }, };

/**
 * Everything.
 */
export type Head = { version: number,
/**
 * Name and version of the writer.
 */
tool: string,
/**
 * Name of the dump's directory.
 */
source: string, chip: ChipHead, clocks: ClocksHead, isStatic: boolean, span: SpanHead, device: DeviceHead,
/**
 * Wall time that the summary counts, ns.
 */
totalNs: number, events: number, strings: Array<string>, names: Array<NameHead>,
/**
 * Indices into `strings`.
 */
kernels: Array<number>,
/**
 * What commands belong to. Columns `kernel` (index into `kernels`), `scope`, `batch` (-1: not known), and `mode` (text).
 */
tags: Chunk, layers: Array<LayerHead>,
/**
 * Blocks of a static model, each before those in it; the first is the whole model.
 */
blocks: Array<BlockHead>,
/**
 * The columns of the cells of layers and blocks; none without layers.
 */
layerColumns: Array<TableColumnHead>,
/**
 * The steps of `answers.steps`, in the same order: what they did. So are the slices of the track of steps.
 */
steps: Array<StepHead>,
/**
 * The columns of their cells; none without steps.
 */
stepColumns: Array<TableColumnHead>, tracks: Array<TrackHead>, cores: Array<CoreHead>,
/**
 * All cores together; null without cores.
 */
overall: CoreHead | null, ports: Array<PortHead>,
/**
 * Same order as `tracks`; empty for kernels, layers, host.
 */
types: Array<Array<TypeTotals>>,
/**
 * All kernels, the longest first.
 */
topKernels: Array<KernelHead>,
/**
 * The columns of their cells.
 */
kernelColumns: Array<TableColumnHead>,
/**
 * The first table of summary.txt.
 */
table: TableHead,
/**
 * Columns `sendTrack`, `sendRow`, `waitTrack`, `waitRow` (tracks: indices into `tracks`), `message` (its number), and
 * `releases` (1: of all sends that the wait needs, this one ended last and so released it).
 */
flows: Chunk,
/**
 * The critical path, null if the run cannot be replayed: its pieces in time order without gaps, from `device.start` on.
 * Columns `end` (ns since the span's start; a piece starts at the end of the one before), `reason` (text, the reason names of
 * summary.txt), `kernel` (index into `kernels`, -1 none), `track` and `row` (the command, or the one after a gap).
 */
path: Chunk | null,
/**
 * Null if the run cannot be replayed, or has more than `whatIfLimit` commands.
 */
whatIf: WhatIfHead | null, whatIfLimit: number, ledger: LedgerHead,
/**
 * Null where no accesses are known, or too many.
 */
lmem: LmemHead | null, answers: Answers,
/**
 * What this page leaves out, and why: always shown.
 */
notices: Array<Notice>, };

/**
 * How device time is put on the host's time line.
 */
export type HostAlignment = "disable_profile" | "first_call" | "none";

/**
 * A time in which the chip was idle because nothing was launched.
 */
export type HostGap = {
/**
 * ns on the device's time line.
 */
start_ns: number,
/**
 * ns.
 */
end_ns: number,
/**
 * What the host did in most of it; empty where the trace shows nothing.
 */
host: string, };

/**
 * The idle time of the chip, by whom it is due to.
 */
export type HostIdle = {
/**
 * ns in which no engine ran anything.
 */
idle_ns: number,
/**
 * ns of `idle_ns` in which every launch that had been called had ended: the host is late.
 */
host_bound_ns: number,
/**
 * The rest: something was launched, and waited or stood still on the device.
 */
device_bound_ns: number,
/**
 * The longest stretches of `host_bound_ns`.
 */
longest: Array<HostGap>, };

/**
 * An operator of the host, such as `aten::addmm`, over all its calls.
 */
export type HostOperator = {
/**
 * Its name; the call's own name where no operator is around it.
 */
name: string,
/**
 * Launches that it caused, itself or by operators within it.
 */
launches: number,
/**
 * ns of these launches, each from its start on the first core to its end on the last.
 */
device_ns: number,
/**
 * ns of `device_ns` that belong to launches whose innermost operator it is.
 */
self_device_ns: number, };

/**
 * The part of a report that a host trace adds.
 */
export type HostReport = {
/**
 * How times are aligned. Without an alignment there is nothing below but notes.
 */
alignment: HostAlignment,
/**
 * Calls of `tpudnn`, those within another call left out.
 */
calls: number,
/**
 * Launches on the device; what several cores run together counts once.
 */
launches: number,
/**
 * How launches were matched with calls; none if nothing was.
 */
matching: Matching | null,
/**
 * Launches with a call.
 */
matched: number,
/**
 * Matched launches that begin before their call: the alignment is not exact, or the match is wrong.
 */
before_call: number,
/**
 * From the start of the call to the launch's first command. Time in the queue is in it.
 */
latency: LaunchLatency,
/**
 * Latency of launches whose call found the device with nothing to do: nothing of it is time in the queue.
 */
free_latency: LaunchLatency,
/**
 * Launches that were called and have not begun.
 */
queue: QueueDepth,
/**
 * Whom the idle time of the chip is due to.
 */
idle: HostIdle,
/**
 * Operators of the host by the device time that they caused, the greatest first.
 */
operators: Array<HostOperator>,
/**
 * Iterations by the host's markers.
 */
steps: Steps | null,
/**
 * What is doubtful or lost of the host trace.
 */
notes: Array<NoteFacts>, };

/**
 * What the operators of a host track are.
 */
export type HostSide = "cpu" | "tpudnn";

/**
 * A kernel over the cores that ran it, at least two.
 */
export type Imbalance = {
/**
 * Kernel function.
 */
kernel: string,
/**
 * Cores that ran it.
 */
cores: number,
/**
 * Time in which any engine of a core worked within the kernel's launches, in ns; `(core, ns)`. Waiting for
 * the others is no work.
 */
core_ns: Array<[number, number]>,
/**
 * The core that worked longest: the straggler.
 */
slowest: number,
/**
 * ns that it worked.
 */
slowest_ns: number,
/**
 * Mean of the cores in ns.
 */
mean_ns: number,
/**
 * The slowest over the mean, less 1: 0 where all took the same.
 */
imbalance: number,
/**
 * ns that the run lost by it: what the slowest core's work exceeds that of the others, round by round where
 * the launches can be compared (another core may be the slowest in each), else in all. Where all cores ran as
 * many events, a core is slower, and the slowest of the others represents them; else for the mean of all
 * cores, since the work can be split evenly.
 */
lost_ns: number,
/**
 * Launches that can be compared: the n-th of each core; 0 where the cores' numbers of launches differ.
 */
rounds: number,
/**
 * Launches left out, over all cores: those of rounds in which a core's launch lacks commands. A kernel without
 * any other round, or whose launches can't be compared, is left out whole.
 */
left_out: number,
/**
 * From the first to the last start of a round, in ns, over all rounds.
 */
start_skew_ns: number,
/**
 * From the first to the last end of a round, in ns, over all rounds.
 */
end_skew_ns: number, };

/**
 * Where the true change lies.
 */
export type Interval = {
/**
 * Least change that agrees with the runs, in the metric's unit.
 */
low: number,
/**
 * Greatest change that agrees with the runs, in the metric's unit.
 */
high: number,
/**
 * Share of such intervals that hold the true change: 0.95, or less where the runs are too few.
 */
confidence: number, };

/**
 * Where the wall time of a core, or of the whole dump, went.
 */
export type Intervals = {
/**
 * Core; `None` for all cores and ports together.
 */
core: number | null,
/**
 * Length of the window, in ns: the same for every core.
 */
wall_ns: number,
/**
 * A TIU computed, nothing was transferred.
 */
compute_only_ns: number,
/**
 * Data was transferred, no TIU computed: exposed transfer time.
 */
transfer_only_ns: number,
/**
 * Both at once.
 */
overlapped_ns: number,
/**
 * Neither; some engine was in a system command.
 */
sync_ns: number,
/**
 * No engine ran anything.
 */
idle_ns: number,
/**
 * Overlapped time over the lesser of compute and transfer time: 1 when as much is hidden as can be; 0 when
 * either is missing.
 */
overlap_ratio: number,
/**
 * Exposed transfer time over all transfer time.
 */
exposed_transfer_ratio: number,
/**
 * Mean number of engines that work while any works.
 */
concurrency: number,
/**
 * Time in which any engine works over the wall time.
 */
utilization: number,
/**
 * Its engines that ran anything.
 */
engines: Array<EngineTime>, };

export type KernelHead = {
/**
 * Index into `kernels`.
 */
kernel: number,
/**
 * Its values, in the order of the columns.
 */
cells: Array<Datum>,
/**
 * What each core that ran it did.
 */
byCore: Array<OnCore>, };

/**
 * Accesses to the memory that the cores share.
 */
export type L2mHead = {
/**
 * The lowest address: added to `addr` it makes the address of the command.
 */
base: number,
/**
 * Bytes from there to the end of the highest access.
 */
bytes: number,
/**
 * Columns `track` (index into `tracks`), `row` (of the event), `write` (0 read, 1 write), `addr`, `bytes`.
 */
chunk: Chunk,
/**
 * As of local memory.
 */
residency: Chunk, };

/**
 * A gap between two kernel launches of a core.
 */
export type LaunchGap = {
/**
 * ns.
 */
start_ns: number,
/**
 * ns.
 */
end_ns: number,
/**
 * Kernel function that ended last before it.
 */
before: string,
/**
 * Kernel function that started after it.
 */
after: string, };

/**
 * From a host's call to the first command of what it launched.
 */
export type LaunchLatency = {
/**
 * Launches.
 */
count: number,
/**
 * Mean in ns.
 */
mean_ns: number,
/**
 * Half of them took no longer, in ns (nearest rank).
 */
p50_ns: number,
/**
 * 95 % of them took no longer, in ns (nearest rank).
 */
p95_ns: number,
/**
 * The longest in ns.
 */
max_ns: number, };

/**
 * A layer of a static model.
 */
export type LayerHead = { id: number,
/**
 * The operation: index into `strings`, as all further texts.
 */
name: number,
/**
 * The model's name of its first result, else operation and id: as the critical path and `--scale` call it.
 */
label: number,
/**
 * The part of the model that it belongs to by its name; of an empty text none.
 */
block: number,
/**
 * Its block: index into `blocks`; -1 of a layer without events.
 */
parent: number,
/**
 * What it reads and writes: name, `@` address where it is known, shape and data type of each tensor.
 */
reads: Array<number>, writes: Array<number>,
/**
 * Its line in `final.mlir`; null where it is not known.
 */
line: number | null,
/**
 * What it did, in the order of `layerColumns`; nothing of a layer without events.
 */
cells: Array<Datum>, };

/**
 * Register fields of the commands that have the same keys in the same order, which is that of the columns.
 */
export type LayoutHead = { chunk: Chunk, };

/**
 * What became of the data.
 */
export type LedgerHead = {
/**
 * Titles of the counts, in order.
 */
titles: Array<string>, lines: Array<LineHead>, notes: Array<NoteHead>, completeness: CompletenessHead,
/**
 * The times are predicted: there are no records that could be lost.
 */
simulated?: boolean, runtime: Array<RuntimeHead>, };

export type LineHead = { place: string, counts: Array<number>, };

/**
 * Live bytes of a core's local memory: how many addresses of a lane hold data that a command will still read.
 */
export type LiveHead = {
/**
 * A column for each different total, `0` that of all lanes together (an address counts once). A row for each access: by how
 * many bytes the total changes at its end; of accesses that end at the same time, one has the change of all of them.
 */
chunk: Chunk,
/**
 * The greatest total of each column, in bytes.
 */
most: Array<number>,
/**
 * The total of each lane: a first lane, and the column for it and the lanes up to the next entry. The first entry is that of
 * lane 0.
 */
lanes: Array<[number, number]>, };

/**
 * Accesses to the local memory of a core.
 */
export type LmemCore = { core: number,
/**
 * Columns `track` (index into `tracks`), `row` (of the event), `write` (0 read, 1 write), `addr` (byte in the lane), `bytes` (in
 * each lane), `lane` (first), `lanes` (how many), `operand` (text, such as res0, opd0, src, dst). In order of (track, row).
 */
chunk: Chunk, live: LiveHead,
/**
 * What stays in it, of all lanes together: columns `write` and `last` (rows of `chunk`: the access that writes it, and the last
 * one that reads it), `addr` (byte in the lane), `bytes`. It is there from the end of the one to the end of the other.
 */
residency: Chunk,
/**
 * To DDR and back, and to L2M and back.
 */
spilled: [SpilledHead, SpilledHead], };

/**
 * Accesses to local memory.
 */
export type LmemHead = { laneBytes: number, bankBytes: number, lanes: number, cores: Array<LmemCore>,
/**
 * L2M of all cores together; null where no command accesses it.
 */
l2m: L2mHead | null, };

/**
 * Sentences in both languages, with what they say as data.
 */
export type LocalizedText = {
/**
 * The sentences in English.
 */
text: string,
/**
 * The text in Chinese.
 */
text_zh?: string,
/**
 * The sentences as data, in their order.
 */
messages?: Array<Message>, };

/**
 * How launches were matched with calls.
 */
export type Matching = "names" | "order" | "time";

/**
 * An id of the catalogue with arguments: what was found, in no language. [`message!`](crate::message!) makes it.
 */
export type Message = {
/**
 * Which sentence or phrase of the catalogue this is.
 */
id: string,
/**
 * Its arguments by name.
 */
args?: { [key in string]: Arg }, };

/**
 * How changes are told from noise (`docs/proof/ci.md`).
 */
export type Method = "ranks" | "modes" | "occasions" | "pairs";

/**
 * A level: the slices of a track merged into buckets of one width.
 */
export type MipHead = {
/**
 * Width of a bucket in ns.
 */
bucketNs: number,
/**
 * A row for each bucket that holds anything, sorted by (lane, at). Columns `lane`, `at` (number of the bucket, which starts at
 * `at * bucketNs`), `busy` (ns in the bucket covered by slices), `count` (slices that start in it), `name` and `tag` (of the slice
 * that takes most of it), and for engines `high` (uArch rate or share of the peak bandwidth: mean over busy time, 0 to 1), `ddr`
 * and `l2` (bytes that count for bandwidth; GB/s over the bucket are bytes / bucketNs), `lost` (ns in it beyond what the bits
 * explain).
 */
chunk: Chunk, };

/**
 * The activity at a moment. Work has priority over sync, sync over idle.
 */
export type MomentActivity = "compute" | "transfer" | "overlap" | "sync" | "idle";

/**
 * Bytes, and bandwidth while they moved.
 */
export type MovedHead = { bytes: number, gbps: number, };

/**
 * What a slice is.
 */
export type NameHead = {
/**
 * Function Type (or category), index into `strings`.
 */
type: number,
/**
 * Function Name (or kernel, layer, host operator), index into `strings`.
 */
name: number,
/**
 * What it counts as.
 */
role: SliceRole,
/**
 * Way that a transfer goes; absent where nothing is moved.
 */
way?: SliceWay, };

/**
 * What several runs say about a change.
 */
export type Noise = "unknown" | "within" | "beyond";

/**
 * One thing that went wrong.
 */
export type NoteFacts = {
/**
 * Data was lost; else it is a warning.
 */
is_loss: boolean,
/**
 * The sentences in English.
 */
text: string,
/**
 * The text in Chinese.
 */
text_zh?: string,
/**
 * The sentences as data, in their order.
 */
messages?: Array<Message>, };

export type NoteHead = { severity: NoteSeverity, file: string, offset: number | null,
/**
 * The sentences in English.
 */
text: string,
/**
 * The text in Chinese.
 */
text_zh?: string,
/**
 * The sentences as data, in their order.
 */
messages?: Array<Message>, };

/**
 * How serious a note is.
 */
export type NoteSeverity = "note" | "warning" | "loss";

/**
 * What the page leaves out: a key of `page/src/ui/notices.ts`, and the numbers in its text.
 */
export type Notice = { key: string, args: Array<number>, };

/**
 * A kernel's launches on one core.
 */
export type OnCore = { core: number, count: number,
/**
 * ns.
 */
total: number,
/**
 * ns of the longest.
 */
max: number,
/**
 * ns within the launches in which an engine of the core worked; `None` where only one core ran the kernel.
 */
work: number | null, };

/**
 * Launches of a core, or its layers, that belong together.
 */
export type PairsHead = { core: number,
/**
 * Indices of the tracks in the first and the second head.
 */
before: number, after: number,
/**
 * Columns `before` and `after`: rows of the two tracks.
 */
pairs: Chunk, };

/**
 * The critical path of the run: what its wall time consisted of.
 */
export type PathReport = {
/**
 * ns: the sum of all pieces.
 */
wall_ns: number,
/**
 * Share of the wall time that is idle and that nothing explains, 0 to 1.
 */
unexplained: number,
/**
 * Why there is no path; `null` if there is one.
 */
refusal: string | null,
/**
 * The refusal in Chinese.
 */
refusal_zh?: string,
/**
 * Pieces by kernel, engine and reason, heaviest first.
 */
pieces: Array<Piece>, };

/**
 * Pieces of the critical path that have kernel, engine and reason in common.
 */
export type Piece = {
/**
 * Kernel; empty outside of kernels.
 */
kernel: string,
/**
 * Layer of a static model, such as `81_Conv (Conv2D)`, as [`bigtpu_measure::layers::LayerLabel`] names it; absent where no layer is known.
 */
layer?: string,
/**
 * The layer's number in the model, from 1.
 */
layer_id?: number,
/**
 * The layer's operation, such as `Conv2D`; absent where no layer is known.
 */
operation?: string,
/**
 * Engine.
 */
engine: string,
/**
 * What it is.
 */
reason: Reason,
/**
 * ns on the path.
 */
ns: number,
/**
 * Share of the wall time, 0 to 1.
 */
share: number,
/**
 * Times that the path goes through such a piece.
 */
count: number,
/**
 * ns that such work took on all cores together, on the path or not; 0 for what is no work.
 */
all_ns: number, };

/**
 * Where a replay draws its lines.
 */
export type PlainLimits = {
/**
 * ns: a longer lag of a hand-over is idle time that no dependence explains.
 */
handOverNs: number,
/**
 * ns: a longer lag of engine order is idle time that no dependence explains.
 */
longestPauseNs: number,
/**
 * Greatest factor of several changes together.
 */
mostFactor: number,
/**
 * Share of a run's time that is not sure, whatever changes: see [`Predictor::unsure_of_time`].
 */
cycles: number, };

export type PortHead = { port: number, events: number, sent: SideHead, received: SideHead, other: SideHead, syncNs: number, busyNs: number, };

/**
 * Whether a row is on both sides.
 */
export type Presence = "both" | "new" | "gone";

/**
 * Launches that were called and have not begun, over the run's time.
 */
export type QueueDepth = {
/**
 * Mean over the wall time.
 */
mean: number,
/**
 * The most at a time.
 */
max: number,
/**
 * ns of the run in which there was none.
 */
empty_ns: number, };

/**
 * What a piece of the critical path is.
 */
export type Reason = "compute" | "ddr_transfer" | "l2m_transfer" | "link_transfer" | "local_transfer" | "system" | "wait" | "hand_over" | "command_gap" | "launch_gap" | "start" | "unexplained";

export type ReasonHead = { file: string,
/**
 * The sentences in English.
 */
text: string,
/**
 * The text in Chinese.
 */
text_zh?: string,
/**
 * The sentences as data, in their order.
 */
messages?: Array<Message>, };

/**
 * A peak or a clock of a run, and where it comes from.
 */
export type Roof = {
/**
 * Its key, such as `ddr.core.one_way`; absent in reports of older versions.
 */
id: string,
/**
 * What it bounds, such as `DDR, one core alone`.
 */
name: string,
/**
 * What it bounds, in Chinese.
 */
name_zh?: string,
/**
 * What it is that of; absent in reports of older versions.
 */
scope?: RoofScope | null,
/**
 * Which transfers it bounds; absent of all but memories.
 */
access?: RoofAccess | null,
/**
 * Its value; null where it is not known.
 */
value: number | null,
/**
 * Its unit.
 */
unit: string,
/**
 * How well it is known.
 */
source: RoofSource,
/**
 * The sentences in English.
 */
text: string,
/**
 * The text in Chinese.
 */
text_zh?: string,
/**
 * The sentences as data, in their order.
 */
messages?: Array<Message>, };

/**
 * Which transfers a peak of a memory bounds.
 */
export type RoofAccess = "one_way" | "both_ways" | "any";

/**
 * What a peak or a clock is that of.
 */
export type RoofScope = "core" | "active_cores" | "port" | "chip";

/**
 * How well a roof is known.
 */
export type RoofSource = "measured" | "published" | "derived" | "assumed" | "given" | "dump" | "unknown";

/**
 * A kernel, or the whole run, under its roofs. Times are core times: summed over all cores.
 */
export type Roofline = {
/**
 * Kernel function; empty for the whole run.
 */
kernel: string,
/**
 * Core time in ns: the kernel's launches; of the whole run the window times its active cores.
 */
ns: number,
/**
 * ns of it in which an engine of the core worked.
 */
work_ns: number,
/**
 * ns of it in which engines were in system commands only.
 */
sync_ns: number,
/**
 * ns that the TIU would need at its peak; null where the operations of its commands are not known.
 */
ideal_compute_ns: number | null,
/**
 * ns that the bytes from and to DDR would need at its ceiling; null where that is not known.
 */
ideal_ddr_ns: number | null,
/**
 * ns that the bytes from and to L2M would need at its ceiling; null where that is not known.
 */
ideal_l2m_ns: number | null,
/**
 * Requested operations; null where those of its commands are not known.
 */
ops: number | null,
/**
 * Bytes that the cores' engines moved from and to DDR: a copy within the DDR reads and writes.
 */
ddr_bytes: number,
/**
 * Bytes that the cores' engines moved from and to L2M.
 */
l2m_bytes: number,
/**
 * Operations for each byte of DDR traffic; absent without such traffic or operations.
 */
ddr_intensity: number | null,
/**
 * Operations for each byte of L2M traffic; absent without such traffic or operations.
 */
l2m_intensity: number | null,
/**
 * Achieved tera-operations a second of a core; null where the operations are not known.
 */
tops: number | null,
/**
 * Achieved DDR bandwidth of a core in GB/s.
 */
ddr_gbps: number,
/**
 * Achieved L2M bandwidth of a core in GB/s.
 */
l2m_gbps: number,
/**
 * What holds it back.
 */
bound: Bound,
/**
 * The nearest known roof's ideal time over the time it took: 1 is on the roof; of implausible counts it is
 * above 1 and no share of anything. Null where no roof is known.
 */
roof: number | null,
/**
 * Share of the commands whose full bits are known: without them operations are not counted.
 */
known: number, };

/**
 * The run and its kernels under their roofs.
 */
export type Rooflines = {
/**
 * The peaks of a core of this run: the fewer cores run commands, the more memory bandwidth each can reach. What is not
 * known is null.
 */
hardware: Hardware,
/**
 * Each peak of a core with its scope and its source: measured, published, derived, assumed, given by `--hw`, or unknown.
 */
roofs: Array<Roof>,
/**
 * The clocks of the engines, each with its source.
 */
clocks: Array<Roof>,
/**
 * The whole run.
 */
overall: Roofline,
/**
 * Each kernel, in the order of [`Report::kernels`].
 */
kernels: Array<Roofline>,
/**
 * Each layer of a static model, in the order of [`Report::layers`]; `kernel` is the layer's name.
 */
layers: Array<Roofline>, };

/**
 * A core, engine, kernel or other subject on both sides.
 */
export type Row = {
/**
 * What it is about.
 */
subject: Subject,
/**
 * Its name; empty for the whole run.
 */
name: string,
/**
 * What is on the critical path there, which the name of a piece ends with; only of pieces.
 */
reason?: Reason,
/**
 * Its name before, where the same work has another name after.
 */
old_name?: string,
/**
 * Whether it is on both sides.
 */
presence: Presence,
/**
 * Its numbers, time first.
 */
changes: Array<Change>, };

/**
 * Why a run takes as long as it does.
 */
export type RunVerdict = {
/**
 * Who holds the run up, and where, in a few words without a full stop.
 */
headline: LocalizedText,
/**
 * The rule of the advice that names the cause; absent where nothing stands out.
 */
rule: string | null,
/**
 * The rule of the advice whose bound is named besides, where no cause stands out; absent where there is none.
 */
bound_rule?: string,
/**
 * The rule of the advice with the greatest gain that is known, where the cause is only a bound; absent where there is none.
 */
known_rule?: string,
/**
 * Wall time in ns.
 */
wall_ns: number,
/**
 * Wall time in ns without the cause, or without what bounds the run; absent where it is not known.
 */
without_ns: number | null,
/**
 * The sentences in English.
 */
text: string,
/**
 * The text in Chinese.
 */
text_zh?: string,
/**
 * The sentences as data, in their order.
 */
messages?: Array<Message>, };

/**
 * What a page of two runs has besides the two heads.
 */
export type RunsHead = { kind: RunsKind, diff: Diff, verdicts: Array<LocalizedText>, tracks: Array<PairsHead>, };

/**
 * What the two runs of a page are.
 */
export type RunsKind = "change" | "prediction" | "simulation";

/**
 * A copy or a barrier of the runtime around a static model; times in ns, negative before the model's first command.
 */
export type RuntimeHead = { place: string, what: string, start: number, end: number, bytes: number, };

/**
 * Number of commands, bytes, and bandwidth while they moved.
 */
export type SideHead = { count: number, bytes: number, gbps: number, };

/**
 * What a slice counts as.
 */
export type SliceRole = "work" | "wait" | "send" | "system";

/**
 * Which way a transfer goes.
 */
export type SliceWay = "load" | "store" | "l2m";

/**
 * Why a command took longer.
 */
export type SlowCause = "first-transfer" | "other-core" | "unknown";

/**
 * Commands that took longer than their bits explain.
 */
export type Slower = {
/**
 * Kernel, or layer such as `81_Conv (Conv2D)`; empty where the commands belong to none.
 */
name: string,
/**
 * Number of the layer, of a static model whose layers are known.
 */
layer_id: number | null,
/**
 * The engine.
 */
engine: string,
/**
 * From where to where, of transfers; empty for the TIU.
 */
memory: string,
/**
 * Commands of this kernel or layer, engine and memory that have a rule.
 */
commands: number,
/**
 * Commands that took longer than expected.
 */
slower: number,
/**
 * ns that the slower ones took.
 */
measured_ns: number,
/**
 * ns that their bits explain.
 */
expected_ns: number,
/**
 * The difference.
 */
lost_ns: number,
/**
 * The cause with most of it.
 */
cause: SlowCause,
/**
 * How well the rules are known: the worst of them, as `command-cost` calls it.
 */
mark: string, };

/**
 * First start and last end on the page, host included.
 */
export type SpanHead = {
/**
 * Exact decimal text, ns: clocks of hosts exceed doubles.
 */
start: string,
/**
 * ns.
 */
length: number, };

/**
 * Data that a core stored and loaded again.
 */
export type SpilledHead = {
/**
 * Bytes of the stores; each counts once.
 */
storedBytes: number,
/**
 * Bytes of the loads of them.
 */
loadedBytes: number, };

/**
 * A time inside a launch in which the core was idle and the chip was idle.
 */
export type Stall = {
/**
 * ns.
 */
start_ns: number,
/**
 * ns.
 */
end_ns: number,
/**
 * Kernel function of the launch.
 */
kernel: string, };

/**
 * The runs of one side.
 */
export type Stat = {
/**
 * Median of the runs; the mean of the middle two where their number is even.
 */
median: number,
/**
 * The least.
 */
min: number,
/**
 * The greatest.
 */
max: number,
/**
 * Runs that have the value.
 */
runs: number, };

/**
 * One iteration.
 */
export type Step = {
/**
 * Number, from 0.
 */
number: number,
/**
 * Name of its marker in the host's trace; else empty.
 */
name: string,
/**
 * Launches, on the core whose launches make the steps.
 */
launches: number,
/**
 * ns in which a TIU computed and nothing was transferred. The five phases sum to the step's time.
 */
compute_only_ns: number,
/**
 * ns of both at once.
 */
overlapped_ns: number,
/**
 * ns of transfers that nothing hides.
 */
transfer_only_ns: number,
/**
 * ns in which only system commands ran.
 */
sync_ns: number,
/**
 * ns in which nothing ran.
 */
idle_ns: number,
/**
 * Its launches are those of the other steps.
 */
is_regular: boolean,
/**
 * One of the first steps, and slower than the usual one.
 */
is_warm_up: boolean,
/**
 * Its time is far from the usual.
 */
is_outlier: boolean,
/**
 * Phase of a warm-up step or an outlier that differs most from the usual one.
 */
cause: MomentActivity | null,
/**
 * Events.
 */
events: number,
/**
 * Start of its first command in ns; of a step its own.
 */
start_ns: number,
/**
 * End of its last command in ns; of a step its own.
 */
end_ns: number,
/**
 * ns from its start to its end, summed over its runs.
 */
total_ns: number,
/**
 * `total_ns` over the wall time.
 */
wall_share: number,
/**
 * ns of the critical path in it; `null` where the run can't be replayed.
 */
path_ns: number | null,
/**
 * Ideal cycles of the TIU commands of which they are known; `null` without such a command.
 */
ideal_cycles: number | null,
/**
 * Cycles that its TIU commands took.
 */
tiu_cycles: number,
/**
 * Ideal cycles / cycles of these commands; `null` where the ideal ones are not known, or nothing was computed.
 */
mac_utilization: number | null,
/**
 * ns that the bits of its commands explain, of those whose bits explain any; `null` without such a command.
 */
expected_ns: number | null,
/**
 * ns that these commands took.
 */
explained_ns: number,
/**
 * ns of commands by engine: TIU, GDMA, SDMA; system commands left out.
 */
busy_ns: [number, number, number],
/**
 * Requested operations, of the commands whose full bits are known.
 */
ops: number,
/**
 * Operations after padding.
 */
uarch_ops: number,
/**
 * Requested operations / operations after padding; `null` without operations.
 */
uarch_rate: number | null,
/**
 * Bytes from or to DDR.
 */
ddr_bytes: number,
/**
 * Bytes moved otherwise.
 */
other_bytes: number,
/**
 * Commands, system commands left out.
 */
commands: number, };

/**
 * A step.
 */
export type StepHead = {
/**
 * Index into `strings`; an empty text of a step that the host does not name.
 */
name: number,
/**
 * What it did, in the order of `stepColumns`.
 */
cells: Array<Datum>, };

/**
 * How steps were found.
 */
export type StepSource = "repetition" | "kernel" | "host";

/**
 * Statistics of the steady steps: those that are regular and no warm-up, outliers included.
 */
export type StepTimes = {
/**
 * Steps.
 */
count: number,
/**
 * Steady ones.
 */
steady: number,
/**
 * The fastest in ns.
 */
min_ns: number,
/**
 * Standard deviation over the mean.
 */
spread: number,
/**
 * The first step in ns.
 */
first_ns: number,
/**
 * Warm-up steps.
 */
warm_up: number,
/**
 * ns that these took longer than as many usual steps.
 */
warm_up_ns: number,
/**
 * Steady steps whose time is far from the usual.
 */
outliers: number,
/**
 * Steps whose launches differ from those of the others.
 */
irregular: number,
/**
 * Mean in ns.
 */
mean_ns: number,
/**
 * Half of them took no longer, in ns (nearest rank).
 */
p50_ns: number,
/**
 * 95 % of them took no longer, in ns (nearest rank).
 */
p95_ns: number,
/**
 * The longest in ns.
 */
max_ns: number, };

/**
 * The steps of a run.
 */
export type Steps = {
/**
 * How they were found.
 */
source: StepSource,
/**
 * Kernel of a step's first launch.
 */
first_kernel: string,
/**
 * ns from the run's start to the first step.
 */
before_ns: number,
/**
 * ns from the last step to the run's end.
 */
after_ns: number,
/**
 * Statistics.
 */
times: StepTimes,
/**
 * In order.
 */
steps: Array<Step>, };

/**
 * What rows are about.
 */
export type Subject = "total" | "critical_path" | "core" | "engine" | "kernel" | "opcode" | "data_type" | "shape" | "direction" | "steps" | "step" | "loss";

/**
 * A column without its values, as pages get it.
 */
export type TableColumnHead = {
/**
 * Its name.
 */
id: string,
/**
 * Its title, without the unit.
 */
title: Bilingual,
/**
 * What its values are.
 */
unit: Unit,
/**
 * Which values are better.
 */
better: Better,
/**
 * What it means.
 */
definition: Bilingual, };

/**
 * A table of texts.
 */
export type TableHead = { columns: Array<string>, rows: Array<Array<string>>, };

/**
 * What a task does; of a transfer, what bounds it.
 */
export type TaskKind = "compute" | "ddr" | "l2m" | "link" | "local" | "send" | "wait" | "control";

/**
 * What all advice together would give.
 */
export type Together = {
/**
 * Wall time in ns that the run would save without all faults whose gains are replayed.
 */
gain_ns: number,
/**
 * `gain_ns` over the wall time.
 */
gain: number,
/**
 * The least and the most of it in ns, where some gains are known within bounds only; the most has what is only a bound, too.
 */
gain_range_ns?: [number, number], };

/**
 * A track.
 */
export type TrackHead = { kind: TrackKind,
/**
 * Core; port of `cdma`; -1 for the host, for steps, and for kernels of a port.
 */
core: number,
/**
 * CDMA port of the track, where it shows a port's kernels.
 */
port?: number,
/**
 * Index into `tracks` of the engine whose gaps the track shows.
 */
of?: number,
/**
 * Name of process and thread of a host track: index into `strings`.
 */
label?: number,
/**
 * Side of a host track.
 */
side?: HostSide, events: number,
/**
 * Overlapping slices are in lanes of their own; depth of nesting for the host. At least 1.
 */
lanes: number,
/**
 * Starts are ascending.
 */
sorted: boolean,
/**
 * The page's number of each of the track's names.
 */
names: Array<number>,
/**
 * Added to the track's tags it makes the page's.
 */
tagBase: number,
/**
 * Columns `start` (ns since the span's start), `dur` (ns), `name` (index into `names`), and `lane` if there are several.
 * In the track's own order: a row is a Global Idx. Not always sorted.
 */
times: Chunk,
/**
 * Further columns by kind:
 * all: `tag`; `layer` where layers are known (index into `layers`, -1 none); engines: `quality` (text: sure, repaired, doubtful or
 * unnamed) where damage touched a command of the track, or one has no command while others have.
 * tiu: `id` (Cmd Id), `cycles`, `rate` (uArch rate, 0 to 1), `alg`, `uarch` (operations, -1 unknown), `conflict` (bank conflict cycles),
 * `dtype` (text).
 * tiu, gdma, sdma, cdma: `expected` (ns that the bits explain, -1 unknown), `rule` (text: how well that is known).
 * gdma, sdma, cdma: `id`, `cycles`, `bytes` (moved), `ddr` and `l2` (bytes that count for DDR and L2M bandwidth; bandwidth is
 * bytes / max(dur, 1) GB/s), `stall` (cycles), `dir` (text, such as DDR->LMEM), `dtype` (text), `src`, `dst` (addresses; -1 where
 * they are not known), cdma: `owner` (core, -1 unknown); `waiting` (for credit or sender), `moving`, `completion` (ns, -1: only
 * ends are known), `retries` (packets that the link sent again; -1: no data command), where any command moved data.
 * kernel: `scope` (-1 none), `batch` (text), `mode` (text), `events`. layer: `layer`. host: `cat` (text).
 * gap: `before`, `after` (rows of the engine: work that ended before it, work that started after it; -1 none), `saved` (ns by which
 * the run would be shorter without it, replayed; -1 unknown), `sync` (ns in system commands), `other` (ns of the rest in which another
 * engine of the core worked), `cost` (ns in which no engine of the core worked), `endTrack` and `endRow` (the command that ended it;
 * -1 unknown), `kernel` (index into `kernels`) and `layer` of the command after it (-1 none).
 */
facts: Chunk | null,
/**
 * All other fields of each command, as in the register texts; null where they were left out (see notices).
 */
fields: FieldsHead | null,
/**
 * Facts of engines, if the run could be replayed and the page has facts; else null. A row for each command:
 * `slack` (ns by which it could have ended later without the run taking longer), `onPath` (1: on the critical path),
 * `why` (text: the kind of what it waited for longest, as in docs/prediction/replay.md; empty: nothing known),
 * `track` (index into `tracks` of the command that it waited for, -1 none) and `row` (that command's row: on the own track
 * this row minus `row`; on another one the row of the cause before it on that other track plus `row`, the first counts from 0).
 * A wait waited for what released it; any other command for what ended last before it started.
 */
causes: Chunk | null,
/**
 * Finest first. Empty for short tracks.
 */
mips: Array<MipHead>, };

/**
 * What a track shows.
 */
export type TrackKind = "tiu" | "gdma" | "sdma" | "cdma" | "kernel" | "layer" | "block" | "step" | "gap" | "host";

/**
 * A function type's share of a track.
 */
export type TypeTotals = {
/**
 * Index into `strings`.
 */
type: number, count: number, ns: number, };

/**
 * What the values of a column are; each sink writes a unit in its own way.
 */
export type Unit = "text" | "count" | "duration" | "moment" | "share" | "bytes" | "gbps" | "tops" | "number";

/**
 * What is known of missing parts.
 */
export type VerdictHead = "complete" | "unverified" | "incomplete";

/**
 * What tasks have in common whose times change together.
 */
export type WhatIfClass = { engine: TrackKind,
/**
 * Index into `engines`.
 */
number: number,
/**
 * Core, or port of CDMA.
 */
index: number, task: TaskKind,
/**
 * Index into `kernels`.
 */
kernel: number | null, };

/**
 * The graph of the run. `docs/prediction/replay.md` says what it means.
 */
export type WhatIfHead = {
/**
 * Where the first event lies, ns since the span's start: times of the graph count from there.
 */
start: number, limits: PlainLimits,
/**
 * Whether the records tell waits from work.
 */
knowsWaits: boolean,
/**
 * Share by which the time that depends on a bandwidth may be greater or smaller.
 */
bandwidthError: number,
/**
 * Share of a predicted change that is not sure.
 */
unsure: number,
/**
 * Index into `tracks` of each engine (-1 without commands), and the number of its first event; the others follow in the order of
 * its rows.
 */
engines: Array<[number, number]>, classes: Array<WhatIfClass>,
/**
 * Labels of layers, and the model's names in them: `--scale` takes both.
 */
layers: Array<[string, string]>,
/**
 * The tasks, each after all that it waits for. Columns `class` (index into `classes`, -1 for what only gathers tasks), `step` (of an
 * event: rows after the one that is next on its engine), `shorter` (by how many ns it is shorter than its slice: a wait with a
 * known message takes no time here), `fixed` (ns that depend on no bandwidth, where some do: else -1), `layer` (index into
 * `layers`, -1 none), `count` (of its dependences).
 */
tasks: Chunk,
/**
 * The dependences, task after task. Columns `back` (the task that is waited for is so many before), `kind` (text, the names of
 * kinds in summary.txt), `lag` (ns).
 */
dependences: Chunk,
/**
 * Waits with known messages. Columns `task`, `before` (the task after whose end it starts), `lag` (ns from there).
 */
waits: Chunk,
/**
 * Cores' parts of launches. Column `kernel` (index into `kernels`, -1 none).
 */
launches: Chunk,
/**
 * What engines did in launches. Columns `launch` (row of `launches`), `first` and `last` (tasks).
 */
parts: Chunk, };
