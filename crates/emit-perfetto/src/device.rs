//! Slices and counters of the device's engines.

use bigtpu_chip::{Command, Engine, Family, Slot};
use bigtpu_layers::Layers;
use bigtpu_measure::{Kind, TrackCommand, TrackCommands, percent, percent_number};
use bigtpu_replay::EngineCauses;

use crate::args::Args;
use crate::flows::FlowPoint;
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
    pub(crate) flows: &'p [(u32, FlowPoint, u64)],
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
            let Self { flows, causes, layers, sequence, encoded, .. } = self;
            let Some(kind) = command.kind_number() else { continue };
            let slot = encoded.kinds.slot(kind);
            let slack_ns = causes.and_then(|causes| causes.slack_ns(i));
            let slice = Slice { command, slot, flows, slack_ns, layers: *layers };
            sequence.begin_untitled(out, start, |args| slice.write(encoded, args));
            self.sequence.end(out, end);
            for &(_, point, flow) in flows_of(self.flows, i) {
                if point == FlowPoint::EndBehind {
                    self.sequence.instant(out, end, RELEASED, "sys", |args| args.flow_end(flow));
                }
            }
        }
        let done = until - self.at;
        self.at = until;
        done
    }
}

/// Name of the mark at a wait's end where a flow ends because no command follows.
const RELEASED: &str = "released";

/// What flows do at an event.
fn flows_of(
    flows: &[(u32, FlowPoint, u64)],
    event: usize,
) -> impl Iterator<Item = &(u32, FlowPoint, u64)> {
    let first = flows.partition_point(|&(i, ..)| (i as usize) < event);
    flows.get(first..).unwrap_or_default().iter().take_while(move |&&(i, ..)| i as usize == event)
}

/// System commands show neither rates nor transfers.
fn is_sys(function_type: &str) -> bool {
    matches!(function_type, "sys" | "SYS")
}

/// The command whose slice is to be written.
#[derive(Clone, Copy)]
struct Slice<'p, 'd> {
    command: TrackCommand<'p, 'd>,
    /// Where the parts of its kind are.
    slot: usize,
    flows: &'p [(u32, FlowPoint, u64)],
    slack_ns: Option<i64>,
    layers: Option<&'p Layers>,
}

impl Slice<'_, '_> {
    fn write(&self, encoded: &mut Encoded, args: &mut Args<'_>) {
        let Kind { engine, function_type, function_name, .. } = self.command.kind;
        encoded.part(self.slot, Part::Title, args, |args| args.title(function_name, function_type));
        self.common(encoded, args);
        match engine {
            Engine::Tiu => self.tiu(encoded, args),
            Engine::Gdma | Engine::Sdma | Engine::Cdma => self.dma(encoded, args),
        }
    }

    /// What every slice shows.
    fn common(&self, encoded: &mut Encoded, args: &mut Args<'_>) {
        let Kind { function_type, function_name, .. } = self.command.kind;
        let TrackCommand { all, index: i, .. } = self.command;
        let tag = self.command.tag();
        let tag_slot = encoded.tags.slot(all.track.events.tag.get(i).copied().unwrap_or(0));
        encoded.tags.put(tag_slot, 0, args, |args| {
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
        });
        encoded.tags.put(tag_slot, 1, args, |args| {
            if let Some(mode) = tag.mode {
                args.text(Arg::Mode, mode.name());
            }
        });
        args.int(Arg::CmdId, self.command.id());
        args.int(Arg::GlobalIdx, i as i64);
        if let Some(slack_ns) = self.slack_ns {
            args.int(Arg::Slack, slack_ns);
        }
        if let Some((id, layer)) = self.layers.and_then(|l| l.of_event(all.track, i)) {
            args.int(Arg::LayerId, id as i64);
            args.text(Arg::LayerName, &layer.name);
        }
        for &(_, point, flow) in flows_of(self.flows, i) {
            args.flow_point(point, flow);
        }
    }

