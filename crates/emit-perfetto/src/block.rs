//! Slices that are written together: their numbers are set column by column, then each is a copy of its template.

use crate::numbers::{BEGIN, END, MOST_BITS, Numbers, ROWS, room};
use crate::sequence::Sequence;

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

    /// Starts a block of slices of these times, in ns. It has only the first of them where the others' are wider, and only
    /// `most` of them.
    pub(crate) fn start(&mut self, sequence: &Sequence, times: (&[i64], &[i64]), offset: i64) {
        self.fresh.clear();
        let columns = self.numbers.columns([], [BEGIN, END]);
        let Some(([], [begins, ends])) = columns else { return };
        let mut now = sequence.now();
        let mut rows = 0;
        for ((begin, end), (start, stop)) in
            begins.iter_mut().zip(ends.iter_mut()).zip(times.0.iter().zip(times.1))
        {
            // Callers sort, so that time never goes back.
            *begin = sequence.trace_time(*start + offset).max(now);
            *end = sequence.trace_time(*stop + offset).max(*begin);
            now = *end;
            rows += 1;
        }
        let bits = room(begins[0]).min(MOST_BITS);
        if now >> bits != 0 {
            let ends = ends.get(..rows).unwrap_or_default();
            rows = ends.partition_point(|end| end >> bits == 0).max(1).min(rows);
        }
        self.rows = rows;
    }

    /// Makes what all slices have ready for templates.
    pub(crate) fn spread_times(&mut self) {
        self.numbers.spread(BEGIN, self.rows);
        self.numbers.spread(END, self.rows);
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
