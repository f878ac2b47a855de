//! Register texts: `tiuRegInfo_{core}.txt`, `tdmaRegInfo_{core}.txt` (GDMA, then SDMA) and
//! `cdmaRegInfo_{port}.txt`. A file exists only if it has events.

use bigtpu_chip::Engine;
use bigtpu_compat::{Field, KindRecord, Record, Records, Value};
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
    let mut records = Records::default();
    for track in tracks {
        let commands = input.analysis.table.commands(input.profile, track);
        for command in commands.into_iter().flat_map(|commands| commands.iter()) {
            write_record(&mut text, &mut records, &command, tag);
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

/// Texts of a kind's register fields: lines that all its commands share, each run of them before a field of the command's own.
#[derive(Debug, Default)]
struct KindLines(Vec<(Text<Lines>, Option<usize>)>);

impl KindLines {
    fn of(known: &KindRecord<'_, Self>, fields: &[Field<'_>], prefix: &'static str) -> Self {
        let (mut runs, mut lines) = (Vec::new(), Text::new());
        for ((place, field), is_shared) in fields.iter().enumerate().zip(known.shared()) {
            match is_shared {
                true => line(&mut lines, prefix, field),
                false => runs.push((std::mem::take(&mut lines), Some(place))),
            }
        }
        runs.push((lines, None));
        Self(runs)
    }

    fn write(&self, text: &mut Text<Lines>, fields: &[Field<'_>], prefix: &'static str) {
        for (lines, own) in &self.0 {
            text.show(lines);
            let own = own.and_then(|place| fields.get(place));
            own.into_iter().for_each(|field| line(text, prefix, field));
        }
    }
}

fn write_record<'a>(
    text: &mut Text<Lines>,
    records: &mut Records<'a, KindLines>,
    command: &TrackCommand<'a, '_>,
    tag: &'static str,
) {
    let known = records.of(command);
    let is_tiu = command.kind.engine == Engine::Tiu;
    let prefix = if is_tiu && known.record.prefixed { "des_" } else { "" };
    if known.kept.0.is_empty() {
        let Record { info, registers, .. } = &known.record;
        known.kept = KindLines::of(known, if is_tiu { registers } else { info }, prefix);
    }
    let KindRecord { record, kept: lines, .. } = &*known;
    let Record { info, meta, registers, after, function_type, .. } = record;
    text.own(tag).own("\n");
    if is_tiu {
        info.iter().chain(meta).for_each(|field| line(text, "", field));
        text.own(function_type).own(":\n");
        lines.write(text, registers, prefix);
        after.iter().for_each(|field| line(text, "", field));
    } else {
        lines.write(text, info, prefix);
        meta.iter().for_each(|field| line(text, "", field));
    }
}

/// Millions of lines go through here: whole numbers are by far the most values, and formatting them
/// through `fmt` took half of the time.
fn line(text: &mut Text<Lines>, prefix: &'static str, (key, value): &Field<'_>) {
    text.own("\t").own(prefix).own(key).own(": ");
    match value {
        Value::Int(n) => match i64::try_from(*n) {
            Ok(n) => text.int(n),
            Err(_) => text.int(*n),
        },
        Value::Text(value) => text.show(value),
        Value::Float(x) => text.show(&float_text(*x)),
    };
    text.own("\n");
}
