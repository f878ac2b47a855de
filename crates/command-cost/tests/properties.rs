//! What holds for commands of any fields.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use bigtpu_chip::{Chip, Engine, Slot, chips};
use bigtpu_command_cost::{CommandCost, CostModel, Windows};
use proptest::prelude::*;

/// Costs of a TIU command whose named fields are set.
fn tiu(chip: &'static Chip, task: u8, variant: u8, fields: &[(Slot, u64)]) -> Option<CommandCost> {
    let table = chip.ops(Engine::Tiu);
    let op = table.find(true, task, variant)?;
    let mut bits = table.blank(op, variant)?;
    fields
        .iter()
        .for_each(|(slot, value)| op.register.as_ref().unwrap().put(*slot, &mut bits, *value));
    Some(CostModel::compiled_in(chip).cost(
        Engine::Tiu,
        &table.decode(&bits).ok()?,
        &mut Windows::new(),
    ))
}

/// A load of a tensor.
fn load(chip: &'static Chip, size: [u64; 4], data_type: u64) -> Option<CommandCost> {
    let table = chip.ops(Engine::Gdma);
    let op = table.find(false, 0, 0)?;
    let mut bits = table.blank(op, 0)?;
    let [n, c, h, w] = size;
    let fields = [
        (Slot::SrcN, n),
        (Slot::SrcC, c),
        (Slot::SrcH, h),
        (Slot::SrcW, w),
        (Slot::SrcNStride, c * h * w),
        (Slot::SrcCStride, h * w),
        (Slot::SrcHStride, w),
        (Slot::SrcWStride, 1),
        (Slot::DstHStride, w),
        (Slot::DstWStride, 1),
        (Slot::DataFormat, data_type),
    ];
    fields
        .iter()
        .for_each(|(slot, value)| op.register.as_ref().unwrap().put(*slot, &mut bits, *value));
    Some(CostModel::compiled_in(chip).cost(
        Engine::Gdma,
        &table.decode(&bits).ok()?,
        &mut Windows::new(),
    ))
}

fn any_chip() -> impl Strategy<Value = &'static Chip> {
    (0..chips().len()).prop_map(|at| &chips()[at])
}

proptest! {
    #[test]
    fn more_channels_or_batches_never_take_less(
        chip in any_chip(), n in 1u64..4, c in 1u64..300, c_in in 1u64..300, h in 1u64..40, w in 1u64..40,
        kernel in 1u64..6, more in 1u64..200, which in 0usize..3,
    ) {
        let fields = |sizes: [u64; 3]| [
            (Slot::Res0N, sizes[0]), (Slot::Res0C, sizes[1]), (Slot::Opd0C, sizes[2]), (Slot::Res0H, h), (Slot::Res0W, w),
            (Slot::Opd0H, h), (Slot::Opd0W, w), (Slot::Opd1H, kernel), (Slot::Opd1W, kernel), (Slot::Opd0Prec, 1),
            (Slot::Res0Prec, 1), (Slot::StrideX, 1), (Slot::StrideY, 1), (Slot::PadUp, kernel / 2), (Slot::PadLeft, kernel / 2),
        ];
        let mut larger = [n, c, c_in];
        larger[which] += more;
        for (task, variant) in [(0, 0), (1, 0), (1, 4), (3, 2), (3, 14)] {
            let cycles = [[n, c, c_in], larger].map(|sizes| tiu(chip, task, variant, &fields(sizes)).map(|c| c.total()));
            prop_assert!(cycles[1] >= cycles[0], "{} {task} {variant}: {cycles:?}", chip.name);
        }
    }

    #[test]
    fn taller_images_and_larger_kernels_never_take_less(
        chip in any_chip(), h in 1u64..60, w in 1u64..40, kernel in 1u64..6, rows in 1u64..60, larger in 1u64..3,
    ) {
        let cycles = |h: u64, kernel: u64, task, variant| tiu(chip, task, variant, &[
            (Slot::Res0N, 1), (Slot::Res0C, 8), (Slot::Opd0C, 8), (Slot::Res0H, h), (Slot::Res0W, w),
            (Slot::Opd0H, h + kernel - 1), (Slot::Opd0W, w + 8), (Slot::Opd1H, kernel), (Slot::Opd1W, kernel),
            (Slot::Opd0Prec, 1), (Slot::Res0Prec, 1), (Slot::StrideX, 1), (Slot::StrideY, 1),
        ]).map(|c| c.total());
        for (task, variant) in [(0, 0), (1, 4)] {
            let base = cycles(h, kernel, task, variant);
            prop_assert!(cycles(h + rows, kernel, task, variant) >= base);
            prop_assert!(cycles(h, kernel + larger, task, variant) >= base);
        }
    }

    #[test]
    fn more_bytes_never_take_less(chip in any_chip(), size in [1u64..4, 1u64..100, 1u64..100, 1u64..100], which in 0usize..4, more in 1u64..50) {
        let mut larger = size;
        larger[which] += more;
        let cycles = [size, larger].map(|size| load(chip, size, 1).map(|cost| cost.total()));
        prop_assert!(cycles[1] >= cycles[0], "{}: {cycles:?}", chip.name);
    }

    #[test]
    fn any_bits_have_a_cost_that_is_the_sum_of_its_parts(chip in any_chip(), bits in prop::collection::vec(any::<u8>(), 128)) {
        for engine in [Engine::Tiu, Engine::Gdma, Engine::Sdma] {
            let table = chip.ops(engine);
            for op in table.ops() {
                for &(variant, _) in op.variants {
                    let Some(blank) = table.blank(op, variant) else { continue };
                    let mut random: Vec<u8> = blank.iter().zip(&bits).map(|(a, b)| a | b).collect();
                    // The head stays as it is.
                    random.iter_mut().zip(&blank).take(8).for_each(|(to, from)| *to = *from);
                    let Ok(command) = table.decode(&random) else { continue };
                    if engine == Engine::Tiu && matches!(op.task(), 0 | 1) {
                        // Images of any size take long to count: their own test.
                        continue;
                    }
                    let cost = CostModel::compiled_in(chip).cost(engine, &command, &mut Windows::new());
                    let sum = cost.parts.iter().map(|(_, time)| time).sum::<i64>().max(0);
                    prop_assert_eq!(cost.total(), sum);
                    prop_assert!(cost.data() <= cost.total());
                }
            }
        }
    }
}
