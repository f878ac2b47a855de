//! Which events of a track a block of slices shows.

/// Events of a track, row by row.
pub(super) trait Rows: Copy {
    /// The event of a row.
    fn event(self, row: usize) -> usize;

    /// The rows of a column: of events that follow each other as they are, others are gathered. Fewer where the column is
    /// shorter.
    fn column<'c, T: Copy>(self, column: &'c [T], gathered: &'c mut Vec<T>) -> &'c [T];

    /// The first of them, if they all follow each other.
    fn first(self) -> Option<usize>;
}

/// Events that follow each other: the first one, and how many there are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Following {
    pub(super) first: usize,
    pub(super) count: usize,
}

/// Events of a lane.
#[derive(Debug, Clone, Copy)]
pub(super) struct OfLane<'p>(pub(super) &'p [u32]);

impl Rows for Following {
    #[inline]
    fn event(self, row: usize) -> usize {
        self.first + row
    }

    #[inline]
    fn column<'c, T: Copy>(self, column: &'c [T], _: &'c mut Vec<T>) -> &'c [T] {
        let count = self.count.min(column.len().saturating_sub(self.first));
        column.get(self.first..self.first + count).unwrap_or_default()
    }

    #[inline]
    fn first(self) -> Option<usize> {
        Some(self.first)
    }
}

impl Rows for OfLane<'_> {
    #[inline]
    fn event(self, row: usize) -> usize {
        self.0.get(row).map_or(usize::MAX, |event| *event as usize)
    }

    fn column<'c, T: Copy>(self, column: &'c [T], gathered: &'c mut Vec<T>) -> &'c [T] {
        gathered.extend(self.0.iter().map_while(|event| column.get(*event as usize)));
        gathered
    }

    fn first(self) -> Option<usize> {
        None
    }
}
