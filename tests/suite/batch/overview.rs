//! `index.html` and `index.md`: what many dumps say together.

use std::fs;

use crate::support::run::{finish, tool};

/// Four devices with three calls each; on device 2, core 3 is slow. One dump is broken.
#[test]
fn the_overview_names_the_slow_device_and_core_and_links_to_each_dump() {
    let dir = tempfile::tempdir().unwrap();
    let (root, out) = (dir.path().join("root"), dir.path().join("out"));
    for device in 0..4 {
        for call in 0..3 {
            let dump = root.join(format!("cdm_profile_data_dev{device}-{call}"));
            let seed = (device * 10 + call).to_string();
            let mut synth = tool();
            synth.arg("synth").arg(dump).args(["--launches", "12", "--seed", &seed, "-q"]);
            if device == 2 {
                synth.args(["--plant", "imbalance=3:1.5"]);
            }
            assert_eq!(finish(&mut synth).code, Some(0));
        }
    }
    let broken = root.join("cdm_profile_data_dev9-0");
    fs::create_dir(&broken).unwrap();
    fs::write(broken.join("global.profile"), "core_num=1\n").unwrap();
    let said = finish(tool().arg("batch").arg(&root).arg(&out).args(["--emit", "page,report"]));
    assert_eq!(said.code, Some(1), "{said:?}");
    let page = fs::read_to_string(out.join("index.html")).unwrap();
    let lead = page.split("<p id=\"lead\">").nth(1).unwrap().lines().next().unwrap();
    let (lead, chinese) = lead.split_once("</span><span lang=\"zh\">").unwrap();
    let lead = lead.strip_prefix("<span lang=\"en\">").unwrap();
    assert!(chinese.starts_with("dev2 的工作时间是同类转储中位数的 1."), "{chinese}");
    assert!(
        lead.starts_with("dev2 works 1.") && lead.contains("Core 3 of dev2 works 1."),
        "{lead}"
    );
    assert!(lead.contains("1 failed, 0 with lost data"), "{lead}");
    let link = "<a href=\"./cdm_profile_data_dev2-0/PerfWeb/result.html#up=..%2F..%2Findex.html\">";
    assert!(
        page.contains(link) && out.join("cdm_profile_data_dev2-0/PerfWeb/result.html").is_file()
    );
    // What can't be looked at has its reason in the lead, and no heading of its own.
    assert!(lead.contains("Trends are not looked for"), "{lead}");
    for (id, count) in [
        ("devices", 1),
        ("cores", 1),
        ("calls", 1),
        ("kernels", 1),
        ("layers", 1),
        ("trends", 0),
        ("advice", 1),
        ("losses", 1),
        ("dumps", 1),
    ] {
        assert_eq!(page.matches(&format!("<h2 id=\"{id}\">")).count(), count, "{id}");
    }
    assert!(!page.contains("<script"));
    // Columns of names begin at the left: each table says which, and the style knows them.
    for table in page.split("<table class=\"").skip(1) {
        let of_names = table.split('"').next().unwrap();
        // All other columns are numbers.
        let of_names = of_names.strip_prefix("data numbers ").unwrap();
        assert!(!of_names.is_empty());
        for class in of_names.split_whitespace() {
            let rule = format!(".{class} tr>:nth-child({})", class.trim_start_matches('t'));
            assert!(page.contains(&rule), "{rule}");
        }
    }
    let table = fs::read_to_string(out.join("index.md")).unwrap();
    let head: Vec<&str> = table.lines().next().unwrap().split(" | ").collect();
    for column in ["compute", "exposed transfer", "top kernel", "first advice"] {
        assert!(head.contains(&column), "{head:?}");
    }
    let cells = |line: &str| line.matches('|').count();
    assert!(
        table.lines().all(|line| cells(line) == cells(table.lines().next().unwrap())),
        "{table}"
    );
}
