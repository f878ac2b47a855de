//! Energy of an execution on a machine whose energies are known.

use bigtpu_machine::Machine;

use bigtpu_model::costs::{EnergyCost, EngineCost};

/// Energy of a mean execution. `None` where the machine shows no energy at all.
pub(crate) fn energy<'a>(
    machine: &Machine,
    engines: impl Iterator<Item = &'a EngineCost>,
    wall_ns: f64,
) -> Option<EnergyCost> {
    let mut all = EngineCost::default();
    engines.for_each(|engine| all.add(engine));
    let bits = |bytes: f64, pj_per_bit: Option<f64>| pj_per_bit.map(|pj| 8.0 * bytes * pj);
    let compute = machine.pj_per_tflop.map(|pj| all.ops * 1e-12 * pj);
    let main_mem = bits(all.ddr_bytes, machine.memory.pj_per_bit);
    let l2 = bits(all.l2m_bytes, machine.l2.pj_per_bit);
    // 1 W over 1 ns is 1 nJ.
    let idle = machine.idle_w.map(|watts| watts * wall_ns * 1e3);
    if [compute, main_mem, l2, idle].iter().all(Option::is_none) {
        return None;
    }
    let total = compute
        .zip(main_mem)
        .map(|(compute, memory)| compute + memory + l2.unwrap_or(0.0) + idle.unwrap_or(0.0));
    Some(EnergyCost { compute, main_mem, l2, idle, total })
}
