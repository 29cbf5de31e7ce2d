/** Requests of others in the editor over Nekode's connections: their history, tools, quirks and errors. */
import { afterEach, describe, expect, it } from "vitest";
import { offeredAnswer } from "../../../../src/core/loop/offered-answers.ts";
import type { EditorPart, EditorRequest } from "../../../../src/core/ports/editor-models.ts";
import { ModelProfiles } from "../../../../src/core/provider/model-profile.ts";
import { systemClock } from "../../../../src/node/clock.ts";
import { settingsSchema } from "../../../../src/shared/settings.ts";
import { type ModelServer, type Script, startModelServer } from "../../../model-server/server.ts";
import { modelAt } from "../../../support/connections.ts";

let server: ModelServer;
afterEach(() => server.close());

const tools = [
  {
    name: "find",
    description: "Finds.",
    parameters: { type: "object", properties: { text: { type: "string" } } },
  },
];
const history: EditorRequest["messages"] = [
  { role: "user", parts: [{ type: "text", text: "Where is the cat?" }] },
  { role: "assistant", parts: [{ type: "call", id: "c1", name: "find", input: { text: "cat" } }] },
  {
    role: "user",
    parts: [
      { type: "result", id: "c1", text: "in a box" },
      { type: "text", text: "And now?" },
    ],
  },
];

async function ask(
  script: Script,
  {
    api = "chat",
    messages = history,
  }: { api?: "chat" | "responses" | "anthropic"; messages?: typeof history } = {},
) {
  server = await startModelServer({ script });
  const settings = settingsSchema.parse({});
  const deps = {
    settings: () => settings,
    apiKey: async () => "key",
    profiles: new ModelProfiles(),
    host: { clock: systemClock, newId: () => crypto.randomUUID() },
  };
  const parts: EditorPart[] = [];
  const { signal } = new AbortController();
  const choice = modelAt(server.url, "m", { api });
  await offeredAnswer(deps, choice, { messages, tools }, (part) => parts.push(part), signal);
  return parts;
}

describe("an answer for others in the editor", () => {
  it.each(["chat", "responses", "anthropic"] as const)("over %s has text and whole calls", async (api) => {
    const answer = [{ text: "猫を探す。" }, { nativeTool: { name: "find", params: { text: "猫" } } }];
    const parts = await ask({ turns: [{ answer }] }, { api });
    const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
    expect(text).toBe("猫を探す。");
    expect(parts.at(-1)).toMatchObject({ type: "call", name: "find", input: { text: "猫" } });
    expect(server.refusals).toEqual([]);
    expect(server.requests[0]?.text).toContain("in a box");
  });

  it("is asked for in the form that the endpoint requires", async () => {
    const refusal = {
      kind: "status" as const,
      status: 400,
      message: "Unknown parameter: stream_options",
      times: 1,
    };
    const parts = await ask({ turns: [{ fault: refusal, answer: [{ text: "fine" }] }] });
    expect(parts.map((part) => part.type === "text" && part.text).join("")).toBe("fine");
    expect(server.requests).toHaveLength(2);
  });

  it("goes through the connection's own proxy", async () => {
    server = await startModelServer({ script: { turns: [{ answer: [{ text: "fine" }] }] } });
    const asked: string[] = [];
    const fetchVia = (proxy: string) => {
      asked.push(proxy);
      return fetch;
    };
    const settings = settingsSchema.parse({});
    const deps = {
      settings: () => settings,
      apiKey: async () => "key",
      profiles: new ModelProfiles(),
      host: { clock: systemClock, newId: () => crypto.randomUUID(), fetchVia },
    };
    const choice = modelAt(server.url, "m", { proxy: "http://proxy.example:3128" });
    const { signal } = new AbortController();
    await offeredAnswer(deps, choice, { messages: history, tools }, () => {}, signal);
    expect([asked, server.requests.length]).toEqual([["http://proxy.example:3128"], 1]);
  });

  it("that fails says why, once", async () => {
    const fault = { kind: "status" as const, status: 401 };
    await expect(ask({ turns: [{ fault, answer: [] }] })).rejects.toMatchObject({
      view: { code: "bad-key" },
    });
    expect(server.requests).toHaveLength(1);
  });

  it("with arguments that are no JSON is an error, not a call", async () => {
    const answer = [{ nativeTool: { name: "find", arguments: '{"text": ' } }];
    await expect(ask({ turns: [{ answer }] })).rejects.toMatchObject({ view: { code: "bad-response" } });
  });
});