    fn tiu(&self, encoded: &mut Encoded, args: &mut Args<'_>) {
        let kind = self.command.kind;
        encoded.part(self.slot, Part::First, args, |args| {
            if !is_sys(kind.function_type) {
                let rate = kind.uarch_rate(self.command.all.profile.chip.family);
                args.text(Arg::UarchRate, &percent(rate, 1));
                // Without the full bits the rate is unknown; the text is bigTpuProfile's.
                if kind.is_full() {
                    args.double(Arg::UarchRateNumber, percent_number(rate));
                }
            }
            let bits = self.command.bits().filter(|c| c.register.has(Slot::TiuShort));
            if let Some(command) = bits {
                args.int(Arg::DesCmdShort, command.get(Slot::TiuShort) as i64);
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
        if is_sys(kind.function_type) {
            return;
        }
        let transfer = self.command.transfer();
        bandwidth(args, Arg::DdrBandwidth, transfer.ddr_gbps());
        bandwidth(args, Arg::L2Bandwidth, transfer.l2_gbps());
        encoded.part(self.slot, Part::Direction, args, |args| {
            args.text(Arg::Direction, moved.direction.text());
        });
        args.int(Arg::DataSize, transfer.traffic.bytes as i64);
        let family = self.command.all.profile.chip.family;
        let no_address = matches!(family, Family::Bm1684x | Family::Bm1688) && kind.task == 6;
        let addresses = self.command.addresses();
        for (name, part, side, address) in [
            (Arg::SrcInfo, Part::Source, &SRC, addresses.source),
            (Arg::DstInfo, Part::Destination, &DST, addresses.destination),
        ] {
            args.dict(name, |args| {
                encoded.part(self.slot, part, args, |args| side.sizes(args, self.command.bits()));
                args.int(side.address, if no_address { 0 } else { address as i64 });
            });
        }
    }
}

/// A plain 0 where nothing was computed.
fn bandwidth(args: &mut Args<'_>, arg: Arg, gbps: Option<f64>) {
    match gbps {
        Some(gbps) => args.double(arg, gbps),
        None => args.int(arg, 0),
    }
}

/// Where a side's fields are.
struct Side {
    address: Arg,
    sizes: [(Arg, Slot); 8],
}

const SRC: Side = Side {
    address: Arg::SrcAddr,
    sizes: [
        (Arg::SrcNStride, Slot::SrcNStride),
        (Arg::SrcCStride, Slot::SrcCStride),
        (Arg::SrcHStride, Slot::SrcHStride),
        (Arg::SrcWStride, Slot::SrcWStride),
        (Arg::SrcN, Slot::SrcN),
        (Arg::SrcC, Slot::SrcC),
        (Arg::SrcH, Slot::SrcH),
        (Arg::SrcW, Slot::SrcW),
    ],
};

const DST: Side = Side {
    address: Arg::DstAddr,
    sizes: [
        (Arg::DstNStride, Slot::DstNStride),
        (Arg::DstCStride, Slot::DstCStride),
        (Arg::DstHStride, Slot::DstHStride),
        (Arg::DstWStride, Slot::DstWStride),
        (Arg::DstN, Slot::DstN),
        (Arg::DstC, Slot::DstC),
        (Arg::DstH, Slot::DstH),
        (Arg::DstW, Slot::DstW),
    ],
};

impl Side {
    /// Strides and sizes, where the command's register has them.
    fn sizes(&self, args: &mut Args<'_>, bits: Option<Command<'_>>) {
        let Some(command) = bits else { return };
        for (arg, slot) in self.sizes {
            if command.register.has(slot) {
                args.int(arg, command.get(slot) as i64);
            }
        }
    }
}

/// A counter that has a value while an event runs: the TIU's uArch rate, the GDMA's bandwidth.
pub(crate) struct CounterSource<'p, 'd> {
    commands: TrackCommands<'p, 'd>,
    offset: i64,
    /// Samples in time order, as event * 2 + (1 at its end); `None`: as they are.
    order: Option<Vec<u64>>,
    at: usize,
    sequence: Sequence,
}

impl<'p, 'd> CounterSource<'p, 'd> {
    pub(crate) fn new(commands: TrackCommands<'p, 'd>, offset: i64, sequence: Sequence) -> Self {
        let events = &commands.track.events;
        let time = |sample: u64| {
            let i = (sample / 2) as usize;
            if sample.is_multiple_of(2) { events.start[i] } else { events.end[i] }
        };
        let samples = 2 * events.len() as u64;
        let order = (!(0..samples).is_sorted_by_key(time)).then(|| {
            let mut order: Vec<u64> = (0..samples).collect();
            order.sort_by_key(|&sample| time(sample));
            order
        });
        Self { commands, offset, order, at: 0, sequence }
    }

    fn value(&self, i: usize) -> f64 {
        let Some(command) = self.commands.get(i) else { return 0.0 };
        let kind = command.kind;
        if is_sys(kind.function_type) {
            0.0
        } else if kind.engine == Engine::Tiu {
            percent_number(kind.uarch_rate(self.commands.profile.chip.family))
        } else {
            command.transfer().ddr_gbps().unwrap_or(0.0)
        }
    }
}

impl Source for CounterSource<'_, '_> {
    fn fill(&mut self, out: &mut Vec<u8>) -> usize {
        let until = (2 * self.commands.len()).min(self.at + 2 * PIECE);
        for place in self.at..until {
            let sample = self.order.as_ref().map_or(place as u64, |order| order[place]);
            let i = (sample / 2) as usize;
            let events = &self.commands.track.events;
            if sample.is_multiple_of(2) {
                let value = self.value(i);
                self.sequence.count(out, events.start[i] + self.offset, value);
            } else {
                self.sequence.count(out, events.end[i] + self.offset, 0.0);
            }
        }
        let done = (until - self.at).div_ceil(2);
        self.at = until;
        done
    }
}
