//! What a GDMA, SDMA or CDMA event is.

use std::borrow::Cow;

use bigtpu_chip::{Command, Direction, Engine, Family, Memory, Slot, Traffic};
use bigtpu_format::Word;
use bigtpu_timeline::{Binding, Profile, Track};

use crate::tiu::{NO_TYPE, rvt_variant};
use bigtpu_measure::{quotient, round4};

/// Send and wait among the DMA's system commands.
pub(crate) const SEND: u8 = 3;
pub(crate) const WAIT: u8 = 4;

/// A type that CDMA texts treat as a system command though it is none.
const CDMA_LOSSY_DECOMPRESS: u8 = 6;

/// A DMA or CDMA event, described.
#[derive(Debug, Clone)]
pub struct DmaView<'d> {
    /// `Function Type`.
    pub function_type: &'d str,
    /// `Function Name`.
    pub function_name: Cow<'d, str>,
    /// `Direction`.
    pub direction: Direction,
    /// `from_addr` and `to_addr`: they differ from the direction for CDMA commands known by type.
    pub sides: Direction,
    /// `cmd_type`.
    pub task: u8,
    /// `cmd_special_function`.
    pub function: u8,
    /// `src_data_format`; `None` where the command has none.
    pub data_format: Option<u64>,
    /// `Data Type`.
    pub data_type: &'d str,
    /// Bytes, stalls and transactions.
    pub traffic: Traffic,
    /// Bytes that count for the bandwidth from or to DDR; `None` where none is computed.
    pub ddr_bytes: Option<u64>,
    /// Bytes that count for the bandwidth from or to shared on-chip memory; `None` where none is computed.
    pub l2_bytes: Option<u64>,
    /// `DDR Bandwidth(GB/s)`; `None` where the texts print a plain 0.
    pub ddr_gbps: Option<f64>,
    /// `L2M Bandwidth(GB/s)`; `None` where the texts print a plain 0.
    pub l2_gbps: Option<f64>,
    /// Bandwidth of the global and local sides (BM1688 full commands and CV84X6).
    pub side_gbps: (f64, f64),
    /// The command's full bits, if known.
    pub command: Option<Command<'d>>,
    /// Dispatched by an RVT front end.
    pub is_rvt: bool,
    /// The chip's family.
    pub family: Family,
}

impl DmaView<'_> {
    /// Whether the type is that of system commands. Generator indices of RVT commands never are.
    #[must_use]
    pub fn is_system(&self, profile: &Profile<'_>, engine: Engine) -> bool {
        self.task == profile.chip.system.of(engine) && !self.is_rvt
    }
}

impl DmaView<'_> {
    /// Address that the transfer reads from; 0 where the full bits are not known.
    #[must_use]
    pub fn source(&self) -> u64 {
        let is_bm1688 = matches!(self.family, Family::Bm1684x | Family::Bm1688);
        self.address(if is_bm1688 { Slot::SrcH8 } else { Slot::SrcH13 }, Slot::SrcL32)
    }

    /// Address that the transfer writes to; 0 where the full bits are not known.
    #[must_use]
    pub fn destination(&self) -> u64 {
        let is_bm1688 = matches!(self.family, Family::Bm1684x | Family::Bm1688);
        self.address(if is_bm1688 { Slot::DstH8 } else { Slot::DstH13 }, Slot::DstL32)
    }

    /// Address of a side from its high and low words, of which the register may lack either.
    fn address(&self, high: Slot, low: Slot) -> u64 {
        self.command.map_or(0, |c| c.get(high) << 32 | c.get(low))
    }
}

/// Bytes over a duration of `ns`, in GB/s with 4 decimals.
fn gbps(bytes: u64, ns: i64) -> f64 {
    round4(quotient(i128::from(bytes), i128::from(ns.max(1))))
}

/// Describes event `i` of a GDMA, SDMA or CDMA track.
#[must_use]
pub fn dma<'d>(profile: &Profile<'d>, track: &Track<'d>, i: usize) -> DmaView<'d> {
    let mut view = match profile.command(track, i) {
        Some(command) => of_command(profile, track.place.engine, command),
        None => of_word(profile, track, i),
    };
    let full = view.command.is_some();
    if let Some(pmu) = profile.pmu(track, i) {
        view.traffic = pmu.traffic(full, view.direction);
    }
    let events = &track.events;
    let ns = match (events.start.get(i), events.end.get(i)) {
        (Some(start), Some(end)) => end - start,
        _ => 1,
    };
    bandwidth(&mut view, profile.chip.family, full, ns);
    view
}

fn bandwidth(view: &mut DmaView<'_>, family: Family, full: bool, ns: i64) {
    let (bytes, global) = (view.traffic.bytes, view.traffic.global.bytes);
    let local = view.traffic.local.bytes;
    let direction = view.direction;
    (view.ddr_bytes, view.l2_bytes) = match (family, full) {
        (Family::Aks | Family::Bm1684x | Family::Bm1688, false) => (Some(bytes), None),
        (Family::Aks, true) if direction.has_ddr() => (Some(bytes), None),
        (Family::Aks, true) if direction.has_l2() => (None, Some(bytes)),
        (Family::Aks, true) => (None, None),
        (Family::Bm1684x | Family::Bm1688, true) => {
            view.side_gbps = (gbps(global, ns), gbps(local, ns));
            (Some(global.max(local)), None)
        }
        (Family::Cv84x6, _) => {
            view.side_gbps = (gbps(global, ns), gbps(bytes, ns));
            (Some(global), Some(if direction.has_l2() { bytes } else { 0 }))
        }
    };
    view.ddr_gbps = view.ddr_bytes.map(|bytes| gbps(bytes, ns));
    view.l2_gbps = view.l2_bytes.map(|bytes| gbps(bytes, ns));
}

