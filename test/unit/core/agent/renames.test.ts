/** A rename across many files in a whole session: one approval, one Undo, and none of it in plan mode. */
import { afterEach, expect, it } from "vitest";
import { Checkpoints } from "../../../../src/core/checkpoints/checkpoints.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { memoryCodeSymbols } from "../../../support/memory-code-symbols.ts";
import { memoryFileStates } from "../../../support/memory-file-states.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const DONE = { tool: "attempt_completion", params: { result: "Done." } };
const RENAME = {
  tool: "refactor_code",
  params: { path: "src/0.ts", line: 1, symbol: "total", new_name: "sum" },
};
const FILES = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [
    `src/${index}.ts`,
    index === 0 ? "function total() {}\n" : `before();\ntotal(${index});\nafter();\n`,
  ]),
);

async function start(
  files: Record<string, string>,
  approval: { read?: boolean; edit?: boolean } = { read: true },
) {
  agent = await startAgent({
    files,
    approval,
    script: {
      turns: [
        { match: { request: 1 }, answer: [RENAME] },
        { times: true, answer: [DONE] },
      ] as never,
    },
    checkpoints: ({ host, files: own }, storage) =>
      new Checkpoints({
        ...{ storage, files: memoryFileStates(own), roots: () => [], clock: host.clock, log: host.log },
        settings: () => agent.settings.checkpoints,
        newId: host.newId,
        snapshots: {
          take: async () => ({ unavailable: "no-repository" }),
          changes: async () => [],
          read: async () => new Map(),
          dispose: async () => {},
        },
      }),
    before: (memory) => {
      memory.host.codeSymbols = memoryCodeSymbols(memory.files);
    },
  });
}

const named = () => Object.fromEntries([...agent.files].map(([path, text]) => [path.slice(9), text]));
const changed = Object.fromEntries(
  Object.entries(FILES).map(([name, text]) => [name, text.replace("total", "sum")]),
);

it("asks once for all 20 files, and one Undo brings them back", async () => {
  await start(FILES);
  await agent.view.send("Rename total to sum.");
  const call = await agent.asked();
  const asked = agent.events.flatMap((event) => (event.type === "approval" ? [event.approval] : []));
  expect(asked).toHaveLength(1);
  expect(asked[0]?.files).toHaveLength(20);
  expect(named()).toEqual(FILES);
  agent.view.active.approve(call);
  await agent.view.active.idle;
  expect(named()).toEqual(changed);
  const { checkpoints } = agent.view.active;
  const turn = checkpoints?.views().find(({ kind }) => kind === "message")?.id ?? "";
  expect(await checkpoints?.turn(turn)).toHaveLength(20);
  const plan = await checkpoints?.planUndoTurn(turn);
  if (plan) await checkpoints?.restore(plan);
  expect(named()).toEqual(FILES);
});

it("asks for a protected file although edits run without a question", async () => {
  await start({ ...FILES, ".vscode/tasks.json": "total\n" }, { read: true, edit: true });
  await agent.view.send("Rename total to sum.");
  const call = await agent.asked();
  expect(named()).toEqual({ ...FILES, ".vscode/tasks.json": "total\n" });
  agent.view.active.reject(call);
  await agent.view.active.idle;
  expect(named()).toEqual({ ...FILES, ".vscode/tasks.json": "total\n" });
});

it("is refused in plan mode", async () => {
  await start(FILES, { read: true, edit: true });
  await agent.view.active.setMode("plan");
  await agent.view.send("Rename total to sum.");
  await agent.view.active.idle;
  expect(named()).toEqual(FILES);
  expect(agent.calls()[0]).toMatchObject({ tool: "refactor_code", state: "failed" });
});
