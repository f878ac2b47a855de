//! Pipelines as a Perfetto trace: a track for each stage, counters of memory, all below one track, which viewers unfold.

use std::collections::BTreeMap;

use bigtpu_messages::Language;
use bigtpu_output::lanes::LaneTree;
use bigtpu_output::plain_line;
use bigtpu_perfetto_protos::prost::Message as _;
use bigtpu_perfetto_protos::{
    CounterDescriptor, DebugAnnotation, Trace, TraceAttributes, TracePacket, TrackDescriptor,
    TrackEvent, debug_annotation, trace_attributes, trace_packet, track_descriptor, track_event,
};
use bigtpu_predict::pipeline::{PipelineReport, Placed, Sent};

use crate::pipeline::svg::headline;
use crate::pipeline::{Labels, Titled};

/// Packets of one writer share a sequence.
const SEQUENCE: u32 = 1;

/// The trace's bytes. A unit of time of the pipeline is shown as a nanosecond.
#[must_use]
pub fn trace(shown: &[Titled], labels: &Labels) -> Vec<u8> {
    let mut out = Vec::new();
    packet(&mut out, None, trace_packet::Data::TraceAttributes(attributes(shown, labels)));
    let title = match shown {
        [only] => name(only, labels),
        _ => format!("{} pipelines", shown.len()),
    };
    let root = TrackDescriptor { uuid: Some(ROOT), ..named(title) };
    let by_rank = Some(track_descriptor::ChildTracksOrdering::Explicit.into());
    track(&mut out, TrackDescriptor { child_ordering: by_rank, ..root });
    let mut rank = 0;
    for (number, titled) in (1_u64..).zip(shown) {
        let prefix = match shown {
            [_] => String::new(),
            _ => format!("{}: ", name(titled, labels)),
        };
        pipeline(&mut out, number << 32, &mut rank, &prefix, titled, labels);
    }
    out
}

/// What a pipeline is, on one line.
fn name(shown: &Titled, labels: &Labels) -> String {
    plain_line(&headline(shown, labels).text(Language::English)).into_owned()
}

