/** What a turn costs the disk: the same for the first edit of a task and for a late one. */
import { afterEach, expect, it } from "vitest";
import { MIRROR_FOLDER } from "../../../../src/core/sessions/journal/journal.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";

const TURNS = 20;
/** The answer with its cost, the mark that its call began, the result, and the message with the environment. */
const MOST_WRITES = 4;

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

it("an edit that needs no approval takes four writes, however long the task is", async () => {
  const lines = Array.from({ length: TURNS }, (_, at) => `line ${at + 10} old\n`).join("");
  agent = await startAgent({
    files: { "work.txt": lines },
    approval: { edit: true, maxRequests: 1_000 },
    script: {
      turns: [
        ...Array.from({ length: TURNS }, (_, at) => ({
          match: { request: at + 1 },
          answer: [
            {
              tool: "replace_in_file",
              params: {
                path: "work.txt",
                diff: `------- SEARCH\nline ${at + 10} old\n=======\nline ${at + 10} new\n+++++++ REPLACE`,
              },
            },
          ],
        })),
        { answer: [{ tool: "attempt_completion", params: { result: "All edited." } }] },
      ],
    },
  });
  const cost: { writes: number; bytes: number }[] = [];
  let writes = 0;
  agent.storage.beforeChange = (change, name) => {
    // The copy of the journal is not waited for, and a synchronization may be due to the time that has passed.
    if (change !== "sync" && !name.startsWith(`${MIRROR_FOLDER}/`)) writes += 1;
  };
  agent.project.onEvent(({ type }) => {
    if (type === "request") cost.push({ writes, bytes: agent.storage.written });
  });
  await agent.view.send("Edit all lines");
  expect((await agent.view.active.idle)?.type).toBe("completed");
  expect(cost).toHaveLength(TURNS + 1);
  const perTurn = cost.slice(1).map((now, at) => ({
    writes: now.writes - (cost[at]?.writes ?? 0),
    bytes: now.bytes - (cost[at]?.bytes ?? 0),
  }));
  expect(Math.max(...perTurn.map((turn) => turn.writes))).toBeLessThanOrEqual(MOST_WRITES);
  const bytes = perTurn.map((turn) => turn.bytes);
  // Numbers grow by a digit; nothing else does.
  expect(bytes.at(-1)).toBeLessThan((bytes[1] ?? 0) * 1.1);
});
