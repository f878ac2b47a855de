//! A reader of Perfetto traces that has nothing in common with their writer but the message types.
//! Whatever a trace viewer would stumble over is in [`Trace::problems`].

mod packets;
mod reader;
mod sequence;
mod tree;
mod value;

use std::collections::BTreeMap;
use std::path::Path;

pub(crate) use tree::Track;
pub(crate) use value::Value;

use tree::Tree;

/// Category of slices that sum up others, for who looks at folded tracks.
pub(crate) const OVERVIEW: &str = "overview";

/// A slice, an instant mark or a counter's sample says where it is by its track's path: names from the
/// root, joined by `/`.
#[derive(Debug, Clone)]
pub(crate) struct Slice {
    pub(crate) track: String,
    pub(crate) ts: i64,
    pub(crate) dur: i64,
    pub(crate) name: String,
    pub(crate) categories: Vec<String>,
    pub(crate) args: Vec<(String, Value)>,
    /// Flows that start at the slice or pass through it.
    pub(crate) flows: Vec<u64>,
    /// Flows that end at the slice.
    pub(crate) ended_flows: Vec<u64>,
    /// How many slices of the track are open around it.
    pub(crate) depth: usize,
}

/// A value that a counter takes.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub(crate) track: String,
    pub(crate) ts: i64,
    pub(crate) value: f64,
}

/// A whole trace.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    pub(crate) tracks: Vec<Track>,
    /// In the order of their ends.
    pub(crate) slices: Vec<Slice>,
    /// Marks, as slices of no duration.
    pub(crate) instants: Vec<Slice>,
    pub(crate) samples: Vec<Sample>,
    /// Pairs that describe the trace, in the form that current viewers show.
    pub(crate) attributes: Vec<(String, String)>,
    /// Pairs that describe the trace, in the form that older viewers show.
    pub(crate) chrome_metadata: Vec<(String, String)>,
    /// Time since 1970 at the trace's 0, in ns, if a snapshot of clocks tells.
    pub(crate) wall_at_zero: Option<u64>,
    /// What is wrong with the trace.
    pub(crate) problems: Vec<String>,
    /// Whether some packets were deflated.
    pub(crate) compressed: bool,
    /// Marks by which an importer knows up to where it has all.
    pub(crate) marks: usize,
}

impl Trace {
    /// Reads a trace file.
    pub(crate) fn open(path: &Path) -> Self {
        reader::read(&std::fs::read(path).unwrap())
    }

    /// The track of that path.
    pub(crate) fn track(&self, path: &str) -> &Track {
        let found = self.tracks.iter().find(|track| track.path == path);
        found.unwrap_or_else(|| panic!("no track {path}; there are {:?}", self.paths()))
    }

    /// The paths of all tracks.
    pub(crate) fn paths(&self) -> Vec<&str> {
        self.tracks.iter().map(|track| track.path.as_str()).collect()
    }

    /// The slices of a track and its lanes, by time.
    pub(crate) fn slices_on(&self, path: &str) -> Vec<&Slice> {
        let mut found: Vec<&Slice> =
            self.slices.iter().filter(|slice| without_lane(&slice.track) == path).collect();
        found.sort_by_key(|slice| (slice.ts, slice.dur));
        found
    }

    /// The samples of a counter, as they are in the trace.
    pub(crate) fn samples_on(&self, path: &str) -> Vec<&Sample> {
        self.samples.iter().filter(|sample| sample.track == path).collect()
    }
}

/// The steps of a light trace, in which views find the step of what tells none.
pub(crate) struct StepTimes<'t>(Vec<&'t Slice>);

impl<'t> StepTimes<'t> {
    pub(crate) fn of(trace: &'t Trace) -> Self {
        Self(trace.slices_on("Steps"))
    }

    /// The number of the step in which something begins.
    pub(crate) fn step_at(&self, ts: i64) -> Option<i128> {
        self.0.last().filter(|last| ts < last.end())?;
        self.0.iter().rev().find(|step| step.ts <= ts)?.arg("Step")?.int()
    }
}

/// The blocks of the layers of a light trace, by the names that no other layer has: views find the block of what tells no id.
pub(crate) struct LayerBlocks<'t>(BTreeMap<&'t str, BTreeMap<i128, &'t str>>);

impl<'t> LayerBlocks<'t> {
    pub(crate) fn of(trace: &'t Trace) -> Self {
        let mut found: BTreeMap<&str, BTreeMap<i128, &str>> = BTreeMap::new();
        for slice in trace.slices.iter().filter(|slice| slice.categories == ["layer"]) {
            let id = slice.arg("Layer Id").and_then(Value::int).unwrap();
            let block = slice.arg("Block").and_then(Value::text).unwrap_or_default();
            found.entry(&slice.name).or_default().insert(id, block);
        }
        Self(found)
    }

    /// The id and the block, which is empty where it has none, of the layer of that name.
    pub(crate) fn layer(&self, name: &str) -> Option<(i128, &'t str)> {
        let layers = self.0.get(name).filter(|layers| layers.len() == 1)?;
        layers.first_key_value().map(|(id, block)| (*id, *block))
    }
}

impl Slice {
    /// Whether it sums up others.
    pub(crate) fn is_overview(&self) -> bool {
        self.categories.iter().any(|category| category == OVERVIEW)
    }

    /// The argument of that name.
    pub(crate) fn arg(&self, name: &str) -> Option<&Value> {
        self.args.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// When the slice ends.
    pub(crate) fn end(&self) -> i64 {
        self.ts + self.dur
    }

    /// Everything that the slice shows as one line, arguments by name, lanes taken for their track.
    pub(crate) fn line(&self) -> String {
        let Self { track, ts, dur, name, categories, args, .. } = self;
        let track = without_lane(track);
        let args = Value::Dict(args.clone());
        format!("{track} @{ts}+{dur} {name:?} {categories:?} {args}")
    }
}

impl Sample {
    /// Everything that the sample says as one line.
    pub(crate) fn line(&self) -> String {
        format!("{} @{} = {:?}", self.track, self.ts, self.value)
    }
}

/// A path without the ` #k` of a lane.
pub(crate) fn without_lane(path: &str) -> &str {
    match path.rsplit_once(" #") {
        Some((track, lane)) if lane.parse::<u32>().is_ok_and(|lane| lane > 1) => track,
        _ => path,
    }
}

/// The lane's number that a path's ` #k` shows; 1 for the first lane, which has none.
pub(crate) fn lane_number(path: &str) -> u32 {
    let track = without_lane(path);
    path.strip_prefix(track).and_then(|rest| rest.strip_prefix(" #")?.parse().ok()).unwrap_or(1)
}
