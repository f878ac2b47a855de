//! The documented lines for schedulers, run by a shell with stand-ins for these.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The lines for `sbatch` and `parallel` in a directory with stand-ins for both.
pub(crate) struct Schedulers<'a> {
    lines: &'a str,
    here: &'a Path,
    tools: PathBuf,
}

impl<'a> Schedulers<'a> {
    /// `sbatch` and `parallel`: scripts that do as these do.
    pub(crate) fn new(document: &'a str, here: &'a Path, sbatch: &str, parallel: &str) -> Self {
        let lines = document.split("<!-- not run: needs a cluster -->\n```sh\n").nth(1).unwrap();
        let tools = here.join("tools");
        fs::create_dir(&tools).unwrap();
        for (name, text) in [("sbatch", sbatch), ("parallel", parallel)] {
            fs::write(tools.join(name), text).unwrap();
            fs::set_permissions(tools.join(name), fs::Permissions::from_mode(0o755)).unwrap();
        }
        symlink(env!("CARGO_BIN_EXE_bigtpuprofile"), tools.join("bigtpuprofile")).unwrap();
        Self { lines: lines.split("```").next().unwrap(), here, tools }
    }

    /// Runs the lines with each scheduler, and `check` after each.
    pub(crate) fn run(&self, mut check: impl FnMut(&str)) {
        let path = format!("{}:{}", self.tools.display(), std::env::var("PATH").unwrap());
        for [scheduler, other] in [["sbatch", "parallel"], ["parallel", "sbatch"]] {
            let lines: Vec<&str> =
                self.lines.lines().filter(|line| !line.starts_with(other)).collect();
            let mut shell = Command::new("sh");
            shell.args(["-ec", &lines.join("\n")]).current_dir(self.here).env("PATH", &path);
            let done = shell.output().unwrap();
            let said = String::from_utf8_lossy(&done.stderr);
            assert!(done.status.success(), "{scheduler}: {said}");
            check(scheduler);
        }
    }
}
