//! Pipelines as a Perfetto trace: a process for each pipeline, a track for each stage, counters of memory.

use bigtpu_perfetto_protos::prost::Message as _;
use bigtpu_perfetto_protos::{
    CounterDescriptor, Trace, TracePacket, TrackDescriptor, TrackEvent, trace_packet,
    track_descriptor, track_event,
};
use bigtpu_pipeline::{Placed, Report};

use crate::svg::headline;
use crate::{Labels, Titled};

/// Packets of one writer share a sequence.
const SEQUENCE: u32 = 1;

/// The trace's bytes. A unit of time of the pipeline is shown as a nanosecond.
#[must_use]
pub fn trace(shown: &[Titled], labels: &Labels) -> Vec<u8> {
    let mut out = Vec::new();
    for (number, titled) in (1_u64..).zip(shown) {
        pipeline(&mut out, number << 32, titled, labels);
    }
    out
}

fn pipeline(out: &mut Vec<u8>, root: u64, titled: &Titled, labels: &Labels) {
    let report = &titled.report;
    track(out, TrackDescriptor { uuid: Some(root), ..named(headline(titled, labels)) });
    let stage_track = |stage: u32| root + 1 + 2 * u64::from(stage);
    for stage in 0..report.stages {
        let parent_uuid = Some(root);
        let rank = i32::try_from(2 * stage).ok();
        track(
            out,
            TrackDescriptor {
                uuid: Some(stage_track(stage)),
                parent_uuid,
                sibling_order_rank: rank,
                ..named(labels.row(stage as usize))
            },
        );
        if !report.memory.is_empty() {
            track(
                out,
                TrackDescriptor {
                    uuid: Some(stage_track(stage) + 1),
                    parent_uuid,
                    sibling_order_rank: rank.map(|rank| rank + 1),
                    counter: Some(CounterDescriptor {
                        unit: Some(
                            bigtpu_perfetto_protos::counter_descriptor::Unit::SizeBytes as i32,
                        ),
                        ..CounterDescriptor::default()
                    }),
                    ..named(format!("Memory {stage}"))
                },
            );
        }
    }
    for (time, event) in slices(report, stage_track) {
        packet(out, Some(time), trace_packet::Data::TrackEvent(event));
    }
}

/// Begins, ends and counter values in the order of time; at one instant what ends goes first.
fn slices(report: &Report, stage_track: impl Fn(u32) -> u64) -> Vec<(u64, TrackEvent)> {
    let mut events = Vec::with_capacity(report.events.len() * 2);
    for placed in &report.events {
        // Perfetto shows no slices of no length in their order; they are left out.
        if placed.end == placed.start {
            continue;
        }
        let track = Some(stage_track(placed.event.stage));
        let end = TrackEvent {
            r#type: Some(track_event::Type::SliceEnd as i32),
            track_uuid: track,
            ..TrackEvent::default()
        };
        events.push((placed.start, 1, begin(placed, report.chunks, track)));
        events.push((placed.end, 0, end));
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
        name_field: Some(track_event::NameField::Name(name)),
        ..TrackEvent::default()
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
