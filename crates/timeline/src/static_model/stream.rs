//! The command groups of a static model, and which of their commands have a record.

use crate::streams::Descriptor;

/// The command groups of a static model for one engine; ids count from the first command of each.
pub(crate) struct StaticStream {
    pub(crate) groups: Vec<Vec<Descriptor>>,
}

impl StaticStream {
    pub(crate) fn len(&self) -> usize {
        self.groups.iter().map(Vec::len).sum()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Leaves out repetitions of all groups: a model that is loaded twice appends its streams twice. `file`: the bytes
    /// that the descriptors are in.
    pub(crate) fn drop_repetitions(&mut self, file: &[u8]) {
        self.groups.retain(|group| !group.is_empty());
        let bytes: Vec<&[u8]> = self.groups.iter().map(|group| bytes_of(group, file)).collect();
        let n = bytes.len();
        let is_period =
            |p: usize| n.is_multiple_of(p) && bytes.iter().zip(&bytes[p..]).all(|(a, b)| a == b);
        let period = (1..n).find(|&p| is_period(p));
        self.groups.truncate(period.unwrap_or(n));
    }

    /// A model whose groups have no end command and that was loaded several times is one group that repeats itself:
    /// the first of the repetitions. `file`: the bytes that the descriptors are in.
    pub(crate) fn first_repetition(&self, file: &[u8]) -> Option<Self> {
        let [group] = self.groups.as_slice() else { return None };
        let repeats = |&count: &usize| {
            let (Some(first), Some(second)) = (group.first(), group.get(count)) else {
                return false;
            };
            let (from, to) = (first.offset as usize, second.offset as usize);
            let is_whole = group.len().is_multiple_of(count);
            let unit = file.get(from..to);
            is_whole
                && (1..group.len() / count).all(|nth| {
                    let at = group[nth * count].offset as usize;
                    file.get(at..at + (to - from)) == unit
                })
        };
        let count = (1..=group.len() / 2).find(repeats)?;
        Some(Self { groups: vec![group[..count].to_vec()] })
    }

    /// How many groups there are. Those without commands are left out by [`StaticStream::drop_repetitions`].
    pub(crate) fn group_count(&self) -> usize {
        self.groups.len()
    }

    /// The commands of the group with a number over all launches.
    pub(crate) fn group(&self, number: usize) -> Option<&[Descriptor]> {
        self.groups.get(number.checked_rem(self.groups.len())?).map(Vec::as_slice)
    }

    /// How many commands at the start of the group with a number have no record, if its records span so many ids.
    pub(crate) fn skipped(&self, number: usize, span: u64) -> usize {
        self.group(number).map_or(0, |commands| Group::of_span(commands, span).skipped)
    }

    /// Ids that the records of each group span: with all its commands, and without those at its ends that may have no record.
    pub(crate) fn group_spans(&self) -> Vec<[u64; 2]> {
        let recorded = |group: Group<'_>| group.recorded().span as u64;
        let spans = |group: Group<'_>| [group.span as u64, recorded(group)];
        self.groups.iter().map(|commands| spans(Group::of_all(commands))).collect()
    }

    /// A command of the group with a number. `span`: ids that the group's records span; `at`: the record's distance from the first.
    pub(crate) fn command(&self, group: usize, span: u64, at: usize) -> Option<Descriptor> {
        let group = Group::of_span(self.groups.get(group)?, span);
        group.commands.get(group.skipped + at).copied()
    }

    /// The groups that have commands.
    pub(super) fn filled(&self) -> Vec<Group<'_>> {
        let filled = self.groups.iter().filter(|group| !group.is_empty());
        filled.map(|commands| Group::of_all(commands)).collect()
    }

    /// The groups without the commands at their ends that the PMU may leave out.
    pub(super) fn recorded(&self) -> Vec<Group<'_>> {
        let recorded = self.filled().into_iter().map(Group::recorded);
        recorded.filter(|group| group.span > 0).collect()
    }
}

/// A command group, and which of its commands have a record.
#[derive(Clone, Copy)]
pub(super) struct Group<'a> {
    pub(super) commands: &'a [Descriptor],
    /// Commands at its start that have none.
    pub(super) skipped: usize,
    /// Commands from the first record to the last.
    pub(super) span: usize,
}

impl<'a> Group<'a> {
    /// All its commands have a record.
    pub(super) fn of_all(commands: &'a [Descriptor]) -> Self {
        Self { commands, skipped: 0, span: commands.len() }
    }

    /// The group without the commands at its ends that the PMU may leave out.
    pub(super) fn recorded(self) -> Self {
        let commands = self.commands;
        let silent = |d: &&Descriptor| d.may_lack_record;
        let skipped = commands.iter().take_while(silent).count();
        let behind = commands[skipped..].iter().rev().take_while(silent).count();
        Self { commands, skipped, span: commands.len() - skipped - behind }
    }

    /// The group whose records span so many ids.
    pub(super) fn of_span(commands: &'a [Descriptor], span: u64) -> Self {
        let all = Self::of_all(commands);
        if commands.len() as u64 == span { all } else { all.recorded() }
    }

    /// Commands that certainly have a record.
    pub(super) fn certain(&self) -> u64 {
        certain(self.commands)
    }
}

/// Commands of a group that certainly have a record.
pub(crate) fn certain(commands: &[Descriptor]) -> u64 {
    commands.iter().filter(|d| !d.may_lack_record).count() as u64
}

/// A group's bytes up to the head of its last command.
fn bytes_of<'d>(group: &[Descriptor], file: &'d [u8]) -> &'d [u8] {
    const HEAD_BYTES: usize = 8;
    let at = |place: Option<&Descriptor>| place.and_then(|d| usize::try_from(d.offset).ok());
    let (Some(first), Some(last)) = (at(group.first()), at(group.last())) else { return &[] };
    file.get(first..file.len().min(last + HEAD_BYTES)).unwrap_or(&[])
}
