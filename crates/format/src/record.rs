//! PMU records (section 2): fixed little-endian structs, cast in place.
//!
//! Which of the two TIU and DMA layouts a chip writes is a chip fact (`pmu_records`). The layouts
//! below hold each field of every chip that uses them.

use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// TIU record of AKS, AKSV and CV84X6, 16 bytes.
///
/// ```text
///  word 0 start  1 end  2 inst_id  3 thread_id_and_bank_conflict
///                                    (CV84X6: bit 0 thread_id, bits 1-31 bank_conflict)
/// ```
#[derive(Debug, Clone, Copy, Default, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct TiuRecord {
    /// Start, in cycles of the TIU clock, modulo 2^32.
    pub start: U32,
    /// End, in cycles of the TIU clock, modulo 2^32.
    pub end: U32,
    /// Command id.
    pub id: U32,
    /// Thread id and bank conflicts.
    pub flags: U32,
}

/// TIU record of CV184X, 16 bytes: the words of [`TiuRecord`] in another order; the id has 20 bits.
#[derive(Debug, Clone, Copy, Default, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Cv184xTiuRecord {
    /// Command id in the low 20 bits.
    pub id: U32,
    /// Bit 0 thread id, bits 1-31 bank conflicts.
    pub flags: U32,
    /// Start, in cycles of the PMU's counter, modulo 2^32.
    pub start: U32,
    /// End, in cycles of the PMU's counter, modulo 2^32.
    pub end: U32,
}

/// TIU record of BM1688 and BM1684X, 32 bytes; the id has 16 bits.
#[derive(Debug, Clone, Copy, Default, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct TiuWideRecord {
    /// Start, in cycles of the TIU clock, modulo 2^32.
    pub start: U32,
    /// End, in cycles of the TIU clock, modulo 2^32.
    pub end: U32,
    /// Command id.
    pub id: U16,
    /// Load (48 bits), reads, read stalls, writes: nothing is derived from them.
    pub rest: [u8; 22],
}

/// DMA record of AKS, AKSV, CV184X and CV84X6, 64 bytes.
///
/// ```text
///  word 0 start  1 end  2 inst_id
///       3 bit 0 thread_id, bits 1-19 ar_latency_cnt, bits 20-31 rip_valid_latency
///       4 gif_wr_rd_stall  5 axi_d0_w  6 axi_d0_ar  7 axi_d0_aw  8 axi_d0_wr_stall
///       9 axi_d0_rd_stall  10 gif_mem_w  11 gif_mem_ar  12 axi_d0_wr_valid
///      13 axi_d0_rd_valid  14 gif_wr_valid  15 gif_rd_valid
/// ```
#[derive(Debug, Clone, Copy, Default, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct DmaRecord {
    /// Start, in cycles of the DMA clock, modulo 2^32.
    pub start: U32,
    /// End, in cycles of the DMA clock, modulo 2^32.
    pub end: U32,
    /// Command id.
    pub id: U32,
    /// Thread id, AR latency and RIP latency.
    pub latency: U32,
    /// Stalls of the local-memory interface, in cycles.
    pub gif_wr_rd_stall: U32,
    /// Bytes written on the AXI bus.
    pub axi_d0_w: U32,
    /// Read transactions on the AXI bus.
    pub axi_d0_ar: U32,
    /// Write transactions on the AXI bus.
    pub axi_d0_aw: U32,
    /// Write stalls on the AXI bus, in cycles.
    pub axi_d0_wr_stall: U32,
    /// Read stalls on the AXI bus, in cycles.
    pub axi_d0_rd_stall: U32,
    /// Bytes written to local memory.
    pub gif_mem_w: U32,
    /// Bytes read from local memory.
    pub gif_mem_ar: U32,
    /// Valid write beats on the AXI bus.
    pub axi_d0_wr_valid: U32,
    /// Valid read beats on the AXI bus.
    pub axi_d0_rd_valid: U32,
    /// Valid write beats to local memory.
    pub gif_wr_valid: U32,
    /// Valid read beats from local memory.
    pub gif_rd_valid: U32,
}

impl DmaRecord {
    /// Whether nothing moved on the AXI bus: the record is that of a system command.
    #[must_use]
    #[inline]
    pub fn is_idle(&self) -> bool {
        self.axi_d0_wr_valid.get() == 0 && self.axi_d0_rd_valid.get() == 0
    }
}

