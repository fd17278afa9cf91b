//! A disk without room, for real: a file system of two megabytes in a namespace of the test's own.

use std::process::{Command, Output};

/// What the program runs in: `$0` is the program, `$1` a folder to mount on.
const SCRIPT: &str = r#"
mount -t tmpfs -o size=2m tmpfs "$1" || exit 77
cd "$1"
db=memory.db
"$0" remember --db $db "We deploy on Wednesdays" || exit 1
# The last page of the disk too.
dd if=/dev/zero of=filled bs=1k 2>/dev/null
"$0" remember --db $db --json "The staging database is wiped on Sundays" && exit 2
"$0" recall --db $db --json "when do we deploy?" || exit 3
"$0" remember --db new.db --json "A store that can't be made" && exit 4
rm filled
"$0" remember --db $db --json "The staging database is wiped on Sundays" || exit 5
"$0" recall --db $db --json "when is staging wiped?" || exit 6
"#;

#[test]
#[ignore = "needs a file system of its own: cargo xtask test runs it where one can be had"]
fn a_full_disk_is_told_as_one_and_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--mount", "sh", "-c", SCRIPT, env!("CARGO_BIN_EXE_ebbtrace")]);
    command.arg(folder.path()).env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("HOME", folder.path());
    let Output { status, stdout, stderr } = command.output().expect("unshare runs");
    let told = String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned();
    assert!(status.success(), "{status}: {told}");
    // Once in a store that is there, once in a new one.
    assert_eq!(told.matches("\"code\":\"store_full\"").count(), 2, "{told}");
    assert!(told.contains("Free some space there"), "{told}");
    for stored in ["We deploy on Wednesdays", "The staging database is wiped on Sundays"] {
        assert!(told.contains(&format!("\"content\":\"{stored}\"")), "{told}");
    }
}
