//! Kernel launches of a dump, in columns.

use crate::column::Column;

/// A kernel launch on a core.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Launch {
    /// Index into the part's kernel names.
    pub kernel: u32,
    /// Start.
    pub start: i64,
    /// End.
    pub end: i64,
}

/// Kernel launches on the cores, by start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LaunchList {
    pub(crate) kernel: Column,
    pub(crate) start: Column,
    /// ns.
    pub(crate) length: Column,
}

impl LaunchList {
    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.start.len()
    }

    /// There is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All launches.
    pub fn iter(&self) -> impl Iterator<Item = Launch> {
        (0..self.len()).map(|place| {
            let start = self.start.value_at(place);
            Launch {
                kernel: self.kernel.value_at(place) as u32,
                start,
                end: start.saturating_add(self.length.value_at(place)),
            }
        })
    }

    /// How many begin before a moment.
    pub(crate) fn begun_before(&self, moment: i64) -> usize {
        moment.checked_sub(1).map_or(0, |last| self.start.count_up_to(last))
    }
}

impl FromIterator<Launch> for LaunchList {
    fn from_iter<I: IntoIterator<Item = Launch>>(launches: I) -> Self {
        let all: Vec<Launch> = launches.into_iter().collect();
        Self {
            kernel: Column::compress(all.iter().map(|l| l.kernel.into())),
            start: Column::compress(all.iter().map(|l| l.start)),
            length: Column::compress(all.iter().map(|l| l.end.saturating_sub(l.start))),
        }
    }
}
