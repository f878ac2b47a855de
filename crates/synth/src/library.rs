//! The kernels of a dump as the chip writes them.

use bigtpu_chip::{Engine, Memory};

use crate::kernel::{
    CONSTANTS, DENSE, DEPTHWISE, KERNELS, Kernel, MIXING, Step, WEIGHTS, of_launch, spill, system,
    weights_of_all,
};
use crate::template::Template;
use crate::{Options, Plant};

/// The kernels of a dump as the chip writes them.
#[derive(Debug)]
pub(crate) struct Library {
    /// Cores of the run.
    pub(crate) cores: u32,
    /// Tiles of each launch.
    pub(crate) repeat: u32,
    /// Number of the kernel that every launch runs; without, all in turn.
    kernel: Option<usize>,
    /// Steps of each kernel's even and odd tiles.
    tiles: Vec<[Vec<Template>; 2]>,
    /// Steps of each kernel's first tile, where they are others.
    first_tiles: Vec<Vec<Template>>,
    /// Loads of constants that each tile begins with.
    pub(crate) constants: Vec<Template>,
    /// The load of weights of all cores that each tile begins with, where that is planted.
    pub(crate) shared: Option<Template>,
    /// The loads of a tile are dispatched before the rest of the tile before it.
    is_pipelined: bool,
    /// How many of 100 tiles are serialized.
    serialized_percent: u32,
    /// Send and wait with which TIU and GDMA end a launch.
    pub(crate) syncs: Vec<(Template, Template)>,
    /// What a launch starts with: a static model's TIU marks the moment by which cores are aligned.
    pub(crate) opening: Vec<Template>,
    /// Send and wait of the TIU outside of launches.
    pub(crate) tiu_pair: [Template; 2],
    /// Send of GDMA and SDMA outside of launches.
    pub(crate) dma_sends: [Template; 2],
    /// Send and wait with which all cores meet before a runtime's first launch.
    pub(crate) barrier: [[Template; 2]; 3],
    /// The end commands of a static model's groups, where the runtime's groups have any.
    pub(crate) ends: Vec<Template>,
    /// A copy of a model's input or output.
    pub(crate) copy: Template,
    /// The preamble of a CDMA port.
    pub(crate) port_pair: [Template; 2],
}

static TIU_SEND: Step = system(Engine::Tiu, (15, 8), "rvt_msgsend");
static TIU_WAIT: Step = system(Engine::Tiu, (15, 9), "rvt_msgwait");
static GDMA_SEND: Step = system(Engine::Gdma, (6, 3), "rvt_dma_msgsend");
static GDMA_WAIT: Step = system(Engine::Gdma, (6, 4), "rvt_dma_msgwait");
static SDMA_SEND: Step = system(Engine::Sdma, (6, 3), "rvt_dma_msgsend");
static SDMA_WAIT: Step = system(Engine::Sdma, (6, 4), "rvt_dma_msgwait");
static TIU_END: Step = system(Engine::Tiu, (15, 31), "");
static GDMA_END: Step = system(Engine::Gdma, (6, 0), "");
static SDMA_END: Step = system(Engine::Sdma, (6, 0), "");
static COPY: Step = crate::kernel::RUNTIME_COPY;
static CDMA_WAIT: Step = system(Engine::Cdma, (7, 4), "");
static CDMA_NOP: Step = system(Engine::Cdma, (7, 1), "");

/// Messages of the launches' syncs, of TIU and GDMA.
const MESSAGES: [u64; 2] = [1, 2];
/// Message of the firmware's own syncs, which pair with nothing.
const OWN_MESSAGE: u64 = 3;

impl Library {
    pub(crate) fn new(options: &Options) -> Self {
        let (chip, style, machine) = (options.chip, options.style, &options.machine);
        // The firmware's own commands never come from the RISC-V front end.
        let own = |step| Template::encode(chip, machine, crate::Style::Op, step, false);
        let said = |mut template: Template, message, partners| {
            template.say(chip, message, partners);
            template
        };
        let cores = options.active().len() as u64;
        let sync = |message: u64, step| {
            said(Template::encode(chip, machine, style, step, false), message, cores)
        };
        let [tiu, gdma] = MESSAGES;
        let tiles = |weights| {
            let tile = move |kernel, odd| tile(options, kernel, odd, weights);
            KERNELS.iter().map(move |kernel| [tile(kernel, false), tile(kernel, true)])
        };
        let weights = Plant::weights(&options.plants);
        let first = weights.filter(|&memory| memory != Memory::Ddr);
        let first = first.into_iter().flat_map(|_| tiles(Some(Memory::Ddr)).map(|[even, _]| even));
        let constants = Plant::small_transfers(&options.plants);
        let tiu_pair = || [&TIU_SEND, &TIU_WAIT].map(|step| said(own(step), OWN_MESSAGE, 1));
        Self {
            cores: options.cores,
            repeat: options.tiles(),
            kernel: options.kernel,
            tiles: tiles(weights).collect(),
            first_tiles: first.collect(),
            constants: (0..constants)
                .map(|_| Template::encode(chip, machine, style, &CONSTANTS, false))
                .collect(),
            shared: Plant::shared_loads(&options.plants).map(|(shape, memory)| {
                let step = weights_of_all(shape, memory);
                let mut template = Template::encode(chip, machine, style, &step, false);
                template.is_of_all_cores = true;
                template
            }),
            is_pipelined: options.is_pipelined,
            serialized_percent: Plant::serialized_percent(&options.plants),
            syncs: if options.is_unsynced {
                Vec::new()
            } else {
                vec![
                    (sync(tiu, &TIU_SEND), sync(tiu, &TIU_WAIT)),
                    (sync(gdma, &GDMA_SEND), sync(gdma, &GDMA_WAIT)),
                ]
            },
            opening: if options.is_static() { tiu_pair().into() } else { Vec::new() },
            tiu_pair: tiu_pair(),
            dma_sends: [&GDMA_SEND, &SDMA_SEND].map(own),
            barrier: [[&GDMA_SEND, &GDMA_WAIT], [&SDMA_SEND, &SDMA_WAIT], [&TIU_SEND, &TIU_WAIT]]
                .map(|pair| pair.map(|step| said(own(step), OWN_MESSAGE, 3 * cores))),
            ends: if options.has_groups() {
                [&TIU_END, &GDMA_END, &SDMA_END].map(own).into()
            } else {
                Vec::new()
            },
            copy: own(&COPY),
            port_pair: [&CDMA_WAIT, &CDMA_NOP].map(own),
        }
    }

