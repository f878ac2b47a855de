//! Gaps: when an engine did no work, between what, why, what ended it and what it costs (`docs/analysis.md`).

mod bubble;
mod bubbles;
mod by_start;
mod chain;
mod ranked;
mod table;

use bigtpu_measure::DumpModel;
use bigtpu_measure::layers::Layers;
use bigtpu_messages::Message;
use bigtpu_timeline::EngineId;
use serde::{Deserialize, Serialize};

use crate::layer_path::{LayerOfEvent, layer_of};
use bigtpu_replay::DependenceKind;
pub(crate) use bubbles::Bubbles;
pub use table::{ChainLink, EngineGapRows, GapRow, GapTable};

/// What an engine that did no work, and its core, did most of the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// Before its first command.
    Start,
    /// After its last command.
    End,
    /// Most of the time it was in system commands of its own.
    Sync,
    /// Most of the time another engine of its core worked.
    OtherEngine,
    /// Nothing on its core ran, and another kernel launch began after it.
    Launch,
    /// Nothing on its core ran.
    Idle,
}

impl Cause {
    const ALL: [Self; 6] =
        [Self::Start, Self::End, Self::Sync, Self::OtherEngine, Self::Launch, Self::Idle];

    /// In words, in both languages.
    #[must_use]
    pub fn message(self) -> Message {
        Message::new(match self {
            Self::Start => "report-cause-start",
            Self::End => "report-cause-end",
            Self::Sync => "report-cause-sync",
            Self::OtherEngine => "report-cause-other-engine",
            Self::Launch => "report-cause-launch",
            Self::Idle => "report-cause-idle",
        })
    }

    /// Name as printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::End => "end",
            Self::Sync => "sync",
            Self::OtherEngine => "other engine",
            Self::Launch => "launch",
            Self::Idle => "idle",
        }
    }
}

/// A command at the edge of a bubble.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Edge {
    /// Index of the event in its track: `Global Idx` of the register texts.
    pub event: u64,
    /// Function name.
    pub name: String,
    /// Kernel function; empty where it is not known.
    pub kernel: String,
    /// Layer of a static model, as [`bigtpu_measure::layers::Layer::label`] names it; none where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    /// Its number in the model, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer_id: Option<u64>,
}

/// A command that had to end before the one of the link before it could start; before that one could end, if it is a wait.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct GapLink {
    /// Engine.
    pub engine: String,
    /// Core, or port for CDMA.
    pub index: u32,
    /// The command.
    #[serde(flatten)]
    pub command: Edge,
    /// Why it had to be waited for.
    pub why: DependenceKind,
    /// ns from its end to the start of what waited for it; for a wait, to that one's end.
    pub lag_ns: i64,
    /// Whether it computes or moves data.
    pub is_work: bool,
}

/// A time in which an engine did no work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Gap {
    /// Engine.
    pub engine: String,
    /// Core, or port for CDMA.
    pub index: u32,
    /// ns.
    pub start_ns: i64,
    /// ns.
    pub end_ns: i64,
    /// ns of the gap in which the engine was in system commands.
    pub sync_ns: i64,
    /// ns of the rest in which another engine of the core worked.
    pub other_engine_ns: i64,
    /// ns of the rest in which nothing on the core ran.
    pub idle_ns: i64,
    /// ns of it in which no engine of the core worked.
    pub cost_ns: i64,
    /// What it costs the run: ns by which the run would be shorter if the command after it had found all that it needed; of a gap between
    /// launches, if all engines that had it had. Replayed; `null` where that is not known.
    #[serde(default)]
    pub saved_ns: Option<i64>,
    /// What the engine and its core did most of the time.
    pub cause: Cause,
    /// What ended before it.
    pub before: Option<Edge>,
    /// What started after it.
    pub after: Option<Edge>,
    /// What the command after it waited for, nearest first, back to the work that ended the gap; of a gap that was a sync most of the
    /// time, back to the work that the sync waited for. Where the first work is of the same engine and ended before the gap, or there is
    /// none, it is not known what ended it.
    #[serde(default)]
    pub chain: Vec<GapLink>,
    /// Where the last command of the chain is: engine and core; `null` where it is not known what ended the gap.
    pub waited_for: Option<(String, u32)>,
    /// Other engines of the core that worked in it: engine, core, ns.
    #[serde(default)]
    pub elsewhere: Vec<(String, u32, i64)>,
    /// Other engines, with their cores, whose waits ended together with that of this one, or that waited for the same launch: a barrier
    /// is one gap, and so is the time between two launches.
    #[serde(default)]
    pub with: Vec<(String, u32)>,
}

