//! One run of a command, and the analysis of what it wrote; again with larger rings where they were full.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitStatus;

use anyhow::Result;
use bigtpu_emit_text::console::standard;
use bigtpu_messages::{Arg, Language, Message, message};
use bigtpu_output::text;
use bigtpu_session::info::{Ring, most_used_ring};
use bigtpu_session::record::{Capture, CaptureSetting, RecordRequest, record};
use bigtpu_session::{Session, remark};

use crate::args::analyze::Options;
use crate::args::record::Args;
use crate::exit::failed;
use crate::{analyze, exit, interrupt};

/// Runs commands with a setting of the capture.
pub(super) struct Recorder<'a> {
    pub(super) args: &'a Args,
    language: Language,
    setting: CaptureSetting,
}

/// A run of a command and its results.
pub(super) struct Recorded {
    /// The command's exit code, or, if that is 0, that of the analysis.
    pub(super) code: u8,
    /// The run's length.
    pub(super) wall_ns: i64,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(args: &'a Args) -> Self {
        Self { args, language: args.options.lang.language(), setting: args.setting() }
    }

    /// Runs a command and writes the results of its dumps into `output`.
    ///
    /// # Errors
    /// When the command can't be started, it wrote no dump, or a dump can't be analyzed.
    pub(super) fn run(
        &mut self,
        command: &[OsString],
        output: &Path,
        options: &Options,
    ) -> Result<Recorded> {
        let mut capture = self.capture(command)?;
        if let Some(full) = self.full_ring(&capture, options)
            && self.runs_again(&full)
        {
            self.setting.records = Some(full.enough);
            let again = self.capture(command)?;
            let rings = self.full_ring(&again, options);
            if rings.is_some_and(|ring| ring.size == full.size) {
                self.say(again.own_records(full.enough));
            }
            capture = again;
        }
        let command_code = code_of(capture.ended);
        if capture.dumps.is_empty() {
            let sentence = capture.without_dump();
            if command_code == exit::OK {
                return Err(failed(sentence));
            }
            exit::said(text!("{}", sentence.text(self.language)));
            return Ok(Recorded { code: command_code, wall_ns: 0 });
        }
        let mut options = options.clone();
        options.trace_file.extend(capture.host_traces);
        if let Some(name) = self.args.host_trace.as_ref().filter(|_| options.trace_file.is_empty())
        {
            self.say(message!("record-no-host-trace", name = name.to_string()));
        }
        let dumps: Vec<&Path> = capture.dumps.iter().map(std::path::PathBuf::as_path).collect();
        let outcome = analyze::analyze(&options, &dumps, output)?;
        let code = match command_code {
            exit::OK => exit::analyzed(outcome.has_loss, options.strict, options.quiet),
            code => {
                self.say(message!("record-command-failed", code = Arg::Number(code.into())));
                code
            }
        };
        Ok(Recorded { code, wall_ns: outcome.wall_ns })
    }

    fn capture(&self, command: &[OsString]) -> Result<Capture> {
        let request = RecordRequest {
            command,
            setting: self.setting,
            host_trace: self.args.host_trace.as_ref(),
        };
        let captured = record(&request, &interrupt::pass_to);
        interrupt::command_ended(captured.as_ref().is_ok_and(|found| found.ended.success()));
        Ok(captured?)
    }

    /// The full ring that needs most records, of all dumps. What can't be opened is told by the analysis.
    fn full_ring(&self, capture: &Capture, options: &Options) -> Option<Ring> {
        let session = Session::from(options.views.settings());
        let rings = capture
            .dumps
            .iter()
            .filter_map(|dump| most_used_ring(dump, &session, self.setting.records).ok().flatten());
        rings.filter(|ring| ring.is_full).max_by_key(|ring| ring.enough)
    }

    /// Whether the command is run again: as asked for, or as the user of a terminal answers.
    fn runs_again(&self, full: &Ring) -> bool {
        let engine = full.engine.to_string();
        let (ring, enough) = (full.size.unwrap_or(full.records), full.enough);
        let is_asked = !self.args.retry && !self.args.options.quiet && is_terminal();
        if !(self.args.retry || is_asked) {
            self.say(message!(
                "record-full-ring-hint",
                place = engine,
                ring = ring,
                enough = enough
            ));
            return false;
        }
        self.say(message!("record-full-ring", place = engine, ring = ring, enough = enough));
        let again = !is_asked || {
            let question = message!("record-ask-again", enough = enough);
            is_yes(&question.text(self.language))
        };
        if again {
            self.say(message!("record-again", enough = enough));
        }
        again
    }

    /// Says a note on stderr.
    pub(super) fn say(&self, note: Message) {
        if !self.args.options.quiet {
            standard::note(&text!("{}", remark(note).text(self.language)));
        }
    }

    /// A sentence in the user's language.
    pub(super) fn sentence(&self, of: &Message) -> String {
        of.text(self.language)
    }
}

/// Whether a person can be asked: stdin and stderr are a terminal.
fn is_terminal() -> bool {
    use std::io::IsTerminal as _;
    std::io::stdin().is_terminal() && standard::are_terminals()[1]
}

/// Asks; an empty answer is a yes, the end of input a no.
fn is_yes(question: &str) -> bool {
    let mut err = standard::err();
    let _ = bigtpu_output::put!(err, "{} ", question);
    let _ = err.flush();
    let mut answer = String::new();
    let read = std::io::stdin().read_line(&mut answer).unwrap_or(0);
    let answer = answer.trim().to_ascii_lowercase();
    read > 0 && ["", "y", "yes", "是"].contains(&answer.as_str())
}

/// The exit code as a shell shows it: 128 and the signal's number where one ended the command.
fn code_of(ended: ExitStatus) -> u8 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&ended) {
        return u8::try_from(128 + signal).unwrap_or(exit::ERROR);
    }
    match ended.code() {
        Some(0) => exit::OK,
        Some(code) => u8::try_from(code).unwrap_or(exit::ERROR),
        None => exit::ERROR,
    }
}
