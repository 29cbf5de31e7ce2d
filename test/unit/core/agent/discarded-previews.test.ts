/** An approved edit that cannot begin closes its preview. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { Session } from "../../../../src/core/agent/session.ts";
import { Checkpoints } from "../../../../src/core/checkpoints/checkpoints.ts";
import { KeyMask } from "../../../../src/core/key-mask.ts";
import { ModelProfiles } from "../../../../src/core/provider/model-profile.ts";
import type { SessionStore } from "../../../../src/core/sessions/session-store.ts";
import { openSessionStore } from "../../../../src/core/sessions/store.ts";
import { ToolRegistry } from "../../../../src/core/tools/registry.ts";
import { rowsOf } from "../../../../src/shared/view/reducer.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { memoryFileStates } from "../../../support/memory-file-states.ts";

const FULL = "ENOSPC: no space left on device, write";

let agent: Agent;
let store: SessionStore;
let session: Session;
/** What happened to the preview. */
let ends: string[];
/** Whether the disk has no room for checkpoints. */
let isFull: boolean;

beforeEach(async () => {
  agent = await startAgent({
    files: { "a.txt": "before\n" },
    script: {
      scope: "server",
      turns: [
        { answer: [{ tool: "write_to_file", params: { path: "a.txt", content: "after\n" } }] },
        { answer: [{ tool: "attempt_completion", params: { result: "Done." } }] },
      ],
    },
  });
  const { host, storage, settings, files } = agent;
  ends = [];
  isFull = false;
  const { preview } = host.editor;
  host.editor.preview = (...args) => {
    const shown = preview(...args);
    const save: typeof shown.save = (...edit) => {
      ends.push("saved");
      return shown.save(...edit);
    };
    const discard = async () => {
      ends.push("discarded");
      await shown.discard();
    };
    return { ...shown, save, discard };
  };
  const states = memoryFileStates(files);
  const checkpoints = new Checkpoints({
    ...{ storage, clock: host.clock, log: host.log },
    files: {
      ...states,
      read: async (...args) => {
        if (isFull) throw new Error(FULL);
        return states.read(...args);
      },
    },
    settings: () => settings.checkpoints,
    newId: () => host.newId(),
  });
  store = await openSessionStore(storage, host.assets, host.clock, host.log);
  session = new Session(
    {
      ...{ host, store, registry: new ToolRegistry(), keys: new KeyMask(), profiles: new ModelProfiles() },
      checkpoints,
      settings: () => settings,
      apiKey: async () => "key",
      handOver: async () => {},
    },
    { id: host.newId(), mode: "act" },
  );
});
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await session.close({ ended: true });
  await store.close();
  await agent.close();
});

/** Sends a task, and approves the edit after `breaks` ran. */
async function approveAfter(breaks: () => void) {
  const asked = new Promise<string>((resolve) => {
    session.onEvent((event) => {
      if (event.type === "approval") resolve(event.callId);
    });
  });
  await session.send("change it", []);
  const callId = await asked;
  breaks();
  session.approvals.decide(callId, { approved: true, comment: undefined });
  return session.idle;
}

it("if its start cannot be recorded", async () => {
  const end = await approveAfter(() => {
    agent.storage.beforeChange = () => {
      throw new Error(FULL);
    };
  });
  agent.storage.beforeChange = () => {};
  expect(end).toEqual({ type: "failed" });
  expect(ends).toEqual(["discarded"]);
  expect(agent.files.get("/project/a.txt")).toBe("before\n");
});

it("if the previous content cannot be kept, and the model learns why", async () => {
  const end = await approveAfter(() => {
    isFull = true;
  });
  expect(end).toEqual({ type: "completed" });
  expect(ends).toEqual(["discarded"]);
  expect(agent.files.get("/project/a.txt")).toBe("before\n");
  expect(rowsOf(session.chatView)).toContainEqual(
    expect.objectContaining({ kind: "call", tool: "write_to_file", state: "failed" }),
  );
  expect(JSON.stringify(agent.server.chat(2).messages)).toContain(FULL);
});
