//! Slices of the device's engines.

use bigtpu_chip::{Engine, Family};
use bigtpu_measure::layers::Layers;
use bigtpu_measure::{
    Kind, PortCommand, PortRole, PortTimes, Side, TrackCommand, TrackCommands, percent,
    percent_number,
};
use bigtpu_replay::{Cause, EngineCauses};
use bigtpu_scene::TiuRates;

use crate::args::{ArgValue, Args};
use crate::detail::TraceDetail;
use crate::flows::{FlowPoint, TrackFlows, track_of};
use crate::names::Arg;
use crate::sequence::{Sequence, SliceFlows, SliceOf};
use crate::slice_texts::{NO_TEXTS, Texts};
use crate::source::{PIECE, Source};
use crate::stamp::{BEGIN, FIRST_OWN, MOST_NUMBERS, NO_KEY, Numbers, Stamps, room};

/// One lane of an engine's slices.
pub(crate) struct SliceSource<'p, 'd> {
    pub(crate) commands: TrackCommands<'p, 'd>,
    pub(crate) offset: i64,
    /// Events of the lane in time order; `None`: all, as they are.
    pub(crate) rows: Option<&'p [u32]>,
    pub(crate) at: usize,
    pub(crate) flows: &'p TrackFlows,
    pub(crate) causes: Option<EngineCauses<'p>>,
    pub(crate) layers: Option<&'p Layers>,
    pub(crate) detail: TraceDetail,
    pub(crate) sequence: Sequence,
    pub(crate) stamps: Stamps,
    pub(crate) texts: Texts,
    /// Where the engine's rate comes with its slices.
    pub(crate) rate: Option<RateOfSlices>,
}

/// How busy the engine is: a counter whose values come with the beginnings and ends of slices that do not overlap. As of
/// any other counter, of several values at one moment only the last is written, and only where it changes.
#[derive(Default)]
pub(crate) struct RateOfSlices {
    tiu: TiuRates,
    /// The value that was written last.
    shown: Option<f64>,
}

impl RateOfSlices {
    /// Whether a slice's value is written where it begins, and 0 where it ends; `next`: where the next one begins.
    #[inline]
    fn changes(&mut self, value: f64, start: i64, end: i64, next: Option<i64>) -> (bool, bool) {
        let begins = start < end && self.shown != Some(value);
        if begins {
            self.shown = Some(value);
        }
        let ends = next != Some(end) && self.shown != Some(0.0);
        if ends {
            self.shown = Some(0.0);
        }
        (begins, ends)
    }
}

impl Source for SliceSource<'_, '_> {
    fn fill(&mut self, out: &mut Vec<u8>) -> usize {
        let all = self.rows.map_or(self.commands.len(), <[u32]>::len);
        let until = all.min(self.at + PIECE);
        out.reserve((until - self.at) * SLICE_BYTES);
        let (mut numbers, mut slice_flows) = ([0; MOST_NUMBERS], SliceFlows::default());
        for place in self.at..until {
            let i = self.rows.map_or(place, |rows| rows[place] as usize);
            let Some(command) = self.commands.get(i) else { continue };
            let (start, end) = (command.start() + self.offset, command.end() + self.offset);
            let Some(kind) = command.kind_number() else { continue };
            let Self { causes, layers, detail, sequence, stamps, texts, rate, .. } = self;
            let flows = self.flows.of_event(i);
            slice_flows.clear();
            let mut ends_behind = false;
            for flow in flows {
                match flow.point() {
                    FlowPoint::Start => slice_flows.start(flow.number()),
                    FlowPoint::End => slice_flows.end(flow.number()),
                    FlowPoint::EndBehind => ends_behind = true,
                }
            }
            let port = command.port();
            let (causes, layers, detail) = (*causes, *layers, *detail);
            let slice = Slice { command, causes, layers, detail, port };
            let mut shape = slice.numbers(texts, sequence, &mut numbers);
            let ends_count =
                rate.as_mut().is_some_and(|rate| slice.count(rate, &mut shape, &mut numbers));
            // Times of ports are in no template: few commands are of ports.
            let key = if port.is_some() { NO_KEY } else { shape.key(kind) };
            let of = SliceOf { key, start, end, flows: &slice_flows, ends_count };
            sequence.slice(out, stamps, of, &mut numbers, |args, numbers| {
                slice.write(shape, args, numbers);
            });
            if ends_behind {
                self.sequence.instant(out, end, RELEASED, "sys", |args| {
                    let behind = flows.iter().filter(|flow| flow.point() == FlowPoint::EndBehind);
                    behind.for_each(|flow| args.flow_end(flow.number()));
                });
            }
        }
        let done = until - self.at;
        self.at = until;
        done
    }
}

