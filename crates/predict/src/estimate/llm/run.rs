//! Estimates the graphs of a language model on a machine.

use bigtpu_machine::{Link, Machine};
use bigtpu_messages::Notes;
use bigtpu_messages::error_message;
use bigtpu_model::llm::{
    Architecture, Exchange, LlmLoad, LlmStep, Split, Stacks, Types, prompt, token,
};
use bigtpu_model::{Attention, HOST, LlmPhase, elements};

use crate::estimate::bound::most_operations_a_ns;
use crate::estimate::cost::{Cost, add};
use crate::estimate::expected::MeasuredEvidence;
use crate::estimate::llm::bound::{LlmBound, TimeByBound};
use crate::estimate::llm::efficiency::Efficiencies;
use crate::estimate::llm::expected::{LeastTime, PhaseFactor, as_compiled, evidence};
use crate::estimate::llm::offload::Offload;
use crate::estimate::llm::own_rows::{OwnPhase, OwnPhases};
use crate::estimate::llm::result::{LlmEstimate, TokenTimes};
use crate::estimate::llm::speculation::{Draft, of_draft};
use crate::estimate::rates::Rates;
use crate::estimate::result::{Estimate, EstimateStep};
use crate::links::Links;

/// The bandwidth of a link that is used is not known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownLink {
    /// The links between devices.
    #[error("{}", error_message!("error-unknown-link", machine, devices))]
    Devices {
        /// Machine.
        machine: String,
        /// Devices of the split.
        devices: u64,
    },
    /// The link to the host.
    #[error("{}", error_message!("error-unknown-host-link", machine))]
    Host {
        /// Machine.
        machine: String,
    },
}

/// A language model, what is asked of it, and the devices.
#[derive(Debug, Clone, Copy)]
pub struct LlmJob<'a> {
    /// The model.
    pub model: &'a Architecture,
    /// What is asked.
    pub request: LlmLoad,
    /// How it is divided.
    pub split: Split,
    /// Types of elements.
    pub types: Types,
    /// Each of the devices.
    pub machine: &'a Machine,
    /// Links that were given; `None`: those that the machine's description has.
    pub links: Option<Links>,
    /// Bytes of a device, instead of those of its description.
    pub memory_bytes: Option<u64>,
    /// Measured efficiencies; used on the chip that they are of.
    pub efficiencies: Option<&'a Efficiencies>,
    /// What measured rows of the user say; used on chips whose units are known.
    pub own: Option<&'a OwnPhases>,
    /// A smaller model that proposes tokens.
    pub draft: Option<Draft<'a>>,
    /// What the host keeps.
    pub offload: Offload,
}

/// A step with the cost of all its executions.
pub(super) struct Costed {
    pub(super) step: LlmStep,
    /// A mean, which may be no whole number.
    pub(super) executions: f64,
    pub(super) cost: Cost,
    pub(super) by_bound: TimeByBound,
}

/// Passes after the prompt.
#[derive(Default)]
pub(super) struct Passes {
    pub(super) steps: Vec<Costed>,
    /// Time that a token takes behind the prompt, in ns.
    pub(super) first: f64,
    /// Time that the last token takes, in ns.
    pub(super) last: f64,
    /// No machine takes less for all of them.
    pub(super) least: f64,
    /// What the link to the host takes for all of them.
    pub(super) least_of_host: f64,
}

impl Passes {
    /// Time of all steps in ns.
    pub(super) fn whole_ns(&self) -> f64 {
        self.steps.iter().map(|one| one.cost.time_ns).sum()
    }
}

