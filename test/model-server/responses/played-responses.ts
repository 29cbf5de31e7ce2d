/** The Responses API as the server plays it. */
import { isRecord } from "../api-error.ts";
import { openAiEndpoint } from "../chat/played-chat.ts";
import type { PlainMessage } from "../conversation.ts";
import { LlamaCppResponsesWriter } from "../llama-cpp/responses-writer.ts";
import type { PlayedApi } from "../played-api.ts";
import { IssuedReasoning } from "./issued-reasoning.ts";
import { ResponsesWriter } from "./responses-writer.ts";
import { validateResponsesRequest } from "./validate-request.ts";

/** Returns an API that knows what it encrypted itself. */
export function createPlayedResponses(): PlayedApi {
  const issued = new IssuedReasoning();
  return {
    ...openAiEndpoint,
    path: "/v1/responses",
    interleaves: false,
    read(body, _headers, { accepts, llamaCpp }) {
      const request = validateResponsesRequest(body, accepts, llamaCpp ? undefined : issued);
      const { model, instructions, input, tools } = request;
      const items = typeof input === "string" ? [{ role: "user", content: input }] : input;
      return {
        dialogue: {
          model,
          stream: request.stream === true,
          tools: tools?.map(({ name }) => name),
          system: [instructions ?? ""],
          messages: messagesOf(items),
        },
        pieces: [
          JSON.stringify(tools ?? []),
          instructions ?? "",
          ...items.map((item) => JSON.stringify(item)),
        ],
        writer: (answer) =>
          llamaCpp
            ? new LlamaCppResponsesWriter(request, answer)
            : new ResponsesWriter(request, answer, issued),
      };
    },
  };
}

/** Adjacent items of an answer are one message. */
function messagesOf(items: readonly Record<string, unknown>[]): PlainMessage[] {
  const messages: PlainMessage[] = [];
  let texts: string[] | undefined;
  let calls: { id: string; name: string; params: unknown }[] = [];
  for (const item of items) {
    const { type, role, content, call_id: callId, output } = item;
    const isAnswer = type === "reasoning" || type === "function_call" || role === "assistant";
    if (!isAnswer) {
      texts = undefined;
      if (type === "function_call_output")
        messages.push({ role: "tool", callId: String(callId), texts: textsOf(output) });
      else if (role === "user") messages.push({ role: "user", texts: textsOf(content) });
      continue;
    }
    if (!texts) {
      texts = [];
      calls = [];
      messages.push({ role: "assistant", texts, calls });
    }
    if (role === "assistant") texts.push(...textsOf(content));
    if (type === "function_call") {
      const params: unknown = JSON.parse(String(item.arguments));
      calls.push({ id: String(callId), name: String(item.name), params });
    }
  }
  return messages;
}

function textsOf(content: unknown): string[] {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown) =>
    isRecord(part) && typeof part.text === "string" ? [part.text] : [],
  );
}
