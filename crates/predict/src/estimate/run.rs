//! Executes operators one after the other on the machines that a mapping names.

use std::collections::BTreeMap;

use bigtpu_machine::{DataType, Link, Machine};

use crate::estimate::bound::Bound;
use crate::estimate::cost::{Cost, add};
use crate::estimate::error::EstimateError;
use crate::estimate::expected::{DemandTimes, MeasuredEvidence, RunSetting};
use crate::estimate::rates::{Costed, Rates};
use crate::estimate::result::{Estimate, EstimateStep};
use crate::estimate::workload::Workload;
use crate::estimate::{names, notes, upmem};
use bigtpu_model::Semantics;
use bigtpu_model::{HOST, Mapping, Target};
use bigtpu_model::{Kind, LlmPhase, Operator, elements, from_last};

/// A model, machines by name, and how they meet.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// What runs.
    pub workload: &'a Workload<'a>,
    /// Machines that mappings may name.
    pub machines: &'a [Machine],
    /// Which operator runs where.
    pub mapping: &'a Mapping,
}

impl Job<'_> {
    /// Runs the model.
    ///
    /// # Errors
    ///
    /// A mapping names an unknown machine.
    pub fn run(&self, target: &str) -> Result<Estimate, EstimateError> {
        let host = host();
        let mut run = Run::new(self, &host)?;
        for operator in self.workload.operators {
            run.execute(operator);
        }
        run.overlap();
        run.finish();
        Ok(run.into_estimate(target))
    }
}

/// The host computes what no mapping sends away: slowly, so that it is noticed.
fn host() -> Machine {
    let memory = Link { gbps: Some(1.0), pj_per_bit: Some(1.0), latency_ns: 0.0 };
    Machine {
        name: HOST.to_owned(),
        cores: 1,
        chips: 1,
        tflops: 1.0,
        pj_per_tflop: Some(1.0),
        memory,
        ..Machine::default()
    }
}

/// Index of the host.
const HOST_INDEX: usize = 0;

struct Run<'a> {
    job: &'a Job<'a>,
    machines: Vec<&'a Machine>,
    /// Machine index by name.
    indices: BTreeMap<&'a str, usize>,
    data_type: DataType,
    current: usize,
    /// Uses of each context with the flag `m`.
    uses: BTreeMap<&'a str, u32>,
    /// Rows in the cache of keys and values.
    past: f64,
    passes: u64,
    /// Input and output of the last layer's last execution, or of the last operator.
    last: Option<&'a Operator>,
    clock: f64,
    steps: Vec<EstimateStep>,
    /// Times of each step by what takes them, on a chip whose units are known.
    parts: Vec<Option<DemandTimes>>,
    phases: [Cost; 2],
    /// Machines that something ran on, by index.
    used: Vec<bool>,
    /// Whether the next operator is the first of a pass.
    begins: bool,
    /// Rates of a machine for a data type.
    rates: BTreeMap<(usize, DataType), Rates<'a>>,
}

impl<'a> Run<'a> {
    fn new(job: &'a Job<'a>, host: &'a Machine) -> Result<Self, EstimateError> {
        let machines: Vec<&Machine> = std::iter::once(host).chain(job.machines).collect();
        let mut indices: BTreeMap<&str, usize> = BTreeMap::new();
        for (index, machine) in machines.iter().enumerate() {
            indices.entry(machine.name.as_str()).or_insert(index);
        }
        let named = job.mapping.targets.iter().map(|(context, target)| (context.as_str(), target));
        let rest = job.mapping.rest.iter().map(|target| ("everything else", target));
        for (context, target) in named.chain(rest) {
            if !indices.contains_key(target.machine.as_str()) {
                let names: Vec<&str> = indices.keys().copied().collect();
                return Err(EstimateError::UnknownMachine {
                    context: context.to_owned(),
                    machine: target.machine.clone(),
                    known: format!("known here: {}", names.join(", ")),
                });
            }
        }
        Ok(Self {
            data_type: job.workload.settings.data_type.unwrap_or(DataType::Bf16),
            job,
            used: vec![false; machines.len()],
            machines,
            indices,
            current: HOST_INDEX,
            uses: BTreeMap::new(),
            past: 0.0,
            passes: 0,
            last: None,
            clock: 0.0,
            steps: Vec::with_capacity(job.workload.operators.len()),
            parts: Vec::with_capacity(job.workload.operators.len()),
            begins: true,
            rates: BTreeMap::new(),
            phases: [Cost::default(); 2],
        })
    }

