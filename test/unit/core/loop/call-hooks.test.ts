/** What a host adds before and after every call: it may refuse one, and sees the result of one that ran. */
import { afterEach, expect, it } from "vitest";
import type { AfterCall, BeforeCall } from "../../../../src/core/loop/loop.ts";
import type { ScriptPart } from "../../../model-server/server.ts";
import { type Agent, type AgentOptions, startAgent } from "../../../support/agent.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const DONE: ScriptPart = { tool: "attempt_completion", params: { result: "Done." } };
const WRITE: ScriptPart = { tool: "write_to_file", params: { path: "a.txt", content: "changed\n" } };
const READ: ScriptPart = { tool: "read_file", params: { path: "a.txt" } };
const newestRequest = () => JSON.stringify(agent.server.requests.at(-1)?.body);

async function play(answers: ScriptPart[][], options: Partial<AgentOptions>): Promise<unknown> {
  agent = await startAgent({
    script: { turns: [...answers, [DONE]].map((answer) => ({ answer })) },
    files: { "a.txt": "before\n" },
    approval: { read: true, edit: true },
    ...options,
  });
  await agent.view.send("do it");
  return (await agent.view.active.idle)?.type;
}

it("a call that is refused does not run, and the model learns why", async () => {
  const noWrites: BeforeCall = async ({ tool, params }) =>
    tool.access === "edit" ? { text: `${params.path} is frozen.`, outcome: "not-run" } : undefined;
  expect(await play([[WRITE], [READ]], { beforeCall: [noWrites] })).toBe("completed");
  expect(agent.files.get("/project/a.txt")).toBe("before\n");
  expect(agent.calls().map(({ state }) => state)).toEqual(["not-run", "done", "done"]);
  expect(newestRequest()).toContain("a.txt is frozen.");
});

it("is not asked about a call that the loop itself refuses", async () => {
  const seen: string[] = [];
  const beforeCall: BeforeCall[] = [
    ({ tool }) => {
      seen.push(tool.name);
      return undefined;
    },
  ];
  const ask: ScriptPart = { tool: "plan_mode_respond", params: { response: "A plan." } };
  await play([[ask], [READ]], { beforeCall });
  expect(seen).toEqual(["read_file", "attempt_completion"]);
});

it("may keep a call from ending the turn", async () => {
  let tries = 0;
  const beforeCall: BeforeCall[] = [
    ({ tool }) => (tool.turnEnd && ++tries === 1 ? { text: "Run the tests first." } : undefined),
  ];
  expect(await play([[DONE]], { beforeCall })).toBe("completed");
  expect(agent.server.requests).toHaveLength(2);
  expect(newestRequest()).toContain("Run the tests first.");
});

it("a Stop while it works ends the turn, and the call does not run", async () => {
  const beforeCall: BeforeCall[] = [
    async () => {
      void agent.view.stop();
      return undefined;
    },
  ];
  expect(await play([[WRITE]], { beforeCall })).toBe("stopped");
  expect(agent.files.get("/project/a.txt")).toBe("before\n");
});

it("the result of a call that ran can be seen, and added to", async () => {
  const seen: string[] = [];
  const afterCall: AfterCall[] = [
    async ({ tool }, output) => {
      seen.push(`${tool.name}: ${JSON.stringify(output.parts)}`);
      output.parts.push({ type: "text", text: "Formatted with two spaces." });
    },
  ];
  const missing: ScriptPart = { tool: "read_file", params: { path: "missing.txt" } };
  expect(await play([[READ], [missing]], { afterCall })).toBe("completed");
  expect(seen).toEqual([expect.stringMatching(/^read_file: .*before/)]);
  expect(newestRequest()).toContain("Formatted with two spaces.");
});

it("belongs to the calls of compared answers too", async () => {
  const seen: string[] = [];
  agent = await startAgent({
    script: {
      turns: [
        { match: { model: "reader", request: 1 }, answer: [READ] },
        { times: true, answer: [{ text: "Done." }] },
      ],
    },
    files: { "a.txt": "before\n" },
    approval: { read: true },
    beforeCall: [
      ({ tool }) => {
        seen.push(`before ${tool.name}`);
        return undefined;
      },
    ],
    afterCall: [({ tool }) => void seen.push(`after ${tool.name}`)],
  });
  agent.settings.connections = ["one", "two"].map((name) => ({
    name,
    api: "chat",
    baseUrl: agent.server.url,
    headers: {},
  }));
  await agent.view.send("@one/reader @two/other what is in a.txt?");
  await agent.view.active.idle;
  expect(seen).toEqual(["before read_file", "after read_file"]);
});
