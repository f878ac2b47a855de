//! DMA records of BM1688, BM1684X and CV184X commands with full bits.

use bigtpu_chip::{Family, Slot};

use super::dma::{BURSTS, MASKS, SHAPE, SHAPES, Source, blanks, zeros};
use super::{Fields, Value};

pub(super) fn full<'a>(source: &Source<'a, '_>) -> Fields<'a> {
    let mut info: Fields<'a> = Vec::with_capacity(48);
    let is_system = source.is_system();
    let side = |address: u64| Value::from(if is_system { 0 } else { address });
    info.extend([
        ("mask_start_addr_h8", source.slot(Slot::MaskH8)),
        ("mask_start_addr_l32", source.slot(Slot::MaskL32)),
        ("dst_start_addr", side(source.addresses().destination)),
        ("src_start_addr", side(source.addresses().source)),
    ]);
    if is_system {
        let high = match source.command.all.profile.chip.family {
            Family::Cv184x => ["src_start_addr_h13", "dst_start_addr_h13"],
            _ => ["src_start_addr_h8", "dst_start_addr_h8"],
        };
        info.extend(high.map(|key| (key, Value::Int(0))));
    }
    info.extend(source.direction_fields());
    info.extend(source.name_fields());
    info.extend(source.time_fields());
    let traffic = &source.transfer.traffic;
    let (global, local) = source.side_gbps();
    info.extend([
        ("Data Type", source.kind.data_type.into()),
        ("Asic Cycle", source.times.cycles.into()),
        ("Stall Cycle", traffic.stall_cycles.into()),
        ("gmem_xfer_bytes(B)", traffic.global.bytes.into()),
        ("gmem_bandwidth", Value::Float(global)),
        ("gmem_dma_data_size(B)", traffic.global.bytes.into()),
        ("gmem_xact_cnt", traffic.global.transactions.into()),
        ("lmem_xfer_bytes", traffic.local.bytes.into()),
        ("lmem_bandwidth", Value::Float(local)),
        ("lmem_dma_data_size(B)", traffic.local.bytes.into()),
        ("lmem_xact_cnt", traffic.local.transactions.into()),
        ("DMA data size(B)", traffic.bytes.into()),
        ("DDR Bandwidth(GB/s)", source.transfer.ddr_gbps().into()),
    ]);
    info.extend(zeros(BURSTS));
    info.push(("L2M Bandwidth(GB/s)", source.transfer.l2_gbps().into()));
    info.extend(zeros(MASKS));
    info.extend(blanks());
    info.extend(SHAPES.map(|key| (key, SHAPE.into())));
    info
}
