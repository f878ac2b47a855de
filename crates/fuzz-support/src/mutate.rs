//! Damage that knows the structure of a dump: files are cut and swapped, blocks dropped, doubled and moved, fields set to
//! their extremes, lines of `global.profile` changed.

use bigtpu_format::blocks;

use crate::files::DumpFiles;
use crate::numbers::Numbers;

/// A dump with one to four damages, and a word on each.
#[derive(Debug, Clone)]
pub struct Mutant {
    /// The damaged files.
    pub files: DumpFiles,
    /// What was done to them.
    pub damage: Vec<String>,
}

/// Damages a copy of a dump; the same numbers do the same damage.
#[must_use]
pub fn mutant(of: &DumpFiles, numbers: &mut Numbers) -> Mutant {
    let mut mutant = Mutant { files: of.clone(), damage: Vec::new() };
    for _ in 0..=numbers.next_below(4) {
        let files = &mut mutant.files.0;
        if files.is_empty() {
            break;
        }
        let at = numbers.next_below(files.len());
        let said = match numbers.next_below(12) {
            0 => whole_file(files, at, numbers),
            _ if files[at].0.ends_with("global.profile") => line(&mut files[at].1, numbers),
            1..=6 if files[at].0.ends_with(".profile") => block(&mut files[at].1, numbers),
            7..=9 if files[at].0.ends_with(".profile") => field(&mut files[at].1, numbers),
            _ => bytes(&mut files[at].1, numbers),
        };
        mutant.damage.push(said);
    }
    mutant
}

/// Values that hurt where a length, an id or a time is expected.
const EXTREMES: [u32; 10] =
    [0, 1, 0x7f, 0xffff, 0x0fff_ffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ff00, 0xffff_fffe, u32::MAX];

/// A file that is missing, empty, doubled or another's.
fn whole_file(files: &mut Vec<(String, Vec<u8>)>, at: usize, numbers: &mut Numbers) -> String {
    let name = files[at].0.clone();
    match numbers.next_below(4) {
        0 => {
            files.remove(at);
            format!("{name} removed")
        }
        1 => {
            files[at].1.clear();
            format!("{name} emptied")
        }
        2 => {
            let doubled = files[at].1.repeat(2);
            files[at].1 = doubled;
            format!("{name} doubled")
        }
        _ => {
            let other = numbers.next_below(files.len());
            let content = files[other].1.clone();
            files[at].1 = content;
            format!("{name} has the bytes of {}", files[other].0)
        }
    }
}

/// A line of a text file: gone, doubled, or with another value.
fn line(text: &mut Vec<u8>, numbers: &mut Numbers) -> String {
    let mut lines: Vec<String> = String::from_utf8_lossy(text).lines().map(str::to_owned).collect();
    if lines.is_empty() {
        return "no line".to_owned();
    }
    let at = numbers.next_below(lines.len());
    let key = lines[at].split('=').next().unwrap_or_default().to_owned();
    let values =
        ["", "-1", "0", "1", "4294967296", "18446744073709551615", "9223372036854775807", "x"];
    let said = match numbers.next_below(4) {
        0 => format!("line {:?} removed", lines.remove(at)),
        1 => {
            lines.push("bmodel".to_owned());
            "marked as static".to_owned()
        }
        2 => {
            lines.insert(0, format!("tail_offset_ns={}", numbers.pick(&values)));
            lines[0].clone()
        }
        _ => {
            lines[at] = format!("{key}={}", numbers.pick(&values));
            lines[at].clone()
        }
    };
    *text = lines.join("\n").into_bytes();
    said
}

