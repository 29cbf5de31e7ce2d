/** Tasks that a task starts to look something up: side by side, each a session of its own, and their reports are the results. */
import { afterEach, describe, expect, it } from "vitest";
import type { CallRow } from "../../../../../src/shared/view/reducer.ts";
import { type Agent, type AgentOptions, startAgent } from "../../../../support/agent.ts";
import { underOne } from "../../../../support/protocols.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const explore = (description: string) => ({ tool: "start_task", params: { description, kind: "explore" } });
const read = (path: string) => ({ tool: "read_file", params: { path } });
const done = (result: string) => ({ tool: "attempt_completion", params: { result } });
const NAMES = ["alpha", "beta", "gamma"];
const files = Object.fromEntries(NAMES.map((name) => [`${name}.txt`, `content of ${name}\n`]));

/** The parent starts one task for each name; each reads its file and reports. */
const threeExplorers = [
  {
    match: { firstUser: "look at all", request: 1 },
    answer: [{ text: "I start three." }, ...NAMES.map((name) => explore(`Look at ${name}\nRead it whole.`))],
  },
  { match: { firstUser: "look at all", request: 2 }, answer: [done("All three are known.")] },
  ...NAMES.flatMap((name) => [
    { match: { firstUser: `Look at ${name}`, request: 1 }, answer: [read(`${name}.txt`)] },
    { match: { firstUser: `Look at ${name}`, request: 2 }, answer: [done(`Report on ${name}.`)] },
  ]),
];

const rows = (): CallRow[] => agent.calls().filter(({ tool }) => tool === "start_task");
const firstOf = (text: string) =>
  agent.server.requests.find(({ chat }) => JSON.stringify(chat?.messages[1]).includes(text))?.text ?? "";

async function begin(options: Partial<AgentOptions> & Pick<AgentOptions, "script">): Promise<void> {
  agent = await startAgent({ files, ...options });
}

describe.each(underOne("native"))("under %s", (protocol) => {
  it("three run side by side, and each report is the result of its call", async () => {
    const held = threeExplorers.map((turn) =>
      turn.match.request === 2 && turn.match.firstUser.startsWith("Look at")
        ? { ...turn, answer: [{ hold: "reports" }, ...turn.answer] }
        : turn,
    );
    await begin({ script: { turns: held }, protocol });
    await agent.view.send("look at all");
    // None ends before all three have read.
    await agent.server.waitForRequest(7);
    expect(rows().map(({ task }) => task?.state)).toEqual(["working", "working", "working"]);
    for (const _ of NAMES) agent.server.release("reports");
    expect((await agent.view.active.idle)?.type).toBe("completed");

    expect(rows().map(({ state, subject }) => [state, subject])).toEqual(
      NAMES.map((name) => ["done", `Look at ${name}`]),
    );
    expect(rows().map(({ shown }) => shown?.task)).toMatchObject(
      NAMES.map((name) => ({
        ...{ title: `Look at ${name}`, kind: "explore", state: "done", requests: 2, more: 0 },
        steps: [{ tool: "read_file", subject: `${name}.txt`, state: "done" }],
      })),
    );
    const last = agent.server.requests.at(-1)?.text;
    for (const name of NAMES) {
      expect(last).toContain(`Report on ${name}.`);
      // What it read stays with it.
      expect(last).not.toContain(`content of ${name}`);
    }
    // Three times two requests and the parent's own two.
    expect(agent.view.active.chatView.totals.requests).toBe(8);
    const sessions = await agent.project.history();
    const parent = sessions.find(({ title }) => title === "look at all");
    expect(sessions.filter((each) => each.parent?.id === parent?.id && each !== parent)).toHaveLength(3);
    expect(agent.project.sessions).toHaveLength(1);
  });

  it("has reading tools alone, and cannot start tasks", async () => {
    await begin({ script: { turns: threeExplorers }, protocol, approval: { edit: true, commandAll: true } });
    await agent.view.send("look at all");
    await agent.view.active.idle;
    expect(firstOf("look at all")).toContain("start_task");
    for (const tool of ["start_task", "write_to_file", "replace_in_file", "execute_command", "new_task"])
      expect(firstOf("Look at alpha")).not.toMatch(new RegExp(`("name":"|## )${tool}\\b`));
    expect(firstOf("Look at alpha")).toMatch(/("name":"|## )read_file\b/);
  });
});

it("a task with few slots lends its own to those that it waits for", async () => {
  await begin({ script: { turns: threeExplorers }, settings: { tasks: { maxRunning: 1 } } });
  await agent.view.send("look at all");
  expect((await agent.view.active.idle)?.type).toBe("completed");
  expect(rows().map(({ state }) => state)).toEqual(["done", "done", "done"]);
});

it("tools that such a task cannot have are named", async () => {
  await begin({
    script: {
      turns: [
        {
          match: { request: 1 },
          answer: [
            {
              tool: "start_task",
              params: { description: "x", kind: "explore", tools: ["read_file", "execute_command"] },
            },
          ],
        },
        { answer: [done("It cannot.")] },
      ],
    },
  });
  await agent.view.send("try");
  await agent.view.active.idle;
  expect(agent.server.requests.at(-1)?.text).toContain(
    "A task of kind explore has no tool execute_command. It can have: ",
  );
});
