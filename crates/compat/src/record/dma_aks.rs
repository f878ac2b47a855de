//! DMA records of AKS and AKSV; those of BM1688 commands known by type only are the same.

use bigtpu_chip::Slot;

use super::cell::{Cell, Cells, Varying, shared};
use super::dma::{Source, slot, time_fields};

pub(super) fn condensed<'a>(source: &Source<'_, 'a, '_>) -> Cells<'a> {
    let mut info: Cells<'a> = Vec::with_capacity(24);
    info.extend(source.direction_fields());
    info.push(("src_data_format", shared(source.kind.data_format.unwrap_or(0))));
    info.extend(source.code_fields());
    info.extend(source.name_fields());
    info.extend(time_fields());
    info.extend([
        ("Data Type", shared(source.kind.data_type)),
        ("Asic Cycle", Cell::Varies(Varying::Cycles)),
        ("Stall Cycle", Cell::Varies(Varying::Stalls)),
        ("DMA data size(B)", Cell::Varies(Varying::Bytes)),
        source.ddr_field(),
        ("gmem_xact_cnt", Cell::Varies(Varying::GlobalTransactions)),
        source.l2_field(),
        ("dst_start_addr", shared(0_u8)),
        ("src_start_addr", shared(0_u8)),
    ]);
    info
}

pub(super) fn full<'a>(source: &Source<'_, 'a, '_>) -> Cells<'a> {
    let mut info: Cells<'a> = Vec::with_capacity(24);
    info.extend([
        ("mask_start_addr_h8", slot(Slot::MaskH8)),
        ("mask_start_addr_l32", slot(Slot::MaskL32)),
        ("dst_start_addr", Cell::Varies(Varying::Destination)),
        ("src_start_addr", Cell::Varies(Varying::Source)),
    ]);
    info.extend(source.direction_fields());
    info.extend(source.name_fields());
    info.extend(time_fields());
    info.extend([
        ("Data Type", shared(source.kind.data_type)),
        ("Asic Cycle", Cell::Varies(Varying::Cycles)),
        ("Stall Cycle", Cell::Varies(Varying::Stalls)),
        ("DMA data size(B)", Cell::Varies(Varying::Bytes)),
        ("gmem_xact_cnt", Cell::Varies(Varying::GlobalTransactions)),
        source.ddr_field(),
        source.l2_field(),
    ]);
    info
}
