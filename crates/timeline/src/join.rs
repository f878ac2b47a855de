//! A core's records joined to its commands (section 6).

use std::ops::Range;

use bigtpu_chip::Chip;
use bigtpu_messages::{Arg, message};
use foldhash::HashSet;
use rayon::prelude::*;

use crate::binding::{Binding, BindingCounts};
use crate::by_ids::{self, Break, Unsettled};
use crate::clock_turns::{Placed, place};
use crate::core_engines::CORE_ENGINES;
use crate::core_engines::Decoded;
use crate::division::Undecided;
use crate::edges::Ends;
use crate::engine_clocks::{OffsetBounds, is_one_epoch};
use crate::incomplete::{Incomplete, doubtful_tags, missing_tags};
use crate::launch_spans::launch_spans;
use crate::ledger::{Counts, Notes};
use crate::monitor::Clean;
use crate::nodes::{Node, NodeKind};
use crate::pair::{Context, Sections, pair_nodes, unbound};
use crate::quality::Quality;
use crate::runtime::{RuntimeRecord, take_runtime};
use crate::source::CoreSource;
use crate::static_model::{StaticStream, pair_static, pair_static_by_id};
use crate::streams::Cache;
use crate::tags::TagTable;
use crate::wide_events::WideEvents;

/// Records at the ends of a list that are dropped before it is paired.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Dropped {
    pub(crate) all: Ends,
    /// Records among these that are the system records of a barrier around the session.
    pub(crate) barriers: Ends,
}

/// The joined cores, by number.
pub(crate) type Cores<'d> = Vec<(u32, JoinedCore<'d>)>;

/// A joined core.
pub(crate) struct JoinedCore<'d> {
    /// Its number.
    pub(crate) index: u32,
    pub(crate) monitors: [Clean<'d>; 3],
    pub(crate) counts: [Counts; 3],
    pub(crate) tags: TagTable,
    /// Launches with missing commands.
    pub(crate) incomplete: Incomplete,
    pub(crate) notes: Notes,
    pub(crate) is_static: bool,
    /// Strays that the chip's firmware leaves at each end of the TIU's records.
    pub(crate) strays: usize,
    /// ns; what aligns this core with the others.
    pub(crate) sync_point: Option<i64>,
    /// The ends of the SDMA sends that pair with CDMA ports, by position among the ports.
    pub(crate) anchors: Vec<i64>,
    /// What CDMA pairing needs: the commands by port, and the cached streams.
    pub(crate) cdma_nodes: Vec<Vec<Node>>,
    pub(crate) cache: Cache<'d>,
    /// The runtime's own work around a static model, left out of the engines' events.
    pub(crate) runtime: Vec<RuntimeRecord>,
    /// The file holds a static model's commands.
    pub(crate) has_model: bool,
    /// The core was dispatched streams.
    pub(crate) has_streams: bool,
    /// Commands that were launched, by engine: a static model's again for each launch.
    launched: [u64; 3],
    /// Whether places of damage among an engine's records were told, by engine.
    pub(crate) has_told_places: [bool; 3],
    /// Commands in the static model's streams.
    pub(crate) decoded: Decoded,
    /// What is not known of a model and the kernels among its launches.
    pub(crate) undecided: Option<Undecided>,
}

impl<'d> CoreSource<'d> {
    /// Joins a core. `anchored_ports`: how many CDMA ports take their time from this core's SDMA. `file`: the bytes
    /// that commands are in; `mhz`: clocks of TIU and DMA.
    pub(crate) fn join(
        self,
        chip: &'static Chip,
        file: &[u8],
        is_static: bool,
        anchored_ports: usize,
        mhz: (f64, f64),
    ) -> JoinedCore<'d> {
        let sync_point = first_sync_point(chip, is_static, &self.monitors[0].events);
        let Self {
            index,
            mut monitors,
            mut counts,
            mut nodes,
            cache,
            doubtful,
            des,
            decoded,
            notes,
        } = self;
        let mut node_lists = [&mut nodes.tiu, &mut nodes.gdma, &mut nodes.sdma].map(std::mem::take);
        let cdma_nodes = std::mem::take(&mut nodes.cdma);
        for engine in 0..3 {
            let drop = chip.preamble.min(monitors[engine].events.len());
            counts[engine].preamble += drop as u64;
            monitors[engine].events.drop_front(drop);
            let drop = chip.preamble.min(node_lists[engine].len());
            node_lists[engine].drain(..drop);
        }
        let mut core = JoinedCore {
            index,
            monitors,
            counts,
            tags: nodes.tags,
            incomplete: Incomplete::default(),
            notes,
            is_static,
            strays: chip.edge_trim,
            sync_point,
            anchors: Vec::new(),
            cdma_nodes,
            cache,
            runtime: Vec::new(),
            has_model: false,
            has_streams: nodes.has_streams,
            launched: [0; 3],
            has_told_places: [false; 3],
            decoded,
            undecided: None,
        };
        if is_static {
            core.join_static(chip, &node_lists, &des, file, mhz);
        } else {
            core.take_anchors(&mut node_lists[2], anchored_ports);
            core.join_dynamic(chip, &node_lists, mhz);
            core.place_clocks(chip, mhz);
        }
        core.compare_transfers(chip, file);
        core.tell_faults();
        core.mark_launches(&doubtful, Quality::Doubtful);
        for (engine, nodes) in node_lists.iter().enumerate() {
            core.count_commands(chip, engine, nodes);
        }
        if let Some(message) = core.incomplete.message(&core.tags.tags) {
            core.notes.warn(None, message);
        }
        core
    }
}

