//! A capture that shows too little.

use super::{Advice, Evidence};
use crate::findings::Findings;

pub(super) const ID: &str = "profile-mode";

/// Fires where less than this share of the commands is known in full.
const LEAST_KNOWN: f64 = 0.5;

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let model = findings.model;
    let core_tracks =
        model.tracks.iter().filter(|t| t.engine_id.engine != bigtpu_chip::Engine::Cdma);
    let (mut commands, mut full) = (0u64, 0u64);
    for event in core_tracks.flat_map(|t| model.events(t)).filter(|e| e.kind.activity.is_work()) {
        commands += 1;
        full += u64::from(event.kind.is_full());
    }
    if commands == 0 || full as f64 / commands as f64 >= LEAST_KNOWN {
        return None;
    }
    let evidence = vec![
        Evidence::new("commands", commands as f64, "", "all cores"),
        Evidence::new("known in full", full as f64, "", "all cores"),
    ];
    let text = "Only the type of most commands is known: operations, uArch rates, shapes and, on some chips, directions are \
                missing or inexact. Capture with profile mode 2 for exact numbers (docs/capture.md)."
        .to_owned();
    let advice = Advice::saving(findings, ID, 0, text, evidence);
    Some(Advice { gain_ns: None, gain: None, ..advice })
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::Engine;

    use super::*;
    use crate::advice::testing::check as run;
    use bigtpu_measure::Kind;
    use bigtpu_measure::planted::{Planted, plain};

    fn planted(condensed: usize) -> Planted {
        let mut planted = Planted::default();
        for i in 0..10 {
            let full = plain(Engine::Tiu);
            let code = full.code.filter(|_| i >= condensed);
            planted.add(0, Kind { code, ..full }, (i as i64 * 10, i as i64 * 10 + 5), 0, 0);
        }
        planted
    }

    #[test]
    fn commands_known_by_type_only() {
        let advice = run(&planted(6), check).unwrap();
        assert_eq!((advice.gain_ns, advice.evidence[1].value), (None, 4.0));
    }

    #[test]
    fn full_commands_give_no_advice() {
        assert_eq!(run(&planted(5), check), None);
        assert_eq!(run(&Planted::default(), check), None);
    }
}
