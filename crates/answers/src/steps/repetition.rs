//! The sequence of kernels that repeats: an iteration of the model.

use std::collections::HashMap;

/// Launches that the search for a period looks at: the sequence of a longer run shows itself early.
const MOST_LAUNCHES: usize = 1 << 17;
/// Longest context by which equal positions of two iterations are recognized.
const MOST_CONTEXT: usize = 256;
/// Periods tried for each length of the context.
const CANDIDATES: usize = 8;

/// A sequence that occurs several times in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Repetition {
    /// Index of its first launch.
    pub(super) first: usize,
    /// Launches of one occurrence.
    pub(super) period: usize,
    /// Whole occurrences in a row.
    pub(super) count: usize,
}

impl Repetition {
    fn launches(self) -> usize {
        self.count * self.period
    }

    /// The longest repetition with the period; equal lengths: the first.
    fn longest(kernels: &[u32], period: usize) -> Option<Self> {
        let mut best: Option<Self> = None;
        let mut first = 0;
        for end in period..=kernels.len() {
            let goes_on = end < kernels.len() && kernels.get(end) == kernels.get(end - period);
            if goes_on {
                continue;
            }
            let found = Self { first, period, count: (end - first) / period };
            if best.is_none_or(|best| found.count > best.count) {
                best = Some(found);
            }
            first = end + 1 - period;
        }
        best.filter(|best| best.count >= 2)
    }

    /// The repetition that covers most launches; of equal ones that with the shortest period. `None` where less than
    /// half of the launches repeat, or where a single kernel occurs twice.
    pub(super) fn find(kernels: &[u32]) -> Option<Self> {
        let seen = kernels.get(..MOST_LAUNCHES).unwrap_or(kernels);
        let found = candidates(seen).into_iter().filter_map(|period| Self::longest(seen, period));
        let best = found.max_by_key(|r| (r.launches(), std::cmp::Reverse(r.period)))?;
        let is_enough = best.count >= 3 || best.period >= 2;
        (is_enough && 2 * best.launches() >= seen.len()).then_some(best)
    }
}

/// Distances at which the same kernels follow one another most often, for contexts of 1, 2, 4 and so on launches.
fn candidates(kernels: &[u32]) -> Vec<usize> {
    let mut periods = Vec::new();
    let mut context = 1;
    while context <= MOST_CONTEXT && context < kernels.len() {
        let mut last: HashMap<&[u32], usize> = HashMap::new();
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for (at, window) in kernels.windows(context).enumerate() {
            if let Some(before) = last.insert(window, at) {
                *counts.entry(at - before).or_default() += 1;
            }
        }
        let mut counts: Vec<(usize, usize)> = counts.into_iter().collect();
        counts.sort_unstable_by_key(|&(distance, count)| (std::cmp::Reverse(count), distance));
        periods.extend(counts.into_iter().take(CANDIDATES).map(|(distance, _)| distance));
        context *= 2;
    }
    periods.sort_unstable();
    periods.dedup();
    periods
}

/// Where occurrences of the sequence begin, and where a part begins that is none though it is about as long.
/// Returns (index of the first launch, number of launches, whether it is the sequence); launches before the first
/// occurrence and behind the last are in none.
pub(super) fn occurrences(kernels: &[u32], of: Repetition) -> Vec<(usize, usize, bool)> {
    let Repetition { first, period, .. } = of;
    let Some(sequence) = kernels.get(first..first + period) else { return Vec::new() };
    let mut found: Vec<(usize, usize, bool)> = Vec::new();
    let mut at = 0;
    while let Some(rest) = kernels.get(at..).filter(|rest| rest.len() >= period) {
        if !rest.starts_with(sequence) {
            at += 1;
            continue;
        }
        if let Some((start, launches, is_whole)) = found.last_mut() {
            let end = *start + *launches;
            let between = at - end;
            if between > 0 && 2 * between >= period {
                found.push((end, between, false));
            } else if between > 0 {
                *launches += between;
                *is_whole = false;
            }
        }
        found.push((at, period, true));
        at += period;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(text: &str) -> Option<(usize, usize, usize)> {
        let kernels: Vec<u32> = text.bytes().map(u32::from).collect();
        Repetition::find(&kernels).map(|r| (r.first, r.period, r.count))
    }

    #[test]
    fn the_whole_iteration_repeats_not_its_layers() {
        assert_eq!(find("eamamamhealamh"), None);
        assert_eq!(find("eamamamheamamamheamamamh"), Some((0, 8, 3)));
        assert_eq!(find("xyeamamamheamamamheamamamh"), Some((2, 8, 3)));
        assert_eq!(find("abcabcabca"), Some((0, 3, 3)));
        assert_eq!(find("aaaa"), Some((0, 1, 4)));
        // Two launches of a kernel are no iteration yet; of a sequence they are.
        assert_eq!(find("aa"), None);
        assert_eq!(find("abab"), Some((0, 2, 2)));
        assert_eq!(find("abcdefgh"), None);
        assert_eq!(find(""), None);
    }

    #[test]
    fn an_iteration_of_hundreds_of_launches_is_found() {
        let layers = "am".repeat(60);
        let text = format!("e{layers}h").repeat(4);
        assert_eq!(find(&text), Some((0, 122, 4)));
    }

    #[test]
    fn a_step_that_differs_stands_alone() {
        let kernels: Vec<u32> = "zabcdabcdabdabcdxabcdab".bytes().map(u32::from).collect();
        let found = Repetition { first: 1, period: 4, count: 2 };
        let all = [(1, 4, true), (5, 4, true), (9, 3, false), (12, 5, false), (17, 4, true)];
        assert_eq!(occurrences(&kernels, found), all);
    }
}
