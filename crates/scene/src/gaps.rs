//! Gaps as tracks: the times in which an engine did no work.

use std::collections::BTreeMap;

use bigtpu_answers::{Analysis, Cause, EngineGapRows, GapRow};
use bigtpu_measure::DumpModel;
use bigtpu_measure::layers::Layers;
use bigtpu_timeline::{EngineEvents, EngineId, Profile};

use crate::model::{Content, Detail, Role, Slice, Slices, Track, Value};

/// Category of the slices.
const CATEGORY: &str = "gap";

/// What tracks of gaps are made of.
pub(crate) struct GapTracks<'a> {
    profile: &'a Profile<'a>,
    analysis: &'a Analysis,
    layers: Option<&'a Layers>,
    model: DumpModel<'a>,
    /// What the engines are called: each name stands in many slices.
    names: BTreeMap<EngineId, String>,
}

impl<'a> GapTracks<'a> {
    pub(crate) fn collect(
        profile: &'a Profile<'_>,
        analysis: &'a Analysis,
        layers: Option<&'a Layers>,
    ) -> Self {
        let names = profile.tracks().map(|t| (t.engine_id, t.engine_id.to_string())).collect();
        Self { profile, analysis, layers, model: analysis.model(profile), names }
    }

    /// The gaps of an engine; `None` without any.
    pub(crate) fn track(&self, id: EngineId) -> Option<Track> {
        let own = self.analysis.gaps(self.profile).engines.iter().find(|of| of.engine_id == id)?;
        let track = self.profile.tracks().find(|track| track.engine_id == id);
        let slices = own.rows.iter().map(|row| self.slice(own, track, row)).collect();
        let content = Content::Slices(Slices::new(slices));
        (!own.rows.is_empty()).then_some(Track { role: Role::Gaps(id.engine), content })
    }

    fn slice(&self, of: &EngineGapRows, track: Option<&EngineEvents<'_>>, row: &GapRow) -> Slice {
        // Most gaps have no more.
        let mut args = Vec::with_capacity(8);
        let mut add = |name: &'static str, value: Value| args.push((name, value));
        add("Engine", Value::Text(self.name(of.engine_id).to_owned()));
        let ended = row.ended_by(of.engine_id);
        let ended = ended.and_then(|link| self.command(link.engine_id, link.event));
        let unknown = if row.cause == Cause::End { "end of the run" } else { "not known" };
        add("Ended By", Value::Text(ended.unwrap_or_else(|| unknown.to_owned())));
        if let Some(saved_ns) = row.saved_ns {
            add("Cost of Run(ns)", Value::Int(saved_ns));
        }
        add("No Engine Worked(ns)", Value::Int(row.cost_ns));
        let mut worked = String::new();
        for (id, ns) in &row.elsewhere {
            let separator = if worked.is_empty() { "" } else { ", " };
            worked.extend([separator, self.name(*id), " "]);
            put_number(&mut worked, *ns);
            worked.push_str(" ns");
        }
        add("Meanwhile", Value::Text(worked));
        for (name, event) in [("After", row.before), ("Before", row.after)] {
            if let Some(command) = event.and_then(|event| self.command(of.engine_id, event)) {
                add(name, Value::Text(command));
            }
        }
        let after = track.zip(row.after.map(|after| after as usize));
        if let Some((track, event)) = after {
            if let Some(kernel) = self.profile.kernel(self.profile.tag(track, event)) {
                add("Kernel Function", Value::Text(kernel.to_owned()));
            }
            let layer = self.layers.and_then(|layers| {
                let (id, _) = layers.of_event(track, event)?;
                Some((id, layers.label(id)?, layers.block(id)))
            });
            if let Some((id, label, block)) = layer {
                add("Layer Id", Value::Int(id as i64));
                add("Layer Name", Value::Text(label.to_owned()));
                add("Block", Value::Text(block.unwrap_or_default().to_owned()));
            }
            let start_ns = track.events.start.get(event);
            let steps = self.analysis.steps(self.profile).zip(start_ns);
            let step = steps.and_then(|(steps, start_ns)| steps.number_at(*start_ns));
            if let Some(number) = step {
                add("Step", Value::Int(number.cast_signed()));
            }
        }
        args.retain(|(_, value)| *value != Value::Text(String::new()));
        Slice {
            start: row.start,
            end: row.end,
            name: row.cause.name().to_owned(),
            detail: Detail::Other { category: CATEGORY, args },
        }
    }

    /// A command in words: `Core 0 GDMA tensorLd #16`.
    fn command(&self, id: EngineId, event: u32) -> Option<String> {
        let event = self.model.event(self.model.track(id)?, event as usize)?;
        let (name, function) = (self.name(id), &*event.kind.function_name);
        let mut text = String::with_capacity(name.len() + function.len() + 10);
        text.extend([name, " ", function, " #"]);
        put_number(&mut text, event.index as i64);
        Some(text)
    }

    fn name(&self, id: EngineId) -> &str {
        self.names.get(&id).map_or("", String::as_str)
    }
}

/// Appends a number. The standard formatting takes ten times as long, and there are ten thousands of these.
fn put_number(text: &mut String, number: i64) {
    text.push_str(itoa::Buffer::new().format(number));
}
