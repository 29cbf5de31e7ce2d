/** Notebooks in a whole task: positions mean nothing after a change, a cell runs only where everything does, and one Undo. */
import { afterEach, describe, expect, it } from "vitest";
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

describe("the tools for notebooks", () => {
  const CELLS = ["edit_notebook", "run_cell"];
  const HIDDEN_NOTEBOOK = { "a.txt": ".ipynb_checkpoints\n", "deep/a.ipynb": JUPYTER };
  /** Which of them each request offers. */
  const offered = () =>
    agent.server.requests.map((_, n) => {
      const tools = (agent.server.chat(n + 1).tools ?? []) as { function: { name: string } }[];
      return tools.map((tool) => tool.function.name).filter((name) => CELLS.includes(name)).length;
    });
  const readOf = (path: string): ScriptPart => ({ tool: "read_file", params: { path } });
  async function startNative(files: Record<string, string>, answers: ScriptPart[][], maxFiles = 200) {
    agent = await startAgent({
      script: { turns: answers.map((answer, n) => ({ match: { request: n + 1 }, answer })) },
      protocol: "native",
      files,
      settings: { context: { maxFiles } },
      approval: LEVEL_ACCESS.edits,
      before({ host }) {
        host.kernels = { run: async () => ({ outputs: [], success: true, durationMs: 1 }) };
      },
    });
  }
  async function say(text: string): Promise<void> {
    await agent.view.send(text);
    await agent.view.active.idle;
  }

  it("are in no request of a task without a notebook", async () => {
    await startNative({ "a.txt": ".ipynb_checkpoints\n" }, [[readOf("a.txt")], [DONE]]);
    await say("read it");
    expect(offered()).toEqual([0, 0]);
  });

  it("are in all requests where the workspace has one", async () => {
    await startNative({ "a.ipynb": JUPYTER }, [[DONE]]);
    await say("hello");
    expect(offered()).toEqual([2]);
  });

  it("are there from the request after the one that read the first notebook, and stay", async () => {
    const reads = ["a.txt", "deep/a.ipynb", "a.txt"].map((path) => [readOf(path)]);
    await startNative(HIDDEN_NOTEBOOK, [...reads, [DONE], [DONE], [DONE]], 0);
    await say("work");
    await say("again");
    await say("once more");
    expect(offered()).toEqual([0, 0, 2, 2, 2, 2]);
    expect(agent.view.active.chatView.totals.prefixBreaks).toMatchObject([{ cause: "tools", count: 1 }]);
  });

  it("are there when a message names one, also after a restart", async () => {
    await startNative(HIDDEN_NOTEBOOK, [[DONE], [DONE], [DONE], [DONE]], 0);
    await say("hello");
    await say("then there is deep/a.ipynb");
    await say("go on");
    await agent.restart();
    await say("again");
    expect(offered()).toEqual([0, 2, 2, 2]);
  });

  it("run also where they are not offered", async () => {
    const answer: ScriptPart = {
      tool: "edit_notebook",
      params: { path: "deep/a.ipynb", operation: "delete", cell: "load" },
    };
    await startNative(HIDDEN_NOTEBOOK, [[answer], [DONE]], 0);
    await say("work");
    expect(agent.calls()).toMatchObject([{ state: "done" }]);
    expect(offered()).toEqual([0, 2]);
  });
});
