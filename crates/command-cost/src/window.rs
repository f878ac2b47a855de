//! Reads of local memory by commands that slide a kernel over rows.
//!
//! A lane takes the inputs of several outputs at once: for each kernel position it needs the lines of local memory that
//! hold them. Where it keeps the lines of the access before, these are free. The order is group of outputs, kernel row,
//! kernel column.

use foldhash::{HashMap, HashMapExt};

use bigtpu_chip::Slot;

use crate::shape::Shape;

/// Which lines of the access before are free.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Keep {
    /// None.
    Nothing,
    /// All; also those of the group before, if so.
    Lines { across_groups: bool },
    /// One of more than two, from the second kernel column on.
    OneByColumn,
}

/// A kernel that slides over rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Window {
    pub(crate) out_rows: u64,
    pub(crate) out_columns: u64,
    /// Outputs of a group.
    pub(crate) group: u64,
    pub(crate) kernel: (u64, u64),
    /// Rows and columns from output to output, at least 1.
    pub(crate) stride: (u64, u64),
    /// Rows above and columns left of the inputs.
    pub(crate) pad: (u64, u64),
    pub(crate) in_rows: u64,
    pub(crate) in_columns: u64,
    /// Bytes of an element, and of a line.
    pub(crate) bytes: u64,
    pub(crate) line: u64,
    pub(crate) keep: Keep,
}

impl Window {
    fn new(shape: &Shape<'_>, group: u128, line: u64, keep: Keep) -> Self {
        let get = |slot| shape.command.get(slot);
        Self {
            out_rows: get(Slot::Res0H),
            out_columns: get(Slot::Res0W),
            group: u64::try_from(group).unwrap_or(1).max(1),
            kernel: (get(Slot::Opd1H), get(Slot::Opd1W)),
            stride: (get(Slot::StrideY).max(1), get(Slot::StrideX).max(1)),
            pad: (get(Slot::PadUp), get(Slot::PadLeft)),
            in_rows: get(Slot::Opd0H),
            in_columns: get(Slot::Opd0W),
            bytes: shape.opd0.whole_bytes().into(),
            line: line.max(1),
            keep,
        }
    }

    pub(crate) fn of_convolution(shape: &Shape<'_>, group: u128, line: u64) -> Self {
        let keeps = shape.model.tiu.keeps_last_read.value;
        let keep = if keeps { Keep::Lines { across_groups: true } } else { Keep::Nothing };
        Self::new(shape, group, line, keep)
    }

    pub(crate) fn of_pooling(shape: &Shape<'_>, group: u128, line: u64) -> Self {
        let tiu = &shape.model.tiu;
        let is_strided = shape.command.get(Slot::StrideX) > 1;
        let keep = match tiu.keeps_last_read.value {
            false => Keep::Nothing,
            true if tiu.pool_keeps_by_column.value && is_strided => Keep::OneByColumn,
            true => Keep::Lines { across_groups: false },
        };
        Self::new(shape, group, line, keep)
    }

    /// Accesses to single inputs.
    fn steps(&self) -> u128 {
        let positions = u128::from(self.out_rows) * u128::from(self.out_columns);
        positions * u128::from(self.kernel.0) * u128::from(self.kernel.1)
    }

    /// The reads, counted one by one.
    fn count(&self) -> u128 {
        let positions = self.out_rows * self.out_columns;
        let (mut reads, mut last, mut now) = (0u128, Vec::new(), Vec::new());
        let mut first = 0;
        while first < positions {
            if self.keep != (Keep::Lines { across_groups: true }) {
                last.clear();
            }
            let end = positions.min(first + self.group);
            for kernel_row in 0..self.kernel.0 {
                for kernel_column in 0..self.kernel.1 {
                    self.lines(first..end, kernel_row, kernel_column, &mut now);
                    let all = now.len();
                    let paid = match self.keep {
                        Keep::Nothing => all,
                        Keep::OneByColumn => all - usize::from(all > 2 && kernel_column > 0),
                        Keep::Lines { .. } => new_lines(&now, &last),
                    };
                    reads += paid.max(1) as u128;
                    if !now.is_empty() {
                        std::mem::swap(&mut now, &mut last);
                    }
                }
            }
            first = end;
        }
        reads
    }

