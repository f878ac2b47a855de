//! The library that lets calls fail, and runs with it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::run::tool;

/// A run that takes so long hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// One fault.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fault {
    /// Classes of calls that are counted: see `tests/tools/faults.c`.
    pub(super) classes: u32,
    /// The call that fails, from 1; 0 is none.
    pub(super) call: u64,
    pub(super) errno: i32,
    /// Whether all later ones fail, too.
    pub(super) lasts: bool,
}

impl Fault {
    pub(super) const NONE: Self = Self { classes: 0, call: 0, errno: 0, lasts: false };
}

/// How a run ended.
#[derive(Debug)]
pub(super) struct End {
    /// `None` where a signal ended it, or it hung.
    pub(super) code: Option<i32>,
    pub(super) stderr: String,
}

/// The library.
pub(super) struct Shim {
    path: PathBuf,
    dir: tempfile::TempDir,
}

impl Shim {
    /// Compiles it: whoever links Rust programs has a C compiler.
    pub(super) fn build() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("faults.so");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tools/faults.c");
        let mut cc = Command::new("cc");
        cc.args(["-shared", "-fPIC", "-O1", "-w", "-o"]).arg(&path).arg(source).arg("-ldl");
        let done = cc.output().expect("a C compiler, cc, is there");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        Self { path, dir }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Runs the program with a fault.
    pub(super) fn run(&self, args: &[OsString], fault: Fault) -> End {
        let said = self.dir.path().join("stderr");
        let Fault { classes, call, errno, lasts } = fault;
        let mut command = tool();
        command.args(args).env("LD_PRELOAD", &self.path);
        for (name, value) in [
            ("FAULT_CLASSES", classes.to_string()),
            ("FAULT_CALL", call.to_string()),
            ("FAULT_ERROR", errno.to_string()),
            ("FAULT_LASTS", u8::from(lasts).to_string()),
        ] {
            command.env(name, value);
        }
        command.env("FAULT_COUNT", self.dir.path().join("count"));
        command.stdout(Stdio::null()).stderr(fs::File::create(&said).unwrap());
        let mut child = command.spawn().unwrap();
        let start = Instant::now();
        let code = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status.code();
            }
            if start.elapsed() > PATIENCE {
                child.kill().unwrap();
                child.wait().unwrap();
                break None;
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let stderr = String::from_utf8_lossy(&fs::read(said).unwrap()).into_owned();
        End { code, stderr }
    }

    /// Runs the program with a fault; returns its end and how many calls were counted.
    pub(super) fn count(&self, args: &[OsString], fault: Fault) -> (End, u64) {
        let end = self.run(args, fault);
        let count = fs::read_to_string(self.dir.path().join("count")).unwrap();
        (end, count.trim().parse().unwrap())
    }
}