fn of_command<'d>(profile: &Profile<'d>, engine: Engine, command: Command<'d>) -> DmaView<'d> {
    let chip = profile.chip;
    let direction = Direction::of_command(chip, &command);
    let (task, function) = (command.get(Slot::DmaType) as u8, command.get(Slot::DmaFunction) as u8);
    let (function_type, function_name) = names(profile, engine, task, function, direction);
    let data_format = command.register.has(Slot::DataFormat).then(|| command.get(Slot::DataFormat));
    let data_type = match (data_format, chip.family) {
        (None, Family::Aks) => "",
        (format, _) => data_type(profile, format.unwrap_or(0), true),
    };
    DmaView {
        function_type,
        function_name,
        direction,
        sides: direction,
        task,
        function,
        data_format,
        data_type,
        traffic: Traffic::default(),
        ddr_bytes: None,
        l2_bytes: None,
        ddr_gbps: None,
        l2_gbps: None,
        side_gbps: (0.0, 0.0),
        command: Some(command),
        is_rvt: false,
        family: chip.family,
    }
}

fn of_word<'d>(profile: &Profile<'d>, track: &Track<'d>, i: usize) -> DmaView<'d> {
    let (chip, engine) = (profile.chip, track.place.engine);
    let binding = track.events.binding.get(i).copied().unwrap_or(Binding::None);
    let system = chip.system.of(engine);
    let word = match binding {
        Binding::Send => Word::new(0, 0, system, SEND, 0),
        Binding::Wait => Word::new(0, 0, system, WAIT, 0),
        Binding::Word | Binding::Rvt | Binding::Wrap => {
            track.events.word.get(i).copied().unwrap_or_default()
        }
        _ => Word::new(0, 0, NO_TYPE, 0, 0),
    };
    let (task, function) = (word.task(), word.sub());
    let is_cdma = engine == Engine::Cdma;
    let says_nothing = task == system || is_cdma && task == CDMA_LOSSY_DECOMPRESS;
    let info = if says_nothing { 0 } else { word.info() };
    let mut sides = Direction::of_info(info);
    let is_rvt = binding == Binding::Rvt;
    let uses_generator_names = is_rvt && chip.names.has_rvt();
    let (function_type, function_name) = if uses_generator_names {
        let (function_type, name) = chip.names.rvt(task, rvt_variant(word));
        sides = rvt_direction(name).unwrap_or(sides);
        (function_type, Cow::Borrowed(name))
    } else {
        names(profile, engine, task, function, sides)
    };
    let data_format = u64::from(info & 15);
    DmaView {
        function_type,
        function_name,
        direction: if is_cdma { Direction::DDR_TO_DDR } else { sides },
        sides,
        task,
        function,
        data_format: (!uses_generator_names).then_some(data_format),
        data_type: data_type(profile, data_format, false),
        traffic: Traffic::default(),
        ddr_bytes: None,
        l2_bytes: None,
        ddr_gbps: None,
        l2_gbps: None,
        side_gbps: (0.0, 0.0),
        command: None,
        is_rvt,
        family: chip.family,
    }
}

/// What the name of an RVT command tells of its direction.
fn rvt_direction(name: &str) -> Option<Direction> {
    let ends = |suffixes: &[&str]| suffixes.iter().any(|s| name.ends_with(s));
    if ends(&["_ld", "_ldt", "_ldbc", "_mld"]) {
        Some(Direction { from: Memory::Ddr, to: Memory::Lmem })
    } else if ends(&["_st", "_stt", "_mst"]) {
        Some(Direction { from: Memory::Lmem, to: Memory::Ddr })
    } else {
        None
    }
}

fn names<'d>(
    profile: &Profile<'d>,
    engine: Engine,
    task: u8,
    function: u8,
    direction: Direction,
) -> (&'d str, Cow<'d, str>) {
    let names = &profile.chip.names;
    if engine == Engine::Cdma {
        let (function_type, name) = names.cdma(task, function);
        let name =
            name.map_or_else(|| Cow::Owned(format!("{function_type}_{function}")), Cow::Borrowed);
        return (function_type, name);
    }
    let (function_type, name) = names.dma(task, function, direction);
    (function_type, Cow::Borrowed(name))
}

/// Name of a data type. Codes beyond the table are INT8 to BM1688 (full bits) and CV84X6.
fn data_type<'d>(profile: &Profile<'d>, code: u64, full: bool) -> &'d str {
    let fallback = match (profile.chip.family, full) {
        (Family::Cv84x6, _) | (Family::Bm1684x | Family::Bm1688, true) => "INT8",
        _ => "UNKNOWN",
    };
    profile.chip.data_type(code).unwrap_or(fallback)
}
