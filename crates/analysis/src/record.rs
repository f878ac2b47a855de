//! An event as the ordered keys and values of a register text (section 8): what users' scripts
//! parse, and what the workbook's columns show.

use std::borrow::Cow;

use bigtpu_chip::{Engine, Family, Slot};
use bigtpu_timeline::{Binding, Profile, Track};

use crate::dma::{DmaView, dma};
use crate::number::{float_text, percent, quotient};
use crate::tiu::{TiuView, tiu};

/// A value of a register text.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    /// A whole number.
    Int(i128),
    /// A bandwidth.
    Float(f64),
    /// A text.
    Text(Cow<'a, str>),
}

impl std::fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Int(n) => write!(f, "{n}"),
            Self::Float(x) => f.write_str(&float_text(*x)),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

macro_rules! from_int {
    ($($int:ty),*) => {
        $(impl From<$int> for Value<'_> {
            fn from(n: $int) -> Self {
                Self::Int(n as i128)
            }
        })*
    };
}

from_int!(u8, u32, u64, i64, i128, usize);

/// A plain 0 where nothing was computed.
impl From<Option<f64>> for Value<'_> {
    fn from(x: Option<f64>) -> Self {
        x.map_or(Self::Int(0), Self::Float)
    }
}

/// A key and its value.
pub type Field<'a> = (&'a str, Value<'a>);

/// An event's keys and values in printing order.
#[derive(Debug, Clone, Default)]
pub struct Record<'a> {
    /// What it is, when, and what it did.
    pub info: Vec<Field<'a>>,
    /// Where it belongs: index, core, mode, kernel, scope, batch.
    pub meta: Vec<Field<'a>>,
    /// TIU only: the command's fields, printed under its function type with the prefix `des_`
    /// where `prefixed`.
    pub registers: Vec<Field<'a>>,
    /// Whether `registers` are the fields of full bits.
    pub prefixed: bool,
    /// TIU only: keys after the registers, without a prefix.
    pub after: Vec<Field<'a>>,
    /// `Function Type`.
    pub function_type: &'a str,
}

/// The record of event `i`.
#[must_use]
pub fn record<'a>(profile: &'a Profile<'_>, track: &'a Track<'_>, i: usize) -> Record<'a> {
    let mut record = if track.place.engine == Engine::Tiu {
        tiu_record(profile, track, i)
    } else {
        dma_record(profile, track, i)
    };
    record.meta = meta(profile, track, i);
    record
}

fn meta<'a>(profile: &'a Profile<'_>, track: &Track<'_>, i: usize) -> Vec<Field<'a>> {
    let core: Value<'_> = match track.place.engine {
        Engine::Cdma => {
            let owner = track.owner.get(i).copied().flatten().filter(|o| o.submitted);
            owner.map(|o| o.core).or(track.anchor).map_or("None".into(), Value::from)
        }
        _ => track.place.index.into(),
    };
    let mut meta: Vec<Field<'a>> = vec![("Global Idx", i.into()), ("Core Id", core)];
    let tag = profile.tag(track, i);
    if let Some(mode) = tag.mode {
        meta.push(("mode", mode.name().into()));
    }
    if let Some(kernel) = profile.kernel(tag) {
        meta.push(("kernel_func", kernel.into()));
    }
    if let Some(scope) = tag.scope {
        meta.push(("func_scope_id", scope.into()));
    }
    if let Some(batch) = tag.batch {
        meta.push(("batch_launch", batch.into()));
    }
    meta
}

/// Start, end, command id and cycles of an event.
struct Times {
    start: i64,
    end: i64,
    command: i64,
    cycles: i64,
}

impl Times {
    fn of(track: &Track<'_>, i: usize) -> Self {
        let events = &track.events;
        let offset = i64::from(track.place.engine != Engine::Cdma);
        Self {
            start: events.start[i],
            end: events.end[i],
            command: events.id[i] + offset,
            cycles: events.cycles[i],
        }
    }
}

