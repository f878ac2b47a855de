//! A bit, a word or an order that differs: which of two cores is right.

use bigtpu_chip::{Chip, chips};

use foldhash::HashSet;

use super::difference::Difference;
use super::part::Part;
use super::right::Right;

fn aks() -> &'static Chip {
    chips().iter().find(|chip| chip.name == "AKS").unwrap()
}

/// Launches of two kernels in turn, in four batches.
fn block() -> Vec<u8> {
    let mut words: Vec<u32> = Vec::new();
    for launch in 0..12u32 {
        if launch % 3 == 0 {
            words.push(14 | (launch / 3) << 7);
        }
        let name = [*b"norm", *b"silu"][launch as usize % 2];
        words.extend([4 << 7, u32::from_le_bytes(name), 12, 12 | 1 << 7]);
        words.extend((0..6).map(|i| 1 | (i & 1) << 7 | (launch % 5) << 10));
        words.push(15);
    }
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// What is right where the first core's bit is changed.
fn right(word: usize, bit: usize, others: &[Vec<u8>]) -> Option<Right> {
    let (whole, mut own) = (block(), block());
    own[4 * word + bit / 8] ^= 1 << (bit % 8);
    let others = others.iter().map(Vec::as_slice);
    Difference::find(aks(), (0, &own), (1, &whole), others).map(|found| found.right)
}

#[test]
fn equal_words_do_not_differ() {
    assert!(Difference::find(aks(), (0, &block()), (1, &block()), std::iter::empty()).is_none());
}

#[test]
fn a_bit_of_a_name_or_a_batch_is_that_of_the_others() {
    // The second word is the first batch's kernel, whose name stands elsewhere as well.
    assert_eq!(right(2, 0, &[]), Some(Right::Other));
    assert_eq!(right(2, 0, &[block()]), Some(Right::Other));
    // A batch with a number that no block has so many words for.
    assert_eq!(right(0, 30, &[]), Some(Right::Other));
    // The word that begins the first batch becomes one that means nothing.
    assert_eq!(right(0, 4, &[]), Some(Right::Other));
}

/// A bit makes a batch's word of the word that restarts the transfers' ids: no batch has such a number.
#[test]
fn a_restart_of_ids_is_no_batch() {
    // The words of the second launch: its kernel, its name, both restarts.
    let restart = 1 + 4 + 6 + 1 + 3;
    assert_eq!(right(restart, 1, &[]), Some(Right::Other));
    let mut own = block();
    own[4 * restart] ^= 2;
    let found = Difference::find(aks(), (0, &block()), (1, &own), std::iter::empty());
    assert_eq!(found.map(|found| found.right), Some(Right::Own));
}

#[test]
fn a_name_of_known_words_is_right() {
    let compare = |own: &str, other: &str| {
        Part::Name(own.into()).compare(&Part::Name(other.into()), &[], &[])
    };
    assert_eq!(compare("conv_relu", "cofv_relu"), Right::Own);
    assert_eq!(compare("flash_attenvion", "flash_attention"), Right::Other);
    assert_eq!(compare("all_reduce", "a|l_reduce"), Right::Own);
    assert_eq!(compare("silu_mul", "siluWmul"), Right::Own);
    assert_eq!(compare("matmul]down", "matmul_down"), Right::Other);
    assert_eq!(compare("frobnicate", "frobnicade"), Right::Unknown);
}

#[test]
fn a_name_with_the_letters_of_the_other_names_is_right() {
    // Launches of the kernels `norm` and `silu`.
    let words = block();
    let compare = |own: &str, other: &str| {
        Part::Name(own.into()).compare(&Part::Name(other.into()), &words, &words)
    };
    assert_eq!(compare("dorm", "Dorm"), Right::Own);
    assert_eq!(compare("rough", "rouGh"), Right::Own);
    assert_eq!(compare("norm_fad", "norm_fag"), Right::Unknown);
    assert_eq!(compare("snor", "sNor"), Right::Own);
    assert_eq!(compare("simu", "silu_"), Right::Other);
}

#[test]
fn a_lost_word_of_a_batch_is_that_of_the_others() {
    let whole = block();
    let mut own = whole.clone();
    own.drain(..4);
    let compare = |own: &[u8], other: &[u8]| {
        let found = Difference::find(aks(), (0, own), (1, other), std::iter::empty()).unwrap();
        (found.right, found.borrowed.scopes)
    };
    let of_batch = HashSet::from_iter([0, 1, 2]);
    assert_eq!(compare(&own, &whole), (Right::Other, of_batch.clone()));
    assert_eq!(compare(&whole, &own), (Right::Own, of_batch));
    let mut torn = whole.clone();
    torn.drain(1..4);
    assert_eq!(compare(&torn, &whole), (Right::Other, HashSet::from_iter([0, 1, 2])));
    let mut doubled = whole.clone();
    doubled.splice(0..0, whole[..4].to_vec());
    assert_eq!(compare(&doubled, &whole).0, Right::Other);
}

#[test]
fn exchanged_words_are_those_of_most_cores() {
    let (whole, mut own) = (block(), block());
    own[4 * 7..4 * 9].rotate_left(4);
    let find = |others: &[Vec<u8>]| {
        let others = others.iter().map(Vec::as_slice);
        Difference::find(aks(), (0, &own), (1, &whole), others).map(|found| found.right)
    };
    assert_eq!(find(&[]), Some(Right::Unknown));
    assert_eq!(find(&[block()]), Some(Right::Other));
}

#[test]
fn an_operation_is_that_of_most_cores() {
    assert_eq!(right(7, 10, &[]), Some(Right::Unknown));
    assert_eq!(right(7, 10, &[block()]), Some(Right::Other));
}

/// The run's other names say which of capitals and small letters is right; the note has both names.
#[test]
fn a_capital_that_no_other_name_has_is_wrong() {
    let names = [*b"matmul_down\0", *b"all_reduce\0\0", *b"add_rms_norm"];
    let words = (0..12).flat_map(|launch| {
        let name: &[u8] = if launch == 5 { &names[0] } else { &names[1 + launch % 2] };
        let name = name.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word));
        std::iter::once(12 << 7).chain(name).chain([12, 1, 1, 15])
    });
    let whole: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    let mut own = whole.clone();
    let place = whole.windows(6).position(|window| window == b"l_down").unwrap() + 2;
    own[place] ^= 0x20;
    let found = Difference::find(aks(), (0, &own), (1, &whole), std::iter::empty()).unwrap();
    assert_eq!(found.right, Right::Other);
    let names = ["matmul_Down", "matmul_down"].map(str::to_owned);
    assert_eq!(found.borrowed.names, Some(names));
}

