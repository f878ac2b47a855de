//! Each term of a rule, with a command whose numbers can be checked by hand.
#![allow(clippy::unwrap_used, reason = "tests")]

use bigtpu_chip::{Chip, Engine, Memory, Slot};
use bigtpu_command_cost::{CommandCost, CostModel, MemoryRoute, TimePart, TransferShape, Windows};

fn cost(chip: &str, engine: Engine, head: (bool, u8, u8), fields: &[(Slot, u64)]) -> CommandCost {
    let chip = Chip::find(chip).unwrap();
    let table = chip.ops(engine);
    let op = table.find(head.0, head.1, head.2).unwrap();
    let mut bits = table.blank(op, head.2).unwrap();
    let register = op.register.as_ref().unwrap();
    for (slot, value) in fields {
        assert!(register.has(*slot), "{slot:?}");
        register.put(*slot, &mut bits, *value);
    }
    let command = table.decode(&bits).unwrap();
    CostModel::compiled_in(chip).cost(engine, &command, &mut Windows::new())
}

/// Whole cycles of the parts.
fn parts<const N: usize>(cost: &CommandCost, of: [TimePart; N]) -> [i64; N] {
    of.map(|part| {
        assert_eq!(cost.parts.get(part) % 1000, 0, "{part:?}");
        cost.parts.get(part) / 1000
    })
}

/// A convolution of FP16 on AKS: 64 lanes, 32 input channels and 4 positions a cycle.
fn conv(n: u64, channels: (u64, u64), size: (u64, u64), kernel: u64) -> CommandCost {
    let pad = kernel / 2;
    let fields = [
        (Slot::Res0N, n),
        (Slot::Res0C, channels.1),
        (Slot::Res0H, size.0),
        (Slot::Res0W, size.1),
        (Slot::Opd0C, channels.0),
        (Slot::Opd0H, size.0),
        (Slot::Opd0W, size.1),
        (Slot::Opd1H, kernel),
        (Slot::Opd1W, kernel),
        (Slot::Opd0Prec, 1),
        (Slot::StrideX, 1),
        (Slot::StrideY, 1),
        (Slot::PadUp, pad),
        (Slot::PadLeft, pad),
    ];
    cost("AKS", Engine::Tiu, (true, 0, 0), &fields)
}

const CONV: [TimePart; 5] = [
    TimePart::StartUp,
    TimePart::Work,
    TimePart::Positions,
    TimePart::Channels,
    TimePart::LineCrossing,
];

#[test]
fn a_convolution_is_split_into_work_unused_positions_and_unused_channels() {
    // 16 x 16 positions are 64 groups; 2 rounds of output channels, 2 of input channels.
    // Work: 256 x 72 x 64 / (64 x 32 x 4) = 144 of 256 cycles.
    assert_eq!(parts(&conv(1, (64, 72), (16, 16), 1), CONV), [48, 144, 0, 112, 0]);
    // 25 positions are 7 groups: 28 cycles, of which 25 x 72 x 64 / 8192 = 14 are work, and with all positions
    // 7 x 72 x 64 / 2048 = 15.
    assert_eq!(parts(&conv(1, (64, 72), (5, 5), 1), CONV), [48, 14, 1, 13, 0]);
    // Three times: 42, 47 and 84.
    assert_eq!(parts(&conv(3, (64, 72), (5, 5), 1), CONV), [48, 42, 5, 37, 0]);
    // A kernel of 9 positions; a row of 10 bytes crosses no line: 379, 425 and 756.
    assert_eq!(parts(&conv(3, (64, 72), (5, 5), 3), CONV), [48, 379, 46, 331, 0]);
    // 33 input channels take two rounds: 2 x 2 x 7 = 28 cycles, 25 x 72 x 33 / 8192 = 7 of work.
    assert_eq!(parts(&conv(1, (33, 72), (5, 5), 1), CONV), [48, 7, 1, 20, 0]);
    // 130 output channels are three rounds: 44 cycles of start-up and 2 a round.
    assert_eq!(parts(&conv(1, (64, 130), (5, 5), 1), CONV)[0], 44 + 2 * 3);
    // Rows of 128 bytes: the first kernel column crosses a line in each pair of rows.
    assert_eq!(parts(&conv(2, (24, 24), (64, 64), 3), CONV)[4], 2 * 190);
}

