//! Records that are removed at the ends of an engine's list (sections 6 and 7).

use std::ops::Range;

use foldhash::{HashMap, HashMapExt};

use crate::binding::Binding;
use crate::nodes::{Node, NodeKind};
use crate::wide_events::WideEvents;

/// Numbers of records at the front and at the back of a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Ends {
    pub(crate) front: usize,
    pub(crate) back: usize,
}

/// So many records at an end that no command explains are left out, as bigTpuProfile does, though they count as lost:
/// they are less than a launch. Where there are more, commands are missing, and all of them are shown.
pub(crate) const MOST_LEFT_OUT: usize = 16;

impl Ends {
    /// Both.
    pub(crate) fn total(self) -> u64 {
        (self.front + self.back) as u64
    }

    /// Whether there are at most so many at each end.
    pub(crate) fn are_within(self, most: usize) -> bool {
        self.front <= most && self.back <= most
    }

    /// These, and further ones inside of them.
    pub(crate) fn and(self, inner: Self) -> Self {
        Self { front: self.front + inner.front, back: self.back + inner.back }
    }

    /// Numbers of these records without those that are among `some`.
    pub(crate) fn remove(self, some: Self) -> Self {
        Self {
            front: self.front.saturating_sub(some.front),
            back: self.back.saturating_sub(some.back),
        }
    }

    /// How many of the records at the ends of a list of `n` are of a kind.
    pub(crate) fn count(self, n: usize, is: impl Fn(usize) -> bool) -> Self {
        let inside = self.middle_range(n);
        let of = |range: Range<usize>| range.filter(|&i| is(i)).count();
        Self { front: of(0..inside.start), back: of(inside.end..n) }
    }

    /// What is between the ends of a list of `n`.
    pub(crate) fn middle_range(self, n: usize) -> Range<usize> {
        self.front..n.saturating_sub(self.back).max(self.front)
    }
}

impl WideEvents {
    /// Drops the records at both ends.
    pub(crate) fn cut(&mut self, ends: Ends) {
        self.truncate(self.len().saturating_sub(ends.back));
        self.drop_front(ends.front);
    }
}

/// Leading records whose id no command has, and trailing records whose id the monitor has more often than the commands:
/// markers of the firmware, or records whose commands are missing. `leaves_strays`: the chip's firmware leaves a record before the first
/// launch.
pub(crate) fn surplus_by_ids(events: &WideEvents, nodes: &[Node], leaves_strays: bool) -> Ends {
    if nodes.is_empty() {
        return Ends::default();
    }
    let mut dispatched = Dispatched { nodes, asked: 0, counted: None };
    let front = events.id.iter().take_while(|&&id| dispatched.count(id) == 0).count();
    let mut recorded = Recorded { ids: &events.id, asked: 0, counted: None };
    let mut back = 0;
    for &id in events.id.iter().skip(front).rev() {
        if recorded.count_but_last(id, back) <= dispatched.count(id) {
            break;
        }
        back += 1;
        recorded.drop(id);
    }
    let ends = Ends { front, back };
    if is_of_changed_id(&events.id, ends) {
        return Ends { front, back: back - 1 };
    }
    if leaves_strays && first_is_the_stray(&events.id, ends) {
        return Ends { front: front + 1, back: back - 1 };
    }
    ends
}

/// Whether the innermost record of those at the back, which goes on from the record before it, is there too often because another record's
/// id was changed to its own: that one stands where the id between its neighbours' is missing.
fn is_of_changed_id(ids: &[i64], ends: Ends) -> bool {
    let inside = ends.middle_range(ids.len());
    let at = |place: usize| ids.get(place).copied();
    let Some(dropped) = at(inside.end).filter(|_| ends.back > 0) else { return false };
    let goes_on = inside.end.checked_sub(1).and_then(at).map(|last| last + 1) == Some(dropped);
    let is_changed = |around: &[i64]| {
        let [before, own, behind] = around else { return false };
        // The first id of a launch, or one within it.
        let is_between = before + 2 == *behind || *behind == 1;
        *own == dropped && is_between && before + 1 != *own && own + 1 != *behind
    };
    goes_on && ids.get(inside).is_some_and(|ids| ids.windows(3).any(is_changed))
}

