//! A page of two runs: the data of both, what changed, and which launches belong together.

use bigtpu_answers::{Analysis, Diff, matching_places};
use bigtpu_emit::{EmitterInput, Progress};
use bigtpu_messages::{Language, LocalizedText};
use bigtpu_output::{OutDir, OutputError, Written};
use bigtpu_scene::{Content, Owner, Role, Scene, Slice};
use bigtpu_timeline::Profile;
use serde::Serialize;

use crate::WebPage;
use crate::build::{self, Sources};
use crate::chunk::Chunk;
use crate::column::Column;
use crate::head::{Head, TrackKind};
use crate::html;

/// What the two runs of a page are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum RunsKind {
    /// A run before a change and one after it.
    Change,
    /// What was measured, and what is predicted.
    Prediction,
    /// What was measured, and a simulation of the same: what differs is the error of the model.
    Simulation,
}

/// One of the two runs.
pub struct PageRun<'a, 'd> {
    /// Its name, and what is shown besides the profile.
    pub page: WebPage,
    /// The aligned events.
    pub profile: &'a Profile<'d>,
    /// What was derived from them.
    pub analysis: &'a Analysis,
    /// Their tracks.
    pub scene: &'a Scene,
}

/// A page of two runs, with both timelines and what changed between them.
pub struct RunsPage<'a> {
    /// What the runs are.
    pub kind: RunsKind,
    /// What changed. It may come from more runs than the two that are drawn.
    pub diff: &'a Diff,
    /// What became of limits, a line each; failures first.
    pub verdicts: Vec<LocalizedText>,
}

/// What a page of two runs has besides the two heads.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct RunsHead<'a> {
    kind: RunsKind,
    diff: &'a Diff,
    verdicts: &'a [LocalizedText],
    pub(crate) tracks: Vec<PairsHead>,
}

/// Launches of a core, or its layers, that belong together.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub(crate) struct PairsHead {
    core: u32,
    /// Indices of the tracks in the first and the second head.
    before: usize,
    after: usize,
    /// Columns `before` and `after`: rows of the two tracks.
    pub(crate) pairs: Chunk,
}

impl RunsPage<'_> {
    /// Writes the page of the first and the second run as a file of this name.
    ///
    /// # Errors
    /// [`OutputError`] when the file can't be written; none is then left half-written.
    pub fn write(
        &self,
        runs: [&PageRun<'_, '_>; 2],
        out: &OutDir,
        name: &str,
        progress: &dyn Progress,
    ) -> Result<Written, OutputError> {
        let [before, after] = runs;
        let before_input = before.input(out, progress);
        let after_input = after.input(out, progress);
        let mut heads = [
            build::head(&before_input, &Sources::new(&before.page)),
            build::head(&after_input, &Sources::new(&after.page)),
        ];
        let [first, second] = &heads;
        let tracks = pairs([before.scene, after.scene], [first, second]);
        let mut runs =
            RunsHead { kind: self.kind, diff: self.diff, verdicts: &self.verdicts, tracks };
        let mut file = out.file(name)?;
        html::write(&mut heads, Some(&mut runs), before.page.opens_in, &mut file)?;
        file.commit()
    }
}

impl<'d> PageRun<'_, 'd> {
    fn input<'a>(&'a self, out: &'a OutDir, progress: &'a dyn Progress) -> EmitterInput<'a, 'd> {
        let &Self { profile, analysis, scene, .. } = self;
        EmitterInput { profile, analysis, scene, language: Language::default(), out, progress }
    }
}

/// The tracks of kernels, or of layers where a model has no kernels, core by core.
fn pairs(scenes: [&Scene; 2], heads: [&Head<'_>; 2]) -> Vec<PairsHead> {
    let mut all = Vec::new();
    for group in &scenes[0].groups {
        let Owner::Core(core) = group.owner else { continue };
        for (role, kind) in [(Role::Kernels, TrackKind::Kernel), (Role::Layers, TrackKind::Layer)] {
            let tracks = heads.map(|head| {
                head.tracks.iter().position(|track| {
                    track.kind == kind && track.core == i64::from(core) && track.port.is_none()
                })
            });
            let [Some(before), Some(after)] = tracks else { continue };
            let slices = scenes.map(|scene| slices(scene, core, &role));
            all.push(PairsHead { core, before, after, pairs: pairs_chunk(&slices) });
            break;
        }
    }
    all
}

/// The slices of a core's track in the order of their starts, each with its row.
fn slices<'a>(scene: &'a Scene, core: u32, role: &Role) -> Vec<(usize, &'a Slice)> {
    let tracks = scene.groups.iter().filter(|group| group.owner == Owner::Core(core));
    let track = tracks.flat_map(|group| &group.tracks).find(|track| track.role == *role);
    let Some(Content::Slices(slices)) = track.map(|track| &track.content) else {
        return Vec::new();
    };
    let mut sorted: Vec<_> = slices.all().iter().enumerate().collect();
    sorted.sort_by_key(|(_, slice)| slice.start);
    sorted
}

fn pairs_chunk([before, after]: &[Vec<(usize, &Slice)>; 2]) -> Chunk {
    let places = matching_places(before.iter().map(name), after.iter().map(name));
    let mut columns = ["before", "after"].map(Column::differences);
    for (first, second) in places {
        let rows = [before.get(first as usize), after.get(second as usize)];
        for (column, slice) in columns.iter_mut().zip(rows.into_iter().flatten()) {
            column.push(slice.0 as i64);
        }
    }
    Chunk::pack(columns.into())
}

fn name<'a>((_, slice): &(usize, &'a Slice)) -> &'a str {
    &slice.name
}
