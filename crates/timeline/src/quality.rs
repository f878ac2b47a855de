//! How well an event is known.

use std::collections::BTreeMap;

/// How well an event's command and times are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quality {
    /// Command and times are those that the dump says, and nothing contradicts them.
    Sure,
    /// No command is known for the record.
    Unnamed,
    /// The dump is damaged here: the record, its place or its command was put right by what is around it.
    Repaired,
    /// The command may be that of another launch, or the times can't be those of the record.
    Doubtful,
}

impl Quality {
    /// All, best first.
    pub const ALL: [Self; 4] = [Self::Sure, Self::Repaired, Self::Doubtful, Self::Unnamed];

    /// Name in tables and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sure => "sure",
            Self::Repaired => "repaired",
            Self::Doubtful => "doubtful",
            Self::Unnamed => "unnamed",
        }
    }
}

/// The records of an engine that damage touched, by their index in the monitor. A sound dump has none.
pub(crate) type Marks = BTreeMap<u32, Quality>;

/// Marks a record, unless it has a graver mark.
pub(crate) fn mark(marks: &mut Marks, record: u32, quality: Quality) {
    let known = marks.entry(record).or_insert(quality);
    *known = quality.max(*known);
}

/// The events of a track that damage touched, by their index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Qualities(Vec<(u32, Quality)>);

impl Qualities {
    /// Finds the events that damage touched. `records`: the record of each event.
    pub(crate) fn compute(marks: &Marks, records: &[u32]) -> Self {
        if marks.is_empty() {
            return Self::default();
        }
        let marked = records.iter().enumerate();
        Self(marked.filter_map(|(i, r)| Some((i as u32, *marks.get(r)?))).collect())
    }

    /// The mark of an event; `None` where damage did not touch it.
    #[must_use]
    pub fn get(&self, event: usize) -> Option<Quality> {
        let event = u32::try_from(event).ok()?;
        let at = self.0.binary_search_by_key(&event, |(i, _)| *i).ok()?;
        self.0.get(at).map(|(_, quality)| *quality)
    }

    /// Whether damage touched no event.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The events that damage touched, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (usize, Quality)> + '_ {
        self.0.iter().map(|(i, quality)| (*i as usize, *quality))
    }
}

impl FromIterator<(usize, Quality)> for Qualities {
    /// Takes events in ascending order.
    fn from_iter<I: IntoIterator<Item = (usize, Quality)>>(events: I) -> Self {
        Self(events.into_iter().map(|(i, quality)| (i as u32, quality)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_follow_their_records() {
        let mut marks = Marks::new();
        mark(&mut marks, 7, Quality::Doubtful);
        mark(&mut marks, 7, Quality::Repaired);
        mark(&mut marks, 2, Quality::Repaired);
        let of = Qualities::compute(&marks, &[5, 7, 6, 2]);
        let all: Vec<_> = of.iter().collect();
        assert_eq!(all, [(1, Quality::Doubtful), (3, Quality::Repaired)]);
        assert_eq!((of.get(0), of.get(1)), (None, Some(Quality::Doubtful)));
    }
}
