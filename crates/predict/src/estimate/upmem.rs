//! The formulas of the UPMEM LLM framework, including its errors, to compare with its results.
//!
//! Where they differ from what an operator does, [`crate::estimate::rates`] says what is right.

use bigtpu_machine::{DataType, Machine};

use crate::estimate::cost::{Cost, add};
use bigtpu_model::Attention;
use bigtpu_model::{Operator, elements, from_last};

/// Operations of one element of a function, in 1e12.
const TERA_PER_ELEMENT: f64 = 1500e-12;
/// Bytes of a cached element, whatever the data type.
const CACHED_BYTES: f64 = 2.0;

/// What the formulas need next to the operator.
pub(crate) struct Scene<'a> {
    pub(crate) machine: &'a Machine,
    pub(crate) data_type: DataType,
    pub(crate) attention: Attention,
    /// Rows in the cache of keys and values; `None` in the first pass.
    pub(crate) past: Option<f64>,
}

/// Product of the last four dimensions.
pub(crate) fn volume(shape: &[u64]) -> f64 {
    elements(shape.get(shape.len().saturating_sub(4)..).unwrap_or(shape))
}

/// Whether a name is that of a layer, in contrast to a function: classes begin with a capital letter. The framework puts
/// `UPM_` before each class that it records; lists by hand have the class alone.
pub(crate) fn is_layer(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
}

/// Under which name a mapping finds an operator.
pub(crate) fn mapping_key(operator: &Operator) -> &str {
    let by_name = !is_layer(&operator.name)
        || operator.name.contains("SiLU")
        || operator.name.contains("RMSNorm");
    if by_name { &operator.name } else { &operator.context }
}

/// Cost of an operator on the machine that it runs on, transfers left out.
pub(crate) fn cost(operator: &Operator, scene: &Scene<'_>) -> Cost {
    let Operator { name, input, weights, .. } = operator;
    let bytes = scene.data_type.bytes();
    let times = scene.machine.element_ns;
    match name.as_str() {
        "softmax" => scene.by_element(volume(input), times.softmax.unwrap_or(0.4)),
        "matmul" => scene.matmul(operator),
        "scaled_dot_product_attention" => scene.attention(operator),
        _ if name.contains("SiLU") => scene.by_element(volume(input), times.silu.unwrap_or(0.6)),
        _ if name.contains("RMSNorm") => {
            scene.by_element(volume(input), times.rms_norm.unwrap_or(1.1))
        }
        _ if name.contains("LayerNorm") => scene.roofline(volume(input) * TERA_PER_ELEMENT, bytes),
        _ if name.contains("Conv2d") => {
            let window = elements(weights);
            let [down, across] = operator.stride.map(|step| step as f64);
            let width = from_last(input, 0) + 2.0 * operator.padding[1] as f64;
            let channels = elements(input.get(..2).unwrap_or(input));
            let steps = ((width - 1.0) / across).ceil() * ((width - 1.0) / down).ceil();
            scene.roofline(2.0 * channels * window * steps * 1e-12, bytes * window)
        }
        _ => {
            let rows = weights.first().map_or(1.0, |&size| size as f64);
            scene.roofline(elements(input) * rows * 2e-12, bytes * elements(weights))
        }
    }
}

impl Scene<'_> {
    fn tera_a_second(&self) -> f64 {
        match self.data_type {
            DataType::Int4 => self.machine.peaks.get(&DataType::Int4).copied(),
            _ => None,
        }
        .unwrap_or(self.machine.tflops)
    }

    fn bytes_a_ns(&self) -> f64 {
        self.machine.memory.gbps.unwrap_or(1.0)
    }

    fn roofline(&self, tera: f64, bytes: f64) -> Cost {
        let mut cost = Cost { operations: tera * 1e12, ..Cost::default() };
        cost.time_ns = self.add_roofline(&mut cost, tera, bytes);
        cost
    }

    /// Adds both parts to a cost and returns the time, which is the greater one.
    fn add_roofline(&self, cost: &mut Cost, tera: f64, bytes: f64) -> f64 {
        let compute = tera / self.tera_a_second() * 1e9;
        let memory = bytes / self.bytes_a_ns();
        add(&mut cost.time.compute, compute);
        add(&mut cost.time.mem_transfer, memory);
        if let Some(pj) = self.machine.pj_per_tflop {
            add(&mut cost.energy.compute, tera * pj);
        }
        self.add_memory(cost, bytes);
        compute.max(memory)
    }

    fn add_memory(&self, cost: &mut Cost, bytes: f64) {
        cost.memory_bytes += bytes;
        if let Some(pj) = self.machine.memory.pj_per_bit {
            add(&mut cost.energy.main_mem, 8.0 * bytes * pj);
        }
    }

    fn by_element(&self, count: f64, ns: f64) -> Cost {
        let mut cost = Cost {
            time_ns: count * ns,
            operations: count * TERA_PER_ELEMENT * 1e12,
            ..Cost::default()
        };
        cost.time.compute = Some(cost.time_ns);
        cost.energy.compute = self.machine.pj_per_tflop.map(|pj| count * TERA_PER_ELEMENT * pj);
        cost
    }

    /// Adds a load of the cache and returns its time.
    fn add_cache(&self, cost: &mut Cost, bytes: f64) -> f64 {
        let time = bytes / self.bytes_a_ns();
        add(&mut cost.time.kv_load, time);
        self.add_memory(cost, bytes);
        time
    }

    fn matmul(&self, operator: &Operator) -> Cost {
        let Operator { input, output, .. } = operator;
        let mut cost = Cost::default();
        let first = output.first().map_or(1.0, |&size| size as f64);
        if let (Some(past), "attn_weights") = (self.past, operator.context.as_str()) {
            let recorded = if input.len() > 3 { from_last(input, 2) } else { 1.0 };
            let heads = self.attention.kv_heads.map_or(recorded, f64::from);
            let batch = input.first().map_or(1.0, |&size| size as f64);
            let loaded = 2.0 * batch * heads * past * CACHED_BYTES * from_last(input, 0);
            cost.time_ns += self.add_cache(&mut cost, loaded);
        }
        let tera = elements(input) * first * 2e-12;
        cost.operations = tera * 1e12;
        cost.time_ns += self.add_roofline(&mut cost, tera, 0.0);
        cost
    }

    fn attention(&self, operator: &Operator) -> Cost {
        let key = &operator.input;
        let (columns, rows, mut heads) = (from_last(key, 0), from_last(key, 1), from_last(key, 2));
        let batch = from_last(key, 3);
        if self.past.is_some() {
            heads = self.attention.kv_heads.map_or(heads, f64::from);
        }
        let tera = batch * heads * from_last(&operator.output, 1) * columns * batch * 2e-12;
        let mut cost = Cost { operations: 2.0 * tera * 1e12, ..Cost::default() };
        for _product in 0..2 {
            let mut time = self.add_roofline(&mut cost, tera, 0.0);
            if self.past.is_some() {
                let rows = self.attention.window.map_or(rows, f64::from);
                let loaded = CACHED_BYTES * batch * heads * rows * columns;
                time = time.max(self.add_cache(&mut cost, loaded));
            }
            cost.time_ns += time;
        }
        cost
    }
}
