//! Operands that meet in the same bank of local memory.

use bigtpu_measure::EngineTrack;
use bigtpu_messages::{Arg, Message, message};
use bigtpu_replay::Relief;

use super::scaled::{scaled, time_share_without, tiu_tracks};
use super::{Advice, Evidence, at_least};
use crate::findings::Findings;

pub(super) const ID: &str = "bank-conflicts";

/// Least cycles lost, in percent of the TIU's.
const LEAST_PERCENT: i64 = 5;

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let model = findings.model;
    // Most chips count no conflicts, and the bits of most runs tell of none.
    let may_lose = |track: &EngineTrack<'_>| {
        track.counts_stalls() || track.kinds.iter().any(|kind| kind.cost.bank_conflict_cycles > 0)
    };
    if !tiu_tracks(model).any(may_lose) {
        return None;
    }
    let (mut lost, mut cycles, mut commands) = (0i64, 0i64, 0u64);
    let mut worst = (0i64, None);
    let mut most_on_core = 0;
    for track in tiu_tracks(model) {
        let before = lost;
        for event in model.events(track).filter(|e| e.kind.activity.is_work()) {
            cycles += track.events.cycles(event.index).unwrap_or(0);
            let stalls = i64::try_from(event.stalls()).unwrap_or(i64::MAX);
            lost = lost.saturating_add(stalls);
            commands += u64::from(stalls > 0);
            if stalls > worst.0 {
                let name = &event.kind.function_name;
                let engine = track.engine_id.message();
                let event = Arg::Number(event.index as i64);
                worst = (
                    stalls,
                    Some(message!(
                        "place-event",
                        engine = engine,
                        event = event,
                        opcode = name.as_ref()
                    )),
                );
            }
        }
        most_on_core = most_on_core.max(lost - before);
    }
    if !at_least(lost, LEAST_PERCENT, cycles) {
        return None;
    }
    let tiu = || Message::new("place-tiu-all-cores");
    let share = lost as f64 / cycles as f64;
    let evidence = vec![
        Evidence::new("evidence-cycles-lost", lost as f64, "cycles", tiu()),
        Evidence::new("evidence-share-of-cycles", share, "", tiu()),
        Evidence::new("evidence-commands-with-conflicts", commands as f64, "", tiu()),
        Evidence::new("evidence-most-in-one", worst.0 as f64, "cycles", worst.1),
    ];
    let text = Message::new("advice-bank-conflicts");
    let gain = (most_on_core as f64 * 1000.0 / model.tiu_mhz) as i64;
    let headline = message!("headline-bank-conflicts", share = Arg::Share(share));
    Some(Advice::saving(findings, ID, gain, headline, text, evidence))
}

/// Commands without the cycles that they lose.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    let model = findings.model;
    scaled(model, tiu_tracks(model), |event| {
        let lost = event.stalls() as f64 * 1000.0 / model.tiu_mhz;
        (event.kind.activity.is_work() && event.stalls() > 0)
            .then(|| time_share_without(lost, event))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advice::testing::check as run;
    use bigtpu_chip::Engine;
    use bigtpu_measure::planted::{Planted, plain};

    fn planted(conflicts: u32) -> Planted {
        let mut planted = Planted::default();
        planted.add(0, plain(Engine::Tiu), (0, 100), 0, conflicts);
        planted.add(0, plain(Engine::Tiu), (100, 200), 0, 0);
        planted
    }

    #[test]
    fn conflicts_that_cost_time() {
        let advice = run(&planted(30), check).unwrap();
        assert_eq!((advice.gain_ns, advice.evidence[1].value), (Some(30), 0.15));
        assert_eq!(advice.evidence[3].place, "core 0 TIU, event 0 (arith.add)");
        assert_eq!(advice.evidence[3].place_zh, "核 0 TIU，第 0 条指令（arith.add）");
    }

    #[test]
    fn few_conflicts_give_no_advice() {
        assert_eq!(run(&planted(9), check), None);
        assert_eq!(run(&planted(0), check), None);
    }
}
