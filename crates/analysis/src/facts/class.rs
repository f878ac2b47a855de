//! Classes of commands: everything that commands of the same kind have in common, kept once.

use std::borrow::Cow;
use std::collections::HashMap;

use bigtpu_chip::{Command, Direction, Engine, Slot, TiuCost, TiuFamily};
use bigtpu_timeline::{Binding, Profile, Track};
use foldhash::fast::RandomState;

use crate::dma::DmaView;
use crate::tiu::TiuView;
use bigtpu_measure::Activity;

/// What commands of a kind have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// The engine.
    pub engine: Engine,
    /// Work or a system command.
    pub activity: Activity,
    /// `Function Type` of the register texts.
    pub function_type: String,
    /// `Function Name` of the register texts.
    pub function_name: String,
    /// Data type of the first operand, and ` -> ` that of the result where it differs; of the source for DMA.
    /// Empty where it is not known.
    pub data_type: String,
    /// Sizes of the result, and of what is multiplied with where there is such; of the source for DMA. Empty
    /// where they are not known.
    pub shape: String,
    /// DMA: where from and where to.
    pub direction: Option<Direction>,
    /// The command's full bits are known.
    pub is_full: bool,
    /// Operations and ideal cycles; 0 where they are not known, and for system commands.
    pub cost: TiuCost,
}

/// Sizes that make a shape; [`ABSENT`] where the register lacks the field.
type Sizes = [u32; 7];

const ABSENT: u32 = u32::MAX;

#[derive(PartialEq, Eq, Hash)]
struct Key<'d> {
    activity: Activity,
    function_type: &'d str,
    function_name: Cow<'d, str>,
    data_types: (&'d str, &'d str),
    sizes: Sizes,
    family: u8,
    direction: Option<Direction>,
    is_full: bool,
    cost: (i128, i128, i128),
}

/// One engine's classes while they are found.
pub(super) struct Interner<'d> {
    engine: Engine,
    known: HashMap<Key<'d>, u32, RandomState>,
    pub(super) classes: Vec<Class>,
}

impl<'d> Interner<'d> {
    pub(super) fn new(engine: Engine) -> Self {
        Self { engine, known: HashMap::default(), classes: Vec::new() }
    }

    /// The class of a TIU event.
    pub(super) fn tiu(
        &mut self,
        profile: &Profile<'d>,
        track: &Track<'d>,
        i: usize,
        view: &TiuView<'d>,
    ) -> u32 {
        let activity = Activity::of(Engine::Tiu, view.is_system(profile), view.sub);
        let is_full = view.command.is_some();
        let family = view.command.map_or(TiuFamily::Uncounted, |c| c.op.family);
        let counts = is_full && activity.is_work();
        let cost = if counts { view.cost } else { TiuCost::default() };
        let data_types = if !activity.is_work() {
            ("", "")
        } else if let Some(command) = view.command {
            operand_types(profile, &command)
        } else {
            (word_type(profile, track, i, view), "")
        };
        let sizes = view.command.filter(|_| counts).map_or([ABSENT; 7], |c| {
            sizes(&c, [Slot::Res0N, Slot::Res0C, Slot::Res0H, Slot::Res0W], family)
        });
        self.intern(Key {
            activity,
            function_type: view.function_type,
            function_name: Cow::Borrowed(view.function_name),
            data_types,
            sizes,
            family: family as u8,
            direction: None,
            is_full,
            cost: (cost.alg_ops, cost.uarch_ops, cost.alg_cycles),
        })
    }

