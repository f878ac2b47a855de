//! What the trace says of itself: chip, clocks, the ledger.
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
fn pairs(profile: &Profile<'_>) -> Vec<(String, String)> {
    let mut pairs = vec![
        ("bigtpuprofile.version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
        ("bigtpuprofile.chip".to_owned(), profile.chip.name.clone()),
        ("bigtpuprofile.tiu_mhz".to_owned(), profile.clocks.tiu_mhz.to_string()),
        ("bigtpuprofile.dma_mhz".to_owned(), profile.clocks.dma_mhz.to_string()),
        ("bigtpuprofile.events".to_owned(), profile.event_count().to_string()),
    ];
    for line in &profile.ledger.lines {
        let values = line.counts.values();
        let counts = Counts::TITLES.iter().zip(values).filter(|(_, n)| *n > 0);
        let counts: Vec<String> = counts.map(|(title, n)| format!("{title} {n}")).collect();
        pairs.push((format!("bigtpuprofile.ledger.{}", line.place), counts.join(", ")));
    }
    let notes = &profile.ledger.notes;
    for (n, note) in notes.iter().take(MOST_NOTES).enumerate() {
        pairs.push((format!("bigtpuprofile.note.{}", n + 1), note.to_string()));
    }
    if notes.len() > MOST_NOTES {
        pairs.push(("bigtpuprofile.notes".to_owned(), notes.len().to_string()));
    }
    pairs
}

/// The packets.
pub(crate) fn packets(profile: &Profile<'_>, host: Option<&HostTrace>) -> Vec<u8> {
    let mut pairs = pairs(profile);
    if let Some(host) = host {
        let stats = &host.stats;
        let text = format!(
            "{} events, {} left out, {} mended, {} begins or ends without a partner",
            stats.events,
            stats.bad,
            stats.mended,
            stats.unmatched_begins + stats.unmatched_ends
        );
        pairs.push(("bigtpuprofile.host".to_owned(), text));
    }
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
