//! Packets of the trace.

use bigtpu_perfetto_protos::prost::Message as _;
use bigtpu_perfetto_protos::{
    DebugAnnotation, Trace, TraceAttributes, TracePacket, TrackDescriptor, TrackEvent,
    debug_annotation, trace_attributes, trace_packet, track_event,
};

/// Packets of one writer share a sequence.
const SEQUENCE: u32 = 1;

/// What the trace says of itself: key and text.
pub(super) type Attribute = (String, String);

/// An argument of a slice.
pub(super) enum Argument {
    Number(&'static str, i64),
    Text(&'static str, String),
}

/// A slice of a track.
pub(super) struct Slice {
    /// ns since the trace's 0.
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) name: String,
    pub(super) category: &'static str,
    pub(super) arguments: Vec<Argument>,
    /// Flows that go through it.
    pub(super) flow: Option<u64>,
    /// The flow ends here.
    pub(super) ends_flow: bool,
}

impl Slice {
    pub(super) fn new(start: u64, end: u64, name: String, category: &'static str) -> Self {
        let arguments = Vec::new();
        Self { start, end, name, category, arguments, flow: None, ends_flow: false }
    }
}

/// Packets as bytes.
#[derive(Default)]
pub(super) struct Packets(Vec<u8>);

impl Packets {
    pub(super) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.0)
    }

    pub(super) fn attributes(&mut self, pairs: Vec<Attribute>) {
        let attribute = |(key, value)| trace_attributes::Attribute {
            key: Some(key),
            value: Some(trace_attributes::attribute::Value::StringValue(value)),
        };
        let attribute = pairs.into_iter().map(attribute).collect();
        self.push(None, trace_packet::Data::TraceAttributes(TraceAttributes { attribute }));
    }

    pub(super) fn track(&mut self, descriptor: TrackDescriptor) {
        self.push(None, trace_packet::Data::TrackDescriptor(descriptor));
    }

    pub(super) fn begin(&mut self, track: u64, slice: Slice) {
        let flows = |here: bool| slice.flow.filter(|_| here).into_iter().collect();
        let event = TrackEvent {
            r#type: Some(track_event::Type::SliceBegin as i32),
            track_uuid: Some(track),
            categories: vec![slice.category.to_owned()],
            debug_annotations: slice.arguments.into_iter().map(annotation).collect(),
            flow_ids: flows(!slice.ends_flow),
            terminating_flow_ids: flows(slice.ends_flow),
            name_field: Some(track_event::NameField::Name(slice.name)),
            ..TrackEvent::default()
        };
        self.push(Some(slice.start), trace_packet::Data::TrackEvent(event));
    }

    pub(super) fn end(&mut self, track: u64, time: u64) {
        let event = TrackEvent {
            r#type: Some(track_event::Type::SliceEnd as i32),
            track_uuid: Some(track),
            ..TrackEvent::default()
        };
        self.push(Some(time), trace_packet::Data::TrackEvent(event));
    }

    fn push(&mut self, timestamp: Option<u64>, data: trace_packet::Data) {
        let sequence =
            trace_packet::OptionalTrustedPacketSequenceId::TrustedPacketSequenceId(SEQUENCE);
        let packet = TracePacket {
            timestamp,
            data: Some(data),
            optional_trusted_packet_sequence_id: Some(sequence),
            ..TracePacket::default()
        };
        self.0.extend(Trace { packet: vec![packet] }.encode_to_vec());
    }
}

fn annotation(argument: Argument) -> DebugAnnotation {
    let (name, value) = match argument {
        Argument::Number(name, value) => (name, debug_annotation::Value::IntValue(value)),
        Argument::Text(name, text) => (name, debug_annotation::Value::StringValue(text)),
    };
    DebugAnnotation {
        name_field: Some(debug_annotation::NameField::Name(name.to_owned())),
        value: Some(value),
        ..DebugAnnotation::default()
    }
}
