/** The environment in the real loop: told with the user's message and, under native calling, after results only where something is new. */
import { afterEach, describe, expect, it } from "vitest";
import type { ScriptPart } from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { underOne } from "../../../support/protocols.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const read = (path: string): ScriptPart => ({ tool: "read_file", params: { path } });
const details = (request: number) =>
  JSON.stringify(agent.server.chat(request).messages).match(/<environment_details>/g)?.length ?? 0;

describe.each(["native", "xml"] as const)("after results under %s", (protocol) => {
  it("the environment comes once the window is used, and again when something happened", async () => {
    agent = await startAgent({
      protocol,
      files: Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`note${n}.txt`, `note ${n}`])),
      script: {
        turns: [
          ...[1, 2, 3, 4, 5].map((n) => ({ match: { request: n }, answer: [read(`note${n}.txt`)] })),
          { times: true, answer: [{ text: "All seen." }] },
        ],
      },
    });
    let open: string[] = [];
    agent.host.surroundings.openTabs = () => open;
    let results = 0;
    agent.project.onEvent((event) => {
      if (event.type !== "message" || event.message.role !== "tool") return;
      results++;
      if (results === 3) open = ["note5.txt"];
    });
    await agent.view.send("look");
    expect((await agent.view.active.idle)?.type).toBe("replied");
    // By text, each result is a user message, which has them.
    const expected = protocol === "xml" ? [1, 2, 3, 4, 5, 6] : [1, 2, 2, 3, 3, 3];
    expect([1, 2, 3, 4, 5, 6].map(details)).toEqual(expected);
    expect(JSON.stringify(agent.server.chat(4).messages.at(-1))).toContain("Open Tabs\\nnote5.txt");
    await agent.view.send("again");
    await agent.view.active.idle;
    expect(details(7)).toBe((expected.at(-1) ?? 0) + 1);
  });
});

describe.each(underOne("native"))("after many results under %s", (protocol) => {
  it("what was told is told again when the window had to lose it", async () => {
    const SUMMARY = "The notes were read.";
    const notes = 24;
    const files = Object.fromEntries(
      Array.from({ length: notes }, (_, n) => [
        `note${n}.txt`,
        `note ${n}\n${"Some words of a note. ".repeat(80)}`,
      ]),
    );
    let lost = 0;
    agent = await startAgent({
      protocol,
      files,
      approval: { maxRequests: 100 },
      script: {
        turns: [
          { match: { lastUser: 'explicit_instructions type="condense"' }, answer: [{ text: SUMMARY }] },
          ...Object.keys(files).map((path) => ({ times: 1, answer: [read(path)] })),
          { answer: [{ text: "All seen." }] },
        ],
      },
    });
    agent.settings.provider.contextWindow = 14_000;
    let open: string[] = [];
    agent.host.surroundings.openTabs = () => open;
    agent.project.onEvent((event) => {
      if (event.type === "message" && event.message.role === "tool") open = ["opened-later.txt"];
      if (event.type === "message" && event.message.blocks.some(({ type }) => type === "window")) lost++;
    });
    await agent.view.send("read the notes");
    expect((await agent.view.active.idle)?.type).toBe("replied");
    expect(lost).toBeGreaterThan(0);
    const untold = agent.server.requests.flatMap(({ text }, at) =>
      at === 0 || text.includes("opened-later.txt") || text.includes('type=\\"condense') ? [] : [at + 1],
    );
    expect(untold).toEqual([]);
  });
});
