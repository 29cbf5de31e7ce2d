import { type Agent, startAgent } from "../support/agent.ts";
import { type Bench, scan } from "./bench.ts";

/** Messages of each task that is switched between. */
const MESSAGES = 100;
const KEEP = { keep: true };

const said = Array.from({ length: MESSAGES }, (_, at) => `Message ${at + 1}: ${"words ".repeat(60)}`);

/** Two tasks of that length, each of which waits for an approval. */
async function twoTasks(): Promise<{ agent: Agent; ids: string[] }> {
  const agent = await startAgent({
    script: {
      turns: [
        {
          match: { lastUser: "write it" },
          times: true,
          answer: [{ tool: "write_to_file", params: { path: "one.txt", content: "one\n" } }],
        },
        { times: true, answer: [{ text: "An answer of some words. ".repeat(20) }] },
      ],
    },
    settings: { approval: { maxRequests: 0 } },
  });
  const ids: string[] = [];
  for (let task = 0; task < 2; task++) {
    await agent.view.newTask(KEEP);
    for (const text of said) {
      await agent.view.send(text);
      await agent.view.active.idle;
    }
    await agent.view.send("write it");
    await agent.asked();
    ids.push(agent.view.active.id);
  }
  // Nothing is asked any more, and an open server would keep the process alive.
  await agent.server.close();
  return { agent, ids };
}

let tasks: ReturnType<typeof twoTasks> | undefined;
let shown = 0;

async function switchOver(): Promise<number> {
  tasks ??= twoTasks();
  const { agent, ids } = await tasks;
  const from = performance.now();
  await agent.view.open(ids[++shown % 2] ?? "", KEEP);
  const ms = performance.now() - from;
  if (agent.view.active.chatView.status !== "approval") throw new Error("the task on screen does not wait");
  return ms;
}

export const benches: Bench[] = [
  {
    name: `a switch between two open tasks of ${MESSAGES} messages, each of which waits for an approval`,
    target: "< 5 ms",
    run: switchOver,
    baseline: () => void scan(said),
  },
];
