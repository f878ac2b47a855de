//! Descriptor streams: the commands of a whole launch, one stream an engine.

use bigtpu_chip::Engine;

use crate::PlantedPauses;
use crate::kernel::KERNELS;
use crate::launch::{Issue, Launch, Observer};
use crate::library::Library;

/// The descriptors of one engine of a launch.
#[derive(Debug, Default)]
pub(crate) struct Stream {
    pub(crate) commands: u32,
    pub(crate) bits: Vec<u8>,
}

/// Engines that have descriptor streams.
pub(crate) const ENGINES: [Engine; 3] = [Engine::Tiu, Engine::Gdma, Engine::Sdma];

/// The streams of every kernel, with the addresses of core 0: how many commands each stream has is the same for all cores and launches
/// of a kernel.
#[derive(Debug)]
pub(crate) struct Streams(Vec<[Stream; ENGINES.len()]>);

impl Streams {
    pub(crate) fn new(library: &Library) -> Self {
        Self((0..KERNELS.len()).map(|kernel| of_launch(library, 0, kernel as u64)).collect())
    }

    /// The streams of a kernel that hold commands, with their engines.
    pub(crate) fn of_kernel(&self, kernel: usize) -> impl Iterator<Item = (usize, &Stream)> {
        let streams = self.0.get(kernel).into_iter().flatten().enumerate();
        streams.filter(|(_, stream)| stream.commands > 0)
    }
}

/// The streams of a launch on a core, in the order of [`ENGINES`]: each core has its part of the data.
pub(crate) fn of_launch(library: &Library, core: u32, number: u64) -> [Stream; ENGINES.len()] {
    let mut streams = Collected::default();
    let launch = Launch {
        library,
        seed: 0,
        core,
        number,
        start: 0,
        ports: &[],
        factor: 1.0,
        link_factor: 1.0,
        slow_ports: &[],
        is_short: false,
        bubbles: &[],
        pauses: PlantedPauses::ROUND,
    };
    let engines = launch.tiles(&mut streams);
    launch.sync(engines, 0, &mut streams);
    streams.0
}

#[derive(Default)]
struct Collected([Stream; ENGINES.len()]);

impl Observer for Collected {
    fn issue(&mut self, issue: &Issue<'_>) {
        let engine = ENGINES.iter().position(|&e| e == issue.template.step.engine);
        if let Some(stream) = engine.and_then(|at| self.0.get_mut(at)) {
            issue.template.append(issue.address, issue.depends_on, &mut stream.bits);
            stream.commands += 1;
        }
    }
}
