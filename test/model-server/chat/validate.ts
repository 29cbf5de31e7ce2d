import { isRecord, refuse } from "../api-error.ts";
import { inRange, isGiven, positiveInteger, refuseLoneSurrogates } from "../fields.ts";
import { validateMessages } from "./validate-messages.ts";
import { validateTools } from "./validate-tools.ts";
import { type ChatRequest, chatRequestSchema } from "./wire.ts";

const PARAMETERS = new Set(
  `audio frequency_penalty logit_bias logprobs max_completion_tokens max_tokens messages metadata modalities model n
  parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_retention reasoning_effort
  response_format safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools
  top_logprobs top_p user verbosity web_search_options`.split(/\s+/),
);

/**
 * Validates a parsed request body as the strictest of the real endpoints would. `accepts` lists top-level parameters
 * and message fields that this endpoint accepts beyond OpenAI's own. Throws an ApiError (400) that names the error and
 * the index of the message or tool.
 */
export function validateChatRequest(body: unknown, accepts: readonly string[] = []): ChatRequest {
  if (!isRecord(body)) refuse(null, "invalid_type", "The request body must be a JSON object.");
  refuseLoneSurrogates(body, "");
  for (const name of Object.keys(body)) {
    if (!PARAMETERS.has(name) && !accepts.includes(name)) {
      refuse(name, "unknown_parameter", `Unrecognized request argument supplied: ${name}`);
    }
  }
  if (body.model === undefined || body.model === null) {
    refuse("model", "missing_required_parameter", "Missing required parameter: 'model'.");
  }
  if (typeof body.model !== "string" || body.model.trim() === "") {
    refuse(
      "model",
      "invalid_value",
      "you must provide a model parameter: 'model' must be a non-empty string.",
    );
  }
  validateNumbers(body);
  validateStream(body);
  validateMessages(body.messages, accepts);
  validateTools(body);
  validateFormat(body);
  return chatRequestSchema.parse(body);
}

function validateNumbers(body: Record<string, unknown>): void {
  inRange(body, "temperature", 0, 2);
  inRange(body, "top_p", 0, 1);
  inRange(body, "frequency_penalty", -2, 2);
  inRange(body, "presence_penalty", -2, 2);
  positiveInteger(body, "max_tokens");
  positiveInteger(body, "max_completion_tokens");
  if (isGiven(body.max_tokens) && isGiven(body.max_completion_tokens)) {
    refuse(
      "max_tokens",
      "invalid_parameter_combination",
      "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
    );
  }
  if (isGiven(body.n) && body.n !== 1) refuse("n", "unsupported_value", "Only n = 1 is supported.");
}

/** As servers that compile the schema to a grammar, which constrains either the answer or calls. */
function validateFormat({ response_format: format, tools }: Record<string, unknown>): void {
  if (!isGiven(format)) return;
  const { type, json_schema: wrapped } = isRecord(format) ? format : {};
  if (type === "text" || type === "json_object") return;
  if (type !== "json_schema" || !isRecord(wrapped) || !isRecord(wrapped.schema))
    refuse(
      "response_format",
      "invalid_value",
      "'response_format' must be {type: 'json_schema', json_schema: {name, schema}}.",
    );
  if (typeof wrapped.name !== "string" || !/^[\w-]{1,64}$/.test(wrapped.name))
    refuse(
      "response_format.json_schema.name",
      "invalid_value",
      "Missing required parameter: 'response_format.json_schema.name'.",
    );
  if (tools !== undefined)
    refuse(
      "response_format",
      "invalid_parameter_combination",
      "Cannot use a response format together with tools.",
    );
}

function validateStream(body: Record<string, unknown>): void {
  if (isGiven(body.stream) && typeof body.stream !== "boolean") {
    refuse("stream", "invalid_type", "Invalid type for 'stream': expected a boolean.");
  }
  const options = body.stream_options;
  if (!isGiven(options)) return;
  if (body.stream !== true) {
    refuse(
      "stream_options",
      "invalid_parameter_combination",
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    );
  }
  if (!isRecord(options)) refuse("stream_options", "invalid_type", "'stream_options' must be an object.");
  for (const [name, value] of Object.entries(options)) {
    if (name !== "include_usage" && name !== "include_obfuscation") {
      refuse(`stream_options.${name}`, "unknown_parameter", `Unknown parameter: 'stream_options.${name}'.`);
    }
    if (typeof value !== "boolean") {
      refuse(`stream_options.${name}`, "invalid_type", `'stream_options.${name}' must be a boolean.`);
    }
  }
}
