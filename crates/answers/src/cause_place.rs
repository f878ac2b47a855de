//! Where most of the time of a cause is lost: in which kernel, or layer of a static model.

use std::collections::BTreeMap;

use bigtpu_measure::DumpModel;
use bigtpu_messages::{Arg, Message, message};
use bigtpu_replay::Relief;
use bigtpu_timeline::EngineId;

use crate::advice::Advice;
use crate::verdict::RunVerdict;

/// Rules whose sentence names no place of its own.
const WITHOUT_PLACE: [&str; 8] = [
    "round-trips",
    "dense-depthwise",
    "input-channels",
    "unaligned-shapes",
    "small-transfers",
    "bank-conflicts",
    "in-place",
    "short-pieces",
];
/// A place with a smaller share of the loss is not named: it is spread.
const LEAST_SHARE: f64 = 0.25;

/// The runs without a fault whose sentence names no place, each with its rule.
pub(crate) fn without_place(advice: &[Advice]) -> Vec<(String, Relief)> {
    let unplaced = advice.iter().filter(|advice| WITHOUT_PLACE.contains(&advice.id.as_str()));
    unplaced.filter_map(|advice| Some((advice.id.clone(), advice.relief.clone()?))).collect()
}

/// Where a cause loses its time.
pub(crate) struct Loss<P> {
    /// The place with most of it.
    pub(crate) most: P,
    /// The share of that place.
    pub(crate) share: f64,
    /// Places with any of it.
    pub(crate) places: usize,
}

/// Where `relief` saves time. `place`: that of an event of an engine.
fn most<P: Ord>(
    model: &DumpModel<'_>,
    relief: &Relief,
    place: impl Fn(EngineId, usize, u32) -> Option<P>,
) -> Option<Loss<P>> {
    let (mut sums, mut all) = (BTreeMap::new(), 0.0);
    for (engine_id, events, factor) in relief.scaled() {
        let Some(track) = model.tracks.iter().find(|track| track.engine_id == engine_id) else {
            continue;
        };
        for event in events.filter_map(|index| model.event(track, index)) {
            let lost = event.ns() as f64 * (1.0 - factor);
            all += lost;
            if let Some(place) = place(engine_id, event.index, event.tag()) {
                *sums.entry(place).or_insert(0.0) += lost;
            }
        }
    }
    let places = sums.len();
    let (most, ns) = sums.into_iter().rev().max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(Loss { most, share: ns / f64::max(all, 1.0), places })
}

/// Names the place; `None` where a single one has all of it. `spread`: the sentence for a loss of which no place has a large share.
fn sentence(loss: Loss<Message>, spread: fn(usize) -> Message) -> Option<Message> {
    let Loss { most: place, share, places } = loss;
    match places {
        0 | 1 => None,
        // Most is more than half.
        _ if share > 0.5 => {
            Some(message!("advice-most-in", place = place, share = Arg::Share(share)))
        }
        _ if share >= LEAST_SHARE => {
            Some(message!("advice-largest-in", place = place, share = Arg::Share(share)))
        }
        _ => Some(spread(places)),
    }
}

/// Names the kernel in the sentence of a rule. `relief`: the run without its fault.
pub(crate) fn name_kernel(
    advice: &mut [Advice],
    rule: &str,
    model: &DumpModel<'_>,
    relief: &Relief,
) {
    let found = most(model, relief, |_, _, tag| model.tag(tag).kernel);
    let advice = advice.iter_mut().find(|advice| advice.id == rule);
    if let Some((loss, advice)) = found.zip(advice) {
        let most = Message::verbatim(model.kernel_name(loss.most));
        let spread = |places| message!("advice-spread-over-kernels", places = places);
        if let Some(sentence) =
            sentence(Loss { most, share: loss.share, places: loss.places }, spread)
        {
            advice.text.push(sentence);
        }
    }
}

/// The layers in which time is lost. `layer_of`: index of an event's layer.
pub(crate) fn most_layer(
    model: &DumpModel<'_>,
    relief: &Relief,
    layer_of: impl Fn(EngineId, usize) -> Option<u32>,
) -> Option<Loss<u32>> {
    most(model, relief, |id, event, _| layer_of(id, event))
}

/// Names the layer in the sentence of a rule, and in the verdict, behind that rule's sentences.
pub(crate) fn name_layer(
    advice: &mut [Advice],
    rule: &str,
    verdict: &mut RunVerdict,
    loss: Loss<Message>,
) {
    let spread = |places| message!("advice-spread-over-layers", places = places);
    let Some(sentence) = sentence(loss, spread) else { return };
    let Some(advice) = advice.iter_mut().find(|advice| advice.id == rule) else { return };
    let stated = &advice.text.messages;
    let said = verdict.text.messages.windows(stated.len().max(1));
    let at = said.into_iter().position(|some| some == stated.as_slice());
    if let Some(at) = at.filter(|_| verdict.rule.as_deref() == Some(rule)) {
        verdict.text.insert(at + stated.len(), sentence.clone());
    }
    advice.text.push(sentence);
}
