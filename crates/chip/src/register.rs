//! Registers: where the fields of a command are in its bits.

use crate::generated::FIELD_NAMES;

/// One field: a name and a run of at most 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Index into [`FIELD_NAMES`]: ten thousand fields share a few hundred names, and each address of a name would have
    /// to be adapted when the program starts.
    name: u16,
    /// First bit, counted from bit 0 of byte 0.
    pub bit: u16,
    /// Width in bits.
    pub width: u8,
}

/// Bits of a field's word that are its name and its first bit; the highest are its width.
const NAME_BITS: u32 = 10;
const FIRST_BITS: u32 = 15;

impl Field {
    /// Unpacks a field from a word of the chip facts, which holds name, first bit and width from its lowest bit on.
    const fn unpacked(word: u32) -> Self {
        let name = word & ((1 << NAME_BITS) - 1);
        let bit = word >> NAME_BITS & ((1 << FIRST_BITS) - 1);
        let width = word >> (NAME_BITS + FIRST_BITS);
        Self { name: name as u16, bit: bit as u16, width: width as u8 }
    }

    /// Name, as the register texts print it.
    #[must_use]
    #[inline]
    pub fn name(&self) -> &'static str {
        FIELD_NAMES.get(usize::from(self.name)).copied().unwrap_or_default()
    }

    /// The field's value in a command's bytes; bits past their end read as 0.
    #[must_use]
    #[inline]
    pub fn value(&self, bits: &[u8]) -> u64 {
        extract(bits, self.bit, self.width)
    }

    /// Sets the field in a command's bytes, cut to its width; bits past their end are left out.
    pub fn put(&self, bits: &mut [u8], value: u64) {
        insert(bits, self.bit, self.width, value);
    }
}

/// The fields of a register from their words. As ten thousand calls that looked their names up, fields took the compiler more than
/// half of this crate's time.
pub(crate) const fn fields<const N: usize>(words: [u32; N]) -> [Field; N] {
    let mut fields = [Field::unpacked(0); N];
    let mut at = 0;
    while at < N {
        fields[at] = Field::unpacked(words[at]);
        at += 1;
    }
    fields
}

/// `width` (at most 64) bits from `bit` on, little-endian. Bits past the end read as 0.
#[inline]
pub(crate) fn extract(bits: &[u8], bit: u16, width: u8) -> u64 {
    let (first, shift) = (usize::from(bit / 8), bit % 8);
    let tail = bits.get(first..).unwrap_or(&[]);
    if shift + u16::from(width) <= 64
        && let Some(near) = tail.first_chunk::<8>()
    {
        let mask = u64::MAX.checked_shr(64 - u32::from(width)).unwrap_or(0);
        return u64::from_le_bytes(*near) >> shift & mask;
    }
    let mut wide = [0u8; 16];
    if let Some(all) = tail.first_chunk::<16>() {
        wide = *all;
    } else {
        for (to, from) in wide.iter_mut().zip(tail) {
            *to = *from;
        }
    }
    let value = u128::from_le_bytes(wide) >> shift;
    (value & ((1u128 << width) - 1)) as u64
}

/// Writes the low `width` (at most 64) bits of `value` from `bit` on, little-endian: the inverse of [`extract`].
pub(crate) fn insert(bits: &mut [u8], bit: u16, width: u8, value: u64) {
    let shift = bit % 8;
    let mask = ((1u128 << width) - 1) << shift;
    let value = u128::from(value) << shift & mask;
    let bytes = usize::from(shift + u16::from(width)).div_ceil(8);
    let places = bits.iter_mut().skip(usize::from(bit / 8)).take(bytes);
    for (place, (new, mask)) in places.zip(value.to_le_bytes().into_iter().zip(mask.to_le_bytes()))
    {
        *place = *place & !mask | new;
    }
}

/// Whether texts are the same, which a constant can't ask yet.
const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut next = 0;
    while next < a.len() && next < b.len() && a[next] == b[next] {
        next += 1;
    }
    next == a.len() && next == b.len()
}

/// The place of a name among [`FIELD_NAMES`]; `None` where no register has such a field.
const fn name_index(name: &str) -> Option<usize> {
    let mut place = 0;
    while place < FIELD_NAMES.len() {
        if is_same(FIELD_NAMES[place], name) {
            return Some(place);
        }
        place += 1;
    }
    None
}

