//! What is changed in a prediction.

use bigtpu_messages::{Message, error_message};
use std::fmt;
use std::str::FromStr;

use bigtpu_chip::Engine;
use bigtpu_measure::NamePattern;

/// What can be made faster or slower.
#[derive(Debug, Clone, PartialEq)]
pub enum Resource {
    /// Speed of an engine.
    Engine(Engine),
    /// Clock of the TIU: work and system commands.
    TiuClock,
    /// Bandwidth of off-chip memory.
    Ddr,
    /// Bandwidth of on-chip shared memory.
    L2m,
    /// Bandwidth of the chip-to-chip links.
    Link,
    /// Time between launches.
    Launch,
    /// Time of hand-overs between engines.
    Sync,
    /// Duration of all work of a core.
    Core(u32),
    /// Duration of all work of the kernels whose name matches.
    Kernel(String),
    /// Duration of all work of the layers whose name matches.
    Layer(String),
}

impl Resource {
    /// All but kernels and cores, with their names on the command line.
    pub const NAMED: [(&'static str, Self); 9] = [
        ("tiu", Self::Engine(Engine::Tiu)),
        ("gdma", Self::Engine(Engine::Gdma)),
        ("sdma", Self::Engine(Engine::Sdma)),
        ("cdma", Self::Engine(Engine::Cdma)),
        ("ddr", Self::Ddr),
        ("l2m", Self::L2m),
        ("link", Self::Link),
        ("launch", Self::Launch),
        ("sync", Self::Sync),
    ];

    /// Whether a factor is one of time; else it is one of speed.
    #[must_use]
    pub fn is_time(&self) -> bool {
        matches!(self, Self::Launch | Self::Sync | Self::Core(_) | Self::Kernel(_) | Self::Layer(_))
    }

    /// Whether only the part of a transfer's time changes that depends on a bandwidth.
    pub(crate) fn is_bandwidth(&self) -> bool {
        matches!(self, Self::Ddr | Self::L2m | Self::Link)
    }
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TiuClock => f.write_str("tiu clock"),
            Self::Core(core) => write!(f, "core:{core}"),
            Self::Kernel(pattern) => write!(f, "kernel:{pattern}"),
            Self::Layer(pattern) => write!(f, "layer:{pattern}"),
            named => {
                let name = Self::NAMED.iter().find(|(_, r)| r == named).map_or("", |(n, _)| n);
                f.write_str(name)
            }
        }
    }
}

/// One change: a resource and its factor, as `ddr=2`.
#[derive(Debug, Clone, PartialEq)]
pub struct ResourceChange {
    /// What changes.
    pub resource: Resource,
    /// Factor of speed or bandwidth, or of time for `launch`, `sync` and kernels. Infinite speed is allowed.
    pub factor: f64,
}

impl ResourceChange {
    /// The change that makes a resource `speed` times as fast.
    #[must_use]
    pub fn faster(resource: Resource, speed: f64) -> Self {
        let factor = if resource.is_time() { 1.0 / speed } else { speed };
        Self { resource, factor }
    }

    /// What the times that the resource is responsible for are multiplied by.
    pub(crate) fn time_factor(&self) -> f64 {
        if self.resource.is_time() { self.factor } else { 1.0 / self.factor }
    }

    /// Whether a kernel of that name changes.
    pub(crate) fn matches(&self, kernel: &str) -> bool {
        matches!(&self.resource, Resource::Kernel(pattern) if name_matches(pattern, kernel))
    }
}

/// Whether a name with `*` and `?` matches.
pub(crate) fn name_matches(pattern: &str, name: &str) -> bool {
    NamePattern::new(pattern).matches(name)
}

impl fmt::Display for ResourceChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.resource, self.factor)
    }
}

/// Greatest factor; its inverse is the smallest one besides 0. What is further away is a slip of the pen, and times of such a run
/// would not fit a number.
pub(crate) const MOST_FACTOR: f64 = 1e6;

