//! A capture that shows too little.

use bigtpu_chip::Engine;

use bigtpu_messages::Message;

use super::{Advice, Evidence};
use crate::findings::Findings;

pub(super) const ID: &str = "profile-mode";

/// Fires where less than this share of the commands is known in full.
const LEAST_KNOWN: f64 = 0.5;

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let of_cores = || findings.cells.iter().filter(|cell| cell.engine_id.engine != Engine::Cdma);
    let commands: usize = of_cores().map(|cell| cell.count).sum();
    let full: usize = of_cores().filter(|cell| cell.kind.is_full()).map(|cell| cell.count).sum();
    if commands == 0 || full as f64 / commands as f64 >= LEAST_KNOWN {
        return None;
    }
    let all_cores = || Message::new("place-all-cores");
    let evidence = vec![
        Evidence::new("evidence-commands", commands as f64, "", all_cores()),
        Evidence::new("evidence-known-in-full", full as f64, "", all_cores()),
    ];
    let text = Message::new("advice-profile-mode");
    let headline = Message::new("headline-profile-mode");
    let advice = Advice::saving(findings, ID, 0, headline, text, evidence);
    Some(Advice { gain_ns: None, gain: None, ..advice })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advice::testing::check as run;
    use bigtpu_measure::CommandKind;
    use bigtpu_measure::planted::{Planted, plain};

    fn planted(condensed: usize) -> Planted {
        let mut planted = Planted::default();
        for i in 0..10 {
            let full = plain(Engine::Tiu);
            let code = full.code.filter(|_| i >= condensed);
            planted.add(0, CommandKind { code, ..full }, (i as i64 * 10, i as i64 * 10 + 5), 0, 0);
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
