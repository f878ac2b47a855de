//! DMA records of AKS and AKSV; those of BM1688 commands known by type only are the same.

use bigtpu_chip::Slot;

use super::dma::Source;
use super::{Fields, Value};

pub(super) fn condensed<'a>(source: &Source<'a, '_>) -> Fields<'a> {
    let mut info: Fields<'a> = Vec::with_capacity(24);
    info.extend(source.direction_fields());
    info.push(("src_data_format", source.kind.data_format.unwrap_or(0).into()));
    info.extend(source.code_fields());
    info.extend(source.name_fields());
    info.extend(source.time_fields());
    info.extend([
        ("Data Type", source.kind.data_type.into()),
        ("Asic Cycle", source.times.cycles.into()),
        ("Stall Cycle", source.transfer.traffic.stall_cycles.into()),
        ("DMA data size(B)", source.transfer.traffic.bytes.into()),
        ("DDR Bandwidth(GB/s)", source.transfer.ddr_gbps().into()),
        ("gmem_xact_cnt", source.transfer.traffic.global.transactions.into()),
        ("L2M Bandwidth(GB/s)", source.transfer.l2_gbps().into()),
        ("dst_start_addr", Value::Int(0)),
        ("src_start_addr", Value::Int(0)),
    ]);
    info
}

pub(super) fn full<'a>(source: &Source<'a, '_>) -> Fields<'a> {
    let mut info: Fields<'a> = Vec::with_capacity(24);
    info.extend([
        ("mask_start_addr_h8", source.slot(Slot::MaskH8)),
        ("mask_start_addr_l32", source.slot(Slot::MaskL32)),
        ("dst_start_addr", source.addresses().destination.into()),
        ("src_start_addr", source.addresses().source.into()),
    ]);
    info.extend(source.direction_fields());
    info.extend(source.name_fields());
    info.extend(source.time_fields());
    info.extend([
        ("Data Type", source.kind.data_type.into()),
        ("Asic Cycle", source.times.cycles.into()),
        ("Stall Cycle", source.transfer.traffic.stall_cycles.into()),
        ("DMA data size(B)", source.transfer.traffic.bytes.into()),
        ("gmem_xact_cnt", source.transfer.traffic.global.transactions.into()),
        ("DDR Bandwidth(GB/s)", source.transfer.ddr_gbps().into()),
        ("L2M Bandwidth(GB/s)", source.transfer.l2_gbps().into()),
    ]);
    info
}
