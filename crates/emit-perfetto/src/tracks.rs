//! The tree of tracks: descriptors, and a packet sequence for each.

use bigtpu_perfetto_protos::prost::Message;
use bigtpu_perfetto_protos::track_descriptor::{ChildTracksOrdering, StaticOrDynamicName};
use bigtpu_perfetto_protos::{
    CounterDescriptor, ProcessDescriptor, ThreadDescriptor, TrackDescriptor, field, trace_packet,
};

use crate::clock::TraceClock;
use crate::describe::describe;
use crate::sequence::Sequence;
use crate::wire;

/// What a track is, next to its name.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Kind<'a> {
    /// Track that it belongs under; `None`: see [`Tracks::set_root`].
    pub(crate) parent: Option<u64>,
    /// Place among its siblings.
    pub(crate) rank: Option<i32>,
    /// Its children are by their ranks.
    pub(crate) ranks_children: bool,
    /// Unit of the counter, if the track is one.
    pub(crate) counter: Option<&'a str>,
}

/// Counters of this unit are bandwidths: they share one axis, so that their heights can be compared.
const BANDWIDTH_UNIT: &str = "GB/s";

/// Hands out track ids and collects the descriptors.
#[derive(Debug, Default)]
pub(crate) struct Tracks {
    last: u64,
    /// Track that those without a parent belong under.
    root: Option<u64>,
    /// Time that is the trace's 0, in ns.
    zero: i64,
    /// The trace's own clock, if its 0 is known on the wall clock.
    clock: Option<TraceClock>,
    descriptors: Vec<u8>,
}

impl Tracks {
    /// Tracks of a trace whose 0 is `zero` ns.
    pub(crate) fn starting_at(zero: i64) -> Self {
        Self { zero, ..Self::default() }
    }

    /// Sets the trace's own clock, which times are counted on.
    pub(crate) fn on_clock(self, clock: Option<TraceClock>) -> Self {
        Self { clock, ..self }
    }

    /// From now on, tracks without a parent belong under `root`.
    pub(crate) fn set_root(&mut self, root: Option<u64>) {
        self.root = root;
    }

    /// Defines a track and returns its id.
    pub(crate) fn define(&mut self, name: &str, kind: Kind<'_>) -> u64 {
        self.described(TrackDescriptor {
            parent_uuid: kind.parent.or(self.root),
            child_ordering: kind.ranks_children.then_some(ChildTracksOrdering::Explicit.into()),
            sibling_order_rank: kind.rank,
            counter: kind.counter.map(|unit| CounterDescriptor {
                unit_name: Some(unit.to_owned()),
                y_axis_share_key: (unit == BANDWIDTH_UNIT).then(|| "bandwidth".to_owned()),
                ..CounterDescriptor::default()
            }),
            description: describe(name).map(str::to_owned),
            static_or_dynamic_name: Some(StaticOrDynamicName::Name(name.to_owned())),
            ..TrackDescriptor::default()
        })
    }

    /// Defines a process and returns the id of its track; viewers show it next to the other roots.
    pub(crate) fn process(&mut self, pid: i32, name: &str, label: Option<&str>) -> u64 {
        self.described(TrackDescriptor {
            process: Some(ProcessDescriptor {
                pid: Some(pid),
                process_name: Some(name.to_owned()),
                process_labels: label.into_iter().map(str::to_owned).collect(),
                ..ProcessDescriptor::default()
            }),
            ..TrackDescriptor::default()
        })
    }

    /// Defines a thread of a process and returns the id of its track.
    pub(crate) fn thread(&mut self, process: u64, pid: i32, tid: i64, name: &str) -> u64 {
        self.described(TrackDescriptor {
            parent_uuid: Some(process),
            thread: Some(ThreadDescriptor {
                pid: Some(pid),
                tid: Some(tid),
                thread_name: Some(name.to_owned()),
            }),
            ..TrackDescriptor::default()
        })
    }

    fn described(&mut self, descriptor: TrackDescriptor) -> u64 {
        self.last += 1;
        let descriptor = TrackDescriptor { uuid: Some(self.last), ..descriptor };
        packet(&mut self.descriptors, trace_packet::Data::TrackDescriptor(descriptor));
        self.last
    }

    /// What writes the events of a track.
    pub(crate) fn sequence_of(&self, track: u64) -> Sequence {
        Sequence::new(track, track, self.zero).on_clock(self.clock)
    }

    /// Defines a track whose events are to be written.
    pub(crate) fn sequence(&mut self, name: &str, kind: Kind<'_>) -> Sequence {
        let id = self.define(name, kind);
        self.sequence_of(id)
    }

    /// Defines lane `lane` of a track: `name` itself, then `name #2`, `name #3` and so on.
    pub(crate) fn lane(&mut self, name: &str, lane: usize, kind: Kind<'_>) -> Sequence {
        match lane {
            0 => self.sequence(name, kind),
            _ => self.sequence(&format!("{name} #{}", lane + 1), kind),
        }
    }

    /// The packets of all descriptors so far.
    pub(crate) fn take_descriptors(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.descriptors)
    }
}

/// Appends a packet that belongs to no sequence.
pub(crate) fn packet(out: &mut Vec<u8>, data: trace_packet::Data) {
    wire::message(out, field::trace::PACKET, |out| {
        let packet = bigtpu_perfetto_protos::TracePacket { data: Some(data), ..Default::default() };
        out.extend(packet.encode_to_vec());
    });
}