macro_rules! slots {
    ($($slot:ident = $name:literal),* $(,)?) => {
        /// Fields that formulas and views ask for by meaning; see [`Register::get`].
        #[allow(missing_docs, reason = "each slot is the field of that name")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Slot { $($slot),* }

        impl Slot {
            /// Every slot.
            pub const ALL: &'static [Slot] = &[$(Slot::$slot),*];

            /// The field's name in the registers.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Slot::$slot => $name),* }
            }
        }
    };
}

slots! {
    Res0N = "res0_n", Res0C = "res0_c", Res0H = "res0_h", Res0W = "res0_w",
    Opd0N = "opd0_n", Opd0C = "opd0_c", Opd0H = "opd0_h", Opd0W = "opd0_w",
    Opd1N = "opd1_n", Opd1C = "opd1_c", Opd1H = "opd1_h", Opd1W = "opd1_w",
    Opd0Prec = "opt_opd0_prec", Opd1Prec = "opt_opd1_prec", Opd2Prec = "opt_opd2_prec",
    Res0Prec = "opt_res0_prec", Opd2Const = "opt_opd2_const",
    Opd0Const = "opt_opd0_const", Opd1Const = "opt_opd1_const", Operands = "tsk_opd_num", LeftTran = "opt_left_tran",
    Res0Addr = "res0_addr", Opd0Addr = "opd0_addr", Opd1Addr = "opd1_addr", Imm = "imm", Rsvd1 = "rsvd1",
    TiuShort = "cmd_short", IdDep = "cmd_id_dep", CommandId = "cmd_id",
    Task = "tsk_typ", SubTask = "tsk_eu_typ",
    DmaType = "cmd_type", DmaFunction = "cmd_special_function", DataFormat = "src_data_format",
    ConstantValue = "constant_value", ConstantLow = "constant_value_l32",
    SrcL32 = "src_start_addr_l32", SrcH13 = "src_start_addr_h13", SrcH8 = "src_start_addr_h8",
    DstL32 = "dst_start_addr_l32", DstH13 = "dst_start_addr_h13", DstH8 = "dst_start_addr_h8",
    MaskH8 = "mask_start_addr_h8", MaskL32 = "mask_start_addr_l32",
    SrcN = "src_nsize", SrcC = "src_csize", SrcH = "src_hsize", SrcW = "src_wsize",
    SrcNStride = "src_nstride", SrcCStride = "src_cstride", SrcHStride = "src_hstride",
    SrcWStride = "src_wstride",
    DstN = "dst_nsize", DstC = "dst_csize", DstH = "dst_hsize", DstW = "dst_wsize",
    DstNStride = "dst_nstride", DstCStride = "dst_cstride", DstHStride = "dst_hstride",
    DstWStride = "dst_wstride", FillConstant = "fill_constant_en",
    Requantize = "opt_rq", StrideX = "res_op_x_str", StrideY = "res_op_y_str",
    PadUp = "opd0_up_pad", PadLeft = "opd0_lf_pad",
    Opd0WStride = "opd0_w_str", Res0WStride = "res0_w_str",
    Opd0ShortLayout = "short_opd0_str", Res0ShortLayout = "short_res0_str",
    Opd0Layout = "opd0_str", Res0Layout = "res0_str",
    CommandLength = "cmd_length", MoveLength = "src_cstride(move length)",
}

/// Number of the slot of each field name, counted from 1; 0 for a name without a slot.
const SLOT_OF_NAME: [u8; FIELD_NAMES.len()] = {
    let mut slots = [0; FIELD_NAMES.len()];
    let mut slot = 0;
    while slot < Slot::ALL.len() {
        if let Some(name) = name_index(Slot::ALL[slot].name()) {
            slots[name] = slot as u8 + 1;
        }
        slot += 1;
    }
    slots
};

/// A command's register: its length and fields.
#[derive(Debug, Clone, Copy)]
pub struct Register {
    /// Length in bits, a multiple of 8.
    pub bits: u32,
    /// The fields in printing order. A name that occurs several times in the register appears once,
    /// at its first place, with the bits of its last occurrence.
    pub fields: &'static [Field],
    /// Width 0 where the register lacks the field.
    slots: [(u16, u8); Slot::ALL.len()],
}

