//! The page's data besides columns: the types of the JSON element `head`. The script's types,
//! `page/src/data/generated.ts`, are made of these (`cargo run -p xtask -- page-types`), with their comments.

use bigtpu_answers::tables::{Datum, TableColumnHead};
use bigtpu_answers::{
    Advice, AllIntervals, Balance, CauseCost, Communication, DdrBandwidth, Expected, Gap,
    HostReport, PathReport, Report, Rooflines, RunVerdict, Steps, Together,
};
use bigtpu_measure::CoreLaunches;
use serde::Serialize;

use crate::chunk::Chunk;
use crate::mip::MipHead;
use crate::names::NameHead;
use crate::summary::{CoreHead, KernelHead, LedgerHead, PortHead, TableHead, TypeTotals};
use crate::what_if::WhatIfHead;

/// Everything.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Head<'a> {
    pub(crate) version: u32,
    /// Name and version of the writer.
    pub(crate) tool: String,
    /// Name of the dump's directory.
    pub(crate) source: String,
    pub(crate) chip: ChipHead,
    pub(crate) clocks: ClocksHead,
    pub(crate) is_static: bool,
    pub(crate) span: SpanHead,
    pub(crate) device: DeviceHead,
    /// Wall time that the summary counts, ns.
    pub(crate) total_ns: i64,
    pub(crate) events: usize,
    pub(crate) strings: Vec<String>,
    pub(crate) names: Vec<NameHead>,
    /// Indices into `strings`.
    pub(crate) kernels: Vec<u32>,
    /// What commands belong to. Columns `kernel` (index into `kernels`), `scope`, `batch` (-1: not known), and `mode` (text).
    pub(crate) tags: Chunk,
    pub(crate) layers: Vec<LayerHead<'a>>,
    /// Blocks of a static model, each before those in it; the first is the whole model.
    pub(crate) blocks: Vec<BlockHead<'a>>,
    /// The columns of the cells of layers and blocks; none without layers.
    pub(crate) layer_columns: Vec<TableColumnHead>,
    /// The steps of `answers.steps`, in the same order: what they did. So are the slices of the track of steps.
    pub(crate) steps: Vec<StepHead<'a>>,
    /// The columns of their cells; none without steps.
    pub(crate) step_columns: Vec<TableColumnHead>,
    pub(crate) tracks: Vec<TrackHead>,
    pub(crate) cores: Vec<CoreHead>,
    /// All cores together; null without cores.
    pub(crate) overall: Option<CoreHead>,
    pub(crate) ports: Vec<PortHead>,
    /// Same order as `tracks`; empty for kernels, layers, host.
    pub(crate) types: Vec<Vec<TypeTotals>>,
    /// All kernels, the longest first.
    pub(crate) top_kernels: Vec<KernelHead<'a>>,
    /// The columns of their cells.
    pub(crate) kernel_columns: Vec<TableColumnHead>,
    /// The first table of summary.txt.
    pub(crate) table: TableHead,
    /// Columns `sendTrack`, `sendRow`, `waitTrack`, `waitRow` (tracks: indices into `tracks`), `message` (its number), and
    /// `releases` (1: of all sends that the wait needs, this one ended last and so released it).
    pub(crate) flows: Chunk,
    /// The critical path, null if the run cannot be replayed: its pieces in time order without gaps, from `device.start` on.
    /// Columns `end` (ns since the span's start; a piece starts at the end of the one before), `reason` (text, the reason names of
    /// summary.txt), `kernel` (index into `kernels`, -1 none), `track` and `row` (the command, or the one after a gap).
    pub(crate) path: Option<Chunk>,
    /// Null if the run cannot be replayed, or has more than `whatIfLimit` commands.
    pub(crate) what_if: Option<WhatIfHead>,
    pub(crate) what_if_limit: usize,
    pub(crate) ledger: LedgerHead,
    /// Null where no accesses are known, or too many.
    pub(crate) lmem: Option<LmemHead>,
    pub(crate) answers: Answers<'a>,
    /// What this page leaves out, and why: always shown.
    pub(crate) notices: Vec<Notice>,
}

/// The chip.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChipHead {
    /// With the names that it is known by: `AKS (SG2260, BM1690)`.
    pub(crate) name: String,
    /// Configuration table, in order; clocks are those in use.
    pub(crate) facts: Vec<(&'static str, String)>,
    pub(crate) cores: u32,
    /// GB/s that a core reaches while no other uses the DDR, in both directions; null where it is not known. With others:
    /// see the roofs of the answers.
    pub(crate) ddr_gbps: Option<f64>,
    pub(crate) l2_gbps: Option<f64>,
    /// GB/s of a CDMA port's link; null where it is not known.
    pub(crate) link_gbps: Option<f64>,
}

