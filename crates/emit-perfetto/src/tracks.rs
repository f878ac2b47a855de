//! The tree of tracks: descriptors, and a packet sequence for each.

use bigtpu_perfetto_protos::prost::Message;
use bigtpu_perfetto_protos::track_descriptor::{ChildTracksOrdering, StaticOrDynamicName};
use bigtpu_perfetto_protos::{CounterDescriptor, TrackDescriptor, field, trace_packet};

use crate::sequence::Sequence;
use crate::wire;

/// What a track is, next to its name.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Kind<'a> {
    /// Track that it belongs under; `None`: see [`Tracks::under`].
    pub(crate) parent: Option<u64>,
    /// Place among its siblings.
    pub(crate) rank: Option<i32>,
    /// Its children are by their ranks.
    pub(crate) ranks_children: bool,
    /// It is a counter of this unit.
    pub(crate) counter: Option<&'a str>,
}

/// Hands out track ids and collects the descriptors.
#[derive(Debug, Default)]
pub(crate) struct Tracks {
    last: u64,
    /// Track that those without a parent belong under.
    root: Option<u64>,
    descriptors: Vec<u8>,
}

impl Tracks {
    /// From now on, tracks without a parent belong under `root`.
    pub(crate) fn under(&mut self, root: Option<u64>) {
        self.root = root;
    }

    /// Defines a track and returns its id.
    pub(crate) fn define(&mut self, name: &str, kind: Kind<'_>) -> u64 {
        self.last += 1;
        let descriptor = TrackDescriptor {
            uuid: Some(self.last),
            parent_uuid: kind.parent.or(self.root),
            child_ordering: kind.ranks_children.then_some(ChildTracksOrdering::Explicit.into()),
            sibling_order_rank: kind.rank,
            counter: kind.counter.map(|unit| CounterDescriptor {
                unit_name: Some(unit.to_owned()),
                ..CounterDescriptor::default()
            }),
            static_or_dynamic_name: Some(StaticOrDynamicName::Name(name.to_owned())),
            ..TrackDescriptor::default()
        };
        packet(&mut self.descriptors, trace_packet::Data::TrackDescriptor(descriptor));
        self.last
    }

    /// Defines a track whose events are to be written.
    pub(crate) fn sequence(&mut self, name: &str, kind: Kind<'_>) -> Sequence {
        let id = self.define(name, kind);
        Sequence::new(id, id)
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
