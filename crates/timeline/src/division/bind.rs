//! Records bound to the commands of the launch that each section is of.

use bigtpu_chip::Chip;

use super::{Division, Joined, Owner, Records, Undecided};
use crate::bound::Bound;
use crate::by_ids::path::{Found, IdRun, Rules, cheapest};
use crate::by_ids::{Break, Gap};
use crate::core_engines::CORE_ENGINES;
use crate::join::JoinedCore;
use crate::monitor::Clean;
use crate::nodes::Node;
use crate::pair::{Context, Sections, command_at, pair_nodes};
use crate::quality::{Quality, mark};
use crate::sections::{self, Section};
use crate::static_model::{BoundModel, StaticStream, bind_groups, certain};

/// Whether an engine has commands of a model and of kernels.
fn has_both(nodes: &[Vec<Node>; 3], des: &[StaticStream; 3]) -> bool {
    nodes.iter().zip(des).any(|(nodes, des)| !nodes.is_empty() && !des.is_empty())
}

impl JoinedCore<'_> {
    /// Which sections of the core's records are the model's, where there are kernels among its launches; `None` where there are none.
    pub(crate) fn divide(
        &mut self,
        chip: &'static Chip,
        nodes: &[Vec<Node>; 3],
        des: &[StaticStream; 3],
        file: &[u8],
    ) -> Option<Division> {
        if !has_both(nodes, des) {
            return None;
        }
        let repeated = des.each_ref().map(|stream| stream.first_repetition(file));
        let model = std::array::from_fn(|e| repeated[e].as_ref().unwrap_or(&des[e]));
        let (monitors, tags) = (&self.monitors, &self.tags);
        let joined = Joined { chip, monitors, nodes, model, tags, file };
        let mut division = Division::find(&joined)?;
        let (all, undecided) = division.launches;
        self.undecided = (undecided > 0).then_some(Undecided::Launches(undecided, all));
        division.repeated = repeated;
        Some(division)
    }

    /// Where no division explains the records of a core with both a model and kernels, any of their commands may be that of the other.
    pub(crate) fn doubt_undivided(&mut self, nodes: &[Vec<Node>; 3], des: &[StaticStream; 3]) {
        if !has_both(nodes, des) {
            return;
        }
        self.undecided = Some(Undecided::Core);
        for Clean { events, .. } in &mut self.monitors {
            for i in (0..events.len()).filter(|i| events.binding[*i].is_bound()) {
                mark(&mut events.marks, events.record[i], Quality::Doubtful);
            }
        }
    }

    /// Binds an engine's records to the commands of their launches.
    pub(crate) fn bind_division(
        &mut self,
        chip: &Chip,
        engine: usize,
        division: &Division,
        (des, nodes): (&StaticStream, &[Node]),
    ) -> BoundModel {
        let des = division.repeated[engine].as_ref().unwrap_or(des);
        let parts = &division.parts[engine];
        let events = &mut self.monitors[engine].events;
        let commands = sections::of_nodes(nodes);
        let (mut of_model, mut free) = (Vec::new(), Vec::new());
        let mut kernels = Sections { records: Vec::new(), commands: Vec::new() };
        for part in parts {
            match (&part.records, part.owner) {
                (Records::Fitting(section), Owner::Group(group)) => {
                    of_model.push((*section, group));
                }
                (Records::Fitting(section), Owner::Commands(at)) => {
                    kernels.records.push(Section { first: free.len(), ..*section });
                    kernels.commands.extend(commands.get(at));
                    free.extend(section.first..section.first + section.len);
                }
                (Records::Odd(..), _) => {}
            }
        }
        let first_id = of_model.first().map_or(0, |(section, group)| {
            events.id[section.first] - des.skipped(*group, section.span) as i64
        });
        let mut model = bind_groups(events, des, of_model.into_iter());
        let mut context = Context { chip, engine: CORE_ENGINES[engine], streams: None };
        pair_nodes(&mut context, events, &free, nodes, &kernels);
        for part in parts {
            let Records::Odd(rows, count) = &part.records else { continue };
            let runs: Vec<IdRun> = (0..*count)
                .filter_map(|nth| match part.owner.owner_after(nth) {
                    Owner::Group(at) => {
                        let span = des.group(at)?.len() as u64;
                        Some(IdRun { first: first_id, span })
                    }
                    Owner::Commands(at) => {
                        let section = commands.get(at)?;
                        let first = nodes.get(section.first)?.id.into();
                        Some(IdRun { first, span: section.span })
                    }
                })
                .collect();
            let ids = events.id.get(rows.clone()).unwrap_or_default().to_vec();
            let found = cheapest(&ids, &runs, Rules::DISPATCHED, |_| usize::MAX, |_, _| 0);
            for (i, found) in rows.clone().zip(found) {
                let Some(Found { run, at, is_break, .. }) = found else { continue };
                let (bound, tag) = match part.owner.owner_after(run) {
                    Owner::Group(group) => {
                        let descriptor = des.group(group).and_then(|group| group.get(at as usize));
                        model.bound += u64::from(descriptor.is_some());
                        let was_uncertain = descriptor.is_some_and(|d| d.may_lack_record);
                        model.commands += u64::from(was_uncertain);
                        (descriptor.map(|descriptor| Bound::of_descriptor(*descriptor)), 0)
                    }
                    Owner::Commands(section) => match commands.get(section) {
                        Some(section) => command_at(&mut context, nodes, *section, at),
                        None => (None, 0),
                    },
                };
                events.bound_columns().bind(i, bound, tag);
                mark(&mut events.marks, events.record[i], Quality::Repaired);
                if is_break {
                    model.breaks.push(Break { record: i, tag, gap: Gap::WrongId });
                }
            }
            let groups = (0..*count).filter_map(|nth| match part.owner.owner_after(nth) {
                Owner::Group(at) => des.group(at),
                Owner::Commands(_) => None,
            });
            model.commands += groups.map(certain).sum::<u64>();
        }
        for part in parts.iter().filter(|part| !part.is_sure) {
            let rows = match &part.records {
                Records::Fitting(section) => section.first..section.first + section.len,
                Records::Odd(rows, _) => rows.clone(),
            };
            for i in rows {
                mark(&mut events.marks, events.record[i], Quality::Doubtful);
            }
        }
        model
    }
}
