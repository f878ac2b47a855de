//! Which sections the first pass left over: stretches between those that certainly pair.

use std::ops::Range;

use foldhash::HashSet;

use crate::align::align;
use crate::nodes::Node;
use crate::pair::{Sections, spans};
use crate::sections::Section;

/// Sections of records and of commands between those that certainly pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub(crate) records: Range<usize>,
    pub(crate) commands: Range<usize>,
}

/// Finds them; none where all sections pair in their order, with the ids of their commands. `id`: of a free record.
///
/// A pair is certain if the alignment from either end has it, and if its first record has its command's id (the first
/// section of a capture may begin within one).
pub(crate) fn stretches(
    sections: &Sections,
    nodes: &[Node],
    id: impl Fn(usize) -> Option<i64>,
) -> Vec<Stretch> {
    let Sections { records, commands } = sections;
    let agrees = |r: usize, c: usize| {
        let (record, command) = (id(records[r].first), nodes.get(commands[c].first));
        r == 0 || record.zip(command).is_some_and(|(id, node)| id == i64::from(node.id))
    };
    let (of_records, of_commands) = (spans(records), spans(commands));
    if of_records == of_commands && (0..records.len()).all(|at| agrees(at, at)) {
        return Vec::new();
    }
    let from_start = align_from_start(&of_records, &of_commands);
    let pairs = align(&of_records, &of_commands);
    let mut found: Vec<Stretch> = Vec::new();
    let (mut r, mut c) = (0, 0);
    let sure = pairs.into_iter().filter(|pair| from_start.contains(pair) && agrees(pair.0, pair.1));
    for (sure_r, sure_c) in sure.chain([(records.len(), commands.len())]) {
        if sure_r > r || sure_c > c {
            // The neighbours come along: they may be what is left of a longer section.
            let (first_r, first_c) = match (r.checked_sub(1), c.checked_sub(1)) {
                (Some(r), Some(c)) => (r, c),
                _ => (r, c),
            };
            let records = first_r..(sure_r + 1).min(records.len());
            let commands = first_c..(sure_c + 1).min(commands.len());
            match found.last_mut() {
                Some(last)
                    if last.records.end > records.start || last.commands.end > commands.start =>
                {
                    (last.records.end, last.commands.end) = (records.end, commands.end);
                }
                _ => found.push(Stretch { records, commands }),
            }
        }
        (r, c) = (sure_r + 1, sure_c + 1);
    }
    found
}

/// The alignment that prefers the first of equally good pairs, where [`align`] prefers the last.
pub(crate) fn align_from_start(a: &[u64], b: &[u64]) -> HashSet<(usize, usize)> {
    let reversed = |spans: &[u64]| spans.iter().rev().copied().collect::<Vec<u64>>();
    let pairs = align(&reversed(a), &reversed(b));
    pairs.into_iter().map(|(r, c)| (a.len() - 1 - r, b.len() - 1 - c)).collect()
}

/// For each record of some sections, the command section that is as far from the end: where records at the start are
/// missing, the path finds its way there at once.
pub(crate) fn hints(records: &[Section], commands: usize) -> Vec<usize> {
    let all = records.len();
    let of_section = |(at, section): (usize, &Section)| {
        std::iter::repeat_n((commands + at).saturating_sub(all), section.len)
    };
    records.iter().enumerate().flat_map(of_section).collect()
}
