//! Results in the bank of local memory that their operands are in.

use bigtpu_chip::Engine;
use bigtpu_command_cost::{Mark, TimePart};
use bigtpu_measure::CommandKind;
use bigtpu_messages::{Arg, Message, message};
use bigtpu_replay::Relief;

use super::by_bits::Loss;
use super::scaled::{scaled, tiu_tracks};
use super::{Advice, Evidence};
use crate::findings::Findings;

pub(super) const ID: &str = "in-place";

/// Least loss, in percent of the TIU's time.
const LEAST_PERCENT: i64 = 2;

/// The share of a command's time that goes to reading and writing one bank.
fn share(kind: &CommandKind) -> Option<f64> {
    let cost = kind.expected.as_ref().filter(|_| kind.engine == Engine::Tiu)?;
    let lost = cost.parts.get(TimePart::InPlace);
    (lost > 0 && cost.total() > 0).then(|| lost as f64 / cost.total() as f64)
}

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let is_tiu = |kind: &CommandKind| kind.engine == Engine::Tiu && kind.activity.is_work();
    let found = Loss::find(findings, LEAST_PERCENT, Mark::Estimated, is_tiu, share)?;
    let kind = found.worst.as_ref()?.1.kind;
    let cost = kind.expected.as_ref()?;
    let cycles = |milli: i64| (milli as f64 / 1000.0).round();
    let (now, lost) = (cost.total(), cost.parts.get(TimePart::InPlace));
    let (now, elsewhere) = (cycles(now), cycles(now - lost));
    let name = &kind.function_name;
    let text = message!(
        "advice-in-place",
        opcode = name.as_ref(),
        cycles = Arg::Cycles(now as i64),
        elsewhere = Arg::Cycles(elsewhere as i64),
        commands = found.commands,
    );
    let of_one = || Message::verbatim(format!("{name} {}", kind.shape).trim_end());
    let tiu = || Message::new("place-tiu-all-cores");
    let evidence = vec![
        Evidence::new("evidence-in-place", found.commands as f64, "", tiu()),
        Evidence::us("evidence-time-lost", found.ns as i64, tiu()),
        Evidence::new("evidence-cycles-of-one", now, "cycles", of_one()),
        Evidence::new("evidence-result-elsewhere", elsewhere, "cycles", of_one()),
    ];
    let headline = message!("headline-in-place", commands = found.commands);
    let advice = Advice::saving(findings, ID, found.most_on_core as i64, headline, text, evidence);
    Some(Advice { mark: Some(found.mark.name().to_owned()), ..advice })
}

/// Commands whose results are in another bank.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    let model = findings.model;
    scaled(model, tiu_tracks(model), |event| Some(1.0 - share(event.kind)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advice::testing::check as run;
    use bigtpu_command_cost::CommandCost;
    use bigtpu_measure::planted::{Planted, plain};

    /// Commands of 100 cycles by their bits, of which some go to the bank, that took as many ns.
    fn planted(in_place: u128, ns: i64) -> Planted {
        let cost = CommandCost::new(Mark::Estimated).with(TimePart::Work, 100 - in_place);
        let cost = cost.with(TimePart::InPlace, in_place);
        let mut planted = Planted::default();
        let kind = CommandKind { expected: Some(Box::new(cost)), ..plain(Engine::Tiu) };
        planted.add(0, kind.clone(), (0, ns), 0, 0);
        planted.add(0, plain(Engine::Tiu), (ns, ns + 100), 0, 0);
        planted
    }

    #[test]
    fn what_the_bank_takes_is_the_gain() {
        let advice = run(&planted(40, 100), check).unwrap();
        assert_eq!((advice.gain_ns, advice.gain), (Some(40), Some(0.2)));
        assert_eq!(advice.mark.as_deref(), Some("estimated"));
        let values: Vec<f64> = advice.evidence.iter().map(|evidence| evidence.value).collect();
        assert_eq!(values, [1.0, 0.04, 100.0, 60.0]);
        assert!(advice.text.text.contains("100 cycles, with the result in another bank about 60"));
        // It is a share of the measured time, which may be longer than the bits explain.
        assert_eq!(run(&planted(40, 200), check).unwrap().gain_ns, Some(80));
    }

    #[test]
    fn other_banks_and_little_time_give_no_advice() {
        assert_eq!(run(&planted(0, 100), check), None);
        assert_eq!(run(&planted(3, 100), check), None);
    }

    #[test]
    fn the_replay_takes_the_commands_without_it() {
        let planted = planted(40, 100);
        let model = planted.model();
        let findings = Findings::of_planted(&model, crate::advice::testing::hardware());
        let mut expected = Relief::default();
        expected.scale(model.tracks[0].engine_id, 0, 0.6);
        assert_eq!(relief(&findings), expected);
    }
}
