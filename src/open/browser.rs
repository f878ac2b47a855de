//! The user's browser.

use std::process::{Command, Stdio};

/// Opens an address; false if no browser could be started.
pub(super) fn open(address: &str) -> bool {
    let of_user = std::env::var("BROWSER").ok().filter(|browser| !browser.contains(['%', ':']));
    let programs: &[&[&str]] = if cfg!(windows) {
        &[&["rundll32", "url.dll,FileProtocolHandler"]]
    } else if cfg!(target_os = "macos") {
        &[&["open"]]
    } else {
        &[&["xdg-open"], &["sensible-browser"]]
    };
    let of_user: Option<Vec<&str>> = of_user.as_deref().map(|browser| vec![browser]);
    let all = of_user.into_iter().chain(programs.iter().map(|program| program.to_vec()));
    all.into_iter().any(|program| start(&program, address))
}

fn start(program: &[&str], address: &str) -> bool {
    let Some((name, args)) = program.split_first() else { return false };
    let mut command = Command::new(name);
    command.args(args).arg(address);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().is_ok()
}
