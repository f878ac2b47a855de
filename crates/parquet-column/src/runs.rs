//! Small numbers as Parquet stores them: what repeats as a run, the rest packed bit by bit
//! ([RLE / bit-packing hybrid](https://parquet.apache.org/docs/file-format/data-pages/encodings/)).

/// Numbers are packed by so many.
const GROUP: usize = 8;

/// Groups that are packed in one piece at most: their number and a bit fit in a byte of the format.
const GROUPS: usize = 63;

/// Bits of each number, if the greatest is `greatest`.
pub(crate) fn width(greatest: u32) -> u32 {
    u32::BITS - greatest.leading_zeros()
}

/// Appends numbers of `width` bits. A run begins where a whole group repeats one number.
pub(crate) fn put_numbers(numbers: &[u32], width: u32, out: &mut Vec<u8>) {
    // Numbers before `at` are written, or are to be packed: these begin at `packed`.
    let (mut packed, mut at) = (0, 0);
    while let Some(group @ [first, ..]) = numbers.get(at..at + GROUP) {
        if group.iter().all(|number| number == first) {
            put_packed(&numbers[packed..at], width, out);
            let repeated = numbers[at..].iter().take_while(|number| *number == first).count();
            put_run(*first, repeated, width, out);
            at += repeated;
            packed = at;
        } else {
            at += GROUP;
            if at - packed == GROUPS * GROUP {
                put_packed(&numbers[packed..at], width, out);
                packed = at;
            }
        }
    }
    match numbers.get(packed..) {
        Some(rest @ [first, ..]) if packed == at && rest.iter().all(|n| n == first) => {
            put_run(*first, rest.len(), width, out);
        }
        Some(rest) => put_packed(rest, width, out),
        None => {}
    }
}

/// One number, `count` times.
#[inline]
pub(crate) fn put_run(number: u32, count: usize, width: u32, out: &mut Vec<u8>) {
    put_varint((count as u64) << 1, out);
    out.extend(number.to_le_bytes().into_iter().take(width.div_ceil(u8::BITS) as usize));
}

/// Numbers side by side, the last group filled up with 0.
fn put_packed(numbers: &[u32], width: u32, out: &mut Vec<u8>) {
    if numbers.is_empty() {
        return;
    }
    let groups = numbers.len().div_ceil(GROUP);
    put_varint((groups as u64) << 1 | 1, out);
    // Bits that are not written yet: fewer than 32 before each number.
    let (mut bits, mut count) = (0_u64, 0);
    for number in numbers {
        bits |= u64::from(*number) << count;
        count += width;
        if count >= u32::BITS {
            out.extend((bits as u32).to_le_bytes());
            bits >>= u32::BITS;
            count -= u32::BITS;
        }
    }
    count += (groups * GROUP - numbers.len()) as u32 * width;
    let left = bits.to_le_bytes().into_iter().chain(std::iter::repeat(0));
    out.extend(left.take(count.div_ceil(u8::BITS) as usize));
}

#[inline]
fn put_varint(mut n: u64, out: &mut Vec<u8>) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}
