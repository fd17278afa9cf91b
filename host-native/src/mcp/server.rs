//! The protocol's requests, each to its answer.

use std::sync::Arc;

use ebbtrace_core::limits;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult, ErrorCode,
        Implementation, ListToolsResult, PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig,
        Tool,
    },
    service::RequestContext,
};
use serde_json::Value;

use super::{
    McpOptions,
    answer::Answered,
    arguments,
    calls::Call,
    instructions::INSTRUCTIONS,
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
}

impl MemoryServer {
    /// A server whose calls `worker` does.
    pub(super) fn new(worker: Worker, options: McpOptions) -> Self {
        let specs = options.tools.tools();
        Self { worker, tools: tools::listed(&specs).into(), specs: specs.into(), options: Arc::new(options) }
    }

    async fn call(
        &self,
        name: &str,
        arguments: Option<Value>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let Some(index) = self.specs.iter().position(|tool| tool.name == name) else {
            let names: Vec<&str> = self.specs.iter().map(|tool| tool.name).collect();
            let message = format!("Unknown tool: {}; the tools are {}", limits::excerpt(name), names.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let arguments = match arguments::whole(arguments) {
            Ok(arguments) => arguments,
            Err(refusal) => return Ok(Answered::from(Err(refusal)).0),
        };
        let client = context.client_info().and_then(|client| client_name(&client.name));
        let (spec, tools, options) = (self.specs[index], Arc::clone(&self.tools), Arc::clone(&self.options));
        let token = context.ct;
        let outcome = self.worker.call(
            move || token.is_cancelled(),
            move |service| {
                (spec.call)(Call {
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
        Ok(Answered::from(outcome.await).0)
    }
}

impl ServerHandler for MemoryServer {
    fn get_info(&self) -> ServerConfig {
        let server = Implementation::new("ebbtrace", env!("CARGO_PKG_VERSION"))
            .with_title("Ebbtrace")
            .with_description("Long-term memory that fades unless it is used");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_protocol_version(ProtocolVersion::V_2025_11_25)
            .with_server_info(server)
            .with_instructions(INSTRUCTIONS)
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
        let arguments = request.arguments.map(Value::Object);
        self.call(&request.name, arguments, context).await.map(CallToolResponse::from)
    }

    /// A call whose arguments are no JSON object arrives here, since the library can't read it as a call.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if request.method != "tools/call" {
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None));
        }
        let mut params = request.params.unwrap_or_default();
        let Some(name) = params.get("name").and_then(Value::as_str).map(str::to_owned) else {
            return Err(ErrorData::invalid_params("tools/call needs the name of a tool, a text", None));
        };
        let arguments = params.get_mut("arguments").map(Value::take);
        let modern = context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28);
        let mut result = self.call(&name, arguments, context).await?;
        if !modern {
            result.result_type = None;
        }
        let result = serde_json::to_value(result);
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