/// Bytes of a slice, about: memory for a piece is taken at once.
const SLICE_BYTES: usize = 288;

/// Name of the mark at a wait's end where flows end because no command follows.
const RELEASED: &str = "released";

/// The command whose slice is to be written.
#[derive(Clone, Copy)]
struct Slice<'p, 'd> {
    command: TrackCommand<'p, 'd>,
    causes: Option<EngineCauses<'p>>,
    layers: Option<&'p Layers>,
    detail: TraceDetail,
    /// Of a data command of a port: what its record says, and what its time is made of.
    port: Option<(&'p PortCommand, Option<PortTimes>)>,
}

/// What differs between slices of a kind: places in [`Numbers`].
mod number {
    use super::FIRST_OWN;

    pub(super) const ID: usize = FIRST_OWN;
    pub(super) const INDEX: usize = FIRST_OWN + 1;
    pub(super) const BATCH: usize = FIRST_OWN + 2;
    pub(super) const SLACK: usize = FIRST_OWN + 3;
    pub(super) const WAITS_FOR: usize = FIRST_OWN + 4;
    pub(super) const RELEASED_BY: usize = FIRST_OWN + 5;
    pub(super) const LAYER_ID: usize = FIRST_OWN + 6;
    pub(super) const LAYER_NAME: usize = FIRST_OWN + 7;
    pub(super) const DEPENDENCE: usize = FIRST_OWN + 8;
    pub(super) const RATE: usize = FIRST_OWN + 9;
    pub(super) const DDR: usize = FIRST_OWN + 10;
    pub(super) const L2: usize = FIRST_OWN + 11;
    pub(super) const BYTES: usize = FIRST_OWN + 12;
    pub(super) const SOURCE: usize = FIRST_OWN + 13;
    pub(super) const DESTINATION: usize = FIRST_OWN + 14;
}

/// Least room in templates, so that few are recorded again for numbers that grow: of all commands, the last end and the
/// greatest id are known.
pub(crate) fn stamps(commands: &TrackCommands<'_, '_>, to_trace: i64) -> Stamps {
    let mut stamps = Stamps::default();
    let events = &commands.track.events;
    let last = events.end.last().map_or(0, |end| end.saturating_add(to_trace));
    stamps.least[BEGIN] = room(last.max(0).cast_unsigned());
    stamps.least[number::ID] = room(events.id.iter().max().unwrap_or(0).max(0).cast_unsigned() + 1);
    stamps.least[number::INDEX] = room(events.len() as u64);
    // Slack of a slice that waits, and interned texts that name single commands: mostly two bytes, as here.
    for number in [number::SLACK, number::WAITS_FOR, number::RELEASED_BY] {
        stamps.least[number] = 14;
    }
    stamps
}

/// What slices of a kind need not have in common.
#[derive(Debug, Clone, Copy, Default)]
struct Shape {
    /// Which of the arguments that not every slice has are there: a bit of each [`number`].
    present: u16,
    /// Kernel and mode: see [`OfTag`].
    tag: u16,
}

impl Shape {
    /// Sets an argument that not every slice has; of those below 16.
    #[inline]
    fn set(&mut self, numbers: &mut Numbers, number: usize, value: Option<u64>) {
        if let Some(value) = value {
            self.present |= 1 << number;
            numbers[number] = value;
        }
    }

