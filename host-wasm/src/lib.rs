//! The engine of Ebbtrace for JavaScript: one class over `ebbtrace-core`, and nothing of its own. It decides nothing,
//! stores nothing and keeps no time: the host loop is in TypeScript, in `bindings/npm`.
//!
//! - [`Engine`] is opened from records, stages, applies and answers.
//! - `staging` and `reading` are the tables of the operations, by the names that the conformance cases give them.
//! - `records` reads what comes from a store.
//! - `edge` turns values of one side into values of the other, and refusals into errors with a code.

mod edge;
mod reading;
mod records;
mod staging;

use std::{mem, sync::Arc};

use ebbtrace_core::{Config, Engine as Core, Moment, Opener, Revision, StaticModel, Timestamp};
use wasm_bindgen::prelude::*;

use edge::{Refusal, from_js};

/// Turns a panic into an error with the code `internal`: after one, the module is to be dropped and loaded anew.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|info| {
        wasm_bindgen::throw_val(Refusal::internal(&info.to_string()).into());
    }));
}

/// One store's memory: records, indexes and rules. It is `opening` until `finish`, and takes operations after it.
#[wasm_bindgen]
pub struct Engine {
    config: Config,
    model: Option<Arc<StaticModel>>,
    state: State,
}

enum State {
    Opening(Opener),
    Open(Core),
    /// Between the two.
    Moving,
}

#[wasm_bindgen]
impl Engine {
    /// An engine to be filled. `config` is what differs from the default one, by section; `model` the bytes of the token
    /// table.
    ///
    /// # Errors
    /// `bad_argument` for a config with a number outside its range; the model's own for bytes that are no token table.
    #[wasm_bindgen(constructor)]
    pub fn new(config: JsValue, model: Option<Vec<u8>>) -> Result<Self, JsValue> {
        let config = if config.is_undefined() { Config::default() } else { of(config)? };
        let model = model.map(StaticModel::load).transpose().map_err(|error| Refusal::of_model(&error))?;
        Ok(Self::opening(config, model.map(Arc::new)))
    }

    /// A new engine to be filled, with the config and the token table of this one.
    pub fn anew(&self) -> Self {
        Self::opening(self.config.clone(), self.model.clone())
    }

    /// Takes in some of a store's records; they may come in any order.
    ///
    /// # Errors
    /// `bad_argument` for what is no list of records; `order` after `finish`.
    pub fn take(&mut self, records: JsValue) -> Result<(), JsValue> {
        let State::Opening(opener) = &mut self.state else {
            return Err(Refusal::order("take comes before finish").into());
        };
        for record in records::list(&records)? {
            opener.record(record);
        }
        Ok(())
    }

    /// Ends the filling, at the revision that the records are at.
    ///
    /// # Errors
    /// `order` where it is open already.
    pub fn finish(&mut self, revision: f64) -> Result<(), JsValue> {
        match mem::replace(&mut self.state, State::Moving) {
            State::Opening(opener) => {
                self.state = State::Open(opener.finish(Revision(revision as u64)));
                Ok(())
            }
            other => {
                self.state = other;
                Err(Refusal::order("finish comes once").into())
            }
        }
    }

    /// The revision of the last entry applied.
    ///
    /// # Errors
    /// `order` before `finish`.
    pub fn revision(&self) -> Result<f64, JsValue> {
        Ok(self.open()?.revision().0 as f64)
    }

    /// Decides an operation and changes nothing: `{ outcome, entry }`. The entry is what to commit; `null` where there is
    /// nothing to.
    ///
    /// # Errors
    /// The core's own refusals, by their codes; `bad_argument` for an input of the wrong shape.
    pub fn stage(&self, operation: &str, input: JsValue, now: f64, entropy: u64) -> Result<JsValue, JsValue> {
        let moment = Moment { now: Timestamp(now as i64), entropy };
        staging::stage(self.open()?, operation, input, moment)
    }

    /// Answers a question; nothing changes.
    ///
    /// # Errors
    /// As [`Engine::stage`].
    pub fn read(&self, question: &str, input: JsValue, now: f64) -> Result<JsValue, JsValue> {
        reading::read(self.open()?, question, input, Timestamp(now as i64))
    }

    /// Takes in a committed entry: the only thing that changes an open engine.
    ///
    /// # Errors
    /// `bad_argument` for what is no entry; `order` before `finish`.
    pub fn apply(&mut self, entry: JsValue) -> Result<(), JsValue> {
        let entry = records::entry(entry)?;
        match &mut self.state {
            State::Open(core) => core.apply(&entry),
            _ => return Err(not_open().into()),
        }
        Ok(())
    }

    /// The pooled vector that the token table gives a text; empty without a table.
    pub fn pooled(&self, text: &str) -> js_sys::Float32Array {
        let vector = self.model.as_ref().map(|model| model.pooled(&model.tokens(text))).unwrap_or_default();
        js_sys::Float32Array::from(vector.as_slice())
    }

    fn opening(config: Config, model: Option<Arc<StaticModel>>) -> Self {
        let state = State::Opening(Core::opener(config.clone(), model.clone()));
        Self { config, model, state }
    }

    fn open(&self) -> Result<&Core, Refusal> {
        match &self.state {
            State::Open(core) => Ok(core),
            _ => Err(not_open()),
        }
    }
}

/// What differs from the default config. A name that nobody reads would be passed over in silence.
fn of(config: JsValue) -> Result<Config, Refusal> {
    let groups: Vec<String> = keys_of(&config);
    for group in groups {
        let within = js_sys::Reflect::get(&config, &group.as_str().into()).unwrap_or_default();
        // What is no object is refused below.
        let mut names: Vec<String> = if within.is_object() { keys_of(&within) } else { Vec::new() };
        for name in &mut names {
            *name = format!("{group}.{name}");
        }
        let known = |name: &str| Config::names().any(|known| known.starts_with(name));
        let unknown = names.iter().find(|name| !Config::names().any(|known| known == **name));
        if let Some(name) = unknown.or_else(|| (!known(&format!("{group}."))).then_some(&group)) {
            return Err(Refusal::bad_argument("config", &format_args!("there is no constant {name}")));
        }
    }
    from_js("config", config)
}

fn keys_of(of: &JsValue) -> Vec<String> {
    let keys = js_sys::Object::keys(of.unchecked_ref::<js_sys::Object>());
    keys.iter().filter_map(|key| key.as_string()).collect()
}

fn not_open() -> Refusal {
    Refusal::order("finish comes before any operation")
}
