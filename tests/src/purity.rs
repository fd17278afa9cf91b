//! Whether the core asks anything of its surroundings: `tests/purity` calls every entrance of it, and the module that
//! it makes for wasm32-unknown-unknown must import nothing.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use wasmparser::{Parser, Payload};

/// What a module was found to hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// What it imports, as `module.name`.
    pub imports: Vec<String>,
    /// How many functions it has of its own.
    pub functions: u32,
}

/// Why the check could not be made.
#[derive(Debug)]
pub enum PurityError {
    /// The compiler has no libraries for wasm32-unknown-unknown; `rustup target add` gets them.
    NoTarget,
    /// The module could not be built; what cargo said.
    Build(String),
    /// What was built is no wasm module; why not.
    Module(String),
}

const TARGET: &str = "wasm32-unknown-unknown";

/// Builds the core for wasm and looks at what the module imports.
///
/// # Errors
/// [`PurityError`], where there is no module to look at.
pub fn core_module() -> Result<Found, PurityError> {
    if !has_target() {
        return Err(PurityError::NoTarget);
    }
    let module = build()?;
    let bytes = std::fs::read(&module).map_err(|error| PurityError::Module(error.to_string()))?;
    look_into(&bytes).map_err(|error| PurityError::Module(error.to_string()))
}

/// What a module imports and how much it holds.
///
/// # Errors
/// Where the bytes are no wasm module.
pub fn look_into(bytes: &[u8]) -> wasmparser::Result<Found> {
    let mut found = Found::default();
    for payload in Parser::new(0).parse_all(bytes) {
        match payload? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    let import = import?;
                    found.imports.push(format!("{}.{}", import.module, import.name));
                }
            }
            Payload::FunctionSection(functions) => found.functions = functions.count(),
            _ => {}
        }
    }
    Ok(found)
}

fn has_target() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]).output();
    output.is_ok_and(|output| Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir())
}

/// The path of the module, from what cargo reports to have built.
fn build() -> Result<PathBuf, PurityError> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = ["build", "--package", "ebbtrace-purity", "--target", TARGET, "--message-format", "json"];
    let root = crate::folder();
    let output = Command::new(cargo)
        .args(arguments)
        .current_dir(root)
        .stderr(Stdio::piped())
        .output()
        .map_err(|error| PurityError::Build(error.to_string()))?;
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let artifact =
        lines.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok()).find_map(|m| {
            let ours = m["target"]["name"] == "ebbtrace-purity";
            m["filenames"]
                .as_array()
                .filter(|_| ours)?
                .iter()
                .find_map(|name| name.as_str().filter(|name| name.ends_with(".wasm")).map(PathBuf::from))
        });
    artifact
        .filter(|_| output.status.success())
        .ok_or_else(|| PurityError::Build(String::from_utf8_lossy(&output.stderr).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_is_seen() {
        // A module that imports the function `now` of `env`, and nothing else.
        let module = [
            &b"\0asm\x01\0\0\0"[..],
            &[1, 4, 1, 0x60, 0, 0], // a type: no arguments, no results
            &[2, 11, 1, 3, b'e', b'n', b'v', 3, b'n', b'o', b'w', 0, 0], // an import: env.now of that type
        ]
        .concat();
        let found = look_into(&module).unwrap();
        assert_eq!(found, Found { imports: vec!["env.now".to_owned()], functions: 0 });
        assert!(look_into(b"no module").is_err());
    }
}
