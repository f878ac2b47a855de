//! Hard facts of a link: orders that no valid clock violates.

use crate::commands::{DataCommand, DataCommands, Moments};
use crate::pairing::{Link, thread_of};
use crate::rank::Rank;

/// `later` of one rank is not before `earlier` of another, each on its own clock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fact {
    pub(crate) earlier: i64,
    pub(crate) later: i64,
    /// Data went from sender to receiver; else a credit the other way.
    pub(crate) is_data: bool,
}

/// The commands of a link's pairs.
pub(crate) fn commands<'r>(
    ranks: &'r [Rank],
    link: &'r Link,
) -> impl Iterator<Item = (DataCommand, DataCommand)> + 'r {
    pairs(ranks, link, DataCommands::get)
}

/// When the commands of a link's pairs moved their data.
pub(crate) fn moments<'r>(
    ranks: &'r [Rank],
    link: &'r Link,
) -> impl Iterator<Item = (Moments, Moments)> + 'r {
    let of =
        |commands: &DataCommands, place| (place < commands.len()).then(|| commands.moments(place));
    pairs(ranks, link, of)
}

/// What `of` gives of both commands of each of a link's pairs.
fn pairs<'r, T>(
    ranks: &'r [Rank],
    link: &'r Link,
    of: impl Fn(&DataCommands, usize) -> Option<T> + Copy + 'r,
) -> impl Iterator<Item = (T, T)> + 'r {
    let thread = |id| thread_of(ranks, id).map(|thread| &thread.commands);
    let threads = thread(link.from).zip(thread(link.to));
    threads.into_iter().flat_map(move |(sends, receives)| {
        let pairs = link.alignment.pairs();
        pairs.filter_map(move |(i, j)| Some((of(sends, i as usize)?, of(receives, j as usize)?)))
    })
}

/// The hard facts of a pair. `has_moments`: data times are known.
pub(crate) fn facts(send: &Moments, receive: &Moments, has_moments: bool) -> [Option<Fact>; 3] {
    let data = |earlier, later| Some(Fact { earlier, later, is_data: true });
    let credit = |earlier, later| Some(Fact { earlier, later, is_data: false });
    if has_moments {
        [
            data(send.first, receive.first),
            data(send.last, receive.last),
            credit(receive.start, send.first),
        ]
    } else {
        [data(send.start, receive.end), credit(receive.start, send.end), None]
    }
}