fn tiu_record<'a>(profile: &'a Profile<'_>, track: &Track<'a>, i: usize) -> Record<'a> {
    let view = tiu(profile, track, i);
    let times = Times::of(track, i);
    let info = match (&view.command, profile.chip.family) {
        (None, Family::Cv84x6) => tiu_condensed_cv84x6(&view, &times),
        (None, _) => tiu_condensed(&view, &times),
        (Some(_), family) => tiu_full(&view, &times, family),
    };
    let (registers, after) = tiu_registers(profile, track, i, &view);
    Record {
        info,
        meta: Vec::new(),
        registers,
        prefixed: view.command.is_some(),
        after,
        function_type: view.function_type,
    }
}

fn tiu_head<'a>(times: &Times) -> [Field<'a>; 5] {
    [
        ("Start Time(ns)", times.start.into()),
        ("End Time(ns)", times.end.into()),
        ("Cmd Id", times.command.into()),
        ("Asic Cycle", times.cycles.into()),
        ("Engine Id", 0u8.into()),
    ]
}

fn tiu_full<'a>(view: &TiuView<'a>, times: &Times, family: Family) -> Vec<Field<'a>> {
    let rate = percent(view.uarch_rate(), 1);
    let mut info: Vec<Field<'a>> = Vec::with_capacity(18);
    info.push(("Function Name", view.function_name.into()));
    info.push(("Function Type", view.function_type.into()));
    info.extend(tiu_head(times));
    info.push(("Alg Ops", view.cost.alg_ops.into()));
    info.push(("uArch Ops", view.cost.uarch_ops.into()));
    if family == Family::Aks {
        info.push(("uArch Rate", rate.into()));
        info.push(("Alg Cycle", view.cost.alg_cycles.into()));
        return info;
    }
    let share = |cycles: u32| percent(f64::from(cycles) / (times.cycles as f64 + 0.0001), 1);
    info.push(("Alg Cycle", view.cost.alg_cycles.into()));
    info.push(("uArch Rate", rate.into()));
    info.push(("Initial Cycle Ratio", share(view.cost.initial_cycles).into()));
    if family == Family::Cv84x6 {
        info.push(("Bank Conflict Cycle", view.bank_conflict_cycles.into()));
    }
    info.push(("Bank Conflict Ratio", share(view.bank_conflict_cycles).into()));
    if family == Family::Cv84x6 {
        info.push(("Thread Id", view.thread_id.into()));
    }
    info.push(("Sim Power(W)", 0u8.into()));
    info
}

fn tiu_condensed<'a>(view: &TiuView<'a>, times: &Times) -> Vec<Field<'a>> {
    let mut info: Vec<Field<'a>> = vec![
        ("Function Type", view.function_type.into()),
        ("Function Name", view.function_name.into()),
    ];
    info.extend(tiu_head(times));
    info.extend(tiu_unit(view));
    info
}

fn tiu_unit<'a>(view: &TiuView<'a>) -> [Field<'a>; 4] {
    [
        ("Alg Ops", view.cost.alg_ops.into()),
        ("uArch Ops", view.cost.uarch_ops.into()),
        ("Alg Cycle", view.cost.alg_cycles.into()),
        ("uArch Rate", "0.0%".into()),
    ]
}

fn tiu_condensed_cv84x6<'a>(view: &TiuView<'a>, times: &Times) -> Vec<Field<'a>> {
    let conflicts = view.bank_conflict_cycles;
    let share = quotient(i128::from(conflicts), i128::from(times.cycles));
    let [start, end, command, cycles, engine] = tiu_head(times);
    let mut info: Vec<Field<'a>> = vec![
        engine,
        start,
        end,
        command,
        cycles,
        ("Function Type", view.function_type.into()),
        ("Function Name", view.function_name.into()),
        ("Bank Conflict Cycle", conflicts.into()),
        ("Bank Conflict Ratio", percent(share, 1).into()),
        ("Thread Id", view.thread_id.into()),
    ];
    info.extend(tiu_unit(view));
    info.push(("Sim Power(W)", 0u8.into()));
    info
}

