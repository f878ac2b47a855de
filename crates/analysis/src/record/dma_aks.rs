//! DMA records of AKS and AKSV; those of BM1688 commands known by type only are the same.

use bigtpu_chip::Slot;
use bigtpu_timeline::Track;

use super::dma::{code_fields, direction_fields, name_fields, time_fields};
use super::{Fields, Times, Value};
use crate::dma::DmaView;

pub(super) fn condensed<'a>(track: &Track<'_>, view: &DmaView<'a>, times: &Times) -> Fields<'a> {
    let mut info: Fields<'a> = Vec::with_capacity(24);
    info.extend(direction_fields(track, view));
    info.push(("src_data_format", view.data_format.unwrap_or(0).into()));
    info.extend(code_fields(view));
    info.extend(name_fields(view));
    info.extend(time_fields(times));
    info.extend([
        ("Data Type", view.data_type.into()),
        ("Asic Cycle", times.cycles.into()),
        ("Stall Cycle", view.traffic.stall_cycles.into()),
        ("DMA data size(B)", view.traffic.bytes.into()),
        ("DDR Bandwidth(GB/s)", view.ddr_gbps.into()),
        ("gmem_xact_cnt", view.traffic.global.transactions.into()),
        ("L2M Bandwidth(GB/s)", view.l2_gbps.into()),
        ("dst_start_addr", Value::Int(0)),
        ("src_start_addr", Value::Int(0)),
    ]);
    info
}

pub(super) fn full<'a>(track: &Track<'_>, view: &DmaView<'a>, times: &Times) -> Fields<'a> {
    let mut info: Fields<'a> = Vec::with_capacity(24);
    let slot = |slot| Value::from(view.command.map_or(0, |c| c.get(slot)));
    info.extend([
        ("mask_start_addr_h8", slot(Slot::MaskH8)),
        ("mask_start_addr_l32", slot(Slot::MaskL32)),
        ("dst_start_addr", view.destination().into()),
        ("src_start_addr", view.source().into()),
    ]);
    info.extend(direction_fields(track, view));
    info.extend(name_fields(view));
    info.extend(time_fields(times));
    info.extend([
        ("Data Type", view.data_type.into()),
        ("Asic Cycle", times.cycles.into()),
        ("Stall Cycle", view.traffic.stall_cycles.into()),
        ("DMA data size(B)", view.traffic.bytes.into()),
        ("gmem_xact_cnt", view.traffic.global.transactions.into()),
        ("DDR Bandwidth(GB/s)", view.ddr_gbps.into()),
        ("L2M Bandwidth(GB/s)", view.l2_gbps.into()),
    ]);
    info
}
