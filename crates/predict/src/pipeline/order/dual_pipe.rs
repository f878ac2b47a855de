//! DualPipe: microbatches enter at both ends, and forwards of one direction take turns with backwards of the other one.
//!
//! The order is that of DeepSeek's program (DeepSeek-V3 Technical Report, arXiv 2412.19437, section 3.2.1), in its eight
//! steps. A forward and a backward that it overlaps run here one after the other, and a backward sends the gradient of its
//! input before it computes that of its weights.

use std::collections::VecDeque;

use crate::pipeline::event::{Event, Phase};
use crate::pipeline::layout::Layout;

/// The order of a stage while it is made. Directions are as the stage sees them: 0 comes from the nearer end.
struct Order {
    stage: u32,
    /// Microbatches of a direction.
    half: u32,
    is_behind_middle: bool,
    /// Next forward and next backward of each direction.
    next: [[u32; 2]; 2],
    /// Gradients of weights that are put off.
    late: VecDeque<Event>,
    events: Vec<Event>,
}

impl Order {
    fn new(layout: Layout, stage: u32) -> Self {
        Self {
            stage,
            half: layout.microbatches / 2,
            is_behind_middle: stage >= layout.stages / 2,
            next: [[0; 2]; 2],
            late: VecDeque::new(),
            events: Vec::new(),
        }
    }

    fn next(&mut self, phase: Phase, direction: usize) -> Event {
        let chunk = u32::from((direction == 1) != self.is_behind_middle);
        let next = &mut self.next[usize::from(phase == Phase::Backward)][direction];
        let microbatch = *next + chunk * self.half;
        *next += 1;
        Event::new(phase, self.stage, microbatch, chunk)
    }

    fn forward(&mut self, direction: usize) {
        let event = self.next(Phase::Forward, direction);
        self.events.push(event);
    }

    /// A backward with its gradient of weights.
    fn backward(&mut self, direction: usize) {
        self.backward_alone(direction);
        let weight = self.late.pop_back();
        self.events.extend(weight);
    }

    /// A backward whose gradient of weights is put off.
    fn backward_alone(&mut self, direction: usize) {
        let event = self.next(Phase::Backward, direction);
        self.events.push(event);
        self.late.push_back(Event { phase: Phase::Weight, ..event });
    }

    /// The gradient of weights that waits longest.
    fn weight(&mut self) {
        let weight = self.late.pop_front();
        self.events.extend(weight);
    }

    fn both(&mut self, forward: usize, backward: usize) {
        self.forward(forward);
        self.backward(backward);
    }
}

/// Forwards of both directions in turn, for inference.
pub(crate) fn forwards(layout: Layout, stage: u32) -> Vec<Event> {
    let mut order = Order::new(layout, stage);
    for _ in 0..order.half {
        order.forward(0);
        order.forward(1);
    }
    order.events
}

/// The order of a stage. There are an even number of stages, and at least as many microbatches in each direction.
pub(crate) fn sequence(layout: Layout, stage: u32) -> Vec<Event> {
    let mut order = Order::new(layout, stage);
    // Stages up to the end that is nearer, and to the middle.
    let outer = stage.min(layout.stages - 1 - stage);
    let inner = layout.stages / 2 - outer - 1;
    for _ in 0..2 * inner {
        order.forward(0);
    }
    for _ in 0..=outer {
        order.forward(0);
        order.forward(1);
    }
    for _ in 0..inner {
        order.backward_alone(1);
        order.weight();
        order.forward(1);
    }
    for _ in 0..order.half + outer + 1 - layout.stages {
        order.both(0, 1);
        order.both(1, 0);
    }
    for _ in 0..inner {
        order.backward(1);
        order.both(1, 0);
    }
    // Of the last backwards on both sides, the second half puts gradients of weights off.
    let last = 2 * (outer + 1);
    let first_late = outer.div_ceil(2) * 2 + u32::from(outer.is_multiple_of(2));
    for number in 0..last {
        let direction = 1 - number as usize % 2;
        if number < first_late {
            order.backward(direction);
        } else {
            order.backward_alone(direction);
        }
    }
    for _ in 0..inner {
        order.weight();
        order.backward_alone(0);
    }
    for _ in 0..=outer {
        order.weight();
    }
    order.events
}
