//! One analyzed dump.

use std::sync::{Arc, OnceLock};

use bigtpu_answers::{Analysis, Depth, Report};
use bigtpu_compat::Edition;
use bigtpu_emit::{Emitter, EmitterInput, Progress, SceneProvider};
use bigtpu_emit_events::{Partition, Values, each_column};
use bigtpu_emit_perfetto::{Device, TraceDetail, held};
use bigtpu_emit_web::PageRun;
use bigtpu_emit_xlsx::WorkbookName;
use bigtpu_measure::NamePattern;
use bigtpu_measure::layers::Layers;
use bigtpu_messages::{Language, Message};
use bigtpu_output::{OutDir, OutputError, Written};
use bigtpu_scene::{Cut, Scene, measured};
use bigtpu_timeline::{Note, Profile, Severity};
use rayon::prelude::*;

use crate::choice::Selection;
use crate::detail;
use crate::host::Host;
use crate::views::{self, Config};

/// One analyzed dump.
pub struct Run<'d> {
    /// The aligned events.
    pub profile: Profile<'d>,
    /// What was derived from them.
    pub analysis: Analysis,
    /// Layers of a static model, where the dump folder describes them.
    pub layers: Option<Arc<Layers>>,
    /// Name of the dump.
    pub source: String,
    pub(crate) host: Option<Host>,
    pub(crate) compress_trace: bool,
    pub(crate) trace_detail: Option<TraceDetail>,
    pub(crate) workbook_name: WorkbookName,
    pub(crate) edition: Edition,
    /// The language of files that people read.
    pub(crate) language: Language,
    /// The language in which the page opens.
    pub(crate) page_language: Option<Language>,
    pub(crate) cut: Option<Cut>,
    pub(crate) scene: OnceLock<Scene>,
}

impl SceneProvider for Run<'_> {
    fn scene(&self) -> &Scene {
        self.scene.get_or_init(|| measured(&self.profile, &self.analysis, self.layers.as_deref()))
    }
}

impl<'d> Run<'d> {
    /// Derives all answers now, for callers that will ask for them: what views take is then computed together with them.
    #[must_use]
    pub fn answered(self) -> Self {
        self.analysis.deepen(&self.profile, Depth::Answers);
        self
    }

    /// All answers.
    #[must_use]
    pub fn report(&self) -> &Report {
        self.analysis.report(&self.profile)
    }

    /// The trace will have only what runs then.
    pub fn cut_trace(&mut self, cut: Cut) {
        self.cut = Some(cut);
    }

    /// When kernels and layers ran whose names match a pattern; `None` if none do.
    #[must_use]
    pub fn when(&self, pattern: &NamePattern) -> Option<Cut> {
        let launches = &self.analysis.launches;
        let kernels = launches.core_slices().into_iter().chain(launches.port_slices()).flatten();
        let kernels = kernels.filter(|slice| {
            let name = self.profile.kernels.get(slice.kernel as usize);
            name.is_some_and(|name| pattern.matches(name))
        });
        let mut spans: Vec<(i64, i64)> = kernels.map(|slice| (slice.start, slice.end)).collect();
        for track in self.profile.tracks() {
            let Some(layers) = self.layers.as_deref() else { break };
            let events = &track.events;
            for (event, (&start, &end)) in events.start.iter().zip(&events.end).enumerate() {
                let is_own = layers.of_event(track, event).is_some_and(|(id, layer)| {
                    pattern.matches(&layer.name)
                        || layer.label(id as u64).matches(|name| pattern.matches(name))
                });
                if is_own {
                    spans.push((start, end));
                }
            }
        }
        Cut::new(spans)
    }