    /// The steps of a launch in the order of their dispatch, with the number of their tile and whether they begin it.
    pub(crate) fn parts(&self, launch: u64) -> impl Iterator<Item = (u32, bool, &[Template])> {
        let halves = move |number: u32| {
            let tile = self.tile(launch, number);
            let loads = tile.iter().take_while(|template| template.step.is_load()).count();
            tile.split_at(if self.is_pipelined { loads } else { tile.len() })
        };
        (0..=self.repeat).flat_map(move |number| {
            let begun = (number < self.repeat).then(|| (number, true, halves(number).0));
            let ended = number.checked_sub(1).map(|before| (before, false, halves(before).1));
            [begun, ended].into_iter().flatten()
        })
    }

    /// Number of a launch's kernel.
    pub(crate) fn kernel_of(&self, launch: u64) -> usize {
        self.kernel.unwrap_or_else(|| of_launch(launch))
    }

    fn tile(&self, launch: u64, number: u32) -> &[Template] {
        let kernel = self.kernel_of(launch);
        if let Some(first) = self.first_tiles.get(kernel).filter(|_| number == 0) {
            return first;
        }
        let tiles = self.tiles.get(kernel);
        let odd = usize::from(number % 2 == 1);
        tiles.and_then(|tiles| tiles.get(odd)).map_or(&[], Vec::as_slice)
    }

    /// Whether TIU and GDMA take turns in a tile.
    pub(crate) fn is_serialized(&self, tile: u32) -> bool {
        u64::from(tile) * 100 < u64::from(self.serialized_percent) * u64::from(self.repeat)
    }
}

/// What faults make of a step, and which of the steps are there by a fault only.
fn planted_steps(plants: &[Plant], step: &Step, odd: bool) -> Vec<(Step, bool)> {
    if let Some(is_dense) = Plant::depthwise(plants, odd).filter(|_| step.is_convolution()) {
        return [if is_dense { DENSE } else { DEPTHWISE }, MIXING].map(|step| (step, false)).into();
    }
    let spilled = Plant::spilled(plants).filter(|_| step.is_store());
    let spilled = spilled.and_then(|shape| spill(step.reads, shape));
    let spilled = spilled.into_iter().flatten().map(|step| (step, true));
    spilled.chain([(*step, false)]).collect()
}

/// A kernel's tile as the chip writes it; products load their weights from `weights`, if that is planted.
fn tile(options: &Options, kernel: &Kernel, odd: bool, weights: Option<Memory>) -> Vec<Template> {
    let Options { chip, style, machine, plants, .. } = options;
    let is_product = kernel.name.starts_with("matmul");
    let steps = kernel.tile.iter();
    let steps = steps.filter(|s| s.engine != Engine::Cdma || options.ports > 0);
    let steps = steps.filter(|s| s.engine != Engine::Sdma || options.writer.has_sdma());
    let steps = steps.flat_map(|step| planted_steps(plants, step, odd));
    let template = |(step, is_planted): (Step, bool)| {
        let unaligned = Plant::unaligned(plants, &step);
        let loads_weights = is_product && step.is_load() && step.writes == Some(WEIGHTS);
        let shared = weights.filter(|_| loads_weights);
        let step = Step {
            sides: shared.map_or(step.sides, |memory| (memory, step.sides.1)),
            ..unaligned.unwrap_or(step)
        };
        let mut template = Template::encode(chip, machine, *style, &step, odd);
        (template.is_shared, template.is_planted) = (shared.is_some(), is_planted);
        if unaligned.is_some() {
            template.take_padded_time(chip, machine);
        }
        if step.engine == Engine::Tiu {
            template.lose(Plant::bank_conflicts(plants), chip, machine);
        }
        template
    };
    steps.map(template).collect()
}
