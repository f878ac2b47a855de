//! The emitter trait and its registry.

use bigtpu_answers::{Analysis, Depth};
use bigtpu_messages::Language;
use bigtpu_output::{OutDir, OutputError, Written};
use bigtpu_scene::Scene;
use bigtpu_timeline::Profile;

use crate::progress::Progress;

/// What an emitter gets to see.
pub struct EmitterInput<'a, 'd> {
    /// The aligned events.
    pub profile: &'a Profile<'d>,
    /// What was derived from them.
    pub analysis: &'a Analysis,
    /// Their tracks, for views that draw them.
    pub scene: &'a dyn SceneProvider,
    /// The language of files that people read; files for scripts are in English.
    pub language: Language,
    /// Where files go.
    pub out: &'a OutDir,
    /// Who wants to know how far it got.
    pub progress: &'a dyn Progress,
}

/// Has a scene, or makes it when it is first asked for: not every view [draws](Emitter::draws) tracks.
pub trait SceneProvider: Sync {
    /// The scene.
    fn scene(&self) -> &Scene;
}

impl SceneProvider for Scene {
    fn scene(&self) -> &Scene {
        self
    }
}

/// A view of a profile: it writes files into the output directory.
///
/// Emitters run side by side. Each writes the same bytes whatever the number of threads.
pub trait Emitter: Send + Sync {
    /// Name, as the registry knows it.
    fn name(&self) -> &'static str;

    /// How deep into the analysis it looks: that much is derived before emitters run side by side.
    fn depth(&self) -> Depth;

    /// Whether it looks at the scene, which is then made before emitters run side by side.
    fn draws(&self) -> bool {
        false
    }

    /// Writes the view's files; they are seen once the caller has [published](OutDir::publish) them.
    ///
    /// # Errors
    /// [`OutputError`] when a file can't be written; none is then left half-written.
    fn emit(&self, input: &EmitterInput<'_, '_>) -> Result<Vec<Written>, OutputError>;
}

/// Makes an emitter from what the caller configured.
type Constructor<C> = fn(&C) -> Box<dyn Emitter>;

/// The known emitters, by name. `C` is the caller's configuration.
pub struct Registry<C> {
    constructors: Vec<(&'static str, Constructor<C>)>,
}

impl<C> Default for Registry<C> {
    fn default() -> Self {
        Self { constructors: Vec::new() }
    }
}

impl<C> Registry<C> {
    /// Adds an emitter.
    #[must_use]
    pub fn with(mut self, name: &'static str, constructor: Constructor<C>) -> Self {
        self.constructors.push((name, constructor));
        self
    }

    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.constructors.iter().map(|(name, _)| *name)
    }

    /// The emitters of the given names, in the registry's order; unknown names make none.
    pub fn make(&self, names: &[&str], config: &C) -> Vec<Box<dyn Emitter>> {
        let wanted = self.constructors.iter().filter(|(name, _)| names.contains(name));
        wanted.map(|(_, constructor)| constructor(config)).collect()
    }
}
