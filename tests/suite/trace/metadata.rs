//! The trace tells where it comes from and what became of the records: for viewers of today as trace
//! attributes, for older ones as Chrome metadata.

use bigtpu_timeline::{Counts, Dump, Options, Profile};

use crate::support::case::with_reference;
use crate::support::run::analyzed;
use crate::support::trace::Trace;

fn value<'a>(trace: &'a Trace, name: &str) -> Option<&'a str> {
    let name = format!("bigtpuprofile.{name}");
    trace.attributes.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_str())
}

#[test]
fn both_forms_say_the_same() {
    for case in with_reference() {
        let trace = analyzed(&case.dump(), &case.args()).trace();
        assert_eq!(trace.attributes, trace.chrome_metadata, "{}", case.name);
    }
}

#[test]
fn chip_and_clocks_are_told() {
    for case in with_reference() {
        let dump = Dump::open(&case.dump()).unwrap();
        let profile = Profile::build(&dump, &Options::default());
        let trace = analyzed(&case.dump(), &case.args()).trace();
        assert_eq!(value(&trace, "version"), Some(env!("CARGO_PKG_VERSION")));
        assert_eq!(value(&trace, "chip"), Some(profile.chip.name.as_str()), "{}", case.name);
        let mhz = profile.clocks.tiu_mhz.to_string();
        assert_eq!(value(&trace, "tiu_mhz"), Some(mhz.as_str()), "{}", case.name);
        let events = profile.event_count().to_string();
        assert_eq!(value(&trace, "events"), Some(events.as_str()), "{}", case.name);
    }
}

#[test]
fn the_ledger_and_its_notes_are_in_the_trace() {
    let mut notes = 0;
    for case in with_reference() {
        let dump = Dump::open(&case.dump()).unwrap();
        let ledger = Profile::build(&dump, &Options::default()).ledger;
        let trace = analyzed(&case.dump(), &case.args()).trace();
        for line in &ledger.lines {
            let said = value(&trace, &format!("ledger.{}", line.place));
            let said = said.unwrap_or_else(|| panic!("{}: no {}", case.name, line.place));
            for (title, count) in Counts::TITLES.iter().zip(line.counts.values()) {
                let told = said.split(", ").any(|part| part == format!("{title} {count}"));
                assert_eq!(told, count > 0, "{}, {}: {title} in {said}", case.name, line.place);
            }
        }
        for (number, note) in (1..).zip(&ledger.notes) {
            let said = value(&trace, &format!("note.{number}"));
            assert_eq!(said, Some(note.to_string().as_str()), "{}", case.name);
            notes += 1;
        }
    }
    assert!(notes > 0, "no case has a note");
}
