//! Which transfer wrote what is in the memories outside the cores.

use std::collections::BTreeMap;
use std::ops::Range;

/// What is in the memories, by first address: stretches do not overlap.
#[derive(Debug, Default)]
pub(super) struct Written(BTreeMap<u64, (u64, u32)>);

impl Written {
    /// A transfer writes this stretch.
    pub(super) fn write(&mut self, stretch: Range<u64>, transfer: u32) {
        let Range { start, end } = stretch;
        if start >= end {
            return;
        }
        let cut: Vec<(u64, (u64, u32))> = self
            .0
            .range(..end)
            .rev()
            .take_while(|(_, (past, _))| *past > start)
            .map(|(from, held)| (*from, *held))
            .collect();
        for (from, (past, by)) in cut {
            self.0.remove(&from);
            if from < start {
                self.0.insert(from, (start, by));
            }
            if past > end {
                self.0.insert(end, (past, by));
            }
        }
        self.0.insert(start, (end, transfer));
    }

    /// Shows which transfers wrote how many bytes of this stretch, the last ones first.
    pub(super) fn read(&self, stretch: &Range<u64>, mut each: impl FnMut(u32, u64)) {
        let held = self.0.range(..stretch.end).rev();
        for (from, (past, by)) in held.take_while(|(_, (past, _))| *past > stretch.start) {
            each(*by, past.min(&stretch.end) - from.max(&stretch.start));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_writer_of_each_byte_counts() {
        let mut written = Written::default();
        written.write(0..100, 1);
        written.write(40..60, 2);
        written.write(100..120, 3);
        let mut read = Vec::new();
        written.read(&(30..110), |by, bytes| read.push((by, bytes)));
        assert_eq!(read, [(3, 10), (1, 40), (2, 20), (1, 10)]);
        written.write(0..200, 4);
        read.clear();
        written.read(&(0..300), |by, bytes| read.push((by, bytes)));
        assert_eq!(read, [(4, 200)]);
    }
}
