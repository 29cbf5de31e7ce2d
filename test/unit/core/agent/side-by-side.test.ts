/** Two sessions that run at once over one store: nothing of one is in the other, and each event says whose it is. */
import { afterEach, expect, it } from "vitest";
import { Session, type SessionDeps } from "../../../../src/core/agent/session.ts";
import { Checkpoints } from "../../../../src/core/checkpoints/checkpoints.ts";
import { KeyMask } from "../../../../src/core/key-mask.ts";
import { ModelProfiles } from "../../../../src/core/provider/model-profile.ts";
import type { SessionStore } from "../../../../src/core/sessions/session-store.ts";
import { openSessionStore } from "../../../../src/core/sessions/store.ts";
import { ToolRegistry } from "../../../../src/core/tools/registry.ts";
import type { TaskEvent } from "../../../../src/shared/event.ts";
import { applyEvent, emptyView, rowsOf } from "../../../../src/shared/view/reducer.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { gate } from "../../../support/gate.ts";
import { memoryFileStates } from "../../../support/memory-file-states.ts";

let agent: Agent;
let store: SessionStore;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await store.close();
  await agent.close();
});

const DONE = { tool: "attempt_completion", params: { result: "Done." } };
const write = (path: string) => ({ tool: "write_to_file", params: { path, content: `of ${path}\n` } });

async function sessionParts(): Promise<SessionDeps> {
  const { host, storage, settings } = agent;
  store = await openSessionStore(storage, host.assets, host.clock, host.log);
  return {
    ...{ host, store, registry: new ToolRegistry(), keys: new KeyMask(), profiles: new ModelProfiles() },
    settings: () => settings,
    apiKey: async () => "key",
    handOver: async () => {},
  };
}

it("two sessions wait, run and end by themselves, and each view is made of its own events", async () => {
  agent = await startAgent({
    script: {
      turns: [
        { match: { firstUser: "first", request: 1 }, answer: [{ text: "One." }, write("one.txt")] },
        { match: { firstUser: "second", request: 1 }, answer: [{ text: "Two." }, write("two.txt")] },
        { answer: [DONE], times: 2 },
      ],
    },
  });
  const parts = await sessionParts();
  const { host } = agent;
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
  expect([first.session.chatView.status, second.session.chatView.status]).toEqual(["approval", "approval"]);
  expect(second.session.approvals.decide(first.callId, { approved: true, comment: undefined })).toBe(false);
  expect(second.session.approvals.decide(second.callId, { approved: true, comment: undefined })).toBe(true);
  expect(await second.session.idle).toEqual({ type: "completed" });
  expect(agent.files.has("/project/one.txt")).toBe(false);
  expect(agent.files.get("/project/two.txt")).toBe("of two.txt\n");
  expect(first.session.chatView.status).toBe("approval");
  await first.session.stop();
  expect(agent.files.has("/project/one.txt")).toBe(false);

  for (const { session } of [first, second]) {
    const own = events.filter((event) => event.session === session.id);
    expect(own.reduce(applyEvent, emptyView)).toEqual(session.chatView);
    const other = session === first.session ? second.session : first.session;
    const texts = JSON.stringify(rowsOf(session.chatView));
    for (const row of rowsOf(other.chatView)) expect(texts).not.toContain(JSON.stringify(row.id));
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

it("two sessions that edit files at once keep and undo each its own changes", async () => {
  agent = await startAgent({
    files: { "shared.txt": "from before\n" },
    script: {
      turns: [
        { match: { firstUser: "first", request: 1 }, answer: [write("one.txt")] },
        { match: { firstUser: "second", request: 1 }, answer: [write("two.txt")] },
        { match: { firstUser: "second", request: 2 }, answer: [write("shared.txt")] },
        { answer: [DONE], times: 2 },
      ],
    },
    approval: { edit: true },
  });
  const { host, storage, files } = agent;
  // The first session's edit lasts until the second session has made both of its own.
  const begun = gate();
  const mayEnd = gate();
  const { preview } = host.editor;
  host.editor.preview = (file, ...rest) => {
    const shown = preview(file, ...rest);
    if (!file.endsWith("one.txt")) return shown;
    const save = async () => {
      begun.open();
      await mayEnd.passed;
      return shown.save();
    };
    return { ...shown, save };
  };
  const checkpoints = new Checkpoints({
    ...{ storage, files: memoryFileStates(files), clock: host.clock, log: host.log },
    settings: () => agent.settings.checkpoints,
    newId: () => host.newId(),
  });
  const parts = { ...(await sessionParts()), checkpoints };
  const events: TaskEvent[] = [];
  const [first, second] = ["first", "second"].map(() => {
    const session = new Session(parts, { id: host.newId(), mode: "act" });
    session.onEvent((event) => events.push(event));
    return session;
  });
  if (!first || !second) throw new Error("there are two sessions");
  await first.send("the first task", []);
  await begun.passed;
  await second.send("the second task", []);
  await second.idle;
  expect(first.busy).toBe(true);

  const markOf = (session: Session) =>
    session.checkpoints?.views().find(({ kind }) => kind === "message")?.id ?? "";
  const namesOf = async (session: Session) =>
    (await session.checkpoints?.plan(markOf(session)))?.files.map(({ path }) => path);
  await second.checkpoints?.settled();
  expect(await namesOf(second)).toEqual(["/project/shared.txt", "/project/two.txt"]);
  mayEnd.open();
  await first.idle;
  await checkpoints.settled();
  expect(await namesOf(first)).toEqual(["/project/one.txt"]);

  // What one of them takes back stays the other one's.
  const plan = await second.checkpoints?.plan(markOf(second));
  expect(plan && (await second.checkpoints?.restore(plan))?.failed).toEqual([]);
  expect([...files]).toEqual([
    ["/project/shared.txt", "from before\n"],
    ["/project/one.txt", "of one.txt\n"],
  ]);
  const [call = ""] = rowsOf(first.chatView).flatMap((row) => (row.kind === "call" ? [row.id] : []));
  const undo = await first.checkpoints?.planUndo(call);
  expect(undo && (await first.checkpoints?.restore(undo))?.failed).toEqual([]);
  expect([...files.keys()]).toEqual(["/project/shared.txt"]);

  for (const session of [first, second]) {
    const rows = JSON.stringify(rowsOf(session.chatView));
    const reported = events.flatMap((event) => (event.type === "checkpoint" ? [event] : []));
    for (const event of reported)
      if (event.session !== session.id) expect(rows).not.toContain(event.checkpoint.id);
    expect(reported.some((event) => event.session === session.id)).toBe(true);
    await session.close({ ended: true });
  }
  await checkpoints.dispose();
});
