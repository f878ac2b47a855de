//! What a CDMA port's file holds: its records.

use bigtpu_chip::Engine;

use crate::clock::Clock;
use crate::core::anchor_start;
use crate::kernel::KERNELS;
use crate::launch::{Issue, Observer};
use crate::monitor::Monitor;
use crate::output::{Part, Sink};
use crate::plan::Plan;
use crate::record;
use crate::session::Session;

/// A port of a session.
pub(crate) struct Port<'a> {
    pub(crate) session: &'a Session<'a>,
    pub(crate) port: u8,
    /// The core that submits to it.
    pub(crate) core: u32,
    pub(crate) clock: Clock,
}

impl Port<'_> {
    /// Puts the port's records into the sink.
    pub(crate) fn run(&self, plan: &Plan, sink: &mut impl Sink) {
        let options = self.session.options;
        let monitor = Monitor::new(options, Part::Cdma, self.port.into());
        let mut file = PortFile { port: self, sink, monitor, is_own: true };
        if !options.is_static() {
            let start = anchor_start(self.port);
            let mut end = 0;
            for (template, id) in self.session.library.port_pair.iter().zip(OWN_ID..) {
                let (start, depends_on, address, noise) = (start.max(end), 0, 0, 0);
                end = start + template.least_ps;
                let port = self.port;
                file.issue(&Issue { template, port, id, depends_on, address, start, end, noise });
            }
        }
        file.is_own = false;
        for (span, number) in plan.spans().zip(0..) {
            let kernel = KERNELS.get(self.session.library.kernel_of(number));
            let uses_ports = |kernel: &&crate::kernel::Kernel| {
                kernel.tile.iter().any(|step| step.engine == Engine::Cdma)
            };
            if kernel.filter(uses_ports).is_some() {
                self.session.launch(self.core, number, span.start).tiles(&mut file);
                file.monitor.settle(file.sink);
            }
        }
    }
}

/// First id of the firmware's own commands on a port: any but 1, with which launches start.
const OWN_ID: u32 = 300;

struct PortFile<'a, S> {
    port: &'a Port<'a>,
    sink: &'a mut S,
    monitor: Monitor,
    is_own: bool,
}

impl<S: Sink> Observer for PortFile<'_, S> {
    fn issue(&mut self, issue: &Issue<'_>) {
        if issue.template.step.engine != Engine::Cdma || issue.port != self.port.port {
            return;
        }
        let chip = self.port.session.options.chip;
        let (clock, length) = (&self.port.clock, record::length(chip, Engine::Cdma));
        let fill = |to: &mut Vec<u8>| record::append(chip, clock, issue, to);
        self.monitor.record(self.is_own, length, fill, self.sink);
    }
}
