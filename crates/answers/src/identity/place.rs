//! What the directories above a dump, and its own name, show.
//!
//! Directories are repetitions (`3/cdm_profile_data_dev0-0`, `run-3/…`: a name without letters, or of a word for a repetition and a
//! number), ranks (`rank3/…`), hosts (`node17/…`: a word for a machine and a number), or have a name of someone's own, which may be that of
//! a workload (`resnet50/…`) or of a host: what ran there tells (`super::units`).

/// Words of hosts: a name of one of them and a number, or a word behind it.
const HOSTS: [&str; 12] = [
    "node", "host", "rack", "server", "machine", "worker", "runner", "box", "blade", "tpu", "pod",
    "vm",
];

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

/// What the names of a run's directories show. Several are joined by `/`, outermost first; `None` where there are none.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunPlace {
    /// Names of hosts.
    pub host: Option<String>,
    /// Other names of directories, of a host or a workload.
    pub name: Option<String>,
    /// The dump's own name without what says device, call and repetition.
    pub own: Option<String>,
    /// Names of repetitions.
    pub run: Option<String>,
    /// Names of occasions, which are repetitions of a word for a day, a machine or a restart and a number, or dates such as `2026-11-23`.
    pub occasion: Option<String>,
    /// Device.
    pub device: Option<u32>,
    /// Call.
    pub call: Option<u32>,
}

impl RunPlace {
    /// Reads the place from the names of the directories between the one that was given and the dump, and from the
    /// dump's name. `own` is `None` for a dump that was given itself: its name says only device and call.
    #[must_use]
    pub fn from_directories(above: &[&str], dump: &str, is_given: bool) -> Self {
        let names = || above.iter().copied();
        let (device, call) = device_and_call(dump);
        // Of a rank's directory the dump's name may say the device, which is another number.
        let rank =
            if device.is_none() { above.iter().copied().find_map(rank_of_directory) } else { None };
        let own = if is_given { None } else { own_name(dump) };
        let is_device = |name: &str| rank.is_some() && rank_of_directory(name).is_some();
        let is_other = |name: &&str| !is_repetition(name) && !is_host(name) && !is_device(name);
        let run = names().chain(own.as_deref()).filter(|name| is_repetition(name));
        Self {
            host: joined(names().filter(|name| is_host(name))),
            name: joined(names().filter(is_other)),
            run: joined(run),
            occasion: joined(names().filter(|name| is_occasion(name))),
            own: own.clone().filter(|name| !is_repetition(name)),
            device: device.or(rank),
            call,
        }
    }

    /// All names of directories that are neither repetitions nor say the device, in their order: hosts, where nothing says what ran there.
    #[must_use]
    pub fn all_names(above: &[&str], dump: &str) -> Option<String> {
        let has_device = device_and_call(dump).0.is_some();
        let is_device = |name: &str| !has_device && rank_of_directory(name).is_some();
        joined(above.iter().copied().filter(|name| !is_repetition(name) && !is_device(name)))
    }
}

/// The hosts of runs of one program on many devices, of which the directories above each dump are given, outermost first: all names that are
/// neither those of repetitions nor of ranks, from the outermost on that is not the same of all. `None` where nothing is left.
#[must_use]
pub fn host_names(above: &[Vec<&str>]) -> Vec<Option<String>> {
    let is_same = |level: &usize| {
        let mut names = above.iter().map(|names| names.get(*level));
        let first = names.next().flatten();
        first.is_some() && names.all(|name| name == first)
    };
    let from = if above.len() > 1 { (0..).take_while(is_same).count() } else { 0 };
    let own = |is_host: fn(&&str) -> bool| -> Vec<Option<String>> {
        let names = above.iter().map(|names| names.iter().copied().skip(from).filter(is_host));
        names.map(joined).collect()
    };
    let is_rank = |name: &&str| rank_of_directory(name).is_some();
    let hosts = own(|name| rank_of_directory(name).is_none() && !is_repetition(name));
    // A run of many devices has no repetitions: numbers that alone tell dumps apart are hosts.
    let has_ranks = above.iter().any(|names| names.iter().any(is_rank));
    match hosts.iter().all(Option::is_none) && !has_ranks {
        true => own(|name| rank_of_directory(name).is_none()),
        false => hosts,
    }
}

/// The number of a directory `rank{R}`.
#[must_use]
pub fn rank_of_directory(name: &str) -> Option<u32> {
    let rest = name.strip_prefix("rank")?;
    rest.trim_start_matches(['_', '-']).parse().ok()
}

/// What the runtime's names begin with.
const PREFIXES: [&str; 2] = ["cdm_profile_data", "bmprofile_data"];

/// Device and call of `cdm_profile_data_dev{device}-{call}`; static models have no call.
#[must_use]
pub fn device_and_call(name: &str) -> (Option<u32>, Option<u32>) {
    let Some(rest) = name.strip_prefix(PREFIXES[0]).and_then(|rest| rest.strip_prefix("_dev"))
    else {
        return (None, None);
    };
    match rest.split_once('-') {
        Some((device, call)) => (device.parse().ok(), call.parse().ok()),
        None => (rest.parse().ok(), None),
    }
}

