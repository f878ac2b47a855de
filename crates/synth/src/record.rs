//! PMU records of commands that ran, in each chip's layout (section 2).

use bigtpu_chip::{Chip, Engine, Family, Memory};
use bigtpu_format::{
    CdmaRecord, DmaRecord, DmaWideRecord, TiuRecord, TiuWideRecord, U16, U32, record_bytes,
};

use crate::clock::Clock;
use crate::launch::Issue;

/// Bytes of an engine's record.
pub(crate) fn length(chip: &Chip, engine: Engine) -> usize {
    match engine {
        Engine::Tiu => chip.record_bytes.0,
        Engine::Gdma | Engine::Sdma => chip.record_bytes.1,
        Engine::Cdma => size_of::<CdmaRecord>(),
    }
}

/// Bytes that the bus moves with a beat.
const BEAT_BYTES: u32 = 128;

/// Appends the record of a command.
pub(crate) fn append(chip: &Chip, clock: &Clock, issue: &Issue<'_>, to: &mut Vec<u8>) {
    let engine = issue.template.step.engine;
    let start = U32::new(clock.cycles(engine, issue.start));
    let end = U32::new(clock.cycles(engine, issue.end));
    match (engine, chip.family) {
        (Engine::Tiu, Family::Bm1688) => {
            let mut rest = [0; 22];
            // Load: nothing is derived from it.
            rest[..4].copy_from_slice(&(issue.noise >> 12).to_le_bytes());
            // The PMU keeps 16 bits of the id.
            let id = U16::new(issue.id as u16);
            to.extend_from_slice(record_bytes(&TiuWideRecord { start, end, id, rest }));
        }
        (Engine::Tiu, family) => {
            let flags = tiu_flags(family, issue);
            let record = TiuRecord { start, end, id: issue.id.into(), flags: flags.into() };
            to.extend_from_slice(record_bytes(&record));
        }
        (Engine::Gdma | Engine::Sdma, Family::Bm1688) => {
            let record = wide_dma(issue);
            let record = DmaWideRecord { start, end, id: (issue.id & 0xf_ffff).into(), ..record };
            to.extend_from_slice(record_bytes(&record));
        }
        (Engine::Gdma | Engine::Sdma, _) => {
            let record = DmaRecord { start, end, id: issue.id.into(), ..dma(issue) };
            to.extend_from_slice(record_bytes(&record));
        }
        (Engine::Cdma, _) => {
            // Ids of ports count from 1.
            let id = ((issue.id + 1) & 0xff_ffff).into();
            let record = CdmaRecord { start, end, id, ..cdma(issue) };
            to.extend_from_slice(record_bytes(&record));
        }
    }
}

/// Bank conflicts, and the mark of system commands.
fn tiu_flags(family: Family, issue: &Issue<'_>) -> u32 {
    const SYSTEM: u32 = 2;
    let random = if issue.noise & 3 == 0 { issue.noise >> 8 & 63 } else { 0 };
    let conflicts = match issue.template.lost.0 {
        0 => random,
        planted => planted,
    };
    match family {
        Family::Cv84x6 => conflicts << 1,
        _ if issue.template.is_system => SYSTEM,
        // One conflict would look like a system command.
        _ => conflicts.saturating_sub(1) << 2,
    }
}

fn sides(issue: &Issue<'_>) -> (bool, bool) {
    let (from, to) = issue.template.step.sides;
    (from == Memory::Lmem, to == Memory::Lmem)
}

fn dma(issue: &Issue<'_>) -> DmaRecord {
    let bytes = issue.template.bytes;
    if bytes == 0 {
        return DmaRecord::default();
    }
    let beats = U32::new(bytes.div_ceil(BEAT_BYTES));
    let (from_local, to_local) = sides(issue);
    let zero = U32::new(0);
    let when = |condition: bool, value: U32| if condition { value } else { zero };
    let latency = 70 + (issue.noise & 0xff);
    DmaRecord {
        latency: (latency << 1 | 9 << 20).into(),
        gif_wr_rd_stall: (issue.noise >> 8 & 0xff).into(),
        axi_d0_w: when(!to_local, bytes.into()),
        axi_d0_ar: when(!from_local, beats),
        axi_d0_aw: when(!to_local, beats),
        axi_d0_wr_stall: when(!to_local, (issue.noise >> 16 & 0x3f).into()),
        axi_d0_rd_stall: when(!from_local, (issue.noise >> 16 & 0x3f).into()),
        gif_mem_w: when(to_local, bytes.into()),
        gif_mem_ar: when(from_local, bytes.into()),
        axi_d0_wr_valid: when(!to_local, beats),
        axi_d0_rd_valid: when(!from_local, beats),
        gif_wr_valid: when(to_local, beats),
        gif_rd_valid: when(from_local, beats),
        ..DmaRecord::default()
    }
}

fn wide_dma(issue: &Issue<'_>) -> DmaWideRecord {
    let bytes = issue.template.bytes;
    let mut record = DmaWideRecord::default();
    if bytes == 0 {
        return record;
    }
    let (from_local, to_local) = sides(issue);
    let beats = U32::new(bytes.div_ceil(BEAT_BYTES));
    // aw, wr and ar of d0 and fmem: what is read on one side is written on the other.
    let [d0_aw, d0_wr, d0_ar, _, _, _, fmem_aw, fmem_wr, fmem_ar, ..] = &mut record.bytes;
    *(if from_local { fmem_ar } else { d0_ar }) = bytes.into();
    let (aw, wr) = if to_local { (fmem_aw, fmem_wr) } else { (d0_aw, d0_wr) };
    (*aw, *wr) = (bytes.into(), bytes.into());
    let [d0_wr, d0_rd, _, _, fmem_wr, fmem_rd, ..] = &mut record.valid;
    *(if from_local { fmem_rd } else { d0_rd }) = beats;
    *(if to_local { fmem_wr } else { d0_wr }) = beats;
    let [.., fmem_wr_stall, _, _, _] = &mut record.stall;
    *fmem_wr_stall = (issue.noise >> 8 & 0xff).into();
    record
}

fn cdma(issue: &Issue<'_>) -> CdmaRecord {
    let bytes = issue.template.bytes;
    let beats = U32::new(bytes / BEAT_BYTES);
    let sends = issue.template.step.code.0 == 0;
    let zero = U32::new(0);
    CdmaRecord {
        m0_data_aw: bytes.into(),
        m0_data_wr: if sends { zero } else { bytes.into() },
        m0_data_ar: if sends { bytes.into() } else { zero },
        m0_data_wr_valid: if sends { zero } else { beats },
        m0_data_rd_valid: if sends { beats } else { zero },
        ati_data_valid: if sends { beats } else { zero },
        ari_data_valid: if sends { zero } else { beats },
        ..CdmaRecord::default()
    }
}
