//! What is derived from a profile once and shown by several views, as deep as a view asks for.

mod answers;
mod derive;
mod inputs;
mod placed;
mod replayed;
mod units;

use std::sync::{Arc, OnceLock};

use bigtpu_compat::Summary;
use bigtpu_machine::Hardware;
use bigtpu_measure::{CommandTable, DumpModel, Flows, KernelTotals, Launches, Reuse};
use bigtpu_replay::{CriticalPath, EventCauses, Predictor, Refusal, Replay};
use bigtpu_timeline::Profile;

use crate::gaps::GapTable;
use crate::host::HostLaunch;
use crate::report::{DumpFacts, LedgerFacts, Report};
use crate::steps::StepSpans;
use answers::Answers;
pub use inputs::AnalysisInputs;
use placed::Placed;
pub use units::DrawnUnits;
use units::OwnUnits;

/// The graph of a run of at most so many events is kept: it takes about 50 bytes an event.
pub const MOST_REPLAYED: usize = 400_000;

/// How much of a run is derived. Each depth has all that is above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// The commands, the launches of kernels and of the host, and where steps are.
    Commands,
    /// What each command waited for, and the critical path.
    Causes,
    /// What time lines draw: the gaps of each engine, and steps, layers and blocks with what their commands did.
    Drawn,
    /// The report.
    Answers,
}

/// What is derived from a profile. It is computed when it is asked for, once, and together with what else its [`Depth`] has; each function
/// takes the profile that this is of.
///
/// Whoever lets several views read it side by side calls [`Analysis::deepen`] before: a thread that computes may meanwhile work on another
/// view, which would wait for it if it asked for the same.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// Every command, decoded once.
    pub table: CommandTable,
    /// Kernel launches of cores and ports.
    pub launches: Launches,
    inputs: AnalysisInputs,
    /// The dump and its ledger as they were read: notes on the host's trace are in its own part of the report.
    facts: (DumpFacts, LedgerFacts),
    placed: OnceLock<Placed>,
    causes: OnceLock<Causes>,
    drawn: OnceLock<Drawn>,
    answers: OnceLock<Answers>,
}

/// See [`Depth::Causes`].
#[derive(Debug, Clone)]
pub(crate) struct Causes {
    reuse: Reuse,
    flows: Flows,
    critical_path: Option<Arc<CriticalPath>>,
    event_causes: Option<Arc<EventCauses>>,
    replay: Option<Arc<Replay>>,
}

/// See [`Depth::Drawn`].
#[derive(Debug, Clone)]
struct Drawn {
    gaps: GapTable,
    /// None where the report is there, which has them.
    units: Option<OwnUnits>,
}

impl Analysis {
    /// Decodes the commands; all else is derived when it is asked for.
    #[must_use]
    pub fn new(profile: &Profile<'_>, inputs: AnalysisInputs) -> Self {
        let (table, launches) =
            rayon::join(|| CommandTable::decode(profile), || Launches::collect(profile));
        Self {
            table,
            launches,
            inputs,
            facts: (DumpFacts::collect(profile), LedgerFacts::collect(profile)),
            placed: OnceLock::new(),
            causes: OnceLock::new(),
            drawn: OnceLock::new(),
            answers: OnceLock::new(),
        }
    }

    /// As [`Analysis::new`], with the roofs of the chip, without layers, names of steps and a host.
    #[must_use]
    pub fn of_device(profile: &Profile<'_>) -> Self {
        Self::new(profile, AnalysisInputs::default())
    }

    /// As [`Analysis::new`]. Also returns what predictions start from, or why the run can't be replayed; `depth`: what else will be asked
    /// for, which is then computed together with it.
    pub fn with_predictor(
        profile: &Profile<'_>,
        inputs: AnalysisInputs,
        depth: Depth,
    ) -> (Self, Result<Predictor, Refusal>) {
        let analysis = Self::new(profile, inputs);
        let replay = match depth {
            Depth::Commands | Depth::Causes => {
                let (causes, replay) = analysis.derive_causes(profile);
                analysis.causes.get_or_init(|| causes);
                replay
            }
            Depth::Drawn => {
                let (causes, drawn, replay) = analysis.derive_drawn(profile);
                analysis.drawn.get_or_init(|| analysis.keep_causes(causes, drawn));
                replay
            }
            Depth::Answers => {
                let (causes, drawn, answers, replay) = analysis.derive_answers(profile);
                analysis.drawn.get_or_init(|| analysis.keep_causes(causes, drawn));
                analysis.answers.get_or_init(|| answers);
                replay
            }
        };
        let predictor = replay.map(|replay| Predictor::fit(replay, profile, &analysis.table));
        (analysis, predictor)
    }

    /// Derives all down to a depth, where that is not done yet. What a deeper one has in common with those above it is then computed once.
    pub fn deepen(&self, profile: &Profile<'_>, depth: Depth) {
        match depth {
            Depth::Commands => {}
            Depth::Causes => drop(self.causes(profile)),
            Depth::Drawn => drop(self.drawn(profile)),
            Depth::Answers => drop(self.answers(profile)),
        }
    }

