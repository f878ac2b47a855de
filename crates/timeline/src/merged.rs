//! Kernels, scopes and tags numbered over the whole dump.

use std::ops::Range;

use foldhash::{HashMap, HashMapExt};

use crate::cdma::Port;
use crate::join::Cores;
use crate::tags::Tag;

/// Kernels, scopes and tags numbered over the whole dump: cores in order.
#[derive(Default)]
pub(crate) struct Merged {
    pub(crate) kernels: Vec<String>,
    pub(crate) tags: Vec<Tag>,
    pub(crate) has_missing_commands: Vec<bool>,
    /// The tags of each core, in file order.
    pub(crate) of_cores: Vec<Range<u32>>,
}

impl Merged {
    pub(crate) fn merge(cores: &mut Cores<'_>, ports: &mut [Port<'_>]) -> Self {
        let (mut merged, mut known, mut scopes) = (Self::default(), HashMap::new(), 0);
        for (index, core) in cores {
            let table = std::mem::take(&mut core.tags);
            let opened = table.scopes;
            merged.has_missing_commands.extend(core.incomplete.by_tag(&table.tags));
            let first = merged.tags.len() as u32;
            merged.tags.extend(table.into_global(&mut merged.kernels, &mut known, scopes));
            merged.of_cores.push(first..merged.tags.len() as u32);
            scopes += opened;
            let tags = core.monitors.iter_mut().flat_map(|clean| &mut clean.events.tag);
            tags.for_each(|tag| *tag += first);
            for port in ports.iter_mut() {
                let owned = port.owner.iter().zip(&mut port.clean.events.tag);
                owned
                    .filter(|(owner, _)| owner.is_some_and(|owner| owner.core == *index))
                    .for_each(|(_, tag)| *tag += first);
            }
        }
        merged
    }
}