/// What the trace says of itself.
fn attributes(shown: &[Titled], labels: &Labels) -> TraceAttributes {
    let version = ("bigtpuprofile.version".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
    let titles = (1..)
        .zip(shown)
        .map(|(number, titled)| (format!("bigtpuprofile.pipeline.{number}"), name(titled, labels)));
    let pairs = std::iter::once(version).chain(titles);
    let attribute = pairs.map(|(key, value)| trace_attributes::Attribute {
        key: Some(key),
        value: Some(trace_attributes::attribute::Value::StringValue(value)),
    });
    TraceAttributes { attribute: attribute.collect() }
}

/// Id of the track of all pipelines.
const ROOT: u64 = 1;

/// `prefix`: before the names of its tracks. All stages are at one level, since a viewer would fold levels in between.
fn pipeline(
    out: &mut Vec<u8>,
    first: u64,
    rank: &mut i32,
    prefix: &str,
    titled: &Titled,
    labels: &Labels,
) {
    let report = &titled.report;
    let stage_track = |stage: u32| first + 2 * u64::from(stage);
    let mut below = |uuid: u64, name: String| {
        *rank += 1;
        TrackDescriptor {
            uuid: Some(uuid),
            parent_uuid: Some(ROOT),
            sibling_order_rank: Some(*rank),
            ..named(format!("{prefix}{name}"))
        }
    };
    for stage in 0..report.stages {
        track(
            out,
            below(
                stage_track(stage),
                plain_line(&labels.row(stage as usize).text(Language::English)).into_owned(),
            ),
        );
    }
    if !report.memory.is_empty() {
        for stage in 0..report.stages {
            let counter = CounterDescriptor {
                unit: Some(bigtpu_perfetto_protos::counter_descriptor::Unit::SizeBytes as i32),
                y_axis_share_key: Some("memory".to_owned()),
                ..CounterDescriptor::default()
            };
            let memory = below(stage_track(stage) + 1, format!("Memory {stage}"));
            track(out, TrackDescriptor { counter: Some(counter), ..memory });
        }
    }
    let links = Links::new(report);
    for (number, name) in (0..).zip(links.tracks) {
        track(out, below(first + FIRST_LINK + number, name));
    }
    let link_track = |sent: usize| first + FIRST_LINK + links.of_sent[sent];
    for (time, event) in slices(report, stage_track, link_track) {
        packet(out, Some(time), trace_packet::Data::TrackEvent(event));
    }
}

/// The first track of a link, behind those of stages and their memory.
const FIRST_LINK: u64 = 1 << 31;

/// Tracks of links. Results that a link carries at the same time are on tracks of their own: slices of one track must not overlap.
struct Links {
    /// Their names.
    tracks: Vec<String>,
    /// Track of each transfer.
    of_sent: Vec<u64>,
}

impl Links {
    fn new(report: &PipelineReport) -> Self {
        let mut links = Self { tracks: Vec::new(), of_sent: Vec::new() };
        let mut by_link: BTreeMap<(u32, u32), (LaneTree, Vec<u64>)> = BTreeMap::new();
        for Sent { event, to, start, end } in &report.transfers {
            let (lanes, own) = by_link.entry((event.stage, *to)).or_default();
            // A lane has room from the end of its last result on: the earlier that is, the more.
            let room = |from: u64| !(from as i64);
            let lane = lanes.first_with(room(*start));
            lanes.set(lane, room(*end));
            if lane == own.len() {
                own.push(links.tracks.len() as u64);
                links.tracks.push(format!("Link {} to {to}", event.stage));
            }
            links.of_sent.push(own[lane]);
        }
        links
    }
}

/// Begins, ends and counter values in the order of time; at one instant what ends goes first.
fn slices(
    report: &PipelineReport,
    stage_track: impl Fn(u32) -> u64,
    link_track: impl Fn(usize) -> u64,
) -> Vec<(u64, TrackEvent)> {
    let mut events = Vec::with_capacity(report.events.len() * 2);
    let end = |track_uuid| TrackEvent {
        r#type: Some(track_event::Type::SliceEnd as i32),
        track_uuid,
        ..TrackEvent::default()
    };
    for (number, sent) in report.transfers.iter().enumerate() {
        let track = Some(link_track(number));
        let placed = Placed { event: sent.event, start: sent.start, end: sent.end };
        events.push((sent.start, 1, begin(&placed, report.chunks, track)));
        events.push((sent.end, 0, end(track)));
    }
    for placed in &report.events {
        // Perfetto shows no slices of no length in their order; they are left out.
        if placed.end == placed.start {
            continue;
        }
        let track = Some(stage_track(placed.event.stage));
        events.push((placed.start, 1, begin(placed, report.chunks, track)));
        events.push((placed.end, 0, end(track)));
    }
    for (stage, curve) in (0..).zip(&report.memory) {
        for &(time, bytes) in &curve.points {
            let event = TrackEvent {
                r#type: Some(track_event::Type::Counter as i32),
                track_uuid: Some(stage_track(stage) + 1),
                counter_value_field: Some(track_event::CounterValueField::CounterValue(bytes)),
                ..TrackEvent::default()
            };
            events.push((time, 2, event));
        }
    }
    events.sort_by_key(|(time, kind, event)| (*time, *kind, event.track_uuid));
    events.into_iter().map(|(time, _, event)| (time, event)).collect()
}

fn begin(placed: &Placed, chunks: u32, track_uuid: Option<u64>) -> TrackEvent {
    let event = placed.event;
    let chunk = if chunks > 1 { format!(" chunk {}", event.chunk) } else { String::new() };
    let name = format!("{} {}{chunk}", event.phase.letter(), event.microbatch);
    TrackEvent {
        r#type: Some(track_event::Type::SliceBegin as i32),
        track_uuid,
        categories: vec![event.phase.name().to_owned()],
        debug_annotations: vec![
            number("microbatch", event.microbatch.into()),
            number("stage", event.stage.into()),
            number("chunk", event.chunk.into()),
        ],
        name_field: Some(track_event::NameField::Name(name)),
        ..TrackEvent::default()
    }
}

fn number(name: &str, value: i64) -> DebugAnnotation {
    DebugAnnotation {
        name_field: Some(debug_annotation::NameField::Name(name.to_owned())),
        value: Some(debug_annotation::Value::IntValue(value)),
        ..DebugAnnotation::default()
    }
}

fn named(name: String) -> TrackDescriptor {
    TrackDescriptor {
        static_or_dynamic_name: Some(track_descriptor::StaticOrDynamicName::Name(name)),
        ..TrackDescriptor::default()
    }
}

fn track(out: &mut Vec<u8>, descriptor: TrackDescriptor) {
    packet(out, None, trace_packet::Data::TrackDescriptor(descriptor));
}

fn packet(out: &mut Vec<u8>, timestamp: Option<u64>, data: trace_packet::Data) {
    let sequence = trace_packet::OptionalTrustedPacketSequenceId::TrustedPacketSequenceId(SEQUENCE);
    let packet = TracePacket {
        timestamp,
        data: Some(data),
        optional_trusted_packet_sequence_id: Some(sequence),
        ..TracePacket::default()
    };
    out.extend(Trace { packet: vec![packet] }.encode_to_vec());
}
