//! What the trace has beyond the reference's.

mod bandwidth;
mod chrome;
mod compressed;
mod cut;
mod detail;
mod flows;
mod kernels;
mod lanes;
mod layers;
mod metadata;
mod rates;
mod size;
mod tracks;
mod units;
