/** Under a policy, the whole agent: where it sends requests, what a session may choose, what a task may cost, what leaves. */
import { afterEach, describe, expect, it } from "vitest";
import { type AdminPolicy, PolicyError } from "../../../../src/core/policy/admin-policy.ts";
import { managedEditorModels } from "../../../../src/core/provider/connect/managed-requests.ts";
import { LEVEL_ACCESS } from "../../../../src/shared/permission/levels.ts";
import { translator } from "../../../../src/shared/words/task-words.ts";
import type { ScriptPart } from "../../../model-server/server.ts";
import { type Agent, type AgentOptions, startAgent } from "../../../support/agent.ts";

const BY = "Example IT";
const agents: Agent[] = [];

afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
});

const answered = (...parts: ScriptPart[]) => ({
  scope: "server" as const,
  turns: [{ times: true as const, answer: parts }],
});
const DONE: ScriptPart = { tool: "attempt_completion", params: { result: "Done." } };
const WRITE: ScriptPart = { tool: "write_to_file", params: { path: "cat.txt", content: "meow\n" } };

async function start(policy: Partial<AdminPolicy>, options: Partial<AgentOptions> = {}): Promise<Agent> {
  const managed = { managedBy: BY, file: "/etc/policy", ...policy };
  const agent = await startAgent({ script: answered(DONE), policy: managed, ...options });
  agents.push(agent);
  return agent;
}

const errors = (agent: Agent) => agent.rows().flatMap((row) => (row.kind === "error" ? [row.error] : []));

describe("requests to models", () => {
  it("go to an allowed endpoint and model", async () => {
    const agent = await start({
      endpoints: ["http://127.0.0.1:*", "http://localhost:*"],
      models: ["script*"],
    });
    await agent.view.send("hello");
    await agent.view.active.idle;
    expect(errors(agent)).toEqual([]);
    expect(agent.server.requests.length).toBeGreaterThan(0);
  });

  it.each([
    ["endpoint", { endpoints: ["https://models.example.com"] }, "managed-endpoint"],
    ["model", { models: ["corp/*"] }, "managed-model"],
  ])("do not go to another %s", async (_what, policy, code) => {
    const agent = await start(policy);
    await agent.view.send("hello");
    await agent.view.active.idle;
    expect(errors(agent)).toMatchObject([{ code, detail: BY }]);
    expect(agent.server.requests.filter(({ path }) => path.includes("completions"))).toEqual([]);
  });

  it("go to the editor's own models only where the policy names them", async () => {
    const models = {
      list: async () => [{ id: "a", name: "A", vendor: "v", maxInputTokens: 1 }],
      async *send() {
        yield { type: "text" as const, text: "meow" };
      },
      onChange: () => ({ dispose: () => undefined }),
    };
    const ask = async (policy: Pick<AdminPolicy, "endpoints" | "models">) => {
      const managed = managedEditorModels({ managedBy: BY, ...policy }, models);
      const texts: unknown[] = [];
      for await (const part of managed.send("a", { messages: [], tools: [] }, new AbortController().signal))
        texts.push(part);
      return [texts.length, (await managed.list()).length];
    };
    expect(await ask({ endpoints: ["vscode"], models: ["a"] })).toEqual([1, 1]);
    await expect(ask({ endpoints: ["https://a.example"] })).rejects.toMatchObject({
      view: { code: "managed-endpoint" },
    });
    await expect(ask({ models: ["b"] })).rejects.toMatchObject({ view: { code: "managed-model" } });
  });
});

it("a session cannot choose more than the ceiling, and neither can the settings", async () => {
  const agent = await start(
    { permissions: { highest: "ask" } },
    { script: answered(WRITE), approval: { edit: true } },
  );
  await agent.view.active.changePermission({
    classes: LEVEL_ACCESS.all,
    exceptions: { write_to_file: true },
  });
  expect(agent.view.active.access).toEqual(LEVEL_ACCESS.ask);
  // The panel shows these, and a later host reads them.
  expect(agent.view.active.chatView.permission.classes).toEqual(LEVEL_ACCESS.ask);
  await agent.view.send("write");
  const id = await agent.asked();
  expect(agent.calls().find(({ id: call }) => call === id)).toMatchObject({
    approval: { reason: { code: "managed-asks", values: [BY] } },
  });
  agent.view.active.reject(id);
  await agent.view.stop();
  expect(agent.files.has("/project/cat.txt")).toBe(false);
});

it("a task ends at the managed cost, and continuing does not help", async () => {
  const agent = await start(
    { limits: { costPerTask: 1 } },
    {
      script: { scope: "server", turns: [{ times: true, answer: [DONE], usage: { cost: 2 } }] },
    },
  );
  await agent.view.send("one");
  await agent.view.active.idle;
  const sent = agent.server.requests.length;
  await agent.view.send("two");
  await agent.view.active.idle;
  await agent.view.active.retry();
  await agent.view.active.idle;
  expect(agent.server.requests.length).toBe(sent);
  expect(agent.events).toContainEqual(
    expect.objectContaining({ type: "notice", code: "managed-cost-limit", values: ["2.00", BY] }),
  );
});

it("a task whose own limit the user continued past ends at the managed cost all the same", async () => {
  const agent = await start(
    { limits: { costPerTask: 3 } },
    {
      script: { scope: "server", turns: [{ times: true, answer: [DONE], usage: { cost: 2 } }] },
      approval: { maxCost: 1 },
    },
  );
  const codes = () => agent.events.flatMap((event) => (event.type === "notice" ? [event.code] : []));
  await agent.view.send("one");
  await agent.view.active.idle;
  await agent.view.send("two");
  await agent.view.active.idle;
  expect(codes()).toContain("cost-limit");
  await agent.view.active.retry();
  await agent.view.active.idle;
  const sent = agent.server.requests.length;
  await agent.view.send("three");
  await agent.view.active.idle;
  await agent.view.active.retry();
  await agent.view.active.idle;
  expect([agent.server.requests.length, codes().at(-1)]).toEqual([sent, "managed-cost-limit"]);
});

it("sessions are not exported where the policy forbids it", async () => {
  const agent = await start({ export: "off" });
  await agent.view.send("hello");
  await agent.view.active.idle;
  const exporting = agent.project.library.export(agent.view.active.id, "md", translator({}));
  await expect(exporting).rejects.toThrow(PolicyError);
  await expect(exporting).rejects.toMatchObject({ fault: { code: "export-off", managedBy: BY } });
});
