//! Slices of the device's engines.

use bigtpu_chip::{Engine, Family};
use bigtpu_layers::Layers;
use bigtpu_measure::{Kind, Side, TrackCommand, TrackCommands, percent, percent_number};
use bigtpu_replay::EngineCauses;
use bigtpu_timeline::EngineId;

use crate::args::Args;
use crate::flows::{EventFlows, FlowPoint, track_of};
use crate::names::Arg;
use crate::sequence::Sequence;
use crate::source::{PIECE, Source};
use crate::templates::Templates;

/// One lane of an engine's slices.
pub(crate) struct SliceSource<'p, 'd> {
    pub(crate) commands: TrackCommands<'p, 'd>,
    pub(crate) offset: i64,
    /// Events of the lane in time order; `None`: all, as they are.
    pub(crate) rows: Option<&'p [u32]>,
    pub(crate) at: usize,
    pub(crate) flows: EventFlows<'p>,
    pub(crate) causes: Option<EngineCauses<'p>>,
    pub(crate) layers: Option<&'p Layers>,
    pub(crate) sequence: Sequence,
    pub(crate) encoded: Encoded,
}

/// What was encoded before.
#[derive(Debug)]
pub(crate) struct Encoded {
    kinds: Templates<PARTS>,
    tags: Templates<2>,
}

/// Constant parts of a kind's slices; the values that differ from event to event are between them.
#[derive(Debug, Clone, Copy)]
enum Part {
    /// Name and category.
    Title,
    /// Function type and name.
    Function,
    /// What the kind's engine shows first: rate of the TIU, data type of a transfer.
    First,
    /// Direction of a transfer.
    Direction,
    /// Sizes of the source.
    Source,
    /// Sizes of the destination.
    Destination,
}

/// Number of [`Part`]s.
const PARTS: usize = 6;

impl Encoded {
    pub(crate) fn new() -> Self {
        Self { kinds: Templates::new(), tags: Templates::new() }
    }

    /// Appends a part of a kind.
    fn part(
        &mut self,
        slot: usize,
        part: Part,
        args: &mut Args<'_>,
        write: impl FnOnce(&mut Args<'_>),
    ) {
        self.kinds.put(slot, part as usize, args, write);
    }
}

impl Source for SliceSource<'_, '_> {
    fn fill(&mut self, out: &mut Vec<u8>) -> usize {
        let all = self.rows.map_or(self.commands.len(), <[u32]>::len);
        let until = all.min(self.at + PIECE);
        for place in self.at..until {
            let i = self.rows.map_or(place, |rows| rows[place] as usize);
            let Some(command) = self.commands.get(i) else { continue };
            let (start, end) = (command.start() + self.offset, command.end() + self.offset);
            let Self { causes, layers, sequence, encoded, .. } = self;
            let flows = self.flows.of_event(i);
            let Some(kind) = command.kind_number() else { continue };
            let slot = encoded.kinds.slot(kind);
            let causes = *causes;
            let slice = Slice { command, slot, flows, causes, layers: *layers };
            sequence.begin_untitled(out, start, |args| slice.write(encoded, args));
            self.sequence.end(out, end);
            if flows.iter().any(|(_, point, _)| *point == FlowPoint::EndBehind) {
                self.sequence.instant(out, end, RELEASED, "sys", |args| {
                    let behind =
                        flows.iter().filter(|(_, point, _)| *point == FlowPoint::EndBehind);
                    behind.for_each(|(_, _, flow)| args.flow_end(*flow));
                });
            }
        }
        let done = until - self.at;
        self.at = until;
        done
    }
}

/// Name of the mark at a wait's end where flows end because no command follows.
const RELEASED: &str = "released";

/// The command whose slice is to be written.
#[derive(Clone, Copy)]
struct Slice<'p, 'd> {
    command: TrackCommand<'p, 'd>,
    /// Where the parts of its kind are.
    slot: usize,
    flows: &'p [(u32, FlowPoint, u64)],
    causes: Option<EngineCauses<'p>>,
    layers: Option<&'p Layers>,
}

impl Slice<'_, '_> {
    fn write(&self, encoded: &mut Encoded, args: &mut Args<'_>) {
        let Kind { engine, function_type, function_name, .. } = self.command.kind;
        encoded.part(self.slot, Part::Title, args, |args| {
            args.title(function_name, category(function_type));
        });
        self.common(encoded, args);
        match engine {
            Engine::Tiu => self.tiu(encoded, args),
            Engine::Gdma | Engine::Sdma | Engine::Cdma => self.dma(encoded, args),
        }
    }

