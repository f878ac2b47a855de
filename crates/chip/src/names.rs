//! Names of commands that are known by type and sub-type (section 4.3).
//!
//! DMA and CDMA commands take their names from here even when their full bits are known.

use serde_json::{Map, Value};

use crate::data::RvtData;
use crate::memory::Direction;

/// Function type and function name.
type NamePair = (String, String);

#[derive(Debug)]
enum DmaName {
    Fixed(NamePair),
    /// Types 0 and 1 with function 0: the name tells the direction.
    ByDirection(Vec<(String, NamePair)>),
}

/// The condensed names of a chip.
#[derive(Debug, Default)]
pub struct Names {
    tiu: Vec<Option<NamePair>>,
    dma: Vec<Option<DmaName>>,
    cdma: Vec<Option<NamePair>>,
    /// Function type of each DMA and CDMA type, for functions that the tables lack.
    dma_types: Vec<Option<String>>,
    cdma_types: Vec<Option<String>>,
    /// What a DMA function beyond the table is called: the type's name, or `unknown`.
    repeat_type: bool,
    rvt: Option<Rvt>,
}

#[derive(Debug)]
struct Rvt {
    functions: Vec<Option<String>>,
    variants: Vec<Map<String, Value>>,
}

/// What a command that nothing is known of is called.
pub(crate) const UNKNOWN: &str = "unknown";

const SUBS: usize = 32;

fn place(key: &str) -> Option<usize> {
    let (task, sub) = key.split_once(',')?;
    Some(task.parse::<usize>().ok()? * SUBS + sub.parse::<usize>().ok()?)
}

fn pair(value: &Value) -> Option<NamePair> {
    Some((value.get(0)?.as_str()?.to_owned(), value.get(1)?.as_str()?.to_owned()))
}

fn table<T>(map: &Map<String, Value>, read: impl Fn(&Value) -> Option<T>) -> Vec<Option<T>> {
    let mut out: Vec<Option<T>> = (0..32 * SUBS).map(|_| None).collect();
    for (key, value) in map {
        if let Some(to) = place(key).and_then(|p| out.get_mut(p)) {
            *to = read(value);
        }
    }
    out
}

impl Names {
    pub(crate) fn new(
        tiu: &Map<String, Value>,
        dma: &Map<String, Value>,
        cdma: &Map<String, Value>,
        rvt: Option<RvtData>,
        repeat_type: bool,
    ) -> Self {
        let dma = table(dma, |value| match value.as_object() {
            Some(directions) => Some(DmaName::ByDirection(
                directions.iter().filter_map(|(d, v)| Some((d.clone(), pair(v)?))).collect(),
            )),
            None => pair(value).map(DmaName::Fixed),
        });
        let cdma = table(cdma, pair);
        let first = |task: usize| task * SUBS;
        let dma_types = (0..32)
            .map(|task| match dma.get(first(task))? {
                Some(DmaName::Fixed(name)) => Some(name.0.clone()),
                Some(DmaName::ByDirection(names)) => names.first().map(|n| n.1.0.clone()),
                None => None,
            })
            .collect();
        let cdma_types =
            (0..32).map(|task| Some(cdma.get(first(task))?.as_ref()?.0.clone())).collect();
        let rvt = rvt.map(|data| Rvt {
            functions: (0..32)
                .map(|task: u32| {
                    let name = data.functions.get(&task.to_string())?.as_str()?;
                    let name = name.strip_prefix("gen_").unwrap_or(name);
                    Some(name.strip_suffix("_desc").unwrap_or(name).to_owned())
                })
                .collect(),
            variants: (0..32)
                .map(|task: u32| {
                    let variants = data.variants.get(&task.to_string());
                    variants.and_then(Value::as_object).cloned().unwrap_or_default()
                })
                .collect(),
        });
        Self { tiu: table(tiu, pair), dma, cdma, dma_types, cdma_types, repeat_type, rvt }
    }

    /// Function type and name of a TIU command known by type only.
    #[must_use]
    pub fn tiu(&self, task: u8, sub: u8) -> (&str, &str) {
        let found = self.tiu.get(usize::from(task) * SUBS + usize::from(sub));
        found.and_then(Option::as_ref).map_or((UNKNOWN, UNKNOWN), |n| (&n.0, &n.1))
    }

    /// Function type and name of a DMA command.
    #[must_use]
    pub fn dma(&self, task: u8, function: u8, direction: Direction) -> (&str, &str) {
        let found = self.dma.get(usize::from(task) * SUBS + usize::from(function));
        match found.and_then(Option::as_ref) {
            Some(DmaName::Fixed(name)) => (&name.0, &name.1),
            Some(DmaName::ByDirection(names)) => {
                let text = match (direction.from.name(), direction.to.name()) {
                    ("L2", "L2") => "L2M->L2M".to_owned(),
                    ("L2", to) => format!("L2M->{to}"),
                    (from, "L2") => format!("{from}->L2M"),
                    _ => direction.text().to_owned(),
                };
                let found = names.iter().find(|(d, _)| *d == text).or(names.last());
                found.map_or((UNKNOWN, UNKNOWN), |(_, n)| (&n.0, &n.1))
            }
            None => match self.dma_types.get(usize::from(task)) {
                Some(Some(name)) if self.repeat_type => (name, name),
                Some(Some(name)) => (name, UNKNOWN),
                _ => (UNKNOWN, UNKNOWN),
            },
        }
    }

    /// Function type and name of a CDMA command. A function beyond the table is named
    /// `{type}_{function}`, which has no static text: the second part is then `None`.
    #[must_use]
    pub fn cdma(&self, task: u8, function: u8) -> (&str, Option<&str>) {
        let found = self.cdma.get(usize::from(task) * SUBS + usize::from(function));
        match found.and_then(Option::as_ref) {
            Some(name) => (&name.0, Some(&name.1)),
            None => {
                let name = self.cdma_types.get(usize::from(task)).and_then(Option::as_deref);
                (name.unwrap_or(UNKNOWN), None)
            }
        }
    }

    /// Whether RVT nodes of the chip carry generator indices instead of hardware codes.
    #[must_use]
    pub fn has_rvt(&self) -> bool {
        self.rvt.is_some()
    }

    /// Function type and name of an RVT node with generator indices.
    #[must_use]
    pub fn rvt(&self, function: u8, variant: u32) -> (&str, &str) {
        let Some(rvt) = &self.rvt else { return ("rvt", UNKNOWN) };
        let Some(Some(function_name)) = rvt.functions.get(usize::from(function)) else {
            return ("rvt", UNKNOWN);
        };
        let variants = rvt.variants.get(usize::from(function));
        let name = variants.and_then(|v| v.get(&variant.to_string())).and_then(Value::as_str);
        (function_name, name.unwrap_or(UNKNOWN))
    }
}
