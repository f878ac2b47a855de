//! Models with known events, for tests of this crate and of those above it.

use bigtpu_chip::{Direction, Engine, Memory, OpCode, TiuCost};
use bigtpu_format::Word;
use bigtpu_timeline::{Binding, EngineId, Events, Tag};

use crate::Activity;
use crate::dependence::Dependence;
use crate::flows::Flows;
use crate::kernels::KernelSlice;
use crate::model::DumpModel;
use crate::reuse::Reuse;
use crate::{Columns, CommandKind, EngineTrack, TransferKind};

#[derive(Default)]
struct Track {
    events: Events,
    columns: Columns,
}

/// A model under construction: two cores, and port 0 of CDMA if it has events. One ns is one cycle.
#[derive(Default)]
pub struct Planted {
    tracks: [[Track; 4]; 2],
    kinds: Vec<CommandKind>,
    tags: Vec<Tag>,
    kernels: Vec<String>,
    launches: Vec<Vec<KernelSlice>>,
    /// Which send released which wait.
    pub flows: Flows,
    /// Loads that read again.
    pub reuse: Reuse,
    tag: Tag,
}

/// A kind of work without a name, data type or cost.
pub fn plain(engine: Engine) -> CommandKind {
    let is_tiu = engine == Engine::Tiu;
    let direction = Direction { from: Memory::Ddr, to: Memory::Lmem };
    let transfer = TransferKind {
        direction,
        sides: direction,
        data_format: None,
        data_type: "INT8",
        counts: 1,
    };
    CommandKind {
        engine,
        binding: Binding::Bits,
        code: Some(OpCode::default()),
        word: Word(0),
        activity: Activity::Work,
        function_type: if is_tiu { "AR" } else { "DMA_tensor" },
        function_name: if is_tiu { "arith.add" } else { "tensorLd" }.into(),
        task: 0,
        function: 0,
        data_type: "INT8".into(),
        shape: String::new(),
        cost: TiuCost::default(),
        transfer: (!is_tiu).then_some(transfer),
        has_dependence: false,
        expected: None,
    }
}

impl Planted {
    /// What follows belongs to a new launch of a kernel.
    pub fn kernel(&mut self, core: u32, name: &str, start: i64, end: i64) -> &mut Self {
        let known = self.kernels.iter().position(|k| k == name);
        let kernel = known.unwrap_or_else(|| {
            self.kernels.push(name.into());
            self.kernels.len() - 1
        }) as u32;
        self.launches.resize(2, Vec::new());
        let scope = self.launches.iter().map(Vec::len).sum::<usize>() as u32;
        self.tag = Tag { kernel: Some(kernel), scope: Some(scope), batch: None, mode: None };
        self.launches[core as usize].push(KernelSlice {
            kernel,
            start,
            end,
            runs_ns: end - start,
            scope: Some(scope),
            batches: Vec::new(),
            modes: Vec::new(),
            events: 1,
            has_missing_commands: false,
        });
        self
    }

    /// Commands of the core's last launch were lost.
    pub fn has_missing_commands(&mut self, core: u32) -> &mut Self {
        if let Some(launch) = self.launches[core as usize].last_mut() {
            launch.has_missing_commands = true;
        }
        self
    }

    /// An event of any kind. Returns its index.
    pub fn add(
        &mut self,
        core: u32,
        kind: CommandKind,
        time: (i64, i64),
        bytes: u64,
        stalls: u32,
    ) -> usize {
        let track = &mut self.tracks[core as usize][kind.engine as usize];
        track.events.start.push(time.0);
        track.events.end.push(time.1);
        track.events.cycles.put(track.columns.kind.len(), time, time.1 - time.0);
        let known = self.kinds.iter().position(|k| *k == kind);
        let number = known.unwrap_or_else(|| {
            self.kinds.push(kind);
            self.kinds.len() - 1
        });
        let known = self.tags.iter().position(|t| *t == self.tag);
        track.events.tag.push(known.unwrap_or_else(|| {
            self.tags.push(self.tag);
            self.tags.len() - 1
        }) as u32);
        let event = track.columns.kind.len();
        track.columns.kind.push(number as u32);
        track.columns.push_counts(bytes, stalls.into());
        event
    }

