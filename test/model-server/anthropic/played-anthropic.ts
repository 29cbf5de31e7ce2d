/** The Messages API of Anthropic as the server plays it. */
import type { IncomingHttpHeaders } from "node:http";
import { ApiError, refuse } from "../api-error.ts";
import type { PlainMessage } from "../conversation.ts";
import type { PlayedApi } from "../played-api.ts";
import type { ModelEntry } from "../script.ts";
import { AnthropicWriter } from "./anthropic-writer.ts";
import { IssuedThinking } from "./issued-thinking.ts";
import { validateAnthropicRequest } from "./validate-request.ts";
import { type AnthropicBlock, type AnthropicRequest, anthropicPieces, resultTexts } from "./wire.ts";

const ERRORS: Readonly<Record<number, [type: string, message: string]>> = {
  400: ["invalid_request_error", "invalid request"],
  401: ["authentication_error", "invalid x-api-key"],
  403: ["permission_error", "Your API key does not have permission to use the specified resource."],
  404: ["not_found_error", "Not found"],
  413: ["request_too_large", "Request exceeds the maximum size"],
  429: [
    "rate_limit_error",
    "This request would exceed your organization's rate limit. Please try again later.",
  ],
  500: ["api_error", "Internal server error"],
  529: ["overloaded_error", "Overloaded"],
};

/** Returns an API that knows what it signed itself. */
export function createPlayedAnthropic(): PlayedApi {
  const issued = new IssuedThinking();
  return {
    path: "/v1/messages",
    tooLong: "anthropic",
    interleaves: false,
    authorize,
    read(body, headers, script) {
      if (headers["anthropic-version"] !== "2023-06-01") {
        refuse(null, "invalid_request_error", "anthropic-version: header is required");
      }
      const request = validateAnthropicRequest(body, { headers, script, issued });
      return {
        dialogue: {
          model: request.model,
          stream: request.stream === true,
          tools: request.tools?.map(({ name }) => name),
          system: (request.system ?? []).map(({ text }) => text ?? ""),
          messages: request.messages.flatMap(plain),
        },
        ...anthropicPieces(request),
        writer: (answer) => new AnthropicWriter(request, answer, issued),
      };
    },
    isMeant: (headers) => headers["anthropic-version"] !== undefined,
    modelList,
    errorBody({ status, message, details }) {
      const known = ERRORS[status]?.[0] ?? "api_error";
      // The types of other APIs' errors are not this one's.
      const type = details.type?.endsWith("_error") ? details.type : known;
      return { type: "error", error: { type, message }, request_id: "req_scripted" };
    },
    statusError(status) {
      const [type, message] = ERRORS[status] ?? ["api_error", `Scripted error ${status}.`];
      return { message, type, code: null };
    },
  };
}

function authorize(headers: IncomingHttpHeaders, apiKey: string): void {
  if (headers["x-api-key"] === apiKey) return;
  throw new ApiError(401, "invalid x-api-key", { type: "authentication_error" });
}

/** Results are messages of their own, as in other APIs. */
function plain({ role, content }: AnthropicRequest["messages"][number]): PlainMessage[] {
  const texts = content.flatMap(({ type, text }) => (type === "text" ? [text ?? ""] : []));
  if (role === "assistant") {
    const calls = content.filter(({ type }) => type === "tool_use").map(callOf);
    return [{ role, texts, calls }];
  }
  const results = content.flatMap((block): PlainMessage[] =>
    block.type === "tool_result"
      ? [{ role: "tool", texts: resultTexts(block), callId: block.tool_use_id ?? "" }]
      : [],
  );
  return results.length === content.length ? results : [...results, { role, texts }];
}

function callOf({ id = "", name = "", input = {} }: AnthropicBlock): {
  id: string;
  name: string;
  params: unknown;
} {
  return { id, name, params: input };
}

function modelList(models: readonly ModelEntry[]): unknown {
  const data = models.map((entry) => ({
    type: "model",
    created_at: "2025-01-01T00:00:00Z",
    ...(typeof entry === "string" ? { id: entry, display_name: entry } : entry),
  }));
  return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
}