/// Whether the surplus record of an id is the first one left, which nothing follows, and not the innermost of those at the back, which
/// goes on from the record before it. (bigTpuProfile leaves out the one at the back, and the last launch lacks its last command.)
fn first_is_the_stray(ids: &[i64], ends: Ends) -> bool {
    let inside = ends.middle_range(ids.len());
    let at = |place: usize| ids.get(place).copied();
    let (Some(first), Some(dropped)) = (at(inside.start), at(inside.end)) else { return false };
    let last = inside.end.checked_sub(1).and_then(at);
    ends.back > 0
        && first == dropped
        && at(inside.start + 1) != Some(first + 1)
        && last.map(|last| last + 1) == Some(dropped)
}

/// So many times a list is searched for an id, before all of its ids are counted: as a rule, one is asked for at each end.
const FEW: usize = 8;

/// How often ids are dispatched.
struct Dispatched<'a> {
    nodes: &'a [Node],
    asked: usize,
    counted: Option<(HashMap<i64, i64>, Vec<i64>)>,
}

impl Dispatched<'_> {
    fn count(&mut self, id: i64) -> i64 {
        self.asked += 1;
        // A stream dispatches 0..count.
        let is_in = |count: i64| (0..count).contains(&id);
        if self.asked <= FEW {
            let has = |node: &&Node| match node.kind {
                NodeKind::Stream { count, .. } => is_in(count.into()),
                _ => i64::from(node.id) == id,
            };
            return self.nodes.iter().filter(has).count() as i64;
        }
        let (single, streams) = self.counted.get_or_insert_with(|| {
            let mut single: HashMap<i64, i64> = HashMap::new();
            let mut streams: Vec<i64> = Vec::new();
            for node in self.nodes {
                match node.kind {
                    NodeKind::Stream { count, .. } => streams.push(i64::from(count)),
                    _ => *single.entry(i64::from(node.id)).or_default() += 1,
                }
            }
            streams.sort_unstable();
            (single, streams)
        });
        let in_streams = match id {
            ..0 => 0,
            _ => streams.len() - streams.partition_point(|&count| count <= id),
        };
        single.get(&id).copied().unwrap_or(0) + in_streams as i64
    }
}

/// How often ids are recorded.
struct Recorded<'a> {
    ids: &'a [i64],
    asked: usize,
    /// Counts of the ids that are not dropped, once they are needed.
    counted: Option<HashMap<i64, i64>>,
}

impl Recorded<'_> {
    /// In the list without its last `dropped` ids.
    fn count_but_last(&mut self, id: i64, dropped: usize) -> i64 {
        self.asked += 1;
        let rest = self.ids.get(..self.ids.len() - dropped).unwrap_or_default();
        if self.asked <= FEW {
            return rest.iter().filter(|known| **known == id).count() as i64;
        }
        let counted = self.counted.get_or_insert_with(|| {
            let mut counted: HashMap<i64, i64> = HashMap::new();
            rest.iter().for_each(|id| *counted.entry(*id).or_default() += 1);
            counted
        });
        counted.get(&id).copied().unwrap_or(0)
    }

    /// The last of the list is dropped.
    fn drop(&mut self, id: i64) {
        if let Some(count) = self.counted.as_mut().and_then(|counted| counted.get_mut(&id)) {
            *count -= 1;
        }
    }
}

/// For a core without commands on a chip with strays: what is before the first id 0, and a last record whose id does
/// not grow. `None` without an id 0.
pub(crate) fn strays_by_resets(events: &WideEvents) -> Option<Ends> {
    let front = events.id.iter().position(|&id| id == 0)?;
    let is_stray = match events.id.get(front..) {
        Some([.., before, last]) => last <= before,
        _ => false,
    };
    Some(Ends { front, back: usize::from(is_stray) })
}