    /// Work of no particular kind.
    pub fn work(&mut self, core: u32, engine: Engine, start: i64, end: i64) -> usize {
        self.add(core, plain(engine), (start, end), 0, 0)
    }

    /// A load from DDR by the GDMA.
    pub fn load(&mut self, core: u32, start: i64, end: i64, bytes: u64) -> usize {
        self.add(core, plain(Engine::Gdma), (start, end), bytes, 0)
    }

    /// Work of the TIU with known operations: asked for, padded, ideal cycles. The first two make its shape.
    pub fn compute(&mut self, core: u32, time: (i64, i64), ops: (i128, i128, i128)) -> usize {
        let (alg_ops, uarch_ops, alg_cycles) = ops;
        let roof_cycles = Some(alg_cycles);
        let cost = TiuCost { alg_ops, uarch_ops, alg_cycles, roof_cycles, ..TiuCost::default() };
        let shape = format!("{alg_ops}x{uarch_ops}");
        self.add(core, CommandKind { cost, shape, ..plain(Engine::Tiu) }, time, 0, 0)
    }

    /// A wait.
    pub fn wait(&mut self, core: u32, engine: Engine, start: i64, end: i64) -> usize {
        let kind = CommandKind { activity: Activity::Wait, function_type: "sys", ..plain(engine) };
        self.add(core, kind, (start, end), 0, 0)
    }

    /// A send.
    pub fn send(&mut self, core: u32, engine: Engine, start: i64, end: i64) -> usize {
        let kind = CommandKind { activity: Activity::Send, function_type: "sys", ..plain(engine) };
        self.add(core, kind, (start, end), 0, 0)
    }

    /// The field of the dependence of a core's event; those of events that are added later are absent.
    pub fn dependence(&mut self, core: u32, engine: Engine, event: usize, field: u32) {
        let columns = &mut self.tracks[core as usize][engine as usize].columns;
        columns.dependence.resize(columns.kind.len(), Dependence::ABSENT);
        columns.dependence[event] = field;
    }

    /// The send `from` (core, engine, index) released the wait `to`.
    pub fn flow(&mut self, from: (u32, Engine, usize), to: (u32, Engine, usize)) {
        let event = |(index, engine, i)| (EngineId { index, engine }, i);
        self.flows.plant((event(from), event(to)));
    }

    /// What was planted, for answers to look at.
    #[must_use]
    pub fn model(&self) -> DumpModel<'_> {
        let engines = [Engine::Tiu, Engine::Gdma, Engine::Sdma, Engine::Cdma];
        let track = |index: usize, engine: Engine| {
            let track = &self.tracks[index][engine as usize];
            EngineTrack {
                engine_id: EngineId { index: index as u32, engine },
                events: &track.events,
                columns: &track.columns,
                kinds: &self.kinds,
                is_placed: true,
                has_sync_pair: true,
            }
        };
        let cores = (0..2).flat_map(|core| engines[..3].iter().map(move |&e| (core, e)));
        DumpModel {
            tracks: cores.chain([(0, Engine::Cdma)]).map(|(core, e)| track(core, e)).collect(),
            tags: &self.tags,
            kernels: &self.kernels,
            cores: 2,
            shown_cores: vec![0, 1],
            leaves_out_cores: false,
            left_out: crate::LeftOut::default(),
            core_launches: &self.launches,
            port_launches: &[],
            flows: &self.flows,
            reuse: self.reuse,
            tiu_mhz: 1000.0,
            dma_mhz: 1000.0,
            is_complete: true,
        }
    }
}
