//! The data commands of a thread, in columns.

use crate::column::Column;

/// A data command.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DataCommand {
    /// Start.
    pub start: i64,
    /// First data; the start where it is not known.
    pub first: i64,
    /// Last data; the end where it is not known.
    pub last: i64,
    /// End.
    pub end: i64,
    /// Bytes; 0 where the record has none.
    pub bytes: u64,
    /// Packets that the link sent again.
    pub replays: u32,
    /// 1 more than the index of its kernel's name; 0 for none.
    pub kernel: u32,
    /// 1 more than the number of its kernel's launch; 0 for none.
    pub scope: u32,
    /// Commands of a call: it grows where ids restart or the launch changes.
    pub section: u32,
    /// 0 not known, 1 it does not combine, 2 it does.
    pub reduces: u8,
    /// 1 more than the chip number of the peer that the command's bits name; 0 for none.
    pub peer: u8,
}

/// When a data command moved its data: ns, as [`DataCommand`] has them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Moments {
    /// Start.
    pub start: i64,
    /// First data.
    pub first: i64,
    /// Last data.
    pub last: i64,
    /// End.
    pub end: i64,
}

impl DataCommand {
    /// When it moved its data.
    pub(crate) fn moments(&self) -> Moments {
        let Self { start, first, last, end, .. } = *self;
        Moments { start, first, last, end }
    }
}

/// The data commands of a thread by start. They are columns, not structs: a run of many devices has tens of millions,
/// and most of their numbers are small, or equal throughout.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DataCommands {
    pub(crate) start: Column,
    /// ns from the start to the first data, from there to the last, and from there to the end.
    pub(crate) start_up: Column,
    pub(crate) transfer: Column,
    pub(crate) completion: Column,
    pub(crate) bytes: Column,
    /// Retries, kernel, launch, section, reduction, peer: as [`DataCommand`] has them.
    pub(crate) rest: [Column; 6],
}

impl DataCommands {
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

    /// A command by its place.
    #[must_use]
    pub fn get(&self, place: usize) -> Option<DataCommand> {
        (place < self.len()).then(|| self.command(place))
    }

    fn command(&self, place: usize) -> DataCommand {
        let Moments { start, first, last, end } = self.moments(place);
        let [replays, kernel, scope, section, reduces, peer] = &self.rest;
        let narrow = |column: &Column| column.value_at(place) as u32;
        DataCommand {
            start,
            first,
            last,
            end,
            bytes: self.bytes.value_at(place) as u64,
            replays: narrow(replays),
            kernel: narrow(kernel),
            scope: narrow(scope),
            section: narrow(section),
            reduces: narrow(reduces) as u8,
            peer: narrow(peer) as u8,
        }
    }

    /// When the command at a place moved its data.
    pub(crate) fn moments(&self, place: usize) -> Moments {
        let start = self.start.value_at(place);
        let first = start.saturating_add(self.start_up.value_at(place));
        let last = first.saturating_add(self.transfer.value_at(place));
        Moments { start, first, last, end: last.saturating_add(self.completion.value_at(place)) }
    }

    /// The first command.
    #[must_use]
    pub fn first(&self) -> Option<DataCommand> {
        self.get(0)
    }

    /// All commands by start.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = DataCommand> + ExactSizeIterator + Clone {
        (0..self.len()).map(|place| self.command(place))
    }

    /// Starts of all commands.
    pub(crate) fn starts(&self) -> impl ExactSizeIterator<Item = i64> + Clone {
        self.start.iter()
    }

    /// End of the command at a place.
    pub(crate) fn end(&self, place: usize) -> i64 {
        self.last(place).saturating_add(self.completion.value_at(place))
    }

    /// Last data of the command at a place.
    pub(crate) fn last(&self, place: usize) -> i64 {
        let first = self.start.value_at(place).saturating_add(self.start_up.value_at(place));
        first.saturating_add(self.transfer.value_at(place))
    }

    /// The launch of the command at a place, and its section.
    pub(crate) fn scope_and_section(&self, place: usize) -> (u32, u32) {
        let [_, _, scope, section, ..] = &self.rest;
        (scope.value_at(place) as u32, section.value_at(place) as u32)
    }

    /// 1 more than the index of the kernel's name of all commands; 0 for none.
    pub(crate) fn kernels(&self) -> impl Iterator<Item = u32> {
        let [_, kernel, ..] = &self.rest;
        kernel.iter().map(|n| n as u32)
    }

    /// Retries of all commands.
    pub(crate) fn replays(&self) -> impl Iterator<Item = u64> {
        let [replays, ..] = &self.rest;
        replays.iter().map(|n| n as u64)
    }
}

impl FromIterator<DataCommand> for DataCommands {
    fn from_iter<I: IntoIterator<Item = DataCommand>>(commands: I) -> Self {
        let all: Vec<DataCommand> = commands.into_iter().collect();
        let column = |of: fn(&DataCommand) -> i64| Column::compress(all.iter().map(of));
        Self {
            start: column(|c| c.start),
            start_up: column(|c| c.first.saturating_sub(c.start)),
            transfer: column(|c| c.last.saturating_sub(c.first)),
            completion: column(|c| c.end.saturating_sub(c.last)),
            bytes: column(|c| i64::try_from(c.bytes).unwrap_or(i64::MAX)),
            rest: [
                column(|c| c.replays.into()),
                column(|c| c.kernel.into()),
                column(|c| c.scope.into()),
                column(|c| c.section.into()),
                column(|c| c.reduces.into()),
                column(|c| c.peer.into()),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_come_back_from_their_columns() {
        let one = DataCommand {
            start: 5,
            first: 7,
            last: 90,
            end: 95,
            bytes: 4096,
            ..DataCommand::default()
        };
        let two = DataCommand {
            start: 100,
            first: 6_000_000_000,
            last: 6_000_000_001,
            end: 7_000_000_000,
            ..one
        };
        let three = DataCommand {
            start: 7_000_000_001,
            first: 7_000_000_001,
            kernel: 3,
            scope: 70_000,
            replays: 9,
            ..two
        };
        let three = DataCommand {
            last: 7_000_000_009,
            end: 7_000_000_010,
            section: 2,
            reduces: 2,
            peer: 255,
            ..three
        };
        let all: DataCommands = [one, two, three].into_iter().collect();
        assert_eq!(all.iter().collect::<Vec<_>>(), [one, two, three]);
        assert_eq!((all.len(), all.get(3), all.end(1)), (3, None, 7_000_000_000));
    }
}
