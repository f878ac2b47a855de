//! Records bound to the commands of the launch that each section is of.

use bigtpu_chip::Chip;

use super::{Division, Joined, Owner, Part};
use crate::core_engines::CORE_ENGINES;
use crate::join::JoinedCore;
use crate::nodes::Node;
use crate::pair::{Context, Sections, pair_nodes};
use crate::quality::{Quality, mark};
use crate::sections::{self, Section};
use crate::static_model::{BoundModel, StaticStream, bind_groups};

impl JoinedCore<'_> {
    /// Which sections of the core's records are the model's, where there are kernels among its launches.
    pub(crate) fn divide(
        &mut self,
        chip: &'static Chip,
        nodes: &[Vec<Node>; 3],
        des: &[StaticStream; 3],
        file: &[u8],
    ) -> Option<Division> {
        let repeated = des.each_ref().map(|stream| stream.first_repetition(file));
        let model = std::array::from_fn(|e| repeated[e].as_ref().unwrap_or(&des[e]));
        let (monitors, tags) = (&self.monitors, &self.tags);
        let division = Division::find(&Joined { chip, monitors, nodes, model, tags, file })?;
        let (all, undecided) = division.launches;
        self.undecided = (undecided > 0).then_some((undecided, all));
        Some(division)
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
        let events = &mut self.monitors[engine].events;
        let of_model = parts.iter().filter_map(|part| match part.owner {
            Owner::Group(group) => Some((part.section, group)),
            Owner::Commands(_) => None,
        });
        let model = bind_groups(events, des, of_model);
        let is_kernel = |part: &&Part| matches!(part.owner, Owner::Commands(_));
        let (mut free, mut records) = (Vec::new(), Vec::new());
        for Part { section, .. } in parts.iter().filter(is_kernel) {
            records.push(Section { first: free.len(), ..*section });
            free.extend(section.first..section.first + section.len);
        }
        let sections = Sections { records, commands: sections::of_nodes(nodes) };
        let mut context = Context { chip, engine: CORE_ENGINES[engine], streams: None };
        pair_nodes(&mut context, events, &free, nodes, &sections);
        for Part { section, .. } in parts.iter().filter(|part| !part.is_sure) {
            for i in section.first..section.first + section.len {
                mark(&mut events.marks, events.record[i], Quality::Doubtful);
            }
        }
        model
    }
}
