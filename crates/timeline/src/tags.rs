//! What a dispatched command belongs to: kernel, scope, batch, mode.

use std::fmt;

use bigtpu_messages::{Arg, Message, message};

use foldhash::{HashMap, HashMapExt};

/// How a command was dispatched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// Dispatched by the RVT front end.
    Rvt,
    /// Through the register interface.
    Tdi,
    /// From a cached descriptor stream.
    Des,
}

impl Mode {
    /// Name as printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Des => "DES",
            Self::Rvt => "RVT",
            Self::Tdi => "TDI",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a command belongs to. Each part is absent where the runtime did not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Tag {
    /// Index of the kernel's name in [`crate::Profile::kernels`].
    pub kernel: Option<u32>,
    /// Number of the kernel's launch, over the whole dump.
    pub scope: Option<u32>,
    /// Number of the batch.
    pub batch: Option<u32>,
    /// How it was dispatched.
    pub mode: Option<Mode>,
}

/// A core's tags, each once. Index 0 is the empty tag.
#[derive(Debug)]
pub(crate) struct TagTable {
    pub(crate) tags: Vec<Tag>,
    index: HashMap<Tag, u32>,
    /// What was asked for last: as a rule the same as next.
    last: (Tag, u32),
    /// Kernel names of this core; a tag's `kernel` is an index into them until cores are merged.
    pub(crate) kernels: Vec<String>,
    kernel_index: HashMap<String, u32>,
    /// Scopes opened so far.
    pub(crate) scopes: u32,
}

impl Default for TagTable {
    fn default() -> Self {
        Self {
            tags: vec![Tag::default()],
            index: HashMap::from_iter([(Tag::default(), 0)]),
            last: (Tag::default(), 0),
            kernels: Vec::new(),
            kernel_index: HashMap::new(),
            scopes: 0,
        }
    }
}

impl TagTable {
    /// The scope of a tag.
    pub(crate) fn scope(&self, tag: u32) -> Option<u32> {
        self.tags.get(tag as usize)?.scope
    }

    /// The launch of a tag, as the end of a sentence; empty where it is of none.
    pub(crate) fn launch_message(&self, tag: u32) -> Message {
        let known = self.tags.get(tag as usize);
        let launch = known.and_then(|tag| Some((tag.scope?, tag.kernel?)));
        let named =
            launch.and_then(|(scope, kernel)| Some((scope, self.kernels.get(kernel as usize)?)));
        named.map_or(Message::new("note-in-no-launch"), |(scope, kernel)| {
            message!("note-in-launch", launch = Arg::Number(scope.into()), kernel = kernel.as_str())
        })
    }

    pub(crate) fn intern(&mut self, tag: Tag) -> u32 {
        if self.last.0 != tag {
            let number = *self.index.entry(tag).or_insert_with(|| {
                self.tags.push(tag);
                (self.tags.len() - 1) as u32
            });
            self.last = (tag, number);
        }
        self.last.1
    }

    pub(crate) fn kernel(&mut self, name: &str) -> u32 {
        if let Some(&known) = self.kernel_index.get(name) {
            return known;
        }
        let number = self.kernels.len() as u32;
        self.kernels.push(name.to_owned());
        self.kernel_index.insert(name.to_owned(), number);
        number
    }

    /// Numbers of kernels and scopes become those of the whole dump. Returns the tags.
    pub(crate) fn into_global(
        mut self,
        kernels: &mut Vec<String>,
        known: &mut HashMap<String, u32>,
        first_scope: u32,
    ) -> Vec<Tag> {
        let numbers: Vec<u32> = self
            .kernels
            .drain(..)
            .map(|name| {
                *known.entry(name).or_insert_with_key(|name| {
                    kernels.push(name.clone());
                    (kernels.len() - 1) as u32
                })
            })
            .collect();
        for tag in &mut self.tags {
            tag.kernel = tag.kernel.and_then(|k| numbers.get(k as usize).copied());
            tag.scope = tag.scope.map(|s| s + first_scope);
        }
        self.tags
    }
}
