//! The protocol's requests, each to its answer.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use ebbtrace_core::limits;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, ErrorCode, Implementation,
        InputResponses, ListToolsResult, PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig,
        Tool,
    },
    service::RequestContext,
};
use serde_json::{Map, Value};
use tokio::sync::watch;

use super::{
    McpOptions,
    answer::Answered,
    approval::{self, Prepared, Subject, ask, state::States},
    arguments,
    calls::{self, Call},
    fitting, instructions,
    refusal::Refusal,
    text,
    tools::{self, Spec},
    worker::Worker,
};

/// The server of one client.
pub(super) struct MemoryServer {
    worker: Worker,
    specs: Arc<[&'static Spec]>,
    tools: Arc<[Tool]>,
    options: Arc<McpOptions>,
    states: States,
    /// Whether a question of this server stands open at the client: one at a time is enough for a human.
    asking: AtomicBool,
    /// Turns true at the end of input.
    end: watch::Receiver<bool>,
}

/// A call as it came.
struct Asked {
    name: String,
    arguments: Option<Value>,
    /// What the client brings back of what an earlier call asked for.
    responses: Option<InputResponses>,
    state: Option<String>,
}

impl MemoryServer {
    /// A server whose calls `worker` does, until `end` is true.
    pub(super) fn new(worker: Worker, options: McpOptions, end: watch::Receiver<bool>) -> Self {
        let specs = options.tools.tools();
        Self {
            worker,
            tools: tools::listed(&specs, options.fence).into(),
            specs: specs.into(),
            states: States::new(options.state_lifetime),
            options: Arc::new(options),
            asking: AtomicBool::new(false),
            end,
        }
    }