    /// The dump as a device of a trace of several, its time 0 at `start_ns`.
    pub fn device<'a>(&'a self, name: &'a str, start_ns: i64) -> Device<'a, 'a> {
        Device {
            name,
            profile: &self.profile,
            analysis: &self.analysis,
            scene: self.scene(),
            layers: self.layers.as_deref(),
            start_ns,
        }
    }

    /// The dump as one run of a page of two.
    pub fn page_run(&self) -> PageRun<'_, 'd> {
        let page = views::page(&self.config(None));
        self.analysis.deepen(&self.profile, Depth::Answers);
        PageRun { page, profile: &self.profile, analysis: &self.analysis, scene: self.scene() }
    }

    /// Writes the views of these names, side by side; the files are listed in the registry's order. `partition`: where
    /// the events go in a data set of many dumps.
    ///
    /// # Errors
    /// [`OutputError`] when a file can't be written.
    pub fn write(
        &self,
        views: &[&str],
        partition: Option<Partition>,
        out: &OutDir,
        progress: &dyn Progress,
    ) -> Result<Vec<Written>, OutputError> {
        let input = EmitterInput {
            profile: &self.profile,
            analysis: &self.analysis,
            scene: self,
            language: self.language,
            out,
            progress,
        };
        let emitters = views::pick(views, &self.config(partition));
        // Before they run side by side: see `Analysis`. The same holds for the scene and those that look at it.
        if let Some(depth) = emitters.iter().map(|emitter| emitter.depth()).max() {
            self.analysis.deepen(&self.profile, depth);
        }
        let (draw, others): (Vec<_>, Vec<_>) =
            emitters.into_iter().enumerate().partition(|(_, emitter)| emitter.draws());
        let emit = |emitters: &[(usize, Box<dyn Emitter>)]| {
            let emitted = emitters.par_iter().map(|(at, emitter)| Ok((*at, emitter.emit(&input)?)));
            emitted.collect::<Result<Vec<(usize, Vec<Written>)>, OutputError>>()
        };
        let of_scene = || {
            if !draw.is_empty() {
                self.scene();
            }
            emit(&draw)
        };
        let (drawn, others) = rayon::join(of_scene, || emit(&others));
        let mut written = drawn?;
        written.extend(others?);
        written.sort_by_key(|(at, _)| *at);
        Ok(written.into_iter().flat_map(|(_, files)| files).collect())
    }

    /// Makes something of each column of the events, in batches of at most `rows` rows: the columns of
    /// [`bigtpu_emit_events::column_types`].
    pub fn event_columns<R: Send>(
        &self,
        rows: usize,
        make: impl Fn(Values<'_>) -> R + Sync,
    ) -> Vec<Vec<R>> {
        let context = views::event_context(&self.config(None));
        each_column(&context, &self.profile, &self.analysis, rows, make)
    }

    fn config(&self, partition: Option<Partition>) -> Config {
        let host = self.host.as_ref();
        Config {
            host: host.map(|host| host.trace.clone()),
            host_align: host.map(|host| host.align).unwrap_or_default(),
            page_language: self.page_language,
            compress_trace: self.compress_trace,
            trace_detail: self.trace_detail,
            workbook_name: self.workbook_name,
            edition: self.edition,
            cut: self.cut.clone(),
            source: self.source.clone(),
            layers: self.layers.clone(),
            partition,
        }
    }

    /// Losses, warnings and notes, as the console shows them; details too, if all is asked for.
    #[must_use]
    pub fn notes(&self, language: Language, all: bool) -> Vec<String> {
        let is_shown = |note: &Note| all || note.severity > Severity::Detail;
        bigtpu_emit_text::notes(&self.profile, is_shown, language)
    }

    /// What a run says where its trace is light because it has many commands.
    fn trace_note(&self) -> Option<Message> {
        let commands = match &self.cut {
            Some(cut) => held(&self.profile, cut),
            None => self.profile.event_count(),
        };
        detail::note(self.trace_detail, commands, true)
    }

    /// What is said of the views that were written: which are left out, and which tell less, because there are many commands.
    pub fn notes_of_views(&self, selection: &Selection<'_>) -> impl Iterator<Item = Message> {
        let light = self.trace_note().filter(|_| selection.views.contains(&views::TRACE));
        selection.note().into_iter().chain(light)
    }

    /// Whether data was lost.
    #[must_use]
    pub fn has_loss(&self) -> bool {
        self.profile.ledger.has_loss()
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_emit::Quiet;
    use bigtpu_synth::Options;

    use super::Depth;
    use crate::{Session, views};

    #[test]
    fn a_dump_is_opened_analyzed_and_written() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("cdm_profile_data_dev1-2");
        bigtpu_synth::write(&Options::of_chip("bm1688").unwrap(), &root).unwrap();
        let session = Session::default();
        let dump = session.open(&root, None).unwrap();
        let run = session.analyze(&dump);
        assert_eq!((run.source.as_str(), run.has_loss()), ("cdm_profile_data_dev1-2", false));
        let out = super::OutDir::create(&dir.path().join("out")).unwrap();
        // In the registry's order, whatever the caller's.
        let written = run.write(&[views::REPORT, views::SUMMARY], None, &out, &Quiet).unwrap();
        out.publish().unwrap();
        let names = written.iter().map(|file| file.path.file_name().unwrap().to_str().unwrap());
        assert_eq!(names.collect::<Vec<_>>(), ["summary.txt", "report.json"]);
        assert!(written.iter().all(|file| file.path.is_file()));
    }

    /// What views ask for is derived before they run side by side.
    #[test]
    fn each_view_says_how_deep_it_looks() {
        let dir = tempfile::tempdir().unwrap();
        bigtpu_synth::write(&Options::of_chip("aks").unwrap(), dir.path()).unwrap();
        let session = Session::default();
        let dump = session.open(dir.path(), None).unwrap();
        let foreign = [views::MLIR_TABLES, views::FLAT_PAGE, views::COMMAND_LINES];
        for view in views::names().into_iter().chain(foreign) {
            let run = session.analyze(&dump);
            let out = super::OutDir::held();
            run.write(&[view], None, &out, &Quiet).unwrap();
            let said = views::pick(&[view], &run.config(None)).pop().unwrap();
            assert_eq!(run.analysis.depth(), said.depth(), "{view}");
            assert_eq!(run.scene.get().is_some(), said.draws(), "{view}");
        }
    }

    #[test]
    fn a_replayed_run_is_the_analyzed_one() {
        let dir = tempfile::tempdir().unwrap();
        bigtpu_synth::write(&Options::of_chip("aksv").unwrap(), dir.path()).unwrap();
        let session = Session::default();
        let dump = session.open(dir.path(), None).unwrap();
        let (run, predictor) = session.predictor(&dump, Depth::Answers);
        assert_eq!(run.report(), session.analyze(&dump).report());
        assert_eq!(
            run.analysis.critical_path(&run.profile),
            Some(&**predictor.unwrap().replay().critical_path())
        );
    }
}
