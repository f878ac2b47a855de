//! Cost of an operator from its true shapes.
//!
//! On a chip whose units are known, the cost is what the compiled operator asks for at the pace of measured models
//! ([`super::expected`]). On other machines, time is the greater of arithmetic at the peak of the data type and bytes
//! at the bandwidth of main memory, and every tensor is transferred to or from main memory once.

use bigtpu_machine::{DataType, Machine};
use bigtpu_model::{Attention, Kind, Operator, work};

use crate::estimate::cost::{Cost, add};
use crate::estimate::expected::{Coefficients, Demand, DemandTimes, Overlap, Pace};

/// A machine with the rates of one data type looked up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rates<'a> {
    pub(crate) machine: &'a Machine,
    data_type: DataType,
    /// Bytes of an element.
    bytes: f64,
    /// 1e12 operations a second.
    tera_a_second: f64,
    /// Pace of a chip whose units are known.
    pace: Option<Pace>,
}

/// Cost of an operator; of a chip whose units are known, with what it takes of them. These overlap with those of other
/// operators, so that the time of the cost is that of the operator alone.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Costed {
    pub(crate) cost: Cost,
    pub(crate) parts: Option<DemandTimes>,
}

impl<'a> Rates<'a> {
    /// At the roofs, whatever the machine is: for language models, whose times have a factor of their own.
    pub(crate) fn at_roofs(machine: &'a Machine, data_type: DataType) -> Self {
        let tera_a_second = machine.peak(data_type).0;
        Self { machine, data_type, bytes: data_type.bytes(), tera_a_second, pace: None }
    }

    pub(crate) fn new(
        machine: &'a Machine,
        data_type: DataType,
        coefficients: &Coefficients,
    ) -> Self {
        let pace = Pace::of_machine(machine, data_type, coefficients);
        Self { pace, ..Self::at_roofs(machine, data_type) }
    }

    /// ns of an execution of a model, whatever it computes.
    pub(crate) fn start(&self) -> f64 {
        self.pace.map_or(0.0, |pace| pace.start())
    }

    /// Cost of an operator here, transfers left out.
    pub(crate) fn costed(
        &self,
        operator: &Operator,
        attention: Attention,
        past: Option<f64>,
    ) -> Costed {
        let cost = self.cost(operator, attention, past);
        let (Some(pace), Some(array)) = (&self.pace, &self.machine.array) else {
            return Costed { cost, parts: None };
        };
        let cache = work(operator, self.bytes, attention, past).cache_bytes;
        let demand = Demand::from_operator(operator, array, self.data_type).with_cache(cache);
        let parts = pace.parts(&demand);
        let mut own = Cost {
            time_ns: parts.together(),
            operations: cost.operations,
            memory_bytes: Pace::bytes(&demand),
            energy: cost.energy,
            ..Cost::default()
        };
        if own.time_ns > 0.0 {
            own.time.compute = Some(parts.computing);
            own.time.mem_transfer = Some(parts.transfers);
            own.time.launch = Some(parts.commands);
        }
        Costed { cost: own, parts: Some(parts) }
    }

    /// Cost at the roofs.
    pub(crate) fn cost(
        &self,
        operator: &Operator,
        attention: Attention,
        past: Option<f64>,
    ) -> Cost {
        if operator.kind == Kind::Free {
            return Cost::default();
        }
        let work = work(operator, self.bytes, attention, past);
        let memory = &self.machine.memory;
        let bytes_a_ns = memory.gbps.unwrap_or(f64::INFINITY);
        let compute = match self.ns_per_element(operator.kind) {
            Some(ns) => work.elements * ns,
            None => work.operations / (self.tera_a_second * 1e3),
        };
        let moved = work.bytes / bytes_a_ns + memory.latency_ns;
        let cache = work.cache_bytes / bytes_a_ns;
        let mut cost = Cost {
            time_ns: compute.max(moved + cache) + self.machine.launch_ns,
            operations: work.operations,
            memory_bytes: work.bytes + work.cache_bytes,
            ..Cost::default()
        };
        cost.time.compute = Some(compute);
        cost.time.mem_transfer = Some(moved);
        if work.cache_bytes > 0.0 {
            cost.time.kv_load = Some(cache);
        }
        if self.machine.launch_ns > 0.0 {
            cost.time.launch = Some(self.machine.launch_ns);
        }
        if let Some(pj) = self.machine.pj_per_tflop {
            add(&mut cost.energy.compute, work.operations * 1e-12 * pj);
        }
        if let Some(pj) = memory.pj_per_bit {
            add(&mut cost.energy.main_mem, 8.0 * cost.memory_bytes * pj);
        }
        cost
    }

    /// How the work of all operators together overlaps; `None` of a machine at its roofs.
    pub(crate) fn overlap<'o>(
        &self,
        operators: impl Iterator<Item = &'o Operator>,
    ) -> Option<Overlap> {
        self.pace?;
        let mut whole = DemandTimes::default();
        for operator in operators {
            let costed = self.costed(operator, Attention::default(), None);
            costed.parts.iter().for_each(|parts| whole.add(parts));
        }
        Some(whole.overlap())
    }

    /// Time of one of `parts` equal parts of an operator, in ns: its share of operations and activations, and its share
    /// of the weights, which are divided into `slices` only.
    pub(crate) fn part_ns(
        &self,
        operator: &Operator,
        parts: f64,
        slices: f64,
        overlap: Option<&Overlap>,
    ) -> f64 {
        if operator.kind == Kind::Free {
            return 0.0;
        }
        if let (Some(pace), Some(array), Some(overlap)) = (&self.pace, &self.machine.array, overlap)
        {
            let demand =
                Demand::from_operator(operator, array, self.data_type).of_part(parts, slices);
            return overlap.share(&pace.parts(&demand));
        }
        let work = work(operator, self.bytes, Attention::default(), None);
        let bytes_a_ns = self.machine.memory.gbps.unwrap_or(f64::INFINITY);
        let compute = match self.ns_per_element(operator.kind) {
            Some(ns) => work.elements * ns,
            None => work.operations / (self.tera_a_second * 1e3),
        };
        let bytes = (work.bytes - work.weight_bytes) / parts + work.weight_bytes / slices;
        let moved = bytes / bytes_a_ns + self.machine.memory.latency_ns;
        (compute / parts).max(moved) + self.machine.launch_ns
    }

    fn ns_per_element(&self, kind: Kind) -> Option<f64> {
        let times = self.machine.element_ns;
        match kind {
            Kind::Softmax => times.softmax,
            Kind::Silu => times.silu,
            Kind::RmsNorm => times.rms_norm,
            _ => None,
        }
    }
}
