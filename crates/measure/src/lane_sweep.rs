//! Which addresses of a lane of local memory are still read, while a sweep goes backwards in time.

use std::collections::BTreeMap;
use std::ops::Range;

/// What the sweep knows about a lane's addresses. An access makes at most two more stretches, and those that it covers
/// become one or none: so the work is that of sorting the accesses, however these cut each other.
#[derive(Default)]
pub(crate) struct Lane {
    /// Stretches that are read before they are written, by start: the end, and the last access that reads them.
    read: BTreeMap<u32, (u32, u32)>,
    /// These addresses with stretches that touch joined, by start: the end. One of them may be several stretches of
    /// `read`.
    covered: BTreeMap<u32, u32>,
    /// Stretches that were looked at.
    #[cfg(test)]
    steps: usize,
}

impl Lane {
    /// An access reads: it is the last read where no later one is known.
    pub(crate) fn read(&mut self, addresses: &Range<u32>, read: u32) {
        let Range { start, end } = *addresses;
        let (mut from, mut to, mut unread) = (start, end, start);
        for (first, past) in overlapping(&self.covered, addresses, |&past| past) {
            if unread < first {
                self.read.insert(unread, (first, read));
            }
            unread = past;
            (from, to) = (from.min(first), to.max(past));
            self.covered.remove(&first);
            self.count();
        }
        if unread < end {
            self.read.insert(unread, (end, read));
        }
        self.covered.insert(from, to);
    }

    /// An access writes; `life` is told the last reads of what it fills, and of how many bytes.
    pub(crate) fn write(&mut self, addresses: &Range<u32>, mut life: impl FnMut(u32, u32)) {
        let Range { start, end } = *addresses;
        for (first, past) in overlapping(&self.read, addresses, |&(past, _)| past) {
            let Some((_, read)) = self.read.remove(&first) else { continue };
            life(read, past.min(end) - first.max(start));
            if first < start {
                self.read.insert(first, (start, read));
            }
            if end < past {
                self.read.insert(end, (past, read));
            }
            self.count();
        }
        for (first, past) in overlapping(&self.covered, addresses, |&past| past) {
            self.covered.remove(&first);
            if first < start {
                self.covered.insert(first, start);
            }
            if end < past {
                self.covered.insert(end, past);
            }
            self.count();
        }
    }

    fn count(&mut self) {
        #[cfg(test)]
        {
            self.steps += 1;
        }
    }
}

/// The stretches that share an address with others, ascending: start and end of each.
fn overlapping<T>(
    stretches: &BTreeMap<u32, T>,
    addresses: &Range<u32>,
    past: impl Fn(&T) -> u32,
) -> Vec<(u32, u32)> {
    let before = stretches.range(..addresses.start).next_back();
    let before = before.filter(|(_, stretch)| past(stretch) > addresses.start);
    let within = stretches.range(addresses.clone());
    before.into_iter().chain(within).map(|(&first, stretch)| (first, past(stretch))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small accesses that cut the memory to pieces, and large ones over all of them: the work on twice as many is about
    /// twice as much.
    #[test]
    fn the_work_grows_with_the_number_of_accesses() {
        let steps = |n: u32| {
            let mut lane = Lane::default();
            for i in 0..n {
                // Every second byte, from behind; of the large ones one in four writes.
                let at = 2 * (n - i);
                lane.read(&(at..at + 1), i);
                match i % 8 {
                    0 => lane.write(&(at..at + 20), |_, _| {}),
                    2 | 4 | 6 => lane.read(&(0..4 * n), i),
                    _ => lane.write(&(at + 3..at + 4), |_, _| {}),
                }
            }
            lane.steps
        };
        let (once, twice) = (steps(4000), steps(8000));
        assert!(once < 8 * 4000 && twice < 5 * once / 2, "{once}, {twice}");
    }
}
