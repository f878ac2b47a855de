//! Which keys the records of an engine have.

use std::collections::HashSet;

use bigtpu_analysis::record;
use bigtpu_timeline::{Profile, Tag, Track};

use crate::columns::add_keys;

/// What an event's keys depend on: how it is known, by which operation's bits or by which word, and which
/// tags there are.
type Sort = (u8, usize, u8, u8, [bool; 4]);

/// Adds the keys of all records of a track. Records of one sort have the same keys, so only the first
/// of each is looked at.
pub(crate) fn keys(profile: &Profile<'_>, track: &Track<'_>, keys: &mut HashSet<String>) {
    let mut seen: HashSet<Sort> = HashSet::new();
    for i in 0..track.events.len() {
        if seen.insert(sort(profile, track, i)) {
            add_keys(keys, &record(profile, track, i));
        }
    }
}

fn sort(profile: &Profile<'_>, track: &Track<'_>, i: usize) -> Sort {
    let binding = track.events.binding.get(i).map_or(0, |&b| b as u8);
    let Tag { kernel, scope, batch, mode } = profile.tag(track, i);
    let tags = [kernel.is_some(), scope.is_some(), batch.is_some(), mode.is_some()];
    match profile.command(track, i) {
        Some(command) => {
            let op: *const _ = command.op;
            (binding, op.addr(), command.variant, 0, tags)
        }
        None => {
            let word = track.events.word.get(i).copied().unwrap_or_default();
            (binding, 0, word.task(), word.sub(), tags)
        }
    }
}