    async fn call(&self, asked: Asked, context: RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
        let Asked { name, arguments, responses, state } = asked;
        let Some(index) = self.specs.iter().position(|tool| tool.name == name) else {
            let names: Vec<&str> = self.specs.iter().map(|tool| tool.name).collect();
            let message = format!("Unknown tool: {}; the tools are {}", limits::excerpt(&name), names.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let fit = |refusal| fitting::fitted(refusal, self.options.tools, &name, self.options.fence);
        let within = |mut arguments| {
            if self.options.fence {
                calls::fenced(&mut arguments, self.options.default_scope.as_deref())?;
            }
            Ok(arguments)
        };
        let arguments = match arguments::whole(arguments).and_then(within) {
            Ok(arguments) => arguments,
            Err(refusal) => return Ok(Answered::from(Err(fit(refusal))).0.into()),
        };
        if name == approval::TOOL && (state.is_some() || approval::asks(&self.tools[index].input_schema, &arguments)) {
            let asked = match state {
                Some(state) => self.answered(index, arguments, &state, responses.as_ref(), &context).await,
                None => self.ask(index, arguments, &context).await,
            };
            return Ok(asked.unwrap_or_else(|refusal| Answered::from(Err(fit(refusal))).0.into()));
        }
        let outcome = self.on_worker(index, arguments, &context, self.specs[index].call).await;
        Ok(Answered::from(outcome.map_err(fit)).0.into())
    }

    /// Does `job` with the call when its turn comes.
    async fn on_worker<T: Send + 'static>(
        &self,
        index: usize,
        arguments: Map<String, Value>,
        context: &RequestContext<RoleServer>,
        job: impl FnOnce(Call<'_>) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let client = context.client_info().and_then(|client| client_name(&client.name));
        let (tools, options) = (Arc::clone(&self.tools), Arc::clone(&self.options));
        let token = context.ct.clone();
        let outcome = self.worker.call(
            move || token.is_cancelled(),
            move |service| {
                job(Call {
                    service,
                    schema: &tools[index].input_schema,
                    arguments,
                    client,
                    default_scope: options.default_scope.as_deref(),
                    fence: options.fence,
                    characters: options.answer_characters,
                })
            },
        );
        outcome.await
    }

    /// Asks the human, as the client's era has it.
    async fn ask(
        &self,
        index: usize,
        arguments: Map<String, Value>,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, Refusal> {
        let binding = approval::binding(&self.tools[index].input_schema, &arguments)?;
        let question = match self.on_worker(index, arguments, context, approval::prepare).await? {
            Prepared::Ask(question) => question,
            Prepared::Nothing(answer) => return Ok(Answered::from(Ok(answer)).0.into()),
        };
        if !ask::available(context) {
            return approval::unavailable(question.subject.shown.len())
                .map(|answer| Answered::from(Ok(answer)).0.into());
        }
        if is_modern(context) {
            let state = self.states.seal(&question.subject, &binding)?;
            return ask::required(&question, state).map(CallToolResponse::from);
        }
        let Some(_open) = Open::one(&self.asking) else {
            return Err(Refusal {
                code: "already_asking",
                field: None,
                message: "the human is being asked already; a second question was not put".to_owned(),
                next_step: "Wait for the answer to the first call.".to_owned(),
            });
        };
        let reply = ask::wait(&question, context, self.options.ask_timeout, self.end.clone()).await?;
        self.conclude(question.subject, reply, context).await
    }

    /// Takes the answer that a call of the newer era brings back.
    async fn answered(
        &self,
        index: usize,
        arguments: Map<String, Value>,
        state: &str,
        responses: Option<&InputResponses>,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, Refusal> {
        let binding = approval::binding(&self.tools[index].input_schema, &arguments)?;
        let subject = self.states.open(state, &binding)?;
        self.conclude(subject, ask::brought(responses)?, context).await
    }

    async fn conclude(
        &self,
        subject: Subject,
        reply: approval::Reply,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, Refusal> {
        let token = context.ct.clone();
        let done =
            self.worker.call(move || token.is_cancelled(), move |service| approval::conclude(service, &subject, reply));
        Ok(Answered::from(Ok(done.await?)).0.into())
    }
}

/// Holds the mark that a question stands open, and takes it away however the wait ends.
struct Open<'a>(&'a AtomicBool);

impl<'a> Open<'a> {
    fn one(asking: &'a AtomicBool) -> Option<Self> {
        (!asking.swap(true, Ordering::SeqCst)).then_some(Self(asking))
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::SeqCst);
    }
}

fn is_modern(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

impl ServerHandler for MemoryServer {
    fn get_info(&self) -> ServerConfig {
        let server = Implementation::new("ebbtrace", env!("CARGO_PKG_VERSION"))
            .with_title("Ebbtrace")
            .with_description("Long-term memory that fades unless it is used");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_protocol_version(ProtocolVersion::V_2025_11_25)
            .with_server_info(server)
            .with_instructions(instructions::of(self.options.tools, self.options.fence))
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if page.is_some_and(|page| page.cursor.is_some()) {
            return Err(ErrorData::invalid_params("tools/list has one page and gives no cursor", None));
        }
        Ok(ListToolsResult::with_all_items(self.tools.to_vec()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let asked = Asked {
            name: request.name.into_owned(),
            arguments: request.arguments.map(Value::Object),
            responses: request.input_responses,
            state: request.request_state,
        };
        self.call(asked, context).await
    }

    /// A call whose arguments are no JSON object arrives here, since the library can't read it as a call.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if request.method != "tools/call" {
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, limits::excerpt(&request.method), None));
        }
        let mut params = request.params.unwrap_or_default();
        let Some(name) = params.get("name").and_then(Value::as_str).map(str::to_owned) else {
            return Err(ErrorData::invalid_params("tools/call needs the name of a tool, a text", None));
        };
        let arguments = params.get_mut("arguments").map(Value::take);
        let state = params.get("requestState").and_then(Value::as_str).map(str::to_owned);
        let responses = params.get_mut("inputResponses").map(Value::take);
        let responses = responses.and_then(|responses| serde_json::from_value(responses).ok());
        let modern = is_modern(&context);
        let result = match self.call(Asked { name, arguments, responses, state }, context).await? {
            CallToolResponse::Complete(mut result) => {
                if !modern {
                    result.result_type = None;
                }
                serde_json::to_value(result)
            }
            CallToolResponse::InputRequired(result) => serde_json::to_value(result),
            _ => return Err(ErrorData::internal_error("no call of this server becomes a task", None)),
        };
        result.map(CustomResult::new).map_err(|error| ErrorData::internal_error(error.to_string(), None))
    }
}

/// A client's name as a memory's source keeps it: one line, within the core's bound; `None` where it is blank.
fn client_name(name: &str) -> Option<String> {
    let line = text::line(name.trim());
    let end = line.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|end| *end <= limits::NAME_BYTES).last();
    let name = line[..end.unwrap_or(0)].trim();
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clients_name_is_kept_within_the_bounds_of_a_source() {
        assert_eq!(client_name(" claude\ncode ").as_deref(), Some("claude code"));
        assert_eq!(client_name(" \n "), None);
        assert_eq!(client_name(&"é".repeat(200)).unwrap().len(), limits::NAME_BYTES);
    }
}