/// Clocks of the engines.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClocksHead {
    pub(crate) tiu_mhz: u64,
    pub(crate) dma_mhz: f64,
}

/// First start and last end on the page, host included.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub(crate) struct SpanHead {
    /// Exact decimal text, ns: clocks of hosts exceed doubles.
    pub(crate) start: String,
    /// ns.
    pub(crate) length: i64,
}

/// The device's times, in ns since the span's start.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub(crate) struct DeviceHead {
    /// The first device event.
    pub(crate) start: i64,
    /// The end of the last one.
    pub(crate) end: i64,
    /// Where device time 0 lies: times of the answers are device times.
    pub(crate) zero: i64,
}

/// A layer of a static model.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub(crate) struct LayerHead<'a> {
    pub(crate) id: usize,
    /// The operation: index into `strings`, as all further texts.
    pub(crate) name: u32,
    /// The model's name of its first result, else operation and id: as the critical path and `--scale` call it.
    pub(crate) label: u32,
    /// The part of the model that it belongs to by its name; of an empty text none.
    pub(crate) block: u32,
    /// Its block: index into `blocks`; -1 of a layer without events.
    pub(crate) parent: i64,
    /// What it reads and writes: name, `@` address where it is known, shape and data type of each tensor.
    pub(crate) reads: Vec<u32>,
    pub(crate) writes: Vec<u32>,
    /// Its line in `final.mlir`; null where it is not known.
    pub(crate) line: Option<u64>,
    /// What it did, in the order of `layerColumns`; nothing of a layer without events.
    pub(crate) cells: Vec<Datum<'a>>,
}

/// A block of a static model.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub(crate) struct BlockHead<'a> {
    /// Index into `strings`; an empty text of the first, which is the whole model.
    pub(crate) name: u32,
    /// The block that it is in: index into `blocks`; -1 of the first.
    pub(crate) parent: i64,
    /// What its layers did, in the order of `layerColumns`.
    pub(crate) cells: Vec<Datum<'a>>,
}

/// A step.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct StepHead<'a> {
    /// Index into `strings`; an empty text of a step that the host does not name.
    pub(crate) name: u32,
    /// What it did, in the order of `stepColumns`.
    pub(crate) cells: Vec<Datum<'a>>,
}

/// Where the time went, and what to do: parts of the report as they are in `report.json`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub(crate) struct Answers<'a> {
    verdict: &'a RunVerdict,
    intervals: &'a AllIntervals,
    gaps: GapsHead<'a>,
    launches: &'a [CoreLaunches],
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "page-types", ts(optional))]
    steps: Option<&'a Steps>,
    communication: &'a Communication,
    ddr_bandwidth: &'a [DdrBandwidth],
    /// Only with a host trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "page-types", ts(optional))]
    host: Option<&'a HostReport>,
    roofline: &'a Rooflines,
    balance: &'a Balance,
    advice: &'a [Advice],
    /// What all advice together would save; null for one piece, or if the run cannot be replayed.
    advice_together: Option<&'a Together>,
    critical_path: &'a PathReport,
    /// What commands took beside what their bits explain; only where full bits are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "page-types", ts(optional))]
    expected: Option<&'a Expected>,
}

/// Gaps: those that cost most, and sums. One by one they are on tracks.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub(crate) struct GapsHead<'a> {
    longest: &'a [Gap],
    causes: &'a [CauseCost],
}

impl<'a> Answers<'a> {
    pub(crate) fn new(report: &'a Report) -> Self {
        Self {
            verdict: &report.verdict,
            intervals: &report.intervals,
            gaps: GapsHead { longest: &report.gaps.longest, causes: &report.gaps.causes },
            launches: &report.launches,
            steps: report.iterations(),
            communication: &report.communication,
            ddr_bandwidth: &report.ddr_bandwidth,
            host: report.host.as_ref(),
            roofline: &report.roofline,
            balance: &report.balance,
            advice: &report.advice,
            advice_together: report.advice_together.as_ref(),
            critical_path: &report.critical_path,
            expected: report.expected.as_ref(),
        }
    }
}

/// What a track shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum TrackKind {
    Tiu,
    Gdma,
    Sdma,
    Cdma,
    Kernel,
    Layer,
    /// Blocks of a static model; those in a block overlap it.
    Block,
    /// Steps of the run, over all cores.
    Step,
    /// Times in which an engine did no work. It has no row of its own: its slices are shown on the engine's.
    Gap,
    Host,
}