impl Gap {
    /// Length in ns.
    #[must_use]
    pub fn ns(&self) -> i64 {
        self.end_ns - self.start_ns
    }

    /// The command that ended it; `None` where that is not known.
    #[must_use]
    pub fn ended_by(&self) -> Option<&GapLink> {
        let nearest = self.chain.iter().find(|link| link.is_work).or(self.chain.last());
        self.waited_for.as_ref().and(nearest)
    }

    /// With its names.
    fn named(model: &DumpModel<'_>, id: EngineId, row: &GapRow) -> Self {
        let edge = |id: EngineId, event: u32| {
            let event = model.event(model.track(id)?, event as usize)?;
            let kernel = model.tag(event.tag()).kernel;
            Some(Edge {
                event: event.index as u64,
                name: event.kind.function_name.to_string(),
                kernel: kernel.map_or("", |kernel| model.kernel_name(kernel)).to_owned(),
                layer: None,
                layer_id: None,
            })
        };
        let name = |id: EngineId| (id.engine.name().to_owned(), id.index);
        let link = |link: &ChainLink| {
            let (engine, index) = name(link.engine_id);
            let ChainLink { kind: why, lag_ns, is_work, .. } = *link;
            let command = edge(link.engine_id, link.event)?;
            Some(GapLink { engine, index, command, why, lag_ns, is_work })
        };
        let (engine, index) = name(id);
        Self {
            engine,
            index,
            start_ns: row.start,
            end_ns: row.end,
            sync_ns: row.sync_ns,
            other_engine_ns: row.other_engine_ns,
            idle_ns: row.ns() - row.sync_ns - row.other_engine_ns,
            cost_ns: row.cost_ns,
            saved_ns: row.saved_ns,
            cause: row.cause,
            before: row.before.and_then(|event| edge(id, event)),
            after: row.after.and_then(|event| edge(id, event)),
            chain: row.chain.iter().filter_map(link).collect(),
            waited_for: row.waited_for(id).map(|link| name(link.engine_id)),
            elsewhere: row
                .elsewhere
                .iter()
                .map(|(id, ns)| (id.engine.name().to_owned(), id.index, *ns))
                .collect(),
            with: Vec::new(),
        }
    }

    /// Names the layers of its commands.
    fn name_layers(&mut self, layers: &Layers, of_event: &LayerOfEvent) {
        let of_engine = |engine: &str, index: u32| {
            of_event.keys().find(|id| id.engine.name() == engine && id.index == index).copied()
        };
        let name = |engine: &str, index: u32, edge: &mut Edge| {
            let Some(id) = of_engine(engine, index) else { return };
            let event = usize::try_from(edge.event).ok();
            let at = event.and_then(|event| layer_of(of_event, id, event));
            let layer = at.and_then(|at| Some((at, layers.layers.get(at as usize)?)));
            (edge.layer_id, edge.layer) = layer
                .map(|(at, layer)| (u64::from(at) + 1, layer.label(u64::from(at) + 1).to_string()))
                .unzip();
        };
        let Self { engine, index, before, after, chain, .. } = self;
        before.iter_mut().chain(after).for_each(|edge| name(engine, *index, edge));
        for GapLink { engine, index, command, .. } in chain {
            name(engine, *index, command);
        }
    }
}

