//! What the directories above a dump show.
//!
//! They are hosts (`node17/cdm_profile_data_dev0-0`) or repetitions (`3/cdm_profile_data_dev0-0`, `run-3/…`). A name
//! without letters, or of a word for a repetition and a number, is a repetition; any other is part of the host's name.

/// Words before the number of a repetition.
const REPETITIONS: [&str; 14] = [
    "run",
    "rep",
    "repeat",
    "repetition",
    "iter",
    "iteration",
    "sample",
    "trial",
    "try",
    "attempt",
    "pass",
    "occasion",
    "day",
    "session",
];

/// Words before the number of an occasion: what the runs of a day, a machine or a restart have in common.
const OCCASIONS: [&str; 3] = ["occasion", "day", "session"];

/// The host that directories name, outermost first and joined by `/`; `None` if they name none.
pub fn host<'a>(directories: impl IntoIterator<Item = &'a str>) -> Option<String> {
    joined(directories.into_iter().filter(|name| !is_repetition(name)))
}

/// The repetition that directories name, outermost first and joined by `/`; `None` if they name none.
pub fn repetition<'a>(directories: impl IntoIterator<Item = &'a str>) -> Option<String> {
    joined(directories.into_iter().filter(|name| is_repetition(name)))
}

/// The occasion that directories name, outermost first and joined by `/`; `None` if they name none. Such directories are repetitions
/// of a word for an occasion and a number, or of a date such as `2026-11-23`.
pub fn occasion<'a>(directories: impl IntoIterator<Item = &'a str>) -> Option<String> {
    joined(directories.into_iter().filter(|name| is_occasion(name)))
}

fn is_occasion(name: &str) -> bool {
    let digits = name.split(['-', 'T', '_', ':', '.']).map(str::len);
    let is_date = is_repetition(name)
        && name.starts_with(|c: char| c.is_ascii_digit())
        && digits.take(3).eq([4, 2, 2]);
    is_date || (is_repetition(name) && OCCASIONS.contains(&word(name).as_str()))
}

/// The word before a number.
fn word(name: &str) -> String {
    let word = name.trim_end_matches(|c: char| c.is_ascii_digit());
    word.trim_end_matches(['-', '_', '.', '=']).to_ascii_lowercase()
}

fn joined<'a>(names: impl Iterator<Item = &'a str>) -> Option<String> {
    let names: Vec<&str> = names.collect();
    (!names.is_empty()).then(|| names.join("/"))
}

fn is_repetition(name: &str) -> bool {
    let has_number = name.ends_with(|c: char| c.is_ascii_digit());
    let word = word(name);
    has_number && (!word.contains(char::is_alphabetic) || REPETITIONS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_are_no_hosts() {
        for name in ["1", "007", "run3", "Run-3", "rep_2", "iter.4", "run=5", "2026-11-23"] {
            assert_eq!((host([name]), repetition([name]).as_deref()), (None, Some(name)));
        }
        for name in ["node17", "hostA", "run", "tpu-3", "runner2"] {
            assert_eq!((host([name]).as_deref(), repetition([name])), (Some(name), None));
        }
        for name in ["2026-11-23", "2026-11-23_1200", "occasion-2", "Day3"] {
            assert_eq!((host([name]), occasion([name]).as_deref()), (None, Some(name)));
        }
        assert_eq!(occasion(["3", "run-1", "2026-1-2", "node2026-11-23"]), None);
        let directories = ["rack1", "3", "node2", "run-1"];
        assert_eq!(host(directories).as_deref(), Some("rack1/node2"));
        assert_eq!(repetition(directories).as_deref(), Some("3/run-1"));
        assert_eq!((host([]), repetition([])), (None, None));
    }
}
