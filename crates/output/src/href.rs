//! Links to files of the output.

/// A path relative to a page, as the value of a link: no character of it means anything else there, and none can't be seen.
#[must_use]
pub fn href(path: &str) -> String {
    let mut href = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                href.push(byte.into());
            }
            other => href.push_str(&format!("%{other:02X}")),
        }
    }
    href
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_means_anything_else_in_a_link() {
        assert_eq!(href("a b/#x?.html"), "a%20b/%23x%3F.html");
        assert_eq!(href("javascript:alert(1)"), "javascript%3Aalert%281%29");
        assert_eq!(href("机/dev0-0\u{200b}"), "%E6%9C%BA/dev0-0%E2%80%8B");
    }
}
