//! The order in which accesses to a memory count: that of their ends; of those that end at the same time reads come first.

/// The places of accesses in that order. Of each its end in ns and whether it writes.
///
/// Commands of an engine end one after another, so most of the list is in order already, engine by engine: only the accesses
/// of each command are to be put in order, and then the engines are merged.
pub(crate) fn by_end(
    accesses: impl ExactSizeIterator<Item = (i64, bool)>,
) -> impl Iterator<Item = u32> {
    let mut order: Vec<(i64, bool, u32)> =
        accesses.zip(0..).map(|((end, writes), at)| (end, writes, at)).collect();
    let key = |&(end, writes, _): &(i64, bool, u32)| (end, writes);
    for together in order.chunk_by_mut(|a, b| a.0 == b.0) {
        together.sort_by_key(key);
    }
    order.sort_by_key(key);
    order.into_iter().map(|(.., at)| at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn accesses_are_in_order_of_ends_and_reads_come_first(
            accesses in prop::collection::vec((0_i64..9, any::<bool>()), 0..40),
        ) {
            let mut all: Vec<_> = accesses.iter().zip(0_u32..).map(|(of, at)| (*of, at)).collect();
            all.sort_unstable();
            let expected: Vec<u32> = all.into_iter().map(|(_, at)| at).collect();
            prop_assert_eq!(by_end(accesses.into_iter()).collect::<Vec<_>>(), expected);
        }
    }
}
