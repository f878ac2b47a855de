//! What the reference writes for a dump, this tool writes too; what no reference tells stays as it was blessed.

mod answers;
mod host;
mod repeat;
mod texts;
mod trace;