    /// The class of a DMA event.
    pub(super) fn dma(&mut self, profile: &Profile<'d>, view: &DmaView<'d>) -> u32 {
        let activity =
            Activity::of(self.engine, view.is_system(profile, self.engine), view.function);
        let is_work = activity.is_work();
        let sizes = view.command.filter(|_| is_work).map_or([ABSENT; 7], |c| {
            sizes(&c, [Slot::SrcN, Slot::SrcC, Slot::SrcH, Slot::SrcW], TiuFamily::Uncounted)
        });
        self.intern(Key {
            activity,
            function_type: view.function_type,
            function_name: view.function_name.clone(),
            data_types: (if is_work { view.data_type } else { "" }, ""),
            sizes,
            family: TiuFamily::Uncounted as u8,
            direction: is_work.then_some(view.direction),
            is_full: view.command.is_some(),
            cost: (0, 0, 0),
        })
    }

    fn intern(&mut self, key: Key<'d>) -> u32 {
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let number = self.classes.len() as u32;
        let (from, to) = key.data_types;
        let data_type =
            if to.is_empty() || from == to { from.to_owned() } else { format!("{from} -> {to}") };
        self.classes.push(Class {
            engine: self.engine,
            activity: key.activity,
            function_type: key.function_type.to_owned(),
            function_name: key.function_name.clone().into_owned(),
            data_type,
            shape: shape_text(key.sizes),
            direction: key.direction,
            is_full: key.is_full,
            cost: TiuCost {
                alg_ops: key.cost.0,
                uarch_ops: key.cost.1,
                alg_cycles: key.cost.2,
                ..TiuCost::default()
            },
        });
        self.known.insert(key, number);
        number
    }
}

/// Data types of the first operand and of the result.
fn operand_types<'d>(profile: &Profile<'d>, command: &Command<'d>) -> (&'d str, &'d str) {
    let name = |slot| {
        let code = command.register.has(slot).then(|| command.get(slot));
        code.and_then(|code| profile.chip.data_type(code)).unwrap_or("")
    };
    let (operand, result) = (name(Slot::Opd0Prec), name(Slot::Res0Prec));
    if operand.is_empty() { (result, "") } else { (operand, result) }
}

/// Data type of a command known by its word; a generator index of RVT has none.
fn word_type<'d>(
    profile: &Profile<'d>,
    track: &Track<'d>,
    i: usize,
    view: &TiuView<'d>,
) -> &'d str {
    let binding = track.events.binding.get(i).copied().unwrap_or(Binding::None);
    let has_type = binding == Binding::Word || view.is_rvt && !profile.chip.names.has_rvt();
    let code = u64::from(view.word.info() & 0x7f);
    if has_type { profile.chip.data_type(code).unwrap_or("") } else { "" }
}

/// The four sizes, then what a convolution or a matrix product multiplies with.
fn sizes(command: &Command<'_>, four: [Slot; 4], family: TiuFamily) -> Sizes {
    let size = |slot| if command.register.has(slot) { command.get(slot) as u32 } else { ABSENT };
    let [n, c, h, w] = four.map(size);
    let more = match family {
        TiuFamily::Conv => [Slot::Opd0C, Slot::Opd1H, Slot::Opd1W].map(size),
        TiuFamily::Mm2 => [ABSENT, size(Slot::Opd1C), size(Slot::Opd1W)],
        _ => [ABSENT; 3],
    };
    let [a, b, d] = more;
    [n, c, h, w, a, b, d]
}

/// `1x64x56x56 * 64x3x3`.
fn shape_text(sizes: Sizes) -> String {
    let part = |sizes: &[u32]| -> String {
        let known: Vec<String> =
            sizes.iter().filter(|s| **s != ABSENT).map(u32::to_string).collect();
        known.join("x")
    };
    let (result, with) = sizes.split_at(4);
    let (result, with) = (part(result), part(with));
    if with.is_empty() { result } else { format!("{result} * {with}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_leave_out_what_the_register_lacks() {
        assert_eq!(shape_text([1, 64, 56, 56, 64, 3, 3]), "1x64x56x56 * 64x3x3");
        assert_eq!(shape_text([ABSENT, 8, ABSENT, 16, ABSENT, 4, 5]), "8x16 * 4x5");
        assert_eq!(shape_text([ABSENT; 7]), "");
    }
}
