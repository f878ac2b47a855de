//! DMA records of BM1688, BM1684X and CV184X commands with full bits.

use bigtpu_chip::{Family, Slot};

use super::cell::{Cell, Cells, Varying, shared};
use super::dma::{BURSTS, MASKS, SHAPE, SHAPES, Source, blanks, slot, time_fields, zeros};

pub(super) fn full<'a>(source: &Source<'_, 'a, '_>) -> Cells<'a> {
    let mut info: Cells<'a> = Vec::with_capacity(48);
    let is_system = source.is_system();
    info.extend([
        ("mask_start_addr_h8", slot(Slot::MaskH8)),
        ("mask_start_addr_l32", slot(Slot::MaskL32)),
        ("dst_start_addr", source.address(Varying::Destination)),
        ("src_start_addr", source.address(Varying::Source)),
    ]);
    if is_system {
        let high = match source.command.all.profile.chip.family {
            Family::Cv184x => ["src_start_addr_h13", "dst_start_addr_h13"],
            _ => ["src_start_addr_h8", "dst_start_addr_h8"],
        };
        info.extend(high.map(|key| (key, shared(0_u8))));
    }
    info.extend(source.direction_fields());
    info.extend(source.name_fields());
    info.extend(time_fields());
    info.extend([
        ("Data Type", shared(source.kind.data_type)),
        ("Asic Cycle", Cell::Varies(Varying::Cycles)),
        ("Stall Cycle", Cell::Varies(Varying::Stalls)),
        ("gmem_xfer_bytes(B)", Cell::Varies(Varying::GlobalBytes)),
        ("gmem_bandwidth", Cell::Varies(Varying::GlobalGbps)),
        ("gmem_dma_data_size(B)", Cell::Varies(Varying::GlobalBytes)),
        ("gmem_xact_cnt", Cell::Varies(Varying::GlobalTransactions)),
        ("lmem_xfer_bytes", Cell::Varies(Varying::LocalBytes)),
        ("lmem_bandwidth", Cell::Varies(Varying::LocalGbps)),
        ("lmem_dma_data_size(B)", Cell::Varies(Varying::LocalBytes)),
        ("lmem_xact_cnt", Cell::Varies(Varying::LocalTransactions)),
        ("DMA data size(B)", Cell::Varies(Varying::Bytes)),
        source.ddr_field(),
    ]);
    info.extend(zeros(BURSTS));
    info.push(source.l2_field());
    info.extend(zeros(MASKS));
    info.extend(blanks());
    info.extend(SHAPES.map(|key| (key, shared(SHAPE))));
    info
}
