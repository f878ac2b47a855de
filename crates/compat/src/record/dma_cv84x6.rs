//! DMA records of CV84X6.

use bigtpu_chip::Slot;

use super::cell::{Cell, CellField, Cells, Varying, shared};
use super::dma::{BURSTS, MASKS, Source, blanks, slot, time_fields, zeros};

/// Thread id, AR latency and stalls of CV84X6.
fn latency_fields<'a>() -> [CellField<'a>; 3] {
    [
        ("Thread Id", Cell::Varies(Varying::DmaThread)),
        ("AR Latency Cycle", Cell::Varies(Varying::Latency)),
        ("Stall Cycle", Cell::Varies(Varying::Stalls)),
    ]
}

/// Bytes by side.
fn byte_fields<'a>() -> [CellField<'a>; 4] {
    [
        ("gmem_xfer_bytes(B)", Cell::Varies(Varying::GlobalBytes)),
        ("gmem_dma_data_size(B)", Cell::Varies(Varying::GlobalBytes)),
        ("lmem_xfer_bytes", Cell::Varies(Varying::LocalBytes)),
        ("lmem_dma_data_size(B)", Cell::Varies(Varying::LocalBytes)),
    ]
}

/// Bandwidths by side.
fn bandwidth_fields<'a>(source: &Source<'_, 'a, '_>) -> [CellField<'a>; 3] {
    [
        ("gmem_bandwidth", Cell::Varies(Varying::GlobalGbps)),
        ("lmem_bandwidth", Cell::Varies(Varying::LocalGbps)),
        source.ddr_field(),
    ]
}

fn transaction_fields<'a>() -> [CellField<'a>; 2] {
    [
        ("gmem_xact_cnt", Cell::Varies(Varying::GlobalTransactions)),
        ("lmem_xact_cnt", Cell::Varies(Varying::LocalTransactions)),
    ]
}

pub(super) fn condensed<'a>(source: &Source<'_, 'a, '_>) -> Cells<'a> {
    let mut info: Cells<'a> = Vec::with_capacity(48);
    let [engine, direction, from, to] = source.direction_fields();
    info.push(engine);
    info.extend(time_fields());
    info.push(("Asic Cycle", Cell::Varies(Varying::Cycles)));
    info.extend([direction, from, to]);
    if let Some(format) = source.kind.data_format {
        info.push(("src_data_format", shared(format)));
    }
    info.extend(source.code_fields());
    info.extend(source.name_fields());
    if source.kind.data_format.is_some() {
        info.push(("Data Type", shared(source.kind.data_type)));
    }
    info.extend(latency_fields());
    info.push(("DMA data size(B)", Cell::Varies(Varying::Bytes)));
    info.extend(byte_fields());
    info.extend(bandwidth_fields(source));
    info.push(source.l2_field());
    info.extend(transaction_fields());
    info.extend(zeros(BURSTS));
    info.extend(zeros(MASKS));
    info.extend([("dst_start_addr", shared(0_u8)), ("src_start_addr", shared(0_u8))]);
    info.extend(blanks());
    info
}

pub(super) fn full<'a>(source: &Source<'_, 'a, '_>) -> Cells<'a> {
    let mut info: Cells<'a> = Vec::with_capacity(56);
    info.extend([
        ("src_start_addr_h13", slot(Slot::SrcH13)),
        ("src_start_addr_l32", slot(Slot::SrcL32)),
        ("dst_start_addr_h13", slot(Slot::DstH13)),
        ("dst_start_addr_l32", slot(Slot::DstL32)),
        ("src_start_addr", source.address(Varying::Source)),
        ("dst_start_addr", source.address(Varying::Destination)),
    ]);
    info.extend(source.direction_fields());
    info.extend(source.code_fields());
    info.extend(source.name_fields());
    info.extend(time_fields());
    info.extend([
        ("Data Type", shared(source.kind.data_type)),
        ("src_data_format", shared(source.kind.data_format.unwrap_or(0))),
        ("Asic Cycle", Cell::Varies(Varying::Cycles)),
    ]);
    info.extend(latency_fields());
    info.extend(byte_fields());
    info.push(("DMA data size(B)", Cell::Varies(Varying::Bytes)));
    info.extend(bandwidth_fields(source));
    info.extend(transaction_fields());
    info.extend(zeros(BURSTS));
    info.push(source.l2_field());
    info.extend(zeros(MASKS));
    info.extend(blanks());
    info
}
