//! The trace tells where it comes from and what became of the records: for viewers of today as trace
//! attributes, for older ones as Chrome metadata.

use bigtpu_timeline::{BuildOptions, Counts, Dump, Ledger, Profile};

use crate::support::case::{Case, with_reference};
use crate::support::run::analyzed;
use crate::support::trace::Trace;

fn value<'a>(trace: &'a Trace, name: &str) -> Option<&'a str> {
    let name = format!("bigtpuprofile.{name}");
    trace.attributes.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_str())
}

fn tells_of_chip_and_clocks(case: &Case, trace: &Trace, profile: &Profile<'_>) {
    let expected = [
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("chip", profile.chip.name.to_owned()),
        ("tiu_mhz", profile.clocks.tiu_mhz.to_string()),
        ("dma_mhz", profile.clocks.dma_mhz.to_string()),
        ("events", profile.event_count().to_string()),
    ];
    for (name, expected) in expected {
        assert_eq!(value(trace, name), Some(expected.as_str()), "{}: {name}", case.name);
    }
}

fn holds_the_ledger(case: &Case, trace: &Trace, ledger: &Ledger) {
    for line in &ledger.lines {
        let said = value(trace, &format!("ledger.{}", line.engine_id));
        let said = said.unwrap_or_else(|| panic!("{}: no {}", case.name, line.engine_id));
        for (title, count) in Counts::TITLES.iter().zip(line.counts.values()) {
            let told = said.split(", ").any(|part| part == format!("{title} {count}"));
            assert_eq!(told, count > 0, "{}, {}: {title} in {said}", case.name, line.engine_id);
        }
    }
    for (number, note) in (1..).zip(&ledger.notes) {
        let said = value(trace, &format!("note.{number}"));
        assert_eq!(said, Some(note.to_string().as_str()), "{}", case.name);
    }
}

#[test]
fn a_trace_describes_itself_and_holds_the_ledger() {
    let mut notes = 0;
    for case in with_reference() {
        let trace = analyzed(&case.dump(), &case.args()).trace();
        assert_eq!(trace.attributes, trace.chrome_metadata, "{}: two forms", case.name);
        let dump = Dump::open(&case.dump()).unwrap();
        let profile = Profile::build(&dump, &BuildOptions::default());
        tells_of_chip_and_clocks(&case, &trace, &profile);
        holds_the_ledger(&case, &trace, &profile.ledger);
        notes += profile.ledger.notes.len();
    }
    assert!(notes > 0, "no case has a note");
}
