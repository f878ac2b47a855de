//! What is left out at the ends of a core's records: markers of the firmware, and records that no command explains.

use std::ops::Range;

use bigtpu_chip::Chip;
use bigtpu_messages::message;

use crate::binding::Binding;
use crate::core_engines::CORE_ENGINES;
use crate::edges::{self, Ends};
use crate::join::{Dropped, JoinedCore};
use crate::monitor::Clean;
use crate::nodes::Node;

impl JoinedCore<'_> {
    /// Drops the firmware's markers at the ends of the TIU's records, as far as there may be any. Returns how many are
    /// dropped, and which of the other records are paired with commands.
    pub(crate) fn trim_tiu(&mut self, chip: &Chip, nodes: &[Node]) -> (Dropped, Range<usize>) {
        let [Clean { monitor, events, .. }, gdma, sdma] = &mut self.monitors;
        let n = events.len();
        let (ends, most) = if !nodes.is_empty() {
            (edges::surplus_by_ids(events, nodes, chip.edge_trim > 0), edges::MOST_LEFT_OUT)
        } else if chip.edge_trim > 0 {
            let has_dma = !(gdma.events.is_empty() && sdma.events.is_empty());
            let is_idle = !has_dma && n <= 2 * chip.edge_trim;
            let rest = Ends { front: 0, back: if is_idle { n } else { 0 } };
            let ends = edges::strays_by_resets(events).unwrap_or(rest);
            (ends, if is_idle { n } else { chip.edge_trim })
        } else {
            (Ends::default(), 0)
        };
        if ends.are_within(most) {
            let barriers = ends.count(n, |i| monitor.looks_like_system(chip, events.record[i]));
            events.cut(ends);
            self.counts[0].trimmed += ends.total();
            return (Dropped { all: ends, barriers }, 0..events.len());
        }
        if nodes.is_empty() {
            self.counts[0].lost += ends.total();
            let message = message!("note-outside-session", records = ends.total());
            self.notes.loss_anywhere(None, message);
        }
        (Dropped::default(), ends.middle_range(n))
    }

    /// Drops unbound records at both ends, unless they are too many to be markers or the rest of a launch. `dropped`:
    /// those that are dropped already.
    pub(crate) fn drop_unbound(&mut self, engine: usize, dropped: Dropped) {
        let (counts, events) = (&mut self.counts[engine], &mut self.monitors[engine].events);
        let unbound = edges::unbound_ends(events);
        let labelled = unbound.count(events.len(), |i| events.binding[i] != Binding::None);
        let all = dropped.all.and(unbound);
        let barriers = dropped.barriers.and(labelled);
        let before = events.len() as u64 + dropped.all.total();
        let are_shown = !all.are_within(edges::MOST_LEFT_OUT);
        if !are_shown {
            events.cut(unbound);
            counts.trimmed += unbound.total();
        }
        // Strays of the firmware are expected at both ends on some chips.
        let strays = if engine == 0 { self.strays } else { 0 };
        let unexplained = all.remove(barriers);
        if !unexplained.are_within(strays) {
            counts.lost += unexplained.total();
        }
        // What is shown is told with all records that match no command.
        let gone = if are_shown { dropped.all.remove(dropped.barriers) } else { unexplained };
        if !gone.are_within(strays) {
            let (name, n) = (CORE_ENGINES[engine].name(), gone.total());
            let message = message!("note-trimmed", records = n, all = before, engine = name);
            self.notes.loss_anywhere(None, message);
        }
    }
}
