//! Records bound to the commands of the launch that each section is of.

use std::ops::Range;

use bigtpu_chip::Chip;

use super::{Division, Joined, Owner, Part, Records, Undecided};
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
use crate::streams::Descriptor;
use crate::wide_events::WideEvents;

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
        let parts = &division.parts[engine];
        let binder = Binder {
            model: division.repeated[engine].as_ref().unwrap_or(des),
            nodes,
            commands: sections::of_nodes(nodes),
            context: Context { chip, engine: CORE_ENGINES[engine], streams: None },
            events: &mut self.monitors[engine].events,
        };
        binder.bind(parts)
    }
}

/// Binds the records of an engine to those commands that a division says.
struct Binder<'a> {
    model: &'a StaticStream,
    nodes: &'a [Node],
    /// Sections of the dispatched commands.
    commands: Vec<Section>,
    context: Context<'a, 'a>,
    events: &'a mut WideEvents,
}

impl Binder<'_> {
    fn bind(mut self, parts: &[Part]) -> BoundModel {
        let (mut model, first_id) = self.bind_fitting(parts);
        for part in parts {
            if let Records::Odd(rows, count) = &part.records {
                self.bind_odd(&mut model, rows, (part.owner, *count), first_id);
            }
        }
        for part in parts.iter().filter(|part| !part.is_sure) {
            let rows = match &part.records {
                Records::Fitting(section) => section.first..section.first + section.len,
                Records::Odd(rows, _) => rows.clone(),
            };
            for i in rows {
                mark(&mut self.events.marks, self.events.record[i], Quality::Doubtful);
            }
        }
        model
    }

    /// Binds the sections that have the length of what they are of. Returns the id of a group's first command as well.
    fn bind_fitting(&mut self, parts: &[Part]) -> (BoundModel, i64) {
        let (mut of_model, mut free) = (Vec::new(), Vec::new());
        let mut kernels = Sections { records: Vec::new(), commands: Vec::new() };
        for part in parts {
            match (&part.records, part.owner) {
                (Records::Fitting(section), Owner::Group(group)) => {
                    of_model.push((*section, group));
                }
                (Records::Fitting(section), Owner::Commands(at)) => {
                    kernels.records.push(Section { first: free.len(), ..*section });
                    kernels.commands.extend(self.commands.get(at));
                    free.extend(section.first..section.first + section.len);
                }
                (Records::Odd(..), _) => {}
            }
        }
        let first_id = of_model.first().map_or(0, |(section, group)| {
            self.events.id[section.first] - self.model.skipped(*group, section.span) as i64
        });
        let model = bind_groups(self.events, self.model, of_model.into_iter());
        pair_nodes(&mut self.context, self.events, &free, self.nodes, &kernels);
        (model, first_id)
    }

    /// Binds the records of a launch that damage changed, by their ids. `owners`: the first of what they are of, and of how many.
    fn bind_odd(
        &mut self,
        model: &mut BoundModel,
        rows: &Range<usize>,
        (first, count): (Owner, usize),
        first_id: i64,
    ) {
        let owners = || (0..count).map(|nth| first.owner_after(nth));
        let runs: Vec<IdRun> =
            owners().filter_map(|owner| self.ids_of_owner(owner, first_id)).collect();
        let ids = self.events.id.get(rows.clone()).unwrap_or_default().to_vec();
        let found = cheapest(&ids, &runs, Rules::DISPATCHED, |_| usize::MAX, |_, _| 0);
        for (i, found) in rows.clone().zip(found) {
            let Some(Found { run, at, is_break, .. }) = found else { continue };
            let owner = first.owner_after(run);
            let (bound, tag) = self.command(owner, at);
            if let (Owner::Group(_), Some((_, may_lack_record))) = (owner, bound) {
                model.bound += 1;
                model.commands += u64::from(may_lack_record);
            }
            self.events.bound_columns().bind(i, bound.map(|(bound, _)| bound), tag);
            mark(&mut self.events.marks, self.events.record[i], Quality::Repaired);
            if is_break {
                model.breaks.push(Break { record: i, tag, gap: Gap::WrongId });
            }
        }
        let groups = owners().filter_map(|owner| match owner {
            Owner::Group(at) => self.model.group(at),
            Owner::Commands(_) => None,
        });
        model.commands += groups.map(certain).sum::<u64>();
    }

    /// The ids of what records are of. `first_id`: of a group's first command.
    fn ids_of_owner(&self, owner: Owner, first_id: i64) -> Option<IdRun> {
        match owner {
            Owner::Group(at) => {
                let span = self.model.group(at)?.len() as u64;
                Some(IdRun { first: first_id, span })
            }
            Owner::Commands(at) => {
                let section = self.commands.get(at)?;
                let first = self.nodes.get(section.first)?.id.into();
                Some(IdRun { first, span: section.span })
            }
        }
    }

    /// A command of what records are of, whether it may have no record, and the tag of its launch.
    fn command(&mut self, owner: Owner, at: u64) -> (Option<(Bound, bool)>, u32) {
        match owner {
            Owner::Group(group) => {
                let group = self.model.group(group);
                let descriptor = group.and_then(|group| group.get(at as usize));
                let bound = |d: &Descriptor| (Bound::of_descriptor(*d), d.may_lack_record);
                (descriptor.map(bound), 0)
            }
            Owner::Commands(section) => match self.commands.get(section) {
                Some(section) => {
                    let (bound, tag) = command_at(&mut self.context, self.nodes, *section, at);
                    (bound.map(|bound| (bound, false)), tag)
                }
                None => (None, 0),
            },
        }
    }
}
