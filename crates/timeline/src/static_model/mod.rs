//! A static model's commands (section 6): command groups, and the records of their launches.

mod fit;
mod stream;

use crate::bound::Bound;
use crate::by_ids::Break;
use crate::sections::{self, Section};
use crate::wide_events::WideEvents;
use fit::Fit;
use stream::Group;
pub(crate) use stream::{StaticStream, certain};

/// What binding a static model's records came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct BoundModel {
    /// Records with a command.
    pub(crate) bound: u64,
    /// Commands that were launched: those of the stream, again for each launch.
    pub(crate) commands: u64,
    /// Where records and commands are at odds, by event.
    pub(crate) breaks: Vec<Break>,
}

/// Binds records to a static model's descriptors by aligned sections: of one launch, or of as many as the records
/// show. `file`: the bytes that the descriptors are in.
pub(crate) fn pair_static(
    events: &mut WideEvents,
    stream: &StaticStream,
    file: &[u8],
) -> BoundModel {
    let sections = sections::by_id(&events.id, |id| *id);
    let repeated = stream.first_repetition(file);
    let once = repeated.as_ref().unwrap_or(stream);
    // Whole groups come first: most runtimes' end commands have a record.
    let mut best = Fit::new(&sections, stream.filled());
    for groups in [stream.recorded(), once.filled(), once.recorded()] {
        if best.records < events.len() as u64 {
            let fit = Fit::new(&sections, groups);
            best = if fit.records > best.records { fit } else { best };
        }
    }
    match best.settle(events, &sections) {
        Some(settled) => settled,
        None => best.bind(events, &sections),
    }
}

/// Binds the sections of records of which it is known which group each is of. `parts`: sections, with the number of their group over
/// all launches.
pub(crate) fn bind_groups(
    events: &mut WideEvents,
    stream: &StaticStream,
    parts: impl Iterator<Item = (Section, usize)>,
) -> BoundModel {
    let groups = &stream.groups;
    let mut found = BoundModel::default();
    for (section, number) in parts {
        let Some(group) = number.checked_rem(groups.len()).and_then(|at| groups.get(at)) else {
            continue;
        };
        let group = Group::of_span(group, section.span);
        found.commands += group.certain();
        found.bind(events, section, &group);
    }
    found
}

impl BoundModel {
    /// Binds the records of a section to a group's commands.
    fn bind(&mut self, events: &mut WideEvents, section: Section, group: &Group<'_>) {
        let first_id = events.id[section.first];
        for i in section.first..section.first + section.len {
            let k = events.id[i].abs_diff(first_id) as usize + group.skipped;
            if let Some(&descriptor) = group.commands.get(k) {
                events.bind(i, Bound::of_descriptor(descriptor), 0);
                self.bound += 1;
                self.commands += u64::from(descriptor.may_lack_record);
            }
        }
    }
}

/// Sections of fewer records than this are strays to the pairing by id.
const FEWEST_RECORDS: usize = 4;
/// A section that starts below this id is a fresh epoch: the next group.
const EPOCH_START: i64 = 1000;

/// Pairs records with a static model's descriptors by absolute id: for a ring that kept only a window of
/// an epoch, or a stream that lost its head.
pub(crate) fn pair_static_by_id(events: &mut WideEvents, stream: &StaticStream) -> BoundModel {
    let groups = stream.filled();
    let mut group = 0;
    let mut bound = 0;
    for (nth, section) in sections::by_id(&events.id, |id| *id).into_iter().enumerate() {
        if nth > 0 && events.id[section.first] < EPOCH_START && group + 1 < groups.len() {
            group += 1;
        }
        if section.len < FEWEST_RECORDS {
            continue;
        }
        for i in section.first..section.first + section.len {
            let place = usize::try_from(events.id[i]).ok();
            let descriptor = place.and_then(|k| groups.get(group)?.commands.get(k));
            if let Some(&descriptor) = descriptor {
                events.bind(i, Bound::of_descriptor(descriptor), 0);
                bound += 1;
            }
        }
    }
    BoundModel { bound, commands: stream.len() as u64, breaks: Vec::new() }
}
