//! Sizes of commands as text.

use bigtpu_chip::{Command, Slot, TiuFamily};

/// The four sizes, then what a convolution or a matrix product multiplies with; `None` where the register lacks the
/// field.
type Sizes = [Option<u32>; 7];

/// `1x64x56x56 * 64x3x3`: the four sizes, and what the operation multiplies with.
pub(super) fn shape(command: &Command<'_>, four: [Slot; 4], family: TiuFamily) -> String {
    let size = |slot| command.register.has(slot).then(|| command.get(slot) as u32);
    let [n, c, h, w] = four.map(size);
    let [x, y, z] = match family {
        TiuFamily::Conv => [Slot::Opd0C, Slot::Opd1H, Slot::Opd1W].map(size),
        TiuFamily::Mm2 => [None, size(Slot::Opd1C), size(Slot::Opd1W)],
        _ => [None; 3],
    };
    text([n, c, h, w, x, y, z])
}

fn text(sizes: Sizes) -> String {
    let part = |sizes: &[Option<u32>]| -> String {
        let known: Vec<String> = sizes.iter().flatten().map(u32::to_string).collect();
        known.join("x")
    };
    let (result, with) = sizes.split_at(4);
    let (result, with) = (part(result), part(with));
    if with.is_empty() { result } else { format!("{result} * {with}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_leave_out_missing_fields() {
        let of = |sizes: [u32; 7]| text(sizes.map(|n| (n > 0).then_some(n)));
        assert_eq!(of([1, 64, 56, 56, 64, 3, 3]), "1x64x56x56 * 64x3x3");
        assert_eq!(of([0, 8, 0, 16, 0, 4, 5]), "8x16 * 4x5");
        assert_eq!(of([0; 7]), "");
    }
}
