//! The kernels of a dump as the chip writes them.

use bigtpu_chip::Engine;

use crate::Options;
use crate::kernel::{KERNELS, of_launch, system};
use crate::template::Template;

/// The kernels of a dump as the chip writes them.
#[derive(Debug)]
pub(crate) struct Library {
    /// Cores of the run.
    pub(crate) cores: u32,
    /// Tiles of each launch.
    pub(crate) repeat: u32,
    /// Steps of each kernel's even and odd tiles.
    tiles: Vec<[Vec<Template>; 2]>,
    /// Send and wait with which TIU and GDMA end a launch.
    pub(crate) syncs: [(Template, Template); 2],
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

static TIU_SEND: crate::kernel::Step = system(Engine::Tiu, (15, 8), "rvt_msgsend");
static TIU_WAIT: crate::kernel::Step = system(Engine::Tiu, (15, 9), "rvt_msgwait");
static GDMA_SEND: crate::kernel::Step = system(Engine::Gdma, (6, 3), "rvt_dma_msgsend");
static GDMA_WAIT: crate::kernel::Step = system(Engine::Gdma, (6, 4), "rvt_dma_msgwait");
static SDMA_SEND: crate::kernel::Step = system(Engine::Sdma, (6, 3), "rvt_dma_msgsend");
static SDMA_WAIT: crate::kernel::Step = system(Engine::Sdma, (6, 4), "rvt_dma_msgwait");
static TIU_END: crate::kernel::Step = system(Engine::Tiu, (15, 31), "");
static GDMA_END: crate::kernel::Step = system(Engine::Gdma, (6, 0), "");
static SDMA_END: crate::kernel::Step = system(Engine::Sdma, (6, 0), "");
static COPY: crate::kernel::Step = crate::kernel::RUNTIME_COPY;
static CDMA_WAIT: crate::kernel::Step = system(Engine::Cdma, (7, 4), "");
static CDMA_NOP: crate::kernel::Step = system(Engine::Cdma, (7, 1), "");

/// Messages of the launches' syncs, of TIU and GDMA.
const MESSAGES: [u64; 2] = [1, 2];
/// Message of the firmware's own syncs, which pair with nothing.
const OWN_MESSAGE: u64 = 3;

impl Library {
    pub(crate) fn new(options: &Options) -> Self {
        let (chip, style, machine) = (options.chip, options.style, &options.machine);
        // The firmware's own commands never come from the RISC-V front end.
        let own = |step| Template::of(chip, machine, crate::Style::Op, step, false);
        let said = |mut template: Template, message, partners| {
            template.say(chip, message, partners);
            template
        };
        let cores = options.active().len() as u64;
        let sync = |message: u64, step| {
            said(Template::of(chip, machine, style, step, false), message, cores)
        };
        let [tiu, gdma] = MESSAGES;
        let tile = |kernel: &'static crate::kernel::Kernel, odd| {
            let steps = kernel.tile.iter();
            let steps = steps.filter(|s| s.engine != Engine::Cdma || options.ports > 0);
            let steps = steps.filter(|s| s.engine != Engine::Sdma || options.writer.has_sdma());
            steps.map(|step| Template::of(chip, machine, style, step, odd)).collect()
        };
        let tiu_pair = || [&TIU_SEND, &TIU_WAIT].map(|step| said(own(step), OWN_MESSAGE, 1));
        Self {
            cores: options.cores,
            repeat: options.repeat,
            tiles: KERNELS.iter().map(|k| [tile(k, false), tile(k, true)]).collect(),
            syncs: [
                (sync(tiu, &TIU_SEND), sync(tiu, &TIU_WAIT)),
                (sync(gdma, &GDMA_SEND), sync(gdma, &GDMA_WAIT)),
            ],
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

    /// Steps of a launch's even or odd tiles.
    pub(crate) fn tile(&self, launch: u64, odd: bool) -> &[Template] {
        let tiles = self.tiles.get(of_launch(launch));
        tiles.and_then(|tiles| tiles.get(usize::from(odd))).map_or(&[], Vec::as_slice)
    }
}
