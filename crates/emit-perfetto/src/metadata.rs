//! Metadata of the trace: chip, clocks, the ledger.
//!
//! Written twice: as trace attributes, which newer viewers show (`trace_attribute.*` in the `metadata`
//! table), and as the metadata of a Chrome bundle, which all understand (`cr-*`).

use bigtpu_host_trace::HostTrace;
use bigtpu_perfetto_protos::trace_attributes::{Attribute, attribute};
use bigtpu_perfetto_protos::{
    ChromeEventBundle, ChromeMetadata, TraceAttributes, chrome_metadata, trace_packet,
};
use bigtpu_timeline::{Counts, Profile};

use crate::tracks::packet;

/// Notes beyond this many are counted only.
const MOST_NOTES: usize = 100;

/// Names and values.
type Pairs = Vec<(String, String)>;

fn version() -> (String, String) {
    ("bigtpuprofile.version".to_owned(), env!("CARGO_PKG_VERSION").to_owned())
}

/// What is said of a device; names begin with `prefix`.
fn device_pairs(prefix: &str, profile: &Profile<'_>) -> Pairs {
    let name = |what: &str| format!("{prefix}.{what}");
    let mut pairs = vec![
        (name("chip"), profile.chip.name.to_owned()),
        (name("tiu_mhz"), profile.clocks.tiu_mhz.to_string()),
        (name("dma_mhz"), profile.clocks.dma_mhz.to_string()),
        (name("events"), profile.event_count().to_string()),
    ];
    for line in &profile.ledger.lines {
        let values = line.counts.values();
        let counts = Counts::TITLES.iter().zip(values).filter(|(_, n)| *n > 0);
        let counts: Vec<String> = counts.map(|(title, n)| format!("{title} {n}")).collect();
        pairs.push((name(&format!("ledger.{}", line.engine_id)), counts.join(", ")));
    }
    let notes = &profile.ledger.notes;
    for (n, note) in notes.iter().take(MOST_NOTES).enumerate() {
        pairs.push((name(&format!("note.{}", n + 1)), note.to_string()));
    }
    if notes.len() > MOST_NOTES {
        pairs.push((name("notes"), notes.len().to_string()));
    }
    pairs
}

fn host_pair(host: &HostTrace) -> (String, String) {
    let stats = &host.stats;
    let text = format!(
        "{} events, {} left out, {} repaired, {} begin or end events without a partner",
        stats.events,
        stats.bad,
        stats.repaired,
        stats.unmatched_begins + stats.unmatched_ends
    );
    ("bigtpuprofile.host".to_owned(), text)
}

/// The packets of a trace of one device.
pub(crate) fn packets(profile: &Profile<'_>, host: Option<&HostTrace>) -> Vec<u8> {
    let mut pairs = vec![version()];
    pairs.extend(device_pairs("bigtpuprofile", profile));
    pairs.extend(host.map(host_pair));
    written(pairs)
}

/// What a trace of several devices says of itself as a whole.
pub(crate) fn of_trace(time_line: &str) -> Vec<u8> {
    written(vec![version(), ("bigtpuprofile.time_line".to_owned(), time_line.to_owned())])
}

/// What such a trace says of a device.
pub(crate) fn of_device(name: &str, start_ns: i64, profile: &Profile<'_>) -> Vec<u8> {
    let prefix = format!("bigtpuprofile.{name}");
    let mut pairs = vec![(format!("{prefix}.start_ns"), start_ns.to_string())];
    pairs.extend(device_pairs(&prefix, profile));
    written(pairs)
}

/// What such a trace says of the host.
pub(crate) fn of_host(host: &HostTrace) -> Vec<u8> {
    written(vec![host_pair(host)])
}

fn written(pairs: Pairs) -> Vec<u8> {
    let attribute = pairs
        .iter()
        .map(|(key, value)| Attribute {
            key: Some(key.clone()),
            value: Some(attribute::Value::StringValue(value.clone())),
        })
        .collect();
    let metadata = pairs
        .into_iter()
        .map(|(name, value)| ChromeMetadata {
            name: Some(name),
            value: Some(chrome_metadata::Value::StringValue(value)),
        })
        .collect();
    let mut out = Vec::new();
    packet(&mut out, trace_packet::Data::TraceAttributes(TraceAttributes { attribute }));
    packet(&mut out, trace_packet::Data::ChromeEvents(ChromeEventBundle { metadata }));
    out
}