    fn has(self, number: usize) -> bool {
        self.present & 1 << number != 0
    }

    /// What slices of a kind and shape have in common, as a key of [`Stamps`].
    fn key(self, kind: u32) -> u64 {
        if self.tag == NO_TEXTS {
            return NO_KEY;
        }
        u64::from(kind) << 32 | u64::from(self.tag) << 16 | u64::from(self.present)
    }
}

impl Slice<'_, '_> {
    /// Sets what differs from slices of the same kind; texts that are new are interned.
    #[inline]
    fn numbers(&self, texts: &mut Texts, sequence: &mut Sequence, numbers: &mut Numbers) -> Shape {
        let TrackCommand { all, index: i, kind } = self.command;
        let mut shape = Shape::default();
        let tag = all.track.events.tag.get(i).copied().unwrap_or(0);
        let of_tag = texts.of_tag(tag, || self.command.tag());
        numbers[number::ID] = self.command.id() as u64;
        numbers[number::INDEX] = i as u64;
        let is_full = self.detail.is_full();
        shape.set(numbers, number::BATCH, of_tag.batch.filter(|_| is_full));
        shape.tag = of_tag.texts;
        if let Some(causes) = self.causes {
            shape.set(numbers, number::SLACK, causes.slack_ns(i).map(|ns| ns as u64));
            let released_by = self.released_by(causes);
            let released_by = released_by
                .map(|(cause, id)| texts.released_by(sequence, all.track.engine_id, cause, id));
            shape.set(numbers, number::RELEASED_BY, released_by);
        }
        if let Some((id, layer)) = self.layers.and_then(|l| l.of_event(all.track, i)) {
            shape.set(numbers, number::LAYER_ID, Some(id as u64));
            shape.set(numbers, number::LAYER_NAME, Some(sequence.value(&layer.name)));
        }
        if let Some(dependence) = self.command.dependence().filter(|_| is_full) {
            let field = dependence.field();
            shape.set(numbers, number::DEPENDENCE, Some(field.into()));
            let awaited = all.profile.chip.awaited_command(field);
            let awaited = awaited
                .map(|command| texts.waits_for(sequence, all.track.engine_id.engine, command));
            shape.set(numbers, number::WAITS_FOR, awaited);
        }
        if has_bandwidth(kind) {
            let transfer = self.command.transfer();
            // 0 where nothing was computed.
            let word = |gbps: Option<f64>| gbps.unwrap_or(0.0).to_bits();
            numbers[number::DDR] = word(transfer.ddr_gbps());
            numbers[number::L2] = word(transfer.l2_gbps());
            numbers[number::BYTES] = transfer.traffic.bytes;
            if !is_full {
                return shape;
            }
            let chip = all.profile.chip;
            let no_address = matches!(chip.family, Family::Bm1684x | Family::Bm1688)
                && chip.is_system(kind.engine, kind.task);
            if no_address {
                (numbers[number::SOURCE], numbers[number::DESTINATION]) = (0, 0);
            } else {
                let addresses = self.command.addresses();
                numbers[number::SOURCE] = addresses.source;
                numbers[number::DESTINATION] = addresses.destination;
            }
        }
        shape
    }

    /// Sets the value of the engine's rate where it is written; whether 0 is written at the slice's end.
    #[inline]
    fn count(&self, rate: &mut RateOfSlices, shape: &mut Shape, numbers: &mut Numbers) -> bool {
        let Self { command, .. } = self;
        let value = match command.kind.engine {
            Engine::Tiu => rate.tiu.value(command),
            _ if has_bandwidth(command.kind) => f64::from_bits(numbers[number::DDR]),
            _ => 0.0,
        };
        let next = command.all.track.events.start.get(command.index + 1).copied();
        let (begins, ends) = rate.changes(value, command.start(), command.end(), next);
        shape.set(numbers, number::RATE, begins.then(|| value.to_bits()));
        ends
    }