impl LlmJob<'_> {
    /// Estimates both phases.
    ///
    /// # Errors
    /// Several devices whose links are not known, or a host whose link is not known.
    pub fn run(&self, target: &str) -> Result<LlmEstimate, UnknownLink> {
        let links = self.links()?;
        let host = self.host_link()?;
        let (mut prompt, mut prompt_bound) = self.prompt(links);
        let speculation = self.speculation(links);
        let mut tokens = self.tokens(links);
        if let Some(link) = host {
            let shown = self.offloaded(link, &mut prompt, &mut tokens);
            prompt_bound = shown.max(prompt_bound);
        }
        let further = self.further_tokens();
        let token_ns = (further > 0).then(|| TokenTimes {
            mean: tokens.whole_ns() / further as f64,
            first: tokens.first,
            last: tokens.last,
        });
        let token_bound = tokens.least / further.max(1) as f64;
        let tokens = tokens.steps;
        let passes = u64::from(self.request.output_tokens.max(1));
        let mut estimate = Estimate {
            target: target.to_owned(),
            machines: vec![HOST.to_owned(), self.machine.name.clone()],
            steps: Vec::with_capacity(prompt.len() + tokens.len()),
            phases: [Cost::default(); 2],
            passes,
            gen_tokens: (passes - 1) * u64::from(self.request.batch),
            energy_known: self.energy_is_known(),
            transfers_known: true,
            bound_ns: None,
            range_ns: None,
            evidence: None,
            notes: Notes::default(),
        };
        let mut by_bound = [TimeByBound::default(); 2];
        let (mut operators, mut bounds, mut clock) = (Vec::new(), Vec::new(), 0.0);
        let of_phase = |all: Vec<Costed>, phase| all.into_iter().map(move |one| (phase, one));
        let all =
            of_phase(prompt, LlmPhase::Summarization).chain(of_phase(tokens, LlmPhase::Generation));
        for (phase, one) in all {
            let index = usize::from(phase == LlmPhase::Generation);
            if let (Some(sum), Some(time)) =
                (estimate.phases.get_mut(index), by_bound.get_mut(index))
            {
                sum.add(&one.cost);
                time.compute += one.by_bound.compute;
                time.memory += one.by_bound.memory;
                time.communication += one.by_bound.communication;
            }
            bounds.push(one.by_bound.most());
            let executions = (one.executions.round() as u64).max(1);
            let cost = one.cost;
            estimate.steps.push(EstimateStep {
                phase,
                executions,
                start_ns: clock,
                machine: 1,
                cost,
            });
            clock += cost.time_ns;
            operators.push(one.step.operator);
        }
        let device_bytes = self.memory_bytes.or(self.machine.memory_bytes);
        let stored = self.stored();
        let mut found = LlmEstimate {
            request: self.request,
            split: self.split,
            types: self.types,
            operators,
            bounds,
            estimate,
            token_ns,
            by_bound,
            stored,
            device_bytes,
            links,
            calibrated: self.measured().is_some() || self.own_phases().is_some(),
            speculation,
            offload: self.offload,
            generates: self.model.generates(),
            bound_ns: [prompt_bound, token_bound],
            range_ns: [None; 2],
            evidence: LlmPhase::BOTH.map(|phase| self.evidence(phase)),
        };
        let token = found.token_ns.map_or(0.0, |token| token.mean);
        let times = [found.first_token_ns(), token];
        for ((range, ns), (bound, evidence)) in
            found.range_ns.iter_mut().zip(times).zip(found.bound_ns.iter().zip(&found.evidence))
        {
            *range = evidence.range(ns, *bound).filter(|_| ns > 0.0);
        }
        found.estimate.notes = self.notes(&found);
        Ok(found)
    }

    /// The prompt, of the model that proposes tokens, too.
    fn prompt(&self, links: Option<Links>) -> (Vec<Costed>, f64) {
        let (mut costed, mut least) = self.own_prompt(links);
        if let Some(draft) = self.draft_job() {
            let (steps, own) = draft.own_prompt(links);
            costed.extend(of_draft(steps));
            least += own;
        }
        (costed, least)
    }

    fn own_prompt(&self, links: Option<Links>) -> (Vec<Costed>, f64) {
        let steps = prompt(self.model, self.request, self.split, self.types);
        let mut least = LeastTime::default();
        let costed = steps.into_iter().map(|mut step| {
            self.add_least(&mut least, &step, None, step.times as f64);
            if self.measured().is_none() {
                as_compiled(&mut step.operator, self.machine);
            }
            let executions = step.times as f64;
            self.costed(step, None, executions, links)
        });
        (costed.collect(), least.ns())
    }

    /// Adds executions of a step to the least time; messages take none.
    fn add_least(&self, least: &mut LeastTime, step: &LlmStep, past: Option<f64>, times: f64) {
        if step.exchange.is_some() {
            return;
        }
        let activations = self.types.activations;
        let rates = (
            most_operations_a_ns(self.machine, activations),
            self.machine.memory.gbps.unwrap_or(f64::INFINITY),
        );
        least.add(&step.operator, (activations.bytes(), past), rates, times);
    }

    /// What stands behind the times of a phase: nothing, where a dump's own shares make them.
    fn evidence(&self, phase: LlmPhase) -> MeasuredEvidence {
        // Only decoders that run alone, with all they need on the device, were measured.
        let is_measured = self.model.stacks == Stacks::Decoder
            && self.draft.is_none()
            && self.offload == Offload::default()
            && self.measured().is_none();
        match self.own_phase(phase) {
            _ if !is_measured => MeasuredEvidence::none(),
            Some(own) => own.evidence.clone(),
            None => evidence(self.machine, phase),
        }
    }

    /// Tokens of a sequence after the first.
    pub(super) fn further_tokens(&self) -> u64 {
        let generated = self.request.output_tokens.saturating_sub(1);
        if self.model.generates() { generated.into() } else { 0 }
    }

    /// All tokens after the first.
    fn tokens(&self, links: Option<Links>) -> Passes {
        let (Some(draft), Some(job)) = (self.draft, self.draft_job()) else {
            return self.passes(1, 1.0, links);
        };
        // A pass of this model checks the proposals and adds a token of its own.
        let share = 1.0 / draft.tokens_a_step();
        let mut all = self.passes(u64::from(draft.tokens) + 1, share, links);
        let proposed = job.passes(1, share * f64::from(draft.tokens), links);
        all.first += proposed.first;
        all.last += proposed.last;
        all.least += proposed.least;
        all.steps.extend(of_draft(proposed.steps));
        all
    }

    /// Passes with so many new rows, for each token after the first so many (a share). Only attention to the own rows
    /// changes from one to the next.
    pub(super) fn passes(&self, rows: u64, share: f64, links: Option<Links>) -> Passes {
        let tokens = self.further_tokens();
        if tokens == 0 {
            return Passes::default();
        }
        let begin = self.model.rows_after_prompt(self.request.context.into());
        let steps = token(self.model, self.request, self.split, self.types, [begin, rows]);
        let mut all = Passes { steps: Vec::with_capacity(steps.len()), ..Passes::default() };
        let mut least = LeastTime::default();
        for mut step in steps {
            let once = step.times as f64 * share;
            if !step.grows {
                let executions = once * tokens as f64;
                self.add_least(&mut least, &step, Some(begin as f64), executions);
                let one = self.costed(step, Some(begin), executions, links);
                let each = one.cost.time_ns / tokens as f64;
                all.first += each;
                all.last += each;
                all.steps.push(one);
                continue;
            }
            let mut sum: Option<Costed> = None;
            for past in begin..begin + tokens {
                if let Some(keys) = step.operator.input.get_mut(2) {
                    *keys = past + rows;
                }
                self.add_least(&mut least, &step, Some(past as f64), once);
                let one = self.costed(step.clone(), Some(past), once, links);
                all.first += if past == begin { one.cost.time_ns } else { 0.0 };
                all.last += if past + 1 == begin + tokens { one.cost.time_ns } else { 0.0 };
                match &mut sum {
                    None => sum = Some(one),
                    Some(sum) => {
                        sum.cost.add(&one.cost);
                        sum.by_bound.add(&one.cost);
                        sum.executions += one.executions;
                        sum.step = one.step;
                    }
                }
            }
            all.steps.extend(sum);
        }
        all.least = least.ns();
        all
    }

    /// So many executions of a step.
    fn costed(
        &self,
        step: LlmStep,
        past: Option<u64>,
        executions: f64,
        links: Option<Links>,
    ) -> Costed {
        let mut once = match step.exchange {
            Some(exchange) => self.exchange(&step, exchange, links),
            None => {
                let rates = Rates::at_roofs(self.machine, self.types.activations);
                let past = past.map(|rows| rows as f64);
                rates.cost(&step.operator, Attention::default(), past)
            }
        };
        let (kind, bound) = (step.operator.kind, LlmBound::from_cost(&once));
        let reached = self.measured().and_then(|measured| measured.get(kind, bound));
        if let Some(share) = reached.filter(|_| step.exchange.is_none()) {
            once.time_ns /= share;
            once.time = once.time.times(1.0 / share);
        }
        let phase = if past.is_some() { LlmPhase::Generation } else { LlmPhase::Summarization };
        let expected = PhaseFactor::find(self.machine, phase);
        if let Some(own) = expected.filter(|_| self.measured().is_none() && step.exchange.is_none())
        {
            let of_rows = self.own_phase(phase).map_or(1.0, |own| own.factor);
            let factor = own.of_kind(kind) * of_rows;
            once.time_ns *= factor;
            once.time = once.time.times(factor);
        }
        if let Some(watts) = self.machine.idle_w {
            // All devices wait for the stage that works. 1 W for 1 ns is 1000 pJ.
            let stages = f64::from(self.split.pipeline.max(1));
            add(&mut once.energy.idle, watts * once.time_ns * stages * 1e3);
        }
        // A stage works on all its devices at once.
        let devices = f64::from(self.split.tensor) * f64::from(self.split.experts);
        let cost = once.repeated(executions, devices);
        let mut by_bound = TimeByBound::default();
        by_bound.add(&cost);
        Costed { step, executions, cost, by_bound }
    }

    fn exchange(&self, step: &LlmStep, exchange: Exchange, links: Option<Links>) -> Cost {
        let Some(links) = links else { return Cost::default() };
        let bytes = elements(&step.operator.input) * self.types.activations.bytes();
        let ns = match exchange {
            Exchange::AllReduce(devices) => links.all_reduce(bytes, devices),
            Exchange::AllGather(devices) => links.all_gather(bytes, devices),
            Exchange::AllToAll(devices) => links.all_to_all(bytes, devices),
            Exchange::Send => links.message(bytes),
        };
        let sent = (ns - self.latencies(exchange) * links.latency_ns) * links.bytes_per_ns;
        let mut cost = Cost { time_ns: ns, ..Cost::default() };
        cost.time.link = Some(ns);
        cost.energy.link = self.machine.chip_to_chip.pj_per_bit.map(|pj| 8.0 * sent * pj);
        cost
    }

    /// Messages of a device.
    fn latencies(&self, exchange: Exchange) -> f64 {
        match exchange {
            Exchange::AllReduce(devices) => 2.0 * (f64::from(devices) - 1.0),
            Exchange::AllGather(devices) | Exchange::AllToAll(devices) => f64::from(devices) - 1.0,
            Exchange::Send => 1.0,
        }
    }

    fn links(&self) -> Result<Option<Links>, UnknownLink> {
        let devices = self.split.devices();
        if devices <= 1 {
            return Ok(None);
        }
        let own = self.machine.chip_to_chip;
        let described =
            own.gbps.map(|gbps| Links { bytes_per_ns: gbps, latency_ns: own.latency_ns });
        let unknown = || UnknownLink::Devices { machine: self.machine.name.clone(), devices };
        self.links.or(described).map(Some).ok_or_else(unknown)
    }

    /// Efficiencies that were measured on this chip.
    pub(super) fn measured(&self) -> Option<&Efficiencies> {
        self.efficiencies.filter(|measured| self.machine.is_named(&measured.chip))
    }

    /// Rows of the user, where they count.
    pub(super) fn own_phases(&self) -> Option<&OwnPhases> {
        self.own.filter(|_| self.machine.array.is_some())
    }

    fn own_phase(&self, phase: LlmPhase) -> Option<&OwnPhase> {
        self.own_phases().and_then(|own| own.get(phase))
    }

    fn energy_is_known(&self) -> bool {
        let is_known = |used: bool, link: Link| !used || link.pj_per_bit.is_some();
        let machine = self.machine;
        machine.energy_is_known()
            && is_known(self.split.devices() > 1, machine.chip_to_chip)
            && is_known(self.offload.is_used(), machine.host_to_device)
    }
}

#[cfg(test)]
mod tests;
