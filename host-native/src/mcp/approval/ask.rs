//! How the question gets to the human, in each era.

use std::{collections::BTreeMap, time::Duration};

use rmcp::{
    RoleServer,
    model::{
        ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema,
        InputRequest, InputRequiredResult, ServerRequest,
    },
    service::{PeerRequestOptions, RequestContext, ServiceError},
};
use serde_json::Value;
use tokio::sync::watch;

use super::{super::refusal::Refusal, Question, Reply, bad_answer};

/// The name of the one question in an input-required result.
const NAME: &str = "decisions";

/// Whether the client said that it can show a human a form.
pub(in crate::mcp) fn available(context: &RequestContext<RoleServer>) -> bool {
    let declared = context.client_capabilities().and_then(|capabilities| capabilities.elicitation);
    // A capability that names no mode is that of the form.
    declared.is_some_and(|modes| modes.form.is_some() || modes.url.is_none())
}

fn request(question: &Question) -> Result<ElicitRequest, Refusal> {
    let requested_schema: ElicitationSchema =
        serde_json::from_value(question.schema.clone()).map_err(|_| Refusal::internal())?;
    let message = question.message.clone();
    Ok(ElicitRequest::new(ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema }))
}

/// The question as the result of the call that it belongs to (2026-07-28).
pub(in crate::mcp) fn required(question: &Question, state: String) -> Result<InputRequiredResult, Refusal> {
    let requests = BTreeMap::from([(NAME.to_owned(), InputRequest::Elicitation(request(question)?))]);
    Ok(InputRequiredResult::new(Some(requests), Some(state)))
}

/// The answer among what a call brings back (2026-07-28).
pub(in crate::mcp) fn brought(responses: Option<&BTreeMap<String, Value>>) -> Result<Reply, Refusal> {
    let answer = responses.and_then(|responses| responses.get(NAME)).cloned();
    let answer = answer.ok_or_else(|| bad_answer("there is none to it"))?;
    let result = serde_json::from_value(answer).map_err(|_| bad_answer("it has no action"))?;
    Ok(reply(result))
}

/// Asks the client and waits (2025-11-25). Nothing but this call waits with it; it takes the question back when the time
/// is over, the client cancels the call, or the input ends.
pub(in crate::mcp) async fn wait(
    question: &Question,
    context: &RequestContext<RoleServer>,
    at_most: Duration,
    mut end: watch::Receiver<bool>,
) -> Result<Reply, Refusal> {
    let request = ServerRequest::ElicitRequest(request(question)?);
    let asked = context.peer.send_cancellable_request(request, PeerRequestOptions::no_options()).await;
    let Ok(mut asked) = asked else { return Ok(Reply::NotAsked) };
    let ended = async {
        // An error says that the input is gone, which is its end as well.
        let _ = end.wait_for(|ended| *ended).await.is_ok();
    };
    let (reason, unanswered) = tokio::select! {
        answered = &mut asked.rx => return read(answered),
        () = tokio::time::sleep(at_most) => ("no answer in time", Ok(Reply::Silent(at_most))),
        () = context.ct.cancelled() => ("the call was cancelled", Err(taken_back())),
        // The library sends no more questions and notices now, and would keep this waiting.
        () = ended => return Err(taken_back()),
    };
    // A client that is gone needs no word of it.
    let _ = asked.cancel(Some(reason.to_owned())).await;
    unanswered
}

fn read(
    answered: Result<Result<ClientResult, ServiceError>, tokio::sync::oneshot::error::RecvError>,
) -> Result<Reply, Refusal> {
    match answered {
        Ok(Ok(ClientResult::ElicitResult(result))) => Ok(reply(result)),
        // As well what the gate puts in place of an answer that is no well-formed message.
        Ok(Ok(_)) => Err(bad_answer("it is malformed, or has no action")),
        // It refused to ask.
        Ok(Err(ServiceError::McpError(_))) => Ok(Reply::NotAsked),
        Ok(Err(_)) | Err(_) => Err(taken_back()),
    }
}

fn reply(result: ElicitResult) -> Reply {
    match result.action {
        ElicitationAction::Accept => Reply::Filled(result.content),
        ElicitationAction::Decline => Reply::Declined,
        _ => Reply::Closed,
    }
}

fn taken_back() -> Refusal {
    Refusal {
        code: "cancelled",
        field: None,
        message: "the call ended before the human answered; nothing was decided".to_owned(),
        next_step: "Ask again if it is still wanted.".to_owned(),
    }
}
