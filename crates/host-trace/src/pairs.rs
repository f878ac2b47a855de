//! Begin and end events to slices: `B` with `E` on a thread, `b` with `e` on an asynchronous track.

use crate::args::{Args, ArgsRef};
use crate::strings::StrId;

/// A begin or an end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    /// Thread or asynchronous track.
    pub(crate) track: u32,
    pub(crate) name: StrId,
    pub(crate) cat: StrId,
    pub(crate) args: ArgsRef,
    pub(crate) at_ns: i64,
    pub(crate) begin: bool,
}

/// A begin with its end: the begin, with both's arguments, and the time of the end.
pub(crate) type Pair = (Mark, i64);

/// The pairs, in the order of their begins, and how many begins and ends are left over.
#[derive(Debug, Default)]
pub(crate) struct Paired {
    pub(crate) pairs: Vec<Pair>,
    pub(crate) unmatched_begins: u64,
    pub(crate) unmatched_ends: u64,
}

/// Pairs `marks` (in file order): on each track, in order of time and then of the file, an end
/// belongs to the last begin that is still open.
pub(crate) fn pair(marks: &[Mark], args: &mut Args) -> Paired {
    let mut order: Vec<(usize, &Mark)> = marks.iter().enumerate().collect();
    order.sort_by_key(|&(_, mark)| (mark.track, mark.at_ns));
    let mut paired = Paired::default();
    let mut pairs: Vec<(usize, Pair)> = Vec::with_capacity(marks.len() / 2);
    let mut open: Vec<(usize, Mark)> = Vec::new();
    let mut track = None;
    for (place, &mark) in order {
        if track != Some(mark.track) {
            track = Some(mark.track);
            paired.unmatched_begins += open.len() as u64;
            open.clear();
        }
        if mark.begin {
            open.push((place, mark));
        } else if let Some((place, mut begin)) = open.pop() {
            begin.args = args.merge(begin.args, mark.args);
            pairs.push((place, (begin, mark.at_ns)));
        } else {
            paired.unmatched_ends += 1;
        }
    }
    paired.unmatched_begins += open.len() as u64;
    pairs.sort_unstable_by_key(|&(place, _)| place);
    paired.pairs = pairs.into_iter().map(|(_, pair)| pair).collect();
    paired
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(text: &[(u32, i64, bool)]) -> Vec<Mark> {
        let mark = |&(track, at_ns, begin)| Mark {
            track,
            name: StrId::EMPTY,
            cat: StrId::EMPTY,
            args: ArgsRef::NONE,
            at_ns,
            begin,
        };
        text.iter().map(mark).collect()
    }

    fn spans(text: &[(u32, i64, bool)]) -> (Vec<(u32, i64, i64)>, u64, u64) {
        let paired = pair(&marks(text), &mut Args::default());
        let spans =
            paired.pairs.iter().map(|(begin, end)| (begin.track, begin.at_ns, *end)).collect();
        (spans, paired.unmatched_begins, paired.unmatched_ends)
    }

    #[test]
    fn pairs_as_a_stack_on_each_track() {
        let marks =
            [(0, 1, true), (1, 2, true), (0, 3, true), (0, 4, false), (1, 5, false), (0, 6, false)];
        assert_eq!(spans(&marks), (vec![(0, 1, 6), (1, 2, 5), (0, 3, 4)], 0, 0));
    }

    #[test]
    fn counts_what_is_left_over() {
        let marks = [(0, 1, false), (0, 2, true), (1, 3, true), (1, 4, true), (1, 5, false)];
        assert_eq!(spans(&marks), (vec![(1, 4, 5)], 2, 1));
    }

    #[test]
    fn file_order_decides_at_one_time_only() {
        let marks = [(0, 9, false), (0, 5, true), (0, 5, false), (0, 5, true)];
        assert_eq!(spans(&marks), (vec![(0, 5, 5), (0, 5, 9)], 0, 0));
    }
}
