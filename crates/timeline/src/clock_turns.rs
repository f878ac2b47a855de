//! Two clocks of a core (section 5.3): on which turn of its counter each was.
//!
//! The counters of TIU and DMA start together, but where they go at different rates they turn over at different times.
//! Both are back at their start after a common period: at 900 and 750 MHz after 6 and 5 turns, 28.6 s. So each place
//! within this period is tried, and what the engines did together decides: the launches, or the sections of ids in
//! their order, must begin and end together on both.
//!
//! ```text
//!   TIU  0 │ 1 │ 2 │ 3 │ 4 │ 5 │ 0        places are 0.95 s apart
//!   DMA  0  │  1  │  2  │  3  │ 4  │ 0
//! ```

use bigtpu_messages::{Arg, Message, message};

use crate::clock::CIRCLE;

/// First start and last end of some work of an engine, in ns.
pub(crate) type Span = (i64, i64);

/// Where the counters of a core were.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Placed {
    /// Whole turns to add to the TIU's times, in ns.
    pub(crate) tiu_ns: i64,
    /// Whole turns to add to the times of the DMA engines, in ns.
    pub(crate) dma_ns: i64,
    /// What is in doubt.
    pub(crate) doubt: Option<Doubt>,
}

/// Why a place is not certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// Another place explains the records as well: the times of the two clocks may be so many ns further apart.
    OtherPlace(i64),
    /// So many launches do not fit the place of the others: the engines paused for longer than a turn.
    Torn(usize),
}

/// Places are tried up to this long after the counters' start, in ns, where the common period is longer.
const LONGEST_NS: f64 = 120e9;
/// Turns of the TIU's counter that are tried at most. A clock of 8 GHz has as many in that time; only a wrong clock has
/// more, and must not cost time and memory.
const MOST_TURNS: i64 = 256;
/// Launches that are looked at.
const MOST_PAIRS: usize = 1024;
/// A place is certain if moving to the next best costs at least this part of what it would cost at most.
const CLEAR: f64 = 0.25;

struct Candidate {
    turns: (i64, i64),
    /// What is added to the TIU's times against the DMA's, in ns.
    shift: f64,
    /// How far starts and ends are apart, in ns, summed.
    apart: f64,
}

/// Places the counters. `mhz`: clocks of TIU and DMA; `pairs`: what the TIU and the DMA engines did in the same launch.
pub(crate) fn place(mhz: (f64, f64), pairs: &[(Span, Span)]) -> Placed {
    let as_it_is = Placed { tiu_ns: 0, dma_ns: 0, doubt: None };
    let turn = (turn_ns(mhz.0), turn_ns(mhz.1));
    let step = pairs.len().div_ceil(MOST_PAIRS).max(1);
    let pairs: Vec<(Span, Span)> = pairs.iter().copied().step_by(step).collect();
    let Some(&(first_tiu, first_dma)) = pairs.first() else { return as_it_is };
    let (in_tiu, in_dma) = period(mhz);
    let most = in_tiu.min(((LONGEST_NS / turn.0) as i64).saturating_add(1)).min(MOST_TURNS);
    let mut candidates = Vec::new();
    for of_tiu in 0..=most {
        let from = (first_tiu.0 - first_dma.0) as f64 + of_tiu as f64 * turn.0;
        let nearest = (from / turn.1).round() as i64;
        for of_dma in nearest.saturating_sub(1)..=nearest.saturating_add(1) {
            // After the common period all places come again.
            let is_again = of_tiu >= in_tiu && of_dma >= in_dma;
            if of_dma < 0 || is_again {
                continue;
            }
            let shift = of_tiu as f64 * turn.0 - of_dma as f64 * turn.1;
            let apart = |(tiu, dma): &(Span, Span)| {
                let edge = |a: i64, b: i64| (a as f64 + shift - b as f64).abs();
                edge(tiu.0, dma.0) + edge(tiu.1, dma.1)
            };
            let apart = pairs.iter().map(apart).sum();
            candidates.push(Candidate { turns: (of_tiu, of_dma), shift, apart });
        }
    }
    // Of equals the one with the fewest turns is first.
    let Some(best) = candidates.iter().min_by(|a, b| a.apart.total_cmp(&b.apart)) else {
        return as_it_is;
    };
    let is_rival = |other: &&Candidate| {
        let distance = (other.shift - best.shift).abs();
        let cost = 2.0 * distance * pairs.len() as f64;
        distance > 1e6 && other.apart - best.apart < CLEAR * cost
    };
    let rivals = || candidates.iter().filter(is_rival);
    let rival = rivals().min_by(|a, b| a.apart.total_cmp(&b.apart));
    let unchanged = rivals().find(|other| other.turns == (0, 0));
    let chosen = unchanged.unwrap_or(best);
    let doubt = rival.map(|rival| {
        let other = if unchanged.is_some() { best } else { rival };
        Doubt::OtherPlace((other.shift - chosen.shift).abs() as i64)
    });
    let torn = || {
        let half = turn.0 / in_dma as f64 / 2.0;
        let gap = |(tiu, dma): &&(Span, Span)| {
            let shift = chosen.shift as i64;
            (tiu.0 + shift - dma.1).max(dma.0 - tiu.1 - shift) as f64 > half
        };
        let torn = pairs.iter().filter(gap).count() * step;
        (torn > 0 && pairs.len() > 1).then_some(Doubt::Torn(torn))
    };
    Placed {
        tiu_ns: (chosen.turns.0 as f64 * turn.0).round() as i64,
        dma_ns: (chosen.turns.1 as f64 * turn.1).round() as i64,
        doubt: doubt.or_else(torn),
    }
}