type Fields<'a> = Vec<Field<'a>>;

fn tiu_registers<'a>(
    profile: &Profile<'_>,
    track: &Track<'_>,
    i: usize,
    view: &TiuView<'a>,
) -> (Fields<'a>, Fields<'a>) {
    if let Some(command) = view.command {
        let fields = command.register.fields.iter();
        let fields = fields.map(|f| (f.name.as_str(), f.value(command.bits).into())).collect();
        let mut after = Vec::new();
        if profile.chip.family != Family::Aks {
            let (message, count) = match (view.task == profile.chip.system.tiu, view.sub) {
                (true, 8 | 9) => {
                    let imm = command.get(Slot::Imm);
                    (imm & 0x7f, imm >> 16 & 7)
                }
                _ => (0, 0),
            };
            after.push(("Msg Id", message.into()));
            after.push(("Sd\\Wt Count", count.into()));
        }
        return (fields, after);
    }
    let word = view.word;
    let mut registers: Fields<'a> = vec![
        ("type", word.kind_number().into()),
        ("engine", word.engine().into()),
        ("des_tsk_typ", word.task().into()),
        ("des_tsk_eu_typ", word.sub().into()),
    ];
    if let (Some(Binding::Wrap), Some(wrap)) = (track.events.binding.get(i), profile.chip.wrap) {
        registers.push(("inst_id", wrap.at.into()));
    }
    registers.push(("extra_info", u32::from(word.info()).into()));
    let generator_indices = view.is_rvt && profile.chip.names.has_rvt();
    if view.function_type != "sys" && !generator_indices {
        registers.push(("des_opt_res0_prec", u32::from(word.info() & 0x7f).into()));
    }
    (registers, Vec::new())
}

fn dma_record<'a>(profile: &'a Profile<'_>, track: &Track<'a>, i: usize) -> Record<'a> {
    let view = dma(profile, track, i);
    let times = Times::of(track, i);
    let family = profile.chip.family;
    let Some(command) = view.command else {
        let info = match family {
            Family::Cv84x6 => dma_condensed_cv84x6(profile, track, i, &view, &times),
            Family::Aks | Family::Bm1688 => dma_condensed(track, &view, &times),
        };
        return Record { info, function_type: view.function_type, ..Record::default() };
    };
    let mut later = match family {
        Family::Aks => dma_full_aks(track, &view, &times),
        Family::Bm1688 => dma_full_bm1688(track, &view, &times),
        Family::Cv84x6 => dma_full_cv84x6(profile, track, i, &view, &times),
    };
    // A later key that is also a field keeps the field's place and takes the later value.
    let mut info: Fields<'a> = Vec::with_capacity(command.register.fields.len() + later.len());
    for field in &command.register.fields {
        let again = later.iter().position(|(key, _)| *key == field.name);
        match again {
            Some(at) => info.push(later.remove(at)),
            None => info.push((&field.name, field.value(command.bits).into())),
        }
    }
    info.append(&mut later);
    Record { info, function_type: view.function_type, ..Record::default() }
}

/// Address of a side from its high and low words, of which the register may lack either.
fn address(view: &DmaView<'_>, high: Slot, low: Slot) -> u64 {
    view.command.map_or(0, |c| c.get(high) << 32 | c.get(low))
}

fn direction_fields<'a>(track: &Track<'_>, view: &DmaView<'a>) -> [Field<'a>; 4] {
    [
        ("Engine Id", track.place.engine.text_id().into()),
        ("Direction", view.direction.text().into()),
        ("from_addr", view.sides.from.name().into()),
        ("to_addr", view.sides.to.name().into()),
    ]
}

