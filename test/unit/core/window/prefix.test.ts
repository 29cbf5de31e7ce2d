/** What counts as a break of the prefix, and its cause. */
import { expect, it } from "vitest";
import { ModelProfiles } from "../../../../src/core/provider/model-profile.ts";
import { PrefixMonitor, type SentPrompt } from "../../../../src/core/window/prefix.ts";
import { messageTokens } from "../../../../src/core/window/request-messages.ts";
import type { RequestFrame } from "../../../../src/core/window/sizer.ts";
import type { Message } from "../../../../src/shared/message.ts";
import { modelAt } from "../../../support/connections.ts";

const profile = new ModelProfiles().of(modelAt("", "m"));
const frame: RequestFrame = { system: "Be brief.", tools: [], protocol: "native", profile };
const plan = {
  quirks: new Set<never>(),
  withImages: true,
  maxImages: Number.POSITIVE_INFINITY,
  withheld: new Set<string>(),
};
const toolSet = {};

const user = (id: string, text: string): Message => ({
  ...{ id, role: "user", createdAt: "2026-01-01T00:00:00Z", blocks: [{ type: "text", text }] },
});
const messages = [user("a", "First."), user("b", "Second, a little longer."), user("c", "Third.")];
const changed = [...messages.slice(0, 1), user("b", "[Left out.]"), ...messages.slice(2)];
const sent = (more: Partial<SentPrompt> = {}): SentPrompt => ({
  ...{ frame, plan, messages, toolSet, windowSteps: 0 },
  ...more,
});

function compared(next: SentPrompt) {
  const monitor = new PrefixMonitor();
  monitor.answered(sent());
  return monitor.compare(next);
}

it("is none at first, nor where a request continues the one before, with the same messages or copies of them", () => {
  expect(new PrefixMonitor().compare(sent())).toBeUndefined();
  expect(compared(sent({ messages: [...messages, user("d", "Fourth.")] }))).toBeUndefined();
  expect(compared(sent({ messages: structuredClone(messages) }))).toBeUndefined();
});

it("is a message that changed, with the tokens from there on", () => {
  const tokens = messages.slice(1).reduce((sum, message) => sum + messageTokens(message), 0);
  expect(compared(sent({ messages: changed }))).toEqual({ cause: "unknown", tokens });
  expect(compared(sent({ messages: messages.slice(0, 1) }))).toEqual({ cause: "unknown", tokens });
  expect(compared(sent({ messages: changed, windowSteps: 1 }))).toEqual({ cause: "window", tokens });
  const refused = { ...plan, withheld: new Set(["b"]) };
  expect(compared(sent({ messages: changed, plan: refused }))).toEqual({ cause: "refused", tokens });
});

it("is a change of what precedes the messages", () => {
  expect(compared(sent({ frame: { ...frame, system: "Be kind." } }))?.cause).toBe("instructions");
  expect(compared(sent({ frame: { ...frame, system: "Be kind." }, toolSet: {} }))?.cause).toBe("tools");
  expect(compared(sent({ frame: { ...frame, protocol: "xml" } }))?.cause).toBe("protocol");
});