/// AKS, AKSV: the end of the preamble's last TIU record. BM1688: of the last TIU record (dynamic)
/// or the first (static). CV84X6, dynamic: of the second; its static runs are found after joining.
fn first_sync_point(chip: &Chip, is_static: bool, tiu: &WideEvents) -> Option<i64> {
    let last = tiu.len().checked_sub(1)?;
    let place = if chip.align_on_second {
        if is_static {
            return None;
        }
        last.min(1)
    } else if chip.preamble > 0 {
        last.min(chip.preamble - 1)
    } else if is_static {
        0
    } else {
        last
    };
    tiu.end.get(place).copied()
}

impl JoinedCore<'_> {
    /// The SDMA's next records are the sends that pair with each CDMA port's first record.
    fn take_anchors(&mut self, sdma_nodes: &mut Vec<Node>, ports: usize) {
        let sdma = &mut self.monitors[2].events;
        let taken = ports.min(sdma.len());
        self.anchors = sdma.end[..taken].to_vec();
        sdma.drop_front(taken);
        self.counts[2].preamble += taken as u64;
        sdma_nodes.drain(..taken.min(sdma_nodes.len()));
        if taken < ports {
            self.notes.warn(None, message!("note-unaligned-ports", sends = taken, ports = ports));
        }
    }

    fn join_dynamic(&mut self, chip: &Chip, nodes: &[Vec<Node>; 3], mhz: (f64, f64)) {
        let (dropped, inside) = self.trim_tiu(chip, &nodes[0]);
        let ranges = [0, 1, 2].map(|engine| match engine {
            0 => inside.clone(),
            _ => 0..self.monitors[engine].events.len(),
        });
        let paired: Vec<Paired> = if self.has_streams {
            let engines = nodes.iter().enumerate().zip(ranges);
            let pair = |((engine, nodes), range): ((usize, &Vec<Node>), Range<usize>)| {
                self.label(chip, engine, nodes.is_empty());
                self.pair(chip, engine, range, nodes)
            };
            engines.map(pair).collect()
        } else {
            // No engine asks for what another one walked.
            let engines = self.monitors.par_iter_mut().enumerate().zip(nodes).zip(ranges);
            engines
                .map(|(((engine, clean), nodes), range)| {
                    clean.label(chip, CORE_ENGINES[engine], nodes.is_empty());
                    let mut context = Context { chip, engine: CORE_ENGINES[engine], streams: None };
                    pair_range(&mut context, &mut clean.events, range, nodes, true)
                })
                .collect()
        };
        // What is open is decided by the times of other engines: on the turns where the launches that are paired put them.
        let [tiu_ns, dma_ns] = match paired.iter().any(|paired| paired.unsettled.is_some()) {
            true => self.placed_clocks(chip, mhz).map_or([0, 0], |at| [at.tiu_ns, at.dma_ns]),
            false => [0, 0],
        };
        self.shift_clocks(tiu_ns, dma_ns);
        self.settle(chip, nodes, paired);
        self.shift_clocks(-tiu_ns, -dma_ns);
        if !nodes[0].is_empty() {
            self.drop_unbound(0, dropped);
        }
    }

    fn join_static(
        &mut self,
        chip: &'static Chip,
        nodes: &[Vec<Node>; 3],
        des: &[StaticStream; 3],
        file: &[u8],
        mhz: (f64, f64),
    ) {
        let tiu = &mut self.monitors[0].events;
        let front = chip.edge_trim.min(tiu.len());
        let strays = Ends { front, back: chip.edge_trim.min(tiu.len() - front) };
        tiu.cut(strays);
        self.counts[0].trimmed += strays.total();
        let mut bound = [0; 3];
        let mut breaks: [Vec<Break>; 3] = Default::default();
        let division = self.divide(chip, nodes, des, file);
        for (engine, (des, nodes)) in des.iter().zip(nodes).enumerate() {
            if des.is_empty() && nodes.is_empty() {
                continue;
            }
            self.label(chip, engine, false);
            if let Some(division) = &division {
                let mut model = self.bind_division(chip, engine, division, (des, nodes));
                breaks[engine] = std::mem::take(&mut model.breaks);
                (bound[engine], self.launched[engine]) = (model.bound, model.commands);
                continue;
            }
            if !des.is_empty() {
                let events = &mut self.monitors[engine].events;
                let mut model = pair_static(events, des, file);
                if model.bound == 0 && chip.pair_by_id {
                    model = pair_static_by_id(events, des);
                }
                breaks[engine] = std::mem::take(&mut model.breaks);
                (bound[engine], self.launched[engine]) = (model.bound, model.commands);
            }
            if !nodes.is_empty() {
                let all = 0..self.monitors[engine].events.len();
                let paired = self.pair(chip, engine, all, nodes);
                self.incomplete.add(engine, paired.doubtful);
            }
        }
        for (engine, breaks) in breaks.iter().enumerate() {
            self.tell_breaks(engine, breaks);
        }
        if division.is_none() {
            self.doubt_undivided(nodes, des);
        }
        self.place_clocks(chip, mhz);
        self.align_engines(chip, file);
        let is_model = std::array::from_fn(|engine| bound[engine] > 0 && nodes[engine].is_empty());
        self.has_model = des.iter().any(|des| !des.is_empty());
        self.runtime = take_runtime(chip, &mut self.monitors, is_model);
        for record in &self.runtime {
            self.counts[record.engine].runtime += 1;
        }
        for engine in 0..3 {
            if is_model[engine] {
                let all = if engine == 0 { strays } else { Ends::default() };
                self.drop_unbound(engine, Dropped { all, ..Dropped::default() });
            } else if nodes[engine].is_empty()
                && !des[engine].is_empty()
                && !self.monitors[engine].events.is_empty()
            {
                let name = CORE_ENGINES[engine].name();
                self.notes.warn(None, message!("note-no-match", engine = name));
            }
        }
        if chip.align_on_second {
            self.sync_point = self.monitors[0].events.end.get(1).copied();
        }
    }

    /// The turns of their counters on which TIU and DMA are, where these have different rates.
    fn placed_clocks(&self, chip: &Chip, mhz: (f64, f64)) -> Option<Placed> {
        let are_apart = mhz.0 != mhz.1 && chip.engines_share_origin();
        are_apart.then(|| place(mhz, &launch_spans(&self.monitors, &self.tags.tags)))
    }

    fn shift_clocks(&mut self, tiu_ns: i64, dma_ns: i64) {
        let [tiu, dma @ ..] = &mut self.monitors;
        tiu.events.shift(tiu_ns);
        dma.iter_mut().for_each(|clean| clean.events.shift(dma_ns));
    }

    /// Puts TIU and DMA on the turns of their counters where these have different rates.
    fn place_clocks(&mut self, chip: &Chip, mhz: (f64, f64)) {
        let Some(placed) = self.placed_clocks(chip, mhz) else { return };
        self.shift_clocks(placed.tiu_ns, placed.dma_ns);
        self.anchors.iter_mut().for_each(|end| *end += placed.dma_ns);
        // Cores are aligned by a record of the TIU.
        self.sync_point = self.sync_point.map(|at| at + placed.tiu_ns);
        if let Some(doubt) = placed.doubt {
            self.notes.loss_anywhere(None, doubt.message());
        }
    }

    /// Puts TIU and GDMA on one time line where their counters start apart: by the chip, or by what the dependences say.
    fn align_engines(&mut self, chip: &Chip, file: &[u8]) {
        let [tiu, gdma, _] = &mut self.monitors;
        if tiu.events.is_empty() || gdma.events.is_empty() {
            return;
        }
        let share_origin = chip.engines_share_origin();
        if share_origin && !(is_one_epoch(&tiu.events) && is_one_epoch(&gdma.events)) {
            return;
        }
        let bounds = OffsetBounds::compute(chip, [&tiu.events, &gdma.events], file);
        if share_origin && !bounds.is_apart() {
            return;
        }
        match (bounds.offset(), bounds.message(self.index)) {
            (Some(offset), Some(message)) => {
                tiu.events.shift(offset);
                // Cores are aligned by a record of the TIU.
                self.sync_point = self.sync_point.map(|at| at + offset);
                self.notes.note(message);
            }
            _ => self.notes.warn(
                None,
                message!("note-engines-unknown", core = Arg::Number(self.index.into())),
            ),
        }
    }

    /// Moves the runtime's own work by `ns`.
    pub(crate) fn shift_runtime(&mut self, ns: i64) {
        for record in &mut self.runtime {
            (record.start, record.end) = (record.start + ns, record.end + ns);
        }
    }

    fn label(&mut self, chip: &Chip, engine: usize, puts_right: bool) {
        self.monitors[engine].label(chip, CORE_ENGINES[engine], puts_right);
    }

    /// Pairs an engine's records of a range with commands.
    fn pair(&mut self, chip: &Chip, engine: usize, range: Range<usize>, nodes: &[Node]) -> Paired {
        let events = &mut self.monitors[engine].events;
        let streams = (!self.is_static).then_some((&mut self.cache, &mut self.notes));
        let mut context = Context { chip, engine: CORE_ENGINES[engine], streams };
        pair_range(&mut context, events, range, nodes, !self.is_static)
    }

    fn count_commands(&mut self, chip: &Chip, engine: usize, nodes: &[Node]) {
        let dispatched: u64 = nodes
            .iter()
            .map(|n| match n.kind {
                NodeKind::Stream { count, .. } => u64::from(count),
                _ => 1,
            })
            .sum();
        let commands = dispatched + self.launched[engine];
        let events = &self.monitors[engine].events;
        let bindings = BindingCounts::from_bindings(&events.binding);
        let unseen = commands.saturating_sub(bindings.count(Binding::is_bound));
        let unbound = bindings.count(|binding| binding == Binding::None);
        let name = CORE_ENGINES[engine].name();
        let counts = &mut self.counts[engine];
        (counts.commands, counts.unseen) = (commands, unseen);
        if unseen > 0 && unbound == 0 && engine == 0 && chip.drops_short_records() {
            self.notes.note(message!(
                "note-short-commands",
                unseen = unseen,
                commands = commands,
                chip = chip.name,
            ));
        } else if unseen > 0 {
            counts.lost = counts.lost.max(unseen).max(unbound);
            if !self.is_static {
                self.incomplete.add(engine, missing_tags(nodes, events));
            }
            let message = match unbound {
                0 => {
                    message!("note-unseen", unseen = unseen, commands = commands, engine = name)
                }
                _ => message!(
                    "note-unseen-and-unbound",
                    unseen = unseen,
                    commands = commands,
                    engine = name,
                    unbound = unbound,
                ),
            };
            self.notes.loss_anywhere(None, message);
        } else if unbound > 0 && commands > 0 {
            counts.lost = counts.lost.max(unbound);
            let records = events.len();
            let message =
                message!("note-unbound", unbound = unbound, records = records, engine = name);
            self.notes.loss_anywhere(None, message);
        }
    }
}