/// DMA record of BM1688, 256 bytes; the id has 20 bits.
///
/// ```text
///  word 0 start  1 end  2 bits 0-19 inst_id
///       3.. bytes:  d0 aw wr ar, d1 aw wr ar, fmem aw wr ar, l2sram aw wr ar
///      15 reserved
///      16.. valid:  d0 wr rd, d1 wr rd, fmem wr rd, l2sram wr rd
///      24.. stall:  d0 wr rd, d1 wr rd, fmem wr rd, l2sram wr rd
///      32.. first and last times of each bus: nothing is derived from them
/// ```
#[derive(Debug, Clone, Copy, Default, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct DmaWideRecord {
    /// Start, in cycles of the DMA clock, modulo 2^32.
    pub start: U32,
    /// End, in cycles of the DMA clock, modulo 2^32.
    pub end: U32,
    /// Command id in the low 20 bits.
    pub id: U32,
    /// Bytes: d0 aw, wr, ar; d1 aw, wr, ar; fmem aw, wr, ar; l2sram aw, wr, ar.
    pub bytes: [U32; 12],
    /// Reserved.
    pub reserved: U32,
    /// Valid beats: d0 wr, rd; d1 wr, rd; fmem wr, rd; l2sram wr, rd.
    pub valid: [U32; 8],
    /// Stalls: d0 wr, rd; d1 wr, rd; fmem wr, rd; l2sram wr, rd.
    pub stall: [U32; 8],
    /// First and last times of each bus.
    pub times: [U32; 32],
}

/// DMA record of BM1684X, 192 bytes: the first 48 words of BM1688's. The runtime writes no more of
/// the 256 bytes that the device keeps of each.
#[derive(Debug, Clone, Copy, Default, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Bm1684xDmaRecord {
    /// Start, in cycles of the DMA clock, modulo 2^32.
    pub start: U32,
    /// End, in cycles of the DMA clock, modulo 2^32.
    pub end: U32,
    /// Command id in the low 20 bits.
    pub id: U32,
    /// Bytes: d0 aw, wr, ar; d1 aw, wr, ar; fmem aw, wr, ar; l2sram aw, wr, ar.
    pub bytes: [U32; 12],
    /// Reserved.
    pub reserved: U32,
    /// Valid beats: d0 wr, rd; d1 wr, rd; fmem wr, rd; l2sram wr, rd.
    pub valid: [U32; 8],
    /// Stalls: d0 wr, rd; d1 wr, rd; fmem wr, rd; l2sram wr, rd.
    pub stall: [U32; 8],
    /// First and last times of the two DDR ports; those of unused ones are stale.
    pub times: [U32; 16],
}

/// CDMA record of AKS and AKSV, 128 bytes; the id has 24 bits.
///
/// ```text
///  word 0 start  1 end  2 bits 0-23 inst_id, bit 24 thread_id  3 reserved
///       4 m0_data_aw  5 m0_data_wr  6 m0_data_ar  7 reserved
///       8 m0_data_wr_valid  9 .._wr_stall  10 .._rd_valid  11 .._rd_stall
///      12 ati_data_valid  13 .._stall  14 ari_data_valid  15 .._stall
///      16 ati_txfifo_stall  17 replay_number
///      18 m0 b first, last  20 m0 ar  22 m0 aw  24 m0 rd  26 m0 wr  28 ati data  30 ari data
/// ```
/// Words 18 to 31 are moments of the counter of start and end; all zero where the hardware does not fill them.
#[derive(Debug, Clone, Copy, Default, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct CdmaRecord {
    /// Start, in cycles of the DMA clock, modulo 2^32.
    pub start: U32,
    /// End, in cycles of the DMA clock, modulo 2^32.
    pub end: U32,
    /// Command id in the low 24 bits.
    pub id: U32,
    /// Reserved.
    pub reserved0: U32,
    /// Bytes of the transfer; a receive into which the peer writes may have none.
    pub m0_data_aw: U32,
    /// Bytes written.
    pub m0_data_wr: U32,
    /// Bytes read.
    pub m0_data_ar: U32,
    /// Reserved.
    pub reserved1: U32,
    /// Valid write beats.
    pub m0_data_wr_valid: U32,
    /// Write stalls.
    pub m0_data_wr_stall: U32,
    /// Valid read beats.
    pub m0_data_rd_valid: U32,
    /// Read stalls.
    pub m0_data_rd_stall: U32,
    /// Valid beats sent on the link.
    pub ati_data_valid: U32,
    /// Stalls of the sending side.
    pub ati_data_stall: U32,
    /// Valid beats received on the link.
    pub ari_data_valid: U32,
    /// Stalls of the receiving side.
    pub ari_data_stall: U32,
    /// Stalls of the link's sending queue.
    pub ati_txfifo_stall: U32,
    /// Packets that the link sent again.
    pub replay_number: U32,
    /// First and last moment of the memory bus's write responses.
    pub m0_b: [U32; 2],
    /// First and last moment of its read addresses.
    pub m0_ar: [U32; 2],
    /// First and last moment of its write addresses.
    pub m0_aw: [U32; 2],
    /// First and last moment of its read data.
    pub m0_rd: [U32; 2],
    /// First and last moment of its write data.
    pub m0_wr: [U32; 2],
    /// First and last moment of the data sent on the link.
    pub ati_data: [U32; 2],
    /// First and last moment of the data received on the link.
    pub ari_data: [U32; 2],
}

