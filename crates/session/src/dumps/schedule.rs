//! Where the dumps lie on one time line, and what that means.

use bigtpu_messages::{Message, message};
use std::collections::BTreeMap;

use bigtpu_answers::{Alignment, DumpName, TimeLine};
use bigtpu_host_trace::{HostAlign, HostTrace, MOST_OFFSET};

/// Where the dumps lie.
#[derive(Debug)]
pub(crate) struct Schedule {
    /// Dumps, by their numbers: those of a slot side by side, slots one after another.
    pub(crate) slots: Vec<Vec<usize>>,
    /// How, in words.
    pub(crate) time_line: TimeLine,
    /// Each lies where the host's anchors show.
    is_anchored: bool,
    /// ns from the start of a dump's slot to the dump's own start, where links prove it; by number of the dump.
    offsets: BTreeMap<usize, i64>,
    /// Where the slot that is next starts, in ns.
    next_ns: i64,
}

/// What a dump says about its place: host time from its end to that of `disable_profile`, in ns.
type TailOffset = Option<i64>;

impl Schedule {
    /// The schedule of the dumps, each with its `tail_offset_ns`.
    pub(crate) fn new(
        dumps: &[(&DumpName, TailOffset)],
        host: Option<&HostTrace>,
        align: HostAlign,
    ) -> Self {
        let names: Vec<&DumpName> = dumps.iter().map(|dump| dump.0).collect();
        let anchored = |host: &&HostTrace| {
            let has_place = |tail| host.anchors.device_offset(tail, 0).is_some();
            align == HostAlign::Anchors && dumps.iter().all(|dump| has_place(dump.1))
        };
        let host_anchors = host.filter(anchored);
        if let Some(host) = host_anchors.filter(|_| !has_calls(&names)) {
            let by_end = |tail: TailOffset| tail.is_some() && host.anchors.disable_end.is_some();
            let by_start = dumps.iter().filter(|dump| !by_end(dump.1)).count();
            let time_line = TimeLine::new(Alignment::Anchors, anchors_note(by_start));
            let slots = vec![(0..dumps.len()).collect()];
            let offsets = BTreeMap::new();
            return Self { slots, time_line, is_anchored: true, offsets, next_ns: 0 };
        }
        let slots = slots(&names);
        let alignment = match slots.iter().any(|slot| slot.len() > 1) {
            true => Alignment::SharedStart,
            false => Alignment::OneAfterAnother,
        };
        let mut note = schedule_note(alignment, slots.len());
        let mut next_ns = 0;
        if let Some(trace) = host {
            let host = Message::new(host_note(align, host_anchors.is_some()));
            note = message!("dumps-line-host", note = note, host = host);
            next_ns = HostAlign::Start.device_offset(trace, None, 0);
        }
        let time_line = TimeLine::new(alignment, note);
        Self { slots, time_line, is_anchored: false, offsets: BTreeMap::new(), next_ns }
    }

    /// Whether the host's anchors place each dump.
    pub(crate) fn is_anchored(&self) -> bool {
        self.is_anchored
    }

    /// Takes what links prove: by number of the dump, ns from its slot's start to its own.
    pub(crate) fn prove(&mut self, offsets: BTreeMap<usize, i64>, note: Message) {
        self.offsets = offsets;
        let are_all = self.slots.iter().flatten().all(|n| self.offsets.contains_key(n));
        let note = match self.time_line.message.take().filter(|_| !are_all) {
            Some(others) => message!("dumps-line-others", note = note, others = others),
            None => note,
        };
        self.time_line = TimeLine::new(Alignment::Links, note);
    }

    /// ns from the start of a dump's slot to its own.
    pub(crate) fn offset_ns(&self, number: usize) -> i64 {
        self.offsets.get(&number).copied().unwrap_or(0)
    }

    /// Where the time 0 of a dump of the slot lies, in ns, given its number, tail offset and latest end.
    pub(crate) fn start_ns(
        &self,
        number: usize,
        host: Option<&HostTrace>,
        tail: TailOffset,
        end: i64,
    ) -> i64 {
        match host.filter(|_| self.is_anchored) {
            Some(host) => HostAlign::Anchors.device_offset(host, tail, end),
            None => self.next_ns.saturating_add(self.offset_ns(number)),
        }
    }

