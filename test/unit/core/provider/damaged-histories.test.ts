/** Histories that endpoints would refuse as they are, one damage each: every API makes a request of them that is accepted. */
import { describe, it } from "vitest";
import { anthropicBody } from "../../../../src/core/provider/anthropic/anthropic-body.ts";
import { toWire } from "../../../../src/core/provider/chat/wire.ts";
import type { NativeTool } from "../../../../src/core/provider/provider.ts";
import { responsesBody } from "../../../../src/core/provider/responses/responses.ts";
import { systemClock } from "../../../../src/node/clock.ts";
import type { Block, Message } from "../../../../src/shared/message.ts";
import { defaultSettings } from "../../../../src/shared/settings.ts";
import { IssuedThinking } from "../../../model-server/anthropic/issued-thinking.ts";
import { validateAnthropicRequest } from "../../../model-server/anthropic/validate-request.ts";
import { validateChatRequest } from "../../../model-server/chat/validate.ts";
import { IssuedReasoning } from "../../../model-server/responses/issued-reasoning.ts";
import { validateResponsesRequest } from "../../../model-server/responses/validate-request.ts";
import { modelAt } from "../../../support/connections.ts";

const recipient = modelAt("http://127.0.0.1:1/v1", "some-model");
const tools: NativeTool[] = [
  { name: "read_file", description: "Reads.", parameters: { type: "object", properties: {} } },
];

let count = 0;
const message = (role: Message["role"], ...blocks: Block[]): Message => ({
  ...{ id: `m${count++}`, role, createdAt: "2026-01-01T00:00:00Z", blocks },
});
const user = (text: string) => message("user", { type: "text", text });
const call = (id: string, name = "read_file"): Block => ({
  ...{ type: "tool-call", id, name, params: { path: "a.txt" } },
});
const result = (callId: string, text: string): Message =>
  message("tool", {
    ...{ type: "tool-result", callId, name: "read_file", label: "read_file", outcome: "done" },
    parts: [{ type: "text", text }],
  });

const HISTORIES: Record<string, Message[]> = {
  "a call without a result": [user("Read."), message("assistant", call("c1")), user("Go on.")],
  "one of two calls without a result": [
    ...[user("Read."), message("assistant", call("c1"), call("c2")), result("c2", "A"), user("Go on.")],
  ],
  "two calls of one id": [
    ...[user("Read."), message("assistant", call("c1")), result("c1", "A")],
    ...[message("assistant", call("c1")), result("c1", "B")],
  ],
  "an empty result": [user("Read."), message("assistant", call("c1")), result("c1", "")],
  "a result of white space": [user("Read."), message("assistant", call("c1")), result("c1", " \n")],
  "the first half of a surrogate pair": [user("cat \ud83d"), message("assistant", call("c1"))],
  "the second half of a surrogate pair": [user("\udc31 cat"), message("assistant", call("c1"))],
  "a name with spaces": [user("Read."), message("assistant", call("c1", "read the file"))],
  "a name of 200 characters": [user("Read."), message("assistant", call("c1", "read_".repeat(40)))],
  "no name": [user("Read."), message("assistant", call("c1", ""))],
  "an empty answer": [user("Read."), message("assistant"), user("Read!")],
  "no beginning": [message("assistant", call("c1")), result("c1", "A"), user("Go on.")],
  "nothing at all": [],
};

/** What arrives at an endpoint, whose validators throw what it would refuse. */
function sent(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body));
}

describe.each(Object.entries(HISTORIES))("%s", (_, messages) => {
  const provider = { ...defaultSettings.provider, reasoningEffort: "none" as const };
  const endpoint = { ...recipient, provider, apiKey: "k", clock: systemClock };

  it.each(["native", "xml"] as const)("is mended for each API under %s", (protocol) => {
    const request = { system: "You are a cat.", messages, protocol, tools };
    const offered =
      protocol === "native" ? { tools: tools.map((tool) => ({ type: "function", function: tool })) } : {};
    validateChatRequest(sent({ model: "m", messages: toWire(request, recipient), ...offered }));
    validateResponsesRequest(sent(responsesBody(endpoint, request, new Set())), [], new IssuedReasoning());
    validateAnthropicRequest(sent(anthropicBody(endpoint, request, new Set())), {
      ...{ headers: {}, script: { accepts: [], models: undefined, thinkingForm: undefined } },
      issued: new IssuedThinking(),
    });
  });
});