/// What a dump's name has beside what the runtime gave it; `None` where that is nothing.
fn own_name(dump: &str) -> Option<String> {
    let is_separator = |c: char| matches!(c, '_' | '-' | '.');
    let after_number =
        |text: &str| text.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned();
    let Some(rest) = PREFIXES.iter().find_map(|prefix| dump.strip_prefix(prefix)) else {
        return (!dump.is_empty()).then(|| dump.to_owned());
    };
    let rest = rest.trim_start_matches(is_separator);
    let rest = rest.strip_prefix("dev").map_or_else(|| rest.to_owned(), after_number);
    let rest = after_number(rest.trim_start_matches(is_separator));
    let rest = rest.trim_matches(is_separator);
    (!rest.is_empty()).then(|| rest.to_owned())
}

/// The name of a machine: a word for one with a number, or with more behind it.
fn is_host(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let is_of = |word: &&str| {
        lower.strip_prefix(*word).is_some_and(|rest| {
            let number = rest.trim_start_matches(['-', '_', '.']);
            // hostA, node17, tpu-3, server-b; not `hosting` or `node`.
            let is_short = number.chars().count() == 1 && number != rest;
            let is_letter = rest.len() == 1 && name.ends_with(|c: char| c.is_ascii_uppercase());
            number.starts_with(|c: char| c.is_ascii_digit()) || is_short || is_letter
        })
    };
    !is_repetition(name) && HOSTS.iter().any(is_of)
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
    fn names_are_told_apart() {
        let of =
            |name: &str| RunPlace::from_directories(&[name], "cdm_profile_data_dev3-12", false);
        for name in ["1", "007", "run3", "Run-3", "rep_2", "iter.4", "run=5", "2026-11-23"] {
            let RunPlace { host, name: other, run, .. } = of(name);
            assert_eq!((host, other, run.as_deref()), (None, None, Some(name)));
        }
        for name in ["node17", "hostA", "tpu-3", "runner2", "server-b", "host-2.rack1"] {
            let RunPlace { host, name: other, run, .. } = of(name);
            assert_eq!((host.as_deref(), other, run), (Some(name), None, None));
        }
        for name in ["resnet50", "run", "alpha", "hosting", "tpuv7-bert", "bert_base"] {
            let RunPlace { host, name: other, run, .. } = of(name);
            assert_eq!((host, other.as_deref(), run), (None, Some(name), None));
        }
        for name in ["2026-11-23", "2026-11-23_1200", "occasion-2", "Day3"] {
            assert_eq!(of(name).occasion.as_deref(), Some(name));
        }
        let place = RunPlace::from_directories(
            &["rack1", "3", "bert", "node2", "run-1"],
            "cdm_profile_data_dev3-12",
            false,
        );
        assert_eq!(place.host.as_deref(), Some("rack1/node2"));
        assert_eq!((place.name.as_deref(), place.run.as_deref()), (Some("bert"), Some("3/run-1")));
        assert_eq!((place.device, place.call, place.own), (Some(3), Some(12), None));
    }

    #[test]
    fn a_rank_is_a_device_where_the_dump_names_none() {
        let of = |dump: &str| RunPlace::from_directories(&["node1", "rank3"], dump, false);
        let RunPlace { host, name, device, .. } = of("bmprofile_data-1");
        assert_eq!((host.as_deref(), name, device), (Some("node1"), None, Some(3)));
        assert_eq!(of("cdm_profile_data_dev0-1").device, Some(0));
        assert_eq!(rank_of_directory("rank_12"), Some(12));
        assert_eq!(rank_of_directory("ranking"), None);
    }

    #[test]
    fn hosts_are_what_differs_above_the_dumps() {
        let of = |paths: &[&str]| {
            let above: Vec<Vec<&str>> =
                paths.iter().map(|path| path.split('/').collect()).collect();
            host_names(&above).into_iter().map(Option::unwrap_or_default).collect::<Vec<_>>()
        };
        assert_eq!(of(&["run/a", "run/b"]), ["a", "b"]);
        assert_eq!(of(&["run", "run"]), ["", ""]);
        assert_eq!(of(&["x/h1/rank0", "x/h2/rank1"]), ["h1", "h2"]);
        assert_eq!(of(&["x/rank0", "x/rank1"]), ["", ""]);
        assert_eq!(of(&["x/node1/run-1", "x/node2/run-1"]), ["node1", "node2"]);
        assert_eq!(of(&["x/0", "x/1"]), ["0", "1"], "there is nothing else");
        assert_eq!(of(&["rack1/node1", "rack2/node1"]), ["rack1/node1", "rack2/node1"]);
        assert_eq!(of(&["data/node1/run-1"]), ["data/node1"]);
    }

    #[test]
    fn the_name_of_a_dump_is_what_the_runtime_did_not_write() {
        let own = |name: &str| RunPlace::from_directories(&[], name, false).own;
        for name in
            ["cdm_profile_data_dev0-3", "cdm_profile_data_dev0", "bmprofile_data-1", "run-7"]
        {
            assert_eq!(own(name), None, "{name}");
        }
        for (name, expected) in [
            ("cdm_profile_data_dev0_bm1690", "bm1690"),
            ("bmprofile_data-1_bm1688", "bm1688"),
            ("resnet", "resnet"),
        ] {
            assert_eq!(own(name).as_deref(), Some(expected));
        }
        assert_eq!(
            RunPlace::from_directories(&[], "resnet", true).own,
            None,
            "what is given says nothing"
        );
        assert_eq!(RunPlace::from_directories(&[], "run-7", false).run.as_deref(), Some("run-7"));
    }
}
