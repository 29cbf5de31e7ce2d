import type { IncomingHttpHeaders } from "node:http";
import { isRecord } from "../api-error.ts";
import { refuseLoneSurrogates } from "../fields.ts";
import { SchemaJudge } from "../schema-judge.ts";
import type { ParsedScript } from "../script.ts";
import type { IssuedThinking } from "./issued-thinking.ts";
import { Marks, onlyFields, reject, type Thinking } from "./rules.ts";
import { validateAnthropicMessages, validateText } from "./validate-conversation.ts";
import { type AnthropicRequest, anthropicRequestSchema } from "./wire.ts";

const PARAMETERS = new Set(
  `cache_control container context_management inference_geo max_tokens mcp_servers messages metadata model output_config
  service_tier stop_sequences stream system temperature thinking tool_choice tools top_k top_p`.split(/\s+/),
);

export interface Validation {
  headers: IncomingHttpHeaders;
  script: Pick<ParsedScript, "accepts" | "models" | "thinkingForm">;
  issued: IssuedThinking;
}

/**
 * Validates a parsed request body as the strictest of the endpoints would. Throws an ApiError (400) that names the error
 * and its place.
 */
export function validateAnthropicRequest(body: unknown, validation: Validation): AnthropicRequest {
  const { script, issued } = validation;
  if (!isRecord(body)) reject("The request body must be a JSON object.");
  refuseLoneSurrogates(body, "");
  for (const name of Object.keys(body)) {
    if (!PARAMETERS.has(name) && !script.accepts.includes(name))
      reject(`${name}: Extra inputs are not permitted`);
  }
  if (body.model === undefined) reject("model: Field required");
  if (typeof body.model !== "string" || body.model.trim() === "") {
    reject("model: String should have at least 1 character");
  }
  if (body.stream !== undefined && typeof body.stream !== "boolean")
    reject("stream: Input should be a valid boolean");
  validateMaxTokens(body, script);
  const thinking = validateThinking(body, validation);
  validateSampling(body, thinking);
  const marks = new Marks();
  validateTools(body.tools, marks);
  validateSystem(body.system, marks);
  validateAnthropicMessages(body.messages, {
    ...{ marks, issued, thinking, model: body.model },
    hasTools: body.tools !== undefined,
  });
  return anthropicRequestSchema.parse(body);
}

function validateMaxTokens(body: Record<string, unknown>, { models = [] }: Validation["script"]): void {
  const { max_tokens: tokens, model } = body;
  if (tokens === undefined) reject("max_tokens: Field required");
  if (typeof tokens !== "number" || !Number.isInteger(tokens))
    reject("max_tokens: Input should be a valid integer");
  if (tokens < 1) reject("max_tokens: Input should be greater than or equal to 1");
  const entry = models.find((each) => typeof each === "object" && each.id === model);
  const most = typeof entry === "object" ? entry.max_tokens : undefined;
  if (typeof most === "number" && tokens > most) {
    reject(
      `max_tokens: ${tokens} > ${most}, which is the maximum allowed number of output tokens for ${String(model)}`,
    );
  }
}

