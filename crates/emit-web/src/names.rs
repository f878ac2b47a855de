//! What slices are: function type, function name and activity, each combination once.

use bigtpu_chip::{Direction, Memory};
use bigtpu_measure::Activity;
use foldhash::HashMap;
use serde::Serialize;

use crate::strings::Strings;

/// What a slice is.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub(crate) struct NameHead {
    /// Function Type (or category), index into `strings`.
    #[serde(rename = "type")]
    kind: u32,
    /// Function Name (or kernel, layer, host operator), index into `strings`.
    name: u32,
    /// What it counts as.
    role: SliceRole,
    /// Way that a transfer goes; absent where nothing is moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "page-types", ts(optional))]
    way: Option<SliceWay>,
}

/// Which way a transfer goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum SliceWay {
    /// To local memory.
    Load,
    /// From local memory to DDR.
    Store,
    /// From or to shared memory on the chip.
    L2m,
}

impl SliceWay {
    /// Way of a direction; `None` for copies within DDR or local memory.
    pub(crate) fn from_direction(direction: Direction) -> Option<Self> {
        match (direction.from, direction.to) {
            _ if direction.has_l2() => Some(Self::L2m),
            (Memory::Ddr, Memory::Lmem) => Some(Self::Load),
            (Memory::Lmem, Memory::Ddr) => Some(Self::Store),
            _ => None,
        }
    }
}

/// What a slice counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum SliceRole {
    Work,
    /// A wait for a message.
    Wait,
    Send,
    /// Another system command.
    System,
}

/// One track's names.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Index of each activity, by type and then by name.
    index: HashMap<String, HashMap<String, Vec<u32>>>,
    names: Vec<(String, String, Activity, Option<SliceWay>)>,
    /// The one that was asked for last: slices repeat.
    last: u32,
}

impl Names {
    /// Index of a name.
    pub(crate) fn index(&mut self, kind: &str, name: &str, activity: Activity) -> u32 {
        self.index_going(kind, name, activity, None)
    }

    /// Index of a transfer's name.
    pub(crate) fn index_going(
        &mut self,
        kind: &str,
        name: &str,
        activity: Activity,
        way: Option<SliceWay>,
    ) -> u32 {
        let is = |index: &u32, names: &[(String, String, Activity, Option<SliceWay>)]| {
            names
                .get(*index as usize)
                .is_some_and(|n| n.0 == kind && n.1 == name && n.2 == activity && n.3 == way)
        };
        if is(&self.last, &self.names) {
            return self.last;
        }
        let known = self.index.get(kind).and_then(|of| of.get(name));
        let known = known.and_then(|all| all.iter().copied().find(|i| is(i, &self.names)));
        self.last = known.unwrap_or_else(|| {
            let index = self.names.len() as u32;
            self.names.push((kind.to_owned(), name.to_owned(), activity, way));
            let of = self.index.entry(kind.to_owned()).or_default();
            of.entry(name.to_owned()).or_default().push(index);
            index
        });
        self.last
    }

    /// Whether each name is work.
    pub(crate) fn is_work(&self) -> Vec<bool> {
        self.names.iter().map(|(_, _, activity, _)| activity.is_work()).collect()
    }

    /// Index of the type's text of a name.
    pub(crate) fn kind(&self, index: u32) -> &str {
        self.names.get(index as usize).map_or("", |n| &n.0)
    }
}

/// The page's names.
#[derive(Debug, Default)]
pub(crate) struct AllNames {
    index: HashMap<(u32, u32, SliceRole, Option<SliceWay>), u32>,
    pub(crate) names: Vec<NameHead>,
}

impl AllNames {
    /// Adds a track's names. Returns the page's number of each.
    pub(crate) fn add(&mut self, names: &Names, strings: &mut Strings) -> Vec<u32> {
        let names = names.names.iter().map(|(kind, name, activity, way)| {
            let head = NameHead {
                kind: strings.index(kind),
                name: strings.index(name),
                role: role(*activity),
                way: *way,
            };
            let next = self.names.len() as u32;
            let index =
                *self.index.entry((head.kind, head.name, head.role, head.way)).or_insert(next);
            if index == next {
                self.names.push(head);
            }
            index
        });
        names.collect()
    }
}

fn role(activity: Activity) -> SliceRole {
    match activity {
        Activity::Work => SliceRole::Work,
        Activity::Send => SliceRole::Send,
        Activity::Wait => SliceRole::Wait,
        Activity::Control => SliceRole::System,
    }
}