    /// Ends a slot whose longest dump took `longest_ns`: the next one starts there.
    pub(crate) fn end_slot(&mut self, longest_ns: i64) {
        self.next_ns = self.next_ns.saturating_add(longest_ns.max(0)).min(MOST_OFFSET);
    }
}

/// Whether some device has several dumps.
fn has_calls(names: &[&DumpName]) -> bool {
    let mut devices: Vec<u32> = names.iter().filter_map(|name| name.device).collect();
    devices.sort_unstable();
    devices.windows(2).any(|pair| pair[0] == pair[1])
}

/// Dumps of one call of different devices side by side, in the order of the calls; then the others, each alone.
fn slots(names: &[&DumpName]) -> Vec<Vec<usize>> {
    // By call, and by how many dumps of the same device and call came before.
    let mut calls: BTreeMap<(u32, usize), Vec<usize>> = BTreeMap::new();
    let mut others = Vec::new();
    for (number, name) in names.iter().enumerate() {
        let (Some(_), Some(call)) = (name.device, name.call) else {
            others.push(vec![number]);
            continue;
        };
        let is_same = |n: &&&DumpName| n.device == name.device && n.call == name.call;
        let before = names.iter().take(number).filter(is_same).count();
        calls.entry((call, before)).or_default().push(number);
    }
    calls.into_values().chain(others).collect()
}

fn anchors_note(by_start: usize) -> Message {
    let note = Message::new("dumps-line-anchors");
    match by_start {
        0 => note,
        by_start => message!("dumps-line-no-tail", note = note, dumps = by_start),
    }
}

fn schedule_note(alignment: Alignment, slots: usize) -> Message {
    let together = Message::new("dumps-line-calls");
    match (alignment, slots) {
        (Alignment::SharedStart, 1) => together,
        (Alignment::SharedStart, _) => message!("dumps-line-calls-in-turn", note = together),
        _ => Message::new("dumps-line-in-turn"),
    }
}

/// What is to be said of a host trace that does not place each dump.
fn host_note(align: HostAlign, has_anchors: bool) -> &'static str {
    match (align, has_anchors) {
        (HostAlign::Start, _) => "dumps-line-host-start",
        (HostAlign::Anchors, true) => "dumps-line-host-calls",
        (HostAlign::Anchors, false) => "dumps-line-host-nothing",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(device: Option<u32>, call: Option<u32>) -> DumpName {
        DumpName { name: String::new(), directory: String::new(), device, call }
    }

    fn planned(dumps: &[(Option<u32>, Option<u32>)]) -> Schedule {
        let names: Vec<DumpName> = dumps.iter().map(|&(d, c)| name(d, c)).collect();
        let dumps: Vec<_> = names.iter().map(|name| (name, None)).collect();
        Schedule::new(&dumps, None, HostAlign::Anchors)
    }

    #[test]
    fn calls_are_side_by_side_and_follow_one_another() {
        let (zero, one) = (Some(0), Some(1));
        let plan = planned(&[(zero, zero), (zero, one), (one, zero), (one, one), (None, None)]);
        assert_eq!(plan.slots, [vec![0, 2], vec![1, 3], vec![4]]);
        assert_eq!(plan.time_line.alignment, Alignment::SharedStart);
    }

    /// Two hosts have a device 0 each: nothing shows that they are the same, or that they started together.
    #[test]
    fn the_same_device_and_call_is_never_beside_itself() {
        let plan = planned(&[(Some(0), Some(0)), (Some(0), Some(0))]);
        assert_eq!(plan.slots, [vec![0], vec![1]]);
        assert_eq!(plan.time_line.alignment, Alignment::OneAfterAnother);
        // A static model's name shows no call.
        assert_eq!(planned(&[(Some(0), None), (Some(1), None)]).slots, [vec![0], vec![1]]);
    }

    #[test]
    fn a_slot_starts_when_the_one_before_has_ended() {
        let mut plan = planned(&[(Some(0), Some(0)), (Some(0), Some(1))]);
        assert_eq!(plan.start_ns(0, None, Some(7), 100), 0);
        plan.end_slot(100);
        assert_eq!(plan.start_ns(1, None, Some(7), 50), 100);
        plan.end_slot(i64::MAX);
        assert_eq!(plan.start_ns(1, None, None, 50), MOST_OFFSET);
    }
}