/// Unbound records at both ends; without a bound one all are at the back.
pub(crate) fn unbound_ends(events: &WideEvents) -> Ends {
    let is_bound = |b: &Binding| b.is_bound();
    let Some(last) = events.binding.iter().rposition(is_bound) else {
        return Ends { front: 0, back: events.len() };
    };
    let front = events.binding.iter().position(is_bound).unwrap_or(0);
    Ends { front, back: events.len() - 1 - last }
}

/// What a record is to the trimming of system records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Labelled as a send or wait, or bound to a system command.
    System,
    /// Bound to another command, or its counters say that it moved data.
    Work,
    /// Nothing says what it is.
    Unknown,
}

/// Drops leading and trailing send/wait pairs around an id reset and, unless CDMA records remain, lone
/// system records of a list of two or fewer. No record of work is dropped. Returns how many were dropped.
pub(crate) fn trim_system(
    events: &mut WideEvents,
    cdma_remains: bool,
    role: impl Fn(&WideEvents, usize) -> Role,
) -> u64 {
    let is_system = |events: &WideEvents, i: usize| role(events, i) == Role::System;
    let is_no_work = |events: &WideEvents, i: usize| role(events, i) != Role::Work;
    let before = events.len();
    // Dropping from the front one pair at a time would move the rest each time.
    let (mut first, mut end) = (0, events.len());
    while end - first >= 3 {
        let id = |i: usize| events.id[i];
        if id(end - 1) - id(end - 2) == 1
            && id(end - 2) <= id(end - 3)
            && is_system(events, end - 2)
            && is_no_work(events, end - 1)
        {
            end -= 2;
        } else if id(first + 1) - id(first) == 1
            && id(first + 2) <= id(first + 1)
            && is_system(events, first)
            && is_no_work(events, first + 1)
        {
            first += 2;
        } else {
            break;
        }
    }
    events.truncate(end);
    events.drop_front(first);
    if !cdma_remains && events.len() <= 2 {
        let keep: Vec<usize> = (0..events.len()).filter(|&i| !is_system(events, i)).collect();
        if keep.len() < events.len() {
            events.reorder(&keep);
        }
    }
    (before - events.len()) as u64
}

#[cfg(test)]
mod tests {
    use bigtpu_format::Word;

    use super::*;
    use crate::bound::Bound;

    fn events(ids: &[i64]) -> WideEvents {
        let n = ids.len();
        WideEvents::new(vec![0; n], vec![1; n], ids.to_vec(), (0..n as u32).collect())
    }

    fn command(id: u32) -> Node {
        Node { kind: NodeKind::Command(Bound::of_word(Binding::Word, Word(0))), id, tag: 0 }
    }

    fn stream(count: u32) -> Node {
        Node { kind: NodeKind::Stream { key: 1, count }, id: 0, tag: 0 }
    }

    #[test]
    fn stray_records_are_found_by_the_multiset_of_ids() {
        let mut e = events(&[77, 0, 1, 2, 0, 1, 1]);
        let ends = surplus_by_ids(&e, &[command(0), command(1), command(2), stream(2)], false);
        assert_eq!(ends, Ends { front: 1, back: 1 });
        e.cut(ends);
        assert_eq!(e.id, [0, 1, 2, 0, 1]);
    }

    /// The id of a record inside became that of the last one, which is the last launch's all the same.
    #[test]
    fn a_changed_id_makes_no_record_at_the_back_surplus() {
        let ends = |back| Ends { front: 0, back };
        let launches = [0, 1, 2, 3, 0, 1, 2, 3];
        assert!(!is_of_changed_id(&launches, ends(0)));
        assert!(!is_of_changed_id(&launches, ends(1)));
        for at in [1, 2, 4, 5] {
            let mut ids = launches;
            ids[at] = 3;
            assert!(is_of_changed_id(&ids, ends(1)), "{ids:?}");
        }
        // A marker of the firmware behind the last launch.
        assert!(!is_of_changed_id(&[0, 1, 2, 3, 0, 1, 2, 3, 1], ends(1)));
    }