impl Register {
    /// Finds the slots among the fields, when the chip facts are compiled.
    pub(crate) const fn new(bits: u32, fields: &'static [Field]) -> Self {
        let mut slots = [(0, 0); Slot::ALL.len()];
        let mut number = 0;
        while number < fields.len() {
            let Field { name, bit, width } = fields[number];
            let slot = SLOT_OF_NAME[name as usize] as usize;
            if slot > 0 {
                slots[slot - 1] = (bit, width);
            }
            number += 1;
        }
        Self { bits, fields, slots }
    }

    /// The field of that name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|f| f.name() == name)
    }

    /// Length in bytes.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> usize {
        self.bits as usize / 8
    }

    /// Whether the register has the field.
    #[must_use]
    #[inline]
    pub fn has(&self, slot: Slot) -> bool {
        self.slots.get(slot as usize).is_some_and(|s| s.1 > 0)
    }

    /// First bit and width of the field; `None` where the register lacks it.
    #[must_use]
    pub fn place(&self, slot: Slot) -> Option<(u16, u8)> {
        self.slots.get(slot as usize).copied().filter(|(_, width)| *width > 0)
    }

    /// Value of the field in a command's bytes, 0 when the register lacks it.
    #[must_use]
    #[inline]
    pub fn get(&self, slot: Slot, bits: &[u8]) -> u64 {
        match self.slots.get(slot as usize) {
            Some(&(bit, width)) if width > 0 => extract(bits, bit, width),
            _ => 0,
        }
    }

    /// Sets the field in a command's bytes, cut to its width; does nothing when the register lacks it.
    pub fn put(&self, slot: Slot, bits: &mut [u8], value: u64) {
        if let Some(&(bit, width)) = self.slots.get(slot as usize)
            && width > 0
        {
            insert(bits, bit, width, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_the_fields_of_their_names() {
        let field = |name, bit: u32, width: u32| {
            let name = name_index(name).unwrap() as u32;
            Field::unpacked(name | bit << NAME_BITS | width << (NAME_BITS + FIRST_BITS))
        };
        let fields = vec![field("res0_n", 0, 16), field("res0_c", 16, 32)];
        let register = Register::new(48, fields.leak());
        assert_eq!(register.fields[1], Field { bit: 16, width: 32, ..register.fields[1] });
        assert_eq!(register.fields[1].name(), "res0_c");
        assert_eq!(register.get(Slot::Res0C, &[1, 0, 7, 0, 0, 0]), 7);
        assert!(register.has(Slot::Res0N) && !register.has(Slot::Res0H));
    }

    #[test]
    fn insert_is_the_inverse_of_extract() {
        let old: Vec<u8> = (0..24u8).map(|i| i.wrapping_mul(91) ^ 0x33).collect();
        for bit in 0..128u16 {
            for width in [1u8, 3, 16, 23, 32, 64] {
                let mut bits = old.clone();
                insert(&mut bits, bit, width, 0x0123_4567_89ab_cdef);
                let expected = (0x0123_4567_89ab_cdef_u128 & ((1 << width) - 1)) as u64;
                assert_eq!(extract(&bits, bit, width), expected, "{bit}+{width}");
                let neighbours = |bits: &[u8]| {
                    let after = bit + u16::from(width);
                    (
                        extract(bits, bit.saturating_sub(9), 9.min(bit) as u8),
                        extract(bits, after, 9),
                    )
                };
                assert_eq!(neighbours(&bits), neighbours(&old), "{bit}+{width}");
            }
        }
        insert(&mut [0u8; 2], 12, 32, u64::MAX);
    }

    #[test]
    fn extract_agrees_with_shifting_one_big_number() {
        let bytes: Vec<u8> = (0..24u8).map(|i| i.wrapping_mul(37) ^ 0x5a).collect();
        let bit_at = |n: u16| bytes.get(usize::from(n / 8)).map_or(0, |b| b >> (n % 8) & 1);
        for bit in 0..192u16 {
            for width in [1u8, 3, 16, 23, 32, 64] {
                let expected =
                    (0..u16::from(width)).fold(0u64, |v, i| v | u64::from(bit_at(bit + i)) << i);
                assert_eq!(extract(&bytes, bit, width), expected, "{bit}+{width}");
            }
        }
    }
}
