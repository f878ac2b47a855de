//! Descriptor streams: the commands of a whole launch, one stream an engine.

use bigtpu_chip::Engine;

use crate::Pauses;
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

/// The streams of every kernel: the same for all cores and launches of it.
#[derive(Debug)]
pub(crate) struct Streams(Vec<[Stream; ENGINES.len()]>);

impl Streams {
    pub(crate) fn new(library: &Library) -> Self {
        let streams = |kernel: usize| {
            let mut streams = Collected::default();
            let launch = Launch {
                library,
                seed: 0,
                core: 0,
                number: kernel as u64,
                start: 0,
                ports: &[],
                factor: 1.0,
                link_factor: 1.0,
                slow_ports: &[],
                is_short: false,
                bubbles: &[],
                pauses: Pauses::ROUND,
            };
            let engines = launch.tiles(&mut streams);
            launch.sync(engines, 0, &mut streams);
            streams.0
        };
        Self((0..KERNELS.len()).map(streams).collect())
    }

    /// The streams of a kernel that hold commands, with their engines.
    pub(crate) fn of_kernel(&self, kernel: usize) -> impl Iterator<Item = (usize, &Stream)> {
        let streams = self.0.get(kernel).into_iter().flatten().enumerate();
        streams.filter(|(_, stream)| stream.commands > 0)
    }
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