fn name_fields<'a>(view: &DmaView<'a>) -> [Field<'a>; 2] {
    [
        ("Function Type", view.function_type.into()),
        ("Function Name", Value::Text(view.function_name.clone())),
    ]
}

fn time_fields<'a>(times: &Times) -> [Field<'a>; 3] {
    [
        ("Start Time(ns)", times.start.into()),
        ("End Time(ns)", times.end.into()),
        ("Cmd Id", times.command.into()),
    ]
}

fn code_fields<'a>(view: &DmaView<'a>) -> [Field<'a>; 2] {
    [("cmd_type", view.task.into()), ("cmd_special_function", view.function.into())]
}

/// Constant columns of the texts, always 0.
const BURSTS: [&str; 4] =
    ["gmem_bl_sum", "gmem_avg_burst_length", "lmem_bl_sum", "lmem_avg_burst_length"];
/// Constant columns of the texts, always 0.
const MASKS: [&str; 4] =
    ["lmem_msk_wr_cnt", "gmem_msk_wr_cnt", "lmem_n32Ba_sa_cnt", "gmem_n32Ba_sa_cnt"];
/// Constant columns of the texts, blank.
const BLANKS: [(&str, &str); 6] = [
    ("funcName", " "),
    ("layer_ID", ""),
    ("index", " "),
    ("Msg Id", " "),
    ("Sd\\Wt Count", " "),
    ("mask_data_format", " "),
];
/// Constant columns of BM1688's texts.
const SHAPES: [&str; 3] = ["index_shape", "src_shape", "dst_shape"];
const SHAPE: &str = "(1, 128, 128 ,9)(FP32)(147456, 1152, 9, 1)";

fn zeros<'a>(keys: [&'a str; 4]) -> impl Iterator<Item = Field<'a>> {
    keys.into_iter().map(|key| (key, Value::Int(0)))
}

fn blanks<'a>() -> impl Iterator<Item = Field<'a>> {
    BLANKS.into_iter().map(|(key, text)| (key, text.into()))
}

fn dma_condensed<'a>(track: &Track<'_>, view: &DmaView<'a>, times: &Times) -> Fields<'a> {
    let mut info: Fields<'a> = Vec::with_capacity(24);
    info.extend(direction_fields(track, view));
    info.push(("src_data_format", view.data_format.unwrap_or(0).into()));
    info.extend(code_fields(view));
    info.extend(name_fields(view));
    info.extend(time_fields(times));
    info.extend([
        ("Data Type", view.data_type.into()),
        ("Asic Cycle", times.cycles.into()),
        ("Stall Cycle", view.traffic.stall_cycles.into()),
        ("DMA data size(B)", view.traffic.bytes.into()),
        ("DDR Bandwidth(GB/s)", view.ddr_gbps.into()),
        ("gmem_xact_cnt", view.traffic.global.transactions.into()),
        ("L2M Bandwidth(GB/s)", view.l2_gbps.into()),
        ("dst_start_addr", Value::Int(0)),
        ("src_start_addr", Value::Int(0)),
    ]);
    info
}

fn dma_full_aks<'a>(track: &Track<'_>, view: &DmaView<'a>, times: &Times) -> Fields<'a> {
    let mut info: Fields<'a> = Vec::with_capacity(24);
    let slot = |slot| Value::from(view.command.map_or(0, |c| c.get(slot)));
    info.extend([
        ("mask_start_addr_h8", slot(Slot::MaskH8)),
        ("mask_start_addr_l32", slot(Slot::MaskL32)),
        ("dst_start_addr", address(view, Slot::DstH13, Slot::DstL32).into()),
        ("src_start_addr", address(view, Slot::SrcH13, Slot::SrcL32).into()),
    ]);
    info.extend(direction_fields(track, view));
    info.extend(name_fields(view));
    info.extend(time_fields(times));
    info.extend([
        ("Data Type", view.data_type.into()),
        ("Asic Cycle", times.cycles.into()),
        ("Stall Cycle", view.traffic.stall_cycles.into()),
        ("DMA data size(B)", view.traffic.bytes.into()),
        ("gmem_xact_cnt", view.traffic.global.transactions.into()),
        ("DDR Bandwidth(GB/s)", view.ddr_gbps.into()),
        ("L2M Bandwidth(GB/s)", view.l2_gbps.into()),
    ]);
    info
}

