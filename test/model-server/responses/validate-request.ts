/** Validates a Responses request. Throws an ApiError that names the error and its place. */
import { z } from "zod";
import { ApiError, isRecord, refuse } from "../api-error.ts";
import { inRange, isGiven, refuseLoneSurrogates } from "../fields.ts";
import { SchemaJudge } from "../schema-judge.ts";
import type { IssuedReasoning } from "./issued-reasoning.ts";
import { validateItems } from "./validate-items.ts";

const PARAMETERS = new Set(
  `background conversation include input instructions max_output_tokens max_tool_calls metadata model
  parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_retention reasoning safety_identifier
  service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p truncation user`.split(
    /\s+/,
  ),
);
const INCLUDABLE = ["reasoning.encrypted_content", "message.output_text.logprobs"];
const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh"];
const SUMMARIES = ["auto", "concise", "detailed"];
const LEAST_OUTPUT = 16;

/** The part of a request that answers depend on. Deliberately loose: it was validated before. */
const requestSchema = z.looseObject({
  model: z.string(),
  instructions: z.string().nullish(),
  input: z.union([z.string(), z.array(z.looseObject({}))]),
  include: z.array(z.string()).nullish(),
  reasoning: z.looseObject({ summary: z.string().nullish() }).nullish(),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
  stream: z.boolean().nullish(),
});
export type ResponsesRequest = z.infer<typeof requestSchema>;

/** `issued`: see `ItemContext`. */
export function validateResponsesRequest(
  body: unknown,
  accepts: readonly string[],
  issued: IssuedReasoning | undefined,
): ResponsesRequest {
  if (!isRecord(body)) refuse(null, "invalid_type", "The request body must be a JSON object.");
  refuseLoneSurrogates(body, "");
  for (const name of Object.keys(body)) {
    if (!PARAMETERS.has(name) && !accepts.includes(name))
      refuse(name, "unknown_parameter", `Unknown parameter: '${name}'.`);
  }
  const { model, previous_response_id: previous } = body;
  if (model === undefined || model === null)
    refuse("model", "missing_required_parameter", "Missing required parameter: 'model'.");
  if (typeof model !== "string" || model.trim() === "")
    refuse("model", "invalid_value", "Invalid 'model': expected a non-empty string.");
  if (isGiven(previous)) {
    const message = `Previous response with id '${String(previous)}' not found.`;
    throw new ApiError(404, message, { param: "previous_response_id", code: "previous_response_not_found" });
  }
  if (
    isGiven(body.instructions) &&
    (typeof body.instructions !== "string" || body.instructions.trim() === "")
  )
    refuse("instructions", "invalid_type", "Invalid 'instructions': expected a non-empty string.");
  for (const name of ["store", "stream", "background", "parallel_tool_calls"])
    if (isGiven(body[name]) && typeof body[name] !== "boolean")
      refuse(name, "invalid_type", `Invalid type for '${name}': expected a boolean.`);
  validateNumbers(body);
  validateInclude(body.include);
  validateReasoningField(body.reasoning);
  validateTools(body.tools);
  validateItems(body.input, { model, stores: body.store !== false, issued });
  return requestSchema.parse(body);
}

function validateNumbers(body: Record<string, unknown>): void {
  inRange(body, "temperature", 0, 2);
  inRange(body, "top_p", 0, 1);
  const most = body.max_output_tokens;
  if (!isGiven(most)) return;
  if (typeof most !== "number" || !Number.isInteger(most))
    refuse("max_output_tokens", "invalid_type", "Invalid type for 'max_output_tokens': expected an integer.");
  if (most < LEAST_OUTPUT) {
    refuse(
      "max_output_tokens",
      "integer_below_min_value",
      `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= ${LEAST_OUTPUT}, but got ${most} instead.`,
    );
  }
}

function validateInclude(include: unknown): void {
  if (!isGiven(include)) return;
  if (!Array.isArray(include))
    refuse("include", "invalid_type", "Invalid type for 'include': expected an array.");
  include.forEach((name: unknown, index) => {
    if (typeof name !== "string" || !INCLUDABLE.includes(name)) {
      refuse(
        `include[${index}]`,
        "invalid_value",
        `Invalid value: ${JSON.stringify(name)}. Supported values are: ${INCLUDABLE.join(", ")}.`,
      );
    }
  });
}

function validateReasoningField(reasoning: unknown): void {
  if (!isGiven(reasoning)) return;
  if (!isRecord(reasoning))
    refuse("reasoning", "invalid_type", "Invalid type for 'reasoning': expected an object.");
  for (const [name, value] of Object.entries(reasoning)) {
    const known = name === "effort" ? EFFORTS : name === "summary" ? SUMMARIES : undefined;
    if (!known) refuse(`reasoning.${name}`, "unknown_parameter", `Unknown parameter: 'reasoning.${name}'.`);
    if (isGiven(value) && !(typeof value === "string" && known.includes(value)))
      refuse(
        `reasoning.${name}`,
        "invalid_value",
        `Invalid value: ${JSON.stringify(value)} at 'reasoning.${name}'.`,
      );
  }
}

const TOOL_FIELDS = ["type", "name", "description", "parameters", "strict"];

function validateTools(tools: unknown): void {
  if (!isGiven(tools)) return;
  if (!Array.isArray(tools)) refuse("tools", "invalid_type", "Invalid type for 'tools': expected an array.");
  if (tools.length === 0) refuse("tools", "empty_array", "Invalid 'tools': empty array.");
  if (tools.length > 128)
    refuse("tools", "array_above_max_length", "Invalid 'tools': at most 128 tools are allowed.");
  const names = new Set<string>();
  tools.forEach((tool: unknown, index) => {
    const at = `tools[${index}]`;
    if (!isRecord(tool) || tool.type !== "function")
      refuse(`${at}.type`, "invalid_value", `Invalid value at '${at}.type': expected 'function'.`);
    for (const field of Object.keys(tool)) {
      if (!TOOL_FIELDS.includes(field))
        refuse(`${at}.${field}`, "unknown_parameter", `Unknown parameter: '${at}.${field}'.`);
    }
    const { name, description, parameters, strict } = tool;
    if (typeof name !== "string" || !/^[a-zA-Z0-9_-]{1,64}$/.test(name))
      refuse(`${at}.name`, "missing_required_parameter", `Missing or invalid parameter: '${at}.name'.`);
    if (names.has(name)) refuse(`${at}.name`, "duplicate_tool", `Tool names must be unique: '${name}'.`);
    names.add(name);
    if (isGiven(description) && typeof description !== "string")
      refuse(`${at}.description`, "invalid_type", `'${at}.description' must be a string.`);
    if (isGiven(strict) && typeof strict !== "boolean")
      refuse(`${at}.strict`, "invalid_type", `'${at}.strict' must be a boolean.`);
    const fault = (path: readonly (string | number)[], message: string): never =>
      refuse(
        `${at}.parameters`,
        "invalid_function_parameters",
        `Invalid schema for function '${name}': In context=(${path.join(", ")}), ${message}.`,
      );
    // Without a value, this API is strict.
    new SchemaJudge(fault, strict !== false).root(parameters);
  });
}
