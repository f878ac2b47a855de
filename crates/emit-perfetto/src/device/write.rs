//! Name and arguments of an engine's slice: its template.

use bigtpu_chip::Engine;
use bigtpu_measure::layers::Layers;
use bigtpu_measure::{CommandKind, PortRole, TrackCommand, percent, percent_number};
use bigtpu_timeline::{Mode, Profile};

use super::shape::{Shape, number};
use super::sides::{DESTINATION, SOURCE};
use super::slice::Slice;
use crate::args::{ArgValue, Args};
use crate::detail::TraceDetail;
use crate::interned::{TextKind, Vocabulary};
use crate::names::Arg;
use crate::numbers::Row;

impl Slice<'_, '_, '_> {
    /// Writes the slice's name and arguments.
    pub(super) fn write(&self, shape: Shape, args: &mut Args<'_>, numbers: Row<'_>) {
        let kind = self.command.kind;
        let CommandKind { engine, function_type, function_name, .. } = kind;
        args.title(function_name, category(function_type));
        if shape.has(number::BATCH) {
            args.int_of(Arg::BatchLaunch, numbers, number::BATCH);
        }
        let TrackCommand { all, .. } = self.command;
        if shape.has(number::KERNEL) {
            args.text_of(Arg::Kernel, numbers, number::KERNEL);
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
            if shape.has(number::MODE) {
                args.text_of(Arg::Mode, numbers, number::MODE);
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
        }
        if shape.has(number::LAYER_NAME) {
            args.text_of(Arg::LayerName, numbers, number::LAYER_NAME);
        }
        if shape.has(number::BLOCK) {
            args.text_of(Arg::Block, numbers, number::BLOCK);
        }
        if shape.has(number::STEP) {
            args.int_of(Arg::Step, numbers, number::STEP);
        }
        match engine {
            Engine::Tiu => self.tiu(shape, args, numbers),
            Engine::Gdma | Engine::Sdma | Engine::Cdma => self.dma(shape, args, numbers),
        }
        self.port(args);
        if let Some(quality) = self.doubt {
            args.named("quality", ArgValue::Text(quality.name()));
        }
        if shape.has(number::RATE) {
            match engine {
                Engine::Tiu => args.count(self.shows.rate),
                Engine::Gdma | Engine::Sdma | Engine::Cdma => args.count_of(number::DDR),
            }
        }
    }

    fn tiu(&self, shape: Shape, args: &mut Args<'_>, numbers: Row<'_>) {
        let kind = self.command.kind;
        if !kind.is_named_system() {
            let rate = kind.uarch_rate(self.command.all.profile.chip.family);
            // Without the full bits the rate is unknown; the text is bigTpuProfile's.
            if self.detail.repeats() {
                args.text(Arg::UarchRate, &rate_text(rate));
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

    fn dma(&self, shape: Shape, args: &mut Args<'_>, numbers: Row<'_>) {
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
        for (arg, number, is_counted) in [
            (Arg::DdrBandwidth, number::DDR, self.counts.counts_ddr()),
            (Arg::L2Bandwidth, number::L2, self.counts.counts_l2()),
        ] {
            match is_counted {
                true => args.double_of(arg, number),
                // For the views what a transfer does not tell is 0.
                false if self.looks_up => {}
                false => args.double(arg, 0.0),
            }
        }
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

/// Texts of slices that repeat, so that all tracks know them by the same ids.
pub(super) fn vocabulary(
    profile: &Profile<'_>,
    kinds: &[CommandKind],
    layers: Option<&Layers>,
    detail: TraceDetail,
) -> Vocabulary {
    let mut all = Vocabulary::default();
    for mode in [Mode::Rvt, Mode::Tdi, Mode::Des] {
        all.add(TextKind::Value, mode.name());
    }
    for kernel in &profile.kernels {
        all.add(TextKind::Value, kernel);
    }
    for block in layers.map_or(&[][..], Layers::blocks).iter().filter(|block| !block.is_empty()) {
        all.add(TextKind::Value, block);
    }
    for kind in kinds {
        let CommandKind { function_type, function_name, transfer, expected, .. } = kind;
        all.add(TextKind::EventName, function_name);
        all.add(TextKind::Category, category(function_type));
        if let Some(moved) = transfer {
            all.add(TextKind::Value, moved.data_type);
            all.add(TextKind::Value, moved.direction.text());
        }
        if let Some(cost) = expected {
            all.add(TextKind::Value, cost.mark.name());
        }
        if detail.repeats() {
            all.add(TextKind::Value, function_type);
            all.add(TextKind::Value, function_name);
            all.add(TextKind::Value, &rate_text(kind.uarch_rate(profile.chip.family)));
        }
    }
    all
}

/// A rate as bigTpuProfile writes it.
fn rate_text(rate: f64) -> String {
    percent(rate, 1)
}

/// Names of what a port's time is made of, as arguments.
const WAITING_FOR_CREDIT: &str = "waiting for credit(ns)";
const WAITING_FOR_SENDER: &str = "waiting for sender(ns)";

impl Slice<'_, '_, '_> {
    /// What the time of a port's command is made of, and how often its link repeated packets.
    fn port(&self, args: &mut Args<'_>) {
        let &Some((port, times)) = self.port else { return };
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

/// The category of a function type: system commands have one, whatever the case in which their engine writes it.
fn category(function_type: &str) -> &str {
    if function_type.eq_ignore_ascii_case("sys") { "sys" } else { function_type }
}
