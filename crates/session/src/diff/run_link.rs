//! Links from a history to the pages of its runs, and back.

use std::path::{Component, Path, PathBuf};

use bigtpu_output::href_and_back;

/// The link from `page` in a directory to the page of a run; `None` where no path leads from one to the other, or a name
/// on it is no text.
pub(super) fn link_to_run(dir: &Path, page: &str, run: &Path) -> Option<String> {
    let dir = dir.canonicalize().or_else(|_| std::path::absolute(dir)).ok()?;
    let [from, to] = [dir.join(page), run.canonicalize().ok()?];
    let [from, to] = [&from, &to].map(|path| path.components().collect::<Vec<Component<'_>>>());
    let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let below = |path: &[Component<'_>]| {
        path.iter().skip(common).collect::<PathBuf>().to_str().map(|path| path.replace('\\', "/"))
    };
    // Nothing in common: other drives.
    (common > 0).then(|| Some(href_and_back(&below(&from)?, &below(&to)?)))?
}

/// Whether a link of a page in a directory is one of the web, or one to a file that is there.
pub(super) fn leads_somewhere(dir: &Path, link: &str) -> bool {
    link.contains("://") || {
        let path = link.split_once('#').map_or(link, |(path, _)| path);
        decoded(path).is_some_and(|path| dir.join(path).is_file())
    }
}

/// The path of a link, whose other characters are `%` and two digits.
fn decoded(link: &str) -> Option<String> {
    let mut parts = link.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend_from_slice(rest.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_next_to_the_history_is_linked_while_its_page_is_there() {
        let root = tempfile::tempdir().unwrap();
        let [history, run] = ["history", "run 1 机/PerfWeb"].map(|name| root.path().join(name));
        std::fs::create_dir_all(&history).unwrap();
        std::fs::create_dir_all(&run).unwrap();
        let page = run.join("result.html");
        std::fs::write(&page, "").unwrap();
        let link = link_to_run(&history, "history.html", &page).unwrap();
        let path = "../run%201%20%E6%9C%BA/PerfWeb/result.html";
        assert_eq!(link, format!("{path}#up=..%2F..%2Fhistory%2Fhistory.html"));
        assert!(leads_somewhere(&history, &link));
        assert!(leads_somewhere(&history, "https://example.com/a"));
        std::fs::remove_file(&page).unwrap();
        assert!(!leads_somewhere(&history, &link));
        assert!(!leads_somewhere(&history, "%zz"));
    }
}
