/** Two sessions that run at once over one store: nothing of one is in the other, and each event says whose it is. */
import { afterEach, expect, it } from "vitest";
import { Session, type SessionDeps } from "../../../../src/core/agent/session.ts";
import { KeyMask } from "../../../../src/core/key-mask.ts";
import { ModelProfiles } from "../../../../src/core/provider/model-profile.ts";
import { openSessionStore } from "../../../../src/core/sessions/open-store.ts";
import type { SessionStore } from "../../../../src/core/sessions/session-store.ts";
import { ToolRegistry } from "../../../../src/core/tools/registry.ts";
import type { TaskEvent } from "../../../../src/shared/event.ts";
import { applyEvent, emptyView, rowsOf } from "../../../../src/shared/view/reducer.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";

let agent: Agent;
let store: SessionStore;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await store.close();
  await agent.close();
});

const done = { tool: "attempt_completion", params: { result: "Done." } };
const write = (path: string) => ({ tool: "write_to_file", params: { path, content: `of ${path}\n` } });

it("two sessions wait, run and end by themselves, and each view is made of its own events", async () => {
  agent = await startAgent({
    script: {
      turns: [
        { match: { firstUser: "first", request: 1 }, answer: [{ text: "One." }, write("one.txt")] },
        { match: { firstUser: "second", request: 1 }, answer: [{ text: "Two." }, write("two.txt")] },
        { answer: [done], times: 2 },
      ],
    },
  });
  const { host, storage, settings } = agent;
  store = await openSessionStore(storage, host.assets, host.clock, host.log);
  const parts: SessionDeps = {
    ...{ host, store, registry: new ToolRegistry(), keys: new KeyMask(), profiles: new ModelProfiles() },
    settings: () => settings,
    apiKey: async () => "key",
    handOver: async () => {},
  };
  const events: TaskEvent[] = [];
  const begin = async (text: string) => {
    const session = new Session(parts, { id: host.newId(), mode: "act" });
    const asked = new Promise<string>((resolve) => {
      session.onEvent((event) => {
        events.push(event);
        if (event.type === "approval") resolve(event.callId);
      });
    });
    await session.send(text, []);
    return { session, callId: await asked };
  };
  const first = await begin("the first task");
  const second = await begin("the second task");
  // Both wait at once; an answer to one is no answer to the other.
  expect([first.session.view.status, second.session.view.status]).toEqual(["approval", "approval"]);
  expect(second.session.approvals.decide(first.callId, { approved: true, comment: undefined })).toBe(false);
  expect(second.session.approvals.decide(second.callId, { approved: true, comment: undefined })).toBe(true);
  expect(await second.session.idle).toEqual({ type: "completed" });
  expect(agent.files.has("/project/one.txt")).toBe(false);
  expect(agent.files.get("/project/two.txt")).toBe("of two.txt\n");
  expect(first.session.view.status).toBe("approval");
  await first.session.stop();
  expect(agent.files.has("/project/one.txt")).toBe(false);

  for (const { session } of [first, second]) {
    const own = events.filter((event) => event.session === session.id);
    expect(own.reduce(applyEvent, emptyView)).toEqual(session.view);
    const other = session === first.session ? second.session : first.session;
    const texts = JSON.stringify(rowsOf(session.view));
    for (const row of rowsOf(other.view)) expect(texts).not.toContain(JSON.stringify(row.id));
  }
  expect(new Set(events.map(({ session }) => session))).toEqual(
    new Set([first.session.id, second.session.id]),
  );
  const stored = await store.list();
  expect(stored.map(({ id, title }) => [id, title]).sort()).toEqual(
    [
      [first.session.id, "the first task"],
      [second.session.id, "the second task"],
    ].sort(),
  );
  for (const { session } of [first, second]) await session.close({ ended: true });
});
