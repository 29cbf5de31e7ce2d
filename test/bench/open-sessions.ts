/** What open sessions keep on the heap, and how much processor time they take while nothing happens in them. */
import { setTimeout as after } from "node:timers/promises";
import type { Message } from "../../src/shared/message.ts";
import { type Agent, startAgent } from "../support/agent.ts";
import type { SessionCost } from "./report.ts";

/** Sessions that are open at once; the figures are for one of them. */
const SESSIONS = 8;
const MESSAGES = 100;
/** Milliseconds over which processor time is counted. */
const WATCHED_MS = 2_000;
const KEEP = { keep: true };

const message = (session: string, at: number): Message => ({
  id: `${session}-${at}`,
  role: at % 2 ? "assistant" : "user",
  blocks: [{ type: "text", text: `Message ${at}: ${"some words ".repeat(60)}` }],
  createdAt: "2026-01-01T00:00:00.000Z",
});

export async function openSessions(): Promise<Record<string, SessionCost>> {
  const agent = await startAgent({
    script: {
      turns: [
        {
          match: { lastUser: "write it" },
          times: true,
          answer: [{ tool: "write_to_file", params: { path: "one.txt", content: "one\n" } }],
        },
        { times: true, answer: [{ text: "It goes " }, { hold: "on" }, { text: "on." }] },
      ],
    },
    settings: { approval: { maxRequests: 0 }, tasks: { maxRunning: 0 } },
  });
  const { project, server } = agent;
  const { store } = await agent.another();
  const ids = Array.from({ length: SESSIONS }, (_, index) => `session-${index}`);
  for (const id of ids) {
    const messages = Array.from({ length: MESSAGES }, (_, at) => message(id, at));
    const start = { id, title: id, projectPath: "/project", model: "scripted", mode: "act" as const };
    await store.import({ ...start, startedAt: "2026-01-01T00:00:00.000Z" }, messages, {});
  }
  const views = ids.map(() => project.newView());
  const costs: Record<string, SessionCost> = {};
  // What only the first runs load and compile is not a session's.
  await warmUp(agent, ids);
  /** The played model and the test's own records are in the same process. */
  const used = () => {
    agent.events.splice(0);
    server.forgetRequests();
    return heap();
  };
  const before = { bytes: used(), cpuShare: await cpuShare() };
  const measure = async (name: string) => {
    const now = { bytes: used(), cpuShare: await cpuShare() };
    costs[name] = {
      bytes: Math.max(0, now.bytes - before.bytes) / SESSIONS,
      cpuShare: Math.max(0, now.cpuShare - before.cpuShare) / SESSIONS,
    };
  };
  await Promise.all(views.map((view, index) => view.open(ids[index] ?? "", KEEP)));
  await measure("shown in a tab, idle");
  await Promise.all(views.map((view) => view.send("write it")));
  for (const view of views)
    while (view.active.chatView.status !== "approval") await agent.until(({ type }) => type === "status");
  await measure("waits for an approval");
  for (const view of views) view.active.reject(view.active.approvals.first ?? "");
  for (let index = 0; index < SESSIONS; index++) await server.waitForHold("on");
  await measure("works, and the model is silent");
  await agent.close();
  return costs;
}

/** A whole task in each session. */
async function warmUp({ view, server, until }: Agent, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await view.open(id, KEEP);
    await view.send("write it");
    while (view.active.chatView.status !== "approval") await until(({ type }) => type === "status");
    view.active.reject(view.active.approvals.first ?? "");
    await server.waitForHold("on");
    await view.newTask();
  }
}

/** Bytes in use. Without `--expose-gc`, what is no longer needed counts too. */
function heap(): number {
  const { gc } = globalThis;
  gc?.();
  gc?.();
  return process.memoryUsage().heapUsed;
}

/** The share of one processor that this process uses for some time. */
async function cpuShare(): Promise<number> {
  const from = { cpu: process.cpuUsage(), at: performance.now() };
  await after(WATCHED_MS);
  const { user, system } = process.cpuUsage(from.cpu);
  return (user + system) / 1000 / (performance.now() - from.at);
}

export function openSessionsText(costs: Record<string, SessionCost>): string {
  const lines = Object.entries(costs).map(
    ([name, { bytes, cpuShare: share }]) =>
      `${name}: ${(bytes / 1024).toFixed(0)} KB, ${(share * 100).toFixed(3)} % of a processor`,
  );
  return [`one of ${SESSIONS} open sessions of ${MESSAGES} messages`, ...lines].join("\n");
}
