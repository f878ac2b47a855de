//! Register texts: `tiuRegInfo_{core}.txt`, `tdmaRegInfo_{core}.txt` (GDMA, then SDMA) and
//! `cdmaRegInfo_{port}.txt`. A file exists only if it has events.

use bigtpu_chip::Engine;
use bigtpu_compat::{KindRecord, Record, Records, Value};
use bigtpu_emit::{Emitter, Input, Task};
use bigtpu_measure::TrackCommand;
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

/// The text of a kind's records: what all of them share, with gaps for the values that vary.
#[derive(Debug, Default)]
struct Template {
    /// The [layout](KindRecord::layout) of the records that it was made of.
    layout: u32,
    /// A text, and the value behind it: part of the record, and place in the part.
    pieces: Vec<(Text<Lines>, usize, usize)>,
    end: Text<Lines>,
}

impl Template {
    fn of(known: &KindRecord<'_, Self>, tag: &'static str, engine: Engine) -> Self {
        let record = &known.record;
        let mut template = Self { layout: known.layout(), ..Self::default() };
        template.end.own(tag).own("\n");
        template.part(known, Record::INFO, "");
        template.part(known, Record::META, "");
        if engine != Engine::Tiu {
            return template;
        }
        template.end.own(record.function_type).own(":\n");
        template.part(known, Record::REGISTERS, if record.prefixed { "des_" } else { "" });
        template.part(known, Record::AFTER, "");
        template
    }

    /// Appends the lines of a part of the record.
    fn part(&mut self, known: &KindRecord<'_, Self>, part: usize, prefix: &'static str) {
        let (Some(fields), Some(varying)) =
            (known.record.parts().get(part).copied(), known.varying().get(part))
        else {
            return;
        };
        for (place, ((key, of), varies)) in fields.iter().zip(varying).enumerate() {
            self.end.own("\t").own(prefix).own(key).own(": ");
            match varies {
                true => self.pieces.push((std::mem::take(&mut self.end), part, place)),
                false => value(&mut self.end, of),
            }
            self.end.own("\n");
        }
    }

    fn write(&self, text: &mut Text<Lines>, record: &Record<'_>) {
        let parts = record.parts();
        for (lines, part, place) in &self.pieces {
            text.show(lines);
            let field = parts.get(*part).and_then(|fields| fields.get(*place));
            field.into_iter().for_each(|(_, of)| value(text, of));
        }
        text.show(&self.end);
    }
}

fn write_record<'a>(
    text: &mut Text<Lines>,
    records: &mut Records<'a, Template>,
    command: &TrackCommand<'a, '_>,
    tag: &'static str,
) {
    let known = records.of(command);
    if known.kept.layout != known.layout() {
        known.kept = Template::of(known, tag, command.kind.engine);
    }
    known.kept.write(text, &known.record);
}

/// Millions of values go through here: whole numbers are by far the most, and formatting them through `fmt` took half of the
/// time.
fn value(text: &mut Text<Lines>, value: &Value<'_>) {
    match value {
        Value::Int(n) => match i64::try_from(*n) {
            Ok(n) => text.int(n),
            Err(_) => text.int(*n),
        },
        Value::Text(value) => text.show(value),
        Value::Float(x) => text.float(*x),
    };
}
