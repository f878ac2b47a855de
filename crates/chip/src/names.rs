//! Names of commands that are known by type and sub-type (section 4.3).
//!
//! DMA and CDMA commands take their names from here even when their full bits are known.

use crate::memory::{Direction, Memory};

/// Function type and function name.
pub(crate) type NamePair = (&'static str, &'static str);

/// What is known of each type and sub-type: those that have a name, in ascending order. A table with room for all types
/// and sub-types would be mostly empty, and the addresses in it slow down the start of the program.
#[derive(Debug)]
pub(crate) struct NameTable<T: 'static>(&'static [(u8, u8, T)]);

impl<T: Copy> NameTable<T> {
    /// Table of (type, sub-type, value) entries, which must be sorted by type and sub-type.
    pub(crate) const fn new(names: &'static [(u8, u8, T)]) -> Self {
        let mut next = 1;
        while next < names.len() {
            let (last, this) = (&names[next - 1], &names[next]);
            assert!(last.0 < this.0 || last.0 == this.0 && last.1 < this.1);
            next += 1;
        }
        Self(names)
    }

    fn get(&self, task: u8, sub: u8) -> Option<T> {
        let place = self.0.binary_search_by_key(&(task, sub), |name| (name.0, name.1)).ok()?;
        self.0.get(place).map(|name| name.2)
    }
}

/// The name of a DMA command.
#[derive(Debug, Clone, Copy)]
pub(crate) enum DmaName {
    Fixed(NamePair),
    /// Types 0 and 1 with function 0: the name shows the direction. The last name is that of every other direction.
    ByDirection(&'static [(Direction, NamePair)]),
}

/// The condensed names of a chip.
#[derive(Debug)]
pub struct Names {
    pub(crate) tiu: &'static NameTable<NamePair>,
    pub(crate) dma: &'static NameTable<DmaName>,
    pub(crate) cdma: &'static NameTable<NamePair>,
    /// What a DMA function beyond the table is called: the type's name, or `unknown`.
    pub(crate) repeat_type: bool,
    pub(crate) rvt: Option<Rvt>,
}

/// A function's code, its name, and the names of its variants by their numbers.
pub(crate) type FunctionNames = (u8, &'static str, &'static [(u32, &'static str)]);

/// Names of RVT nodes with generator indices.
#[derive(Debug)]
pub(crate) struct Rvt {
    /// Function, its name, and variants with theirs.
    pub(crate) functions: &'static [FunctionNames],
}

/// What a command that nothing is known of is called.
pub(crate) const UNKNOWN: &str = "unknown";

impl Names {
    /// Function type and name of a TIU command known by type only.
    #[must_use]
    pub fn tiu(&self, task: u8, sub: u8) -> (&'static str, &'static str) {
        self.tiu.get(task, sub).unwrap_or((UNKNOWN, UNKNOWN))
    }

    /// Function type and name of a DMA command.
    #[must_use]
    pub fn dma(
        &self,
        task: u8,
        function: u8,
        direction: Direction,
    ) -> (&'static str, &'static str) {
        match self.dma.get(task, function) {
            Some(DmaName::Fixed(name)) => name,
            Some(DmaName::ByDirection(names)) => {
                // The tables call on-chip shared memory L2M on every chip.
                let l2m = |memory| if memory == Memory::L2 { Memory::L2m } else { memory };
                let direction = Direction { from: l2m(direction.from), to: l2m(direction.to) };
                let found = names.iter().find(|name| name.0 == direction).or(names.last());
                found.map_or((UNKNOWN, UNKNOWN), |name| name.1)
            }
            None => match self.dma_type(task) {
                Some(name) if self.repeat_type => (name, name),
                Some(name) => (name, UNKNOWN),
                None => (UNKNOWN, UNKNOWN),
            },
        }
    }

    /// The type's name, for functions that the table lacks.
    fn dma_type(&self, task: u8) -> Option<&'static str> {
        match self.dma.get(task, 0)? {
            DmaName::Fixed(name) => Some(name.0),
            DmaName::ByDirection(names) => names.first().map(|name| name.1.0),
        }
    }

    /// Function type and name of a CDMA command. A function beyond the table is named
    /// `{type}_{function}`, which has no static text: the second part is then `None`.
    #[must_use]
    pub fn cdma(&self, task: u8, function: u8) -> (&'static str, Option<&'static str>) {
        match self.cdma.get(task, function) {
            Some(name) => (name.0, Some(name.1)),
            None => (self.cdma.get(task, 0).map_or(UNKNOWN, |name| name.0), None),
        }
    }

    /// Whether RVT nodes of the chip carry generator indices instead of hardware codes.
    #[must_use]
    pub fn has_rvt(&self) -> bool {
        self.rvt.is_some()
    }

    /// Function type and name of an RVT node with generator indices.
    #[must_use]
    pub fn rvt(&self, function: u8, variant: u32) -> (&'static str, &'static str) {
        let functions = self.rvt.as_ref().map_or(&[][..], |rvt| rvt.functions);
        let Some((_, name, variants)) = functions.iter().find(|f| f.0 == function) else {
            return ("rvt", UNKNOWN);
        };
        let variant = variants.iter().find(|v| v.0 == variant);
        (name, variant.map_or(UNKNOWN, |v| v.1))
    }
}
