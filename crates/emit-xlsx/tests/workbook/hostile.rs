//! Texts from a dump are texts, whatever they say.

use std::path::Path;

use calamine::{Data, Reader, Xlsx, open_workbook};

/// A dump of AKS without records but for one TIU record in each of the given kernels.
fn dump(dir: &Path, kernels: &[&str]) {
    std::fs::write(dir.join("global.profile"), "arch=AKS\ncore_num=1\n").unwrap();
    let mut records = Vec::new();
    let mut words = Vec::new();
    let preamble = 2;
    for n in 0..preamble + kernels.len() as u32 {
        let start = 1000 * (n + 1);
        for word in [start, start + 100, n, 0] {
            records.extend(word.to_le_bytes());
        }
        if n >= preamble {
            let name = kernels[(n - preamble) as usize];
            words.extend((name.len() as u32).wrapping_shl(7).to_le_bytes());
            words.extend(name.as_bytes());
            words.resize(words.len().next_multiple_of(4), 0);
        }
        // A TIU command of type 3.
        words.extend((1u32 | 3 << 10).to_le_bytes());
    }
    let mut file = Vec::new();
    for (kind, content) in [(3u32, &records), (5, &words)] {
        file.extend(kind.to_le_bytes());
        file.extend((content.len() as u32).to_le_bytes());
        file.extend(content);
    }
    std::fs::write(dir.join("cdmlib0_0.profile"), file).unwrap();
}

#[test]
fn kernel_names_are_texts() {
    let long = "k".repeat(40_000);
    let names = [
        "=1+1",
        "+cmd|' /C calc'!A0",
        "-2",
        "@SUM(A1)",
        "a\u{1}b\u{0}",
        "_x0041_",
        "<&>\"'",
        &long,
    ];
    let (dir, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    dump(dir.path(), &names);
    let path = crate::support::write(dir.path(), out.path()).unwrap();
    let mut book: Xlsx<_> = open_workbook(path).unwrap();
    let kernels = book.worksheet_range("Kernels").unwrap();
    let found: Vec<String> = kernels
        .rows()
        .filter_map(|row| match &row[0] {
            Data::String(text) => Some(text.clone()),
            _ => None,
        })
        .collect();
    for name in &names[..4] {
        assert!(found.contains(&(*name).to_owned()), "{name} {found:?}");
    }
    assert!(found.iter().any(|f| f == "_x0041_" || f == "_x005F_x0041_"), "{found:?}");
    assert!(found.contains(&"<&>\"'".to_owned()));
    assert!(found.contains(&"k".repeat(1000)));
    assert_eq!(book.worksheet_formula("Kernels").unwrap().used_cells().count(), 0);
    let quality = book.worksheet_range("Data Quality").unwrap();
    let is_noted = quality
        .used_cells()
        .any(|(_, _, c)| matches!(c, Data::String(s) if s.contains("name has 40000 bytes")));
    assert!(is_noted);
}