function validateThinking(body: Record<string, unknown>, { headers, script }: Validation): Thinking {
  const { thinking, output_config: config, max_tokens: most } = body;
  if (config !== undefined) validateEffort(config, script.thinkingForm);
  if (thinking === undefined) return undefined;
  if (!isRecord(thinking)) reject("thinking: Input should be a valid dictionary");
  if (thinking.type === "adaptive") {
    if (script.thinkingForm === "budget") reject("adaptive thinking is not supported on this model");
    onlyFields(thinking, ["type", "display"], "thinking.adaptive");
    if (
      thinking.display !== undefined &&
      thinking.display !== "summarized" &&
      thinking.display !== "omitted"
    ) {
      reject("thinking.adaptive.display: Input should be 'summarized' or 'omitted'");
    }
    return "adaptive";
  }
  if (thinking.type === "disabled") {
    onlyFields(thinking, ["type"], "thinking.disabled");
    return "disabled";
  }
  if (thinking.type !== "enabled") {
    reject(
      `thinking: Input tag '${String(thinking.type)}' found using 'type' does not match any of the expected tags: 'adaptive', 'disabled', 'enabled'`,
    );
  }
  if (script.thinkingForm === "adaptive") {
    reject(
      '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
    );
  }
  onlyFields(thinking, ["type", "budget_tokens", "display"], "thinking.enabled");
  const budget = thinking.budget_tokens;
  if (budget === undefined) reject("thinking.enabled.budget_tokens: Field required");
  if (typeof budget !== "number" || !Number.isInteger(budget) || budget < 1_024) {
    reject("thinking.enabled.budget_tokens: Input should be greater than or equal to 1024");
  }
  const interleaved = String(headers["anthropic-beta"] ?? "").includes("interleaved-thinking");
  if (typeof most === "number" && most <= budget && !interleaved) {
    reject("`max_tokens` must be greater than `thinking.budget_tokens`.");
  }
  return "enabled";
}

function validateEffort(config: unknown, form: Validation["script"]["thinkingForm"]): void {
  if (!isRecord(config)) reject("output_config: Input should be a valid dictionary");
  onlyFields(config, ["effort", "format"], "output_config");
  if (config.effort === undefined) return;
  if (form === "budget") reject("This model does not support the effort parameter.");
  if (!["low", "medium", "high", "xhigh", "max"].includes(String(config.effort))) {
    reject("output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'");
  }
}

function validateSampling(body: Record<string, unknown>, thinking: Thinking): void {
  const { temperature, top_p: topP } = body;
  for (const [name, value] of Object.entries({ temperature, top_p: topP })) {
    if (value === undefined) continue;
    if (typeof value !== "number" || value < 0 || value > 1) reject(`${name}: range: 0..1`);
  }
  if (temperature !== undefined && topP !== undefined) {
    reject("`temperature` and `top_p` cannot both be specified for this model. Please use only one.");
  }
  if (temperature !== undefined && temperature !== 1 && (thinking === "enabled" || thinking === "adaptive")) {
    reject("`temperature` may only be set to 1 when thinking is enabled or in adaptive mode.");
  }
}

function validateTools(tools: unknown, marks: Marks): void {
  if (tools === undefined) return;
  if (!Array.isArray(tools)) reject("tools: Input should be a valid list");
  const names = new Set<string>();
  tools.forEach((tool: unknown, index) => {
    const at = `tools.${index}`;
    if (!isRecord(tool)) reject(`${at}: Input should be a valid dictionary`);
    onlyFields(
      tool,
      ["type", "name", "description", "input_schema", "cache_control", "strict"],
      `${at}.custom`,
    );
    const { name, description, input_schema: schema } = tool;
    if (typeof name !== "string" || !/^[a-zA-Z0-9_-]{1,128}$/.test(name)) {
      reject(`${at}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
    }
    if (names.has(name)) reject("tools: Tool names must be unique.");
    names.add(name);
    if (description !== undefined && typeof description !== "string") {
      reject(`${at}.custom.description: Input should be a valid string`);
    }
    if (schema === undefined) reject(`${at}.custom.input_schema: Field required`);
    new SchemaJudge((path, message) =>
      reject(`${[`${at}.custom.input_schema`, ...path].join(".")}: JSON schema is invalid: ${message}`),
    ).root(schema);
    marks.take(tool, at);
  });
}

function validateSystem(system: unknown, marks: Marks): void {
  if (system === undefined || typeof system === "string") return;
  if (!Array.isArray(system)) reject("system: Input should be a valid list");
  system.forEach((block: unknown, index) => {
    const at = `system.${index}`;
    if (!isRecord(block) || block.type !== "text") reject(`${at}: Input should be a text block`);
    validateText(block, at, "system");
    marks.take(block, at);
  });
}
