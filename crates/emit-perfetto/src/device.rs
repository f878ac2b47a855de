//! Slices and counters of the device's engines.

use bigtpu_analysis::{dma, percent, percent_number, tiu};
use bigtpu_chip::{Command, Engine, Family, Slot};
use bigtpu_layers::Layers;
use bigtpu_timeline::{Profile, Track};

use crate::args::Args;
use crate::flows::FlowPoint;
use crate::names::Arg;
use crate::sequence::Sequence;
use crate::source::{PIECE, Source};

/// One lane of an engine's slices.
pub(crate) struct SliceSource<'p, 'd> {
    pub(crate) profile: &'p Profile<'d>,
    pub(crate) track: &'p Track<'d>,
    pub(crate) offset: i64,
    /// Events of the lane in time order; `None`: all, as they stand.
    pub(crate) rows: Option<&'p [u32]>,
    pub(crate) at: usize,
    pub(crate) flows: &'p [(u32, FlowPoint, u64)],
    pub(crate) layers: Option<&'p Layers>,
    pub(crate) sequence: Sequence,
}

impl Source for SliceSource<'_, '_> {
    fn fill(&mut self, out: &mut Vec<u8>) -> usize {
        let all = self.rows.map_or(self.track.events.len(), <[u32]>::len);
        let until = all.min(self.at + PIECE);
        let events = &self.track.events;
        for place in self.at..until {
            let i = self.rows.map_or(place, |rows| rows[place] as usize);
            let (start, end) = (events.start[i] + self.offset, events.end[i] + self.offset);
            let Self { profile, track, flows, layers, sequence, .. } = self;
            let event = Event { profile, track, flows, layers: *layers, i };
            if track.place.engine == Engine::Tiu {
                event.tiu_slice(sequence, out, start);
            } else {
                event.dma_slice(sequence, out, start);
            }
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

/// The event whose slice is to be written.
#[derive(Clone, Copy)]
struct Event<'p, 'd> {
    profile: &'p Profile<'d>,
    track: &'p Track<'d>,
    flows: &'p [(u32, FlowPoint, u64)],
    layers: Option<&'p Layers>,
    i: usize,
}

impl Event<'_, '_> {
    /// What every slice shows.
    fn common(&self, args: &mut Args<'_>, function_type: &str, function_name: &str) {
        let (track, i) = (self.track, self.i);
        let tag = self.profile.tag(track, i);
        if let Some(batch) = tag.batch {
            args.int(Arg::BatchLaunch, batch.into());
        }
        if let Some(kernel) = self.profile.kernel(tag) {
            args.text(Arg::Kernel, kernel);
        }
        args.text(Arg::FunctionType, function_type);
        args.text(Arg::FunctionName, function_name);
        if let Some(mode) = tag.mode {
            args.text(Arg::Mode, mode.name());
        }
        args.int(Arg::CmdId, track.command_id(i).unwrap_or(0));
        args.int(Arg::GlobalIdx, i as i64);
        if let Some((id, layer)) = self.layers.and_then(|l| l.of_event(track, i)) {
            args.int(Arg::LayerId, id as i64);
            args.text(Arg::LayerName, &layer.name);
        }
        for &(_, point, flow) in flows_of(self.flows, i) {
            match point {
                FlowPoint::Start => args.flow(flow),
                FlowPoint::End => args.flow_end(flow),
                FlowPoint::EndBehind => {}
            }
        }
    }

    fn tiu_slice(&self, sequence: &mut Sequence, out: &mut Vec<u8>, start: i64) {
        let view = tiu(self.profile, self.track, self.i);
        sequence.begin(out, start, view.function_name, view.function_type, |args| {
            self.common(args, view.function_type, view.function_name);
            if !is_sys(view.function_type) {
                args.text(Arg::UarchRate, &percent(view.uarch_rate(), 1));
                // Without the full bits the rate is unknown; the text is bigTpuProfile's.
                if view.command.is_some() {
                    args.double(Arg::UarchRateNumber, percent_number(view.uarch_rate()));
                }
            }
            if let Some(command) = view.command {
                if command.register.has(Slot::TiuShort) {
                    args.int(Arg::DesCmdShort, command.get(Slot::TiuShort) as i64);
                }
                if command.register.has(Slot::IdDep) {
                    args.int(Arg::DesCmdIdDep, command.get(Slot::IdDep) as i64);
                }
            }
        });
    }

    fn dma_slice(&self, sequence: &mut Sequence, out: &mut Vec<u8>, start: i64) {
        let view = dma(self.profile, self.track, self.i);
        let family = self.profile.chip.family;
        sequence.begin(out, start, &view.function_name, view.function_type, |args| {
            self.common(args, view.function_type, &view.function_name);
            if view.data_format.is_some() || view.command.is_some() {
                args.text(Arg::DataType, view.data_type);
            }
            let bits = view.command;
            if let Some(command) = bits.filter(|c| c.register.has(Slot::IdDep)) {
                args.int(Arg::CmdIdDep, command.get(Slot::IdDep) as i64);
            }
            if is_sys(view.function_type) {
                return;
            }
            bandwidth(args, Arg::DdrBandwidth, view.ddr_gbps);
            bandwidth(args, Arg::L2Bandwidth, view.l2_gbps);
            args.text(Arg::Direction, view.direction.text());
            args.int(Arg::DataSize, view.traffic.bytes as i64);
            let no_address = matches!(family, Family::Bm1684x | Family::Bm1688) && view.task == 6;
            for (name, side) in [(Arg::SrcInfo, &SRC), (Arg::DstInfo, &DST)] {
                args.dict(name, |args| side.write(args, family, bits, no_address));
            }
        });
    }
}

/// A plain 0 where nothing was computed.
fn bandwidth(args: &mut Args<'_>, arg: Arg, gbps: Option<f64>) {
    match gbps {
        Some(gbps) => args.double(arg, gbps),
        None => args.int(arg, 0),
    }
}

/// Where a side's fields stand.
struct Side {
    address: Arg,
    low: Slot,
    high13: Slot,
    high8: Slot,
    sizes: [(Arg, Slot); 8],
}

const SRC: Side = Side {
    address: Arg::SrcAddr,
    low: Slot::SrcL32,
    high13: Slot::SrcH13,
    high8: Slot::SrcH8,
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
    low: Slot::DstL32,
    high13: Slot::DstH13,
    high8: Slot::DstH8,
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
    fn write(
        &self,
        args: &mut Args<'_>,
        family: Family,
        bits: Option<Command<'_>>,
        no_address: bool,
    ) {
        let Some(command) = bits else {
            args.int(self.address, 0);
            return;
        };
        for (arg, slot) in self.sizes {
            if command.register.has(slot) {
                args.int(arg, command.get(slot) as i64);
            }
        }
        let high = if matches!(family, Family::Bm1684x | Family::Bm1688) {
            self.high8
        } else {
            self.high13
        };
        let address = command.get(high) << 32 | command.get(self.low);
        args.int(self.address, if no_address { 0 } else { address as i64 });
    }
}

/// A counter that has a value while an event runs: the TIU's uArch rate, the GDMA's bandwidth.
pub(crate) struct CounterSource<'p, 'd> {
    profile: &'p Profile<'d>,
    track: &'p Track<'d>,
    offset: i64,
    /// Samples in time order, as event * 2 + (1 at its end); `None`: as they stand.
    order: Option<Vec<u64>>,
    at: usize,
    sequence: Sequence,
}

impl<'p, 'd> CounterSource<'p, 'd> {
    pub(crate) fn new(
        profile: &'p Profile<'d>,
        track: &'p Track<'d>,
        offset: i64,
        sequence: Sequence,
    ) -> Self {
        let events = &track.events;
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
        Self { profile, track, offset, order, at: 0, sequence }
    }

    fn value(&self, i: usize) -> f64 {
        if self.track.place.engine == Engine::Tiu {
            let view = tiu(self.profile, self.track, i);
            let shown = !is_sys(view.function_type);
            if shown { percent_number(view.uarch_rate()) } else { 0.0 }
        } else {
            let view = dma(self.profile, self.track, i);
            let shown = !is_sys(view.function_type);
            view.ddr_gbps.filter(|_| shown).unwrap_or(0.0)
        }
    }
}

impl Source for CounterSource<'_, '_> {
    fn fill(&mut self, out: &mut Vec<u8>) -> usize {
        let until = (2 * self.track.events.len()).min(self.at + 2 * PIECE);
        for place in self.at..until {
            let sample = self.order.as_ref().map_or(place as u64, |order| order[place]);
            let i = (sample / 2) as usize;
            let events = &self.track.events;
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
