/** Whatever a history contains, each API makes a request of it that its strictest endpoint accepts. */
import { describe, expect, it } from "vitest";
import { anthropicBody } from "../../../../src/core/provider/anthropic/anthropic-body.ts";
import type { Quirk } from "../../../../src/core/provider/api.ts";
import { toWire } from "../../../../src/core/provider/chat/wire.ts";
import type { ModelRequest, NativeTool } from "../../../../src/core/provider/provider.ts";
import { responsesBody } from "../../../../src/core/provider/responses/responses.ts";
import { NO_REASONING_BACK } from "../../../../src/core/provider/responses/responses-quirks.ts";
import { systemClock } from "../../../../src/node/clock.ts";
import { defaultSettings } from "../../../../src/shared/settings.ts";
import { IssuedThinking } from "../../../model-server/anthropic/issued-thinking.ts";
import { validateAnthropicRequest } from "../../../model-server/anthropic/validate-request.ts";
import { validateChatRequest } from "../../../model-server/chat/validate.ts";
import { IssuedReasoning } from "../../../model-server/responses/issued-reasoning.ts";
import { validateResponsesRequest } from "../../../model-server/responses/validate-request.ts";
import { anyHistory, type HistoryOptions } from "../../../support/any-history.ts";
import { modelAt } from "../../../support/connections.ts";
import { fc } from "../../../support/property.ts";
import { rounds } from "../../../support/random.ts";

const RUNS = rounds(60, 1_500);
const recipient = modelAt("http://127.0.0.1:1/v1", "claude-test");
const tools: NativeTool[] = [
  { name: "read_file", description: "Reads.", parameters: { type: "object", properties: {} } },
];
type Effort = (typeof EFFORTS)[number];
const EFFORTS = ["default", "none", "low", "high"] as const;
const requests = (options: Partial<HistoryOptions>) =>
  fc.record({
    messages: anyHistory({ recipient, ...options }),
    protocol: fc.constantFrom("native" as const, "xml" as const),
    system: fc.constantFrom("You are a cat.", "", "half \ud83d"),
    effort: fc.constantFrom(...EFFORTS),
  });

/** What arrives at an endpoint. */
function sent(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body));
}

describe("Messages", () => {
  const issued = new IssuedThinking();
  const thinking = (text: string) => ({
    ...{ type: "thinking", thinking: text, signature: issued.signature(recipient.model, text) },
  });

  function body(
    { effort, ...request }: Omit<ModelRequest, "tools"> & { effort: Effort },
    model = recipient.model,
  ) {
    const provider = { ...defaultSettings.provider, reasoningEffort: effort };
    const endpoint = { ...recipient, model, provider, apiKey: "k", clock: systemClock };
    return anthropicBody(endpoint, { ...request, tools }, new Set());
  }

  it.each(["claude-test", "claude-sonnet-4-5", "claude-opus-4-6", "claude-opus-5", "glm-4.7"])(
    "%s",
    (model) => {
      const own = { ...recipient, model };
      const signed = (text: string) => ({ ...thinking(text), signature: issued.signature(model, text) });
      let returned = 0;
      fc.assert(
        fc.property(requests({ recipient: own, signed }), (request) => {
          const made = sent(body(request, model));
          if (JSON.stringify(made).includes('"signature"')) returned += 1;
          validateAnthropicRequest(made, {
            headers: {},
            script: { accepts: [], models: undefined, thinkingForm: undefined },
            issued,
          });
        }),
        { numRuns: RUNS, seed: 13 },
      );
      expect(returned).toBeGreaterThan(RUNS / 30);
    },
  );
});

describe("Responses", () => {
  const issued = new IssuedReasoning();
  const signed = (text: string) => {
    const { id, encrypted } = issued.issue(recipient.model);
    const summary = [{ type: "summary_text", text }];
    return { type: "reasoning", id, summary, encrypted_content: encrypted, status: "completed" };
  };

  it("in at most two tries: without reasoning that another key encrypted", () => {
    let [returned, refused] = [0, 0];
    fc.assert(
      fc.property(requests({ signed }), ({ effort, ...request }) => {
        const provider = { ...defaultSettings.provider, reasoningEffort: effort };
        const endpoint = { ...recipient, provider, apiKey: "k", clock: systemClock };
        const made = (quirks = new Set<Quirk>()) =>
          sent(responsesBody(endpoint, { ...request, tools }, quirks));
        if (JSON.stringify(made()).includes("encrypted_content")) returned += 1;
        try {
          validateResponsesRequest(made(), [], issued);
        } catch (error) {
          const words = error instanceof Error ? error.message : "";
          expect(words).toMatch(NO_REASONING_BACK.words);
          refused += 1;
          validateResponsesRequest(made(new Set([NO_REASONING_BACK])), [], issued);
        }
      }),
      { numRuns: RUNS, seed: 13 },
    );
    expect(returned).toBeGreaterThan(RUNS / 30);
    expect(refused).toBeLessThan(returned);
  });
});

it("chat completions", () => {
  fc.assert(
    fc.property(requests({}), (request) => {
      const messages = toWire({ ...request, system: "You are a cat.", tools }, recipient);
      const offered =
        request.protocol === "native"
          ? { tools: tools.map((tool) => ({ type: "function", function: tool })) }
          : {};
      validateChatRequest(sent({ model: "m", messages, ...offered }));
    }),
    { numRuns: RUNS, seed: 13 },
  );
});
