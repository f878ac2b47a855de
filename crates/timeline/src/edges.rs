//! Records that are removed at the ends of an engine's list (sections 6 and 7).

use foldhash::{HashMap, HashMapExt};

use crate::nodes::{Node, NodeKind};
use crate::wide_events::WideEvents;

/// Drops leading records whose id no command has, and trailing records whose id the monitor has more
/// often than the commands: markers of the firmware. Returns how many were dropped.
pub(crate) fn trim_by_ids(events: &mut WideEvents, nodes: &[Node]) -> u64 {
    if events.is_empty() || nodes.is_empty() {
        return 0;
    }
    // How often each id is dispatched. A stream dispatches 0..count.
    let mut single: HashMap<i64, i64> = HashMap::new();
    let mut streams: Vec<i64> = Vec::new();
    for node in nodes {
        match node.kind {
            NodeKind::Stream { count, .. } => streams.push(i64::from(count)),
            _ => *single.entry(i64::from(node.id)).or_default() += 1,
        }
    }
    streams.sort_unstable();
    let dispatched = |id: i64| {
        let in_streams =
            if id < 0 { 0 } else { streams.len() - streams.partition_point(|&count| count <= id) };
        single.get(&id).copied().unwrap_or(0) + in_streams as i64
    };
    let mut recorded: HashMap<i64, i64> = HashMap::new();
    for &id in &events.id {
        *recorded.entry(id).or_default() += 1;
    }
    let leading = events.id.iter().take_while(|&&id| dispatched(id) == 0).count();
    let before = events.len();
    events.drop_front(leading);
    let mut keep = events.len();
    while let Some(&id) = keep.checked_sub(1).and_then(|last| events.id.get(last)) {
        let Some(count) = recorded.get_mut(&id).filter(|count| **count > dispatched(id)) else {
            break;
        };
        *count -= 1;
        keep -= 1;
    }
    events.truncate(keep);
    (before - events.len()) as u64
}

/// For a core without commands on a chip with strays: drops what is before the first id 0, and a
/// last record whose id does not grow. Returns whether there is an id 0, and how many were dropped.
pub(crate) fn trim_by_resets(events: &mut WideEvents) -> (bool, u64) {
    let Some(first) = events.id.iter().position(|&id| id == 0) else { return (false, 0) };
    let before = events.len();
    events.drop_front(first);
    let n = events.len();
    if n >= 2 && events.id[n - 1] <= events.id[n - 2] {
        events.truncate(n - 1);
    }
    (true, (before - events.len()) as u64)
}

/// Drops unbound records from both ends. Returns how many.
pub(crate) fn trim_unbound(events: &mut WideEvents) -> u64 {
    let before = events.len();
    let last = events.binding.iter().rposition(|b| b.is_bound()).map_or(0, |i| i + 1);
    events.truncate(last);
    let first = events.binding.iter().position(|b| b.is_bound()).unwrap_or(0);
    events.drop_front(first);
    (before - events.len()) as u64
}

/// Drops leading and trailing send/wait pairs around an id reset and, unless CDMA records remain, lone
/// system records of a list of two or fewer. Returns how many were dropped.
pub(crate) fn trim_system(
    events: &mut WideEvents,
    cdma_remains: bool,
    is_system: impl Fn(&WideEvents, usize) -> bool,
) -> u64 {
    let before = events.len();
    // Dropping from the front one pair at a time would move the rest each time.
    let (mut first, mut end) = (0, events.len());
    while end - first >= 3 {
        let id = |i: usize| events.id[i];
        if id(end - 1) - id(end - 2) == 1
            && id(end - 2) <= id(end - 3)
            && is_system(events, end - 2)
        {
            end -= 2;
        } else if id(first + 1) - id(first) == 1
            && id(first + 2) <= id(first + 1)
            && is_system(events, first)
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

    fn events(ids: &[i64]) -> WideEvents {
        let n = ids.len();
        WideEvents::new(vec![0; n], vec![1; n], ids.to_vec(), (0..n as u32).collect())
    }

    fn command(id: u32) -> Node {
        Node { kind: NodeKind::Command { word: Word(0) }, id, tag: 0 }
    }

    fn stream(count: u32) -> Node {
        Node { kind: NodeKind::Stream { key: 1, count }, id: 0, tag: 0 }
    }

    #[test]
    fn stray_records_are_found_by_the_multiset_of_ids() {
        let mut e = events(&[77, 0, 1, 2, 0, 1, 1]);
        assert_eq!(trim_by_ids(&mut e, &[command(0), command(1), command(2), stream(2)]), 2);
        assert_eq!(e.id, [0, 1, 2, 0, 1]);
    }

    #[test]
    fn without_commands_resets_mark_the_edges() {
        let mut e = events(&[9, 0, 1, 2, 0]);
        assert_eq!(trim_by_resets(&mut e), (true, 2));
        assert_eq!(e.id, [0, 1, 2]);
        assert_eq!(trim_by_resets(&mut events(&[9, 8])), (false, 0));
    }

    #[test]
    fn system_pairs_go_from_both_ends() {
        let mut e = events(&[5, 6, 0, 1, 2, 0, 1]);
        assert_eq!(trim_system(&mut e, true, |_, _| true), 4);
        assert_eq!(e.id, [0, 1, 2]);
        let mut e = events(&[5, 6, 0, 1, 2, 0, 1]);
        assert_eq!(trim_system(&mut e, true, |_, _| false), 0);
    }
}
