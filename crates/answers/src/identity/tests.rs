use super::*;

fn program(name: &str) -> RunProgram {
    RunProgram { chip: "AKS".into(), parts: BTreeMap::from([(name.to_owned(), [10.0, 100.0])]) }
}

/// The units of runs at places, each of a program, with the sides' bounds at `after`.
fn paired_units(
    runs: &[(&[&str], &str, &str)],
    after: usize,
    pooling: &Pooling<'_>,
) -> (Vec<String>, Vec<String>) {
    let places: Vec<RunPlace> = runs
        .iter()
        .map(|(above, dump, _)| RunPlace::from_directories(above, dump, false))
        .collect();
    let programs: Vec<RunProgram> = runs.iter().map(|(.., name)| program(name)).collect();
    let placed: Vec<PlacedRun<'_>> = places
        .iter()
        .zip(&programs)
        .zip(0..)
        .map(|((place, program), n)| PlacedRun { place, program, side: usize::from(n >= after) })
        .collect();
    let (units, notes) = units(&placed, pooling);
    (units.iter().map(Unit::to_string).collect(), notes.iter().map(ToString::to_string).collect())
}

const DUMP: &str = "cdm_profile_data_dev0-0";

#[test]
fn names_are_workloads_where_programs_differ_and_hosts_where_they_do_not() {
    let none = Pooling::default();
    let side = |programs: [&'static str; 3]| -> Vec<(&[&str], &str, &str)> {
        let names: [&[&str]; 3] = [&["alpha"], &["beta"], &["gamma"]];
        names.into_iter().zip(programs).map(|(above, program)| (above, DUMP, program)).collect()
    };
    assert_eq!(
        paired_units(&side(["a"; 3]), 9, &none).0,
        ["alpha dev0 call 0", "beta dev0 call 0", "gamma dev0 call 0"]
    );
    let (units, notes) = paired_units(&side(["a", "b", "c"]), 9, &none);
    assert_eq!(units, ["alpha dev0 call 0", "beta dev0 call 0", "gamma dev0 call 0"]);
    assert!(notes.is_empty());
    // Dumps that are called by their workload; three of one program are repetitions, whatever they are called.
    let dumps = |programs: [&'static str; 3]| -> Vec<(&[&str], &str, &str)> {
        let names = ["resnet", "bert", "vit"];
        names.into_iter().zip(programs).map(|(name, program)| (&[][..], name, program)).collect()
    };
    assert_eq!(paired_units(&dumps(["a", "b", "c"]), 9, &none).0, ["resnet", "bert", "vit"]);
    assert_eq!(paired_units(&dumps(["a"; 3]), 9, &none).0, ["default"; 3]);
    // One that is slower after the change is still the same name.
    let both = [dumps(["a", "b", "c"]), dumps(["a2", "b", "c"])].concat();
    assert_eq!(paired_units(&both, 3, &none).0, ["resnet", "bert", "vit", "resnet", "bert", "vit"]);
    let named = Pooling { workload: Some("nightly"), ..Pooling::default() };
    assert_eq!(paired_units(&dumps(["a"; 3]), 9, &named).0, ["nightly"; 3]);
}

/// Repetitions are of one program, whatever their names claim, also where parts are pooled.
#[test]
fn runs_of_different_programs_are_never_pooled() {
    let none = Pooling::default();
    let runs: [(&[&str], &str, &str); 3] =
        [(&["run-1"], DUMP, "a"), (&["run-2"], DUMP, "b"), (&["run-3"], DUMP, "a")];
    let (units, notes) = paired_units(&runs, 9, &none);
    assert_eq!(units, ["program 1 dev0 call 0", "run-2 dev0 call 0", "program 1 dev0 call 0"]);
    assert_eq!(notes.len(), 1);
    assert!(notes[0].contains("not of the same program"), "{notes:?}");
    // The other side has one of them only, and a version of it.
    let both = [&runs[..], &[(&["run-9"][..], DUMP, "b")]].concat();
    assert_eq!(paired_units(&both, 3, &none).0[3], "run-2 dev0 call 0");
    let pooled = Pooling { pools_hosts: true, pools_devices: true, pools_calls: true, ..none };
    assert_eq!(paired_units(&runs, 9, &pooled).0, ["program 1", "run-2", "program 1"]);
    let chips = [program("a"), RunProgram { chip: "BM1688".into(), ..program("a") }];
    let place = RunPlace::from_directories(&["1"], DUMP, false);
    let placed: Vec<PlacedRun<'_>> =
        chips.iter().map(|program| PlacedRun { place: &place, program, side: 0 }).collect();
    let (units, _) = super::units(&placed, &Pooling::default());
    assert_eq!(units[1].to_string(), "BM1688 dev0 call 0");
}

#[test]
fn hosts_count_where_a_side_has_several() {
    let none = Pooling::default();
    let run = |host: &'static [&'static str]| -> (&[&str], &str, &str) { (host, DUMP, "a") };
    assert_eq!(
        paired_units(&[run(&["results"]), run(&["results"]), run(&["new"])], 2, &none).0,
        ["dev0 call 0"; 3]
    );
    let two = paired_units(&[run(&["node1"]), run(&["node2"]), run(&["node1"])], 2, &none).0;
    assert_eq!(two, ["node1 dev0 call 0", "node2 dev0 call 0", "node1 dev0 call 0"]);
    let mixed: [(&[&str], &str, &str); 2] =
        [(&["node1", "bert"], DUMP, "b"), (&["node1", "resnet"], DUMP, "r")];
    assert_eq!(paired_units(&mixed, 9, &none).0, ["bert dev0 call 0", "resnet dev0 call 0"]);
}