#[test]
fn requantization_takes_rounds_more_for_odd_addresses_and_positions() {
    // 160 channels are 5 rounds of the 32 lanes of BM1688.
    let requantized = |address: u64, size: u64| {
        let fields = [
            (Slot::Res0N, 1),
            (Slot::Res0C, 160),
            (Slot::Res0H, size),
            (Slot::Res0W, size),
            (Slot::Opd0C, 32),
            (Slot::Opd0H, size),
            (Slot::Opd0W, size),
            (Slot::Opd1H, 1),
            (Slot::Opd1W, 1),
            (Slot::Opd1Addr, address),
            (Slot::Requantize, 1),
            (Slot::StrideX, 1),
            (Slot::StrideY, 1),
        ];
        let cost = cost("BM1688", Engine::Tiu, (true, 0, 0), &fields);
        parts(&cost, [TimePart::Requantize])[0]
    };
    assert_eq!(requantized(64, 4), 5 - 3);
    assert_eq!(requantized(65, 4), 5 + 5 - 3);
    assert_eq!(requantized(64, 5), 5 + 1 - 3);
    assert_eq!(requantized(65, 5), 5 + 5 + 1 - 3);
}

/// Codes of memories in the upper halves of AKS's addresses.
const LMEM: u64 = 31 << 8;
const L2M: u64 = 30 << 8;
const FP16: u64 = 1;

/// A tensor of AKS in FP16: sizes of the source, strides of both sides in elements.
fn tensor(
    memories: (u64, u64),
    size: [u64; 4],
    source: [u64; 4],
    destination: [u64; 4],
    address: u64,
) -> CommandCost {
    let slots = [
        [Slot::SrcN, Slot::SrcC, Slot::SrcH, Slot::SrcW],
        [Slot::SrcNStride, Slot::SrcCStride, Slot::SrcHStride, Slot::SrcWStride],
        [Slot::DstNStride, Slot::DstCStride, Slot::DstHStride, Slot::DstWStride],
    ];
    let mut fields = vec![
        (Slot::SrcH13, memories.0),
        (Slot::DstH13, memories.1),
        (Slot::DataFormat, FP16),
        (Slot::DstL32, address),
    ];
    for (slots, values) in slots.into_iter().zip([size, source, destination]) {
        fields.extend(slots.into_iter().zip(values));
    }
    cost("AKS", Engine::Gdma, (false, 0, 0), &fields)
}

const SIZE: [u64; 4] = [1, 3, 4, 5];
const WHOLE: [u64; 4] = [60, 20, 5, 1];

fn moved(cost: &CommandCost) -> (u64, u64, u64) {
    let TransferShape { bytes, bus_bytes, pieces, .. } = cost.transfer.unwrap();
    (bytes, bus_bytes, pieces)
}

#[test]
fn a_store_counts_the_lines_of_the_bus_that_its_pieces_touch() {
    let store = |strides, address| moved(&tensor((LMEM, 0), SIZE, WHOLE, strides, address));
    // Three channels of 40 bytes from byte 100: 2, 1 and 1 lines of 128 bytes.
    assert_eq!(store(WHOLE, 100), (120, 4 * 128, 3));
    // Twelve rows of 10 bytes, 12 bytes apart, channels 48 bytes apart, from byte 119: rows at 119 and 251 touch two.
    assert_eq!(store([72, 24, 6, 1], 119), (120, 14 * 128, 12));
    // Sixty elements.
    assert_eq!(store([120, 40, 10, 2], 0), (120, 60 * 128, 60));
}

#[test]
fn a_load_counts_bytes_and_the_pieces_of_the_side_that_has_more() {
    let load = |size, strides| moved(&tensor((0, LMEM), size, strides, WHOLE, 0));
    // In local memory each channel is in a lane of its own.
    assert_eq!(load(SIZE, WHOLE), (120, 120, 3));
    assert_eq!(load(SIZE, [72, 24, 6, 1]), (120, 120, 12));
    assert_eq!(load([2, 3, 4, 5], [60, 20, 5, 1]), (240, 240, 6));
}

