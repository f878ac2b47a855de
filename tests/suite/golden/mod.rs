//! What the reference writes for a dump, this tool writes too.

mod host;
mod repeat;
mod texts;
mod trace;