    fn is_upmem(&self) -> bool {
        self.job.workload.settings.semantics == Semantics::Upmem
    }

    fn machine(&self) -> &'a Machine {
        self.machines.get(self.current).or(self.machines.first()).copied().unwrap_or(&UNKNOWN)
    }

    fn execute(&mut self, operator: &'a Operator) {
        let mut cost = Cost::default();
        self.place(operator, &mut cost);
        if let Some(used) = self.used.get_mut(self.current) {
            *used = true;
        }
        let phase = self.phase(operator);
        let past = (phase == LlmPhase::Generation).then_some(self.past);
        let attention = self.job.workload.settings.attention;
        let machine = self.machine();
        let data_type = self.data_type_of(operator);
        let own = if self.is_upmem() {
            let scene = upmem::Scene { machine, data_type, attention, past };
            Costed { cost: upmem::cost(operator, &scene), parts: None }
        } else {
            let coefficients = &self.job.workload.coefficients;
            let rates = *self
                .rates
                .entry((self.current, data_type))
                .or_insert_with(|| Rates::new(machine, data_type, coefficients));
            let mut own = rates.costed(operator, attention, past);
            self.start_pass(&rates, &mut own);
            own
        };
        cost.add(&own.cost);
        self.parts.push(own.parts);
        self.end_experts(operator, &mut cost);
        if !self.is_upmem() && operator.context == self.job.workload.settings.last_layer {
            self.to_host(elements(&operator.output), &mut cost);
        }
        if let Some(watts) = machine.idle_w.filter(|_| !self.is_upmem()) {
            // 1 W for 1 ns is 1000 pJ.
            add(&mut cost.energy.idle, watts * cost.time_ns * 1e3);
        }
        self.book(phase, cost);
        self.end_pass(operator);
    }

    /// A pass takes some time to start, whatever it computes.
    fn start_pass(&mut self, rates: &Rates<'_>, own: &mut Costed) {
        let Some(parts) = own.parts.as_mut().filter(|_| self.begins) else { return };
        self.begins = false;
        parts.commands += rates.start();
        own.cost.time_ns += rates.start();
        add(&mut own.cost.time.launch, rates.start());
    }

    /// Transfers of an operator run beside the computing of others: each step takes what it adds to the time of all of
    /// its phase on its machine.
    fn overlap(&mut self) {
        let mut whole: BTreeMap<(usize, LlmPhase), DemandTimes> = BTreeMap::new();
        let known = self.steps.iter().zip(&self.parts);
        for (step, parts) in known.filter_map(|(step, parts)| Some((step, parts.as_ref()?))) {
            whole.entry((step.machine, step.phase)).or_default().add(parts);
        }
        if whole.is_empty() {
            return;
        }
        self.clock = 0.0;
        self.phases = [Cost::default(); 2];
        let (steps, parts) = (std::mem::take(&mut self.steps), std::mem::take(&mut self.parts));
        for (mut step, parts) in steps.into_iter().zip(parts) {
            let all = whole.get(&(step.machine, step.phase));
            if let (Some(own), Some(all)) = (parts, all) {
                step.cost.time_ns += all.overlap().share(&own) - own.together();
            }
            step.start_ns = self.clock;
            self.clock += step.cost.time_ns;
            self.add_totals(step.phase, &step.cost);
            self.steps.push(step);
            self.parts.push(parts);
        }
    }

    fn phase(&self, operator: &Operator) -> LlmPhase {
        let by_passes =
            if self.passes > 0 { LlmPhase::Generation } else { LlmPhase::Summarization };
        if self.is_upmem() { by_passes } else { operator.phase.unwrap_or(by_passes) }
    }

    /// Moves to the operator's machine and sends its input there.
    fn place(&mut self, operator: &'a Operator, cost: &mut Cost) {
        let Some((key, target)) = self.target(operator) else { return };
        let index = self.indices.get(target.machine.as_str()).copied().unwrap_or(HOST_INDEX);
        let mut sends = index != self.current || target.always;
        if !sends && target.first_use {
            let uses = self.uses.entry(key).or_insert(0);
            sends = *uses == 0;
            *uses += 1;
        }
        if !sends {
            return;
        }
        let count = if self.is_upmem() {
            upmem::volume(&operator.input)
        } else {
            elements(&operator.input)
        };
        self.to_host(count, cost);
        self.current = index;
        if index != HOST_INDEX {
            let bytes = count * self.data_type.bytes();
            let link = self.machine().host_to_device;
            cost.time_ns +=
                send(bytes, link, &mut cost.time.host_to_device, &mut cost.energy.host_to_device);
            add(&mut cost.transfers.host_to_device, bytes);
        }
    }

    /// Key and target of an operator. Own semantics find a class with and without the framework's
    /// prefix; the framework finds some operators only by their prefixed class.
    fn target(&self, operator: &'a Operator) -> Option<(&'a str, &'a Target)> {
        let mapping = self.job.mapping;
        if self.is_upmem() {
            let key = upmem::mapping_key(operator);
            return mapping.find(key).map(|target| (key, target));
        }
        if mapping.targets.is_empty() {
            return Some((operator.context.as_str(), mapping.rest.as_ref()?));
        }
        let keys = names::of_operator(operator, self.job.workload.settings.semantics);
        let found = keys.iter().find_map(|key| Some((*key, mapping.targets.get(*key)?)));
        found.or_else(|| Some((operator.context.as_str(), mapping.rest.as_ref()?)))
    }

    fn to_host(&self, count: f64, cost: &mut Cost) {
        if self.current != HOST_INDEX {
            let bytes = count * self.data_type.bytes();
            let link = self.machine().device_to_host;
            cost.time_ns +=
                send(bytes, link, &mut cost.time.device_to_host, &mut cost.energy.device_to_host);
            add(&mut cost.transfers.device_to_host, bytes);
        }
    }

    /// When every chosen expert ran, the outputs of all but one go to the host, which adds them up.
    fn end_experts(&mut self, operator: &Operator, cost: &mut Cost) {
        let experts = &self.job.workload.settings.experts;
        if experts.end.as_deref() != Some(operator.context.as_str()) {
            return;
        }
        let per_token = experts.per_token;
        // The framework asks all contexts that it counts, even if it counts none.
        let counts_none = self.uses.is_empty() && !self.is_upmem();
        if !counts_none && self.uses.values().all(|&uses| uses == per_token) {
            self.uses.values_mut().for_each(|uses| *uses = 0);
            self.to_host(f64::from(per_token.saturating_sub(1)) * elements(&operator.output), cost);
        }
    }

    fn end_pass(&mut self, operator: &'a Operator) {
        if operator.context == self.job.workload.settings.last_layer {
            self.past =
                if self.passes == 0 { from_last(&operator.output, 1) } else { self.past + 1.0 };
            self.passes += 1;
            self.begins = true;
            self.last = Some(operator);
        }
    }

    fn book(&mut self, phase: LlmPhase, cost: Cost) {
        let (start_ns, machine) = (self.clock, self.current);
        self.steps.push(EstimateStep { phase, executions: 1, start_ns, machine, cost });
        self.clock += cost.time_ns;
        self.add_totals(phase, &cost);
    }

    fn add_totals(&mut self, phase: LlmPhase, cost: &Cost) {
        let [summarization, generation] = &mut self.phases;
        let totals = if phase == LlmPhase::Generation { generation } else { summarization };
        totals.add(cost);
    }

    /// The result goes to the host. Own semantics sent it at the end of each pass, unless no pass
    /// ended; the framework sends the last layer's input once a pass, at the end of generation.
    fn finish(&mut self) {
        let mut cost = Cost::default();
        let phase = if self.is_upmem() {
            let last = self.last.or(self.job.workload.operators.last());
            let count = last.map_or(0.0, |operator| upmem::volume(&operator.input));
            self.to_host(count * self.passes as f64, &mut cost);
            LlmPhase::Generation
        } else if self.last.is_none() {
            let computed =
                self.job.workload.operators.iter().rev().find(|op| op.kind != Kind::Free);
            self.to_host(computed.map_or(0.0, |operator| elements(&operator.output)), &mut cost);
            LlmPhase::Summarization
        } else {
            return;
        };
        self.add_totals(phase, &cost);
    }

    /// The bound, the range and what stands behind it.
    fn judged(&self) -> Judged {
        let mut bounds: BTreeMap<usize, Bound<'_>> = BTreeMap::new();
        let mut units: Option<RunSetting> = None;
        let mut whole = DemandTimes::default();
        let mut is_alone = true;
        let steps = self.steps.iter().zip(&self.parts).zip(self.job.workload.operators);
        for ((step, parts), operator) in steps {
            let Some(&machine) = self.machines.get(step.machine) else { continue };
            let data_type = self.data_type_of(operator);
            bounds.entry(step.machine).or_default().add(operator, machine, data_type);
            parts.iter().for_each(|parts| whole.add(parts));
            let computes = operator.kind != Kind::Free && step.cost.time_ns > 0.0;
            let scene = parts.and_then(|_| RunSetting::from_machine(machine, data_type));
            match (scene, &units) {
                (None, _) if computes => is_alone = false,
                (Some(new), Some(known)) if new.array.chip != known.array.chip => is_alone = false,
                (Some(new), None) => units = Some(new),
                _ => {}
            }
        }
        let bound_ns = bounds.values().map(Bound::ns).sum();
        let time: f64 = self.phases.iter().map(|phase| phase.time_ns).sum();
        let scene = units.filter(|_| is_alone);
        let evidence = match (scene, self.job.workload.own_evidence) {
            (Some(_), Some(own)) => own.clone(),
            (Some(scene), None) => MeasuredEvidence::find(&scene, &whole),
            (None, _) => MeasuredEvidence::none(),
        };
        let range_ns = evidence.range(time, bound_ns);
        Judged { bound_ns, range_ns, evidence }
    }

    fn data_type_of(&self, operator: &Operator) -> DataType {
        // A command line's data type wins over the recorded one.
        let recorded =
            operator.data_type.filter(|_| self.job.workload.settings.data_type.is_none());
        recorded.unwrap_or(self.data_type)
    }

    fn into_estimate(self, target: &str) -> Estimate {
        let generated = self.passes.saturating_sub(1);
        let used: Vec<&Machine> = self
            .machines
            .iter()
            .zip(&self.used)
            .filter_map(|(machine, used)| used.then_some(*machine))
            .collect();
        let judged = (!self.is_upmem()).then(|| self.judged());
        let energy_known = used.iter().all(|machine| notes::energy_is_known(machine, &self.phases));
        Estimate {
            target: target.to_owned(),
            notes: notes::notes(&used, self.job.workload, &self.phases),
            machines: self.machines.iter().map(|machine| machine.name.clone()).collect(),
            energy_known,
            bound_ns: judged.as_ref().map(|judged| judged.bound_ns),
            range_ns: judged.as_ref().and_then(|judged| judged.range_ns),
            evidence: judged.map(|judged| judged.evidence),
            transfers_known: used
                .iter()
                .all(|machine| notes::transfers_are_known(machine, &self.phases)),
            gen_tokens: generated * u64::from(self.job.workload.settings.batch),
            passes: self.passes.max(u64::from(!self.steps.is_empty() && !self.is_upmem())),
            steps: self.steps,
            phases: self.phases,
        }
    }
}

/// What is said of a time.
struct Judged {
    bound_ns: f64,
    range_ns: Option<[f64; 2]>,
    evidence: MeasuredEvidence,
}

/// Stands for a machine that is not there; indices always name one that is.
static UNKNOWN: std::sync::LazyLock<Machine> = std::sync::LazyLock::new(host);

/// Time of a transfer, whose parts it adds. A link of unknown bandwidth takes no time; a note says
/// so.
fn send(bytes: f64, link: Link, time: &mut Option<f64>, energy: &mut Option<f64>) -> f64 {
    let ns = link.gbps.map_or(0.0, |gbps| bytes / gbps) + link.latency_ns;
    add(time, ns);
    if let Some(pj) = link.pj_per_bit {
        add(energy, 8.0 * bytes * pj);
    }
    ns
}