    /// What kept the command waiting if it is of another engine, and that one's command id.
    fn released_by(&self, causes: EngineCauses<'_>) -> Option<(Cause, i64)> {
        let TrackCommand { all, index: i, .. } = self.command;
        let cause = causes.cause(i).filter(|cause| cause.engine_id != all.track.engine_id)?;
        let track = track_of(all.profile, cause.engine_id)?;
        Some((cause, track.command_id(cause.event).unwrap_or(0)))
    }

    /// Writes the slice's name and arguments.
    fn write(&self, shape: Shape, args: &mut Args<'_>, numbers: &Numbers) {
        let kind = self.command.kind;
        let Kind { engine, function_type, function_name, .. } = kind;
        args.title(function_name, category(function_type));
        if shape.has(number::BATCH) {
            args.int_of(Arg::BatchLaunch, numbers, number::BATCH);
        }
        let TrackCommand { all, .. } = self.command;
        let tag = self.command.tag();
        if let Some(kernel) = all.profile.kernel(tag) {
            args.text(Arg::Kernel, kernel);
        }
        if self.detail.repeats() {
            args.text(Arg::FunctionType, function_type);
            args.text(Arg::FunctionName, function_name);
        }
        if self.detail.is_full() {
            let mhz = all.profile.clocks.mhz(all.track.engine_id.engine);
            if let (Some(ns), Some(cost)) = (kind.expected_ns(mhz), &kind.expected) {
                args.int(Arg::Expected, ns.round() as i64);
                args.text(Arg::ExpectedMark, cost.mark.name());
            }
            if let Some(mode) = tag.mode {
                args.text(Arg::Mode, mode.name());
            }
        }
        args.int_of(Arg::CmdId, numbers, number::ID);
        if self.detail.is_full() {
            args.int_of(Arg::GlobalIdx, numbers, number::INDEX);
        }
        if shape.has(number::SLACK) {
            args.int_of(Arg::Slack, numbers, number::SLACK);
        }
        if shape.has(number::WAITS_FOR) {
            args.text_of(Arg::WaitsFor, numbers, number::WAITS_FOR);
        }
        if shape.has(number::RELEASED_BY) {
            args.text_of(Arg::ReleasedBy, numbers, number::RELEASED_BY);
        }
        if shape.has(number::LAYER_ID) {
            args.int_of(Arg::LayerId, numbers, number::LAYER_ID);
            args.text_of(Arg::LayerName, numbers, number::LAYER_NAME);
        }
        match engine {
            Engine::Tiu => self.tiu(shape, args, numbers),
            Engine::Gdma | Engine::Sdma | Engine::Cdma => self.dma(shape, args, numbers),
        }
        self.port(args);
        if shape.has(number::RATE) {
            args.count_of(number::RATE);
        }
    }

    fn tiu(&self, shape: Shape, args: &mut Args<'_>, numbers: &Numbers) {
        let kind = self.command.kind;
        if !kind.is_named_system() {
            let rate = kind.uarch_rate(self.command.all.profile.chip.family);
            // Without the full bits the rate is unknown; the text is bigTpuProfile's.
            if self.detail.repeats() {
                args.text(Arg::UarchRate, &percent(rate, 1));
            }
            if kind.is_full() {
                args.double(Arg::UarchRateNumber, percent_number(rate));
            }
        }
        if let Some(short) = self.command.short().filter(|_| self.detail.is_full()) {
            args.int(Arg::DesCmdShort, short as i64);
        }
        if shape.has(number::DEPENDENCE) {
            args.int_of(Arg::DesCmdIdDep, numbers, number::DEPENDENCE);
        }
    }