    /// The lines that hold a group's inputs for one kernel position, ascending, each once. Padding needs none.
    fn lines(&self, group: std::ops::Range<u64>, row: u64, column: u64, lines: &mut Vec<u64>) {
        lines.clear();
        let mut first = group.start;
        // The outputs of a row take inputs that are equally far from each other.
        while first < group.end {
            let (out_row, out_column) = (first / self.out_columns, first % self.out_columns);
            let end = group.end.min(first + self.out_columns - out_column);
            let y = (out_row * self.stride.0 + row).checked_sub(self.pad.0);
            if let Some(y) = y.filter(|y| *y < self.in_rows) {
                let x = out_column * self.stride.1 + column;
                self.lines_of_row(y, x, end - first, lines);
            }
            first = end;
        }
    }

    /// Appends the lines of `outputs` inputs of row `y`, a stride apart, of which the first is in column `x` of the padded row.
    fn lines_of_row(&self, y: u64, x: u64, outputs: u64, lines: &mut Vec<u64>) {
        let (stride, pad) = (self.stride.1, self.pad.1);
        let before = pad.saturating_sub(x).div_ceil(stride);
        let end = (self.in_columns + pad).saturating_sub(x).div_ceil(stride).min(outputs);
        if before >= end {
            return;
        }
        let byte = |output: u64| (y * self.in_columns + x + output * stride - pad) * self.bytes;
        let mut add = |line: u64| {
            if lines.last() != Some(&line) {
                lines.push(line);
            }
        };
        if stride * self.bytes <= self.line {
            // No line between the first and the last is left out.
            (byte(before) / self.line..=byte(end - 1) / self.line).for_each(add);
        } else {
            (before..end).for_each(|output| add(byte(output) / self.line));
        }
    }

    /// Output rows after which groups and lines repeat.
    fn period(&self) -> u64 {
        let of_groups = self.group / gcd(self.group, self.out_columns);
        let step = self.stride.0 * self.in_columns * self.bytes;
        let of_lines = self.line / gcd(self.line, step);
        of_groups / gcd(of_groups, of_lines) * of_lines
    }

    /// Returns the window with this many rows fewer of the output, all of them without padding.
    fn without_rows(&self, rows: u64) -> Self {
        Self {
            out_rows: self.out_rows - rows,
            in_rows: self.in_rows - rows * self.stride.0,
            ..*self
        }
    }

    /// The windows whose reads have to be counted, and how often the difference of the two is repeated.
    fn by_period(&self) -> (Self, Option<(Self, u64)>) {
        /// Single accesses that are counted in any case.
        const FEW: u128 = 1 << 12;
        if self.steps() <= FEW {
            return (*self, None);
        }
        let period = self.period();
        let above = self.pad.0.div_ceil(self.stride.0);
        let last = (self.in_rows + self.pad.0).checked_sub(self.kernel.0);
        let below = last.map_or(0, |last| last / self.stride.0 + 1).min(self.out_rows);
        let times = (below.saturating_sub(above) / period).saturating_sub(2);
        if times < 2 {
            return (*self, None);
        }
        let short = self.without_rows(times * period);
        (short, Some((self.without_rows((times - 1) * period), times)))
    }