/// Why a text is no change.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChangeError {
    /// The text has no `=`.
    #[error("{}", error_message!("error-replay-change-form", value = format_args!("{:?}", .0)))]
    Form(String),
    /// No such resource.
    #[error("{}", error_message!("error-replay-change-resource", value = format_args!("{:?}", .0)))]
    Resource(String),
    /// The factor is no positive number.
    #[error("{}", error_message!("error-replay-change-factor", text = format_args!("{:?}", text), what, zero))]
    Factor {
        /// Text of the factor.
        text: String,
        /// The resource.
        what: String,
        /// Whether 0 is possible.
        zero: bool,
    },
    /// No such core ran.
    #[error("{}", error_message!("error-replay-change-core", core, cores))]
    Core {
        /// The core.
        core: u32,
        /// Cores that ran.
        cores: String,
    },
    /// No kernel has such a name.
    #[error("{}", error_message!("error-replay-change-kernel", pattern = format_args!("{:?}", pattern), present = present(.kernels, KERNELS)))]
    Kernel {
        /// The pattern.
        pattern: String,
        /// Kernels of the run.
        kernels: Vec<String>,
    },
    /// No layer has such a name.
    #[error("{}", error_message!("error-replay-change-layer", pattern = format_args!("{:?}", pattern), present = present(.layers, LAYERS)))]
    Layer {
        /// The pattern.
        pattern: String,
        /// Layers of the run.
        layers: Vec<String>,
    },
}

/// What is said of no names, of a few, and of more than are shown.
const KERNELS: [&str; 3] = ["problem-kernels-none", "problem-kernels", "problem-kernels-many"];
const LAYERS: [&str; 3] = ["problem-layers-none", "problem-layers", "problem-layers-many"];

/// The kernel names of the dump, as the end of a sentence.
fn present(names: &[String], ids: [&'static str; 3]) -> Message {
    const SHOWN: usize = 12;
    let [none, few, many] = ids;
    if names.is_empty() {
        return Message::new(none);
    }
    let shown: Vec<&str> = names.iter().take(SHOWN).map(String::as_str).collect();
    let id = if names.len() > SHOWN { many } else { few };
    let more = names.len().saturating_sub(SHOWN);
    Message::new(id).with("names", shown.join(", ")).with("more", more)
}

impl FromStr for ResourceChange {
    type Err = ChangeError;

    fn from_str(text: &str) -> Result<Self, ChangeError> {
        let (what, factor) =
            text.rsplit_once('=').ok_or_else(|| ChangeError::Form(text.to_owned()))?;
        let core = what.strip_prefix("core:").and_then(|core| core.parse().ok());
        let layer = what.strip_prefix("layer:").filter(|pattern| !pattern.is_empty());
        let resource = match (what.strip_prefix("kernel:"), core) {
            _ if layer.is_some() => Resource::Layer(layer.unwrap_or_default().to_owned()),
            (_, Some(core)) => Resource::Core(core),
            (Some(pattern), _) if !pattern.is_empty() => Resource::Kernel(pattern.to_owned()),
            _ => {
                let lower = what.to_ascii_lowercase();
                let named = Resource::NAMED.into_iter().find(|(name, _)| *name == lower);
                named.ok_or_else(|| ChangeError::Resource(what.to_owned()))?.1
            }
        };
        let zero = matches!(resource, Resource::Launch | Resource::Sync);
        let range = 1.0 / MOST_FACTOR..=MOST_FACTOR;
        let good = |f: &f64| range.contains(f) || zero && *f == 0.0;
        let factor = factor.trim().parse().ok().filter(good).ok_or_else(|| {
            ChangeError::Factor { text: factor.to_owned(), what: what.to_owned(), zero }
        })?;
        Ok(Self { resource, factor })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_read() {
        let read = |text: &str| text.parse::<ResourceChange>().unwrap();
        assert_eq!(read("ddr=2"), ResourceChange { resource: Resource::Ddr, factor: 2.0 });
        assert_eq!(read("TIU=1.5").resource, Resource::Engine(Engine::Tiu));
        let kernel = ResourceChange { resource: Resource::Kernel("a=b*".into()), factor: 0.5 };
        assert_eq!(read("kernel:a=b*=0.5"), kernel);
        let layer = ResourceChange { resource: Resource::Layer("x.1*".into()), factor: 0.5 };
        assert_eq!(
            (read("layer:x.1*=0.5"), layer.to_string()),
            (layer.clone(), "layer:x.1*=0.5".into())
        );
        assert_eq!(read("core:3=0.5").resource, Resource::Core(3));
        assert_eq!(read("launch=0").factor, 0.0);
        assert_eq!(read("l2m=0.5").to_string(), "l2m=0.5");
    }

    #[test]
    fn bad_changes_are_refused_in_words() {
        for (text, word) in [
            ("ddr", "WHAT=FACTOR"),
            ("ram=2", "l2m, link"),
            ("kernel:=2", "kernel:NAME"),
            ("ddr=0", "above 0"),
            ("ddr=inf", "above 0"),
            ("core:0=1e30", "0.000001 to 1000000"),
            ("launch=1e-9", "or 0"),
            ("launch=-1", "or 0"),
            ("tiu=x", "\"x\" is not a factor"),
        ] {
            let error = text.parse::<ResourceChange>().unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
    }
}
