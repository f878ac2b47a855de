//! Records that are at odds with the commands of a group or of a kernel.

use bigtpu_chip::{Direction, Slot};
use foldhash::{HashMap, HashMapExt};

use super::{CoreSections, Joined, Owner};
use crate::binding::Binding;
use crate::bound::Bound;
use crate::core_engines::CORE_ENGINES;
use crate::nodes::NodeKind;
use crate::transfers_compared::plain_bytes;

/// Counts the records of sections that are at odds with what they may be of, each once.
pub(super) struct Contradictions<'a, 'd> {
    core: &'a Joined<'a, 'd>,
    sections: &'a CoreSections,
    known: HashMap<(usize, usize, Owner), u32>,
}

impl<'a, 'd> Contradictions<'a, 'd> {
    pub(super) fn new(core: &'a Joined<'a, 'd>, sections: &'a CoreSections) -> Self {
        Self { core, sections, known: HashMap::new() }
    }

    /// Records of an engine's section that are at odds with what it may be of.
    pub(super) fn count(&mut self, engine: usize, section: usize, owner: Owner) -> u32 {
        // Each launch of the model is of the same groups.
        let owner = match owner {
            Owner::Group(at) => {
                let groups = self.core.model[engine].group_count();
                Owner::Group(at.checked_rem(groups).unwrap_or(at))
            }
            Owner::Commands(_) => owner,
        };
        if let Some(known) = self.known.get(&(engine, section, owner)) {
            return *known;
        }
        let Some(records) = self.sections.records[engine].get(section) else { return 0 };
        let rows = records.first..records.first + records.len;
        let ids = &self.core.events(engine).id;
        let first = ids.get(records.first).copied().unwrap_or(0);
        let is_odd = |&row: &usize| {
            let at = ids.get(row).map_or(0, |id| id.abs_diff(first) as usize);
            self.command(engine, records.span, owner, at)
                .is_some_and(|bound| self.contradicts(engine, row, bound))
        };
        let odd = rows.filter(is_odd).count() as u32;
        self.known.insert((engine, section, owner), odd);
        odd
    }

    /// The command at a place of what a section may be of. `span`: the section's length.
    fn command(&self, engine: usize, span: u64, owner: Owner, at: usize) -> Option<Bound> {
        match owner {
            Owner::Group(group) => {
                let descriptor = self.core.model[engine].command(group, span, at)?;
                Some(Bound::of_descriptor(descriptor))
            }
            Owner::Commands(section) => {
                let first = self.sections.commands[engine].get(section)?.first;
                match self.core.nodes[engine].get(first + at)?.kind {
                    NodeKind::Command(bound) => Some(bound),
                    NodeKind::Stream { .. } => None,
                }
            }
        }
    }

    /// Whether a record moved nothing, though its command moves data, or the other way round; or other bytes than its command says.
    fn contradicts(&self, engine: usize, row: usize, bound: Bound) -> bool {
        let (chip, name) = (self.core.chip, CORE_ENGINES[engine]);
        let clean = &self.core.monitors[engine];
        let Some(&record) = clean.events.record.get(row) else { return false };
        let bits = usize::try_from(bound.bits).ok().and_then(|at| self.core.file.get(at..));
        let command = match bound.binding.has_bits() {
            true => bits.and_then(|bits| chip.ops(name).command(bound.code, bits)),
            false => None,
        };
        let task = match (&command, bound.binding) {
            (Some(command), _) => {
                let slot = if engine == 0 { Slot::Task } else { Slot::DmaType };
                u8::try_from(command.get(slot)).ok()
            }
            (None, Binding::Word | Binding::WordAndBits | Binding::Wrap) => Some(bound.word.task()),
            _ => None,
        };
        let Some(is_system) = task.map(|task| chip.is_system(name, task)) else { return false };
        if is_system {
            return clean.monitor.shows_work(chip, record);
        }
        if clean.monitor.looks_like_system(chip, record) {
            return true;
        }
        let Some(command) = command else { return false };
        let expected = plain_bytes(chip, name, &command).filter(|bytes| *bytes > 0);
        let counted = clean
            .monitor
            .pmu(chip, record)
            .map(|pmu| pmu.traffic(true, Direction::of_command(chip, &command)).bytes);
        expected.zip(counted).is_some_and(|(expected, counted)| expected != counted)
    }
}
