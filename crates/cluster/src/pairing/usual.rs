//! Links are alike: what fits much worse than the others is none.

use super::{Ambiguous, Candidate, Link, Pairing, RESOLUTION};
use crate::alignment::Alignment;

/// How many times the usual residual of links a link's may be.
const UNUSUAL: f64 = 3.0;
/// Share of the commands of a link that may have no partner.
const MOST_ALONE: f64 = 0.1;
/// The residual that links have, in ns: that of the best quarter. Links are alike, and where the right partners of many
/// are missing, most of what was found may be wrong.
pub(super) fn usual(scores: impl Iterator<Item = f64>) -> Option<f64> {
    let mut scores: Vec<f64> = scores.map(|score| score.max(RESOLUTION)).collect();
    scores.sort_by(f64::total_cmp);
    scores.get(scores.len().saturating_sub(1) / 4).copied()
}

/// Whether an alignment is as good as others are.
pub(super) fn fits(alignment: &Alignment, usual: f64) -> bool {
    alignment.noise <= UNUSUAL * usual && alignment.alone <= MOST_ALONE
}

/// Leaves candidates whose residual is far above that of others for a look at more shifts.
pub(super) fn leave_unusual(found: &mut Vec<Candidate>, links: &[Link]) {
    for has_moments in [false, true] {
        let known = links.iter().filter(|l| l.has_moments == has_moments);
        let known = known.map(|l| l.alignment.noise);
        let new = found.iter().filter(|c| c.has_moments == has_moments).map(|c| c.alignment.noise);
        let Some(usual) = usual(known.chain(new)) else { continue };
        found.retain(|c| c.has_moments != has_moments || c.alignment.noise <= UNUSUAL * usual);
    }
}

/// Refuses links whose residual is far above that of the others: the right partner's dump is missing, and a neighbour's
/// commands fit best.
pub(super) fn refuse_unusual(pairing: &mut Pairing) {
    for has_moments in [false, true] {
        let of_kind = |l: &Link| l.has_moments == has_moments;
        let noises = pairing.links.iter().filter(|l| of_kind(l)).map(|l| l.alignment.noise);
        let Some(usual) = usual(noises) else { continue };
        let (kept, refused): (Vec<Link>, Vec<Link>) = std::mem::take(&mut pairing.links)
            .into_iter()
            .partition(|l| !of_kind(l) || fits(&l.alignment, usual));
        pairing.links = kept;
        for link in refused {
            for (thread, partner) in [(link.from, link.to), (link.to, link.from)] {
                pairing.ambiguous.push(Ambiguous {
                    thread,
                    why: "the best candidate fits much worse than the ends of other links: its partner may not be captured",
                    candidates: vec![(partner, link.alignment.score)],
                });
            }
        }
    }
}
