//! The run's graph for the page, which replays it with other speeds: columns in the order in which the tasks run.

use bigtpu_answers::with_layers;
use bigtpu_chip::Engine;
use bigtpu_emit::EmitterInput;
use bigtpu_measure::layers::Layers;
use bigtpu_replay::{PlainLimits, Predictor, TaskKind};
use bigtpu_timeline::{EngineEvents, EngineId, Profile};
use serde::Serialize;

use crate::chunk::Chunk;
use crate::column::Column;
use crate::engine::kind;
use crate::head::TrackKind;

/// No number.
const NONE: i64 = -1;

/// The graph of the run. `docs/prediction/replay.md` says what it means.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct WhatIfHead {
    /// Where the first event lies, ns since the span's start: times of the graph count from there.
    start: i64,
    limits: PlainLimits,
    /// Whether the records tell waits from work.
    knows_waits: bool,
    /// Share by which the time that depends on a bandwidth may be greater or smaller.
    bandwidth_error: f64,
    /// Share of a predicted change that is not sure.
    unsure: f64,
    /// Index into `tracks` of each engine (-1 without commands), and the number of its first event; the others follow in the order of
    /// its rows.
    engines: Vec<(i64, u32)>,
    classes: Vec<WhatIfClass>,
    /// Labels of layers, and the model's names in them: `--scale` takes both.
    layers: Vec<[String; 2]>,
    /// The tasks, each after all that it waits for. Columns `class` (index into `classes`, -1 for what only gathers tasks), `step` (of an
    /// event: rows after the one that is next on its engine), `shorter` (by how many ns it is shorter than its slice: a wait with a
    /// known message takes no time here), `fixed` (ns that depend on no bandwidth, where some do: else -1), `layer` (index into
    /// `layers`, -1 none), `count` (of its dependences).
    pub(crate) tasks: Chunk,
    /// The dependences, task after task. Columns `back` (the task that is waited for is so many before), `kind` (text, the names of
    /// kinds in summary.txt), `lag` (ns).
    pub(crate) dependences: Chunk,
    /// Waits with known messages. Columns `task`, `before` (the task after whose end it starts), `lag` (ns from there).
    pub(crate) waits: Chunk,
    /// Cores' parts of launches. Column `kernel` (index into `kernels`, -1 none).
    pub(crate) launches: Chunk,
    /// What engines did in launches. Columns `launch` (row of `launches`), `first` and `last` (tasks).
    pub(crate) parts: Chunk,
}

/// What tasks have in common whose times change together.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub(crate) struct WhatIfClass {
    engine: TrackKind,
    /// Index into `engines`.
    number: usize,
    /// Core, or port of CDMA.
    index: u32,
    task: TaskKind,
    /// Index into `kernels`.
    kernel: Option<u32>,
}

/// The graph; `None` where the analysis has none. `offset`: added to device times it makes times of the page, ns; `track_of` says the tracks of
/// engines.
pub(crate) fn what_if(
    input: &EmitterInput<'_, '_>,
    layers: Option<&Layers>,
    offset: i64,
    track_of: impl Fn(EngineId) -> Option<usize>,
) -> Option<WhatIfHead> {
    let (profile, analysis) = (input.profile, input.analysis);
    let replay = analysis.replay(profile).cloned()?;
    let predictor = Predictor::fit(replay, profile, &analysis.table);
    let predictor = match layers {
        Some(layers) => with_layers(predictor, profile, layers),
        None => predictor,
    };
    let placed = profile.tracks().filter(|track| track.is_placed);
    let start = placed.filter_map(|track| track.events.start.iter().min()).min()?;
    let classes = predictor.classes().map(|class| WhatIfClass {
        engine: kind(class.engine),
        number: number_of(&predictor, class.engine, class.index),
        index: class.index,
        task: class.task,
        kernel: class.kernel,
    });
    let engines = predictor.engines().iter();
    let (tasks, dependences) = graph_chunks(&predictor, profile);
    Some(WhatIfHead {
        start: start + offset,
        limits: PlainLimits { cycles: predictor.unsure_of_time(), ..PlainLimits::default() },
        knows_waits: predictor.knows_waits(),
        bandwidth_error: predictor.confidence().dma_share_error,
        unsure: predictor.unsure(),
        engines: engines
            .map(|(id, first)| (track_of(*id).map_or(NONE, |at| at as i64), *first))
            .collect(),
        classes: classes.collect(),
        layers: predictor
            .layer_names()
            .iter()
            .map(|layer| [layer.as_str(), layer.name()].map(str::to_owned))
            .collect(),
        tasks,
        dependences,
        waits: wait_chunk(&predictor),
        launches: launch_chunk(&predictor),
        parts: part_chunk(&predictor),
    })
}

