//! DMA records of BM1688 commands with full bits.

use bigtpu_chip::Slot;
use bigtpu_timeline::Track;

use super::dma::{
    BURSTS, MASKS, SHAPE, SHAPES, blanks, direction_fields, name_fields, time_fields, zeros,
};
use super::{Fields, Times, Value};
use crate::dma::DmaView;

pub(super) fn full<'a>(track: &Track<'_>, view: &DmaView<'a>, times: &Times) -> Fields<'a> {
    let mut info: Fields<'a> = Vec::with_capacity(48);
    let slot = |slot| Value::from(view.command.map_or(0, |c| c.get(slot)));
    let is_sys = view.task == 6;
    let side = |address: u64| Value::from(if is_sys { 0 } else { address });
    info.extend([
        ("mask_start_addr_h8", slot(Slot::MaskH8)),
        ("mask_start_addr_l32", slot(Slot::MaskL32)),
        ("dst_start_addr", side(view.destination())),
        ("src_start_addr", side(view.source())),
    ]);
    if is_sys {
        info.extend([("src_start_addr_h8", Value::Int(0)), ("dst_start_addr_h8", Value::Int(0))]);
    }
    info.extend(direction_fields(track, view));
    info.extend(name_fields(view));
    info.extend(time_fields(times));
    let traffic = &view.traffic;
    info.extend([
        ("Data Type", view.data_type.into()),
        ("Asic Cycle", times.cycles.into()),
        ("Stall Cycle", traffic.stall_cycles.into()),
        ("gmem_xfer_bytes(B)", traffic.global.bytes.into()),
        ("gmem_bandwidth", Value::Float(view.side_gbps.0)),
        ("gmem_dma_data_size(B)", traffic.global.bytes.into()),
        ("gmem_xact_cnt", traffic.global.transactions.into()),
        ("lmem_xfer_bytes", traffic.local.bytes.into()),
        ("lmem_bandwidth", Value::Float(view.side_gbps.1)),
        ("lmem_dma_data_size(B)", traffic.local.bytes.into()),
        ("lmem_xact_cnt", traffic.local.transactions.into()),
        ("DMA data size(B)", traffic.bytes.into()),
        ("DDR Bandwidth(GB/s)", view.ddr_gbps.into()),
    ]);
    info.extend(zeros(BURSTS));
    info.push(("L2M Bandwidth(GB/s)", view.l2_gbps.into()));
    info.extend(zeros(MASKS));
    info.extend(blanks());
    info.extend(SHAPES.map(|key| (key, SHAPE.into())));
    info
}
