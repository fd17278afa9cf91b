//! Where a value without quotes ends, and what is told beside a user's name: nothing of it may stay.

use super::text;

const CANARY: &str = "zq7";

/// Texts with `@` where a secret stands; the parts of it are put in, of which nothing may stay.
#[test]
fn g3_the_whole_of_a_value_without_quotes_is_left_out() {
    for (told, secret) in [
        ("PASSWORD=@", "zq7abc;def&ghi(jkl),mno"),
        ("export DB_PASSWORD=@", "zq7,one;two&three"),
        ("DB_PASS=@", "zq7hunterzq7value"),
        ("DB_PASS=@ # old", "zq7hunter"),
        ("smtp_pass: @", "zq7hunter"),
        ("mail.pass = @", "zq7hunter"),
        ("SMTP-PASS=@", "zq7hunter!"),
        ("REDIS_PASSWORD=@", "zq7(bracket)zq7"),
        ("password=@;Server=db1", "zq7p4ssw0rd"),
        ("Server=db1;Password=@;Database=x", "zq7p4ssw0rd"),
        ("Server=db1;Password=@;User Id=sa", "zq7p4;ssw0rd"),
        ("https://x.example/login?password=@&page=2", "zq7p4ssw0rd"),
        ("login(password=@)", "zq7hunter2"),
        ("{user=ana, password=@}", "zq7hunter2"),
        ("curl -u ana:@ https://x.example", "zq7pass"),
        ("curl -uana:@ https://x.example", "zq7pass"),
        ("curl -s --user ana:@ https://x.example", "zq7pass"),
        ("curl --user=ana:@ https://x.example", "zq7;pass&zq7"),
        ("curl -u 'ana:@' https://x.example", "zq7pass"),
        ("we call curl -X POST -u \"ana:@\" to deploy", "zq7(pass)zq7"),
        ("password: \"@\"", "zq7 words"),
        ("db:\n  password: '@'", "zq7 two words"),
        ("  \"password\": \"@\",", "zq7 two words"),
        ("PASSWORD='@'", "zq7 two words"),
        ("the password is '@'", "zq7 horse"),
        ("the password is 'correct @'", "zq7horse"),
        ("the password for staging is “@”", "zq7 horse stable"),
    ] {
        let whole = told.replace('@', secret);
        let (clean, found) = text(&whole);
        assert!(found == 1 && !clean.contains(CANARY), "{whole:?} became {clean:?}");
        let parts = secret.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| part.len() > 2);
        let stayed: Vec<&str> = parts.filter(|part| clean.replace("password", "").contains(part)).collect();
        assert!(stayed.is_empty(), "{stayed:?} of {whole:?} stayed in {clean:?}");
        // What stands around it does.
        let around: Vec<&str> = told.split('@').map(|part| part.trim_end_matches("correct ")).collect();
        assert!(around.iter().all(|part| clean.contains(part)), "{clean:?} of {whole:?}");
    }
}

#[test]
fn g3_a_long_value_goes_as_a_whole_and_takes_no_time() {
    let secret = format!("{};{}&{}", "zq7a".repeat(200), "b9".repeat(300), "é".repeat(50));
    let whole = format!("PASSWORD={secret} # old");
    let (clean, found) = text(&whole);
    assert_eq!((&*clean, found), ("PASSWORD=[redacted: password] # old", 1));
    for hostile in [
        "password=".repeat(7_000),
        "curl -u ".repeat(8_000),
        format!("password={}", ";a".repeat(32_000)),
        "password=;a".repeat(6_000),
    ] {
        let _ = text(&hostile);
    }
}

#[test]
fn g3_what_only_looks_like_a_value_stays() {
    for told in [
        "the password is required",
        "password: see the vault",
        "password: see the vault, page 12",
        "tests_pass: 1200",
        "TESTS_PASS=1200",
        "ALL_PASS: true",
        "| test | PASS | FAIL |",
        "status: PASS",
        "first_pass: register allocation",
        "low-pass: 3000",
        "login(password=password)",
        "login(user, password=get_password())",
        "password = getenv(\"DB_PASSWORD\")",
        "PASSWORD=$(cat file)",
        "DB_PASS=$DB_PASS",
        "DB_PASS=${DB_PASS}",
        "DB_PASS=changeme",
        "password: String",
        "password: String,",
        "password: Option<String>,",
        "fn login(user: &str, password: &str)",
        "const password = secrets[0];",
        "password: string;",
        "\"password\": \"Your password\",",
        "\"password\": \"Confirm the password\"",
        "password: 'must not be empty'",
        "the password is 'too short'",
        "the password is 'not valid'",
        "docker run -u 1000:1000 image",
        "curl -u $USER:$PASS https://x.example",
        "curl -u user:password https://x.example",
        "curl -u ana https://x.example",
        "chown -u ana:staff file",
        "bypass: always",
    ] {
        assert_eq!(text(told), (told.into(), 0));
    }
}
