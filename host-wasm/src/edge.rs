//! The edge between the two languages: values by serde, refusals as errors with a code.
//!
//! Values come in as they are, typed arrays among them. They go out as text that JavaScript parses: as fast as making
//! them one by one, and smaller, since the core writes its records as text anyway.

use std::fmt::Display;

use ebbtrace_core::{Decision, Error, Shown};
use serde::{Deserialize, de::DeserializeOwned};
use serde_wasm_bindgen::Deserializer;
use wasm_bindgen::prelude::*;

/// The input of what has none of its own in the core: one for all of them, since each would be read by code of its own.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct With {
    pub(crate) scope: Option<String>,
    pub(crate) id: String,
    pub(crate) ids: Vec<String>,
    pub(crate) reason: Option<String>,
    pub(crate) pinned: bool,
    pub(crate) dry_run: bool,
    pub(crate) decision: Option<Decision>,
    pub(crate) shown: Option<Shown>,
    pub(crate) carriers: bool,
    pub(crate) session: String,
    pub(crate) depth: Option<i64>,
    pub(crate) limit: Option<i64>,
    pub(crate) budget: Option<i64>,
    pub(crate) cursor: Option<String>,
    pub(crate) days: f64,
    pub(crate) query: String,
    pub(crate) text: String,
}

/// What JavaScript handed in, as a value of the core's; `null` and `undefined` are a value with nothing in it.
///
/// # Errors
/// `bad_argument`, with what is wrong and where it is.
pub(crate) fn from_js<T: DeserializeOwned>(what: &'static str, value: JsValue) -> Result<T, Refusal> {
    let value = if value.is_null() || value.is_undefined() { js_sys::Object::new().into() } else { value };
    T::deserialize(Deserializer::from(value)).map_err(|error| {
        // In JavaScript's words: every number of its own is one to serde.
        let why = error.to_string();
        let why = why.trim_start_matches("Error: ").replace("floating point", "number").replace(".0`", "`");
        Refusal::bad_argument(
            what,
            &why.replace("f64", "a number").replace("usize", "a whole number").replace("unit value", "null"),
        )
    })
}

/// A value of the core's as plain JavaScript: objects, lists, numbers, texts, `null`.
pub(crate) fn to_js<T: serde::Serialize + ?Sized>(value: &T) -> Result<JsValue, Refusal> {
    let text = serde_json::to_string(value).map_err(|error| Refusal::internal(&error.to_string()))?;
    js_sys::JSON::parse(&text).map_err(|_| Refusal::internal("what the engine answered is no JSON"))
}

/// Why something was refused, on its way to JavaScript: an `Error` with `code`, `field` and `nextStep`.
pub(crate) struct Refusal {
    code: &'static str,
    field: &'static str,
    message: String,
    next_step: &'static str,
}

impl Refusal {
    pub(crate) fn bad_argument(field: &'static str, why: &dyn Display) -> Self {
        let next_step = "Mend the argument and call again; nothing was changed.";
        Self { code: "bad_argument", field, message: format!("{field}: {why}"), next_step }
    }

    pub(crate) fn order(why: &str) -> Self {
        let next_step = "Open the engine first: new, take, finish.";
        Self { code: "order", field: "", message: why.to_owned(), next_step }
    }

    pub(crate) fn internal(why: &str) -> Self {
        let next_step = "Nothing was stored. Open the memory anew, and report this.";
        Self { code: "internal", field: "", message: why.to_owned(), next_step }
    }

    pub(crate) fn of_model(error: &ebbtrace_core::static_model::ModelError) -> Self {
        let next_step = "Give the bytes of the token table that comes with this package.";
        Self { code: error.code(), field: "model", message: error.to_string(), next_step }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self { code: error.code(), field: error.field(), message: error.to_string(), next_step: error.next_step() }
    }
}

impl From<Refusal> for JsValue {
    fn from(refusal: Refusal) -> Self {
        let error = js_sys::Error::new(&refusal.message);
        for (key, value) in [("code", refusal.code), ("field", refusal.field), ("nextStep", refusal.next_step)] {
            // On a plain error it can't fail.
            let _ = js_sys::Reflect::set(&error, &key.into(), &value.into());
        }
        error.into()
    }
}
