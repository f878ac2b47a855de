//! Results that are stored outside and loaded again.

use std::collections::BTreeMap;

use bigtpu_messages::{Arg, LocalizedText, Message, message};
use bigtpu_replay::Relief;

use super::{Advice, Evidence};
use crate::findings::Findings;
use crate::round_trips::Trips;

pub(super) const ID: &str = "round-trips";

/// What fits counts if it takes at least one of so many parts of all round trips; else all are a bound.
const LEAST_FITTING: i64 = 5;

/// ns of the transfers of all cores.
fn ns(trips: &Trips) -> i64 {
    trips.transfers.iter().map(|transfer| transfer.ns).sum()
}

/// Whether most does not fit: then it is not known how the gain could be reached.
fn is_bound(findings: &Findings<'_, '_>) -> bool {
    let found = &findings.round_trips;
    ns(&found.fitting) * LEAST_FITTING < ns(&found.fitting) + ns(&found.too_large)
}

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let found = &findings.round_trips;
    let is_bound = is_bound(findings);
    let (meant, rest) = if is_bound {
        (&found.too_large, &found.fitting)
    } else {
        (&found.fitting, &found.too_large)
    };
    let mut of_core: BTreeMap<u32, i64> = BTreeMap::new();
    for transfer in &meant.transfers {
        *of_core.entry(transfer.engine_id.index).or_default() += transfer.ns;
    }
    let gain = of_core.values().copied().max()?;
    let (used, all) = found.lane_bytes;
    let mut text = vec![message!(
        "advice-round-trips",
        results = meant.results,
        transfers = meant.transfers.len() as u64,
        bytes = Arg::Bytes(meant.bytes),
        time = Arg::TimeNs(ns(meant)),
    )];
    text.push(if is_bound {
        message!("advice-round-trips-bound", all = Arg::Bytes(all))
    } else {
        message!("advice-round-trips-fits", used = Arg::Bytes(used), all = Arg::Bytes(all))
    });
    if !is_bound && !rest.transfers.is_empty() {
        text.push(message!(
            "advice-round-trips-rest",
            results = rest.results,
            time = Arg::TimeNs(ns(rest)),
        ));
    }
    let lane = || Message::new("place-each-lane");
    let mut evidence = vec![
        Evidence::new("evidence-results-kept", meant.results as f64, "", None),
        Evidence::new("evidence-bytes-moved", meant.bytes as f64, "B", None),
        Evidence::us("evidence-their-time", ns(meant), None),
    ];
    if ns(&found.too_large) > 0 {
        evidence.push(Evidence::us("evidence-too-large", ns(&found.too_large), None));
    }
    evidence.extend([
        Evidence::new("evidence-memory-in-use", used as f64, "B", lane()),
        Evidence::new("evidence-local-memory", all as f64, "B", lane()),
    ]);
    let headline = message!("headline-round-trips", results = meant.results);
    let advice = Advice::saving(findings, ID, gain, headline, LocalizedText::new(text), evidence);
    Some(Advice { is_bound, ..advice })
}

/// The run without these transfers.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    let found = &findings.round_trips;
    let mut all = found.fitting.transfers.clone();
    if is_bound(findings) {
        all.extend(&found.too_large.transfers);
        all.sort_unstable();
    }
    let mut relief = Relief::default();
    all.iter().for_each(|transfer| relief.merge(transfer.engine_id, transfer.event, 0.0));
    relief
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advice::testing::hardware;
    use crate::round_trips::{Removed, RoundTrips};
    use bigtpu_chip::Engine;
    use bigtpu_measure::planted::Planted;
    use bigtpu_timeline::EngineId;

    fn trips(ns: i64) -> Trips {
        let engine_id = EngineId { index: 0, engine: Engine::Gdma };
        let transfers = vec![Removed { engine_id, event: 0, ns }];
        Trips { transfers, results: 1, bytes: 100 }
    }

    #[test]
    fn what_fits_is_a_gain_and_what_does_not_a_bound() {
        let mut planted = Planted::default();
        planted.load(0, 0, 500, 4000);
        let model = planted.model();
        let mut findings = Findings::of_planted(&model, hardware());
        assert_eq!(check(&findings), None);
        let lane_bytes = (300, 1000);
        findings.round_trips = RoundTrips { fitting: trips(80), too_large: trips(100), lane_bytes };
        let advice = check(&findings).unwrap();
        assert_eq!((advice.gain_ns, advice.is_bound), (Some(80), false));
        let text = &advice.text.text;
        assert!(text.contains("300 B of 1000 B") && text.contains("do not fit"), "{text}");
        findings.round_trips = RoundTrips { fitting: trips(10), ..findings.round_trips };
        let advice = check(&findings).unwrap();
        assert_eq!((advice.gain_ns, advice.is_bound), (Some(100), true));
    }
}
