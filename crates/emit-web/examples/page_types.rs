//! Prints the TypeScript types of the page's data: what `cargo run -p xtask -- page-types` writes.

fn main() {
    print!("{}", bigtpu_emit_web::page_types());
}
