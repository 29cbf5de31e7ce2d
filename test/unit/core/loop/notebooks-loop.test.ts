/** Notebooks in a whole task: positions mean nothing after a change, a cell runs only where everything does, and one Undo. */
import { afterEach, expect, it } from "vitest";
import { LEVEL_ACCESS } from "../../../../src/shared/permission/levels.ts";
import type { ScriptPart } from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { COMPACT, JUPYTER } from "../../../support/notebooks.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const FILE = "/project/a.ipynb";
const DONE: ScriptPart = { text: "Done." };
const READ: ScriptPart = { tool: "read_file", params: { path: "a.ipynb" } };
const edit = (params: Record<string, string>): ScriptPart => ({
  tool: "edit_notebook",
  params: { path: "a.ipynb", ...params },
});

/** Each answer of the model but the last, which ends the task. */
async function start(json: string, answers: ScriptPart[][], level: "ask" | "edits" | "safe" | "all") {
  const ran: number[] = [];
  agent = await startAgent({
    script: { turns: [...answers, [DONE]].map((answer, n) => ({ match: { request: n + 1 }, answer })) },
    files: { "a.ipynb": json },
    approval: LEVEL_ACCESS[level],
    before({ host }) {
      host.kernels = {
        async run(_path, { index }) {
          ran.push(index);
          return { outputs: [], success: true, durationMs: 1 };
        },
      };
    },
  });
  return ran;
}

it.each([
  ["a position", false, "#1", COMPACT],
  ["an id", true, "intro", JUPYTER],
])("%s after a change of somebody else's: the cell is deleted: %s", async (_, isDone, cell, json) => {
  await start(json, [[READ], [{ hold: "read" }, edit({ operation: "delete", cell })]], "edits");
  await agent.view.send("go");
  await agent.server.waitForHold("read");
  agent.files.set(FILE, `${json}\n`);
  agent.server.release("read");
  await agent.view.active.idle;
  expect(agent.files.get(FILE) === `${json}\n`).toBe(!isDone);
  expect(agent.calls()[1]?.state).toBe(isDone ? "done" : "failed");
});

it("an edit asks once, with the lines of its cell", async () => {
  await start(JUPYTER, [[READ], [edit({ operation: "replace", cell: "load", source: "x = 3" })]], "ask");
  await agent.view.send("go");
  const call = await agent.asked();
  const asked = agent.events.flatMap((event) => (event.type === "approval" ? [event.approval] : []));
  expect(asked).toMatchObject([
    {
      access: "edit",
      path: "a.ipynb",
      files: [{ hunks: { shown: [{ removed: ["x = 1", "print(x)"], added: ["x = 3"] }] } }],
    },
  ]);
  agent.view.active.approve(call);
  await agent.view.active.idle;
  expect(agent.files.get(FILE)).toContain('"x = 3"\n');
});

it.each([
  ["safe", true],
  ["all", false],
] as const)("at the level %s, running a cell asks: %s", async (level, asks) => {
  const ran = await start(
    JUPYTER,
    [[{ tool: "run_cell", params: { path: "a.ipynb", cell: "load" } }]],
    level,
  );
  await agent.view.send("go");
  if (asks) {
    const call = await agent.asked();
    expect(ran).toEqual([]);
    agent.view.active.approve(call);
  }
  await agent.view.active.idle;
  expect(ran).toEqual([1]);
  expect(agent.events.some(({ type }) => type === "approval")).toBe(asks);
});

it("in plan mode, no cell runs and none changes", async () => {
  const params = { path: "a.ipynb", cell: "load" };
  const ran = await start(
    JUPYTER,
    [[{ tool: "run_cell", params }], [edit({ operation: "delete", cell: "load" })]],
    "all",
  );
  await agent.view.active.setMode("plan");
  await agent.view.send("go");
  await agent.view.active.idle;
  expect(ran).toEqual([]);
  expect(agent.files.get(FILE)).toBe(JUPYTER);
});
