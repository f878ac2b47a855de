//! Slices that are written together: their numbers are set column by column, then each is a copy of its template.

use crate::numbers::{BEGIN, END, Numbers, ROWS};
use crate::sequence::Sequence;
use crate::spread::{NARROW_BITS, spread, spread_low};
use crate::widths::{MOST_BITS, room};

/// Slices of a track that follow each other; their times have one width.
#[derive(Debug)]
pub(crate) struct Block {
    /// How many there are, at most [`ROWS`].
    pub(crate) rows: usize,
    /// Which template each is a copy of: only slices whose numbers have the same widths have the same.
    pub(crate) keys: [u64; ROWS],
    pub(crate) numbers: Numbers,
    /// Slices that need texts that are interned before them, and how many bytes of the sequence's fresh entries all up to then
    /// take.
    pub(crate) fresh: Vec<(usize, usize)>,
}

impl Block {
    pub(crate) fn new() -> Self {
        Self { rows: 0, keys: [0; ROWS], numbers: Numbers::new(), fresh: Vec::new() }
    }

    /// Starts a block of so many slices, of which it has at most [`ROWS`].
    pub(crate) fn start(&mut self, rows: usize) {
        self.rows = rows.min(ROWS);
        self.fresh.clear();
        self.numbers.start();
    }

    /// Sets the slices' times, in ns. The block has only the first slices where the others' are wider.
    pub(crate) fn set_times(&mut self, sequence: &Sequence, times: [&[i64]; 2], offset: i64) {
        let rows = times.iter().fold(self.rows, |rows, times| rows.min(times.len()));
        let times = times.map(|times| times.get(..rows).unwrap_or_default());
        let near = self.near_times(sequence, times, offset);
        self.rows = near.unwrap_or_else(|| self.any_times(sequence, times, offset));
    }

    /// Times that do not go back, the first of which differ in their lowest bits alone: how many of them have one width. `None`
    /// where they are others.
    fn near_times(
        &mut self,
        sequence: &Sequence,
        [starts, ends]: [&[i64]; 2],
        offset: i64,
    ) -> Option<usize> {
        let shift = offset.wrapping_sub(sequence.zero());
        let first = u64::try_from(starts.first()?.wrapping_add(shift)).ok()?;
        let mut steps = 0;
        for (start, end) in starts.iter().zip(ends) {
            steps |= end.wrapping_sub(*start);
        }
        for (end, next) in ends.iter().zip(starts.get(1..)?) {
            steps |= next.wrapping_sub(*end);
        }
        let bits = room(first);
        if steps < 0 || first < sequence.now() || bits > MOST_BITS {
            return None;
        }
        let end = |end: &i64| end.wrapping_add(shift).cast_unsigned();
        let rows = match end(ends.last()?) >> bits {
            0 => ends.len(),
            _ => ends.partition_point(|one| end(one) >> bits == 0).max(1),
        };
        let (starts, ends) = (starts.get(..rows)?, ends.get(..rows)?);
        if first >> NARROW_BITS != end(ends.last()?) >> NARROW_BITS {
            return None;
        }
        let of_all = spread(first >> NARROW_BITS << NARROW_BITS);
        for (number, times) in [(BEGIN, starts), (END, ends)] {
            for (to, time) in self.numbers.wide_column(number).iter_mut().zip(times) {
                let time = time.wrapping_add(shift).cast_unsigned() & ((1 << NARROW_BITS) - 1);
                *to = of_all | spread_low(time);
            }
        }
        Some(rows)
    }

    /// Times of any sort; how many of them have one width.
    #[cold]
    fn any_times(&mut self, sequence: &Sequence, times: [&[i64]; 2], offset: i64) -> usize {
        let mut now = sequence.now();
        // Of the first one.
        let mut bits = None;
        for (row, (start, end)) in times[0].iter().zip(times[1]).enumerate() {
            // Callers sort, so that time never goes back.
            let begin = sequence.trace_time(start.wrapping_add(offset)).max(now);
            now = sequence.trace_time(end.wrapping_add(offset)).max(begin);
            let bits = *bits.get_or_insert(room(begin).min(MOST_BITS));
            if row > 0 && now >> bits != 0 {
                return row;
            }
            self.numbers.set_wide(BEGIN, row, begin);
            self.numbers.set_wide(END, row, now);
        }
        times[0].len().min(times[1].len())
    }

    /// Notes that texts which a slice needs were interned, if any were.
    #[inline]
    pub(crate) fn note_fresh(&mut self, row: usize, sequence: &Sequence) {
        let bytes = sequence.fresh_bytes();
        match self.fresh.last_mut() {
            Some((last, until)) if *last == row => *until = bytes,
            Some((_, until)) if *until == bytes => {}
            None if bytes == 0 => {}
            _ => self.fresh.push((row, bytes)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Starts and ends of slices.
    type Times = (Vec<i64>, Vec<i64>);

    fn all(block: &Block) -> Vec<[u64; 2]> {
        let values = |row| [BEGIN, END].map(|number| block.numbers.row(row).value(number));
        (0..block.rows).map(values).collect()
    }

    #[test]
    fn near_times_are_those_of_any_sort() {
        let (mut random, mut near, mut others) = (1_u64, 0, 0);
        for at in 0..3000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(at);
            let mut time = (random >> 8 >> (at % 54)) as i64;
            let (zero, offset) = (time / 2, time / 3 - 5);
            let (mut starts, mut ends): Times = Default::default();
            for row in 0..at % 200 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(row);
                starts.push(time);
                // Some go back.
                time += (random >> 40) as i64 % 1000 - i64::from(random % 5000 == 0) * 2000;
                ends.push(time);
                time += (random >> 50) as i64 % 100;
            }
            let sequence = Sequence::new(1, 2, zero);
            let [mut one, mut other] = [(); 2].map(|()| Block::new());
            one.start(starts.len());
            one.set_times(&sequence, [&starts, &ends], offset);
            let count = starts.len().min(ROWS);
            let times = [&starts[..count], &ends[..count]];
            other.rows = other.any_times(&sequence, times, offset);
            assert_eq!(all(&one), all(&other));
            match one.near_times(&sequence, times, offset) {
                Some(rows) => {
                    assert_eq!(rows, other.rows);
                    near += 1;
                }
                None => others += 1,
            }
        }
        assert!(near > 1000 && others > 100, "{near} {others}");
    }
}
