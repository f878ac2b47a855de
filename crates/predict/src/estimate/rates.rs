//! Cost of an operator from its true shapes.
//!
//! Time is the greater of arithmetic at the peak of the data type and bytes at the bandwidth of
//! main memory: a lower bound. Every tensor is transferred to or from main memory once.

use bigtpu_machine::{DataType, Machine};
use bigtpu_model::{Attention, Kind, Operator, work};

use crate::estimate::cost::{Cost, add};

/// A machine with the rates of one data type looked up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rates<'a> {
    pub(crate) machine: &'a Machine,
    /// Bytes of an element.
    bytes: f64,
    /// 1e12 operations a second.
    tera_a_second: f64,
}

impl<'a> Rates<'a> {
    pub(crate) fn new(machine: &'a Machine, data_type: DataType) -> Self {
        Self { machine, bytes: data_type.bytes(), tera_a_second: machine.peak(data_type).0 }
    }

    /// Cost of an operator here, transfers left out.
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

    /// Time of one of `parts` equal parts of an operator, in ns: its share of operations and activations, and its share
    /// of the weights, which are divided into `slices` only.
    pub(crate) fn part_ns(&self, operator: &Operator, parts: f64, slices: f64) -> f64 {
        if operator.kind == Kind::Free {
            return 0.0;
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