fn dma_full_bm1688<'a>(track: &Track<'_>, view: &DmaView<'a>, times: &Times) -> Fields<'a> {
    let mut info: Fields<'a> = Vec::with_capacity(48);
    let slot = |slot| Value::from(view.command.map_or(0, |c| c.get(slot)));
    let is_sys = view.task == 6;
    let side = |high, low| Value::from(if is_sys { 0 } else { address(view, high, low) });
    info.extend([
        ("mask_start_addr_h8", slot(Slot::MaskH8)),
        ("mask_start_addr_l32", slot(Slot::MaskL32)),
        ("dst_start_addr", side(Slot::DstH8, Slot::DstL32)),
        ("src_start_addr", side(Slot::SrcH8, Slot::SrcL32)),
    ]);
    if is_sys {
        info.extend([("src_start_addr_h8", Value::Int(0)), ("dst_start_addr_h8", Value::Int(0))]);
    }
    info.extend(direction_fields(track, view));
    info.extend(name_fields(view));
    info.extend(time_fields(times));
    let traffic = &view.traffic;
    info.extend([
        ("Data Type", view.data_type.into()),
        ("Asic Cycle", times.cycles.into()),
        ("Stall Cycle", traffic.stall_cycles.into()),
        ("gmem_xfer_bytes(B)", traffic.global.bytes.into()),
        ("gmem_bandwidth", Value::Float(view.side_gbps.0)),
        ("gmem_dma_data_size(B)", traffic.global.bytes.into()),
        ("gmem_xact_cnt", traffic.global.transactions.into()),
        ("lmem_xfer_bytes", traffic.local.bytes.into()),
        ("lmem_bandwidth", Value::Float(view.side_gbps.1)),
        ("lmem_dma_data_size(B)", traffic.local.bytes.into()),
        ("lmem_xact_cnt", traffic.local.transactions.into()),
        ("DMA data size(B)", traffic.bytes.into()),
        ("DDR Bandwidth(GB/s)", view.ddr_gbps.into()),
    ]);
    info.extend(zeros(BURSTS));
    info.push(("L2M Bandwidth(GB/s)", view.l2_gbps.into()));
    info.extend(zeros(MASKS));
    info.extend(blanks());
    info.extend(SHAPES.map(|key| (key, SHAPE.into())));
    info
}

/// Thread id, AR latency and stalls of CV84X6.
fn cv84x6_latency<'a>(
    profile: &Profile<'_>,
    track: &Track<'_>,
    i: usize,
    view: &DmaView<'a>,
) -> [Field<'a>; 3] {
    let latency = match profile.pmu(track, i) {
        Some(bigtpu_chip::Pmu::Cv84x6(r)) => r.latency.get(),
        _ => 0,
    };
    [
        ("Thread Id", (latency & 1).into()),
        ("AR Latency Cycle", (latency >> 1 & 0x7_ffff).into()),
        ("Stall Cycle", view.traffic.stall_cycles.into()),
    ]
}

/// Bytes by side, which METRICS 6 calls P.
fn cv84x6_bytes<'a>(view: &DmaView<'a>) -> [Field<'a>; 4] {
    let traffic = &view.traffic;
    [
        ("gmem_xfer_bytes(B)", traffic.global.bytes.into()),
        ("gmem_dma_data_size(B)", traffic.global.bytes.into()),
        ("lmem_xfer_bytes", traffic.local.bytes.into()),
        ("lmem_dma_data_size(B)", traffic.local.bytes.into()),
    ]
}

