/** How much longer work takes when a task starts another one for it. */
import { type Agent, startAgent } from "../support/agent.ts";
import type { CallCost } from "./report.ts";

const ROUNDS = 21;

const read = { tool: "read_file", params: { path: "a.txt" } };
const done = { tool: "attempt_completion", params: { result: "Known." } };
const explore = { tool: "start_task", params: { description: "Look at it", kind: "explore" } };

/** The same four requests in both: two of them by the task that is started, or all by one task. */
const turns = [
  { match: { firstUser: "let somebody look", request: 1 }, times: true as const, answer: [explore] },
  { match: { firstUser: "let somebody look", request: 2 }, times: true as const, answer: [done] },
  { match: { firstUser: "Look at it", request: 1 }, times: true as const, answer: [read] },
  { match: { firstUser: "Look at it", request: 2 }, times: true as const, answer: [done] },
  ...[1, 2, 3].map((request) => ({
    match: { firstUser: "look yourself", request },
    times: true as const,
    answer: [read],
  })),
  { match: { firstUser: "look yourself", request: 4 }, times: true as const, answer: [done] },
];

async function timeOf({ view }: Agent, text: string): Promise<number> {
  await view.newTask();
  const from = performance.now();
  await view.send(text);
  if ((await view.active.idle)?.type !== "completed") throw new Error(`the task was not completed: ${text}`);
  return performance.now() - from;
}

/** The two take turns, so that what else the machine does falls on both alike. Medians. */
export async function childTasks(): Promise<Record<string, CallCost>> {
  const agent = await startAgent({ script: { turns }, files: { "a.txt": "some text\n" } });
  const times: [number[], number[]] = [[], []];
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      const both = [await timeOf(agent, "let somebody look"), await timeOf(agent, "look yourself")];
      // The first round compiles.
      if (round > 0) for (const [index, ms] of both.entries()) times[index]?.push(ms);
    }
  } finally {
    await agent.close();
  }
  const [ms = 0, bareMs = 0] = times.map((each) => each.sort((a, b) => a - b)[ROUNDS >> 1]);
  return { "four requests, two of them by a task that reads and reports": { ms, bareMs } };
}

export function childTasksText(costs: Record<string, CallCost>): string {
  const lines = Object.entries(costs).map(
    ([name, { ms, bareMs }]) =>
      `  ${name}: ${ms.toFixed(2)} ms, by one task ${bareMs.toFixed(2)} ms, ratio ${(ms / bareMs).toFixed(2)}`,
  );
  return ["a task that another one starts", ...lines].join("\n");
}
