/** The sessions that the terminal offers before the first message, and those that `/sessions` lists. */
import { expect, it } from "vitest";
import { SessionCommands } from "../../../src/cli/session-commands.ts";
import type { SessionSummary } from "../../../src/shared/protocol.ts";

const at = "2025-01-01T00:00:00.000Z";
const summary = (id: string, parent?: SessionSummary["parent"]): SessionSummary => ({
  ...{ id, title: `Task ${id}`, startedAt: at, updatedAt: at, messageCount: 1, cost: 0, tokens: 0 },
  ...(parent ? { parent } : {}),
});

it("offers the user's tasks, not what they started; /sessions lists all of them", async () => {
  const said: string[] = [];
  const opened: string[] = [];
  const children = ["c1", "c2", "c3", "c4", "c5"].map((id) => summary(id, { id: "p", title: "Task p" }));
  const history = async () => [summary("now"), ...children, summary("p"), summary("orphan", { id: "gone" })];
  const commands = new SessionCommands({
    project: { history },
    view: { active: { id: "now" } },
    open: async (id) => opened.push(id) > 0,
    t: (text) => text,
    say: (text) => void said.push(text),
  });
  expect(await commands.offer()).toBe(true);
  expect(said.slice(0, -1)).toEqual([
    "  1. 2025-01-01 00:00  Task p\n",
    "  2. 2025-01-01 00:00  Task orphan\n",
  ]);
  expect(await commands.open("2")).toBe(true);
  await commands.run("");
  expect(said.at(-1)).toBe("  7. 2025-01-01 00:00  Task orphan\n");
  await commands.run("1");
  expect(opened).toEqual(["orphan", "c1"]);
});