/// What a cause costs an engine in all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct CauseCost {
    /// Engine.
    pub engine: String,
    /// Core, or port for CDMA.
    pub index: u32,
    /// Why it did no work.
    pub cause: Cause,
    /// Bubbles.
    pub count: u64,
    /// ns of all of them.
    pub total_ns: i64,
    /// ns of the longest.
    pub max_ns: i64,
}

/// The gaps of an engine: the time in which it worked and its gaps together are the length of the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct EngineGaps {
    /// Engine.
    pub engine: String,
    /// Core, or port for CDMA.
    pub index: u32,
    /// ns in which it worked.
    pub busy_ns: i64,
    /// How many gaps it has.
    pub count: u64,
    /// ns of all of them.
    pub total_ns: i64,
    /// In time order: all, or those that the run loses most by and then the longest.
    pub gaps: Vec<Gap>,
    /// How many are not listed.
    pub rest_count: u64,
    /// ns of those.
    pub rest_ns: i64,
}

/// The gaps of all engines.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Gaps {
    /// Gaps that cost most: of the run, then of the core, then the longest. Start and end are left out; engines whose
    /// waits ended together are one.
    pub longest: Vec<Gap>,
    /// Every cause of each engine, in the order of the tracks.
    pub causes: Vec<CauseCost>,
    /// The gaps of each engine one by one.
    #[serde(default)]
    pub engines: Vec<EngineGaps>,
}

/// Gaps that are listed of all engines together.
const MOST_LISTED: usize = 50;

impl Gaps {
    /// Builds the lists from a table, with names.
    pub(crate) fn from_table(model: &DumpModel<'_>, table: &GapTable) -> Self {
        let most = (MOST_LISTED / table.engines.len().max(1)).max(5);
        let engines = table.engines.iter().map(|of| EngineGaps::from_rows(model, of, most));
        Self {
            longest: ranked::ranked(model, table),
            causes: table.causes.clone(),
            engines: engines.collect(),
        }
    }

    /// Names the layers of the commands.
    pub(crate) fn name_layers(&mut self, layers: &Layers, of_event: &LayerOfEvent) {
        let listed = self.engines.iter_mut().flat_map(|of| &mut of.gaps);
        self.longest.iter_mut().chain(listed).for_each(|gap| gap.name_layers(layers, of_event));
    }
}

impl EngineGaps {
    fn from_rows(model: &DumpModel<'_>, of: &EngineGapRows, most: usize) -> Self {
        let EngineGapRows { engine_id, busy_ns, rows, rest } = of;
        let mut listed: Vec<&GapRow> = rows.iter().collect();
        listed.sort_by_key(|row| (-row.saved_ns.unwrap_or(0), -row.ns(), row.start));
        listed.truncate(most);
        listed.sort_by_key(|row| row.start);
        let ns = |rows: &[&GapRow]| rows.iter().map(|row| row.ns()).sum::<i64>();
        let total_ns = ns(&rows.iter().collect::<Vec<_>>()) + rest.1;
        let count = rows.len() as u64 + rest.0;
        Self {
            engine: engine_id.engine.name().to_owned(),
            index: engine_id.index,
            busy_ns: *busy_ns,
            count,
            total_ns,
            rest_count: count - listed.len() as u64,
            rest_ns: total_ns - ns(&listed),
            gaps: listed.into_iter().map(|row| Gap::named(model, *engine_id, row)).collect(),
        }
    }
}