/// Wherever a bit of a letter is wrong, the name is that of the other core; only two that are both made of usual words are not known.
#[test]
fn a_bit_of_any_letter_is_that_of_the_others() {
    const STYLES: [&[&str]; 3] = [
        &[
            "rms_norm",
            "matmul_qkv",
            "rope",
            "flash_attention",
            "matmul_o",
            "all_reduce",
            "add_rms_norm",
            "matmul_gate_up",
            "silu_mul",
            "matmul_down",
            "conv_relu",
        ],
        &[
            "matmul_multi_core",
            "rmsnorm_forward_multi_core",
            "softmax_forward_multi_core",
            "conv2d_forward_multi_core",
            "embedding_multi_core",
            "c2c_all_reduce",
        ],
        &[
            "tpu_kernel_api_rmsNorm",
            "tpu_kernel_api_matMul",
            "tpu_kernel_api_ropeFast",
            "tpu_kernel_api_addBias",
            "tpu_kernel_api_softMax",
            "tpu_kernel_api_layerNorm",
        ],
    ];
    for names in STYLES {
        let mut words: Vec<u32> = Vec::new();
        let mut letters = Vec::new();
        for name in names {
            words.push((name.len() as u32) << 7);
            letters.extend((0..name.len()).map(|letter| 4 * words.len() + letter));
            let mut bytes = name.as_bytes().to_vec();
            bytes.resize(name.len().next_multiple_of(4), 0);
            words.extend(bytes.as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b)));
            words.extend([12, 12 | 1 << 7, 1, 1, 1 | 1 << 7, 15]);
        }
        let whole: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
        let mut unknown = 0;
        for (byte, bit) in letters.iter().flat_map(|byte| (0..7).map(move |bit| (*byte, bit))) {
            let mut own = whole.clone();
            own[byte] ^= 1 << bit;
            let found =
                Difference::find(aks(), (0, &own), (1, &whole), std::iter::empty()).unwrap();
            let names = found.borrowed.names;
            assert_ne!(found.right, Right::Own, "{names:?}");
            unknown += usize::from(found.right == Right::Unknown);
        }
        assert!(unknown * 100 <= 7 * letters.len(), "{unknown} are not known");
    }
}

