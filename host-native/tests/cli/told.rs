//! Secrets of every sort, for the tests that they are nowhere afterwards. They are put together from parts here: none is
//! or was one.

const MIXED: &str = "FAKEfake0123NotAKeyAbCdEfGhIjKlMnOpQrStUvWxYz";

/// A text that holds a secret, and the part of it that must be nowhere.
pub(crate) struct Told {
    pub(crate) text: String,
    pub(crate) secret: String,
}

/// A secret of each sort. Each is another one, so that what is found is known by it.
pub(crate) fn told() -> Vec<Told> {
    let told = |before: &str, secret: String, after: &str| Told { text: format!("{before}{secret}{after}"), secret };
    let pem = |body: &str| {
        let name = ["RSA", "PRIVATE KEY"].join(" ");
        Told {
            text: format!("the key:\n-----BEGIN {name}-----\n{body}\nRkFLRQ==\n-----END {name}-----\nso far"),
            secret: body.to_owned(),
        }
    };
    let payload = "eyJzdWIiOiJmYWtlIn0";
    vec![
        told("Cloud ", format!("{}{}", ["AK", "IA"].concat(), "FAKE0FAKE1FAKE2Z"), " was used"),
        told("Clone with ", format!("{}{}", ["gh", "p_"].concat(), &MIXED[..36]), ", he said"),
        told("Chat ", format!("{}{}", ["xo", "xb-"].concat(), "fake0fake1fake2fake3abcdef"), " posts"),
        told("Pay ", format!("{}{}", ["sk_", "live_"].concat(), &MIXED[3..30]), " at once"),
        told("Ask ", format!("{}{}", ["sk", "-ant-"].concat(), &MIXED[5..]), " nicely"),
        told("Maps ", format!("{}{}", ["AI", "za"].concat(), &MIXED[7..42]), " shows"),
        told("Sent ", format!("eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.{payload}.{}", &MIXED[2..44]), " along"),
        pem("RkFLRWZha2UwMTIzTm90QUtleQ"),
        told("At postgres://app:", "tomte-42-nisse".to_owned(), "@db.local/app it is"),
        told("Authorization: Bearer ", MIXED[9..].to_owned(), ""),
        told("The file:\nDB_PASSWORD=", "vattern-17-oland".to_owned(), "\nDB_HOST=localhost"),
        told("It answered {\"apiKey\": \"", "lovisa0fake1gavle2".to_owned(), "\"} then"),
        told("export API_TOKEN='", "skane-88-blekinge".to_owned(), "'"),
        told("Server=db;User Id=app;Password=", "halland5fake".to_owned(), ";Encrypt=true"),
    ]
}

/// Whether `secret` stands in `bytes`, in letters of either case.
pub(crate) fn holds(bytes: &[u8], secret: &str) -> bool {
    let small = bytes.to_ascii_lowercase();
    small.windows(secret.len()).any(|window| window == secret.to_ascii_lowercase().as_bytes())
}