/// A block: gone, doubled, moved, cut, of another kind, or with a wrong length.
fn block(file: &mut Vec<u8>, numbers: &mut Numbers) -> String {
    let found: Vec<(usize, usize)> = blocks(file)
        .blocks
        .iter()
        .map(|b| (b.offset as usize - 8, b.offset as usize + b.content.len()))
        .collect();
    if found.is_empty() {
        return bytes(file, numbers);
    }
    let (start, end) = *numbers.pick(&found);
    let copy = file[start..end].to_vec();
    let (to, _) = *numbers.pick(&found);
    match numbers.next_below(6) {
        0 => {
            file.drain(start..end);
            format!("block at {start} removed")
        }
        1 => {
            file.splice(to..to, copy);
            format!("block at {start} doubled at {to}")
        }
        2 => {
            file.drain(start..end);
            let to = to.min(file.len());
            file.splice(to..to, copy);
            format!("block at {start} moved to {to}")
        }
        3 => {
            let kinds = [1, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16, 17, 100, 77];
            let kind: u32 = *numbers.pick(&kinds);
            set(file, start, kind);
            format!("block at {start} of kind {kind}")
        }
        4 => {
            let length = *numbers.pick(&EXTREMES);
            set(file, start + 4, length);
            format!("block at {start} says {length} bytes")
        }
        _ => {
            // A sound head, and less content than there was.
            let kept = numbers.next_below(end - start - 7);
            file.drain(start + 8 + kept..end);
            set(file, start + 4, kept as u32);
            format!("block at {start} cut to {kept} bytes")
        }
    }
}

/// Words of a block: an extreme value, or two of them swapped.
fn field(file: &mut [u8], numbers: &mut Numbers) -> String {
    let words = file.len() / 4;
    if words == 0 {
        return "no word".to_owned();
    }
    let (at, other) = (numbers.next_below(words) * 4, numbers.next_below(words) * 4);
    if numbers.next_below(3) == 0 {
        for i in 0..4 {
            file.swap(at + i, other + i);
        }
        return format!("words at {at} and {other} swapped");
    }
    let value = *numbers.pick(&EXTREMES);
    // The same word of several records in a row: one extreme is often no more than a stray.
    let (stride, count) = (*numbers.pick(&[16, 32, 64, 128, 256]), 1 + numbers.next_below(8));
    for record in 0..count {
        set(file, at + record * stride, value);
    }
    format!("{count} words from {at} on, every {stride} bytes, set to {value}")
}

/// A copy of any bytes with one to three damages; the same numbers do the same damage.
#[must_use]
pub fn damaged(of: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut copy = of.to_vec();
    for _ in 0..=numbers.next_below(3) {
        match numbers.next_below(4) {
            // A piece again: names, keys and messages that come twice.
            0 if !copy.is_empty() => {
                let from = numbers.next_below(copy.len());
                let piece = copy[from..copy.len().min(from + 1 + numbers.next_below(64))].to_vec();
                let to = numbers.next_below(copy.len());
                copy.splice(to..to, piece);
            }
            _ => drop(bytes(&mut copy, numbers)),
        }
    }
    copy
}

/// Any bytes: cut off, taken out, or changed.
fn bytes(file: &mut Vec<u8>, numbers: &mut Numbers) -> String {
    if file.is_empty() {
        return "no byte".to_owned();
    }
    let at = numbers.next_below(file.len());
    match numbers.next_below(3) {
        0 => {
            file.truncate(at);
            format!("cut at {at}")
        }
        1 => {
            let gone = at..file.len().min(at + 1 + numbers.next_below(64));
            let said = format!("bytes {gone:?} removed");
            file.drain(gone);
            said
        }
        _ => {
            let count = 1 + numbers.next_below(20);
            for _ in 0..count {
                let at = numbers.next_below(file.len());
                file[at] ^= 1 << numbers.next_below(8);
            }
            format!("{count} bits flipped")
        }
    }
}

/// Sets the word at `at`, if there is one.
fn set(file: &mut [u8], at: usize, value: u32) {
    if let Some(word) = file.get_mut(at..at + 4) {
        word.copy_from_slice(&value.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutants_differ_and_come_back() {
        let block = [3u32.to_le_bytes().as_slice(), &16u32.to_le_bytes(), &[7; 16]].concat();
        let files = DumpFiles(vec![
            ("cdmlib0_0.profile".into(), block.repeat(3)),
            ("global.profile".into(), b"arch=5\ncore_num=1\n".to_vec()),
        ]);
        let of = |seed| mutant(&files, &mut Numbers::seeded(seed));
        let changed = (0..200).filter(|&seed| of(seed).files != files).count();
        assert!(changed > 150, "only {changed} of 200 mutants are damaged");
        assert!((0..50).all(|seed| of(seed).files == of(seed).files));
    }
}
