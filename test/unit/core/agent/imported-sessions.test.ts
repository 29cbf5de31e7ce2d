/** An imported session is read, searched, and continued as a copy; nothing in it runs. */
import { randomUUID } from "node:crypto";
import { afterEach, expect, it } from "vitest";
import { claudeReader } from "../../../../src/core/sessions/import/claude-code.ts";
import { storedSession } from "../../../../src/core/sessions/import/stored-session.ts";
import { historyQuerySchema } from "../../../../src/shared/protocol.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { fixture, readAll } from "../sessions/import/support.ts";

const ID = "5b1f3f0e-0000-4000-8000-000000000001";

let agent: Agent;
afterEach(() => agent.close());

/** Starts an agent whose project has the fixture's session; returns the session's id here. */
async function withImported(): Promise<string> {
  agent = await startAgent({ script: { turns: [{ answer: [{ text: "Cats sleep." }], times: true }] } });
  const { store } = agent.project;
  const foreign = readAll(claudeReader(ID), fixture(`claude/${ID}.jsonl`));
  if (!foreign) throw new Error("there is no session");
  const options = {
    projectPath: "",
    newId: randomUUID,
    now: "2026-06-01T00:00:00.000Z",
    mask: (text: string) => text,
  };
  const { session, messages, patch } = storedSession(foreign, options);
  await store.import(session, messages, patch);
  return session.id;
}

/** The texts of the last request, by role. */
function sent(): string[] {
  const { body } = agent.server.requests.at(-1) ?? {};
  const { messages = [] } = body as { messages?: { role: string; content: unknown; tool_calls?: unknown }[] };
  return messages.map(
    ({ role, content, tool_calls }) => `${role}${tool_calls ? " calls" : ""}: ${JSON.stringify(content)}`,
  );
}

it("is opened with its rows, asks nothing and says how it continues", async () => {
  const id = await withImported();
  await agent.view.open(id);
  await agent.view.active.retry();
  expect(agent.server.requests).toEqual([]);
  const rows = agent.rows();
  expect(rows.filter((row) => row.kind === "call")).toMatchObject([
    { tool: "Claude Code: Read", subject: "/home/neko/app/neko.txt", state: "done" },
    { tool: "Claude Code: Bash", subject: "cat token.txt", state: "failed" },
  ]);
  expect(rows.at(-1)).toMatchObject({ kind: "notice", code: "imported", values: ["Claude Code"] });
});

it("continues as a copy, whose request has the summary and what follows it; the original stays as it was", async () => {
  const id = await withImported();
  const { store } = agent.project;
  const before = await store.load(id);
  await agent.view.open(id);
  await agent.view.send("And at night?");
  await agent.view.active.idle;
  const copy = agent.view.active.id;
  expect(copy).not.toBe(id);
  const request = sent().join("\n");
  expect(request).toContain("The user looked for a cat. It is in the box.");
  expect(request).toContain("And at night?");
  expect(request).not.toContain("I read the file first.");
  const after = await store.load(id);
  expect(after).toEqual(before);
  const continued = await store.load(copy);
  expect([continued?.origin, continued?.summary.forkOf?.id]).toEqual([undefined, id]);
  // It is a session like any other now.
  await agent.view.send("Thanks.");
  await agent.view.active.idle;
  expect(agent.view.active.id).toBe(copy);
});

it("gives the calls of the other product to the model as data, not as calls of its own", async () => {
  const id = await withImported();
  const { store } = agent.project;
  const whole = await store.load(id);
  const messages = (whole?.messages ?? []).slice(0, 5);
  const input = {
    projectPath: "",
    title: "T",
    mode: "act" as const,
    model: "",
    startedAt: "2026-05-01T10:00:00.000Z",
  };
  const origin = { product: "claude" as const, id: "other", updatedAt: "2026-05-01T10:00:00.000Z" };
  const renamed = messages.map((message) => ({ ...message, id: randomUUID() }));
  await store.import({ ...input, id: "short", origin }, renamed, {});
  await agent.view.open("short");
  await agent.view.send("And at night?");
  await agent.view.active.idle;
  const texts = sent();
  expect(texts.filter((text) => /^(?:assistant calls|tool)/.test(text))).toEqual([]);
  const results = texts.find((text) => text.includes("The cat is in the box")) ?? "";
  expect(results).toMatch(
    /^user: .*Claude Code called a tool of its own.*<data-(\w+)>\\nRead\\n.*neko\.txt.*<\/data-\1>/,
  );
});

it("is found by its messages and listed after the sessions that began here, with the date of its last change", async () => {
  const id = await withImported();
  await agent.view.send("Hello");
  await agent.view.active.idle;
  const { store } = agent.project;
  const { sessions } = await store.find(historyQuerySchema.parse({}));
  expect(sessions.map((session) => session.id)).toEqual([agent.view.active.id, id]);
  expect(sessions[1]).toMatchObject({
    updatedAt: "2026-05-01T10:00:15.000Z",
    origin: { product: "claude", id: ID },
  });
  let found = await store.find(historyQuerySchema.parse({ text: "eats fish" }));
  while (found.indexing) found = await store.find(historyQuerySchema.parse({ text: "eats fish" }));
  expect(found.sessions.map((session) => session.id)).toEqual([id]);
  await agent.view.open(id);
  await agent.view.newTask();
  expect((await store.list()).find((session) => session.id === id)?.updatedAt).toBe(
    "2026-05-01T10:00:15.000Z",
  );
  expect(await store.origins()).toEqual([
    { product: "claude", id: ID, updatedAt: "2026-05-01T10:00:15.000Z" },
  ]);
});