/// Bandwidths by side.
fn cv84x6_bandwidths<'a>(view: &DmaView<'a>) -> [Field<'a>; 3] {
    [
        ("gmem_bandwidth", Value::Float(view.side_gbps.0)),
        ("lmem_bandwidth", Value::Float(view.side_gbps.1)),
        ("DDR Bandwidth(GB/s)", view.ddr_gbps.into()),
    ]
}

fn cv84x6_transactions<'a>(view: &DmaView<'a>) -> [Field<'a>; 2] {
    [
        ("gmem_xact_cnt", view.traffic.global.transactions.into()),
        ("lmem_xact_cnt", view.traffic.local.transactions.into()),
    ]
}

fn dma_condensed_cv84x6<'a>(
    profile: &Profile<'_>,
    track: &Track<'_>,
    i: usize,
    view: &DmaView<'a>,
    times: &Times,
) -> Fields<'a> {
    let mut info: Fields<'a> = Vec::with_capacity(48);
    let [engine, direction, from, to] = direction_fields(track, view);
    info.push(engine);
    info.extend(time_fields(times));
    info.push(("Asic Cycle", times.cycles.into()));
    info.extend([direction, from, to]);
    if let Some(format) = view.data_format {
        info.push(("src_data_format", format.into()));
    }
    info.extend(code_fields(view));
    info.extend(name_fields(view));
    if view.data_format.is_some() {
        info.push(("Data Type", view.data_type.into()));
    }
    info.extend(cv84x6_latency(profile, track, i, view));
    info.push(("DMA data size(B)", view.traffic.bytes.into()));
    info.extend(cv84x6_bytes(view));
    info.extend(cv84x6_bandwidths(view));
    info.push(("L2M Bandwidth(GB/s)", view.l2_gbps.into()));
    info.extend(cv84x6_transactions(view));
    info.extend(zeros(BURSTS));
    info.extend(zeros(MASKS));
    info.extend([("dst_start_addr", Value::Int(0)), ("src_start_addr", Value::Int(0))]);
    info.extend(blanks());
    info
}

fn dma_full_cv84x6<'a>(
    profile: &Profile<'_>,
    track: &Track<'_>,
    i: usize,
    view: &DmaView<'a>,
    times: &Times,
) -> Fields<'a> {
    let mut info: Fields<'a> = Vec::with_capacity(56);
    let is_sys = view.task == profile.chip.system.dma;
    let slot = |slot| Value::from(view.command.map_or(0, |c| c.get(slot)));
    let side = |high, low| Value::from(if is_sys { 0 } else { address(view, high, low) });
    info.extend([
        ("src_start_addr_h13", slot(Slot::SrcH13)),
        ("src_start_addr_l32", slot(Slot::SrcL32)),
        ("dst_start_addr_h13", slot(Slot::DstH13)),
        ("dst_start_addr_l32", slot(Slot::DstL32)),
        ("src_start_addr", side(Slot::SrcH13, Slot::SrcL32)),
        ("dst_start_addr", side(Slot::DstH13, Slot::DstL32)),
    ]);
    info.extend(direction_fields(track, view));
    info.extend(code_fields(view));
    info.extend(name_fields(view));
    info.extend(time_fields(times));
    info.extend([
        ("Data Type", view.data_type.into()),
        ("src_data_format", view.data_format.unwrap_or(0).into()),
        ("Asic Cycle", times.cycles.into()),
    ]);
    info.extend(cv84x6_latency(profile, track, i, view));
    info.extend(cv84x6_bytes(view));
    info.push(("DMA data size(B)", view.traffic.bytes.into()));
    info.extend(cv84x6_bandwidths(view));
    info.extend(cv84x6_transactions(view));
    info.extend(zeros(BURSTS));
    info.push(("L2M Bandwidth(GB/s)", view.l2_gbps.into()));
    info.extend(zeros(MASKS));
    info.extend(blanks());
    info
}
