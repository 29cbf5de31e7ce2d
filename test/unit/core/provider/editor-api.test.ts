/** The editor's own models: their requests, answers and errors, and sessions that they share with endpoints. */
import { afterEach, describe, expect, it } from "vitest";
import { ProviderError } from "../../../../src/core/errors.ts";
import type { EditorPart } from "../../../../src/core/ports/editor-models.ts";
import { EDITOR_CONNECTION } from "../../../../src/shared/models/connection.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { memoryEditorModels } from "../../../support/memory-editor-models.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const files = { "a.txt": "吾輩は猫である。\n" };
const call: EditorPart = { type: "call", id: "c1", name: "read_file", input: { path: "a.txt" } };
const script = {
  turns: [
    {
      match: { request: 1 },
      answer: [{ reasoning: "A file." }, { nativeTool: { name: "read_file", params: { path: "a.txt" } } }],
    },
    { times: true as const, answer: [{ text: "endpoint" }] },
  ],
};

async function start(
  model: string,
  answers: readonly (readonly EditorPart[])[],
  protocol: "native" | "xml" = "native",
) {
  let at = 0;
  const models = memoryEditorModels(() => answers[at++] ?? [{ type: "text", text: "editor" }]);
  agent = await startAgent({ script, protocol, files });
  agent.host.editorModels = models;
  agent.settings.provider.model = model;
  return models;
}

async function say(text: string): Promise<unknown> {
  await agent.view.send(text);
  return (await agent.view.active.idle)?.type;
}

describe("a model of the editor", () => {
  it("is listed with its window and its vendor", async () => {
    await start("vscode/gpt-x", []);
    const { signal } = new AbortController();
    expect(await agent.project.models.list(EDITOR_CONNECTION, signal)).toMatchObject([
      { name: "vscode/gpt-x", title: "GPT-X (copilot)", facts: { window: { value: 64_000 } } },
    ]);
  });

  it.each(["native", "xml"] as const)("works with tools under %s", async (protocol) => {
    const xml: EditorPart = { type: "text", text: "<read_file>\n<path>a.txt</path>\n</read_file>" };
    const models = await start("vscode/gpt-x", [[protocol === "native" ? call : xml]], protocol);
    expect(await say("read it")).toBe("replied");
    expect(agent.rows().at(-1)).toMatchObject({ kind: "text", text: "editor" });
    const [first, second] = models.requests;
    expect(first?.tools.length === 0).toBe(protocol === "xml");
    expect(JSON.stringify(first?.messages[0]?.parts[0])).toContain("You are Nekode");
    expect(JSON.stringify(second?.messages)).toContain("吾輩は猫である");
    expect(agent.view.active.chatView.totals.contextEstimated).toBe(true);
  });

  it("continues what an endpoint began, with a call of it, and the other way round", async () => {
    const models = await start("scripted", [[call], [{ type: "text", text: "read" }]]);
    expect(await say("read it")).toBe("replied");
    agent.settings.provider.model = "vscode/gpt-x";
    expect(await say("again")).toBe("replied");
    const sent = JSON.stringify(models.requests.at(-1)?.messages);
    expect(sent).toContain('"type":"result"');
    agent.settings.provider.model = "scripted";
    expect(await say("and once more")).toBe("replied");
    const chat = agent.server.chat(agent.server.requests.length);
    expect(JSON.stringify(chat.messages)).toContain("c1");
  });

  it("an image is described in words", async () => {
    const models = await start("vscode/gpt-x", []);
    const data = Buffer.alloc(200, 7).toString("base64");
    await agent.view.send("look", [{ mimeType: "image/png", data }]);
    await agent.view.active.idle;
    expect(JSON.stringify(models.requests[0])).toContain("An image was here");
  });

  it("that the user does not allow says so, and Retry asks again", async () => {
    let refuse = true;
    agent = await startAgent({ script, protocol: "native", files });
    agent.host.editorModels = memoryEditorModels(() => {
      if (refuse) throw new ProviderError({ code: "no-consent", subject: "gpt-x" });
      return [{ type: "text", text: "editor" }];
    });
    agent.settings.provider.model = "vscode/gpt-x";
    expect(await say("hello")).toBe("failed");
    expect(agent.rows().at(-1)).toMatchObject({ kind: "error", error: { code: "no-consent" } });
    refuse = false;
    await agent.view.active.retry();
    expect((await agent.view.active.idle)?.type).toBe("replied");
  });

  it("in a host without an editor is a clear error", async () => {
    agent = await startAgent({ script, protocol: "native", files });
    agent.settings.provider.model = "vscode/gpt-x";
    expect(await say("hello")).toBe("failed");
    expect(agent.rows().at(-1)).toMatchObject({ error: { code: "no-editor-models" } });
  });
});
