//! Transfers of many short pieces.

use bigtpu_command_cost::{Mark, TimePart};
use bigtpu_measure::CommandKind;
use bigtpu_messages::{Arg, Message, message};
use bigtpu_replay::Relief;

use super::by_bits::Loss;
use super::scaled::{core_tracks, scaled};
use super::{Advice, Evidence, at_least};
use crate::findings::Findings;

pub(super) const ID: &str = "short-pieces";

/// Pieces take at least this percentage of a transfer's time.
const LEAST_OF_TRANSFER: i64 = 50;
/// Least loss, in percent of all transfers' time.
const LEAST_PERCENT: i64 = 2;

/// The share of a transfer's time that its pieces take, however short they are.
fn share(kind: &CommandKind) -> Option<f64> {
    let cost = kind.expected.as_ref().filter(|cost| cost.transfer.is_some())?;
    let (pieces, all) = (cost.parts.get(TimePart::Runs), cost.total());
    (cost.mark != Mark::NotValidated && at_least(pieces, LEAST_OF_TRANSFER, all))
        .then(|| pieces as f64 / all as f64)
}

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let is_transfer = |kind: &CommandKind| kind.direction().is_some();
    let found = Loss::find(findings, LEAST_PERCENT, Mark::Exact, is_transfer, share)?;
    let (lost, event) = found.worst?;
    let moved = event.kind.expected.as_ref()?.transfer?;
    let bytes = moved.bytes as f64 / moved.pieces.max(1) as f64;
    let text = message!(
        "advice-short-pieces",
        pieces = moved.pieces,
        bytes = Arg::Bytes(bytes.round() as u64),
        direction = event.kind.direction().map_or("", |direction| direction.text()),
        lost = Arg::TimeNs(lost.round() as i64),
        time = Arg::TimeNs(event.ns()),
        transfers = found.commands,
    );
    let all_cores = || Message::new("place-all-cores");
    let evidence = vec![
        Evidence::new("evidence-short-pieces", found.commands as f64, "", all_cores()),
        Evidence::us("evidence-per-piece-time", found.ns as i64, all_cores()),
    ];
    let headline = message!(
        "headline-short-pieces",
        transfers = found.commands,
        bytes = Arg::Bytes(bytes.round() as u64),
    );
    let advice = Advice::saving(findings, ID, found.most_on_core as i64, headline, text, evidence);
    Some(Advice { mark: Some(found.mark.name().to_owned()), ..advice })
}

/// Transfers without the time of their pieces.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    let model = findings.model;
    scaled(model, core_tracks(model), |event| Some(1.0 - share(event.kind)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advice::testing::check as run;
    use bigtpu_chip::{Engine, Memory};
    use bigtpu_command_cost::{CommandCost, MemoryRoute, TransferShape};
    use bigtpu_measure::planted::{Planted, plain};

    /// A transfer of 100 cycles by its bits, of which its 8 pieces take some, and one without pieces.
    fn planted(pieces: u128, mark: Mark) -> Planted {
        let between = MemoryRoute { from: Some(Memory::Ddr), to: Memory::Lmem };
        let moved = TransferShape { kind: between, bytes: 64, bus_bytes: 64, pieces: 8 };
        let cost = CommandCost::new(mark)
            .with(TimePart::Latency, 100 - pieces)
            .with(TimePart::Runs, pieces);
        let expected = Some(Box::new(CommandCost { transfer: Some(moved), ..cost }));
        let mut planted = Planted::default();
        planted.add(0, CommandKind { expected, ..plain(Engine::Gdma) }, (0, 100), 64, 0);
        planted.load(0, 100, 200, 1000);
        planted
    }

    #[test]
    fn what_the_pieces_take_is_the_gain() {
        let advice = run(&planted(80, Mark::Fitted), check).unwrap();
        assert_eq!((advice.gain_ns, advice.gain), (Some(80), Some(0.4)));
        assert_eq!(advice.mark.as_deref(), Some("fitted"));
        assert!(advice.text.text.starts_with("8 pieces of 8 B (DDR->LMEM): 0.1 us of 0.1 are"));
    }

    #[test]
    fn long_pieces_and_unknown_rules_give_no_advice() {
        assert_eq!(run(&planted(40, Mark::Fitted), check), None);
        assert_eq!(run(&planted(80, Mark::NotValidated), check), None);
    }

    #[test]
    fn the_replay_takes_the_transfers_without_it() {
        let planted = planted(80, Mark::Fitted);
        let model = planted.model();
        let findings = Findings::of_planted(&model, crate::advice::testing::hardware());
        let mut expected = Relief::default();
        let gdma = model.tracks.iter().find(|track| track.engine_id.engine == Engine::Gdma);
        expected.scale(gdma.unwrap().engine_id, 0, 1.0 - 0.8);
        assert_eq!(relief(&findings), expected);
    }
}