impl TrackKind {
    /// Its name in the page's data.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Tiu => "tiu",
            Self::Gdma => "gdma",
            Self::Sdma => "sdma",
            Self::Cdma => "cdma",
            Self::Kernel => "kernel",
            Self::Layer => "layer",
            Self::Block => "block",
            Self::Step => "step",
            Self::Gap => "gap",
            Self::Host => "host",
        }
    }
}

/// What the operators of a host track are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum HostSide {
    Cpu,
    Tpudnn,
}

/// A track.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct TrackHead {
    pub(crate) kind: TrackKind,
    /// Core; port of `cdma`; -1 for the host, for steps, and for kernels of a port.
    pub(crate) core: i64,
    /// CDMA port of the track, where it shows a port's kernels.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "page-types", ts(optional))]
    pub(crate) port: Option<u32>,
    /// Index into `tracks` of the engine whose gaps the track shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "page-types", ts(optional))]
    pub(crate) of: Option<usize>,
    /// Name of process and thread of a host track: index into `strings`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "page-types", ts(optional))]
    pub(crate) label: Option<u32>,
    /// Side of a host track.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "page-types", ts(optional))]
    pub(crate) side: Option<HostSide>,
    pub(crate) events: usize,
    /// Overlapping slices are in lanes of their own; depth of nesting for the host. At least 1.
    pub(crate) lanes: usize,
    /// Starts are ascending.
    pub(crate) sorted: bool,
    /// The page's number of each of the track's names.
    pub(crate) names: Vec<u32>,
    /// Added to the track's tags it makes the page's.
    pub(crate) tag_base: u32,
    /// Columns `start` (ns since the span's start), `dur` (ns), `name` (index into `names`), and `lane` if there are several.
    /// In the track's own order: a row is a Global Idx. Not always sorted.
    pub(crate) times: Chunk,
    /// Further columns by kind:
    /// all: `tag`; `layer` where layers are known (index into `layers`, -1 none); engines: `quality` (text: sure, repaired, doubtful or
    /// unnamed) where damage touched a command of the track, or one has no command while others have.
    /// tiu: `id` (Cmd Id), `cycles`, `rate` (uArch rate, 0 to 1), `alg`, `uarch` (operations, -1 unknown), `conflict` (bank conflict cycles),
    /// `dtype` (text).
    /// tiu, gdma, sdma, cdma: `expected` (ns that the bits explain, -1 unknown), `rule` (text: how well that is known).
    /// gdma, sdma, cdma: `id`, `cycles`, `bytes` (moved), `ddr` and `l2` (bytes that count for DDR and L2M bandwidth; bandwidth is
    /// bytes / max(dur, 1) GB/s), `stall` (cycles), `dir` (text, such as DDR->LMEM), `dtype` (text), `src`, `dst` (addresses; -1 where
    /// they are not known), cdma: `owner` (core, -1 unknown); `waiting` (for credit or sender), `moving`, `completion` (ns, -1: only
    /// ends are known), `retries` (packets that the link sent again; -1: no data command), where any command moved data.
    /// kernel: `scope` (-1 none), `batch` (text), `mode` (text), `events`. layer: `layer`. host: `cat` (text).
    /// gap: `before`, `after` (rows of the engine: work that ended before it, work that started after it; -1 none), `saved` (ns by which
    /// the run would be shorter without it, replayed; -1 unknown), `sync` (ns in system commands), `other` (ns of the rest in which another
    /// engine of the core worked), `cost` (ns in which no engine of the core worked), `endTrack` and `endRow` (the command that ended it;
    /// -1 unknown), `kernel` (index into `kernels`) and `layer` of the command after it (-1 none).
    pub(crate) facts: Option<Chunk>,
    /// All other fields of each command, as in the register texts; null where they were left out (see notices).
    pub(crate) fields: Option<FieldsHead>,
    /// Facts of engines, if the run could be replayed and the page has facts; else null. A row for each command:
    /// `slack` (ns by which it could have ended later without the run taking longer), `onPath` (1: on the critical path),
    /// `why` (text: the kind of what it waited for longest, as in docs/prediction/replay.md; empty: nothing known),
    /// `track` (index into `tracks` of the command that it waited for, -1 none) and `row` (that command's row: on the own track
    /// this row minus `row`; on another one the row of the cause before it on that other track plus `row`, the first counts from 0).
    /// A wait waited for what released it; any other command for what ended last before it started.
    pub(crate) causes: Option<Chunk>,
    /// Finest first. Empty for short tracks.
    pub(crate) mips: Vec<MipHead>,
}

/// Register fields of a track's commands.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub(crate) struct FieldsHead {
    /// Column `layout`: for each row the index into `layouts`. The row's place there is its rank among the rows of the same layout.
    pub(crate) which: Chunk,
    pub(crate) layouts: Vec<LayoutHead>,
}