/// A long name is several words: whichever of them has a wrong bit, the launch is that of the name.
#[test]
fn a_bit_of_a_long_name_is_of_its_launch() {
    let first: [u32; 5] = [12 << 7, 0x5f64_6461, 0x5f73_6d72, 0x6d72_6f6e, 12];
    let launches = std::iter::repeat_n([4 << 7, 0x6d72_6f6e, 12, 1, 1, 15], 12).flatten();
    let words = first.into_iter().chain([1, 1, 15]).chain(launches);
    let whole: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    for byte in 4..16 {
        let mut own = whole.clone();
        own[byte] ^= 4;
        let found = Difference::find(aks(), (0, &own), (1, &whole), std::iter::empty());
        let scopes = found.map(|found| found.borrowed.scopes);
        assert_eq!(scopes, Some(HashSet::from_iter([0])), "byte {byte}");
    }
}

/// The end of a kernel becomes a word that takes the next kernel's with it, or one that means nothing.
#[test]
fn a_wrong_end_of_a_kernel_is_that_of_the_others() {
    // The first batch, its kernel of a word and a name, both restarts, six commands.
    let end = 1 + 2 + 2 + 6;
    for bit in [0, 1, 2, 3, 4, 5, 6] {
        assert_eq!(right(end, bit, &[]), Some(Right::Other), "bit {bit}");
    }
}

/// A bit may end a name, or make a word of its last letters: it is that of the other core.
#[test]
fn a_bit_that_makes_a_word_of_letters_is_that_of_the_others() {
    let first: [u32; 5] = [11 << 7, 0x6d74_616d, 0x645f_6c75, 0x006e_776f, 12];
    let launches = std::iter::repeat_n([4 << 7, 0x6d72_6f6e, 12, 1, 1, 15], 12).flatten();
    let words = first.into_iter().chain([1, 1, 15]).chain(launches);
    let whole: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    for (byte, bit) in (4..15).flat_map(|byte| (0..8).map(move |bit| (byte, bit))) {
        let mut own = whole.clone();
        own[byte] ^= 1 << bit;
        let found = Difference::find(aks(), (0, &own), (1, &whole), std::iter::empty());
        assert!(found.is_some(), "byte {byte}, bit {bit}");
        let letter = own[byte];
        if !letter.is_ascii_alphanumeric() && letter != b'_' {
            let right = found.map(|found| found.right);
            assert_eq!(right, Some(Right::Other), "byte {byte}, bit {bit}");
        }
    }
}

#[test]
fn numbers_in_names_and_what_a_command_tells_may_differ() {
    let numbered = |core: u8| {
        let mut words = block();
        words[8..12].copy_from_slice(&[b'n', b'o', b'0' + core, b'm']);
        words
    };
    let (own, other) = (numbered(0), numbered(1));
    assert!(Difference::find(aks(), (0, &own), (1, &other), std::iter::empty()).is_none());
    assert_eq!(right(7, 22, &[]), None);
}