#[test]
fn a_matrix_has_the_rows_outside_or_the_lanes_inside() {
    let load = |row_stride: u64| {
        let fields = [
            (Slot::SrcH13, 0),
            (Slot::DstH13, LMEM),
            (Slot::DataFormat, FP16),
            (Slot::SrcH, 6),
            (Slot::SrcW, 10),
            (Slot::SrcHStride, row_stride),
            (Slot::DstN, 2),
            (Slot::DstC, 4),
        ];
        moved(&cost("AKS", Engine::Gdma, (false, 1, 0), &fields))
    };
    // 6 rows of 10 elements, 120 bytes: one line of the bus; 2 x 4 lanes.
    assert_eq!(load(10), (120, 128, 8));
    assert_eq!(load(12), (120, 128, 8));
}

#[test]
fn a_run_of_bytes_is_one_piece_in_whole_lines() {
    let chip = Chip::find("AKS").unwrap();
    let table = chip.ops(Engine::Gdma);
    let register = table.find(false, 3, 0).unwrap().register.as_ref().unwrap();
    let slots = [Slot::CommandLength, Slot::MoveLength, Slot::SrcCStride];
    let length = slots.into_iter().find(|slot| register.has(*slot)).unwrap();
    let fields = [(Slot::DstH13, LMEM), (Slot::DataFormat, FP16), (length, 100)];
    let found = cost("AKS", Engine::Gdma, (false, 3, 0), &fields);
    assert_eq!(moved(&found), (200, 256, 1));
}

#[test]
fn a_transfer_takes_latency_bytes_at_the_rate_and_each_run() {
    const PARTS: [TimePart; 4] =
        [TimePart::Latency, TimePart::Bus, TimePart::PartLines, TimePart::Runs];
    let all = |cost: &CommandCost| PARTS.map(|part| cost.parts.get(part));
    // AKS from DDR: 275 cycles, 104.81 bytes a cycle, 1.25 cycles a run.
    let load = tensor((0, LMEM), SIZE, [72, 24, 6, 1], WHOLE, 0);
    assert_eq!(all(&load), [275_000, 1145, 0, 12 * 1250]);
    // AKS from L2M: 177 cycles, 110.99 bytes a cycle; a run takes 1.15 at least, and 0.32 more.
    let load = tensor((L2M, LMEM), SIZE, [72, 24, 6, 1], WHOLE, 0);
    let on_bus = 1082;
    assert_eq!(all(&load), [177_000, on_bus, 0, 12 * 1150 - on_bus + 12 * 320]);
    // A store of 120 bytes in 4 lines of the bus: 205 cycles, 125.02 bytes a cycle.
    let store = tensor((LMEM, 0), SIZE, WHOLE, WHOLE, 100);
    assert_eq!(all(&store), [205_000, 960, 4096 - 960, 0]);
    assert_eq!(store.total(), 205_000 + 4096);
}

#[test]
fn the_first_load_of_a_run_takes_a_fifth_longer_where_that_was_measured() {
    let chip = Chip::find("BM1688").unwrap();
    let model = CostModel::compiled_in(chip);
    let table = chip.ops(Engine::Gdma);
    let op = table.find(false, 0, 0).unwrap();
    let mut bits = table.blank(op, 0).unwrap();
    let register = op.register.as_ref().unwrap();
    // Bit 7 of the upper byte of an address is DDR.
    let fields = [
        (Slot::SrcH8, 128),
        (Slot::SrcN, 1),
        (Slot::SrcC, 1),
        (Slot::SrcH, 1),
        (Slot::SrcW, 32_000),
        (Slot::SrcWStride, 1),
        (Slot::DstWStride, 1),
    ];
    for (slot, value) in fields {
        register.put(slot, &mut bits, value);
    }
    let command = table.decode(&bits).unwrap();
    let later = model.cost(Engine::Gdma, &command, &mut Windows::new());
    assert_eq!(
        later.transfer.unwrap().kind,
        MemoryRoute { from: Some(Memory::Ddr), to: Memory::Lmem }
    );
    let data = later.total() - later.parts.get(TimePart::Latency);
    assert!(data > 1_000_000 && later.data() == data, "{later:?}");
    let first = model.first_from_ddr(later);
    assert_eq!(first.parts.get(TimePart::First), data / 5);
    assert_eq!(first.total(), later.total() + data / 5);
}
