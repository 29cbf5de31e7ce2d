/** Up to 50 tasks at once in one process, each of which reads three files and answers. */
import { startAgent } from "../../support/agent.ts";
import type { Curve } from "../report.ts";
import { type Costs, curvesOf, timed, type Wanted } from "./curve.ts";

const SIZES = [5, 10, 25, 50];
const ROUNDS = 5;
const size = "tasks";
const WANTED: Wanted[] = [
  { name: "all of them done, by task", size, unit: "ms" },
  { name: "kept by a task while its model is silent", size, unit: "MB", target: "< 2 MB" },
  { name: "longest pause", size, unit: "ms", target: "< 100 ms" },
];

const FILES = ["a.txt", "b.txt", "c.txt"];
const TEXT = "some text\n".repeat(500);
const done = { tool: "attempt_completion", params: { result: "Known." } };

async function together(count: number): Promise<Costs> {
  const agent = await startAgent({
    script: {
      turns: [
        {
          match: { firstUser: "wait" },
          times: true,
          answer: [{ text: "It goes " }, { hold: "on" }, { text: "on." }],
        },
        ...FILES.map((file, at) => ({
          match: { request: at + 1 },
          times: true as const,
          answer: [{ tool: "read_file", params: { path: file } }],
        })),
        { times: true, answer: [done] },
      ],
    },
    files: Object.fromEntries(FILES.map((file) => [file, TEXT])),
    settings: { approval: { maxRequests: 0, read: true }, tasks: { maxRunning: 0 } },
  });
  const costs: Costs = Object.fromEntries(WANTED.map(({ name }) => [name, []]));
  const heap = () => {
    // What the test and the played model record is no task's.
    agent.events.splice(0);
    agent.server.forgetRequests();
    globalThis.gc?.();
    return process.memoryUsage().heapUsed;
  };
  try {
    const views = Array.from({ length: count }, () => agent.project.newView());
    for (let round = 0; round <= ROUNDS; round++) {
      await Promise.all(views.map((view) => view.newTask()));
      const { ms, pauseMs } = await timed(async () => {
        await Promise.all(views.map((view) => view.send("Read all three")));
        const ends = await Promise.all(views.map((view) => view.active.idle));
        const wrong = ends.find((end) => end?.type !== "completed");
        if (wrong) throw new Error(`a task ended as ${JSON.stringify(wrong)}`);
      });
      // The first round compiles.
      if (round === 0) continue;
      costs["all of them done, by task"]?.push(ms / count);
      costs["longest pause"]?.push(pauseMs);
    }
    await Promise.all(views.map((view) => view.newTask()));
    const before = heap();
    await Promise.all(views.map((view) => view.send("wait")));
    for (let at = 0; at < count; at++) await agent.server.waitForHold("on");
    costs["kept by a task while its model is silent"]?.push((heap() - before) / count / 1e6);
  } finally {
    await agent.close();
  }
  return costs;
}

export const taskCurves = (): Promise<Curve[]> => curvesOf(WANTED, SIZES, together);
