//! `bigtpuprofile batch`: all dumps below a directory.

use anyhow::Result;
use bigtpu_emit_text::console::standard;
use bigtpu_messages::{Message, message};
use bigtpu_output::{Text, Written, put};
use bigtpu_session::Settings;
use bigtpu_session::batch::{Batch, Root, index_of};

use crate::args::batch::Args;
use crate::console::ignore_broken_pipe;
use crate::exit::failed;
use crate::threads::Caller;
use crate::{exit, progress, threads};

/// Analyzes the dumps that are not done yet, and writes the index of all.
pub(crate) fn run(args: &Args) -> Result<u8> {
    threads::start(args.jobs, Caller::Waits)?;
    if args.index {
        return index_only(args);
    }
    let root = Root::open(&args.root)?;
    let rename = |text: &str| root.named(text.to_owned());
    analyzed(args, &root).map_err(|error| failed(Message::displayed(&error).renamed(&rename)))
}

/// Writes the index of what is there.
fn index_only(args: &Args) -> Result<u8> {
    let indexed = index_of(&args.root, &args.out)?;
    if !args.quiet {
        let line = message!("batch-indexed", dumps = indexed.dumps);
        show(&line.text(args.lang.language()), &indexed.written)?;
    }
    Ok(end(args, indexed.has_loss))
}

fn analyzed(args: &Args, root: &Root) -> Result<u8> {
    let request = args.request();
    let batch = Batch::find(&request, root)?;
    let settings = Settings { hardware: args.roofs.read()?, ..args.views.settings() };
    let done = batch.run(&settings.into(), &*progress::progress(args.quiet))?;
    let language = args.lang.language();
    // A reader of stderr that went away is no reason to stop.
    let mut err = standard::err();
    for text in &done.skipped {
        let _ = put!(err, "{}\n", message!("batch-warning", text = text.clone()).text(language));
    }
    for error in &done.errors {
        let _ = put!(err, "{}\n", message!("batch-error", text = error.clone()).text(language));
    }
    if !args.quiet {
        let line = message!(
            "batch-done",
            dumps = done.dumps,
            analyzed = done.dumps - done.unchanged - done.failed,
            unchanged = done.unchanged,
            failed = done.failed,
            lost = done.lost
        );
        show(&line.text(language), &done.written)?;
    }
    Ok(if done.failed > 0 { exit::ERROR } else { end(args, done.lost + done.unread > 0) })
}

fn show(line: &str, written: &[Written]) -> Result<()> {
    let mut lines = Text::new();
    put!(lines, "{}\n", line);
    for file in written {
        put!(lines, "  {}\n", file.path);
    }
    ignore_broken_pipe(standard::lines(&lines).map_err(Into::into))
}

fn end(args: &Args, has_loss: bool) -> u8 {
    exit::analyzed(has_loss, args.strict, args.quiet)
}