    /// What every slice shows.
    fn common(&self, encoded: &mut Encoded, args: &mut Args<'_>) {
        let kind = self.command.kind;
        let Kind { function_type, function_name, .. } = kind;
        let TrackCommand { all, index: i, .. } = self.command;
        let tag_slot = encoded.tags.slot(all.track.events.tag.get(i).copied().unwrap_or(0));
        encoded.tags.put(tag_slot, 0, args, |args| {
            let tag = self.command.tag();
            if let Some(batch) = tag.batch {
                args.int(Arg::BatchLaunch, batch.into());
            }
            if let Some(kernel) = all.profile.kernel(tag) {
                args.text(Arg::Kernel, kernel);
            }
        });
        encoded.part(self.slot, Part::Function, args, |args| {
            args.text(Arg::FunctionType, function_type);
            args.text(Arg::FunctionName, function_name);
            let mhz = all.profile.clocks.mhz(all.track.engine_id.engine);
            if let (Some(ns), Some(cost)) = (kind.expected_ns(mhz), &kind.expected) {
                args.int(Arg::Expected, ns.round() as i64);
                args.text(Arg::ExpectedMark, cost.mark.name());
            }
        });
        encoded.tags.put(tag_slot, 1, args, |args| {
            if let Some(mode) = self.command.tag().mode {
                args.text(Arg::Mode, mode.name());
            }
        });
        args.int(Arg::CmdId, self.command.id());
        args.int(Arg::GlobalIdx, i as i64);
        if let Some(slack_ns) = self.causes.and_then(|causes| causes.slack_ns(i)) {
            args.int(Arg::Slack, slack_ns);
        }
        self.waits_for(args);
        if let Some((id, layer)) = self.layers.and_then(|l| l.of_event(all.track, i)) {
            args.int(Arg::LayerId, id as i64);
            args.text(Arg::LayerName, &layer.name);
        }
        for &(_, point, flow) in self.flows {
            args.flow_point(point, flow);
        }
    }

    /// The command that its dependence names, and the one that kept it waiting if it is of another engine.
    fn waits_for(&self, args: &mut Args<'_>) {
        let TrackCommand { all, index: i, .. } = self.command;
        let own = all.track.engine_id;
        let awaited = self.command.dependence();
        let awaited = awaited.and_then(|d| all.profile.chip.awaited_command(d.field()));
        if let Some(number) = awaited {
            let other = if own.engine == Engine::Tiu { Engine::Gdma } else { Engine::Tiu };
            args.text(Arg::WaitsFor, &format!("{} #{number}", other.name()));
        }
        let cause = self.causes.and_then(|causes| causes.cause(i));
        let Some(cause) = cause.filter(|cause| cause.engine_id != own) else { return };
        let Some(track) = track_of(all.profile, cause.engine_id) else { return };
        let id = track.command_id(cause.event).unwrap_or(0);
        let EngineId { index, engine } = cause.engine_id;
        let engine_name = match engine {
            Engine::Cdma => format!("CDMA port{index}"),
            _ if index == own.index && own.engine != Engine::Cdma => engine.name().to_owned(),
            _ => format!("Core {index} {}", engine.name()),
        };
        args.text(Arg::ReleasedBy, &format!("{engine_name} #{id} ({})", cause.kind.name()));
    }

    fn tiu(&self, encoded: &mut Encoded, args: &mut Args<'_>) {
        let kind = self.command.kind;
        encoded.part(self.slot, Part::First, args, |args| {
            if !kind.is_named_system() {
                let rate = kind.uarch_rate(self.command.all.profile.chip.family);
                args.text(Arg::UarchRate, &percent(rate, 1));
                // Without the full bits the rate is unknown; the text is bigTpuProfile's.
                if kind.is_full() {
                    args.double(Arg::UarchRateNumber, percent_number(rate));
                }
            }
            if let Some(short) = self.command.short() {
                args.int(Arg::DesCmdShort, short as i64);
            }
        });
        if let Some(dependence) = self.command.dependence() {
            args.int(Arg::DesCmdIdDep, dependence.field().into());
        }
    }

    fn dma(&self, encoded: &mut Encoded, args: &mut Args<'_>) {
        let kind = self.command.kind;
        let Some(moved) = kind.transfer else { return };
        encoded.part(self.slot, Part::First, args, |args| {
            if moved.data_format.is_some() || kind.is_full() {
                args.text(Arg::DataType, moved.data_type);
            }
        });
        if let Some(dependence) = self.command.dependence() {
            args.int(Arg::CmdIdDep, dependence.field().into());
        }
        if kind.is_named_system() {
            return;
        }
        let transfer = self.command.transfer();
        bandwidth(args, Arg::DdrBandwidth, transfer.ddr_gbps());
        bandwidth(args, Arg::L2Bandwidth, transfer.l2_gbps());
        encoded.part(self.slot, Part::Direction, args, |args| {
            args.text(Arg::Direction, moved.direction.text());
        });
        args.int(Arg::DataSize, transfer.traffic.bytes as i64);
        let chip = self.command.all.profile.chip;
        let no_address = matches!(chip.family, Family::Bm1684x | Family::Bm1688)
            && chip.is_system(kind.engine, kind.task);
        let addresses = self.command.addresses();
        args.dict(Arg::SrcInfo, |args| {
            encoded.part(self.slot, Part::Source, args, |args| {
                SOURCE.write(args, &self.command.sides().source);
            });
            args.address(SOURCE.address, if no_address { 0 } else { addresses.source });
        });
        args.dict(Arg::DstInfo, |args| {
            encoded.part(self.slot, Part::Destination, args, |args| {
                DESTINATION.write(args, &self.command.sides().destination);
            });
            let address = if no_address { 0 } else { addresses.destination };
            args.address(DESTINATION.address, address);
        });
    }
}

/// The category of a function type: system commands have one, whatever the case in which their engine writes it.
fn category(function_type: &str) -> &str {
    if function_type.eq_ignore_ascii_case("sys") { "sys" } else { function_type }
}

/// 0 where nothing was computed.
fn bandwidth(args: &mut Args<'_>, arg: Arg, gbps: Option<f64>) {
    args.double(arg, gbps.unwrap_or(0.0));
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
