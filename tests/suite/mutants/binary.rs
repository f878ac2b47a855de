//! A sample of the mutants, analyzed by the binary under limits that the system holds it to.

use std::fs;
use std::process::{Command, Stdio};

use super::{IN_PROCESS, MOST_KIB, MOST_SECONDS, OF_BINARY, numbered_mutant, open, sound};
use crate::support::run::{ONE_ARENA, finish};

#[test]
fn mutants_end_with_a_documented_code() {
    let sound = sound();
    let mut codes = [0u32; 4];
    for number in IN_PROCESS..IN_PROCESS + OF_BINARY {
        let mutant = numbered_mutant(&sound, number);
        let dir = tempfile::tempdir().unwrap();
        let (input, output) = (dir.path().join("dump"), dir.path().join("out"));
        fs::create_dir(&input).unwrap();
        mutant.files.write(&input);
        let mut command = Command::new("sh");
        command.args(["-c", r#"ulimit -v "$1"; ulimit -t "$2"; shift 2; exec "$@""#, "sh"]);
        command.args([MOST_KIB, MOST_SECONDS].map(|limit| limit.to_string()));
        command.arg(env!("CARGO_BIN_EXE_bigtpuprofile")).arg(&input).arg(&output);
        command.args(["--perfetto", "--enable_doc", "-j2"]).stdin(Stdio::null());
        command.env(ONE_ARENA.0, ONE_ARENA.1);
        if number.is_multiple_of(2) {
            command.arg("--strict");
        }
        let trace = input.join("host_trace.json");
        if trace.exists() {
            command.arg("--trace_file").arg(trace);
        }
        let said = finish(&mut command);
        let what = format!("mutant {number}, {:?}: {said:?}", mutant.damage);
        let code = said.code.unwrap_or_else(|| panic!("{what}"));
        match code {
            0 | 3 => open(&output),
            1 => {
                assert!(
                    said.stderr.starts_with("error: ") && said.stderr.lines().count() == 1,
                    "{what}"
                );
                assert!(!output.exists(), "{what}");
            }
            _ => panic!("{what}"),
        }
        assert!(code != 3 || said.stderr.contains("lost: "), "{what}");
        codes[code as usize] += 1;
    }
    // Each way to end was seen.
    assert!(codes[0] > 0 && codes[1] > 0 && codes[3] > 0, "{codes:?}");
}