/// The thread of a CDMA port that executed a command: bit 24 of its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PortThread {
    /// Bit 24 is 0.
    Transmit,
    /// Bit 24 is 1.
    Receive,
}

impl CdmaRecord {
    /// The thread that executed the command.
    #[must_use]
    pub fn thread(&self) -> PortThread {
        if self.id.get() >> 24 & 1 == 0 { PortThread::Transmit } else { PortThread::Receive }
    }

    /// The command's id, without the bits above it.
    #[must_use]
    pub fn command_id(&self) -> u32 {
        self.id.get() & 0xff_ffff
    }

    /// Whether anything says that data moved: bytes, beats or moments of a bus. A receive into which the peer writes
    /// may have no bytes and still moments of its link.
    #[must_use]
    pub fn moves_data(&self) -> bool {
        let counters = [
            self.m0_data_aw,
            self.m0_data_wr,
            self.m0_data_ar,
            self.m0_data_wr_valid,
            self.m0_data_rd_valid,
            self.ati_data_valid,
            self.ari_data_valid,
        ];
        let moments = [self.m0_rd, self.m0_wr, self.ati_data, self.ari_data];
        counters.iter().chain(moments.iter().flatten()).any(|word| word.get() != 0)
    }
}

/// The complete records of a monitor block, and the bytes of the incomplete record at its end (0 if there is none).
#[must_use]
pub fn records<T: FromBytes + Immutable + KnownLayout + Unaligned>(
    content: &[u8],
) -> (&[T], usize) {
    let size = size_of::<T>();
    let count = content.len() / size;
    match <[T]>::ref_from_prefix_with_elems(content, count) {
        Ok((records, tail)) => (records, tail.len()),
        Err(_) => (&[], content.len()),
    }
}

/// A record of fixed size that can be read where it is.
pub trait PmuRecord: FromBytes + Immutable + KnownLayout + Unaligned {}

impl<T: FromBytes + Immutable + KnownLayout + Unaligned> PmuRecord for T {}

/// How many bytes of a monitor's content hold records: they end before the first record that is all zero, since the
/// runtime clears its buffers and may write more of them than the PMU filled.
#[must_use]
pub fn bytes_before_zero_record(content: &[u8], record: usize) -> usize {
    let is_zero = |record: &[u8]| record.iter().all(|&b| b == 0);
    let whole = content.chunks_exact(record.max(1));
    let (count, tail) = (whole.len(), whole.remainder().len());
    match whole.clone().position(is_zero) {
        Some(first) if first < count => first * record,
        _ => count * record + tail,
    }
}

/// A record as the bytes that a monitor block holds.
#[must_use]
pub fn record_bytes<T: IntoBytes + Immutable>(record: &T) -> &[u8] {
    record.as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_the_formats() {
        assert_eq!(size_of::<TiuRecord>(), 16);
        assert_eq!(size_of::<Cv184xTiuRecord>(), 16);
        assert_eq!(size_of::<TiuWideRecord>(), 32);
        assert_eq!(size_of::<DmaRecord>(), 64);
        assert_eq!(size_of::<DmaWideRecord>(), 256);
        assert_eq!(size_of::<CdmaRecord>(), 128);
    }

    #[test]
    fn records_end_before_the_first_that_is_all_zero() {
        let mut content = vec![1; 32];
        content.extend([0; 35]);
        assert_eq!(bytes_before_zero_record(&content, 16), 32);
        assert_eq!(bytes_before_zero_record(&content[..37], 16), 37);
        assert_eq!(bytes_before_zero_record(&[], 16), 0);
    }

    #[test]
    fn a_ragged_tail_is_counted() {
        let bytes: Vec<u8> = (0..37).collect();
        let (found, tail) = records::<TiuRecord>(&bytes);
        assert_eq!((found.len(), tail), (2, 5));
        assert_eq!(found[1].start.get(), u32::from_le_bytes([16, 17, 18, 19]));
        assert_eq!(record_bytes(&found[1]), &bytes[16..32]);
        assert_eq!(records::<TiuRecord>(&bytes[..5]).1, 5);
    }

    #[test]
    fn the_thread_of_a_port_is_no_part_of_the_id() {
        let of = |id: u32| CdmaRecord { id: id.into(), ..CdmaRecord::default() };
        let read = |id| (of(id).thread(), of(id).command_id());
        assert_eq!(read(0x00ff_ffff), (PortThread::Transmit, 0xff_ffff));
        assert_eq!(read(0x0100_0001), (PortThread::Receive, 1));
        assert_eq!(read(0xfe00_0007), (PortThread::Transmit, 7));
    }
}