    fn dma(&self, shape: Shape, args: &mut Args<'_>, numbers: &Numbers) {
        let kind = self.command.kind;
        let Some(moved) = kind.transfer else { return };
        if self.detail.is_full() && (moved.data_format.is_some() || kind.is_full()) {
            args.text(Arg::DataType, moved.data_type);
        }
        if shape.has(number::DEPENDENCE) {
            args.int_of(Arg::CmdIdDep, numbers, number::DEPENDENCE);
        }
        if kind.is_named_system() {
            return;
        }
        args.double_of(Arg::DdrBandwidth, number::DDR);
        args.double_of(Arg::L2Bandwidth, number::L2);
        args.text(Arg::Direction, moved.direction.text());
        args.int_of(Arg::DataSize, numbers, number::BYTES);
        if !self.detail.is_full() {
            return;
        }
        let sides = self.command.sides();
        args.dict(Arg::SrcInfo, |args| {
            SOURCE.write(args, &sides.source);
            args.address_of(SOURCE.address, numbers, number::SOURCE);
        });
        args.dict(Arg::DstInfo, |args| {
            DESTINATION.write(args, &sides.destination);
            args.address_of(DESTINATION.address, numbers, number::DESTINATION);
        });
    }
}

/// Names of what a port's time is made of, as arguments.
const WAITING_FOR_CREDIT: &str = "waiting for credit(ns)";
const WAITING_FOR_SENDER: &str = "waiting for sender(ns)";

impl Slice<'_, '_> {
    /// What the time of a port's command is made of, and how often its link repeated packets.
    fn port(&self, args: &mut Args<'_>) {
        let Some((port, times)) = self.port else { return };
        match times {
            Some(times) => {
                let waiting = match port.role {
                    PortRole::Receive => WAITING_FOR_SENDER,
                    _ => WAITING_FOR_CREDIT,
                };
                args.named(waiting, ArgValue::Int(times.waiting_ns));
                args.named("transfer(ns)", ArgValue::Int(times.transfer_ns));
                args.named("completion(ns)", ArgValue::Int(times.completion_ns));
                if port.bytes > 0 && times.transfer_ns > 0 {
                    let gbps = port.bytes as f64 / times.transfer_ns as f64;
                    args.named("Link Bandwidth(GB/s)", ArgValue::Double(gbps));
                }
            }
            None => args.named("times", ArgValue::Text("ends only")),
        }
        args.named("retries", ArgValue::Int(port.replays.into()));
    }
}

/// Whether commands of a kind show bandwidths.
fn has_bandwidth(kind: &Kind) -> bool {
    kind.transfer.is_some() && !kind.is_named_system()
}

/// The category of a function type: system commands have one, whatever the case in which their engine writes it.
fn category(function_type: &str) -> &str {
    if function_type.eq_ignore_ascii_case("sys") { "sys" } else { function_type }
}

/// Names of a side's arguments: strides and sizes by n, c, h and w.
struct SideArgs {
    address: Arg,
    strides: [Arg; 4],
    sizes: [Arg; 4],
}

const SOURCE: SideArgs = SideArgs {
    address: Arg::SrcAddr,
    strides: [Arg::SrcNStride, Arg::SrcCStride, Arg::SrcHStride, Arg::SrcWStride],
    sizes: [Arg::SrcN, Arg::SrcC, Arg::SrcH, Arg::SrcW],
};

const DESTINATION: SideArgs = SideArgs {
    address: Arg::DstAddr,
    strides: [Arg::DstNStride, Arg::DstCStride, Arg::DstHStride, Arg::DstWStride],
    sizes: [Arg::DstN, Arg::DstC, Arg::DstH, Arg::DstW],
};

impl SideArgs {
    /// Strides and sizes, where the command's register has them.
    fn write(&self, args: &mut Args<'_>, side: &Side) {
        let strides = self.strides.into_iter().zip(side.strides);
        for (arg, value) in strides.chain(self.sizes.into_iter().zip(side.sizes)) {
            if let Some(value) = value {
                args.int(arg, value as i64);
            }
        }
    }
}
