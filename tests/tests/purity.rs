//! The core, built for wasm, asks nothing of its surroundings.

use ebbtrace_tests::purity::{PurityError, core_module};

#[test]
fn the_core_imports_nothing() {
    match core_module() {
        Ok(found) => {
            assert!(found.imports.is_empty(), "the core asks for {:?}", found.imports);
            // An empty module imports nothing either: the engine has to be in it.
            assert!(found.functions > 500, "only {} functions: the core was left out of the module", found.functions);
        }
        Err(PurityError::NoTarget) => println!("left out: rustup target add wasm32-unknown-unknown"),
        Err(error) => panic!("{error:?}"),
    }
}
