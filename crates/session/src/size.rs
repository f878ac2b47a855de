//! Sizes of files, for people.

/// A size for people: 12 bytes, 3.4 KiB, 5.6 MiB.
#[must_use]
pub fn size(bytes: u64) -> String {
    let bytes_f = bytes as f64;
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..1_048_576 => format!("{:.1} KiB", bytes_f / 1024.0),
        _ => format!("{:.1} MiB", bytes_f / 1_048_576.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_for_people() {
        assert_eq!([size(12), size(1536), size(3 << 20)], ["12 bytes", "1.5 KiB", "3.0 MiB"]);
    }
}