/// The number of an engine.
fn number_of(predictor: &Predictor, engine: Engine, index: u32) -> usize {
    let id = EngineId { engine, index };
    predictor.engines().iter().position(|(own, _)| *own == id).unwrap_or(0)
}

fn graph_chunks(predictor: &Predictor, profile: &Profile<'_>) -> (Chunk, Chunk) {
    let engines = predictor.engines();
    let tracks: Vec<Option<&EngineEvents<'_>>> =
        engines.iter().map(|(id, _)| profile.tracks().find(|t| t.engine_id == *id)).collect();
    let mut next: Vec<i64> = vec![0; engines.len()];
    let mut tasks = [
        Column::signed("class"),
        Column::signed("step"),
        Column::signed("shorter"),
        Column::signed("fixed"),
        Column::differences("layer"),
        Column::plain("count"),
    ];
    let mut dependences = [Column::plain("back"), Column::text("kind"), Column::signed("lag")];
    let number = |n: Option<u32>| n.map_or(NONE, i64::from);
    for (at, task) in (0i64..).zip(predictor.tasks()) {
        let [class, step, shorter, fixed, layer, count] = &mut tasks;
        let place = task.event.and_then(|event| {
            let engine = engines.partition_point(|(_, first)| *first <= event).checked_sub(1)?;
            let row = event - engines.get(engine)?.1;
            let events = &tracks.get(engine).copied().flatten()?.events;
            let (start, end) = (events.start.get(row as usize)?, events.end.get(row as usize)?);
            let before = next.get_mut(engine)?;
            let step = i64::from(row) - std::mem::replace(before, i64::from(row) + 1);
            Some((step, (end - start).max(0)))
        });
        let (rows, length) = place.unwrap_or_default();
        step.push(rows);
        shorter.push(length - task.duration_ns);
        let bandwidth = i64::from(task.bandwidth_ns);
        fixed.push(if bandwidth > 0 { task.duration_ns - bandwidth } else { NONE });
        class.push(number(task.class));
        layer.push(number(task.layer));
        let [back, kind, lag] = &mut dependences;
        let mut waits_for = 0;
        for dependence in predictor.dependences(&task) {
            waits_for += 1;
            back.push(at - i64::from(dependence.task));
            kind.push_own(dependence.kind.name());
            lag.push(dependence.lag_ns);
        }
        count.push_wide(waits_for);
    }
    (Chunk::pack(tasks.into()), Chunk::pack(dependences.into()))
}

fn wait_chunk(predictor: &Predictor) -> Chunk {
    let mut columns =
        [Column::differences("task"), Column::differences("before"), Column::signed("lag")];
    for wait in predictor.waits() {
        let [task, before, lag] = &mut columns;
        task.push(wait.task.into());
        before.push(wait.before.into());
        lag.push(wait.lag_ns);
    }
    Chunk::pack(columns.into())
}

fn launch_chunk(predictor: &Predictor) -> Chunk {
    let mut kernel = Column::signed("kernel");
    predictor.launch_kernels().for_each(|of| kernel.push(of.map_or(NONE, i64::from)));
    Chunk::pack(vec![kernel])
}

fn part_chunk(predictor: &Predictor) -> Chunk {
    let mut columns = ["launch", "first", "last"].map(Column::differences);
    for part in predictor.launch_parts() {
        let [launch, first, last] = &mut columns;
        launch.push(part.launch.into());
        first.push(part.first.into());
        last.push(part.last.into());
    }
    Chunk::pack(columns.into())
}

impl WhatIfHead {
    /// Its chunks.
    pub(crate) fn chunks(&mut self) -> impl Iterator<Item = &mut Chunk> {
        let Self { tasks, dependences, waits, launches, parts, .. } = self;
        [tasks, dependences, waits, launches, parts].into_iter()
    }
}
