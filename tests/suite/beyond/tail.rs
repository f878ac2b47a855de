//! The host's anchor is the latest end of all records, here that of the first one; the reference takes
//! the greatest end among last records.

use bigtpu_timeline::{BuildOptions, Dump, Profile};

use crate::support::case::case;
use crate::support::decimal::Micros;
use crate::support::host::{events_of, text_of};
use crate::support::run::analyzed;

const LATEST_END: i64 = 700;

#[test]
fn device_time_is_anchored_to_the_latest_end() {
    let case = case("beyond-tail-is-last-record");
    let dump = Dump::open(&case.dump()).unwrap();
    assert_eq!(Profile::build(&dump, &BuildOptions::default()).latest_end, LATEST_END);

    let global = std::fs::read_to_string(case.dump().join("global.profile")).unwrap();
    let tail = global.lines().find_map(|line| line.strip_prefix("tail_offset_ns=")).unwrap();
    let events = events_of(&text_of(&case.host_trace().unwrap()));
    let disable = events.iter().find(|event| event.text("name") == "disable_profile").unwrap();
    let pause = (disable.end() - Micros::of_ns(tail.parse().unwrap())).ns();
    let offset = pause - LATEST_END;

    let trace = analyzed(&case.dump(), &case.args()).trace();
    let spans: Vec<(i64, i64)> =
        trace.slices_on("Core 0/GDMA").iter().map(|slice| (slice.ts, slice.dur)).collect();
    assert_eq!(spans, [(offset, 700), (offset + 100, 100), (offset + 300, 100)]);
    assert_eq!(trace.slices_on("Core 0/GDMA").iter().map(|s| s.end()).max(), Some(pause));
}