fn turn_ns(mhz: f64) -> f64 {
    CIRCLE as f64 / mhz * 1000.0
}

/// Turns of each clock after which both are at their start again.
fn period(mhz: (f64, f64)) -> (i64, i64) {
    let khz = |mhz: f64| ((mhz * 1000.0).round() as i64).max(1);
    let (a, b) = (khz(mhz.0), khz(mhz.1));
    let (mut divisor, mut rest) = (a, b);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    (a / divisor, b / divisor)
}

impl Doubt {
    /// What the ledger says of it.
    pub(crate) fn message(self) -> Message {
        match self {
            Self::OtherPlace(ns) => message!("note-clock-other-place", ns = Arg::TimeNs(ns)),
            Self::Torn(launches) => message!("note-clock-torn", launches = launches),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: i64 = 1_000_000;
    const S: i64 = 1000 * MS;

    /// What the counters show of launches at these times, in ns after their start. The TIU begins 1 ms late and ends
    /// 2 ms early.
    fn counted(mhz: (f64, f64), launches: &[Span]) -> Vec<(Span, Span)> {
        let turns = |mhz: f64, at: i64| (at as f64 / turn_ns(mhz)).floor() * turn_ns(mhz);
        let Some(first) = launches.first() else { return Vec::new() };
        let (tiu, dma) = (turns(mhz.0, first.0 + MS) as i64, turns(mhz.1, first.0) as i64);
        let pair = |&(start, end): &Span| {
            ((start + MS - tiu, end - 2 * MS - tiu), (start - dma, end - dma))
        };
        launches.iter().map(pair).collect()
    }

    /// Whether the placed records of both clocks are as far apart as they were.
    fn is_right(mhz: (f64, f64), launches: &[Span]) -> bool {
        let pairs = counted(mhz, launches);
        let placed = place(mhz, &pairs);
        let late = |(tiu, dma): &(Span, Span)| tiu.0 + placed.tiu_ns - dma.0 - placed.dma_ns;
        placed.doubt.is_none() && pairs.iter().all(|pair| (late(pair) - MS).abs() < 10)
    }

    #[test]
    fn every_place_of_the_common_period_is_found() {
        for mhz in [(900.0, 750.0), (1400.0, 1200.0), (1000.0, 750.0), (943.0, 750.0)] {
            for at in (0..100).map(|i| i * 1130 * MS) {
                let short = [(at, at + 5 * MS), (at + 7 * MS, at + 19 * MS)];
                assert!(is_right(mhz, &short), "{mhz:?} at {at} ns");
            }
        }
    }

    /// Launches decide where a run is longer than the places are apart.
    #[test]
    fn long_runs_are_placed_by_their_launches() {
        for mhz in [(900.0, 750.0), (1400.0, 1200.0)] {
            for at in [0, 3 * S, 20 * S, 59 * S, 97 * S] {
                let launches: Vec<Span> =
                    (0..40).map(|i| (at + i * 300 * MS, at + i * 300 * MS + 250 * MS)).collect();
                assert!(is_right(mhz, &launches), "{mhz:?} at {at} ns");
            }
        }
    }

    /// A clock that no chip has, as damage can write it, costs no more than a real one.
    #[test]
    fn a_clock_that_cannot_be_tries_few_places() {
        let pairs = [((0, 100 * MS), (5, 100 * MS)), ((S, 2 * S), (S, 2 * S))];
        for mhz in [1e-3, 1e9, 1e15, f64::MAX] {
            place((mhz, 750.0), &pairs);
            place((750.0, mhz), &pairs);
        }
    }

    #[test]
    fn two_equal_places_are_told() {
        // Half-way between two places.
        let spacing = turn_ns(900.0) / 5.0;
        let half = (spacing / 2.0) as i64;
        let pairs = [((half, half + MS), (0, MS))];
        let placed = place((900.0, 750.0), &pairs);
        assert_eq!((placed.tiu_ns, placed.dma_ns), (0, 0));
        let Some(Doubt::OtherPlace(off)) = placed.doubt else { panic!("{placed:?}") };
        assert!((off - spacing as i64).abs() < 10, "{off}");
        assert!(
            placed
                .doubt
                .unwrap()
                .message()
                .text(bigtpu_messages::Language::English)
                .contains("may be 0.954 s off")
        );
    }

    #[test]
    fn a_pause_of_more_than_a_turn_is_told() {
        let launch = |at: i64| ((at, at + MS), (at, at + MS));
        let mut pairs = vec![launch(0), launch(2 * MS), launch(4 * MS)];
        pairs.push(((MS, 2 * MS), (MS + 954 * MS, 2 * MS + 954 * MS)));
        assert_eq!(place((900.0, 750.0), &pairs).doubt, Some(Doubt::Torn(1)));
    }
}
