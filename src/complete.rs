//! What a shell completes. It asks the program itself, with the words of the command line, so that values of options, names of
//! machines and of what is explained, and kernels and layers of the dump in the line are known.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use bigtpu_machine::{PresetSet, presets};
use bigtpu_messages::Language;
use bigtpu_session::Session;
use bigtpu_session::dumps::open_only;
use clap::{Command, CommandFactory as _};
use clap_complete::env::{Bash, EnvCompleter, Fish, Powershell, Zsh};
use clap_complete::{CompleteEnv, CompletionCandidate};

use crate::args::{Cli, lang, translated};

/// The variable by which a shell asks; its value is the shell's name.
const ASKS: &str = "BIGTPUPROFILE_COMPLETE";
const PROGRAM: &str = "bigtpuprofile";
/// Larger dumps are not read for names: the shell waits for the answer.
const MOST_BYTES: u64 = 64 << 20;
/// What `whatif --scale` takes besides kernels and layers.
const SCALED: [&str; 9] = ["tiu", "gdma", "sdma", "cdma", "ddr", "l2m", "link", "launch", "sync"];

/// A shell that the program makes completions for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::enum_variant_names, reason = "PowerShell is its name")]
pub(crate) enum Shell {
    Bash,
    Zsh,
    Fish,
    PowerShell,
}

/// The script by which a shell learns to ask.
pub(crate) fn script(shell: Shell) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let own: &dyn EnvCompleter = match shell {
        Shell::Bash => &Bash,
        Shell::Zsh => &Zsh,
        Shell::Fish => &Fish,
        Shell::PowerShell => &Powershell,
    };
    own.write_registration(ASKS, PROGRAM, PROGRAM, PROGRAM, &mut text)?;
    if shell == Shell::Zsh {
        // In a file of `fpath`, the script runs at the first question, and has to answer it.
        text.extend(
            b"if [ \"$funcstack[1]\" = \"_bigtpuprofile\" ]; then\n    _clap_dynamic_completer_bigtpuprofile \"$@\"\nfi\n",
        );
    }
    Ok(text)
}

/// Answers a shell and ends the process, if one asks.
pub(crate) fn answer() {
    if std::env::var_os(ASKS).is_some() {
        CompleteEnv::with_factory(command).var(ASKS).bin(PROGRAM).completer(PROGRAM).complete();
    }
}

/// The command line in the language of the locale: some shells show what an option is for.
fn command() -> Command {
    match lang::of_process() {
        Language::English => Cli::command(),
        Language::Chinese => translated(Cli::command()),
    }
}

/// Kernels and layers of the dump in the line, for `--kernel`.
pub(crate) fn parts(begun: &OsStr) -> Vec<CompletionCandidate> {
    candidates(begun, parts_of_dump())
}

/// What `--scale` takes, with the kernels and layers of the dump in the line.
pub(crate) fn scaled(begun: &OsStr) -> Vec<CompletionCandidate> {
    let machine = SCALED.iter().map(|name| format!("{name}="));
    candidates(begun, machine.chain(parts_of_dump().map(|name| format!("kernel:{name}="))))
}

/// Names of machines, for `--on`: small letters stand for capital ones.
pub(crate) fn machines(begun: &OsStr) -> Vec<CompletionCandidate> {
    let begun_text = begun.to_string_lossy();
    let is_small = !begun_text.is_empty() && !begun_text.chars().any(char::is_uppercase);
    let names = presets(PresetSet::All).into_iter().map(|machine| machine.name);
    candidates(begun, names.map(|name| if is_small { name.to_lowercase() } else { name }))
}

fn candidates(begun: &OsStr, names: impl Iterator<Item = String>) -> Vec<CompletionCandidate> {
    let begun = begun.to_string_lossy();
    // A name with a blank or another sign of shells would be several words.
    let is_word =
        |name: &String| name.chars().all(|c| c.is_alphanumeric() || "_-.:/=+@,".contains(c));
    names
        .filter(|name| name.starts_with(&*begun))
        .filter(is_word)
        .map(CompletionCandidate::new)
        .collect()
}

/// The names, sorted; none where the line has no dump, or a large one.
fn parts_of_dump() -> impl Iterator<Item = String> {
    let words: Vec<OsString> = std::env::args_os().collect();
    let line = words.iter().skip_while(|word| *word != "--").skip(2);
    let mut dumps = line.map(PathBuf::from).filter(|path| path.is_dir());
    let names = dumps.find_map(|path| {
        if bytes_in(&path) > MOST_BYTES {
            return None;
        }
        let session = Session::default();
        let dump = open_only(&path, &session, &|_| {}).ok()?;
        let (profile, layers) = session.read(&dump);
        let layers = layers.iter().flat_map(|layers| &layers.layers);
        let names = profile.kernels.iter().chain(layers.map(|layer| &layer.name));
        Some(names.cloned().collect::<BTreeSet<String>>())
    });
    names.into_iter().flatten()
}

/// Bytes of the files in a directory.
fn bytes_in(directory: &Path) -> u64 {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    entries.filter_map(|entry| Some(entry.metadata().ok()?.len())).sum()
}
