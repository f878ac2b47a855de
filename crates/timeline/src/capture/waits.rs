//! Cores whose waits end at other times than those of the others.
//!
//! Cores that launch the same kernels wait for each other: the barrier lets all of them go on at once. The waits of a file of another
//! capture end at times of their own. Neither messages nor names need to be known for it.

use bigtpu_chip::Engine;
use bigtpu_messages::{Arg, message};

use super::launches::{Launch, are_same};
use super::{is_system_op, path_of};
use crate::binding::Binding;
use crate::dump::Dump;
use crate::note::{Note, Severity};
use crate::profile::{Core, Profile};

/// A send takes about ten ns, and a wait whose partner was there first hardly more: these say nothing. ns.
const LONG_NS: i64 = 200;
/// Waits that one barrier ends are that close, in ns.
const CLOSE_NS: i64 = 100;
/// Fewer waits say nothing.
const FEWEST_WAITS: usize = 6;

/// Tells the core whose waits mostly end at other times than those of each other one, where nearly all of two others end together. The
/// first ones do so in any capture, since clocks meet before them.
pub(super) fn waits_apart(
    dump: &Dump,
    profile: &Profile<'_>,
    launches: &[(u32, Vec<Launch>)],
) -> Option<Note> {
    let cores: Vec<(u32, &[Launch], Vec<i64>)> = launches
        .iter()
        .filter_map(|(core, launches)| {
            let ends = long_waits(profile, profile.cores.get(*core as usize)?);
            (ends.len() >= FEWEST_WAITS).then_some((*core, launches.as_slice(), ends))
        })
        .collect();
    let apart: Vec<(u32, u32)> = cores
        .iter()
        .filter_map(|(core, own, ends)| {
            let others = || {
                cores.iter().filter(|(other, launches, _)| other != core && are_same(own, launches))
            };
            let is_apart = others().all(|(.., theirs)| met(ends, theirs) * 2 <= ends.len());
            let fitting = others().find(|(other, _, theirs)| {
                let mut third = others().filter(|(third, ..)| third != other);
                third.any(|(.., third)| met(theirs, third) * 8 >= theirs.len() * 7)
            });
            Some((*core, fitting.filter(|_| is_apart)?.0))
        })
        .collect();
    // Several such cores are another way of working.
    let [(core, other)] = apart.as_slice() else { return None };
    let message = message!("note-waits-apart", other = Arg::Number((*other).into()));
    Some(Note::about_file(Severity::Loss, path_of(dump, *core, false)?, message))
}

/// The ends of the long waits of a core's engines, sorted.
fn long_waits(profile: &Profile<'_>, core: &Core<'_>) -> Vec<i64> {
    let mut ends = Vec::new();
    for track in core.tracks.iter().filter(|track| track.engine_id.engine != Engine::Cdma) {
        let (events, engine) = (&track.events, track.engine_id.engine);
        for (i, (binding, (start, end))) in
            events.binding.iter().zip(events.start.iter().zip(&events.end)).enumerate()
        {
            let is_system = match binding {
                Binding::Send | Binding::Wait => true,
                Binding::None | Binding::Rvt | Binding::BadBits => false,
                Binding::Bits => {
                    let code = events.code.get(i);
                    code.is_some_and(|code| is_system_op(profile.chip, engine, *code))
                }
                _ => {
                    let word = events.word(i);
                    word.is_some_and(|word| profile.chip.is_system(engine, word.task()))
                }
            };
            if is_system && end - start >= LONG_NS {
                ends.push(*end);
            }
        }
    }
    ends.sort_unstable();
    ends
}

/// How many ends have one of the others beside them.
fn met(ends: &[i64], others: &[i64]) -> usize {
    let is_met = |end: &&i64| {
        let from = others.partition_point(|other| *other < **end - CLOSE_NS);
        others.get(from).is_some_and(|other| *other <= **end + CLOSE_NS)
    };
    ends.iter().filter(is_met).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_within_a_barriers_time_meet() {
        assert_eq!(met(&[1000, 2000, 3000], &[900, 2101, 3050]), 2);
        assert_eq!(met(&[1000], &[]), 0);
    }
}
