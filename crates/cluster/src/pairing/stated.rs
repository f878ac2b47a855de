//! Links that the user states.

use super::looks::{Slack, times};
use super::usual::{fits, usual};
use super::{Ambiguous, How, Link, Of, Pairing, ThreadId};
use crate::alignment::{Alignment, Limits, MOST_NS, best_shifts, places};

/// How many times the residual of the best partner that of a stated one may be.
const STATED: f64 = 1.25;
/// Given links: those that the data found too are given; those of threads that the data pair otherwise are
/// contradicted; the others are taken if their commands fit.
pub(super) fn check_given(
    sends: &[Of<'_>],
    receives: &[Of<'_>],
    given: &[(ThreadId, ThreadId)],
    pairing: &mut Pairing,
) {
    // A statement of which one part is wrong proves nothing where the data do not decide.
    let is_wrong = |(from, to): &(ThreadId, ThreadId)| {
        let other = |l: &Link| (l.from == *from) != (l.to == *to);
        pairing.links.iter().any(other)
    };
    let is_doubtful = given.iter().any(is_wrong);
    for &(from, to) in given {
        if let Some(link) = pairing.links.iter_mut().find(|l| l.from == from && l.to == to) {
            link.how = How::Given;
            continue;
        }
        let is_taken = pairing.links.iter().any(|l| l.from == from || l.to == to);
        let send = sends.iter().find(|(id, _)| *id == from);
        let receive = receives.iter().find(|(id, _)| *id == to);
        let (Some((_, send)), Some((_, receive))) = (send, receive) else { continue };
        let has_moments = send.has_moments && receive.has_moments;
        let (s, r) = (times(send, has_moments), times(receive, has_moments));
        let slack = Slack::Wide.shifts(s.len(), r.len()).unwrap_or(2);
        let quick = best_shifts(&s, &r, &places(&s), slack);
        let found = Alignment::best(&s, &r, &quick, Limits::NONE).map(|(_, alignment)| alignment);
        // A better partner is known for one of the two: the statement is wrong.
        let better = pairing.ambiguous.iter().filter(|a| a.thread == from || a.thread == to);
        let partner = |a: &Ambiguous| if a.thread == from { to } else { from };
        let is_worse = found.as_ref().is_none_or(|own| {
            better.into_iter().any(|a| {
                let best = a.candidates.iter().find(|(id, _)| *id != partner(a));
                best.is_some_and(|(_, score)| own.score > STATED * score)
            })
        });
        // And it must fit as links do.
        let of_kind = pairing.links.iter().filter(|l| l.has_moments == has_moments);
        let usual = usual(of_kind.map(|l| l.alignment.noise)).unwrap_or(MOST_NS);
        let is_like = |own: &Alignment| own.score <= MOST_NS / 2.0 && fits(own, usual);
        match found {
            Some(own)
                if !is_doubtful && !is_taken && !is_worse && own.count > 0 && is_like(&own) =>
            {
                let alignment = own;
                pairing.ambiguous.retain(|a| a.thread != from && a.thread != to);
                let other_bytes = alignment.other_bytes(&send.commands, &receive.commands);
                let (how, has_shapes) = (How::Given, send.has_shapes);
                let link = Link { from, to, alignment, has_moments, how, other_bytes, has_shapes };
                pairing.links.push(link);
            }
            _ => pairing.contradicted.push((from, to)),
        }
    }
}
