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

/// A link from `page` to the page of a run, which then shows the way back. Both are paths below one directory.
#[must_use]
pub fn href_and_back(page: &str, run: &str) -> String {
    let way = |from: &str, to: &str| "../".repeat(from.matches('/').count()) + &href(to);
    format!("{}#up={}", way(page, run), way(run, page).replace('%', "%25").replace('/', "%2F"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_below_knows_the_way_back() {
        let link = href_and_back("index.html", "dev 0/PerfWeb/result.html");
        assert_eq!(link, "dev%200/PerfWeb/result.html#up=..%2F..%2Findex.html");
        let link = href_and_back("call-1/cluster.html", "dev0/r.html");
        assert_eq!(link, "../dev0/r.html#up=..%2Fcall-1%2Fcluster.html");
    }

    #[test]
    fn no_path_means_anything_else_in_a_link() {
        assert_eq!(href("a b/#x?.html"), "a%20b/%23x%3F.html");
        assert_eq!(href("javascript:alert(1)"), "javascript%3Aalert%281%29");
        assert_eq!(href("机/dev0-0\u{200b}"), "%E6%9C%BA/dev0-0%E2%80%8B");
    }
}
