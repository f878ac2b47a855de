//! Which kernel ran on a rank at a moment: for pieces of its own time.

use crate::part::DumpPart;

/// Stretches of kernels in order, none of which touches another: where launches overlap, the one that began first.
pub(crate) struct KernelTimes(Vec<(i64, i64, u32)>);

impl KernelTimes {
    pub(crate) fn add_up(part: &DumpPart) -> Self {
        let mut stretches: Vec<(i64, i64, u32)> = Vec::new();
        let mut until = i64::MIN;
        for launch in part.launches.iter() {
            let start = launch.start.max(until);
            if launch.end > start {
                stretches.push((start, launch.end, launch.kernel));
                until = launch.end;
            }
        }
        Self(stretches)
    }

    /// The kernels between two moments, in ns of the rank's own clock; `None`: between launches.
    pub(crate) fn split(&self, from: i64, to: i64) -> Vec<(Option<u32>, i64)> {
        let mut pieces = Vec::new();
        let (mut at, mut between) = (from, 0);
        let first = self.0.partition_point(|(_, end, _)| *end <= from);
        for &(start, end, kernel) in self.0.get(first..).unwrap_or_default() {
            if start >= to {
                break;
            }
            between += (start - at).max(0);
            pieces.push((Some(kernel), end.min(to) - start.max(at)));
            at = end.min(to);
        }
        between += (to - at).max(0);
        pieces.push((None, between));
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launches::Launch;

    #[test]
    fn a_piece_of_time_is_split_by_kernel_and_keeps_its_length() {
        let launch = |kernel, start, end| Launch { kernel, start, end };
        let part = DumpPart {
            launches: [launch(0, 10, 50), launch(1, 20, 40), launch(1, 45, 70)]
                .into_iter()
                .collect(),
            ..DumpPart::default()
        };
        let pieces = KernelTimes::add_up(&part).split(30, 90);
        assert_eq!(pieces, [(Some(0), 20), (Some(1), 20), (None, 20)]);
        assert_eq!(KernelTimes::add_up(&part).split(0, 10), [(None, 10)]);
    }
}
