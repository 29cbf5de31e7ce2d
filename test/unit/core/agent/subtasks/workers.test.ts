/** Tasks that change files: in a worktree of their own, and in the project once the user approves exactly what they did. */
import { afterEach, describe, expect, it } from "vitest";
import { Checkpoints } from "../../../../../src/core/checkpoints/checkpoints.ts";
import type { CallRow } from "../../../../../src/shared/view/reducer.ts";
import { type Agent, type AgentOptions, startAgent } from "../../../../support/agent.ts";
import { memoryFileStates } from "../../../../support/memory-file-states.ts";
import { type MemoryWorktrees, withWorktrees } from "../../../../support/memory-worktrees.ts";
import { underOne } from "../../../../support/protocols.ts";

let agent: Agent;
let trees: MemoryWorktrees;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const task = (kind: string, description: string) => ({ tool: "start_task", params: { description, kind } });
const write = (path: string, content: string) => ({ tool: "write_to_file", params: { path, content } });
const done = (result: string) => ({ tool: "attempt_completion", params: { result } });
const files = { "cat.txt": "a cat\n", "old.txt": "old\n", "alpha.txt": "alpha\n" };

const EXPLORERS = ["alpha", "beta", "gamma"];
const turns = [
  {
    match: { firstUser: "do all", request: 1 },
    answer: [...EXPLORERS.map((name) => task("explore", `Look at ${name}`)), task("work", "Make it a dog")],
  },
  { match: { firstUser: "do all", request: 2 }, answer: [done("All is done.")] },
  ...EXPLORERS.map((name) => ({
    match: { firstUser: `Look at ${name}` },
    answer: [done(`Report on ${name}.`)],
  })),
  {
    match: { firstUser: "Make it a dog", request: 1 },
    answer: [
      write("cat.txt", "a dog\n"),
      write("new/dog.txt", "new\n"),
      { tool: "delete_file", params: { path: "old.txt" } },
    ],
  },
  { match: { firstUser: "Make it a dog", request: 2 }, answer: [done("It is a dog now.")] },
];

