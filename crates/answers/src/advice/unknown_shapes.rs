//! Shapes that the records do not show: commands in rows may be parts of one.

use std::ops::Range;

use bigtpu_measure::{EngineTrack, MeasuredEvent};
use bigtpu_messages::{LocalizedText, Message, message};
use bigtpu_replay::Relief;

use super::scaled::tiu_tracks;
use super::unaligned_shapes::ID;
use super::{Advice, Evidence, at_least};
use crate::findings::Findings;
use crate::like_rows::like_rows;

/// Least loss, in percent of the wall time.
const LEAST_PERCENT: i64 = 2;

/// Whether nothing tells the shape of a command.
fn is_unknown(event: &MeasuredEvent<'_>) -> bool {
    event.kind.work().uarch_ops == 0
}

/// Whether shapes are not known of any command that computes, and so of all advice on shapes only this is meant.
pub(super) fn is_meant(findings: &Findings<'_, '_>) -> bool {
    !findings.cells.iter().any(|cell| cell.kind.work().uarch_ops > 0)
}

fn rows<'m>(findings: &Findings<'m, '_>, track: &'m EngineTrack<'_>) -> Vec<Range<usize>> {
    like_rows(findings.model, track, is_unknown)
}

/// Where [`is_meant`]: commands in rows, if what they may lose is worth a word.
pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let model = findings.model;
    let (mut commands, mut count, mut longest, mut gain) = (0, 0usize, 0, 0);
    for track in tiu_tracks(model) {
        let mut lost = 0;
        for row in rows(findings, track) {
            let ns = |index| model.event(track, index).map_or(0, |event| event.ns());
            lost += row.clone().skip(1).map(ns).sum::<i64>();
            (commands, count) = (commands + row.len(), count + 1);
            longest = longest.max(row.len());
        }
        gain = gain.max(lost);
    }
    if !at_least(gain, LEAST_PERCENT, findings.overall.wall_ns) {
        return None;
    }
    let text =
        message!("advice-unknown-shapes", commands = commands, rows = count, longest = longest,);
    let evidence = vec![
        Evidence::new("evidence-rows", count as f64, "", Message::verbatim("TIU")),
        Evidence::new("evidence-longest-row", longest as f64, "", Message::verbatim("TIU")),
    ];
    let headline = message!("headline-unknown-shapes", rows = count);
    let advice =
        Advice::saving(findings, ID, gain, headline, LocalizedText::new(vec![text]), evidence);
    Some(Advice { is_bound: true, ..advice })
}

/// Each row is one command, which takes what its first one takes.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    let mut relief = Relief::default();
    for track in tiu_tracks(findings.model) {
        for index in rows(findings, track).into_iter().flat_map(|row| row.skip(1)) {
            relief.merge(track.engine_id, index, 0.0);
        }
    }
    relief
}

#[cfg(test)]
mod tests {
    use crate::advice::testing::check as run;
    use crate::advice::unaligned_shapes::check;
    use bigtpu_chip::Engine;
    use bigtpu_measure::planted::Planted;

    #[test]
    fn rows_of_unknown_commands_are_a_bound() {
        let mut planted = Planted::default();
        for n in 0..8 {
            planted.work(0, Engine::Tiu, n * 105, n * 105 + 100);
        }
        let advice = run(&planted, check).unwrap();
        assert_eq!((advice.gain_ns, advice.is_bound), (Some(700), true));
        assert!(advice.text.text.contains("8 commands"), "{}", advice.text.text);
        // What is known of shapes says more.
        planted.compute(0, (900, 1000), (100, 100, 100));
        assert_eq!(run(&planted, check), None);
    }
}
