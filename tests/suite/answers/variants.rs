//! Dumps of BM1684X and CV184X that differ from the real ones in their clocks, counters and records.

use crate::support::case::real_dump;
use crate::support::dump::{DumpCopy, kind};

/// The real dumps.
pub(super) const CHIPS: [&str; 2] = ["bmprofile_data-1_bm1684x", "bmprofile_data-1_cv184x"];

/// The records.
const FILE: &str = "iter0.profile";

/// Cycles by which the TIU's counter of the BM1684X dump is ahead of the GDMA's; CV184X has one counter.
const AHEAD: u32 = 132_667_169;

/// Bytes of a record and the word of its start, which its end follows.
fn layout(name: &str, kind: u32) -> Option<(usize, usize)> {
    match (name == CHIPS[0], kind) {
        (true, kind::TIU) => Some((32, 0)),
        (true, kind::GDMA) => Some((192, 0)),
        (false, kind::TIU) => Some((16, 2)),
        (false, kind::GDMA) => Some((64, 0)),
        _ => None,
    }
}

/// Numbers that are the same in each run of the tests.
struct Numbers(u64);

impl Numbers {
    /// A number below another one.
    fn next_below(&mut self, most: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// Records of a copy. Calls `change` with each block's kind, the bytes of a record, the word of its start, and the records.
fn edit(copy: &DumpCopy, name: &str, mut change: impl FnMut(u32, usize, usize, &mut Vec<u8>)) {
    copy.edit(FILE, |blocks| {
        for block in blocks {
            if let Some((bytes, word)) = layout(name, block.kind) {
                change(block.kind, bytes, word, &mut block.content);
            }
        }
    });
}

/// Changes the times of all records, as cycles of the GDMA's counter.
fn edit_times(copy: &DumpCopy, name: &str, mut new: impl FnMut(u32, u32) -> u32) {
    edit(copy, name, |kind, bytes, word, records| {
        let ahead = if kind == kind::TIU && name == CHIPS[0] { AHEAD } else { 0 };
        for record in records.chunks_exact_mut(bytes) {
            for time in record[4 * word..4 * word + 8].chunks_exact_mut(4) {
                let now = u32::from_le_bytes((&*time).try_into().unwrap());
                let then = new(kind, now.wrapping_sub(ahead)).wrapping_add(ahead);
                time.copy_from_slice(&then.to_le_bytes());
            }
        }
    });
}

/// Time runs faster and slower, the same for all engines: what followed something follows it.
fn bend(copy: &DumpCopy, name: &str, numbers: &mut Numbers) {
    const PIECE: u32 = 20_000;
    let speeds: Vec<u32> = (0..512).map(|_| 1 + numbers.next_below(5) as u32).collect();
    edit_times(copy, name, |_, time| {
        let whole = (time / PIECE) as usize;
        let before: u32 = speeds.iter().cycle().take(whole).map(|speed| speed * PIECE).sum();
        before + (time % PIECE) * speeds[whole % speeds.len()]
    });
}

/// Removes records for which `is_lost` says so.
fn lose(copy: &DumpCopy, name: &str, mut is_lost: impl FnMut(usize, usize) -> bool) {
    edit(copy, name, |_, bytes, _, records| {
        let all: Vec<Vec<u8>> = records.chunks_exact(bytes).map(<[u8]>::to_vec).collect();
        let left = all.iter().enumerate().filter(|(at, _)| !is_lost(*at, all.len()));
        *records = left.flat_map(|(_, record)| record.clone()).collect();
    });
}

/// A variant of a real dump, and what is different in it.
pub(super) fn variant(name: &str, seed: u64) -> (&'static str, DumpCopy) {
    let copy = DumpCopy::of_path(&real_dump(name));
    let mut numbers = Numbers(seed);
    let what = match seed {
        0 => {
            edit_times(&copy, name, |_, time| time * 3);
            "three times as slow"
        }
        1 => {
            // The counters pass 2^32 in the middle of the run.
            edit_times(&copy, name, |_, time| time.wrapping_sub(500_000));
            "counters wrap"
        }
        2 => {
            lose(&copy, name, |_, _| numbers.next_below(30) == 0);
            "records are lost"
        }
        3 => {
            lose(&copy, name, |at, all| at * 5 > all * 4);
            "the last records are lost"
        }
        4 => {
            let file = copy.read(FILE);
            copy.write(FILE, &file[..file.len() / 2]);
            "half a file"
        }
        5 => {
            bend(&copy, name, &mut numbers);
            "time runs unevenly"
        }
        6 => {
            bend(&copy, name, &mut numbers);
            lose(&copy, name, |_, _| numbers.next_below(10) == 0);
            "time runs unevenly, and a tenth of the records is lost"
        }
        7 => {
            edit(&copy, name, |kind, bytes, _, records| {
                if kind == kind::GDMA {
                    let at = bytes * 10;
                    let (_, rest) = records.split_at_mut(at);
                    let (first, second) = rest.split_at_mut(bytes);
                    first.swap_with_slice(&mut second[..bytes]);
                }
            });
            "two records are swapped"
        }
        8 => {
            copy.edit_global(|text| text.replace("tpu_freq=1000", "tpu_freq=500"));
            "half the clock"
        }
        _ => {
            copy.edit_global(|text| {
                let is_log = |line: &&str| !line.contains("cmd_id") && !line.contains("_layer:");
                text.lines().filter(is_log).map(|line| format!("{line}\n")).collect()
            });
            for file in ["final.mlir", "tensor_location.json"] {
                if copy.file(file).exists() {
                    copy.remove(file);
                }
            }
            "without layers"
        }
    };
    (what, copy)
}
