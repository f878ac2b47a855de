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

use crate::clock::{FIRST_DATE_NS, TraceClock};
use crate::detail::TraceDetail;
use crate::tracks::packet;

/// Notes beyond this many are counted only.
const MOST_NOTES: usize = 100;

/// Names and values.
type Pairs = Vec<(String, String)>;

fn version() -> (String, String) {
    ("bigtpuprofile.version".to_owned(), env!("CARGO_PKG_VERSION").to_owned())
}

/// What the trace tells of each command, where that is not all.
fn detail_pair(detail: TraceDetail) -> Option<(String, String)> {
    let text = format!(
        "light: no addresses, shapes, types and indices of commands, steps and layers as views look them up, of counters the mean \
         of each {}th of the run; --detail full has all, --window and --kernel cut the trace",
        TraceDetail::WINDOWS
    );
    (!detail.is_full()).then(|| ("bigtpuprofile.detail".to_owned(), text))
}

/// What is said of a device; names begin with `prefix`.
fn device_pairs(prefix: &str, profile: &Profile<'_>) -> Pairs {
    let name = |what: &str| format!("{prefix}.{what}");
    let mut pairs = vec![
        (name("chip"), profile.chip.name.to_owned()),
        (name("tiu_mhz"), profile.clocks.tiu_mhz.to_string()),
        (name("dma_mhz"), profile.clocks.dma_mhz.to_string()),
        (name("events"), profile.event_count().to_string()),
        (name("completeness"), profile.ledger.completeness.to_string()),
    ];
    if profile.is_simulated {
        pairs.push((name("simulated"), "the times are predicted, nothing was measured".to_owned()));
    }
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

fn host_pairs(host: &HostTrace, zero_ns: i64) -> Pairs {
    let mut pairs = vec![
        ("bigtpuprofile.host".to_owned(), host.tally.to_string()),
        ("bigtpuprofile.time_zero_ns".to_owned(), zero_ns.to_string()),
    ];
    let at_zero =
        TraceClock::from_host(host, zero_ns).and_then(|clock| i64::try_from(clock.at_zero()).ok());
    pairs.extend(at_zero.and_then(date).map(|date| ("bigtpuprofile.time_zero".to_owned(), date)));
    pairs
}

/// The date and time, in UTC, of ns since 1970, such as `2024-04-09 01:51:07.123456789 UTC`; `None` for times that can't
/// be such.
fn date(ns: i64) -> Option<String> {
    if ns < FIRST_DATE_NS {
        return None;
    }
    let (seconds, ns) = (ns / 1_000_000_000, ns % 1_000_000_000);
    let (days, of_day) = (seconds / 86_400, seconds % 86_400);
    // Days of a year that begins in March, in eras of 400 years: the leap day is the last.
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    let (hours, minutes, seconds) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    Some(format!("{year}-{month:02}-{day:02} {hours:02}:{minutes:02}:{seconds:02}.{ns:09} UTC"))
}

/// The packets of a trace of one device.
///
/// `host`: the host trace, and the time that is the trace's 0.
pub(crate) fn packets(
    profile: &Profile<'_>,
    host: Option<(&HostTrace, i64)>,
    detail: TraceDetail,
) -> Vec<u8> {
    let mut pairs = vec![version()];
    pairs.extend(detail_pair(detail));
    pairs.extend(device_pairs("bigtpuprofile", profile));
    pairs.extend(host.into_iter().flat_map(|(host, zero)| host_pairs(host, zero)));
    written(pairs)
}

/// What a trace of several devices says of itself as a whole.
pub(crate) fn of_trace(time_line: &str, detail: TraceDetail) -> Vec<u8> {
    let mut pairs = vec![version(), ("bigtpuprofile.time_line".to_owned(), time_line.to_owned())];
    pairs.extend(detail_pair(detail));
    written(pairs)
}

/// What such a trace says of a device.
///
/// `is_early`: it starts before the trace's 0.
pub(crate) fn of_device(
    name: &str,
    start_ns: i64,
    is_early: bool,
    profile: &Profile<'_>,
) -> Vec<u8> {
    let prefix = format!("bigtpuprofile.{name}");
    let mut pairs = vec![(format!("{prefix}.start_ns"), start_ns.to_string())];
    pairs.extend(device_pairs(&prefix, profile));
    if is_early {
        let text =
            "it starts before the host trace: what is earlier than the trace's 0 is shown there";
        pairs.push((format!("{prefix}.time_line"), text.to_owned()));
    }
    written(pairs)
}

/// What such a trace says of the host.
pub(crate) fn of_host(host: &HostTrace, zero_ns: i64) -> Vec<u8> {
    written(host_pairs(host, zero_ns))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let of = |seconds: i64| date(seconds * 1_000_000_000).unwrap();
        assert_eq!(of(1_000_000_000), "2001-09-09 01:46:40.000000000 UTC");
        assert_eq!(of(1_709_164_800), "2024-02-29 00:00:00.000000000 UTC");
        assert_eq!(of(1_709_251_199), "2024-02-29 23:59:59.000000000 UTC");
        assert_eq!(of(1_735_689_600), "2025-01-01 00:00:00.000000000 UTC");
        assert_eq!(date(5_000_000_000), None);
    }
}
