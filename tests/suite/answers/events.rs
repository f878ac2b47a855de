//! `--events` and `--csv`.

use crate::support::case::case;
use crate::support::run::analyzed;

#[test]
fn events_are_written_when_asked_for() {
    let dump = case("aks-mode2-sync").dump();
    let run = analyzed(&dump, &["--events", "--csv", "--disable_doc", "--disable_web"]);
    let parquet = run.files().remove("events.parquet").unwrap();
    assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
    let csv = run.text("events.csv");
    assert_eq!(csv.lines().count(), 1 + 85);
    assert!(
        csv.starts_with("engine,core,port,event,cmd_id,start_ns,"),
        "{}",
        csv.lines().next().unwrap()
    );
    let names = analyzed(&dump, &["--disable_doc", "--disable_web"]).names();
    assert!(!names.iter().any(|name| name.starts_with("events")), "{names:?}");
}