    /// The stray record at the front has the id of the last command of each launch.
    #[test]
    fn a_stray_record_with_the_id_of_a_command_is_not_its_last_record() {
        let nodes = [0, 1, 2, 0, 1, 2].map(command);
        let mut e = events(&[2, 0, 1, 2, 0, 1, 2, 1]);
        let ends = surplus_by_ids(&e, &nodes, true);
        assert_eq!(ends, Ends { front: 1, back: 1 });
        e.cut(ends);
        assert_eq!(e.id, [0, 1, 2, 0, 1, 2]);
        // Whole, with a stray record at the back only.
        assert_eq!(surplus_by_ids(&events(&[0, 1, 2, 0, 1, 2, 2]), &nodes, true).back, 1);
        // Elsewhere as bigTpuProfile does.
        let ids = events(&[2, 0, 1, 2, 0, 1, 2, 1]);
        assert_eq!(surplus_by_ids(&ids, &nodes, false), Ends { front: 0, back: 2 });
    }

    /// Counts of all ids give what a search for a few of them gives.
    #[test]
    fn many_stray_records_are_found_as_a_few() {
        let nodes = [command(0), command(1), stream(3)];
        for strays in [1, FEW - 1, FEW, FEW + 1, 5 * FEW] {
            let mut ids: Vec<i64> = vec![77; strays];
            ids.extend([0, 1, 2, 0, 1]);
            ids.extend(vec![1; strays]);
            let ends = surplus_by_ids(&events(&ids), &nodes, false);
            assert_eq!(ends, Ends { front: strays, back: strays }, "{strays}");
        }
    }

    #[test]
    fn ids_that_no_command_has_are_at_the_front_only() {
        let e = events(&[7, 8, 9]);
        assert_eq!(surplus_by_ids(&e, &[command(0)], true), Ends { front: 3, back: 0 });
        assert!(Ends { front: 3, back: 0 }.middle_range(3).is_empty());
    }

    #[test]
    fn without_commands_resets_mark_the_edges() {
        let of = |ids: &[i64]| strays_by_resets(&events(ids));
        assert_eq!(of(&[9, 0, 1, 2, 0]), Some(Ends { front: 1, back: 1 }));
        assert_eq!(of(&[0, 1, 2]), Some(Ends::default()));
        assert_eq!(of(&[9, 0]), Some(Ends { front: 1, back: 0 }));
        assert_eq!(of(&[9, 8]), None);
    }

    #[test]
    fn unbound_records_of_the_ends_are_counted() {
        let mut e = events(&[0, 1, 2, 3, 4]);
        assert_eq!(unbound_ends(&e), Ends { front: 0, back: 5 });
        e.binding[1] = Binding::Word;
        e.binding[2] = Binding::Word;
        assert_eq!(unbound_ends(&e), Ends { front: 1, back: 2 });
        assert_eq!(unbound_ends(&e).middle_range(5), 1..3);
    }

    #[test]
    fn system_pairs_go_from_both_ends() {
        let mut e = events(&[5, 6, 0, 1, 2, 0, 1]);
        assert_eq!(trim_system(&mut e, true, |_, _| Role::System), 4);
        assert_eq!(e.id, [0, 1, 2]);
        let mut e = events(&[5, 6, 0, 1, 2, 0, 1]);
        assert_eq!(trim_system(&mut e, true, |_, _| Role::Unknown), 0);
    }

    #[test]
    fn a_transfer_behind_a_send_is_no_system_pair() {
        let mut e = events(&[0, 1, 2, 0, 1]);
        let sends = |e: &WideEvents, i: usize| if e.id[i] == 0 { Role::System } else { Role::Work };
        assert_eq!(trim_system(&mut e, true, sends), 0);
    }
}
