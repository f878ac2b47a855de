//! The page's data besides columns: the types of the JSON element `head`. `page/src/data/head.ts` has the
//! same shapes for the script, and says what they mean.

use bigtpu_answers::{
    Advice, AllIntervals, Balance, Communication, Gaps, HostReport, PathReport, Report, Rooflines,
    Steps,
};
use bigtpu_measure::CoreLaunches;
use serde::Serialize;

use crate::chunk::Chunk;
use crate::mip::MipHead;
use crate::names::NameHead;
use crate::summary::{CoreHead, KernelHead, LedgerHead, PortHead, TableHead, TypeTotals};

/// Everything.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Head<'a> {
    pub(crate) version: u32,
    pub(crate) tool: String,
    pub(crate) source: String,
    pub(crate) chip: ChipHead,
    pub(crate) clocks: ClocksHead,
    pub(crate) is_static: bool,
    pub(crate) span: SpanHead,
    pub(crate) device: DeviceHead,
    pub(crate) total_ns: i64,
    pub(crate) events: usize,
    pub(crate) strings: Vec<String>,
    pub(crate) names: Vec<NameHead>,
    pub(crate) kernels: Vec<u32>,
    pub(crate) tags: Chunk,
    pub(crate) layers: Vec<LayerHead>,
    pub(crate) tracks: Vec<TrackHead>,
    pub(crate) cores: Vec<CoreHead>,
    pub(crate) overall: Option<CoreHead>,
    pub(crate) ports: Vec<PortHead>,
    pub(crate) types: Vec<Vec<TypeTotals>>,
    pub(crate) top_kernels: Vec<KernelHead>,
    pub(crate) table: TableHead,
    pub(crate) flows: Chunk,
    /// Of the critical path; `None` where the run can't be replayed.
    pub(crate) path: Option<Chunk>,
    pub(crate) ledger: LedgerHead,
    pub(crate) lmem: Option<LmemHead>,
    pub(crate) answers: Answers<'a>,
    pub(crate) notices: Vec<Notice>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChipHead {
    pub(crate) name: String,
    pub(crate) facts: Vec<(String, serde_json::Value)>,
    pub(crate) cores: u32,
    pub(crate) ddr_gbps: f64,
    pub(crate) l2_gbps: f64,
    pub(crate) link_gbps: f64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClocksHead {
    pub(crate) tiu_mhz: u64,
    pub(crate) dma_mhz: f64,
}

#[derive(Debug, Serialize)]
pub(crate) struct SpanHead {
    pub(crate) start: String,
    pub(crate) length: i64,
}

#[derive(Debug, Serialize)]
pub(crate) struct DeviceHead {
    pub(crate) start: i64,
    pub(crate) end: i64,
    /// Where device time 0 lies: times of the answers are device times.
    pub(crate) zero: i64,
}

#[derive(Debug, Serialize)]
pub(crate) struct LayerHead {
    pub(crate) id: usize,
    pub(crate) name: u32,
}

/// Where the time went, and what to do: parts of the report as they are in `report.json`.
#[derive(Debug, Serialize)]
pub(crate) struct Answers<'a> {
    intervals: &'a AllIntervals,
    gaps: &'a Gaps,
    launches: &'a [CoreLaunches],
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<&'a Steps>,
    communication: &'a Communication,
    #[serde(skip_serializing_if = "Option::is_none")]
    host: Option<&'a HostReport>,
    roofline: &'a Rooflines,
    balance: &'a Balance,
    advice: &'a [Advice],
    critical_path: &'a PathReport,
}

impl<'a> Answers<'a> {
    pub(crate) fn of(report: &'a Report) -> Self {
        Self {
            intervals: &report.intervals,
            gaps: &report.gaps,
            launches: &report.launches,
            steps: report.iterations(),
            communication: &report.communication,
            host: report.host.as_ref(),
            roofline: &report.roofline,
            balance: &report.balance,
            advice: &report.advice,
            critical_path: &report.critical_path,
        }
    }
}

/// A track.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TrackHead {
    pub(crate) kind: &'static str,
    pub(crate) core: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) port: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) label: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) side: Option<&'static str>,
    pub(crate) events: usize,
    pub(crate) lanes: usize,
    pub(crate) sorted: bool,
    /// The page's number of each of the track's names.
    pub(crate) names: Vec<u32>,
    /// Added to the track's tags it makes the page's.
    pub(crate) tag_base: u32,
    pub(crate) times: Chunk,
    pub(crate) facts: Option<Chunk>,
    pub(crate) fields: Option<FieldsHead>,
    pub(crate) causes: Option<Chunk>,
    pub(crate) mips: Vec<MipHead>,
}

#[derive(Debug, Serialize)]
pub(crate) struct FieldsHead {
    pub(crate) which: Chunk,
    pub(crate) layouts: Vec<LayoutHead>,
}

#[derive(Debug, Serialize)]
pub(crate) struct LayoutHead {
    pub(crate) chunk: Chunk,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LmemHead {
    pub(crate) lane_bytes: u64,
    pub(crate) bank_bytes: u64,
    pub(crate) lanes: u32,
    pub(crate) cores: Vec<LmemCore>,
}

#[derive(Debug, Serialize)]
pub(crate) struct LmemCore {
    pub(crate) core: u32,
    pub(crate) chunk: Chunk,
}

/// What the page leaves out: a key of `page/src/ui/notices.ts`, and its arguments.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Notice {
    pub(crate) key: &'static str,
    pub(crate) args: Vec<serde_json::Value>,
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
        let lmem = self.lmem.iter_mut().flat_map(|l| l.cores.iter_mut().map(|c| &mut c.chunk));
        let own = [&mut self.tags, &mut self.flows].into_iter().chain(&mut self.path);
        own.chain(self.tracks.iter_mut().flat_map(TrackHead::chunks)).chain(lmem)
    }
}