    /// The reads; `None` if more than `most` single accesses have to be counted. Also those that were.
    fn reads(&self, most: u128) -> (Option<u128>, u128) {
        let (short, long) = self.by_period();
        let steps = short.steps() + long.map_or(0, |(long, _)| long.steps());
        if steps > most {
            return (None, 0);
        }
        let reads = short.count();
        let more =
            long.map_or(0, |(long, times)| u128::from(times) * long.count().saturating_sub(reads));
        (Some(reads + more), steps)
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

/// How many of `now` are not in `last`; both ascend.
fn new_lines(now: &[u64], last: &[u64]) -> usize {
    let mut last = last.iter();
    let mut known = last.next();
    let mut new = 0;
    for line in now {
        while known.is_some_and(|known| known < line) {
            known = last.next();
        }
        new += usize::from(known != Some(line));
    }
    new
}

/// Reads that were counted before: networks repeat their layers.
#[derive(Debug)]
pub struct Windows {
    known: HashMap<Window, Option<u128>>,
    /// Single accesses that may still be counted.
    left: u128,
}

impl Default for Windows {
    fn default() -> Self {
        Self::new()
    }
}

impl Windows {
    /// Single accesses that are counted for one window, and for all: no command for the hardware has more than local memory
    /// holds, and commands of arbitrary bits must not take hours.
    const MOST_OF_ONE: u128 = 1 << 25;
    const MOST: u128 = 1 << 32;
    const MOST_OF_RECORDS: u128 = 1 << 28;

    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self { known: HashMap::new(), left: Self::MOST }
    }

    /// None yet, for the commands of a dump: those that hardware ran are few and small, and an analysis must not wait
    /// for bits of a damaged one.
    #[must_use]
    pub fn of_records() -> Self {
        Self { left: Self::MOST_OF_RECORDS, ..Self::new() }
    }

    /// The reads of a window; `None` if there are too many to count.
    pub(crate) fn reads(&mut self, window: &Window) -> Option<u128> {
        if let Some(reads) = self.known.get(window) {
            return *reads;
        }
        let (reads, steps) = window.reads(self.left.min(Self::MOST_OF_ONE));
        self.left -= steps;
        self.known.insert(*window, reads);
        reads
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_row_of_two_lines_costs_one_read_more_where_the_first_kernel_column_crosses() {
        // 64 x 64 outputs of 2 bytes, 3x3: a boundary at column 32 in each of 64 * 3 - 2 pairs of rows.
        let window = Window {
            out_rows: 64,
            out_columns: 64,
            group: 4,
            kernel: (3, 3),
            stride: (1, 1),
            pad: (1, 1),
            in_rows: 64,
            in_columns: 64,
            bytes: 2,
            line: 64,
            keep: Keep::Lines { across_groups: true },
        };
        assert_eq!(window.count(), 9216 + 190);
        assert_eq!(window.reads(1 << 20).0, Some(9216 + 190));
    }

    /// The lines of a group, input by input.
    fn lines_by_input(window: &Window, group: std::ops::Range<u64>, at: (u64, u64)) -> Vec<u64> {
        let inputs = group.filter_map(|output| {
            let y = output / window.out_columns * window.stride.0 + at.0;
            let x = output % window.out_columns * window.stride.1 + at.1;
            let (y, x) = (y.checked_sub(window.pad.0)?, x.checked_sub(window.pad.1)?);
            let is_input = y < window.in_rows && x < window.in_columns;
            is_input.then_some((y * window.in_columns + x) * window.bytes / window.line)
        });
        let mut lines: Vec<_> = inputs.collect();
        lines.dedup();
        lines
    }

    proptest! {
        #[test]
        fn lines_of_a_group_are_those_of_its_inputs(
            rows in 1u64..9, columns in 1u64..40, group in (0u64..300, 1u64..40), at in (0u64..6, 0u64..6),
            stride in (1u64..4, 1u64..20), pad in (0u64..4, 0u64..9), inputs in (1u64..12, 1u64..60),
            line in prop::sample::select(vec![1u64, 16, 24, 64]), bytes in 1u64..5,
        ) {
            let window = Window {
                out_rows: rows, out_columns: columns, group: group.1, kernel: (6, 6), stride, pad,
                in_rows: inputs.0, in_columns: inputs.1, bytes, line, keep: Keep::Nothing,
            };
            let first = group.0.min(rows * columns - 1);
            let group = first..(first + group.1).min(rows * columns);
            let mut lines = Vec::new();
            window.lines(group.clone(), at.0, at.1, &mut lines);
            prop_assert_eq!(lines, lines_by_input(&window, group, at));
        }

        #[test]
        fn large_images_are_counted_by_their_period(
            rows in 1u64..300, columns in 1u64..40, kernel in (1u64..6, 1u64..6), stride in (1u64..4, 1u64..4),
            pad in (0u64..4, 0u64..4), below in 0u64..6, group in prop::sample::select(vec![2u64, 4, 8, 16]),
            line in prop::sample::select(vec![16u64, 32, 64]), bytes in 1u64..3, keep in 0..4u8,
        ) {
            let window = Window {
                out_rows: rows, out_columns: columns, group, kernel, stride, pad,
                in_rows: (rows * stride.0 + below).saturating_sub(pad.0).max(1),
                in_columns: columns * stride.1,
                bytes, line,
                keep: match keep {
                    0 => Keep::Nothing,
                    1 => Keep::OneByColumn,
                    2 => Keep::Lines { across_groups: false },
                    _ => Keep::Lines { across_groups: true },
                },
            };
            prop_assert_eq!(window.reads(1 << 30).0, Some(window.count()));
        }
    }
}
