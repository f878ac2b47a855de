//! The data types of a scene. Times are in ns on the scene's own time line.

use std::collections::BTreeMap;

use bigtpu_chip::{Engine, PortDirection};
use bigtpu_output::lanes::{Lanes, assign_lanes};

/// A timeline that can be drawn.
#[derive(Debug, Clone, Default)]
pub struct Scene {
    /// Tracks by what they belong to, in the order in which they are.
    pub groups: Vec<Group>,
    /// What released what, of scenes whose slices are in the scene. Flows of a profile's commands are with the
    /// profile's analysis.
    pub flows: Vec<Flow>,
}

/// Tracks that belong together.
#[derive(Debug, Clone)]
pub struct Group {
    /// What they belong to.
    pub owner: Owner,
    /// The tracks, top down.
    pub tracks: Vec<Track>,
}

/// What tracks belong to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owner {
    /// A core.
    Core(u32),
    /// A CDMA port.
    Port(u32),
    /// Something else, by its name.
    Named(String),
}

/// A track.
#[derive(Debug, Clone)]
pub struct Track {
    /// What it shows.
    pub role: Role,
    /// Its slices or samples.
    pub content: Content,
}

/// What a track shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// Kernel scopes.
    Kernels,
    /// Layers of a static model.
    Layers,
    /// Blocks of a static model.
    Blocks,
    /// Iterations.
    Steps,
    /// Commands of an engine.
    Engine(Engine),
    /// Commands of a CDMA port that go one way.
    Side(PortDirection),
    /// What the time of a port's commands that go one way is made of; only where the records have moments of data.
    Phases(PortDirection),
    /// How busy an engine is while a command runs: a share of the TIU's peak, the GDMA's bandwidth.
    Rate(Engine),
    /// Times in which an engine did no work.
    Gaps(Engine),
    /// DDR and L2M bandwidth of a core.
    Bandwidth,
    /// Something else, by its name.
    Named(String),
}

/// What is on a track.
#[derive(Debug, Clone)]
pub enum Content {
    /// Commands of the engine of the track's owner, by their rows in the profile.
    Commands(Commands),
    /// Slices that are in the scene.
    Slices(Slices),
    /// The stretches of the critical path, which the profile's analysis has.
    CriticalPath,
    /// How busy the engine of the role is: the samples of [`crate::Rate`].
    Rate,
    /// Bandwidth of DDR and L2M: the steps of [`bigtpu_measure::Bandwidth`], of a port those of [`crate::port_bandwidth`].
    Bandwidth,
    /// A counter's samples, by time.
    Samples {
        /// Unit, such as `GB/s`.
        unit: String,
        /// Values from a time on.
        samples: Vec<Sample>,
    },
}

/// A counter's value from `time` on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// ns.
    pub time: i64,
    /// In the counter's unit.
    pub value: f64,
}

/// Rows of an engine's commands.
#[derive(Debug, Clone)]
pub struct Commands {
    /// The track's rows; `None`: all.
    rows: Option<Vec<u32>>,
    /// The lanes of these rows.
    lanes: Lanes,
}

impl Commands {
    /// All commands of an engine, by their times.
    pub(crate) fn all(start: &[i64], end: &[i64]) -> Self {
        Self { rows: None, lanes: assign_lanes(start, end) }
    }

    /// Some commands of an engine, whose times are `start` and `end`.
    pub(crate) fn some(rows: Vec<u32>, start: &[i64], end: &[i64]) -> Self {
        let time_of = |times: &[i64]| -> Vec<i64> {
            rows.iter().map(|&row| times.get(row as usize).copied().unwrap_or(0)).collect()
        };
        let lanes = match assign_lanes(&time_of(start), &time_of(end)) {
            Lanes::Single => Lanes::Single,
            Lanes::Several(lanes) => {
                let row = |at: u32| rows.get(at as usize).copied().unwrap_or(0);
                Lanes::Several(
                    lanes.into_iter().map(|l| l.into_iter().map(row).collect()).collect(),
                )
            }
        };
        Self { rows: Some(rows), lanes }
    }

    /// Rows by lane.
    pub(crate) fn in_lanes(mut lanes: Vec<Vec<u32>>) -> Self {
        match lanes.len() {
            0 | 1 => Self { rows: Some(lanes.pop().unwrap_or_default()), lanes: Lanes::Single },
            _ => Self { rows: None, lanes: Lanes::Several(lanes) },
        }
    }

    /// Whether these are all commands of the engine, and none of them overlaps another.
    #[must_use]
    pub fn are_serial(&self) -> bool {
        self.rows.is_none() && matches!(self.lanes, Lanes::Single)
    }

