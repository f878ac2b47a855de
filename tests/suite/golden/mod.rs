//! What the reference writes for a dump, this tool writes too; what no reference tells stays as it was blessed.

mod alone;
mod answers;
mod answers_of_real_dumps;
mod host;
mod repeat;
mod texts;
mod trace;

pub(crate) use answers::head_of_page;
