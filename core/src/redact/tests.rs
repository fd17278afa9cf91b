//! What is a secret and what only looks like one. Keys are put together from parts here: none is or was one.

use serde_json::json;

use super::*;

const SMALL: &str = "fake0fake1fake2fake3abcdefghijkl9876543210zyxw";
const MIXED: &str = "FAKEfake0123NotAKeyAbCdEfGhIjKlMnOpQrStUvWxYz";
const HEX: &str = "0123456789abcdef0123456789abcdef";

/// Texts with one secret each, which is the second of the three parts; and its kind.
fn secrets() -> Vec<(String, String, String, &'static str)> {
    let mut all = Vec::new();
    let prefixes = [
        ("AK", "IA", "FAKE0FAKE1FAKE2Z", "AWS key"),
        ("AS", "IA", "FAKE0FAKE1FAKE2Z", "AWS key"),
        ("gh", "p_", &MIXED[..36], "GitHub token"),
        ("gh", "o_", &MIXED[..36], "GitHub token"),
        ("gh", "s_", &MIXED[..36], "GitHub token"),
        ("gh", "u_", &MIXED[..36], "GitHub token"),
        ("gh", "r_", &MIXED[..36], "GitHub token"),
        ("github_", "pat_", MIXED, "GitHub token"),
        ("gl", "pat-", &MIXED[..20], "GitLab token"),
        ("gl", "rt-", &MIXED[..20], "GitLab token"),
        ("xo", "xb-", &SMALL[..30], "Slack token"),
        ("xo", "xp-", &SMALL[..30], "Slack token"),
        ("xa", "pp-", &SMALL[..30], "Slack token"),
        ("sk_", "live_", &MIXED[..24], "Stripe key"),
        ("rk_", "live_", &MIXED[..24], "Stripe key"),
        ("wh", "sec_", &MIXED[..32], "Stripe key"),
        ("sk", "-ant-", MIXED, "Anthropic key"),
        ("sk", "-proj-", MIXED, "OpenAI key"),
        ("sk", "-", MIXED, "OpenAI key"),
        ("sk", "-or-", MIXED, "OpenRouter key"),
        ("AI", "za", &MIXED[..35], "Google key"),
        ("ya", "29.", MIXED, "Google token"),
        ("GOC", "SPX-", &MIXED[..28], "Google secret"),
        ("h", "f_", &MIXED[..34], "Hugging Face token"),
        ("np", "m_", &MIXED[..36], "npm token"),
        ("S", "K", HEX, "Twilio key"),
        ("shp", "at_", HEX, "Shopify token"),
        ("dckr_", "pat_", &MIXED[..27], "Docker token"),
        ("lin_", "api_", &MIXED[..40], "Linear key"),
        ("gs", "k_", MIXED, "Groq key"),
        ("xa", "i-", MIXED, "xAI key"),
        ("nv", "api-", MIXED, "NVIDIA key"),
        ("hv", "s.", &MIXED[..30], "Vault token"),
    ];
    for (one, two, rest, kind) in prefixes {
        all.push(("The key is ".to_owned(), format!("{one}{two}{rest}"), ", he said".to_owned(), kind));
    }
    let pem =
        |name: &str| format!("-----BEGIN {name}-----\nRkFLRWZha2UwMTIzTm90QUtleQ\nRkFLRQ==\n-----END {name}-----");
    let jwt = format!("{}.{}.{}", "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", "eyJzdWIiOiJmYWtlIn0", &MIXED[..43]);
    let rest: [(&str, String, &str, &'static str); 34] = [
        ("use ", format!("{}{}{MIXED}{MIXED}", "py", "pi-"), " to publish", "PyPI token"),
        ("use ", format!("{}{}.{MIXED}", "SG.", &MIXED[..22]), " to send", "SendGrid key"),
        ("use ", format!("dop_{}{HEX}{HEX}", "v1_"), "", "DigitalOcean token"),
        ("bot ", format!("123456789:AA{}", &MIXED[..33]), "", "Telegram token"),
        ("key:\n", pem(&["RSA", "PRIVATE KEY"].join(" ")), "\nend", "private key"),
        ("key:\n", pem(&["PRIVATE", "KEY"].join(" ")), "\nend", "private key"),
        ("key:\n", pem(&["OPENSSH", "PRIVATE KEY"].join(" ")), "\nend", "private key"),
        ("key:\n", pem(&["PGP", "PRIVATE KEY BLOCK"].join(" ")), "\nend", "private key"),
        ("it sent ", jwt, ".", "JWT"),
        ("postgres://app:", "fake-pw-1".into(), "@db.local/app", "password"),
        ("see mongodb+srv://root:", "fake:pw".into(), "@c0.local now", "password"),
        ("redis://:", "fakefake".into(), "@cache:6379", "password"),
        ("Server=db;User Id=app;Password=", "fakefake1".into(), ";Encrypt=true", "password"),
        ("Server=db;Uid=app;Pwd=", "swordfish".into(), ";", "password"),
        ("AccountName=a;AccountKey=", format!("{MIXED}=="), ";EndpointSuffix=x", "access key"),
        ("Authorization: Bearer ", MIXED.into(), "", "authorization"),
        ("-H 'Authorization: Basic ", "ZmFrZTpmYWtl".into(), "'", "authorization"),
        ("DB_PASSWORD=", "hunter2".into(), "\nDB_HOST=x", "password"),
        ("export API_TOKEN=", "fake-0123".into(), "", "token"),
        ("SECRET_KEY_BASE=", HEX.into(), "", "secret"),
        ("STRIPE_API_KEY=\"", "fake0fake1".into(), "\"", "API key"),
        ("MY_PRIVATE_KEY='", "fake0fake1".into(), "'", "private key"),
        ("aws_secret_access_key = ", format!("{}/+{}", &MIXED[..20], &MIXED[..18]), "", "access key"),
        ("AWS_CREDENTIALS=", "fake0fake1".into(), " # old", "secret"),
        ("DB_PASSWD=", "swordfish".into(), "", "password"),
        ("db:\n  password: ", "swordfish".into(), "\n  port: 5", "password"),
        ("password: \"", "hunter2".into(), "\"", "password"),
        ("{\"apiKey\": \"", "fake0fake1fake2".into(), "\"}", "API key"),
        ("{\"client_secret\":\"", "fake0fake1".into(), "\", \"a\": 1}", "secret"),
        ("the password: ", "hunter2".into(), ", as before", "password"),
        ("X-Api-Key: ", "fake0fake1".into(), "", "API key"),
        ("https://x.example/v1?api_key=", "fake0fake1".into(), "&q=1", "API key"),
        ("const authToken = '", "fake0fake1".into(), "';", "token"),
        ("Das Paßwort, password=", "gehe1mnis".into(), " bleibt — 秘密", "password"),
    ];
    all.extend(rest.map(|(before, secret, after, kind)| (before.to_owned(), secret, after.to_owned(), kind)));
    all
}

#[test]
fn g3_secrets_are_left_out_and_what_is_around_stays() {
    let all = secrets();
    assert!(all.len() >= 60, "{}", all.len());
    let mut wrong = Vec::new();
    for (before, secret, after, kind) in all {
        let whole = format!("{before}{secret}{after}");
        let (clean, found) = text(&whole);
        let expected = format!("{before}[redacted: {kind}]{after}");
        if (&*clean, found) != (&*expected, 1) {
            wrong.push(format!("{whole:?} became {clean:?}, {found}"));
        }
        // Once clean is clean: nothing is found in what was put in its place.
        assert_eq!(text(&expected).1, 0, "{expected}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn g3_what_only_looks_like_a_secret_stays() {
    let texts = [
        "commit 25ea113f0d95721c8d0ba1d76e37902ca6f06897",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "550e8400-e29b-41d4-a716-446655440000",
        "01M3250V00CF5Y3S2S686XESGW",
        "etag \"33a64df551425fcc55e4d42a148795d9f25f89d4\"",
        "sk-...",
        "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "API_KEY=<token>",
        "TOKEN=${TOKEN}",
        "PASSWORD=changeme",
        "SECRET=xxxx",
        "API_KEY=your-api-key-1",
        "the password policy requires 12 characters",
        "token = the smallest unit",
        "a token: a word or a part of one",
        "Password: at least 12 characters",
        "password: required",
        "password: string",
        "max_tokens=4096",
        "TOKEN_COUNT=128000",
        "TOKEN_LIMIT: 200000",
        "https://anna@host/path",
        "ssh://git@github.com/a/b.git",
        "https://host:8080/a@b",
        "data:image/png;base64,iVBORw0KGgoAKIAFAKE0FAKE1FAKE2Z/AKIAFAKE0FAKE1FAKE2Z/",
        "the secret of good tea",
        "secret: patience",
        "The secret is: never hurry",
        "our secretary: Anna42",
        "tokenizer: bert-base-v2",
        "keyboard = qwerty2",
        "monkey: abc12345",
        "PRIMARY_KEY=id_1234",
        "foreign key = users.id9",
        "password = get_password1()",
        "token = os.environ[\"TOKEN_1\"]",
        "password: process.env.DB_PASSWORD1",
        "token == abc12345",
        "secrets::Vault1::open",
        "SECRET_FILE=/run/secrets/db1",
        "PASSWORD_FILE=/run/secrets/db1",
        "TOKEN_URL=https://x.example/oauth2",
        "password: ********",
        "we use bearer tokens for everything",
        "basic authentication is off",
        "the bearer of this letter",
        "Basic English 850 words",
        "-----BEGIN CERTIFICATE-----\nMIIBfake0123\n-----END CERTIFICATE-----",
        "-----BEGIN PUBLIC KEY-----\nMIIBfake\n-----END PUBLIC KEY-----",
        "a file opens with -----BEGIN PRIVATE KEY----- and goes on for many lines of letters",
        "AKIA is how such keys begin",
        "eyJ is how a JWT begins",
        "version 1.2.3",
        "12:30:AA",
        "hf_transfer is faster",
        "npm_config_registry is set",
        "sk-learn is written scikit-learn",
        "postgres://user:password@localhost/db",
        "postgres://user:<password>@localhost/db",
        "mail anna@x.example: token talk at 9",
        "password reset: Friday",
        "パスワードは12文字以上",
        "[redacted: password]",
        "pwd: /home/anna1",
        "DISK0123456789abcdef",
        "",
        "::::====",
        "password:",
        "token=",
    ];
    assert!(texts.len() >= 60, "{}", texts.len());
    let wrong: Vec<_> = texts.iter().filter_map(|whole| Some(text(whole)).filter(|(_, found)| *found > 0)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn g3_metadata_is_cleaned_at_every_depth() {
    let key = format!("gh{}{}", "p_", &MIXED[..36]);
    let held =
        json!({"a": {"password": "swordfish", "list": [key.clone(), 1, "fine"]}, key: true, "token": "the word"});
    let (clean, found) = metadata(held.as_object().unwrap());
    let expected = json!({
        "a": {"password": "[redacted: password]", "list": ["[redacted: GitHub token]", 1, "fine"]},
        "[redacted: GitHub token]": true,
        "token": "the word",
    });
    assert_eq!((Value::Object(clean), found), (expected, 3));
}

#[test]
fn g3_a_password_that_a_sentence_tells_is_left_out() {
    let told = [
        ("the password is ", "hunter2", ""),
        ("The password is ", "hunter2", "."),
        ("root password: ", "Gr33n", ", as before"),
        ("das Passwort lautet ", "gehe1m", " und bleibt"),
        ("Das Kennwort ist jetzt ", "Blau!Wal", ""),
        ("密码是 ", "abc123", ""),
        ("密码：", "abc123", "，不要外传"),
        ("数据库密码为", "Pa55word", "。"),
        ("パスワードは", "himitsu9", "です"),
        ("비밀번호는 ", "bimil77", " 입니다"),
        ("pwd=", "tr0ub", ""),
        ("the wifi password is still \"", "swordfish", "\""),
        ("our password is '", "correct horse battery staple", "'"),
        ("the password for the staging database is ", "s3same", "!?"),
        ("password of root on the box: ", "letM3in", ""),
        ("I reset the password to ", "Winter!24", " yesterday"),
        ("the password was ", "P@ssw0rd", " until May"),
        ("the passphrase is `", "swordfish", "`"),
        ("the alarm's passcode is ", "471199", " at night"),
        ("the password is: ", "hunter2", ""),
        ("the password is **", "hunter2", "**"),
        ("Password -> ", "qwertyUiop", ""),
        ("le mot de passe est ", "soleil12", ""),
        ("la contraseña es ", "luna2024", ""),
        ("the admin PASSWORD IS ", "hunter2", ""),
        ("passwd is ", "12345678", ""),
    ];
    assert!(told.len() >= 20);
    for (before, secret, after) in told {
        let expected = format!("{before}[redacted: password]{after}");
        let (clean, found) = text(&format!("{before}{secret}{after}")).into_owned_pair();
        // What is put right behind it goes along.
        assert_eq!((clean.replace("]?", "]!?"), found), (expected.clone(), 1), "{before}{secret}{after}");
        assert_eq!(text(&expected).1, 0, "{expected}");
        assert!(has_secret(&format!("{before}{secret}{after}")));
    }
}

#[test]
fn g3_what_is_said_about_passwords_stays() {
    let texts = [
        "the password is wrong",
        "The password is wrong!",
        "password is required",
        "password is stored in the vault",
        "password is rotated weekly",
        "the password is \"required\"",
        "the password was changed on 2026-05-01",
        "the password is 12 characters long",
        "the password is 2048 bits long",
        "a password is 12-character at least",
        "the password is SHA256-hashed",
        "the password is hashed with argon2id",
        "the password is in 1Password",
        "the password is KeePassXC-managed",
        "password: see the wiki, page 12",
        "password is: to be told by Ana",
        "the password for Server1 is unknown",
        "the password to the vault is with Mina",
        "passwords are rotated every 90 days",
        "the password is too short, 8 is the least",
        "the password is 'too short'",
        "the message says \"the password is 'at least 12 characters'\"",
        "the pwd is /srv/app1",
        "pwd: ~/work1",
        "password: Option<String>",
        "password: &str",
        "password := readPassword2()",
        "if password == hunter2_hash",
        "password::Kind2",
        "password_hash: user.hash2",
        "the password is <your password>",
        "the password is ${DB_PASS1}",
        "the password is ********",
        "the password is OK",
        "Das Passwort ist falsch",
        "Das Passwort lautet anders",
        "密码是必填项",
        "密码是12位",
        "密码长度为12345678位",
        "パスワードは必須です",
        "비밀번호는 필수",
        "password",
        "the password is",
        "password is ",
        "password for",
        "the password is e-mailed",
        "the password is https://x.example/reset1",
        "the password is n/a",
        "we set the password policy to strict",
        "he knows the password to Anna's diary",
    ];
    assert!(texts.len() >= 20);
    let wrong: Vec<_> = texts.iter().filter_map(|whole| Some(text(whole)).filter(|(_, found)| *found > 0)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn g3_keys_of_today_and_addresses_that_are_keys_are_found() {
    let slack = format!("T0FAKE0FA/B0FAKE0FA/{}", &MIXED[..24]);
    let discord = format!("123456789012345678/{}{}", &MIXED[..40], &SMALL[..28]);
    let pem = format!(
        "-----BEGIN {0}-----\\nRkFLRWZha2UwMTIzTm90QUtleQ\\nRkFLRQ==\\n-----END {0}-----\\n",
        ["PRIVATE", "KEY"].join(" ")
    );
    let pem = pem.trim_end_matches("\\n");
    let all: Vec<(&str, String, &str, &str)> = vec![
        ("post to https://hooks.slack.com/services/", slack, " when done", "Slack webhook"),
        ("https://discord.com/api/webhooks/", discord.clone(), "", "Discord webhook"),
        ("<https://discordapp.com/api/webhooks/", discord, ">", "Discord webhook"),
        (
            "{\"type\": \"service_account\", \"private_key\": \"",
            pem.to_owned(),
            "\\n\", \"client_email\": \"a@b.c\"}",
            "private key",
        ),
        (
            "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=",
            format!("{MIXED}{}==", &SMALL[..40]),
            ";",
            "access key",
        ),
        ("Endpoint=sb://x/;SharedAccessKey=", format!("{}=", &MIXED[..43]), "", "access key"),
        ("", format!("sk{}{MIXED}", "-admin-"), "", "OpenAI key"),
        ("", format!("sk{}{MIXED}-{MIXED}", "-ant-api03-"), " ", "Anthropic key"),
        ("", format!("xox{}{}", "e.xoxp-1-", &MIXED[..40]), "", "Slack token"),
        ("", format!("doo{}{HEX}{HEX}", "_v1_"), "", "DigitalOcean token"),
        ("", format!("shp{}{HEX}", "ca_"), "", "Shopify token"),
        ("", format!("ppl{}{MIXED}", "x-"), "", "Perplexity key"),
        ("", format!("r8{}{}", "_", &MIXED[..37]), "", "Replicate token"),
        ("", format!("nt{}{MIXED}", "n_"), "", "Notion token"),
        ("", format!("gls{}{MIXED}", "a_"), "", "Grafana token"),
        ("", format!("gl{}{}.01.{}", "pat-", &MIXED[..27], &SMALL[..9]), "", "GitLab token"),
    ];
    for (before, secret, after, kind) in all {
        let (clean, found) = text(&format!("{before}{secret}{after}")).into_owned_pair();
        assert_eq!((clean, found), (format!("{before}[redacted: {kind}]{after}"), 1));
    }
    for plain in [
        "see https://hooks.slack.com/services/ for how",
        "https://hooks.slack.com/services/T000/B000/XXXXXXXXXXXXXXXXXXXXXXXX",
        "https://discord.com/api/webhooks/ID/TOKEN",
        "r8_is_a_prefix",
    ] {
        assert_eq!(text(plain).1, 0, "{plain}");
    }
}

#[test]
fn g3_a_placeholder_is_one_as_a_whole() {
    for (before, secret, after, kind) in [
        ("DB_PASSWORD=", "Example4Life!23", "", "password"),
        ("STRIPE_SECRET_KEY=", "xxxx9Kd83jLs0qZ", "", "secret"),
        ("API_TOKEN=", "replace9Kd83jLs0qZ", "", "token"),
        ("DB_PASSWORD=", "changeme4Real9", "", "password"),
        ("DB_PASSWORD=", "your-9Kd83jLs0qZ", "", "password"),
        ("DB_PASSWORD=", "$ecret9Kd83", "", "password"),
        ("postgres://app:", "myexamplepw1", "@db.host/prod", "password"),
        ("PASSWORD=\"", "two words here9", "\"", "password"),
        ("DB_PASSWORD='", "it is my dog", "'", "password"),
        ("export API_TOKEN=\"", "my long token 9", "\" # old", "token"),
    ] {
        let whole = format!("{before}{secret}{after}");
        assert_eq!(text(&whole).into_owned_pair(), (format!("{before}[redacted: {kind}]{after}"), 1), "{whole}");
    }
    for plain in [
        "API_KEY=example",
        "API_KEY=xxxx",
        "API_KEY=XXXXXXXXXXXX",
        "API_KEY=<your key>",
        "PASSWORD=\"<your password>\"",
        "PASSWORD=\"your password here\"",
        "PASSWORD=changeme",
        "PASSWORD=change-me",
        "API_KEY=your-api-key-here",
        "API_KEY=YOUR_API_KEY_1",
        "API_KEY=yourapikeyhere",
        "API_TOKEN=replace-with-your-token",
        "TOKEN=$TOKEN_1",
    ] {
        assert_eq!(text(plain).1, 0, "{plain}");
    }
}

#[test]
fn g3_whatever_is_under_a_secret_s_name_is_cleaned() {
    let held = json!({
        "password": 12345678,
        "db": {"password": {"value": "hunter2Zed9", "set": true, "by": null, "old": ["swordfish", 4711]}},
        "passphrase": "correct horse battery staple",
        "api_key": {"value": "hunter2Zed9", "retries": 3},
        "port": 12345678,
        "max_tokens": 128_000,
        "pwd": null,
    });
    let (clean, found) = metadata(held.as_object().unwrap());
    let expected = json!({
        "password": "[redacted: password]",
        "db": {"password": {
            "value": "[redacted: password]", "set": true, "by": null,
            "old": ["[redacted: password]", "[redacted: password]"],
        }},
        "passphrase": "[redacted: password]",
        "api_key": {"value": "[redacted: API key]", "retries": 3},
        "port": 12345678,
        "max_tokens": 128_000,
        "pwd": null,
    });
    assert_eq!((Value::Object(clean), found), (expected, 6));
}

/// For comparing.
trait Pair {
    fn into_owned_pair(self) -> (String, usize);
}

impl Pair for (Cow<'_, str>, usize) {
    fn into_owned_pair(self) -> (String, usize) {
        (self.0.into_owned(), self.1)
    }
}
