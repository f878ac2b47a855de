//! What the console says of each fault: the answer first, true, in at most 40 lines.

use super::Cluster;

/// The console's text of a generated cluster, its lines joined where they were broken.
fn shown(cluster: &Cluster, args: &[&str]) -> String {
    let said = cluster.cluster("out", args);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let text = said.stdout;
    assert!(text.lines().count() <= 40, "{text}");
    // Files lie where the test says.
    let mut lines = text.lines().filter(|line| !line.contains("/out/"));
    assert!(lines.all(|line| line.chars().count() <= 80), "{text}");
    assert_eq!(text.matches("not yet verified on hardware").count(), 1, "{text}");
    text.replace("\n  ", " ")
}

/// A fault, whether the tables of the run are given, and what must be said, the first of it at the start.
const FAULTS: [(&[&str], bool, &[&str]); 10] = [
    (&["late-rank=3:1.3"], true, &["Rank 3 is late in 12 of 12 operations: its matmul takes 1."]),
    (
        &["late-launch=5:40"],
        true,
        &["Rank 5 is late in 12 of 12 operations: the pauses", "so its host launches late"],
    ),
    (
        &["slow-link=2>3:1.5"],
        true,
        &[
            "The link from rank 2 to rank 3 has 67% of the fastest link's rate",
            "at the fastest's rate the run would take",
            "link:2>3=1.5 ",
        ],
    ),
    (
        &["retries=1>2"],
        true,
        &[
            "The link from rank 1 port 1 to rank 2 port 0 sent 1008 packets again: check its cable and connectors; at the fastest's",
            "link:1>2=1.2",
        ],
    ),
    (&["lost-dump=4"], true, &["1 of 8 ranks has no dump; all shares are of the others."]),
    (
        &["lost-dump=4"],
        false,
        &["No rank", "note: host0 has devices 0 to 7 but none 4: its dump may be missing"],
    ),
    (
        &["lost-records=4:0.01"],
        true,
        &[
            "No rank",
            "records lost",
            "of rank 4; capture fewer steps, or with a greater max_record_num",
        ],
    ),
    (
        &["two-islands"],
        true,
        &[
            "No rank",
            "In these dumps no message joins all ranks: there are 2 islands",
            "  island 0",
            "  island 1",
        ],
    ),
    (
        &["swapped-ranks"],
        true,
        &["No rank", "note: the links form a ring in the order r0 ", "check the rank table"],
    ),
    (
        &["wrong-topology"],
        true,
        &["No rank", " of --topology contradict the data, or others of the list: not used"],
    ),
];

#[test]
fn each_fault_is_told_in_forty_lines() {
    for (plants, has_tables, texts) in FAULTS {
        let mut args = vec!["--cluster", "8", "--operations", "12"];
        args.extend(plants.iter().flat_map(|plant| ["--plant", plant]));
        let cluster = Cluster::make(&args);
        let (table, topology) =
            (cluster.path("run/rank_table.json"), cluster.path("run/topology.json"));
        let tables = ["--rank-table", &table, "--topology", &topology];
        let text = shown(&cluster, if has_tables { &tables } else { &[] });
        assert!(text.starts_with(texts[0]), "{plants:?}: {text}");
        for part in texts {
            assert!(text.contains(part), "{plants:?}: no {part:?} in {text}");
        }
        // What is stated wrongly leaves no thread without partner.
        assert!(plants != ["wrong-topology"] || !text.contains("clear partner"), "{text}");
    }
}

/// One operation does not decide which ports are linked: that is no word about the machine, which has links.
#[test]
fn links_that_were_not_found_are_not_denied() {
    let text =
        shown(&Cluster::make(&["--cluster", "8", "--operations", "1", "--chunks", "1"]), &[]);
    let told = "Which ranks exchanged data was not found: 224 commands of ports have no partner";
    assert!(text.starts_with(told), "{text}");
    assert!(text.contains("could not be put on one clock"), "{text}");
    assert!(!text.contains("no message joins") && !text.contains("No communication"), "{text}");
}

/// Threads that nothing fits are listed: no command is unpaired in silence.
#[test]
fn what_is_not_paired_is_told() {
    let cluster = Cluster::make(&["--cluster", "8", "--plant", "lost-records=4:0.02"]);
    let text = shown(&cluster, &["--emit", "report"]);
    let report = cluster.report("out");
    let open = report["ambiguous"].as_array().unwrap();
    let threads = open.iter().map(|row| row["commands"].as_u64().unwrap()).sum::<u64>();
    let inside = report["links"].as_array().unwrap().iter().map(|link| {
        link["unpaired_inside"].as_u64().unwrap() + link["unpaired_edges"].as_u64().unwrap()
    });
    assert_eq!(report["ledger"]["unpaired"].as_u64().unwrap(), threads + inside.sum::<u64>());
    assert_eq!(text.contains("without a clear partner"), !open.is_empty(), "{text}");
}

/// Ports whose full ring lost its sync pair have a time of their own: they do not say when their rank arrives.
#[test]
fn ports_without_a_place_do_not_move_operations() {
    let of = |plants: &[&str]| {
        let args = ["--cluster", "4", "--operations", "20"];
        let cluster = Cluster::make(&[&args[..], plants].concat());
        let text = shown(&cluster, &["--emit", "report"]);
        let report = cluster.report("out");
        let operations = report["operations"].as_array().unwrap().clone();
        (text, operations.iter().map(|o| o["skew_ns"].as_f64().unwrap()).fold(0.0, f64::max))
    };
    let (_, healthy) = of(&[]);
    let (text, full) = of(&["--plant", "ring-full=2"]);
    assert!(text.contains("note: rank 2: ports 0, 1 have no sync pair"), "{text}");
    assert!(full < 2.0 * healthy, "{full} {healthy}");
}

/// A change that was asked for is there once, even if it gains nothing; of those that were not, only what gains.
#[test]
fn changes_are_there_once() {
    let cluster = Cluster::make(&["--cluster", "4", "--operations", "8"]);
    let text = shown(&cluster, &["--emit", "report", "--scale", "link=2", "--scale", "latency=1"]);
    assert_eq!(text.matches("link=2 ").count(), 1, "{text}");
    assert!(text.contains("latency=1 ") && text.contains(" 0.0\n"), "{text}");
    assert!(!text.contains("skew=0"), "{text}");
}

/// Much of everything is cut to what fits: many islands, bad links, late ranks, notes.
#[test]
fn forty_lines_hold_whatever_is_wrong() {
    let plants = [
        "late-rank=3:1.5",
        "slow-link=9>10:2",
        "retries=5>6",
        "late-launch=12:60",
        "lost-records=6:0.01",
    ];
    let mut args = vec!["--cluster", "16", "--operations", "10", "--program", "mixed"];
    args.extend(plants.iter().flat_map(|plant| ["--plant", *plant]));
    let changes = ["link=2", "skew=0", "latency=0.5", "tiu=2", "ddr=2", "rank:3=0.5"];
    let mut scales: Vec<&str> = changes.iter().flat_map(|change| ["--scale", *change]).collect();
    scales.extend(["--scale", "kernel:none=0.5", "--scale", "link:0>9=2"]);
    let text = shown(&Cluster::make(&args), &scales);
    assert!(text.starts_with("Rank ") || text.starts_with("The link "), "{text}");
}