/// What the first pass of pairing left open.
pub(crate) struct Paired {
    /// Tags whose records may be those of another launch.
    pub(crate) doubtful: HashSet<u32>,
    pub(crate) unsettled: Option<Unsettled>,
}

/// Pairs an engine's records of a range with commands by the lengths of their sections. `looks_for_doubts`: what this
/// leaves open is asked for.
fn pair_range(
    context: &mut Context<'_, '_>,
    events: &mut WideEvents,
    range: Range<usize>,
    nodes: &[Node],
    looks_for_doubts: bool,
) -> Paired {
    let free = unbound(events, range);
    let sections = Sections::divide(&events.id, &free, nodes);
    let mut paired = Paired { doubtful: HashSet::default(), unsettled: None };
    let mut stretches = Vec::new();
    if looks_for_doubts {
        paired.doubtful = doubtful_tags(&sections.records, &sections.commands, nodes);
        stretches = by_ids::stretches(&sections, nodes, |k| Some(*events.id.get(*free.get(k)?)?));
    }
    let before = match stretches.is_empty() {
        true => Vec::new(),
        false => free.iter().map(|&i| events.binding[i]).collect(),
    };
    pair_nodes(context, events, &free, nodes, &sections);
    if !stretches.is_empty() {
        paired.unsettled = Some(Unsettled { free, sections, before, stretches });
    }
    paired
}
