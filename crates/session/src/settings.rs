//! What all dumps of a run have in common, and how a dump is opened and analyzed with it.

use std::path::Path;
use std::sync::Arc;

use bigtpu_answers::{Analysis, AnalysisInputs, Depth, with_layers};
use bigtpu_chip::Chip;
use bigtpu_compat::Edition;
use bigtpu_emit_perfetto::TraceDetail;
use bigtpu_emit_xlsx::WorkbookName;
use bigtpu_format::Files;
use bigtpu_host_trace::HostTrace;
use bigtpu_machine::Overrides;
use bigtpu_measure::layers::Layers;
use bigtpu_messages::{Language, Message, message};
use bigtpu_output::plain_line;
use bigtpu_replay::{Predictor, Refusal};
use bigtpu_timeline::{BuildOptions, Dump, Note, OpenError, OpenOptions, Profile, Severity};
use regex_lite::Regex;

use crate::dump_name::source_name;
use crate::host::Host;
use crate::run::Run;

/// What all dumps of a run have in common.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Chip of dumps that name none.
    pub chip: Option<&'static Chip>,
    /// Where the files of dumps are.
    pub files: Files,
    /// How the records are read.
    pub reading: BuildOptions,
    /// Roofs that replace those of the chip.
    pub hardware: Overrides,
    /// A host trace that trace and page show together with the device.
    pub host: Option<Host>,
    /// What begins a step: kernels, and events of the host, whose names match.
    pub step: Option<Regex>,
    /// Whether the packets of the trace are compressed.
    pub compress_trace: bool,
    /// How much the trace tells of each command; by their number where this is `None`.
    pub trace_detail: Option<TraceDetail>,
    /// What the workbook's file is named after.
    pub workbook_name: WorkbookName,
    /// Whose names the values of register texts and workbook have.
    pub edition: Edition,
    /// The language of files that people read.
    pub language: Language,
    /// The language in which the page opens; `None`: the one that was asked for of the process, else that of the browser.
    pub page_language: Option<Language>,
}

/// A run's settings, ready to open dumps.
#[derive(Debug, Clone, Default)]
pub struct Session {
    settings: Settings,
}

impl From<Settings> for Session {
    fn from(settings: Settings) -> Self {
        Self { settings }
    }
}

impl Session {
    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The host trace, if there is one.
    #[must_use]
    pub fn host_trace(&self) -> Option<&HostTrace> {
        self.settings.host.as_ref().map(|host| &*host.trace)
    }

    /// Opens a dump, or one iteration of libsophon's container.
    ///
    /// # Errors
    /// As [`Dump::open_as`].
    pub fn open(&self, root: &Path, iteration: Option<u32>) -> Result<Dump, OpenError> {
        let (arch, files) = (self.settings.chip, self.settings.files.clone());
        Dump::open_as(root, OpenOptions { arch, iteration, files })
    }

    /// The dump's aligned events.
    #[must_use]
    pub fn profile<'d>(&self, dump: &'d Dump) -> Profile<'d> {
        Profile::build(dump, &self.settings.reading)
    }

    /// The dump's aligned events, and the layers that its folder describes; what is wrong with these is in the ledger.
    pub fn read<'d>(&self, dump: &'d Dump) -> (Profile<'d>, Option<Arc<Layers>>) {
        let mut profile = self.profile(dump);
        let layers = self.add_layers(&dump.root, &mut profile);
        (profile, layers)
    }

    /// Analyzes a dump.
    #[must_use]
    pub fn analyze<'d>(&self, dump: &'d Dump) -> Run<'d> {
        self.analyze_profile(dump, self.profile(dump))
    }

    /// Analyzes a dump whose events have other times than measured.
    #[must_use]
    pub fn analyze_profile<'d>(&self, dump: &Dump, mut profile: Profile<'d>) -> Run<'d> {
        let layers = self.add_layers(&dump.root, &mut profile);
        let analysis = Analysis::new(&profile, self.inputs(&profile, layers.as_ref()));
        self.run(&dump.root, (profile, layers), analysis)
    }

    /// Analyzes a simulated run. `root`: the dump or file that its commands are from.
    #[must_use]
    pub fn analyze_simulated<'d>(&self, root: &Path, mut profile: Profile<'d>) -> Run<'d> {
        // The compiler describes the layers of a model beside its file.
        let beside = root.parent().filter(|_| root.is_file());
        let layers = self.add_layers(beside.unwrap_or(root), &mut profile);
        let analysis = Analysis::new(&profile, self.inputs(&profile, layers.as_ref()));
        let mut run = self.run(root, (profile, layers), analysis);
        run.source.push_str(" (simulated)");
        run
    }

    /// Analyzes a dump; also what predictions start from, or why there is nothing. `depth`: what else of the run will be asked for.
    pub fn predictor<'d>(
        &self,
        dump: &'d Dump,
        depth: Depth,
    ) -> (Run<'d>, Result<Predictor, Refusal>) {
        let read = self.read(dump);
        let inputs = self.inputs(&read.0, read.1.as_ref());
        let (analysis, predictor) = Analysis::with_predictor(&read.0, inputs, depth);
        let run = self.run(&dump.root, read, analysis);
        let predictor = predictor.map(|predictor| match &run.layers {
            Some(layers) => with_layers(predictor, &run.profile, layers),
            None => predictor,
        });
        (run, predictor)
    }

    /// What is known of a run beside its events.
    fn inputs(&self, profile: &Profile<'_>, layers: Option<&Arc<Layers>>) -> AnalysisInputs {
        let Settings { hardware, host, step, .. } = &self.settings;
        let (overrides, step) = (hardware.clone(), step.clone());
        let host = host.as_ref().map(|host| host.input(profile));
        AnalysisInputs { overrides, layers: layers.cloned(), step, host }
    }

    /// Opens the layers next to a dump. The analysis shows the ledger, so that their notes have to be in it before.
    fn add_layers(&self, root: &Path, profile: &mut Profile<'_>) -> Option<Arc<Layers>> {
        let mut found = Layers::of_dump(root, &self.settings.files);
        // Where something describes them, what is wrong with it is told.
        if profile.is_static && found.layers.is_none() && found.notes.is_empty() {
            let message = Message::new("note-layers-not-described");
            found.notes.push(Note::of_dump(Severity::Note, message));
        }
        profile.ledger.add_of_dump(found.notes);
        profile.ledger.has_unread |= found.has_unread;
        found.layers.map(Arc::new)
    }

    fn run<'d>(
        &self,
        root: &Path,
        (mut profile, layers): (Profile<'d>, Option<Arc<Layers>>),
        analysis: Analysis,
    ) -> Run<'d> {
        let step = self.settings.step.as_ref();
        let lost = step.filter(|_| analysis.steps(&profile).is_none());
        // The host's notes are in its own part of the report: all else is the same without a host trace.
        if let Some(host) = &self.settings.host {
            let notes = host.notes(&profile);
            profile.ledger.notes.extend(notes);
        }
        if let Some(step) = lost {
            let message = message!("note-no-steps", step = step.as_str());
            profile.ledger.notes.push(Note::about_file(Severity::Warning, root, message));
        }
        Run {
            profile,
            analysis,
            layers,
            source: plain_line(&source_name(root)).into_owned(),
            host: self.settings.host.clone(),
            compress_trace: self.settings.compress_trace,
            trace_detail: self.settings.trace_detail,
            workbook_name: self.settings.workbook_name,
            edition: self.settings.edition,
            language: self.settings.language,
            page_language: self.settings.page_language,
            cut: None,
            scene: Default::default(),
        }
    }
}