/// Register fields of the commands that have the same keys in the same order, which is that of the columns.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub(crate) struct LayoutHead {
    pub(crate) chunk: Chunk,
}

/// Accesses to local memory.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct LmemHead {
    pub(crate) lane_bytes: u64,
    pub(crate) bank_bytes: u64,
    pub(crate) lanes: u32,
    pub(crate) cores: Vec<LmemCore>,
    /// L2M of all cores together; null where no command accesses it.
    pub(crate) l2m: Option<L2mHead>,
}

/// Accesses to the memory that the cores share.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub(crate) struct L2mHead {
    /// The lowest address: added to `addr` it makes the address of the command.
    pub(crate) base: u64,
    /// Bytes from there to the end of the highest access.
    pub(crate) bytes: u64,
    /// Columns `track` (index into `tracks`), `row` (of the event), `write` (0 read, 1 write), `addr`, `bytes`.
    pub(crate) chunk: Chunk,
    /// As of local memory.
    pub(crate) residency: Chunk,
}

/// Data that a core stored and loaded again.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct SpilledHead {
    /// Bytes of the stores; each counts once.
    pub(crate) stored_bytes: u64,
    /// Bytes of the loads of them.
    pub(crate) loaded_bytes: u64,
}

/// Accesses to the local memory of a core.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub(crate) struct LmemCore {
    pub(crate) core: u32,
    /// Columns `track` (index into `tracks`), `row` (of the event), `write` (0 read, 1 write), `addr` (byte in the lane), `bytes` (in
    /// each lane), `lane` (first), `lanes` (how many), `operand` (text, such as res0, opd0, src, dst). In order of (track, row).
    pub(crate) chunk: Chunk,
    pub(crate) live: LiveHead,
    /// What stays in it, of all lanes together: columns `write` and `last` (rows of `chunk`: the access that writes it, and the last
    /// one that reads it), `addr` (byte in the lane), `bytes`. It is there from the end of the one to the end of the other.
    pub(crate) residency: Chunk,
    /// To DDR and back, and to L2M and back.
    pub(crate) spilled: [SpilledHead; 2],
}

/// Live bytes of a core's local memory: how many addresses of a lane hold data that a command will still read.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub(crate) struct LiveHead {
    /// A column for each different total, `0` that of all lanes together (an address counts once). A row for each access: by how
    /// many bytes the total changes at its end; of accesses that end at the same time, one has the change of all of them.
    pub(crate) chunk: Chunk,
    /// The greatest total of each column, in bytes.
    pub(crate) most: Vec<u64>,
    /// The total of each lane: a first lane, and the column for it and the lanes up to the next entry. The first entry is that of
    /// lane 0.
    pub(crate) lanes: Vec<(u32, usize)>,
}

/// What the page leaves out: a key of `page/src/ui/notices.ts`, and the numbers in its text.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub(crate) struct Notice {
    pub(crate) key: &'static str,
    pub(crate) args: Vec<usize>,
}

impl LmemCore {
    fn chunks(&mut self) -> [&mut Chunk; 3] {
        let Self { chunk, live, residency, .. } = self;
        [chunk, &mut live.chunk, residency]
    }
}

impl TrackHead {
    /// All chunks of the track.
    pub(crate) fn chunks(&mut self) -> impl Iterator<Item = &mut Chunk> {
        let fields = self.fields.iter_mut();
        let fields = fields.flat_map(|f| {
            std::iter::once(&mut f.which).chain(f.layouts.iter_mut().map(|l| &mut l.chunk))
        });
        std::iter::once(&mut self.times)
            .chain(&mut self.facts)
            .chain(&mut self.causes)
            .chain(self.mips.iter_mut().map(|m| &mut m.chunk))
            .chain(fields)
    }
}

impl Head<'_> {
    /// All chunks of the page, each once and always in the same order.
    pub(crate) fn chunks(&mut self) -> impl Iterator<Item = &mut Chunk> {
        let lmem = self.lmem.iter_mut().flat_map(|LmemHead { cores, l2m, .. }| {
            let shared = l2m.iter_mut().flat_map(|l2m| [&mut l2m.chunk, &mut l2m.residency]);
            cores.iter_mut().flat_map(LmemCore::chunks).chain(shared)
        });
        let own = [&mut self.tags, &mut self.flows].into_iter().chain(&mut self.path);
        let what_if = self.what_if.iter_mut().flat_map(WhatIfHead::chunks);
        own.chain(self.tracks.iter_mut().flat_map(TrackHead::chunks)).chain(lmem).chain(what_if)
    }
}