    /// How deep it is derived.
    #[must_use]
    pub fn depth(&self) -> Depth {
        match (self.answers.get(), self.drawn.get(), self.causes.get()) {
            (Some(_), ..) => Depth::Answers,
            (_, Some(_), _) => Depth::Drawn,
            (.., Some(_)) => Depth::Causes,
            _ => Depth::Commands,
        }
    }

    /// Keeps causes that were derived together with what is drawn.
    fn keep_causes(&self, causes: Causes, drawn: Drawn) -> Drawn {
        self.causes.get_or_init(|| causes);
        drawn
    }

    fn placed(&self, profile: &Profile<'_>) -> &Placed {
        self.placed.get_or_init(|| Placed::find(self, profile))
    }

    fn causes(&self, profile: &Profile<'_>) -> &Causes {
        self.causes.get_or_init(|| self.derive_causes(profile).0)
    }

    fn drawn(&self, profile: &Profile<'_>) -> &Drawn {
        self.drawn.get_or_init(|| {
            let (causes, drawn, _) = self.derive_drawn(profile);
            self.keep_causes(causes, drawn)
        })
    }

    /// The gaps of each engine: more than the report lists.
    #[must_use]
    pub fn gaps(&self, profile: &Profile<'_>) -> &GapTable {
        &self.drawn(profile).gaps
    }

    /// Steps, layers, blocks and the host.
    #[must_use]
    pub fn units(&self, profile: &Profile<'_>) -> DrawnUnits<'_> {
        match &self.drawn(profile).units {
            Some(units) => units.as_drawn(),
            None => DrawnUnits::of_report(self.report(profile)),
        }
    }

    fn answers(&self, profile: &Profile<'_>) -> &Answers {
        self.answers.get_or_init(|| {
            let (causes, drawn, answers, _) = self.derive_answers(profile);
            self.drawn.get_or_init(|| self.keep_causes(causes, drawn));
            answers
        })
    }

    /// All answers.
    #[must_use]
    pub fn report(&self, profile: &Profile<'_>) -> &Report {
        &self.answers(profile).report
    }

    /// Totals of cores, ports and the whole dump.
    #[must_use]
    pub fn summary(&self, profile: &Profile<'_>) -> &Summary {
        &self.answers(profile).summary
    }

    /// Kernel functions, those that took longest first: in the order of the report's.
    #[must_use]
    pub fn kernels(&self, profile: &Profile<'_>) -> &[KernelTotals] {
        &self.answers(profile).kernels
    }

    /// Which send released which wait.
    #[must_use]
    pub fn flows(&self, profile: &Profile<'_>) -> &Flows {
        &self.causes(profile).flows
    }

    /// Where the iterations are: by the host's markers where its trace has any, else by the kernels.
    #[must_use]
    pub fn steps(&self, profile: &Profile<'_>) -> Option<&StepSpans> {
        let Placed { steps, host } = self.placed(profile);
        host.as_ref().and_then(|host| host.steps.as_ref()).or(steps.as_ref())
    }

    /// What the run waited for; `None` where the run can't be replayed.
    #[must_use]
    pub fn critical_path(&self, profile: &Profile<'_>) -> Option<&CriticalPath> {
        self.causes(profile).critical_path.as_deref()
    }

    /// What each event waited for, and its slack; `None` where the run can't be replayed.
    #[must_use]
    pub fn event_causes(&self, profile: &Profile<'_>) -> Option<&EventCauses> {
        self.causes(profile).event_causes.as_deref()
    }

    /// The graph of the run, for views that replay it; `None` for a run of more than [`MOST_REPLAYED`] events, or one that can't be
    /// replayed.
    #[must_use]
    pub fn replay(&self, profile: &Profile<'_>) -> Option<&Arc<Replay>> {
        self.causes(profile).replay.as_ref()
    }

    /// Which call of the host launched what; none without a host trace.
    #[must_use]
    pub fn host_launches(&self, profile: &Profile<'_>) -> &[HostLaunch] {
        self.placed(profile).host.as_ref().map_or(&[], |host| &host.launches)
    }

    /// From the earliest start to the latest end on the common time line, in ns: the wall time that the report tells.
    #[must_use]
    pub fn wall_ns(&self, profile: &Profile<'_>) -> i64 {
        let flows = Flows::default();
        let events = DumpModel::new(profile, &self.table, &self.launches, Reuse::default(), &flows);
        events.window().map_or(0, |(start, end)| end - start)
    }

    /// The roofs of the profile's chip at the clock in use, with those that replace them.
    #[must_use]
    pub fn chip_hardware(&self, profile: &Profile<'_>) -> Hardware {
        Hardware::of_chip(profile.chip, profile.clocks.tiu_mhz as f64).with(&self.inputs.overrides)
    }

    /// The events as the pure functions of this crate take them.
    #[must_use]
    pub fn model<'a>(&'a self, profile: &'a Profile<'_>) -> DumpModel<'a> {
        let Causes { reuse, flows, .. } = self.causes(profile);
        DumpModel::new(profile, &self.table, &self.launches, *reuse, flows)
    }
}
