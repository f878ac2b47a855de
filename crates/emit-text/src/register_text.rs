//! Register texts: `tiuRegInfo_{core}.txt`, `tdmaRegInfo_{core}.txt` (GDMA, then SDMA) and
//! `cdmaRegInfo_{port}.txt`. A file exists only if it has events.

use bigtpu_chip::Engine;
use bigtpu_compat::{Field, Value, record};
use bigtpu_emit::{Emitter, Input, Task};
use bigtpu_measure::{TrackCommand, float_text};
use bigtpu_output::{Lines, OutputError, Text, Written, put};
use bigtpu_timeline::{Profile, Track};
use rayon::prelude::*;

/// The register texts.
#[derive(Debug, Clone, Copy, Default)]
pub struct RegisterTexts;

/// Whether a register text has this name.
#[must_use]
pub fn is_register_text(name: &str) -> bool {
    let kinds = ["tiuRegInfo_", "tdmaRegInfo_", "cdmaRegInfo_"];
    let number = kinds.iter().find_map(|kind| name.strip_prefix(kind)?.strip_suffix(".txt"));
    number.is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Text is handed on in pieces of about this many bytes.
const PIECE: usize = 1 << 16;

impl Emitter for RegisterTexts {
    fn name(&self) -> &'static str {
        "text"
    }

    fn emit(&self, input: &Input<'_, '_>) -> Result<Vec<Written>, OutputError> {
        let profile = input.profile;
        let mut files: Vec<(String, &'static str, Vec<&Track<'_>>)> = Vec::new();
        for (core, tracks) in profile.cores.iter().map(|c| &c.tracks).enumerate() {
            let [tiu, gdma, sdma] = tracks;
            files.push((format!("tiuRegInfo_{core}.txt"), "__TIU_REG_INFO__", vec![tiu]));
            files.push((format!("tdmaRegInfo_{core}.txt"), "__TDMA_REG_INFO__", vec![gdma, sdma]));
        }
        for port in &profile.ports {
            let name = format!("cdmaRegInfo_{}.txt", port.engine_id.index);
            files.push((name, "__CDMA_REG_INFO__", vec![port]));
        }
        let task = input.progress.task("register texts", profile.event_count() as u64);
        let written: Result<Vec<Option<Written>>, OutputError> = files
            .par_iter()
            .map(|(name, tag, tracks)| {
                if tracks.iter().all(|t| t.events.is_empty()) {
                    return Ok(None);
                }
                write_file(input, name, tag, tracks, &*task).map(Some)
            })
            .collect();
        Ok(written?.into_iter().flatten().collect())
    }
}

fn write_file(
    input: &Input<'_, '_>,
    name: &str,
    tag: &'static str,
    tracks: &[&Track<'_>],
    task: &dyn Task,
) -> Result<Written, OutputError> {
    let mut file = input.out.file(name)?;
    let mut text = head(input.profile);
    let mut since = 0;
    for track in tracks {
        let commands = input.analysis.table.commands(input.profile, track);
        for command in commands.into_iter().flat_map(|commands| commands.iter()) {
            write_record(&mut text, &command, tag);
            since += 1;
            if text.len() >= PIECE {
                file.append(&text)?;
                text.clear();
                task.advance(std::mem::take(&mut since));
            }
        }
    }
    file.append(&text)?;
    task.advance(since);
    file.commit()
}

/// The chip's description, with the clocks in use.
fn head(profile: &Profile<'_>) -> Text<Lines> {
    let mut text = Text::of("__CHIP_ARCH_ARGS__\n");
    for entry in profile.chip.arch {
        put!(text, "\t{}: {}\n", entry.key, profile.clocks.described(entry));
    }
    text
}

fn write_record(text: &mut Text<Lines>, command: &TrackCommand<'_, '_>, tag: &'static str) {
    let record = record(command);
    text.own(tag).own("\n");
    fields(text, "", &record.info);
    fields(text, "", &record.meta);
    if command.kind.engine == Engine::Tiu {
        text.own(record.function_type).own(":\n");
        fields(text, if record.prefixed { "des_" } else { "" }, &record.registers);
        fields(text, "", &record.after);
    }
}

/// Millions of lines go through here: whole numbers are by far the most values, and formatting them
/// through `fmt` took half of the time.
fn fields(text: &mut Text<Lines>, prefix: &'static str, fields: &[Field<'_>]) {
    for (key, value) in fields {
        text.own("\t").own(prefix).own(key).own(": ");
        match value {
            Value::Int(n) => text.int(*n),
            Value::Text(value) => text.show(value),
            Value::Float(x) => text.show(&float_text(*x)),
        };
        text.own("\n");
    }
}
