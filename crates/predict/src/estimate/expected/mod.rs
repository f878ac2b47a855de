//! The expected time of a model on a chip whose units are known: what the compiled model asks for ([`Demand`]), at the
//! pace that measured models had ([`Coefficients`]).

mod coefficients;
mod demand;
mod evidence;
mod fit;
mod fitted;
mod pace;
mod sizes;
mod study;

pub use coefficients::{Coefficients, Name, PARAMETERS, Parameter};
pub use demand::{Demand, Term, Width};
pub use evidence::{Measured, MeasuredEvidence, Mostly, Residuals, RunSetting};
pub use fit::{FitSample, fit};
pub use pace::{DemandTimes, Overlap, Pace};
pub use study::{StudyRow, fit_rows, left_out, own_evidence, residuals};
