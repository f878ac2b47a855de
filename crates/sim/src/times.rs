//! A column of times that takes 4 bytes each where the times are short.

use std::ops::Range;

use crate::Time;

/// Stands for a time that is in the list of long ones.
const LONG: i32 = i32::MIN;

/// A column of times. Most times of a run are far shorter than 2^31 units, so that 4 bytes hold them; the few longer ones
/// are in a list of their own, by row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskTimes {
    short: Vec<i32>,
    long: Vec<(u32, Time)>,
}

impl TaskTimes {
    /// An empty column with memory for so many times.
    #[must_use]
    pub fn with_capacity(rows: usize) -> Self {
        Self { short: Vec::with_capacity(rows), long: Vec::new() }
    }

    /// Number of times.
    #[must_use]
    pub fn len(&self) -> usize {
        self.short.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.short.is_empty()
    }

    /// Appends a time.
    #[inline]
    pub fn push(&mut self, time: Time) {
        let short = short(time);
        if short == LONG {
            self.long.push((self.short.len() as u32, time));
        }
        self.short.push(short);
    }

    /// Appends another column and leaves it empty.
    pub fn append(&mut self, later: &mut Self) {
        let rows = self.short.len() as u32;
        self.long.extend(later.long.drain(..).map(|(row, time)| (rows + row, time)));
        self.short.append(&mut later.short);
    }

    /// The first time below 0, with its row.
    pub(crate) fn first_negative(&self) -> Option<(usize, Time)> {
        // Long times may be negative, and are rare.
        let rows = self.short.iter().enumerate().filter(|(_, short)| **short < 0);
        rows.map(|(row, _)| (row, self.get(row))).find(|(_, time)| *time < 0)
    }

    /// The time of a row.
    ///
    /// # Panics
    /// If there is no such row.
    #[must_use]
    #[inline]
    pub fn get(&self, row: usize) -> Time {
        match self.short[row] {
            LONG => self.long_time(row),
            short => short.into(),
        }
    }

    /// The bits of some rows.
    ///
    /// # Panics
    /// If there are no such rows.
    #[inline]
    pub fn read_bits(&self, rows: Range<usize>, to: &mut [u64]) {
        let stored = &self.short[rows.clone()];
        let mut are_short = true;
        for (to, stored) in to.iter_mut().zip(stored) {
            *to = Time::from(*stored) as u64;
            are_short &= *stored != LONG;
        }
        if !are_short {
            for (row, to) in rows.zip(to) {
                *to = self.get(row) as u64;
            }
        }
    }

    /// Gives memory for more times back.
    pub fn shrink_to_fit(&mut self) {
        self.short.shrink_to_fit();
        self.long.shrink_to_fit();
    }

    /// All times.
    pub fn iter(&self) -> impl Iterator<Item = Time> + '_ {
        (0..self.len()).map(|row| self.get(row))
    }

    #[cold]
    fn long_time(&self, row: usize) -> Time {
        let at = self.long.binary_search_by_key(&(row as u32), |(row, _)| *row);
        at.ok().and_then(|at| self.long.get(at)).map_or(Time::from(LONG), |(_, time)| *time)
    }
}

#[inline]
fn short(time: Time) -> i32 {
    i32::try_from(time).unwrap_or(LONG)
}

impl From<&[Time]> for TaskTimes {
    fn from(times: &[Time]) -> Self {
        let column: Vec<i32> = times.iter().map(|time| short(*time)).collect();
        let mut long = Vec::new();
        if column.contains(&LONG) {
            let rows = (0..).zip(times).zip(&column).filter(|(_, short)| **short == LONG);
            long.extend(rows.map(|((row, time), _)| (row, *time)));
        }
        Self { short: column, long }
    }
}

impl FromIterator<Time> for TaskTimes {
    fn from_iter<I: IntoIterator<Item = Time>>(times: I) -> Self {
        let times = times.into_iter();
        let mut column = Self::with_capacity(times.size_hint().0);
        times.for_each(|time| column.push(time));
        column
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMES: [Time; 7] =
        [0, -5, Time::MAX, i32::MAX as Time + 1, i32::MIN as Time, 7, Time::MIN];

    #[test]
    fn long_times_are_exact() {
        let column: TaskTimes = TIMES.into_iter().collect();
        assert_eq!(column.iter().collect::<Vec<_>>(), TIMES);
        assert_eq!(column.long.len(), 4);
    }

    #[test]
    fn a_column_of_known_times_is_that_of_single_ones() {
        assert_eq!(TaskTimes::from(&TIMES[..]), TIMES.into_iter().collect());
    }

    #[test]
    fn columns_are_joined() {
        let (mut first, mut second): (TaskTimes, TaskTimes) =
            ([1, 1 << 50].into_iter().collect(), TIMES.into_iter().collect());
        first.append(&mut second);
        assert!(second.is_empty());
        assert_eq!(first.iter().skip(2).collect::<Vec<_>>(), TIMES);
        assert_eq!(first.get(1), 1 << 50);
        assert_eq!(first.first_negative(), Some((3, -5)));
    }
}