/// Returns the cause of a planted event: a wait waited for the last of its sends, any other event for the one before it
/// on its engine.
#[cfg(test)]
pub(crate) fn planted_cause(
    model: &DumpModel<'_>,
    engine_id: EngineId,
    event: usize,
) -> Option<bigtpu_replay::WaitCause> {
    let end = |(id, at): (EngineId, usize)| Some(model.event(model.track(id)?, at)?.end);
    let sends = model.flows.pairs().filter(|flow| flow.wait == (engine_id, event));
    if let Some((engine_id, event)) = sends.map(|flow| flow.send).max_by_key(|send| end(*send)) {
        let kind = DependenceKind::Message;
        return Some(bigtpu_replay::WaitCause { engine_id, event, kind });
    }
    let own = model.event(model.track(engine_id)?, event)?;
    let is_wait = own.kind.activity == bigtpu_measure::Activity::Wait;
    let before = event.checked_sub(1).filter(|_| !is_wait)?;
    let kind = DependenceKind::EngineOrder;
    Some(bigtpu_replay::WaitCause { engine_id, event: before, kind })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bigtpu_chip::Engine;
    use bigtpu_measure::Times;
    use bigtpu_measure::planted::Planted;

    fn gaps(model: &DumpModel<'_>) -> Gaps {
        let (times, _, bubbles) = Times::with_cells(model, || Bubbles::keeping(99));
        let mut table = GapTable::collect(model, &times, bubbles);
        table.explain(model, |engine_id, event| planted_cause(model, engine_id, event));
        Gaps::from_table(model, &table)
    }

    #[test]
    fn a_planted_bubble_is_found_with_its_cause_and_partner() {
        let mut planted = Planted::default();
        planted.kernel(0, "first", 0, 100);
        planted.work(0, Engine::Tiu, 10, 40);
        let wait = planted.wait(0, Engine::Tiu, 45, 90);
        planted.kernel(0, "second", 90, 400);
        planted.work(0, Engine::Tiu, 95, 100);
        planted.load(0, 100, 170, 1);
        planted.work(0, Engine::Tiu, 200, 210);
        planted.kernel(0, "third", 300, 400);
        planted.work(0, Engine::Tiu, 300, 400);
        planted.work(1, Engine::Gdma, 0, 88);
        let send = planted.send(1, Engine::Gdma, 88, 89);
        planted.flow((1, Engine::Gdma, send), (0, Engine::Tiu, wait));
        let model = planted.model();
        let gaps = gaps(&model);
        let tiu: Vec<_> = gaps.longest.iter().filter(|g| g.engine == "TIU").collect();
        let summary: Vec<_> = tiu
            .iter()
            .map(|g| (g.start_ns, g.end_ns, g.cause, [g.sync_ns, g.other_engine_ns, g.idle_ns]))
            .collect();
        assert_eq!(
            summary,
            [
                (210, 300, Cause::Launch, [0, 0, 90]),
                (40, 95, Cause::Sync, [45, 0, 10]),
                (100, 200, Cause::OtherEngine, [0, 70, 30]),
            ]
        );
        assert_eq!(tiu[2].elsewhere, [("GDMA".to_owned(), 0, 70)]);
        // Nothing but the engine's own last work is known to be before the launch.
        assert_eq!((tiu[0].waited_for.clone(), tiu[0].chain.len()), (None, 1));
        let chain: Vec<_> = tiu[1]
            .chain
            .iter()
            .map(|link| (link.engine.as_str(), link.index, link.lag_ns))
            .collect();
        assert_eq!(chain, [("TIU", 0, 5), ("GDMA", 1, 1), ("GDMA", 1, 0)]);
        assert_eq!(tiu[1].waited_for, Some(("GDMA".into(), 1)));
        let edges = (tiu[0].before.as_ref().unwrap(), tiu[0].after.as_ref().unwrap());
        assert_eq!((edges.0.kernel.as_str(), edges.1.kernel.as_str()), ("second", "third"));
        assert_eq!((edges.0.event, edges.1.event), (3, 4));
    }

    /// Engines that wait for one barrier are one bubble; what costs less than 0.1 % of the run is left out.
    #[test]
    fn a_barrier_is_one_bubble() {
        let mut planted = Planted::default();
        for core in 0..2 {
            planted.work(core, Engine::Tiu, 0, 10_000 + 100 * i64::from(core));
            planted.wait(core, Engine::Tiu, 10_100, 12_000 + i64::from(core));
            planted.work(core, Engine::Tiu, 12_010, 20_000);
            planted.work(core, Engine::Tiu, 20_005, 30_000);
        }
        let model = planted.model();
        let gaps = gaps(&model);
        let [barrier] = &gaps.longest[..] else { panic!("{:?}", gaps.longest) };
        assert_eq!((barrier.index, barrier.cost_ns), (0, 2010));
        assert_eq!(barrier.with, [("TIU".to_owned(), 1)]);
    }

    /// Equal gaps of two cores, and a rarely used engine beside them.
    #[test]
    fn bubbles_rank_by_what_they_cost() {
        let mut planted = Planted::default();
        for core in 0..2 {
            planted.work(core, Engine::Sdma, 0, 10);
            planted.work(core, Engine::Sdma, 980, 1000);
            // All engines of the core are idle for 100 ns.
            planted.work(core, Engine::Tiu, 0, 400);
            planted.work(core, Engine::Tiu, 500, 1000);
        }
        let model = planted.model();
        let gaps = gaps(&model);
        let found: Vec<_> =
            gaps.longest.iter().map(|g| (g.engine.as_str(), g.index, g.ns(), g.cost_ns)).collect();
        // No list is empty or short because of a filter.
        let sdma = [("SDMA", 0, 970, 100), ("SDMA", 1, 970, 100)];
        assert_eq!(found, [&sdma[..], &[("TIU", 0, 100, 100), ("TIU", 1, 100, 100)]].concat());
        let causes: Vec<Cause> = gaps.longest.iter().map(|g| g.cause).collect();
        assert_eq!(causes, [Cause::OtherEngine, Cause::OtherEngine, Cause::Idle, Cause::Idle]);
    }

    /// The longest are kept, whatever comes first, and all are counted.
    #[test]
    fn the_longest_are_kept_and_all_are_counted() {
        let mut planted = Planted::default();
        let mut now = 0;
        for n in 0..500 {
            planted.work(0, Engine::Tiu, now, now + 10);
            now += 10 + n * 7919 % 97;
        }
        let model = planted.model();
        let found = |most: usize| {
            let (times, bubbles) = Times::with_pauses(&model, || Bubbles::keeping(most));
            GapTable::collect(&model, &times, bubbles)
        };
        let all = found(1000);
        let [of] = &all.engines[..] else { panic!("{all:?}") };
        assert_eq!(of.rest, (0, 0));
        for most in [1, 2, 7, 40, 400] {
            let few = found(most);
            let mut longest = of.rows.clone();
            longest.sort_by_key(|row| (-row.ns(), row.start));
            let rest: i64 = longest.drain(most..).map(|row| row.ns()).sum();
            longest.sort_by_key(|row| row.start);
            assert_eq!(few.engines[0].rows, longest, "{most}");
            assert_eq!(few.engines[0].rest, ((of.rows.len() - most) as u64, rest), "{most}");
            assert_eq!(few.causes, all.causes, "{most}");
        }
    }

    #[test]
    fn causes_and_work_fill_the_window() {
        let mut planted = Planted::default();
        for (start, end) in [(5, 9), (7, 20), (30, 30), (40, 41), (60, 61)] {
            planted.work(0, Engine::Sdma, start, end);
        }
        planted.work(1, Engine::Tiu, 0, 100);
        let model = planted.model();
        let gaps = gaps(&model);
        let sdma: Vec<_> = gaps.causes.iter().filter(|c| c.engine == "SDMA").collect();
        let causes: Vec<_> =
            sdma.iter().map(|c| (c.cause, c.count, c.total_ns, c.max_ns)).collect();
        assert_eq!(
            causes,
            [(Cause::Start, 1, 5, 5), (Cause::End, 1, 39, 39), (Cause::Idle, 2, 39, 20)]
        );
        assert_eq!(gaps.longest.len(), 2);
        let [of_sdma] = &gaps.engines[..] else { panic!("{:?}", gaps.engines) };
        let listed: i64 = of_sdma.gaps.iter().map(Gap::ns).sum();
        assert_eq!((of_sdma.busy_ns + of_sdma.total_ns, listed), (100, of_sdma.total_ns));
        assert_eq!(
            (gaps.longest[0].start_ns, gaps.longest[0].before.as_ref().unwrap().event),
            (20, 1)
        );
    }
}
