//! Keys of a machine's description: one table.

use crate::data_type::DataType;
use crate::machine::Machine;

/// What a key sets.
#[derive(Clone, Copy)]
pub(crate) enum Key {
    /// A rate, an energy, a latency or a size.
    Number {
        /// Whether 0 makes sense.
        zero: bool,
        /// Sets it.
        set: fn(&mut Machine, f64),
    },
    /// A whole number.
    Count(fn(&mut Machine, u32)),
    /// Peak of a data type.
    Peak(DataType),
    /// Where the numbers come from.
    Sources,
}

const fn rate(set: fn(&mut Machine, f64)) -> Key {
    Key::Number { zero: false, set }
}

const fn cost(set: fn(&mut Machine, f64)) -> Key {
    Key::Number { zero: true, set }
}

/// Keys that a file must have, in the order in which the UPMEM LLM framework documents them.
const REQUIRED: [(&str, Key); 8] = [
    ("host_to_device_bw_GBs", rate(|m, x| m.host_to_device.gbps = Some(x))),
    ("device_to_host_bw_GBs", rate(|m, x| m.device_to_host.gbps = Some(x))),
    ("host_to_device_pj_per_bit", cost(|m, x| m.host_to_device.pj_per_bit = Some(x))),
    ("device_to_host_pj_per_bit", cost(|m, x| m.device_to_host.pj_per_bit = Some(x))),
    ("mem_bw_GBs", rate(|m, x| m.memory.gbps = Some(x))),
    ("mem_pj_per_bit", cost(|m, x| m.memory.pj_per_bit = Some(x))),
    ("tflops", rate(|m, x| m.tflops = x)),
    ("pj_per_tflop", cost(|m, x| m.pj_per_tflop = Some(x))),
];

/// Keys that a file may have.
const OPTIONAL: [(&str, Key); 30] = [
    ("tflops_fp64", Key::Peak(DataType::Bits64)),
    ("tflops_fp32", Key::Peak(DataType::Fp32)),
    ("tflops_tf32", Key::Peak(DataType::Tf32)),
    ("tflops_int32", Key::Peak(DataType::Int32)),
    ("tflops_fp16", Key::Peak(DataType::Fp16)),
    ("tflops_bf16", Key::Peak(DataType::Bf16)),
    ("tflops_int16", Key::Peak(DataType::Int16)),
    ("tflops_fp8", Key::Peak(DataType::Fp8)),
    ("tflops_int8", Key::Peak(DataType::Int8)),
    ("tflops_int4", Key::Peak(DataType::Int4)),
    ("softmax_ns_per_element", cost(|m, x| m.element_ns.softmax = Some(x))),
    ("SiLU_ns_per_element", cost(|m, x| m.element_ns.silu = Some(x))),
    ("RMSNorm_ns_per_element", cost(|m, x| m.element_ns.rms_norm = Some(x))),
    ("l2_bw_GBs", rate(|m, x| m.l2.gbps = Some(x))),
    ("l2_pj_per_bit", cost(|m, x| m.l2.pj_per_bit = Some(x))),
    ("l2_bytes", rate(|m, x| m.l2_bytes = Some(x as u64))),
    ("c2c_bw_GBs", rate(|m, x| m.chip_to_chip.gbps = Some(x))),
    ("c2c_pj_per_bit", cost(|m, x| m.chip_to_chip.pj_per_bit = Some(x))),
    ("c2c_latency_ns", cost(|m, x| m.chip_to_chip.latency_ns = x)),
    ("mem_latency_ns", cost(|m, x| m.memory.latency_ns = x)),
    ("l2_latency_ns", cost(|m, x| m.l2.latency_ns = x)),
    ("host_to_device_latency_ns", cost(|m, x| m.host_to_device.latency_ns = x)),
    ("device_to_host_latency_ns", cost(|m, x| m.device_to_host.latency_ns = x)),
    ("launch_ns", cost(|m, x| m.launch_ns = x)),
    ("idle_w", cost(|m, x| m.idle_w = Some(x))),
    ("mem_bytes", rate(|m, x| m.memory_bytes = Some(x as u64))),
    ("cores", Key::Count(|m, n| m.cores = n)),
    ("chips", Key::Count(|m, n| m.chips = n)),
    ("sources", Key::Sources),
    ("source", Key::Sources),
];

fn all() -> impl Iterator<Item = &'static (&'static str, Key)> {
    REQUIRED.iter().chain(&OPTIONAL)
}

pub(crate) fn find(key: &str) -> Option<Key> {
    all().find(|(name, _)| *name == key).map(|(_, key)| *key)
}

pub(crate) fn is_known(key: &str) -> bool {
    find(key).is_some()
}

pub(crate) fn may_be_zero(key: &str) -> bool {
    matches!(find(key), Some(Key::Number { zero: true, .. }))
}

pub(crate) fn required() -> impl Iterator<Item = &'static str> {
    REQUIRED.iter().map(|(name, _)| *name)
}

/// The known key that is the fewest edits away.
pub(crate) fn nearest(key: &str) -> &'static str {
    let lower = key.to_lowercase();
    let far = |name: &str| strsim::damerau_levenshtein(&lower, &name.to_lowercase());
    all().map(|(name, _)| *name).min_by_key(|name| far(name)).unwrap_or("")
}
