//! Why a call did not do what was asked, for a model to read: code, reason, next step.

use serde::Serialize;
use serde_json::{Value, json};

use super::text::told;
use crate::{service::ServiceError, store::StoreError};

/// A call that was refused or failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Refusal {
    /// A stable code for programs.
    pub(super) code: &'static str,
    /// The argument at fault, where one is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) field: Option<String>,
    /// What came and what is allowed.
    pub(super) message: String,
    /// What to do now.
    pub(super) next_step: String,
}

impl Refusal {
    /// An argument that can't be taken for what it should be.
    pub(super) fn argument(field: &str, came: &str, allowed: &str) -> Self {
        Self {
            code: "invalid_argument",
            field: Some(field.to_owned()),
            message: format!("{field} is {came}; allowed is {allowed}"),
            next_step: "Call again with an allowed value.".to_owned(),
        }
    }

    /// The call ended in a panic, which was caught.
    pub(super) fn internal() -> Self {
        Self {
            code: "internal",
            field: None,
            message: "the call failed inside Ebbtrace; this is a defect, and the log on stderr says where".to_owned(),
            next_step: "Recall what you stored to see whether it is there before you call again.".to_owned(),
        }
    }

    /// The caller took the request back before it was its turn.
    pub(super) fn cancelled() -> Self {
        Self {
            code: "cancelled",
            field: None,
            message: "the request was cancelled before it began; nothing was done".to_owned(),
            next_step: "Call again if it is still wanted.".to_owned(),
        }
    }

    /// The same, where a secret that came in an argument is not said again, nor what can't be seen.
    pub(super) fn without_secrets(self) -> Self {
        Self { field: self.field.map(|field| told(&field)), message: told(&self.message), ..self }
    }

    /// The whole of it as text.
    pub(super) fn text(&self) -> String {
        format!("Error {}: {}. Next step: {}", self.code, self.message.trim_end_matches('.'), self.next_step)
    }

    /// The whole of it as structured content.
    pub(super) fn structured(&self) -> Value {
        json!({"error": self})
    }
}

impl From<ServiceError> for Refusal {
    fn from(error: ServiceError) -> Self {
        let field = match &error {
            ServiceError::Refused(refused) => Some(refused.field().to_owned()),
            _ => None,
        };
        Self { code: error.code(), field, message: error.to_string(), next_step: error.next_step().to_owned() }
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        ServiceError::from(error).into()
    }
}

impl From<ebbtrace_core::Error> for Refusal {
    fn from(error: ebbtrace_core::Error) -> Self {
        ServiceError::from(error).into()
    }
}