    /// Lanes of rows in time order; `None`: all rows as they are.
    pub fn lanes(&self) -> impl Iterator<Item = Option<&[u32]>> {
        let (single, several) = match &self.lanes {
            Lanes::Single => (Some(self.rows.as_deref()), &[][..]),
            Lanes::Several(lanes) => (None, lanes.as_slice()),
        };
        single.into_iter().chain(several.iter().map(|lane| Some(lane.as_slice())))
    }

    /// Which lane each row goes to.
    #[must_use]
    pub fn assignment(&self) -> &Lanes {
        &self.lanes
    }
}

/// Slices that are in the scene, and their lanes.
#[derive(Debug, Clone, Default)]
pub struct Slices {
    slices: Vec<Slice>,
    lanes: Lanes,
}

impl Slices {
    /// Slices in any order; those that overlap go to lanes of their own.
    #[must_use]
    pub fn new(slices: Vec<Slice>) -> Self {
        let start: Vec<i64> = slices.iter().map(|slice| slice.start).collect();
        let end: Vec<i64> = slices.iter().map(|slice| slice.end).collect();
        let lanes = assign_lanes(&start, &end);
        Self { slices, lanes }
    }

    /// Slices in any order with their levels: each level has lanes of its own, below those of the levels before.
    #[must_use]
    pub fn by_level(slices: Vec<(u32, Slice)>) -> Self {
        let mut levels: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for ((level, _), at) in slices.iter().zip(0..) {
            levels.entry(*level).or_default().push(at);
        }
        let slices: Vec<Slice> = slices.into_iter().map(|(_, slice)| slice).collect();
        let mut lanes: Vec<Vec<u32>> = Vec::new();
        for own in levels.into_values() {
            let times = |time: fn(&Slice) -> i64| -> Vec<i64> {
                own.iter().filter_map(|at| slices.get(*at as usize)).map(time).collect()
            };
            match assign_lanes(&times(|slice| slice.start), &times(|slice| slice.end)) {
                Lanes::Single => lanes.push(own),
                Lanes::Several(of_level) => {
                    let all = |at: u32| own.get(at as usize).copied().unwrap_or(0);
                    lanes.extend(of_level.into_iter().map(|l| l.into_iter().map(all).collect()));
                }
            }
        }
        Self { slices, lanes: if lanes.len() > 1 { Lanes::Several(lanes) } else { Lanes::Single } }
    }

    /// The slices, as they were given.
    #[must_use]
    pub fn all(&self) -> &[Slice] {
        &self.slices
    }

    /// Which lane each slice goes to.
    #[must_use]
    pub fn assignment(&self) -> &Lanes {
        &self.lanes
    }

    /// Number of lanes: at least one.
    #[must_use]
    pub fn lane_count(&self) -> usize {
        match &self.lanes {
            Lanes::Single => 1,
            Lanes::Several(lanes) => lanes.len(),
        }
    }

    /// Slice `at` of a lane, in time order; `None` behind the last.
    #[must_use]
    pub fn in_lane(&self, lane: usize, at: usize) -> Option<&Slice> {
        match &self.lanes {
            Lanes::Single => self.slices.get(at),
            Lanes::Several(lanes) => self.slices.get(*lanes.get(lane)?.get(at)? as usize),
        }
    }
}

/// A slice.
#[derive(Debug, Clone)]
pub struct Slice {
    /// ns.
    pub start: i64,
    /// ns, not before the start.
    pub end: i64,
    /// What it is called.
    pub name: String,
    /// What it is.
    pub detail: Detail,
}

/// What a slice is, with all that a view shows of it.
#[derive(Debug, Clone)]
pub enum Detail {
    /// A launch of a kernel.
    Kernel {
        /// Number of the launch over the whole dump, where the runtime said it.
        scope: Option<u32>,
        /// Batches of its commands, ascending.
        batches: Vec<u32>,
        /// Modes of its commands, as `RVT/DES`.
        modes: String,
        /// Commands in it.
        events: u64,
    },
    /// A layer of a static model, by its place among the layers.
    Layer(usize),
    /// A block of a static model or a step, by its place in the report.
    Unit {
        /// Category.
        category: &'static str,
        /// Its place.
        at: usize,
        /// What it did: arguments by name.
        args: Vec<(&'static str, Value)>,
    },
    /// Something else: a category, and arguments by name.
    Other {
        /// Category.
        category: &'static str,
        /// Arguments.
        args: Vec<(&'static str, Value)>,
    },
}

/// Value of an argument.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A whole number.
    Int(i64),
    /// A number.
    Double(f64),
    /// A text.
    Text(String),
}

/// One slice released another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flow {
    /// Group, track and slice.
    pub from: (usize, usize, usize),
    /// Group, track and slice.
    pub to: (usize, usize, usize),
}
