//! DMA records of CV84X6.

use bigtpu_chip::{Pmu, Slot};

use super::dma::{BURSTS, MASKS, Source, blanks, zeros};
use super::{Field, Fields, Value};

/// Thread id, AR latency and stalls of CV84X6.
fn latency_fields<'a>(source: &Source<'_, '_>) -> [Field<'a>; 3] {
    let command = &source.command;
    let latency = match command.all.profile.pmu(command.all.track, command.index) {
        Some(Pmu::Cv84x6(r)) => r.latency.get(),
        _ => 0,
    };
    [
        ("Thread Id", (latency & 1).into()),
        ("AR Latency Cycle", (latency >> 1 & 0x7_ffff).into()),
        ("Stall Cycle", source.transfer.traffic.stall_cycles.into()),
    ]
}

/// Bytes by side.
fn byte_fields<'a>(source: &Source<'_, '_>) -> [Field<'a>; 4] {
    let traffic = &source.transfer.traffic;
    [
        ("gmem_xfer_bytes(B)", traffic.global.bytes.into()),
        ("gmem_dma_data_size(B)", traffic.global.bytes.into()),
        ("lmem_xfer_bytes", traffic.local.bytes.into()),
        ("lmem_dma_data_size(B)", traffic.local.bytes.into()),
    ]
}

/// Bandwidths by side.
fn bandwidth_fields<'a>(source: &Source<'_, '_>) -> [Field<'a>; 3] {
    let (global, local) = source.side_gbps();
    [
        ("gmem_bandwidth", Value::Float(global)),
        ("lmem_bandwidth", Value::Float(local)),
        ("DDR Bandwidth(GB/s)", source.transfer.ddr_gbps().into()),
    ]
}

fn transaction_fields<'a>(source: &Source<'_, '_>) -> [Field<'a>; 2] {
    [
        ("gmem_xact_cnt", source.transfer.traffic.global.transactions.into()),
        ("lmem_xact_cnt", source.transfer.traffic.local.transactions.into()),
    ]
}

pub(super) fn condensed<'a>(source: &Source<'a, '_>) -> Fields<'a> {
    let mut info: Fields<'a> = Vec::with_capacity(48);
    let [engine, direction, from, to] = source.direction_fields();
    info.push(engine);
    info.extend(source.time_fields());
    info.push(("Asic Cycle", source.times.cycles.into()));
    info.extend([direction, from, to]);
    if let Some(format) = source.kind.data_format {
        info.push(("src_data_format", format.into()));
    }
    info.extend(source.code_fields());
    info.extend(source.name_fields());
    if source.kind.data_format.is_some() {
        info.push(("Data Type", source.kind.data_type.into()));
    }
    info.extend(latency_fields(source));
    info.push(("DMA data size(B)", source.transfer.traffic.bytes.into()));
    info.extend(byte_fields(source));
    info.extend(bandwidth_fields(source));
    info.push(("L2M Bandwidth(GB/s)", source.transfer.l2_gbps().into()));
    info.extend(transaction_fields(source));
    info.extend(zeros(BURSTS));
    info.extend(zeros(MASKS));
    info.extend([("dst_start_addr", Value::Int(0)), ("src_start_addr", Value::Int(0))]);
    info.extend(blanks());
    info
}

pub(super) fn full<'a>(source: &Source<'a, '_>) -> Fields<'a> {
    let mut info: Fields<'a> = Vec::with_capacity(56);
    let is_system = source.is_system();
    let side = |address: u64| Value::from(if is_system { 0 } else { address });
    info.extend([
        ("src_start_addr_h13", source.slot(Slot::SrcH13)),
        ("src_start_addr_l32", source.slot(Slot::SrcL32)),
        ("dst_start_addr_h13", source.slot(Slot::DstH13)),
        ("dst_start_addr_l32", source.slot(Slot::DstL32)),
        ("src_start_addr", side(source.addresses().source)),
        ("dst_start_addr", side(source.addresses().destination)),
    ]);
    info.extend(source.direction_fields());
    info.extend(source.code_fields());
    info.extend(source.name_fields());
    info.extend(source.time_fields());
    info.extend([
        ("Data Type", source.kind.data_type.into()),
        ("src_data_format", source.kind.data_format.unwrap_or(0).into()),
        ("Asic Cycle", source.times.cycles.into()),
    ]);
    info.extend(latency_fields(source));
    info.extend(byte_fields(source));
    info.push(("DMA data size(B)", source.transfer.traffic.bytes.into()));
    info.extend(bandwidth_fields(source));
    info.extend(transaction_fields(source));
    info.extend(zeros(BURSTS));
    info.push(("L2M Bandwidth(GB/s)", source.transfer.l2_gbps().into()));
    info.extend(zeros(MASKS));
    info.extend(blanks());
    info
}
