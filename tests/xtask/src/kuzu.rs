//! `cargo xtask kuzu`: builds Kùzu's C++ once a machine, into a cache outside of every checkout; each later build only
//! links it.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{cargo::cargo, steps::Steps};

/// The version that `host-native` asks for.
const VERSION: &str = "0.11.3";
/// The bridge between C++ and Rust that it was made with: a newer one makes other symbols.
const BRIDGE: &str = "1.0.138";
/// What of its sources a build against it includes, and where it is put.
const HEADERS: [(&str, &str); 4] = [
    ("src/include", "include"),
    ("third_party/nlohmann_json", "third_party/nlohmann_json"),
    ("third_party/fastpfor", "third_party/fastpfor"),
    ("third_party/alp/include", "third_party/alp"),
];

/// Where the built library is kept.
fn folder() -> PathBuf {
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| env::home_dir().map(|home| home.join(".cache"))).unwrap_or_default();
    cache.join("ebbtrace/kuzu").join(VERSION)
}

/// Whether it is built.
pub(crate) fn is_built() -> bool {
    folder().join("lib/libkuzu.a").exists()
}

/// What a build of ours has to know of it, as environment variables.
pub(crate) fn environment() -> [(&'static str, String); 3] {
    let folder = folder();
    let at = |name: &str| folder.join(name).display().to_string();
    let flags = HEADERS.iter().skip(1).map(|(_, to)| format!(" -I{}", at(to)));
    [
        ("KUZU_LIBRARY_DIR", at("lib")),
        ("KUZU_INCLUDE_DIR", at("include")),
        ("CXXFLAGS", flags.fold("-DKUZU_BUNDLED".to_owned(), |all, flag| all + &flag)),
    ]
}

/// Builds it where it is not there yet.
pub(crate) fn build(steps: &mut Steps) {
    if !is_built() {
        println!("Kùzu {VERSION} is 1,055 files of C++: 20 to 30 minutes on two cores, once.");
        let work = folder().join("build");
        match prepare(&work) {
            Ok(()) => steps.run("Kùzu", building(&work)),
            Err(error) => return steps.check("Kùzu", false, &format!("{}: {error}", work.display())),
        }
        let collected = collect(&work);
        let says = collected.as_ref().map_or_else(ToString::to_string, |()| folder().display().to_string());
        steps.check("Kùzu's libraries and headers", collected.is_ok(), &says);
    }
}

/// Builds it, and says how to build with it.
pub(crate) fn run(steps: &mut Steps) {
    build(steps);
    println!("\nTo build with it:\n");
    for (name, value) in environment() {
        println!("export {name}='{value}'");
    }
    println!("cargo install --path host-native --locked --features kuzu");
}

/// A package that asks for nothing else: so the library is built with cargo's own sources, and its features.
fn prepare(work: &Path) -> io::Result<()> {
    fs::create_dir_all(work.join("src"))?;
    let manifest = format!(
        "[package]\nname = \"kuzu-once\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         kuzu = \"={VERSION}\"\n\n[build-dependencies]\ncxx-build = \"={BRIDGE}\"\n"
    );
    fs::write(work.join("Cargo.toml"), manifest)?;
    fs::write(work.join("src/lib.rs"), "pub use kuzu::Database;\n")
}

fn building(work: &Path) -> Command {
    let mut build = cargo(&["build", "--release"]);
    build.current_dir(work).env("CARGO_TARGET_DIR", work.join("target"));
    build
}

/// Puts libraries, extensions and headers where builds look for them. The library comes last: with it, all is there.
fn collect(work: &Path) -> io::Result<()> {
    let built = fs::read_dir(work.join("target/release/build"))?.flatten().map(|entry| entry.path().join("out"));
    let missing = || io::Error::new(io::ErrorKind::NotFound, "no built library");
    let out = built.into_iter().find(|out| out.join("build/src/libkuzu.a").exists()).ok_or_else(missing)?;
    let to = folder();
    fs::create_dir_all(to.join("lib"))?;
    let mut libraries = Vec::new();
    files(&out, &mut |file| {
        let kind = file.extension().and_then(|kind| kind.to_str());
        if matches!(kind, Some("a" | "kuzu_extension")) {
            libraries.push(file.to_owned());
        }
    })?;
    libraries.sort_by_key(|file| file.ends_with("libkuzu.a"));
    let sources = sources(work).ok_or_else(missing)?;
    for (from, name) in HEADERS {
        copied(&sources.join(from), &to.join(name))?;
    }
    for file in libraries {
        if let Some(name) = file.file_name() {
            fs::copy(&file, to.join("lib").join(name))?;
        }
    }
    fs::remove_dir_all(work)
}

/// Where cargo keeps its sources.
fn sources(work: &Path) -> Option<PathBuf> {
    let mut asked = cargo(&["metadata", "--format-version", "1"]);
    let output = asked.current_dir(work).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let end = format!("kuzu-{VERSION}/Cargo.toml\"");
    let at = text.find(&end)?;
    let path = text[..at].rsplit('"').next()?;
    Some(Path::new(path).join(format!("kuzu-{VERSION}/kuzu-src")))
}

fn files(folder: &Path, each: &mut dyn FnMut(&Path)) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            files(&entry.path(), each)?;
        } else {
            each(&entry.path());
        }
    }
    Ok(())
}

fn copied(from: &Path, to: &Path) -> io::Result<()> {
    let mut all = Vec::new();
    files(from, &mut |file| all.push(file.to_owned()))?;
    for file in all {
        let at = to.join(file.strip_prefix(from).unwrap_or(&file));
        fs::create_dir_all(at.parent().unwrap_or(to))?;
        fs::copy(&file, at)?;
    }
    Ok(())
}
