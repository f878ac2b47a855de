//! DMA records of CV84X6.

use bigtpu_chip::Slot;
use bigtpu_timeline::{Profile, Track};

use super::dma::{
    BURSTS, MASKS, blanks, code_fields, direction_fields, name_fields, time_fields, zeros,
};
use super::{Field, Fields, Times, Value};
use crate::dma::DmaView;

/// Thread id, AR latency and stalls of CV84X6.
fn latency_fields<'a>(
    profile: &Profile<'_>,
    track: &Track<'_>,
    i: usize,
    view: &DmaView<'a>,
) -> [Field<'a>; 3] {
    let latency = match profile.pmu(track, i) {
        Some(bigtpu_chip::Pmu::Cv84x6(r)) => r.latency.get(),
        _ => 0,
    };
    [
        ("Thread Id", (latency & 1).into()),
        ("AR Latency Cycle", (latency >> 1 & 0x7_ffff).into()),
        ("Stall Cycle", view.traffic.stall_cycles.into()),
    ]
}

/// Bytes by side.
fn byte_fields<'a>(view: &DmaView<'a>) -> [Field<'a>; 4] {
    let traffic = &view.traffic;
    [
        ("gmem_xfer_bytes(B)", traffic.global.bytes.into()),
        ("gmem_dma_data_size(B)", traffic.global.bytes.into()),
        ("lmem_xfer_bytes", traffic.local.bytes.into()),
        ("lmem_dma_data_size(B)", traffic.local.bytes.into()),
    ]
}

/// Bandwidths by side.
fn bandwidth_fields<'a>(view: &DmaView<'a>) -> [Field<'a>; 3] {
    [
        ("gmem_bandwidth", Value::Float(view.side_gbps.0)),
        ("lmem_bandwidth", Value::Float(view.side_gbps.1)),
        ("DDR Bandwidth(GB/s)", view.ddr_gbps.into()),
    ]
}

fn transaction_fields<'a>(view: &DmaView<'a>) -> [Field<'a>; 2] {
    [
        ("gmem_xact_cnt", view.traffic.global.transactions.into()),
        ("lmem_xact_cnt", view.traffic.local.transactions.into()),
    ]
}

pub(super) fn condensed<'a>(
    profile: &Profile<'_>,
    track: &Track<'_>,
    i: usize,
    view: &DmaView<'a>,
    times: &Times,
) -> Fields<'a> {
    let mut info: Fields<'a> = Vec::with_capacity(48);
    let [engine, direction, from, to] = direction_fields(track, view);
    info.push(engine);
    info.extend(time_fields(times));
    info.push(("Asic Cycle", times.cycles.into()));
    info.extend([direction, from, to]);
    if let Some(format) = view.data_format {
        info.push(("src_data_format", format.into()));
    }
    info.extend(code_fields(view));
    info.extend(name_fields(view));
    if view.data_format.is_some() {
        info.push(("Data Type", view.data_type.into()));
    }
    info.extend(latency_fields(profile, track, i, view));
    info.push(("DMA data size(B)", view.traffic.bytes.into()));
    info.extend(byte_fields(view));
    info.extend(bandwidth_fields(view));
    info.push(("L2M Bandwidth(GB/s)", view.l2_gbps.into()));
    info.extend(transaction_fields(view));
    info.extend(zeros(BURSTS));
    info.extend(zeros(MASKS));
    info.extend([("dst_start_addr", Value::Int(0)), ("src_start_addr", Value::Int(0))]);
    info.extend(blanks());
    info
}

pub(super) fn full<'a>(
    profile: &Profile<'_>,
    track: &Track<'_>,
    i: usize,
    view: &DmaView<'a>,
    times: &Times,
) -> Fields<'a> {
    let mut info: Fields<'a> = Vec::with_capacity(56);
    let is_sys = view.task == profile.chip.system.dma;
    let slot = |slot| Value::from(view.command.map_or(0, |c| c.get(slot)));
    let side = |address: u64| Value::from(if is_sys { 0 } else { address });
    info.extend([
        ("src_start_addr_h13", slot(Slot::SrcH13)),
        ("src_start_addr_l32", slot(Slot::SrcL32)),
        ("dst_start_addr_h13", slot(Slot::DstH13)),
        ("dst_start_addr_l32", slot(Slot::DstL32)),
        ("src_start_addr", side(view.source())),
        ("dst_start_addr", side(view.destination())),
    ]);
    info.extend(direction_fields(track, view));
    info.extend(code_fields(view));
    info.extend(name_fields(view));
    info.extend(time_fields(times));
    info.extend([
        ("Data Type", view.data_type.into()),
        ("src_data_format", view.data_format.unwrap_or(0).into()),
        ("Asic Cycle", times.cycles.into()),
    ]);
    info.extend(latency_fields(profile, track, i, view));
    info.extend(byte_fields(view));
    info.push(("DMA data size(B)", view.traffic.bytes.into()));
    info.extend(bandwidth_fields(view));
    info.extend(transaction_fields(view));
    info.extend(zeros(BURSTS));
    info.push(("L2M Bandwidth(GB/s)", view.l2_gbps.into()));
    info.extend(zeros(MASKS));
    info.extend(blanks());
    info
}
