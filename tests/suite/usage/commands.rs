//! Commands next to the analysis, and directories that are called like one.

use super::{CASE, contains_all};
use crate::support::case::case;
use crate::support::run::{finish, say, tool};

pub(super) const COMMANDS: [&str; 9] =
    ["batch", "costs", "diff", "estimate", "info", "pipeline", "search", "synth", "whatif"];

#[test]
fn every_command_is_listed_and_has_help() {
    let help = say(&["--help"]).stdout;
    for command in COMMANDS {
        contains_all(&help, &[&format!("\n  {command}  ")]);
        let own = say(&[command, "--help"]);
        assert_eq!(own.code, Some(0), "{own:?}");
        contains_all(&own.stdout, &[&format!("Usage: bigtpuprofile {command}")]);
    }
}

#[test]
fn help_is_a_command_too() {
    assert_eq!(say(&["help"]).stdout, say(&["--help"]).stdout);
    assert_eq!(say(&["help", "batch"]).stdout, say(&["batch", "--help"]).stdout);
}

#[test]
fn a_misspelled_command_gets_a_suggestion() {
    for (given, meant) in [("bacth", "batch"), ("what-if", "whatif"), ("syth", "synth")] {
        let said = say(&[given, "profiles", "results", "--force"]);
        assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{said:?}");
        contains_all(&said.stderr, &[&format!("'{given}'; did you mean '{meant}'?")]);
    }
    for given in ["anlyze", "analyse"] {
        let said = say(&[given, "profiles", "results"]);
        assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{said:?}");
        contains_all(&said.stderr, &["unknown command", "an analysis needs none"]);
    }
    // A word like no command is a directory that does not exist; names of dumps are hardly ever words.
    let said = say(&["nowhere", "out"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    contains_all(
        &said.stderr,
        &["unknown command 'nowhere', and no such directory", "cdm_profile_data_"],
    );
    let said = say(&["no_where-0", "out"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    contains_all(&said.stderr, &["no_where-0: no such directory"]);
    // A directory of any name is a directory.
    let here = tempfile::tempdir().unwrap();
    std::fs::create_dir(here.path().join("bacth")).unwrap();
    let said = finish(tool().args(["bacth", "out"]).current_dir(here.path()));
    contains_all(&said.stderr, &["bacth: no global.profile here"]);
}

#[test]
fn options_of_the_analysis_are_no_options_of_a_command() {
    let said = say(&["synth", "out", "--perfetto"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    contains_all(&said.stderr, &["unexpected argument '--perfetto'"]);
}

/// `./synth` always is the directory, and so is `synth` after any other argument.
#[test]
fn a_dump_may_have_the_name_of_a_command() {
    let here = tempfile::tempdir().unwrap();
    let dump = here.path().join("synth");
    std::fs::create_dir(&dump).unwrap();
    for file in std::fs::read_dir(case(CASE).dump()).unwrap().map(Result::unwrap) {
        std::fs::copy(file.path(), dump.join(file.file_name())).unwrap();
    }
    for args in [["./synth", "out"], ["-q", "synth"]] {
        let said = finish(tool().args(args).current_dir(here.path()));
        assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{args:?}");
    }
    assert!(here.path().join("out/tiuRegInfo_0.txt").is_file());
    assert!(here.path().join("profile_out/tiuRegInfo_0.txt").is_file());
}
