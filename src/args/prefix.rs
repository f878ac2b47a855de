//! Long options by an unambiguous prefix of their name, as Python's argparse takes them.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};

/// The arguments with whole names of options; the first is the program's name.
pub(crate) fn completed(
    command: &Command,
    args: impl IntoIterator<Item = OsString>,
) -> Result<Vec<OsString>, Error> {
    let mut scope = command;
    let mut is_first = true;
    let mut is_open = true;
    let mut completed = Vec::new();
    for (position, arg) in args.into_iter().enumerate() {
        if position > 0 && is_open {
            if arg == "--" {
                is_open = false;
            } else if is_first {
                // A command may have commands of its own.
                match scope.find_subcommand(&arg) {
                    Some(subcommand) => scope = subcommand,
                    None => is_first = false,
                }
            }
        }
        completed.push(match is_open {
            true => whole(scope, &arg)?.unwrap_or(arg),
            false => arg,
        });
    }
    Ok(completed)
}

/// The argument with the whole name of its option, if it is a prefix of one.
fn whole(command: &Command, arg: &OsStr) -> Result<Option<OsString>, Error> {
    let Some(given) = arg.to_str().and_then(|arg| arg.strip_prefix("--")) else { return Ok(None) };
    let (name, value) = match given.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (given, None),
    };
    let builtin = ["help", "version"];
    if name.is_empty() || builtin.contains(&name) {
        return Ok(None);
    }
    let name = name.replace('-', "_");
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for long in command.get_arguments().filter_map(Arg::get_long).chain(builtin) {
        let spelled = long.replace('-', "_");
        if spelled == name {
            return Ok(None);
        }
        if spelled.starts_with(&name) {
            found.insert(spelled, long.to_owned());
        }
    }
    let mut candidates = found.into_values();
    match (candidates.next(), candidates.next()) {
        (Some(long), None) => {
            let value = value.map_or_else(String::new, |value| format!("={value}"));
            Ok(Some(format!("--{long}{value}").into()))
        }
        (Some(first), Some(second)) => {
            let all = [first, second].into_iter().chain(candidates);
            Err(ambiguous(command, given, all.map(|long| format!("--{long}")).collect()))
        }
        _ => Ok(None),
    }
}

/// A usage error that names the options which the prefix fits.
fn ambiguous(command: &Command, given: &str, fits: Vec<String>) -> Error {
    let mut error = Error::new(ErrorKind::UnknownArgument).with_cmd(command);
    let arg = format!("--{given}");
    error.insert(ContextKind::InvalidArg, ContextValue::String(arg));
    error.insert(ContextKind::SuggestedArg, ContextValue::Strings(fits));
    error
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::args::Cli;

    fn complete(args: &str) -> Result<String, String> {
        let args = args.split(' ').map(OsString::from);
        let completed = completed(&Cli::command(), args).map_err(|error| error.to_string())?;
        let words = completed.iter().map(|word| word.to_string_lossy().into_owned());
        Ok(words.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn unambiguous_prefixes_are_completed() {
        let pairs = [
            ("x d o --trace f --tiu=900", "x d o --trace_file f --tiu_freq=900"),
            ("x d --disable-s --num 8", "x d --disable_summary --num_core 8"),
            ("x batch d o --perf --forc", "x batch d o --perfetto --force"),
            ("x diff a b --also-b c", "x diff a b --also-before c"),
            ("x d --emit trace --vers", "x d --emit trace --version"),
            ("x cluster part d --host a", "x cluster part d --host a"),
            ("x d --trace_file --help", "x d --trace_file --help"),
            ("x d -- --perf", "x d -- --perf"),
            ("x d --unknown", "x d --unknown"),
        ];
        for (given, expected) in pairs {
            assert_eq!(complete(given).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn ambiguous_prefixes_are_usage_errors_that_name_the_options() {
        let error = complete("x d --disable").unwrap_err();
        assert!(
            ["'--disable_doc'", "'--disable_summary'", "'--disable_web'"]
                .iter()
                .all(|o| error.contains(o)),
            "{error}"
        );
    }
}
