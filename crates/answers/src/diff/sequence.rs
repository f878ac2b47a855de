//! Which launches of two runs are the same ones: their kernels follow one another in the same order.

use imara_diff::{Algorithm, Diff, InternedInput};

/// Pairs of places, one in each sequence, that belong together: both ascend, and the names are equal. As many as
/// possible but for sequences that have little in common, where fewer are found sooner.
#[must_use]
pub fn matching_places<'a>(
    before: impl Iterator<Item = &'a str>,
    after: impl Iterator<Item = &'a str>,
) -> Vec<(u32, u32)> {
    let mut input = InternedInput::<&str>::default();
    input.update_before(before);
    input.update_after(after);
    let mut diff = Diff::compute(Algorithm::Myers, &input);
    diff.postprocess_no_heuristic(&input);
    let kept_before = (0..input.before.len() as u32).filter(|&place| !diff.is_removed(place));
    let kept_after = (0..input.after.len() as u32).filter(|&place| !diff.is_added(place));
    kept_before.zip(kept_after).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(before: &str, after: &str) -> Vec<(u32, u32)> {
        matching_places(before.split(' '), after.split(' '))
    }

    #[test]
    fn launches_that_are_new_or_gone_have_no_partner() {
        assert_eq!(pairs("a b a b c", "a b a b c"), [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)]);
        // One more launch at the start moves all others by one.
        assert_eq!(pairs("a b a b", "x a b a b"), [(0, 1), (1, 2), (2, 3), (3, 4)]);
        assert_eq!(pairs("a b c d", "a c x d"), [(0, 0), (2, 1), (3, 3)]);
        assert_eq!(pairs("a b", "c d"), []);
    }

    #[test]
    fn pairs_ascend_and_have_equal_names() {
        let name = |n: u64| ["matmul", "rope", "norm", "add"][(n % 4) as usize];
        let sequence = |seed: u64, length: u64| -> Vec<&str> {
            (0..length).map(|i| name((i * i * seed + i / 3) >> 2)).collect()
        };
        let (before, after) = (sequence(7, 3000), sequence(11, 2500));
        let pairs = matching_places(before.iter().copied(), after.iter().copied());
        assert!(pairs.len() > 1000, "{}", pairs.len());
        assert!(pairs.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1));
        assert!(pairs.iter().all(|&(b, a)| before[b as usize] == after[a as usize]));
    }
}
