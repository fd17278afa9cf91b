//! `ebbtrace-bindgen WASM OUT`: makes of a built module what a bundler or a browser can load, and compresses well.

mod order;

use std::{env, error::Error, fs, path::Path, process::ExitCode};

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [module, out] = &arguments[..] else {
        eprintln!("usage: ebbtrace-bindgen WASM OUT");
        return ExitCode::from(2);
    };
    match make(Path::new(module), Path::new(out)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{module}: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn make(module: &Path, out: &Path) -> Result<(), Box<dyn Error>> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).web(true)?.typescript(true).omit_default_module_path(true);
    bindgen.remove_name_section(true).remove_producers_section(true).generate(out)?;

    let name = module.file_stem().unwrap_or_default().to_string_lossy();
    let made = out.join(format!("{name}_bg.wasm"));
    fs::write(&made, order::by_likeness(&fs::read(&made)?)?)?;
    Ok(())
}