async function begin(options: Partial<AgentOptions> = {}): Promise<void> {
  agent = await startAgent({
    files,
    script: { turns },
    checkpoints: ({ host, files: own }, storage) =>
      new Checkpoints({
        ...{ storage, files: memoryFileStates(own), clock: host.clock, log: host.log },
        settings: () => agent.settings.checkpoints,
        newId: () => host.newId(),
      }),
    ...options,
  });
  trees = withWorktrees(agent);
  await agent.view.send("do all");
}
const started = (): CallRow[] => agent.calls().filter(({ tool }) => tool === "start_task");
const waiting = () => agent.calls().find(({ state }) => state === "approval");
const untilAsked = async () => {
  for (;;) {
    const row = waiting();
    if (row) return row;
    await agent.until(({ type }) => type === "approval");
  }
};
/** Approves the edits in the worktree, up to the proposal of all. */
async function untilProposed(): Promise<CallRow> {
  for (;;) {
    const row = await untilAsked();
    if (row.tool === "start_task") return row;
    expect(row.approval?.task).toMatchObject({ title: "Make it a dog", root: "/worktrees/1" });
    expect(row.approval?.path).toMatch(/^\/worktrees\/1\//);
    agent.view.active.approve(row.id);
    while (waiting()?.id === row.id) await agent.until(() => true);
  }
}
const project = () =>
  Object.fromEntries([...agent.files].filter(([name]) => name.startsWith("/project/")).sort());
const BEFORE = {
  "/project/alpha.txt": "alpha\n",
  "/project/cat.txt": "a cat\n",
  "/project/old.txt": "old\n",
};
const AFTER = {
  "/project/alpha.txt": "alpha\n",
  "/project/cat.txt": "a dog\n",
  "/project/new/dog.txt": "new\n",
};

describe.each(underOne("xml"))("under %s", (protocol) => {
  it("one works beside three that read, and its changes are approved as one", async () => {
    await begin({ protocol });
    const proposal = await untilProposed();
    // Nothing reached the project yet.
    expect(project()).toEqual(BEFORE);
    expect(proposal.approval).toMatchObject({
      access: "edit",
      files: [
        { path: "cat.txt", kind: "update", added: 1, removed: 1 },
        { path: "new/dog.txt", kind: "add", added: 1, removed: 0 },
        { path: "old.txt", kind: "delete" },
      ],
    });
    expect(proposal.approval?.text).toContain("-a cat\n+a dog");
    expect(agent.view.active.approvals.paths(proposal.id)).toEqual([
      { path: "/project/cat.txt", access: "write", change: { before: "a cat\n", after: "a dog\n" } },
      { path: "/project/new/dog.txt", access: "write", change: { before: null, after: "new\n" } },
      { path: "/project/old.txt", access: "write", change: { before: "old\n", after: null } },
    ]);
    expect(agent.view.active.approve(proposal.id, "good")).toBe(true);
    expect((await agent.view.active.idle)?.type).toBe("completed");
    expect(project()).toEqual(AFTER);
    expect(trees.all).toEqual([]);
    expect(started().map(({ state, shown }) => [state, shown?.task?.kind, shown?.task?.state])).toEqual([
      ...EXPLORERS.map(() => ["done", "explore", "done"]),
      ["done", "work", "done"],
    ]);
    const last = agent.server.requests.at(-1)?.text;
    for (const name of EXPLORERS) expect(last).toContain(`Report on ${name}.`);
    expect(last).toContain("the project has them now: cat.txt, new/dog.txt, old.txt");
    expect(last).toContain("good");
    // It can be undone like any other edit.
    await agent.view.active.checkpoints.settled();
    const change = agent.view.active.checkpoints.views().find(({ kind }) => kind === "call");
    expect(change).toMatchObject({ id: proposal.id, files: 3 });
  });
});

it("what the user rejects is not in the project, and is kept", async () => {
  await begin();
  const proposal = await untilProposed();
  agent.view.active.reject(proposal.id, "not a dog");
  expect((await agent.view.active.idle)?.type).toBe("completed");
  expect(project()).toEqual(BEFORE);
  expect(trees.all).toHaveLength(1);
  expect(agent.files.get("/worktrees/1/cat.txt")).toBe("a dog\n");
  expect(started().at(-1)).toMatchObject({
    state: "rejected",
    shown: { task: { branch: "nekode/make-it-a-dog" } },
  });
  const last = agent.server.requests.at(-1)?.text;
  expect(last).toContain("on the branch nekode/make-it-a-dog");
  expect(last).toContain("not a dog");
});

describe("what changed meanwhile in the project", () => {
  it("before the changes are proposed", async () => {
    await begin({
      approval: { edit: true },
      files: { ...files, "cat.txt": "a cat\n" },
      script: { turns: heldWork },
    });
    await agent.server.waitForHold("work");
    agent.files.set("/project/cat.txt", "a cat of mine\n");
    agent.server.release("work");
    expect((await agent.view.active.idle)?.type).toBe("completed");
    expect(project()).toEqual({ ...BEFORE, "/project/cat.txt": "a cat of mine\n" });
    expect(agent.server.requests.at(-1)?.text).toContain("as they were when the task began: cat.txt");
    // The user sees it too.
    expect(started().at(-1)).toMatchObject({
      state: "failed",
      shown: { task: { state: "done", branch: "nekode/make-it-a-dog" } },
    });
    expect(trees.all).toHaveLength(1);
  });

  it("while the user is asked", async () => {
    await begin();
    const proposal = await untilProposed();
    agent.files.set("/project/old.txt", "newer\n");
    agent.view.active.approve(proposal.id);
    expect((await agent.view.active.idle)?.type).toBe("completed");
    expect(project()).toEqual({ ...BEFORE, "/project/old.txt": "newer\n" });
    expect(agent.server.requests.at(-1)?.text).toContain("Nothing was applied: old.txt changed while");
    expect(started().at(-1)?.state).toBe("failed");
    expect(trees.all).toHaveLength(1);
  });
});

const heldWork = turns.map((turn) =>
  "request" in turn.match && turn.match.firstUser === "Make it a dog" && turn.match.request === 2
    ? { ...turn, answer: [{ hold: "work" }, ...turn.answer] }
    : turn,
);

it("what the user lets run without asking is applied without asking", async () => {
  await begin({ approval: { edit: true } });
  expect((await agent.view.active.idle)?.type).toBe("completed");
  expect(project()).toEqual(AFTER);
  expect(agent.events.filter(({ type }) => type === "approval")).toEqual([]);
});

it("plan mode starts none, and ends what one may write", async () => {
  await begin({ script: { turns: heldWork } });
  const first = await untilAsked();
  expect(first.approval?.path).toBe("/worktrees/1/cat.txt");
  await agent.view.active.setMode("plan");
  agent.view.active.approve(first.id);
  await agent.server.waitForHold("work");
  expect(agent.files.get("/worktrees/1/cat.txt")).toBe("a cat\n");
  await agent.view.stop();
  expect(project()).toEqual(BEFORE);
});

it("a restart proposes again what waited, and applies it once", async () => {
  await begin();
  await untilProposed();
  const sent = agent.server.requests.length;
  await agent.restart();
  const proposal = await untilAsked();
  expect(proposal.tool).toBe("start_task");
  expect(agent.server.requests).toHaveLength(sent);
  expect(project()).toEqual(BEFORE);
  agent.view.active.approve(proposal.id);
  expect((await agent.view.active.idle)?.type).toBe("completed");
  expect(project()).toEqual(AFTER);
  expect(trees.all).toEqual([]);
  expect(agent.server.requests.length).toBe(sent + 1);
});

it("without worktrees there are only tasks that read", async () => {
  agent = await startAgent({
    script: {
      turns: [{ match: { request: 1 }, answer: [task("work", "x")] }, { answer: [done("No.")] }],
    },
  });
  await agent.view.send("try");
  await agent.view.active.idle;
  expect(agent.server.requests.at(-1)?.text).toContain("there are no git worktrees");
});
