//! One analyzed dump.

use std::sync::{Arc, OnceLock};

use bigtpu_answers::Analysis;
use bigtpu_emit::{Input, Progress, SceneProvider};
use bigtpu_emit_events::Partition;
use bigtpu_emit_perfetto::Device;
use bigtpu_emit_web::PageRun;
use bigtpu_layers::Layers;
use bigtpu_output::{OutDir, OutputError, Written};
use bigtpu_scene::{Scene, measured};
use bigtpu_timeline::Profile;
use rayon::prelude::*;

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
    pub(crate) scene: OnceLock<Scene>,
}

impl SceneProvider for Run<'_> {
    fn scene(&self) -> &Scene {
        self.scene.get_or_init(|| measured(&self.profile, &self.analysis, self.layers.as_deref()))
    }
}

impl<'d> Run<'d> {
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
        let input =
            Input { profile: &self.profile, analysis: &self.analysis, scene: self, out, progress };
        let emitters = views::pick(views, &self.config(partition));
        let written: Result<Vec<Vec<Written>>, OutputError> =
            emitters.par_iter().map(|emitter| emitter.emit(&input)).collect();
        Ok(written?.into_iter().flatten().collect())
    }

    fn config(&self, partition: Option<Partition>) -> Config {
        let host = self.host.as_ref();
        Config {
            host: host.map(|host| host.trace.clone()),
            host_align: host.map(|host| host.align).unwrap_or_default(),
            compress_trace: self.compress_trace,
            source: self.source.clone(),
            layers: self.layers.clone(),
            partition,
        }
    }

    /// Warnings and losses, as the console shows them.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        bigtpu_emit_text::notes(&self.profile)
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

    #[test]
    fn a_replayed_run_is_the_analyzed_one() {
        let dir = tempfile::tempdir().unwrap();
        bigtpu_synth::write(&Options::of_chip("aksv").unwrap(), dir.path()).unwrap();
        let session = Session::default();
        let dump = session.open(dir.path(), None).unwrap();
        let (run, predictor) = session.predictor(&dump);
        assert_eq!(run.analysis.report, session.analyze(&dump).analysis.report);
        assert_eq!(
            run.analysis.critical_path.as_ref(),
            Some(predictor.unwrap().replay().critical_path())
        );
    }
}
