//! What a descriptor's fields say: shapes, strides, types and addresses, by the names of the registers' fields.
//!
//! Each chip's registers have some of them; what a register lacks is left out.

use bigtpu_chip::{Chip, Family, Memory};

use crate::kernel::{Shape, Step};

/// Where a buffer starts in a lane's local memory: each has a bank of its own, as far as there are banks.
fn local_address(chip: &Chip, buffer: u8, odd: bool) -> u64 {
    let bits = |key| chip.arch_number(key).map_or(14, |bits| bits as u32);
    let bank = 1u64 << bits("Tpu Bank Addr Width(bits)");
    let lane = 1u64 << bits("Tpu Lmem Addr Width(bits)");
    (u64::from(buffer) * 2 + u64::from(odd)) * bank % lane
}

/// Sets the fields of a TIU command.
pub(crate) fn tiu_fields(chip: &Chip, step: &Step, odd: bool, set: &mut impl FnMut(&str, u64)) {
    let Shape { n, c, h, w, k, window } = step.shape;
    let [n, c, h, w, k, window] = [n, c, h, w, k, window].map(u64::from);
    let precision = u64::from(step.data_type);
    for field in ["opt_res0_prec", "opt_opd0_prec", "opt_opd1_prec", "opt_opd2_prec"] {
        set(field, precision);
    }
    set("res0_n", n);
    set("res0_c", c);
    set("res0_h", h);
    set("res0_w", w);
    match step.code {
        // Products: nn has opd1 as k x n, nt as n x k.
        (2, 5) => [("opd1_c", k), ("opd1_w", w)].map(|(name, value)| set(name, value)),
        (2, _) => [("opd1_c", w), ("opd1_w", k)].map(|(name, value)| set(name, value)),
        // Convolutions and pools: windows, and an input that they fit.
        _ => [("opd1_h", window), ("opd1_w", window)].map(|(name, value)| set(name, value)),
    };
    set("opd0_n", n);
    set("opd0_c", k);
    set("opd0_h", h + window - 1);
    set("opd0_w", w + window - 1);
    set("opd1_n", 8);
    set("opt_opd2_const", 1);
    set("opt_opd5_const", 1);
    set("tsk_opd_num", 2);
    for (operand, strides) in
        [("res0", [c * h * w, h * w, w, 1]), ("opd0", [c * h * w, h * w, w, 1])]
    {
        for (axis, stride) in ["n", "c", "h", "w"].into_iter().zip(strides) {
            set(&format!("{operand}_{axis}_str"), stride.min(0xffff));
        }
    }
    let place = |buffer: Option<u8>| local_address(chip, buffer.unwrap_or(0), odd);
    set("res0_addr", place(step.writes));
    for (operand, buffer) in ["opd0_addr", "opd1_addr"].into_iter().zip(step.reads) {
        set(operand, place(Some(*buffer)));
    }
}

/// Sets the fields of a transfer.
pub(crate) fn dma_fields(chip: &Chip, step: &Step, odd: bool, set: &mut impl FnMut(&str, u64)) {
    let Shape { n, c, h, w, .. } = step.shape;
    let [n, c, h, w] = [n, c, h, w].map(u64::from);
    set("stride_enable", 1);
    set("src_data_format", step.data_type.into());
    for side in ["src", "dst"] {
        for (axis, size) in [("n", n), ("c", c), ("h", h), ("w", w)] {
            set(&format!("{side}_{axis}size"), size);
        }
        for (axis, stride) in [("n", c * h * w), ("c", h * w), ("h", w), ("w", 1)] {
            set(&format!("{side}_{axis}stride"), stride);
        }
    }
    for (side, memory, buffer) in
        [("src", step.sides.0, step.reads.first().copied()), ("dst", step.sides.1, step.writes)]
    {
        let local = local_address(chip, buffer.unwrap_or(0), odd);
        let low = if memory == Memory::Ddr { 0 } else { local };
        set(&format!("{side}_start_addr_l32"), low);
        let high = high_address(chip.family, memory);
        for field in ["h13", "h8"] {
            set(&format!("{side}_start_addr_{field}"), high);
        }
    }
}

/// The address bits above 32, with the memory's tag (section 4.3).
fn high_address(family: Family, memory: Memory) -> u64 {
    /// DDR starts behind the first 4 GiB.
    const DDR: u64 = 1;
    match (family, memory) {
        (Family::Aks | Family::Cv84x6, Memory::L2m | Memory::L2) => 30 << 8,
        (Family::Aks, Memory::Lmem) => 31 << 8,
        (Family::Aks, _) => DDR,
        (Family::Bm1684x | Family::Bm1688 | Family::Cv184x | Family::Cv84x6, Memory::Lmem) => 0,
        (Family::Bm1684x | Family::Bm1688, _) => 1 << 7 | DDR,
        (Family::Cv184x | Family::Cv84x6, _) => 1 << 8 | DDR,
    }
}
