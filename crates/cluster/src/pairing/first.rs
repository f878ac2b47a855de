//! The first look: how well each sender fits each receiver at best.

use rayon::prelude::*;

use super::Of;
use super::looks::{Seen, Slack};
use crate::alignment::{Block, LANES, Place, places_of};

/// How many measures of a first look there are: over the best stretch, over all, and over the pauses between bursts.
pub(super) const MEASURES: usize = 3;

/// Scores in ns, by measure; NaN: there is none.
pub(super) type Scores = [f32; MEASURES];

/// Receivers that are compared at once.
struct Group {
    /// Their indices.
    at: Vec<usize>,
    block: Block,
}

/// Receivers of one kind: by the number of their commands, so that those of a group have nearly as many.
fn groups(receives: &[Seen], moments: bool, is_own: impl Fn(usize) -> bool) -> Vec<Group> {
    let mut all: Vec<usize> = (0..receives.len()).filter(|at| is_own(*at)).collect();
    let times = |at: &usize| receives.get(*at).map_or(&[][..], |seen| &seen.times(moments).times);
    all.sort_by_key(|at| (times(at).len(), *at));
    let group = |own: &[usize]| {
        let lists: Vec<&[i64]> = own.iter().map(times).collect();
        Group { at: own.to_vec(), block: Block::new(&lists) }
    };
    all.par_chunks(LANES).map(group).collect()
}

/// The scores of all pairs, by sender and receiver.
pub(super) fn first_look(
    (sends, sends_seen): (&[Of<'_>], &[Seen]),
    (receives, receives_seen): (&[Of<'_>], &[Seen]),
    slack: Slack,
) -> Vec<Vec<Scores>> {
    let has_moments = |at: usize| receives.get(at).is_some_and(|(_, thread)| thread.has_moments);
    // Moments of data decide where both have them.
    let by_moments = groups(receives_seen, true, has_moments);
    let without = groups(receives_seen, false, |at| !has_moments(at));
    let any_ends = sends.iter().any(|(_, thread)| !thread.has_moments);
    let by_ends = groups(receives_seen, false, |at| any_ends && has_moments(at));
    let of_sender = |((id, send), seen): (&Of<'_>, &Seen)| {
        let mut scores = vec![[f32::NAN; MEASURES]; receives.len()];
        let with = if send.has_moments { (&by_moments, true) } else { (&by_ends, false) };
        for (groups, moments) in [with, (&without, false)] {
            let own = seen.times(moments);
            let places: Vec<Place> = places_of(&own.times, &own.places);
            for group in groups {
                let count = own.times.len();
                let found = group.block.least_scores(count, &places, |m| slack.shifts(count, m));
                for (&at, [score, steady]) in group.at.iter().zip(found) {
                    let is_other = receives.get(at).is_some_and(|(to, _)| to.rank != id.rank);
                    let (Some(all), true) = (scores.get_mut(at), is_other) else { continue };
                    let by_bursts = receives_seen.get(at).and_then(|seen| {
                        Some(slack.bursts(own, seen.times(moments)).first()?.steady)
                    });
                    *all = [score, steady, by_bursts.map_or(f32::NAN, |steady| steady as f32)];
                }
            }
        }
        scores
    };
    sends.par_iter().zip(sends_seen).map(of_sender).collect()
}
