//! `ebbtrace-bindgen WASM OUT`: makes of a built module what a bundler or a browser can load.

use std::{env, process::ExitCode};

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [module, out] = &arguments[..] else {
        eprintln!("usage: ebbtrace-bindgen WASM OUT");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    let made = bindgen
        .input_path(module)
        .web(true)
        .map(|bindgen| bindgen.typescript(true).omit_default_module_path(true).remove_name_section(true))
        .and_then(|bindgen| bindgen.remove_producers_section(true).generate(out));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{module}: {error:#}");
            ExitCode::FAILURE
        }
    }
}
