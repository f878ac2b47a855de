//! The smallest lags seen in a run: what dependences keep that did not decide when a task started.

use bigtpu_chip::Engine;

use crate::dependence::{DependenceKind, Edge};
use crate::input::Input;
use crate::pauses::{LONGEST_PAUSE_NS, Pauses};

/// The smallest lags seen, in ns. Where the smallest one is longer than any pause of the hardware, something else was waited for,
/// and the hardware's own pause takes its place.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Floors {
    order: [Least; 4],
    /// A wait whose message is already there.
    wait: [Least; 4],
    command: Least,
    message: Least,
    hand_over: Least,
    pauses: Pauses,
}

/// The smallest of some times, not below 0.
#[derive(Debug, Clone, Copy, Default)]
struct Least(Option<i64>);

impl Least {
    fn add(&mut self, ns: i64) {
        let ns = ns.max(0);
        self.0 = Some(self.0.map_or(ns, |least| least.min(ns)));
    }

    fn ns(self) -> i64 {
        self.0.unwrap_or(0)
    }

    /// The smallest time, if it can be a pause of the hardware; else `pause`.
    fn or_pause(self, pause: i64) -> i64 {
        self.0.filter(|ns| *ns <= LONGEST_PAUSE_NS).unwrap_or(pause)
    }
}

impl Floors {
    /// With the pauses of a chip for what the run does not show.
    pub(crate) fn with(self, pauses: Pauses) -> Self {
        Self { pauses, ..self }
    }

    /// Smallest lag of engine order on an engine, in ns.
    pub(crate) fn order(&self, engine: Engine) -> i64 {
        self.order[engine as usize].or_pause(self.pauses.of_engine(engine))
    }

    /// Smallest time of a wait whose message is already there, in ns.
    pub(crate) fn wait(&self, engine: Engine) -> i64 {
        self.wait[engine as usize].ns()
    }

    /// From the last send to the end of a wait for it.
    pub(crate) fn message(&self) -> i64 {
        self.message.ns()
    }

    pub(crate) fn of_kind(&self, kind: DependenceKind, engine: Engine) -> i64 {
        match kind {
            DependenceKind::EngineOrder => self.order(engine),
            DependenceKind::Command => self.command.or_pause(self.pauses.hand_over),
            DependenceKind::Message | DependenceKind::Barrier => self.message(),
            DependenceKind::HandOver => self.hand_over.or_pause(self.pauses.hand_over),
            DependenceKind::Origin
            | DependenceKind::Gather
            | DependenceKind::Launch
            | DependenceKind::LaunchGroup => 0,
        }
    }

    pub(crate) fn add_order(&mut self, engine: Engine, ns: Option<i64>) {
        ns.into_iter().for_each(|ns| self.order[engine as usize].add(ns));
    }

    pub(crate) fn add_command(&mut self, ns: Option<i64>) {
        ns.into_iter().for_each(|ns| self.command.add(ns));
    }

    /// Adds what a wait shows: its own time, and if the message came after it began, the time from there to its end.
    pub(crate) fn add_message(&mut self, input: &Input<'_>, edge: &Edge) {
        let Some((track, i)) = input.event(edge.to) else { return };
        let (begin, end) = (track.start(i), track.end(i));
        self.wait[track.engine_id.engine as usize].add(end - begin);
        if begin < edge.ended {
            self.message.add(end - edge.ended);
        }
    }

    /// Adds the time of a send: in a run in which each wait waited, a send shows how long a wait itself takes.
    pub(crate) fn add_send(&mut self, engine: Engine, ns: i64) {
        self.wait[engine as usize].add(ns);
    }

    pub(crate) fn add_hand_over(&mut self, input: &Input<'_>, edge: &Edge) {
        let begin = input.event(edge.to).map(|(track, i)| track.start(i));
        begin.into_iter().for_each(|begin| self.hand_over.add(begin - edge.ended));
    }
}
