/** A command in the background says that it runs, what it prints, and how it ended. */
import { afterEach, expect, it } from "vitest";
import type { BackgroundWatcher, Shell } from "../../../../src/core/ports/shell.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";

let agent: Agent;
const ended: unknown[] = [];
let watcher: BackgroundWatcher | undefined;
let tell: Parameters<Shell["run"]>[1]["onWaits"];

afterEach(async () => {
  ended.length = 0;
  watcher = undefined;
  await agent.close();
});

/** A task whose command moved to the background as terminal 7. */
async function start(): Promise<void> {
  agent = await startAgent({
    script: {
      turns: [
        {
          match: { request: 1 },
          answer: [{ tool: "execute_command", params: { command: "npm run dev", requires_approval: false } }],
        },
        { answer: [{ text: "It runs." }] },
      ],
    },
    approval: { commandAll: true },
  });
  Object.assign(agent.host.shell, {
    run: async (_command: string, { onOutput, onWaits }: Parameters<Shell["run"]>[1]) => {
      onOutput("starting\n");
      tell = onWaits;
      onWaits?.(true, false);
      return { exitCode: null, signal: null, durationMs: 3_000, backgroundId: "7" };
    },
    follow: (_id: string, given: BackgroundWatcher) => {
      watcher = given;
    },
    end: async (...how: unknown[]) => void ended.push(how),
  });
  await agent.view.send("serve it");
  await agent.view.active.idle;
}
const row = () => agent.calls()[0];
const listed = () => agent.view.active.chatView.background;

it("is listed with its call and when it began; its row names it", async () => {
  await start();
  const began = Date.parse(listed()[0]?.startedAt ?? "");
  expect(listed()).toMatchObject([{ id: "7", callId: row()?.id, command: "npm run dev" }]);
  expect(listed()[0]?.ended).toBeUndefined();
  expect(row()?.shown).toMatchObject({ background: "7", output: "starting\n" });
  expect(agent.host.clock.now().getTime() - began).toBeGreaterThanOrEqual(3_000);
});

it("goes on with its log in the row, and ends with exit code and duration", async () => {
  await start();
  const shown = agent.until(({ type }) => type === "output");
  watcher?.output("listening\n");
  await shown;
  expect(row()?.output).toBe("starting\nlistening\n");
  watcher?.output("crashed\n");
  watcher?.ended({ exitCode: 1, signal: null, durationMs: 62_000 });
  expect(row()?.output).toBe("starting\nlistening\ncrashed\n");
  expect(listed()[0]?.ended).toEqual({ exitCode: 1, durationMs: 62_000 });
});

it("still asks what it asked before it moved, until it is answered or ends", async () => {
  await start();
  expect(listed()[0]).toMatchObject({ id: "7", waits: true });
  tell?.(false, false);
  expect(listed()[0]?.waits).toBeUndefined();
  tell?.(true, true);
  expect(listed()[0]).toMatchObject({ waits: true, hidden: true });
  watcher?.ended({ exitCode: 0, signal: null, durationMs: 5_000 });
  expect(listed()[0]?.waits).toBeUndefined();
  tell?.(true, false);
  expect(listed()[0]?.waits).toBeUndefined();
});

it("stays listed in the next session, without a row there, and is ended there as the user wants", async () => {
  await start();
  await agent.view.newTask();
  expect(listed()).toMatchObject([{ id: "7" }]);
  watcher?.output("more\n");
  watcher?.ended({ exitCode: null, signal: "SIGTERM", durationMs: 5, stoppedByUser: true });
  expect(agent.rows()).toEqual([]);
  expect(listed()[0]?.ended).toMatchObject({ stoppedByUser: true });
  await agent.project.background.end("7");
  expect(ended).toEqual([[["7"], { byUser: true }]]);
});
