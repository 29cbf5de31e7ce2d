/** Chat completions as the server plays them. */
import type { IncomingHttpHeaders } from "node:http";
import { ApiError } from "../api-error.ts";
import type { PlainMessage } from "../conversation.ts";
import { LlamaCppChatWriter } from "../llama-cpp/chat-writer.ts";
import type { PlayedApi, ReadRequest } from "../played-api.ts";
import type { ModelEntry, ParsedScript } from "../script.ts";
import { requireAlternatingRoles } from "./alternating-roles.ts";
import { ChatWriter } from "./chat-writer.ts";
import { ThoughtSignatures } from "./thought-signatures.ts";
import { validateChatRequest } from "./validate.ts";
import { type ChatMessage, messageText, promptPieces, textParts } from "./wire.ts";

const STATUS_WORDS: Record<number, [message: string, type: string, code: string | null]> = {
  401: ["Incorrect API key provided.", "invalid_request_error", "invalid_api_key"],
  403: ["You are not allowed to use this model.", "invalid_request_error", "permission_denied"],
  404: [
    "The model does not exist or you do not have access to it.",
    "invalid_request_error",
    "model_not_found",
  ],
  429: ["Rate limit reached. Please try again later.", "requests", "rate_limit_exceeded"],
  500: ["The server had an error while processing your request.", "server_error", null],
  503: ["The engine is currently overloaded, please try again later.", "server_error", "overloaded"],
};

/** What endpoints that speak as OpenAI's have in common, whatever is asked of them. */
export const openAiEndpoint: Omit<PlayedApi, "path" | "read"> = {
  tooLong: "openai",
  interleaves: true,
  authorize,
  modelList,
  errorBody: (error) => error.body,
  statusError(status) {
    const [message, type, code] = STATUS_WORDS[status] ?? [`Scripted error ${status}.`, "api_error", null];
    return { message, type, code };
  },
};

/** Returns an API that knows what it signed itself. */
export function createPlayedChat(): PlayedApi {
  const signatures = new ThoughtSignatures();
  return {
    ...openAiEndpoint,
    path: "/v1/chat/completions",
    read: (body, _headers, script) => readChat(body, script, signatures),
  };
}

function readChat(
  body: unknown,
  { accepts, thoughtSignatures, alternatingRoles, llamaCpp }: ParsedScript,
  signatures: ThoughtSignatures,
): ReadRequest {
  const accepted = [
    ...accepts,
    ...(thoughtSignatures ? ["extra_content"] : []),
    ...(llamaCpp ? ["reasoning_content"] : []),
  ];
  const chat = validateChatRequest(body, accepted);
  if (alternatingRoles) requireAlternatingRoles(chat.messages);
  if (thoughtSignatures) signatures.check(chat);
  return {
    chat,
    dialogue: {
      model: chat.model,
      stream: chat.stream === true,
      tools: chat.tools?.map((tool) => tool.function.name),
      system: chat.messages.filter(isSystem).map(messageText),
      messages: chat.messages.filter((message) => !isSystem(message)).map(plain),
    },
    pieces: promptPieces(chat),
    writer: (answer) =>
      llamaCpp
        ? new LlamaCppChatWriter(chat, answer)
        : new ChatWriter(chat, answer, thoughtSignatures ? signatures : undefined),
  };
}

function authorize(headers: IncomingHttpHeaders, apiKey: string): void {
  if (headers.authorization === `Bearer ${apiKey}`) return;
  throw new ApiError(401, "Incorrect API key provided.", { code: "invalid_api_key" });
}

function isSystem({ role }: ChatMessage): boolean {
  return role === "system" || role === "developer";
}

function plain(message: ChatMessage): PlainMessage {
  const texts = textParts(message);
  if (message.role === "tool") return { role: "tool", callId: message.tool_call_id ?? "", texts };
  if (message.role !== "assistant") return { role: "user", texts };
  const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: args } }) => {
    const params: unknown = JSON.parse(args);
    return { id, name, params };
  });
  return { role: "assistant", texts, calls };
}

function modelList(models: readonly ModelEntry[]): unknown {
  const data = models.map((entry) => ({
    object: "model",
    created: 1_700_000_000,
    owned_by: "nekode",
    ...(typeof entry === "string" ? { id: entry } : entry),
  }));
  return { object: "list", data };
}
