//! Bytes an event.

use std::fs;

use crate::support::case::case;
use crate::support::run::{TRACE, analyzed};

/// The reference needs 490.
const MOST: usize = 230;

#[test]
fn events_with_every_argument_stay_small() {
    let run = analyzed(&case("aks-mode2-every-command").dump(), &["--perfetto"]);
    let bytes = fs::read(run.out_dir().join(TRACE)).unwrap().len();
    let slices = run.trace().slices.len();
    assert!(bytes <= MOST * slices, "{} bytes an event", bytes / slices);
}
